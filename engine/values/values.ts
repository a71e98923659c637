import { spendTurns } from './budget.js';
import { ExpressionFailure, type Json, type JsonObject } from './json-value.js';

/** Whether a value is a JSON object, and neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a map whose values needn't be JSON. */
export const isRecord: (value: unknown) => value is Readonly<Record<string, unknown>> = isObject;

/** Whether a value is a JSON list. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns a member of an object; null if there is none, or if the value isn't an object. */
export function member(value: Json, key: string): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const object = value as JsonObject;
  const found: unknown = object[key];
  // Functions and `Object.prototype` are inherited members, since JSON contains neither.
  if (found === undefined || typeof found === 'function' || found === Object.prototype) return null;
  return found as Json;
}

/** Returns a copy with another value at a path; unchanged if the path leads through a scalar or null. */
export function putAt(value: Json, keys: readonly string[], to: Json): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return to;
  // A list changes only at an existing index.
  if (isList(value)) return value.map((item, index) => (String(index) === key ? putAt(item, rest, to) : item));
  if (!isObject(value)) return value;
  const inner = putAt(value[key] ?? null, rest, to);
  if (inner === value[key]) return value;
  const made: Record<string, Json> = { ...value };
  made[key] = inner;
  return made;
}

/** Sets a key of a new object; a key such as `__proto__` becomes an ordinary own key. */
export function define(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** Whether two JSON values are structurally equal; the order of keys doesn't matter. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    spendTurns(a.length);
    return a.every((item, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  let size = 0;
  // A list of keys (Object.keys) would cost memory; inherited members of JSON values aren't enumerable.
  for (const key in a) {
    const y = b[key];
    if (!equal(a[key], y) || (y === undefined && !Object.hasOwn(b, key))) return false;
    size++;
  }
  spendTurns(size);
  return size === Object.keys(b).length;
}

/** Returns the JSON text of a value with sorted keys: the same text for equal values. */
export function canonical(value: Json): string {
  if (isList(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

/** Returns a value that has to be a number. @param what names the value's role in the error @throws ExpressionFailure */
export function asNumber(value: Json, what: string): number {
  if (typeof value === 'number') return value;
  throw new ExpressionFailure(`${what} needs a number, got ${show(value)}`);
}

/** Returns a value that has to be a text. @param what names the value's role in the error @throws ExpressionFailure */
export function asText(value: Json, what: string): string {
  if (typeof value === 'string') return value;
  throw new ExpressionFailure(`${what} needs text, got ${show(value)}`);
}

/** Returns a boolean; null (an absent flag) counts as false. @throws ExpressionFailure for another type */
export function asBoolean(value: Json, what: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null) return false;
  throw new ExpressionFailure(`${what} needs true or false, got ${show(value)}`);
}

/** Returns a list; null counts as empty. @throws ExpressionFailure for another type */
export function asList(value: Json, what: string): readonly Json[] {
  if (isList(value)) return value;
  if (value === null) return [];
  throw new ExpressionFailure(`${what} needs a list, got ${show(value)}`);
}

/** Returns a map; null counts as empty. @throws ExpressionFailure for another type */
export function asMap(value: Json, what: string): JsonObject {
  if (isObject(value)) return value;
  if (value === null) return {};
  throw new ExpressionFailure(`${what} needs a map, got ${show(value)}`);
}

/** Converts a value to text, as text templates and `string()` do. */
export function toText(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function show(value: Json): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/g;

/** Converts a text to a valid header value: other characters (line breaks, other alphabets) become question marks. */
export function headerText(text: string): string {
  return text.replace(UNSENDABLE, '?');
}

/** Length limit of the texts that `sharedText` shares, in characters. */
const SHORT = 24;

/** Recently used short texts, at an index computed from their characters. */
const shortTexts = new Array<string>(1024).fill('');

/** Returns an equal text that was used recently, if there is one, to save memory: many calls send the same texts. */
export function sharedText(text: string): string {
  const { length } = text;
  if (length === 0 || length > SHORT) return text;
  const sum = text.charCodeAt(0) * 31 + text.charCodeAt(length >> 1) * 7 + text.charCodeAt(length - 1) + length * 131;
  const known = shortTexts[sum & 1023];
  return known === text ? known : (shortTexts[sum & 1023] = text);
}

/** Returns a function that computes a value on its first call, and returns that value from then on. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
