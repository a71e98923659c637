import { isList, isObject, type Json, type JsonObject } from '../values/index.js';
import { LIMITS } from '../limits.js';
import { didYouMean, notThis, suggest } from '../pack/index.js';
import { formatDuration, parseDuration, parseInstant } from '../world/index.js';
import { ControlRejection } from './rejection.js';
import * as s from './schema.js';

/** Parses a value of a body or query; `path` is its location. Throws `ControlRejection` if it is invalid. */
export interface FieldReader<T> {
  (value: Json, path: string): T;
  /** The schema of valid values, for the contract. */
  readonly schema: s.ContractSchema<unknown>;
}

/** A required or optional key of a body or query. */
export interface Key<T> {
  readonly required: boolean;
  readonly read: (value: Json, path: string) => T;
  /** The schema of the value, with a description. */
  readonly schema: s.ContractSchema<unknown>;
}

export type BodyShape = Readonly<Record<string, Key<unknown>>>;

/** The parsed values of a shape. */
export type ReadValue<S extends BodyShape> = { readonly [K in keyof S]: S[K] extends Key<infer T> ? T : never };

/** Makes a reader with the schema of its valid values. */
export function reader<T>(schema: s.ContractSchema<unknown>, read: (value: Json, path: string) => T): FieldReader<T> {
  return Object.assign((value: Json, path: string) => read(value, path), { schema });
}

/** Declares a required key. @param about description; further keywords of JSON Schema may follow */
export function required<T>(read: FieldReader<T>, about?: string, more?: JsonObject): Key<T> {
  return { required: true, read, schema: described(read, about, more) };
}

/** Declares an optional key; null counts as missing. */
export function optional<T>(read: FieldReader<T>, about?: string, more?: JsonObject): Key<T | undefined> {
  return {
    required: false,
    read: (value, path) => (value === null ? undefined : read(value, path)),
    schema: described(read, about, more),
  };
}

/** Declares an optional key for which null is a value. */
export function maybe<T>(read: FieldReader<T>, about?: string, more?: JsonObject): Key<T | undefined> {
  return { required: false, read, schema: described(read, about, more) };
}

function described({ schema }: FieldReader<unknown>, about?: string, more?: JsonObject): s.ContractSchema<unknown> {
  return about === undefined ? schema : schema.about(about, more);
}

/** The schema of a body with these keys. @param needed keys that are required although the shape has them as optional */
export function shapeSchema(shape: BodyShape, needed: readonly string[] = []): s.ContractSchema<unknown> {
  return s.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, { required: must, schema }]) => [
        name,
        must || needed.includes(name) ? schema : schema.optional(),
      ]),
    ),
  );
}

/**
 * Parses the keys of an object.
 * @throws ControlRejection (400) for an unknown key, a missing one, or a value of the wrong type
 */
export function readShape<S extends BodyShape>(shape: S, given: JsonObject): ReadValue<S> {
  rejectUnknownKeys(given, Object.keys(shape));
  const made: Record<string, unknown> = {};
  for (const [name, key] of Object.entries(shape)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined) made[name] = key.read(value, name);
    else if (key.required) throw new ControlRejection(400, 'missing_key', `'${name}' is missing`, { path: name });
  }
  return made as ReadValue<S>;
}

function rejectUnknownKeys(given: JsonObject, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const near = suggest(name, known);
    const hint =
      near === undefined ? `; known are ${known.length === 0 ? 'none' : known.join(', ')}` : didYouMean(near);
    throw new ControlRejection(400, 'unknown_key', `'${name}' is not a key of this request${hint}`, {
      path: name,
      ...(near === undefined ? {} : { suggestion: near }),
    });
  }
}

/** The rejection (400) for an invalid value. */
export function wrongValue(path: string, what: string): ControlRejection {
  return new ControlRejection(400, 'invalid_value', `'${path}' ${what}`, { path });
}

export const anything = reader(s.any, (value) => value);

export const text = reader(s.string, (value, path) => {
  if (typeof value !== 'string' || value === '') throw wrongValue(path, 'must be text that is not empty');
  return value;
});

export const flag = reader(s.boolean, (value, path) => {
  if (typeof value !== 'boolean') throw wrongValue(path, 'must be true or false');
  return value;
});

export const map = reader(s.map, (value, path): JsonObject => {
  if (!isObject(value)) throw wrongValue(path, 'must be an object');
  return value;
});

/** Reads a map whose values share one schema, which the caller checks. */
export function mapOf(values: s.ContractSchema<unknown>): FieldReader<JsonObject> {
  return reader(s.mapOf(values), map);
}

export const list = reader(s.list(s.any), (value, path): readonly Json[] => {
  if (!isList(value)) throw wrongValue(path, 'must be a list');
  return value;
});

export function listOf<T>(read: FieldReader<T>): FieldReader<readonly T[]> {
  return reader(s.list(read.schema), (value, path) =>
    list(value, path).map((item, index) => read(item, `${path}[${index}]`)),
  );
}

/** Reads an object with the keys of a shape. */
export function shaped<S extends BodyShape>(shape: S): FieldReader<ReadValue<S>> {
  return reader(shapeSchema(shape), (value, path) => readShape(shape, map(value, path)));
}

export function integer(least: number, most: number): FieldReader<number> {
  const isBounded = most !== Number.MAX_SAFE_INTEGER;
  const schema = s.integer.with({ minimum: least, ...(isBounded ? { maximum: most } : {}) });
  return reader(schema, (value, path) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    throw wrongValue(path, `must be an integer ${isBounded ? `from ${least} to ${most}` : `of at least ${least}`}`);
  });
}

/** Reads a fraction from 0 to 1. */
export const share = reader(s.number.with({ minimum: 0, maximum: 1 }), (value, path) => {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw wrongValue(path, 'must be a number from 0 to 1');
});

const MOST = formatDuration(LIMITS.duration.value);

/** Reads a duration, in milliseconds. */
export const duration = reader(s.string, (value, path) => {
  const ms = typeof value === 'string' ? parseDuration(value) : undefined;
  if (ms !== undefined) return ms;
  throw wrongValue(path, `must be a duration such as 60s, 32d or 1d12h, of at most ${MOST}`);
});

/** Reads an integer in a range from the text of a query. */
export function count(least: number, most: number): FieldReader<number> {
  const read = integer(least, most);
  return reader(read.schema, (value, path) =>
    read(typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value, path),
  );
}

export function oneOf<const T extends string>(...values: readonly T[]): FieldReader<T> {
  return reader(s.oneOf(...values), (value, path) => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw wrongValue(path, `must be one of ${values.join(', ')}${notThis(value, values)}`);
    return found;
  });
}

/** Simulated time in requests and responses. */
export const InstantSchema = s.named(
  'Instant',
  new s.ContractSchema<Json>({
    type: ['string', 'integer'],
    description: "simulated time as ISO 8601 or Unix seconds; responses use the pack's format",
  }),
);

/** Reads an instant, in milliseconds: ISO 8601 or Unix seconds. */
export const instant = reader(InstantSchema, (value, path) => {
  const ms = parseInstant(value);
  if (ms === undefined) throw wrongValue(path, 'must be a time: ISO 8601 (2025-01-01T00:00:00Z) or Unix seconds');
  if (ms > LIMITS.latest.value) throw wrongValue(path, 'must lie before the year 9999');
  if (ms < 0) throw wrongValue(path, 'must not lie before 1970');
  return ms;
});
