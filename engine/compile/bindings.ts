import type { Frame, Json, JsonObject, Scope, Variable } from '../expression/index.js';
import { inside, type Place } from '../model/index.js';
import { bind, type StepContext } from './context.js';

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

/** A block that adds to a value of the steps around it adds to a copy, which ends with the block. */
export function warnOfLostValue(name: string, value: Json, place: Place, { scope, compiler }: StepContext): void {
  const reads = typeof value === 'string' && new RegExp(`(?<![\\w.'"])${name}(?![\\w'":])`).test(value);
  if (!reads || scope.own().has(name) || !scope.outer(name)) return;
  const message = `'${name}' of the steps around this block stays as it was (a loop gathers values with \`collect\`)`;
  compiler.linking.problem(place, 'lost-value', message, { at: 'key', severity: 'warning' });
}

/** The list of what `collect` gives in each round, bound to `as` once the loop is over. */
export function compileCollect(step: JsonObject, place: Place, outer: StepContext, inner: StepContext) {
  if (step['collect'] === undefined) return undefined;
  const { linking, env } = outer.compiler;
  const { run, type } = linking.template(inside(place, 'collect'), step['collect'], inner.scope, env);
  return { run, binding: bind(outer, String(step['as']), { kind: 'list', of: type }) };
}
