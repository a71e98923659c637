import { equal, isList, isObject, type Json, type JsonObject } from '../../values/index.js';

type Predicate = (value: Json | undefined, wanted: Json) => boolean;

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const lower = (value: Json | undefined): string => text(value).toLowerCase();
const list = (value: Json | undefined): readonly Json[] => (isList(value ?? null) ? (value as readonly Json[]) : []);
const has = (items: readonly Json[], wanted: Json): boolean => items.some((each) => equal(each, wanted));
const same = (value: Json | undefined, wanted: Json): boolean => equal(value ?? null, wanted);
const contains = (value: Json | undefined, wanted: Json): boolean =>
  isList(value ?? null) ? has(list(value), wanted) : typeof wanted === 'string' && text(value).includes(wanted);
const ordered = (holds: (order: number) => boolean): Predicate => {
  return (value, wanted) => {
    if (typeof value === 'number' && typeof wanted === 'number') return holds(value - wanted);
    if (typeof value !== 'string' || typeof wanted !== 'string') return false;
    return holds(value < wanted ? -1 : value > wanted ? 1 : 0);
  };
};

/** What a check may ask of a value. Text and lists of a value that is missing are empty. */
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
  ['gt', ordered((order) => order > 0)],
  ['gte', ordered((order) => order >= 0)],
  ['lt', ordered((order) => order < 0)],
  ['lte', ordered((order) => order <= 0)],
  ['exists', (value, wanted) => ((value ?? null) !== null) === wanted],
  ['has_any', (value, wanted) => list(wanted).some((each) => has(list(value), each))],
  ['has_all', (value, wanted) => list(wanted).every((each) => has(list(value), each))],
]);

/** Names of what a check may ask of a value. */
export const PREDICATE_NAMES: readonly string[] = [...PREDICATES.keys()];

/** Whether an object has all these values; keys may be dotted paths. */
export function hasValues(where: JsonObject, object: JsonObject): boolean {
  return Object.entries(where).every(([path, wanted]) => fits(wanted, valueAtPath(object, path)));
}

/** Whether a value is as wanted: equal to it, or all of its predicates hold; of another map the members that it names. */
function fits(wanted: Json, value: Json | undefined): boolean {
  if (!isObject(wanted)) return same(value, wanted);
  const entries = Object.entries(wanted);
  if (entries.length > 0 && entries.every(([name]) => PREDICATES.has(name)))
    return entries.every(([name, each]) => PREDICATES.get(name)?.(value, each) === true);
  return isObject(value ?? null) && hasValues(wanted, value as JsonObject);
}

/** The member of a dotted path; a number is a place in a list. A key that has dots itself is taken whole. */
function valueAtPath(value: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(value, path)) return value[path];
  return path.split('.').reduce<Json | undefined>((at, name) => {
    if (isList(at ?? null)) return (at as readonly Json[])[Number(name)];
    return isObject(at ?? null) && Object.hasOwn(at as object, name) ? (at as JsonObject)[name] : undefined;
  }, value);
}
