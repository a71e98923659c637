import { isAscii } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { isList, isObject, type Json } from '../values/index.js';

/** Bodies from this size on are searched for long texts. */
export const LARGE_BODY_BYTES = 4 * 2 ** 20;
/** Texts from this size on, in bytes, are long: Node keeps their strings outside of the heap. */
const LONG_BYTES = 2 ** 20;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
/** Escapes after a backslash, with their meaning. */
const ESCAPES: Readonly<Record<number, number>> = {
  0x22: 0x22,
  0x5c: 0x5c,
  0x2f: 0x2f,
  0x6e: 0x0a,
  0x72: 0x0d,
  0x74: 0x09,
};

/** A JSON text without its long texts, and how they are restored. */
interface Shortened {
  readonly body: Buffer;
  readonly restore: (value: Json) => Json;
}

/**
 * Removes long ASCII texts, such as files in base64, from a large JSON body, since `JSON.parse` would copy each into the heap.
 * Other texts stay.
 * @returns null if there are no long texts
 */
export function withoutLongTexts(given: Uint8Array): Shortened | null {
  const body = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  // A random placeholder for long texts, so that no body can contain it already.
  const mark = `long text ${randomBytes(12).toString('hex')} `;
  const pieces: Buffer[] = [];
  const texts: string[] = [];
  let kept = 0;
  for (let open = body.indexOf(QUOTE); open >= 0;) {
    const close = closingQuote(body, open + 1);
    if (close < 0) break;
    const text = close - open > LONG_BYTES ? textIn(body.subarray(open + 1, close)) : null;
    if (text !== null && !isKey(body, close + 1)) {
      pieces.push(body.subarray(kept, open + 1), Buffer.from(mark + String(texts.length)));
      texts.push(text);
      kept = close;
    }
    open = body.indexOf(QUOTE, close + 1);
  }
  if (texts.length === 0) return null;
  const restore = (value: Json): Json => {
    if (typeof value === 'string') return value.startsWith(mark) ? texts[Number(value.slice(mark.length))] : value;
    if (isList(value)) return value.map(restore);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restore(item)]));
  };
  return { body: Buffer.concat([...pieces, body.subarray(kept)]), restore };
}

/** The end of a text: the first unescaped quote. */
function closingQuote(body: Buffer, from: number): number {
  for (let at = body.indexOf(QUOTE, from); at >= 0; at = body.indexOf(QUOTE, at + 1)) {
    let before = at;
    while (before > from && body[before - 1] === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return -1;
}

function isKey(body: Buffer, from: number): boolean {
  let at = from;
  while (body[at] <= 0x20) at++;
  return body[at] === COLON;
}

/** The decoded text; null: it isn't ASCII, or invalid JSON. */
function textIn(written: Buffer): string | null {
  if (!isAscii(written)) return null;
  const plain = unescaped(written);
  return plain === null ? null : plain.toString('latin1');
}

function unescaped(written: Buffer): Buffer | null {
  let at = written.indexOf(BACKSLASH);
  if (at < 0) return written;
  const made = Buffer.allocUnsafe(written.length);
  let [length, from] = [0, 0];
  for (; at >= 0; at = written.indexOf(BACKSLASH, from)) {
    length += written.copy(made, length, from, at);
    const meant = ESCAPES[written[at + 1]];
    if (meant === undefined) return null;
    made[length++] = meant;
    from = at + 2;
  }
  length += written.copy(made, length, from);
  return made.subarray(0, length);
}
