import type { Compiled } from './compiled.js';
import type { Environment } from './environment.js';
import type { ExpressionNode } from './parse.js';
import type { Scope } from './scope.js';
import type { CodeUnit } from './unit.js';

/** Where an expression is, and how its parts are compiled. */
export interface Site {
  readonly scope: Scope;
  readonly env: Environment;
  readonly unit: CodeUnit;
  readonly compile: (node: ExpressionNode) => Compiled;
  /** JavaScript that gives true or false and nothing else. */
  readonly condition: (node: ExpressionNode) => string;
  /** The same where more names are visible. */
  readonly within: (scope: Scope) => Site;
}
