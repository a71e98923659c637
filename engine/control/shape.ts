import { isList, isObject, type Json, type JsonObject } from '../values/index.js';
import { LIMITS } from '../limits.js';
import { didYouMean, notThis, suggest } from '../pack/index.js';
import { formatDuration, parseDuration, parseInstant } from '../world/index.js';
import { ControlRejection } from './rejection.js';

/** Reads a value of a body or query; `path` says where it stands. Throws `Refusal` when it is not what it should be. */
export type FieldReader<T> = (value: Json, path: string) => T;

/** A key that a body or query may or must have. */
export interface Key<T> {
  readonly required: boolean;
  readonly read: FieldReader<T>;
}

export type BodyShape = Readonly<Record<string, Key<unknown>>>;

/** What reading a shape gives. */
export type ReadValue<S extends BodyShape> = { readonly [K in keyof S]: S[K] extends Key<infer T> ? T : never };

export function required<T>(read: FieldReader<T>): Key<T> {
  return { required: true, read };
}

/** A key that may be missing; null counts as missing. */
export function optional<T>(read: FieldReader<T>): Key<T | undefined> {
  return { required: false, read: (value, path) => (value === null ? undefined : read(value, path)) };
}

/** A key that may be missing, but whose null is a value. */
export function maybe<T>(read: FieldReader<T>): Key<T | undefined> {
  return { required: false, read };
}

/**
 * Reads the keys of an object.
 * @throws Refusal (400) for an unknown key, a missing one, or a value of the wrong kind
 */
export function readShape<S extends BodyShape>(shape: S, given: JsonObject): ReadValue<S> {
  refuseUnknownKeys(given, Object.keys(shape));
  const made: Record<string, unknown> = {};
  for (const [name, key] of Object.entries(shape)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined) made[name] = key.read(value, name);
    else if (key.required) throw new ControlRejection(400, 'missing_key', `'${name}' is missing`, { path: name });
  }
  return made as ReadValue<S>;
}

export function refuseUnknownKeys(given: JsonObject, known: readonly string[]): void {
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

/** 400: a value is not what it should be. */
export function wrongValue(path: string, what: string): ControlRejection {
  return new ControlRejection(400, 'invalid_value', `'${path}' ${what}`, { path });
}

export const anything: FieldReader<Json> = (value) => value;

export const text: FieldReader<string> = (value, path) => {
  if (typeof value !== 'string' || value === '') throw wrongValue(path, 'must be text that is not empty');
  return value;
};

export const flag: FieldReader<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw wrongValue(path, 'must be true or false');
  return value;
};

export const map: FieldReader<JsonObject> = (value, path) => {
  if (!isObject(value)) throw wrongValue(path, 'must be an object');
  return value;
};

export const list: FieldReader<readonly Json[]> = (value, path) => {
  if (!isList(value)) throw wrongValue(path, 'must be a list');
  return value;
};

export function listOf<T>(read: FieldReader<T>): FieldReader<readonly T[]> {
  return (value, path) => list(value, path).map((item, index) => read(item, `${path}[${index}]`));
}

export function integer(least: number, most: number): FieldReader<number> {
  return (value, path) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    const span = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw wrongValue(path, `must be an integer ${span}`);
  };
}

/** A share of all: from 0 to 1. */
export const share: FieldReader<number> = (value, path) => {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw wrongValue(path, 'must be a number from 0 to 1');
};

const MOST = formatDuration(LIMITS.duration.value);

/** A length of time, in milliseconds. */
export const duration: FieldReader<number> = (value, path) => {
  const ms = typeof value === 'string' ? parseDuration(value) : undefined;
  if (ms !== undefined) return ms;
  throw wrongValue(path, `must be a duration such as 60s, 32d or 1d12h, of at most ${MOST}`);
};

/** As `integer`, of a query's text. */
export function count(least: number, most: number): FieldReader<number> {
  const read = integer(least, most);
  return (value, path) => read(typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value, path);
}

export function oneOf<const T extends string>(...values: readonly T[]): FieldReader<T> {
  return (value, path) => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw wrongValue(path, `must be one of ${values.join(', ')}${notThis(value, values)}`);
    return found;
  };
}

/** An instant in milliseconds: ISO 8601 or Unix seconds. */
export const instant: FieldReader<number> = (value, path) => {
  const ms = parseInstant(value);
  if (ms === undefined) throw wrongValue(path, 'must be a time: ISO 8601 (2025-01-01T00:00:00Z) or Unix seconds');
  if (ms > LIMITS.latest.value) throw wrongValue(path, 'must lie before the year 9999');
  if (ms < 0) throw wrongValue(path, 'must not lie before 1970');
  return ms;
};
