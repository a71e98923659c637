import type { Js, Scope, Variable } from '../../expression/index.js';

/**
 * Declares the variables of a step that may be skipped, with their values if it is: the earlier variable of the same name, else
 * null.
 * @param before the names of the scope before the step was compiled
 */
export function declareSkipped(scope: Scope, before: ReadonlyMap<string, Variable>): Js {
  return [...scope.own()]
    .filter(([name, variable]) => before.get(name) !== variable)
    .map(([name, { js, live }]) => {
      const earlier = before.get(name) ?? scope.outer(name);
      return `let ${js} = ${earlier?.live === live ? earlier.js : 'null'};`;
    });
}
