import type { Frame, Scope, Variable } from '../../expression/index.js';

/**
 * What a skipped step leaves in the variables that it would have bound: what had their names before it, or else null. A loop
 * would otherwise show the value of an earlier round.
 *
 * @param before the names of the scope before the step was compiled
 * @returns undefined when the step binds nothing
 */
export function skipBindings(
  scope: Scope,
  before: ReadonlyMap<string, Variable>,
): ((frame: Frame) => void) | undefined {
  const moves = [...scope.own()]
    .filter(([name, variable]) => before.get(name) !== variable)
    .map(([name, { slot, live }]) => {
      const earlier = before.get(name) ?? scope.outer(name);
      return { slot, from: earlier?.live === live ? earlier.slot : undefined };
    });
  if (moves.length === 0) return undefined;
  return (frame) => {
    for (const { slot, from } of moves) frame[slot] = from === undefined ? null : frame[from];
  };
}
