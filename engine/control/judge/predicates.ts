import {
  equal,
  isList,
  isObject,
  type Json,
  type JsonObject,
  patternProblem,
  textPattern,
} from '../../values/index.js';

type Predicate = (value: Json | undefined, wanted: Json) => boolean;

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const lower = (value: Json | undefined): string => text(value).toLowerCase();
const list = (value: Json | undefined): readonly Json[] => (isList(value ?? null) ? (value as readonly Json[]) : []);
const has = (items: readonly Json[], wanted: Json): boolean => items.some((each) => equal(each, wanted));
const same = (value: Json | undefined, wanted: Json): boolean => equal(value ?? null, wanted);
/** Whether a text contains a part, a list contains an item, or the JSON of a map (or of a list of maps) contains a text. */
const contains = (value: Json | undefined, wanted: Json): boolean => {
  const isOfMaps = isObject(value ?? null) || (isList(value ?? null) && list(value).some((each) => isObject(each)));
  if (isOfMaps && typeof wanted === 'string') return JSON.stringify(value).includes(wanted);
  return isList(value ?? null) ? has(list(value), wanted) : typeof wanted === 'string' && text(value).includes(wanted);
};
/** Lower-cases a regular expression, except escapes such as `\S`. */
const inSmallLetters = (source: string): string =>
  source.replace(/\\.|[A-Z]/g, (part) => (part.length > 1 ? part : part.toLowerCase()));
const ordered = (holds: (order: number) => boolean): Predicate => {
  return (value, wanted) => {
    if (typeof value === 'number' && typeof wanted === 'number') return holds(value - wanted);
    if (typeof value !== 'string' || typeof wanted !== 'string') return false;
    return holds(value < wanted ? -1 : value > wanted ? 1 : 0);
  };
};

/** The predicates of checks, by name. A missing value counts as an empty text or list. */
const PREDICATES: ReadonlyMap<string, Predicate> = new Map<string, Predicate>([
  ['eq', same],
  ['ne', (value, wanted) => !same(value, wanted)],
  ['in', (value, wanted) => has(list(wanted), value ?? null)],
  ['not_in', (value, wanted) => !has(list(wanted), value ?? null)],
  ['contains', contains],
  ['not_contains', (value, wanted) => !contains(value, wanted)],
  ['i_contains', (value, wanted) => lower(value).includes(lower(wanted))],
  ['starts_with', (value, wanted) => text(value).startsWith(text(wanted))],
  ['ends_with', (value, wanted) => text(value).endsWith(text(wanted))],
  ['i_starts_with', (value, wanted) => lower(value).startsWith(lower(wanted))],
  ['i_ends_with', (value, wanted) => lower(value).endsWith(lower(wanted))],
  ['regex', (value, wanted) => typeof value === 'string' && textPattern(text(wanted)).test(value)],
  [
    'i_regex',
    (value, wanted) => typeof value === 'string' && textPattern(inSmallLetters(text(wanted))).test(lower(value)),
  ],
  ['gt', ordered((order) => order > 0)],
  ['gte', ordered((order) => order >= 0)],
  ['lt', ordered((order) => order < 0)],
  ['lte', ordered((order) => order <= 0)],
  ['exists', (value, wanted) => ((value ?? null) !== null) === wanted],
  ['has_any', (value, wanted) => list(wanted).some((each) => has(list(value), each))],
  ['has_all', (value, wanted) => list(wanted).every((each) => has(list(value), each))],
]);

/** Names of the predicates of checks. */
export const PREDICATE_NAMES: readonly string[] = [...PREDICATES.keys()];

/** Whether an object has all these values; keys may be dotted paths. */
export function hasValues(where: JsonObject, object: JsonObject): boolean {
  return Object.entries(where).every(([path, wanted]) => fits(wanted, valueAtPath(object, path)));
}

/** Whether a value is as expected: equal, or all its predicates hold; of a map only the named members are compared. */
function fits(wanted: Json, value: Json | undefined): boolean {
  if (!isObject(wanted)) return same(value, wanted);
  const entries = Object.entries(wanted);
  if (entries.length > 0 && entries.every(([name]) => PREDICATES.has(name)))
    return entries.every(([name, each]) => PREDICATES.get(name)?.(value, each) === true);
  return isObject(value ?? null) && hasValues(wanted, value as JsonObject);
}

/** The member at a dotted path; a number is an index of a list. A key that contains dots itself is matched whole. */
function valueAtPath(value: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(value, path)) return value[path];
  return path.split('.').reduce<Json | undefined>((at, name) => {
    if (isList(at ?? null)) return (at as readonly Json[])[Number(name)];
    return isObject(at ?? null) && Object.hasOwn(at as object, name) ? (at as JsonObject)[name] : undefined;
  }, value);
}

/** Invalid regular expressions in predicates, each with its path and the reason. */
export function* brokenPatterns(wanted: Json, path: string): Generator<readonly [path: string, message: string]> {
  if (!isObject(wanted)) return;
  for (const [name, each] of Object.entries(wanted)) {
    const at = `${path}.${name}`;
    if ((name === 'regex' || name === 'i_regex') && typeof each === 'string') {
      const problem = patternProblem(each);
      if (problem) yield [at, problem.message];
    } else yield* brokenPatterns(each, at);
  }
}
