import { isUtf8 } from 'node:buffer';
import { type Decoded, textOf } from '../codecs/index.js';
import { LIMITS } from '../limits.js';
import { FormReader, MalformedForm, shown, type Wire } from './form.js';

export { decodeJson } from '../codecs/index.js';
const MAX_PARAMETERS = LIMITS.parameters.value;

/**
 * Decodes an `application/x-www-form-urlencoded` body with nested keys (`a[b][c]`, `a[]`, `a[0][x]`). Values stay text;
 * indices become the order of a list; a plain key given more than once becomes a list. Keys that could reach a prototype,
 * more than 1,000 parameters or 20 levels, text that is not UTF-8 and contradicting keys are rejected.
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
    if (error instanceof MalformedForm) return { ok: false, reason: error.message };
    throw error;
  }
}

function unescape(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new MalformedForm(`${shown(text)} is not valid percent-encoded UTF-8`);
  }
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
