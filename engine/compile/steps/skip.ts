import type { Js, Scope, Variable } from '../../expression/index.js';

/**
 * Declares the variables of a step with `when`. If the step is skipped, they have the value of the earlier variable with the
 * same name, else null.
 * @param before the names in the scope before the step was compiled
 */
export function declareSkipped(scope: Scope, before: ReadonlyMap<string, Variable>): Js {
  return [...scope.own()]
    .filter(([name, variable]) => before.get(name) !== variable)
    .map(([name, { js, live }]) => {
      const earlier = before.get(name) ?? scope.outer(name);
      return `let ${js} = ${earlier?.live === live ? earlier.js : 'null'};`;
    });
}
