import { spendTurns } from './budget.js';
import { ExpressionFailure, type Json, type JsonObject } from './json-value.js';

/** Whether a value is a JSON object (neither list nor null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a map whose values needn't be JSON. */
export const isRecord: (value: unknown) => value is Readonly<Record<string, unknown>> = isObject;

/** Whether a value is a JSON list. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** A member of an object; null if there is none. A member of null is null. */
export function member(value: Json, key: string): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const object = value as JsonObject;
  const found: unknown = object[key];
  // JSON contains no functions, so functions and `Object.prototype` are inherited members.
  if (found === undefined || typeof found === 'function' || found === Object.prototype) return null;
  return found as Json;
}

/** A value with one replaced at a path. Nothing changes if the path leads through something other than objects and lists. */
export function putAt(value: Json, keys: readonly string[], to: Json): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return to;
  // An existing index of a list.
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

/** Structural equality of JSON values; the order of keys doesn't matter. */
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
  // Unlike Object.keys, this makes no list; inherited members of JSON values aren't enumerable.
  for (const key in a) {
    const y = b[key];
    if (!equal(a[key], y) || (y === undefined && !Object.hasOwn(b, key))) return false;
    size++;
  }
  spendTurns(size);
  return size === Object.keys(b).length;
}

/** The canonical text of a value: equal values have the same. */
export function canonical(value: Json): string {
  if (isList(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

/** The value as a number. */
export function asNumber(value: Json, what: string): number {
  if (typeof value === 'number') return value;
  throw new ExpressionFailure(`${what} needs a number, got ${show(value)}`);
}

/** The value as text. */
export function asText(value: Json, what: string): string {
  if (typeof value === 'string') return value;
  throw new ExpressionFailure(`${what} needs text, got ${show(value)}`);
}

/** The value as a boolean; null (an absent flag) counts as false. */
export function asBoolean(value: Json, what: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null) return false;
  throw new ExpressionFailure(`${what} needs true or false, got ${show(value)}`);
}

/** The value as a list; null counts as empty. */
export function asList(value: Json, what: string): readonly Json[] {
  if (isList(value)) return value;
  if (value === null) return [];
  throw new ExpressionFailure(`${what} needs a list, got ${show(value)}`);
}

/** The value as a map; null counts as empty. */
export function asMap(value: Json, what: string): JsonObject {
  if (isObject(value)) return value;
  if (value === null) return {};
  throw new ExpressionFailure(`${what} needs a map, got ${show(value)}`);
}

/** How text templates and `string()` write a value. */
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

/** A text as a header value: invalid characters (line breaks, other alphabets) become question marks. */
export function headerText(text: string): string {
  return text.replace(UNSENDABLE, '?');
}

/** Length limit of shared texts. */
const SHORT = 24;

/** Recent short texts, indexed by a cheap hash. */
const shortTexts = new Array<string>(1024).fill('');

/** An equal text that is in memory already, if one was used recently: many calls send the same texts. */
export function sharedText(text: string): string {
  const { length } = text;
  if (length === 0 || length > SHORT) return text;
  const sum = text.charCodeAt(0) * 31 + text.charCodeAt(length >> 1) * 7 + text.charCodeAt(length - 1) + length * 131;
  const known = shortTexts[sum & 1023];
  return known === text ? known : (shortTexts[sum & 1023] = text);
}

/** A value that is computed on first use. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
