import { LIMITS } from '../limits.js';
import { ExpressionFailure, type Json, type JsonObject } from './json-value.js';
import { pathText, schemaProblems, type SchemaProblem } from './json-schema.js';
import { SchemaFiller } from './schema-filler.js';
import { NothingFits, TooLarge } from './schema-merge.js';
import { isObject, member, putAt } from './values.js';

/** Number of attempts, each with other choices, before a schema counts as impossible to match. */
const TRIES = 16;
/** First attempt without defaults and examples; `WITHOUT_OPTIONALS`: first one without optional members, too. */
const WITHOUT_DEFAULTS = 6;
const WITHOUT_OPTIONALS = 11;
/** Maximum number of invalid optional members that are removed. */
const MOST_DROPPED = 50;
/** Maximum number of hints that are tried. */
const MOST_HINTS = 200;

/** A generated value, or why none was found. */
type SynthesizedValue = { readonly value: Json } | { readonly problem: string };

/**
 * Generates a valid value for a JSON Schema, the same for the same arguments. A member of `hints` is used for each property of
 * its name that accepts its value. Optional members that can't be valid are left out. A value that only breaks patterns is
 * returned too, since texts can't be generated for every pattern.
 * @param nowMs the simulated time: dates are up to 30 days before it
 * @throws ExpressionFailure if no valid value was found, or it would be too large
 */
export function synthesize(schema: Json, seed: number, hints: Json, nowMs = Date.UTC(2025, 0, 1)): Json {
  const made = make(schema, seed, hints, nowMs);
  if ('problem' in made) throw new ExpressionFailure(`synthesize() ${made.problem}`);
  return made.value;
}

/** Returns why no value can be generated for a schema; undefined if one can. */
export function synthesisProblem(schema: Json): string | undefined {
  const made = make(schema, 1, null, 0);
  return 'problem' in made ? made.problem : undefined;
}

function make(schema: Json, seed: number, hints: Json, nowMs: number): SynthesizedValue {
  if (schema === null || (isObject(schema) && Object.keys(schema).length === 0)) return { value: {} };
  let nearest: { readonly value: Json; readonly problems: readonly SchemaProblem[] } | undefined;
  for (let turn = 0; turn < TRIES; turn++) {
    try {
      const filler = new SchemaFiller(schema, {
        seed: seed + turn,
        nowMs,
        turn,
        defaults: turn < WITHOUT_DEFAULTS,
        optionals: turn < WITHOUT_OPTIONALS,
      });
      const { value, problems } = pruned(schema, filler.make());
      if (problems.length === 0) return { value: isObject(hints) ? withHints(schema, value, hints) : value };
      if (nearest === undefined || problems.length < nearest.problems.length) nearest = { value, problems };
    } catch (error) {
      if (error instanceof TooLarge) return { problem: tooLarge() };
      if (!(error instanceof NothingFits)) throw error;
    }
  }
  const [problem] = nearest?.problems ?? [];
  if (nearest && nearest.problems.every(({ message }) => message.startsWith('The value must match pattern')))
    return { value: nearest.value };
  const where = problem ? ` (${pathText('value', problem.path)}: ${problem.message})` : '';
  return { problem: `found no value that fits the schema${where}` };
}

function tooLarge(): string {
  const { synthesisValues, synthesisText } = LIMITS;
  return `makes at most ${synthesisValues.value} values and ${synthesisText.value} characters, and the schema asks for more`;
}

/** Removes invalid optional members of a generated value, one after another, while problems remain. */
function pruned(schema: Json, made: Json): { readonly value: Json; readonly problems: readonly SchemaProblem[] } {
  let value = made;
  let problems = schemaProblems(schema, value);
  for (let dropped = 0; problems.length > 0 && dropped < MOST_DROPPED; dropped++) {
    const better = problems.map(({ path }) => betterWithout(schema, value, path, problems.length)).find(Boolean);
    if (better === undefined) break;
    ({ value, problems } = better);
  }
  return { value, problems };
}

/** Removes the innermost member on a problem's path whose removal leaves fewer problems; undefined: none does. */
function betterWithout(
  schema: Json,
  value: Json,
  path: SchemaProblem['path'],
  count: number,
): { readonly value: Json; readonly problems: readonly SchemaProblem[] } | undefined {
  for (let length = path.length; length > 0; length--) {
    const next = withoutMember(value, path.slice(0, length));
    if (next === undefined) continue;
    const problems = schemaProblems(schema, next);
    if (problems.length < count) return { value: next, problems };
  }
  return undefined;
}

function withoutMember(value: Json, [key, ...rest]: SchemaProblem['path']): Json | undefined {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const inner = typeof key === 'number' && rest.length > 0 ? withoutMember(list[key] ?? null, rest) : undefined;
    return inner === undefined ? undefined : list.map((item, index) => (index === key ? inner : item));
  }
  if (!isObject(value) || typeof key !== 'string' || !Object.hasOwn(value, key)) return undefined;
  const { [key]: inside, ...others } = value;
  if (rest.length === 0) return others;
  const inner = withoutMember(inside, rest);
  return inner === undefined ? undefined : { ...value, [key]: inner };
}

/** Sets the hints in a generated value, each only if the value stays valid. */
function withHints(schema: Json, made: Json, hints: JsonObject): Json {
  let best = made;
  let tried = 0;
  const visit = (path: readonly string[]): void => {
    const at = path.reduce<Json>(member, best);
    if (!isObject(at)) return;
    for (const key of Object.keys(at)) {
      const here = [...path, key];
      const isHint = Object.hasOwn(hints, key) && ++tried <= MOST_HINTS;
      const next = isHint ? putAt(best, here, hints[key]) : undefined;
      if (next !== undefined && schemaProblems(schema, next).length === 0) best = next;
      else visit(here);
    }
  };
  visit([]);
  return best;
}
