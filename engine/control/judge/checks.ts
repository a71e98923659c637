import { isObject, type Json, type JsonObject } from '../../values/index.js';
import * as s from '../schema.js';
import {
  anything,
  integer,
  list,
  listOf,
  map,
  optional,
  reader,
  type ReadValue,
  shaped,
  text,
  wrongValue,
} from '../shape.js';
import { brokenPatterns, PREDICATE_NAMES } from './predicates.js';

/** The expected number. */
export type CountWanted = number | { readonly min?: number; readonly max?: number };

/** Objects of a collection that were added, changed or removed. */
export interface ChangeCheck {
  readonly collection: string;
  readonly where: JsonObject;
  /** The expected number of changes; undefined: at least one. */
  readonly count: CountWanted | undefined;
  /** Fields that have changed, with their new values or predicates. */
  readonly to: JsonObject;
  /** The values of changed fields before. */
  readonly from: JsonObject;
  /** Paths of fields that must not have changed. */
  readonly same: readonly string[];
}

const number = integer(0, Number.MAX_SAFE_INTEGER);
const BOUNDS = { min: optional(number), max: optional(number) };

const countWanted = reader(s.any.about('expected number: an integer, or {min, max}'), (value, path): CountWanted =>
  typeof value === 'number' ? number(value, path) : shaped(BOUNDS)(value, path),
);

const WORDS = ['count', 'to', 'from', 'same'];

/** A check of changed objects: `{<collection>: {<field>: <value or predicates>}, count?, to?, from?, same?}` */
const change = reader(
  s.map.about(
    `expected changes of objects: {<collection>: {<path>: <value or predicates>}, count?, to?, from?, same?}; \`to\` and \`from\` are the new and old values of changed fields, \`same\` lists fields that must not change; predicates: ${PREDICATE_NAMES.join(', ')}`,
  ),
  (value, path): ChangeCheck => {
    const given = map(value, path);
    const [collection, ...more] = Object.keys(given).filter((key) => !WORDS.includes(key));
    if (collection === undefined || more.length > 0) throw wrongValue(path, 'must have the name of one collection');
    for (const [at, message] of brokenPatterns(given, path)) throw wrongValue(at, message);
    const { count = null, to = null, from = null, same = null } = given;
    return {
      collection,
      where: given[collection] === null ? {} : map(given[collection], `${path}.${collection}`),
      count: count === null ? undefined : countWanted(count, `${path}.count`),
      to: to === null ? {} : map(to, `${path}.to`),
      from: from === null ? {} : map(from, `${path}.from`),
      same: same === null ? [] : listOf(text)(same, `${path}.same`),
    };
  },
);

const CALLS = {
  never: optional(listOf(text), 'operations that must not be called, as <collection>.<operation>'),
  operation: optional(text, 'count only calls of this operation, as <collection>.<operation>'),
  min: optional(number),
  max: optional(number),
  order: optional(listOf(text), 'operations that must be called in this order; other calls may come between them'),
  unsupported: optional(countWanted, 'expected number of calls that match no operation of the pack'),
};

export type CallsCheck = ReadValue<typeof CALLS>;

const DELIVERED = { event: { ...optional(text), required: true }, min: optional(number), max: optional(number) };

export interface DeliveredCheck {
  readonly event: string;
  readonly min?: number;
  readonly max?: number;
}

const delivered = reader(shaped(DELIVERED).schema, (value, path): DeliveredCheck => {
  const { event, min, max } = shaped(DELIVERED)(value, path);
  if (event === undefined) throw wrongValue(`${path}.event`, 'must be the name of an event');
  return { event, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
});

const unchanged = reader(
  s.any.about(
    'true: nothing changed except what the other checks expect; {allow: [<collection>]} also permits changes in these collections',
  ),
  (value, path): readonly string[] => {
    if (value === true) return [];
    const { allow = null } = isObject(value) ? value : { allow: value };
    return list(allow, `${path}.allow`).map((each: Json, at) => text(each, `${path}.allow[${at}]`));
  },
);

const CHECK = {
  added: optional(change),
  changed: optional(change),
  removed: optional(change),
  final: optional(text, "an expression in the pack's language over the present objects, which must be true"),
  vendor: optional(
    text,
    'in a company (several packs): the pack in whose context `final` is evaluated; collections, operations and events of a pack are then written `PACK/name`',
  ),
  calls: optional(shaped(CALLS)),
  delivered: optional(delivered),
  unchanged: optional(unchanged),
  weight: optional(integer(1, 1_000), 'weight of the check in the score (default: 1)'),
  about: optional(anything, 'description of the check, for people'),
};

/** A check of changes, calls or deliveries since a moment. */
export type Check = ReadValue<typeof CHECK>;

const KINDS = ['added', 'changed', 'removed', 'final', 'calls', 'delivered', 'unchanged'] as const;

/** Reads a check, which is of exactly one kind. */
export const check = reader(s.named('Check', shaped(CHECK).schema), (value, path): Check => {
  const read = shaped(CHECK)(value, path);
  if (KINDS.filter((kind) => read[kind] !== undefined).length !== 1)
    throw wrongValue(path, `must have one of ${KINDS.join(', ')}`);
  return read;
});
