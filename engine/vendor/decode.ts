import { isUtf8 } from 'node:buffer';
import type { Json } from '../expression/index.js';
import { FormReader, Malformed, shown, type Wire } from './form.js';

/** What came in, or why it cannot be read (a sentence for the caller). */
export type Decoded<T> =
  | { readonly ok: true; readonly value: { readonly [key: string]: T } }
  | { readonly ok: false; readonly reason: string };

/** Most parameters of a form or query. */
const MAX_PARAMETERS = 1_000;
/** Most levels of a JSON body. */
const MAX_JSON_DEPTH = 64;
const BOM = 0xfeff;

/**
 * Decodes an `application/x-www-form-urlencoded` body with nested keys (`a[b][c]`, `a[]`, `a[0][x]`). Values stay text;
 * indices become the order of a list; a plain key given more than once becomes a list. Keys that could reach a prototype,
 * more than 1,000 parameters or 20 levels, text that is not UTF-8 and contradicting keys are refused.
 */
export function decodeForm(body: string | Uint8Array): Decoded<Wire> {
  if (typeof body !== 'string' && !isUtf8(body)) return { ok: false, reason: 'the body is not valid UTF-8' };
  return readForm(typeof body === 'string' ? body : textOf(body));
}

/** Decodes a query string (without `?`) by the rules of forms. Node hands URLs over byte by byte. */
export function decodeQuery(query: string): Decoded<Wire> {
  if (isAscii(query)) return readForm(query);
  const bytes = Buffer.from(query, 'latin1');
  if (bytes.toString('latin1') !== query) return readForm(query);
  return isUtf8(bytes) ? readForm(bytes.toString('utf8')) : { ok: false, reason: 'the query is not valid UTF-8' };
}

/** Decodes a JSON body: an object of at most 64 levels, or nothing at all (an object without members). */
export function decodeJson(body: Uint8Array): Decoded<Json> {
  if (!isUtf8(body)) return { ok: false, reason: 'the body is not valid UTF-8' };
  let text = textOf(body);
  if (text.charCodeAt(0) === BOM) text = text.slice(1);
  if (text.trim() === '') return { ok: true, value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      ok: false,
      reason: `the body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  if (!isJsonObject(value)) return { ok: false, reason: 'the body must be a JSON object' };
  const reason = badJson(value, 1);
  return reason === undefined ? { ok: true, value } : { ok: false, reason };
}

function readForm(text: string): Decoded<Wire> {
  const reader = new FormReader();
  try {
    let count = 0;
    for (let at = 0; at < text.length;) {
      const next = text.indexOf('&', at);
      const end = next < 0 ? text.length : next;
      if (end > at) {
        if (++count > MAX_PARAMETERS) return { ok: false, reason: `there are more than ${MAX_PARAMETERS} parameters` };
        const sign = text.indexOf('=', at);
        const split = sign < 0 || sign > end ? end : sign;
        reader.add(unescape(text.slice(at, split)), split === end ? '' : unescape(text.slice(split + 1, end)));
      }
      at = end + 1;
    }
    return { ok: true, value: reader.finish() };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, reason: error.message };
    throw error;
  }
}

function unescape(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new Malformed(`${shown(text)} is not valid percent-encoded UTF-8`);
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** `JSON.parse` gives nothing but JSON, so the top decides. */
function isJsonObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function badJson(value: Json, depth: number): string | undefined {
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
