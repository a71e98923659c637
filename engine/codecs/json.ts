import { isUtf8 } from 'node:buffer';
import { LIMITS } from '../limits.js';
import type { Json } from '../values/index.js';
import { LARGE_BODY_BYTES, withoutLongTexts } from './long-texts.js';

/** The decoded value, or why it can't be decoded (a sentence for the caller). */
export type DecodedJson<T> =
  | { readonly ok: true; readonly value: { readonly [key: string]: T } }
  | { readonly ok: false; readonly reason: string };

export const MAX_JSON_DEPTH = LIMITS.bodyDepth.value;
const BOM = 0xfeff;

/** Decodes a JSON body: an object of at most 64 levels, or an empty body (an empty object). */
export function decodeJson(body: Uint8Array): DecodedJson<Json> {
  const decoded = decodeJsonValue(body);
  if (!decoded.ok) return decoded;
  const { value } = decoded;
  return isJsonObject(value) ? { ok: true, value } : { ok: false, reason: 'the body must be a JSON object' };
}

/** Decodes a JSON body to any value of at most 64 levels. An empty body is an empty object. */
export function decodeJsonValue(
  body: Uint8Array,
): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly reason: string } {
  if (!isUtf8(body)) return { ok: false, reason: 'the body is not valid UTF-8' };
  const shortened = body.length < LARGE_BODY_BYTES ? null : withoutLongTexts(body);
  if (shortened !== null) {
    const decoded = decodeJsonValue(shortened.body);
    return decoded.ok ? { ok: true, value: shortened.restore(decoded.value) } : decoded;
  }
  let text = textOf(body);
  if (text.charCodeAt(0) === BOM) text = text.slice(1);
  if (text.trim() === '') return { ok: true, value: {} };
  // The depth is checked before parsing, since parsing a deeply nested body takes long.
  if (isTooDeep(body)) return { ok: false, reason: `the body is nested deeper than ${MAX_JSON_DEPTH} levels` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      ok: false,
      reason: `the body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  const json = value as Json;
  const reason = badJson(json, 1);
  return reason === undefined ? { ok: true, value: json } : { ok: false, reason };
}

/** The value of a JSON text; null: invalid, or not allowed in a body (too deep, infinite numbers, `__proto__`). */
export function jsonOrNull(text: string): Json {
  if (isTooDeep(Buffer.from(text))) return null;
  try {
    const value = JSON.parse(text) as Json;
    return badJson(value, 1) === undefined ? value : null;
  } catch {
    return null;
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Whether brackets outside of texts nest too deep. @param depth number of brackets open before */
export function isTooDeep(body: Uint8Array, depth = 0): boolean {
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case QUOTE:
        for (at++; at < body.length && body[at] !== QUOTE; at++) if (body[at] === BACKSLASH) at++;
        break;
      case OPEN_LIST:
      case OPEN_MAP:
        if (++depth > MAX_JSON_DEPTH) return true;
        break;
      case CLOSE_LIST:
      case CLOSE_MAP:
        depth--;
    }
  }
  return false;
}

/** Decodes UTF-8 bytes. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Checking the outermost value suffices, since everything that `JSON.parse` returns is JSON. */
function isJsonObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The problem of a JSON value, as a sentence for the caller; undefined: none. @param depth levels above the value */
export function badJson(value: Json, depth: number): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'the body has a number that is too large';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_JSON_DEPTH) return `the body is nested deeper than ${MAX_JSON_DEPTH} levels`;
  if (Object.hasOwn(value, '__proto__')) return "'__proto__' cannot be a key";
  for (const each of Object.values(value)) {
    const reason = badJson(each, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
