import { knownTexts } from '../../expression/index.js';
import type { SourceLocation } from '../../model/index.js';
import type { NamedInPack } from '../../codes.js';
import type { StepContext } from '../context.js';

/** All names that the text of a step may evaluate to, and the JavaScript that evaluates it; null if there is only one name. */
interface StepNames {
  readonly names: readonly string[];
  readonly js: string | null;
}

/** Reads the name in a step, or a text with expressions whose possible values are known; reports names that don't exist. */
export function namesOf(
  given: string,
  place: SourceLocation,
  what: NamedInPack,
  known: ReadonlyMap<string, unknown>,
  { compiler: { diagnostics, env }, scope }: StepContext,
): StepNames {
  const name = given.includes('${') ? diagnostics.template(place, given, scope, env) : undefined;
  const names = name === undefined ? [given] : knownTexts(name);
  if (names === undefined) {
    const message = `this can be any text: the possible ${what}s must be known, as with an enum or ... ? 'a' : 'b'`;
    diagnostics.problem(place, 'wrong-type', message);
    return { names: [], js: null };
  }
  const unknown = names.find((each) => !known.has(each));
  if (unknown !== undefined) diagnostics.unknown(place, what, unknown, known.keys());
  return { names, js: name === undefined || name.constant !== undefined ? null : name.js };
}
