import type { Compiled } from './compiled.js';
import type { Environment } from './environment.js';
import type { ExpressionNode } from './parse.js';
import type { Scope } from './scope.js';
import type { CodeUnit } from './unit.js';

/** The context in which an expression is compiled, with functions that compile its parts. */
export interface Site {
  readonly scope: Scope;
  readonly env: Environment;
  readonly unit: CodeUnit;
  readonly compile: (node: ExpressionNode) => Compiled;
  /** Compiles a part to JavaScript that evaluates to a boolean. */
  readonly condition: (node: ExpressionNode) => string;
  /** A copy of the site in which more names are visible. */
  readonly within: (scope: Scope) => Site;
}
