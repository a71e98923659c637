import { jmespathProblem } from '../codecs/index.js';
import type { ProblemCode } from '../codes.js';
import type { Diagnostics, SourceLocation } from '../model/index.js';

/** Reports invalid JMESPath. */
export function checkJmespath(text: string, at: SourceLocation, code: ProblemCode, diagnostics: Diagnostics): void {
  const problem = jmespathProblem(text);
  if (problem !== undefined) diagnostics.problem(at, code, `not a JMESPath expression: ${problem}`);
}
