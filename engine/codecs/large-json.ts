import { isUtf8 } from 'node:buffer';
import { type Json, define, isList } from '../values/index.js';
import { badJson, type DecodedJson, isTooDeep, MAX_JSON_DEPTH, textOf } from './json.js';
/** Bytes parsed at once: about a millisecond of work. */
const PIECE_BYTES = 1 << 16;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANKS: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/** Thrown for an invalid body, with a sentence for the caller. */
class MalformedNumber extends Error {}

/**
 * Decodes a JSON body like `decodeJson`, pausing after each small part: lists and objects are split at their commas, and the
 * parts parsed. A single long text is parsed at once.
 * @param prepare transforms the bytes of a part before it is parsed
 */
export function* decodingJson(
  body: Uint8Array,
  prepare: (piece: Uint8Array) => Uint8Array = (piece) => piece,
): Generator<void, DecodedJson<Json>> {
  if (!isUtf8(body)) return { ok: false, reason: 'the body is not valid UTF-8' };
  const reader = new PieceReader(body, prepare);
  try {
    return { ok: true, value: yield* reader.whole() };
  } catch (error) {
    if (!(error instanceof MalformedNumber)) throw error;
    return { ok: false, reason: error.message };
  }
}

class PieceReader {
  #at = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly prepare: (piece: Uint8Array) => Uint8Array,
  ) {}

  *whole(): Generator<void, { readonly [key: string]: Json }> {
    const { bytes } = this;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.#at = 3;
    this.#skipBlanks();
    if (this.#at === bytes.length) return {};
    if (bytes[this.#at] !== OPEN_MAP) throw new MalformedNumber('the body must be a JSON object');
    const value = yield* this.#map(1);
    this.#skipBlanks();
    if (this.#at < bytes.length) throw this.#unexpected();
    return value;
  }

  /** Parses a list in parts. @param depth of the list, from 1 */
  *#list(depth: number): Generator<void, Json[]> {
    const made: Json[] = [];
    do {
      this.#at++;
      const end = this.#cut();
      if (end === undefined) made.push(yield* this.#member(depth));
      else for (const item of this.#parsed(end, depth, '[', ']') as Json[]) made.push(item);
      yield;
    } while (this.#continues(CLOSE_LIST));
    return made;
  }

  *#map(depth: number): Generator<void, { readonly [key: string]: Json }> {
    const made: Record<string, Json> = {};
    do {
      this.#at++;
      const end = this.#cut();
      if (end === undefined) {
        const key = this.#key();
        define(made, key, yield* this.#member(depth));
      } else Object.assign(made, this.#parsed(end, depth, '{', '}'));
      yield;
    } while (this.#continues(CLOSE_MAP));
    return made;
  }

  /** Parses a member that is larger than a part. @param depth of its container */
  *#member(depth: number): Generator<void, Json> {
    this.#skipBlanks();
    const first = this.bytes[this.#at];
    if (first === OPEN_LIST || first === OPEN_MAP) {
      if (depth >= MAX_JSON_DEPTH) throw tooDeep();
      const value = first === OPEN_LIST ? yield* this.#list(depth + 1) : yield* this.#map(depth + 1);
      this.#skipBlanks();
      return value;
    }
    const [value] = this.#parsed(this.#endOfPlain(), depth, '[', ']') as Json[];
    return value;
  }

  /** Parses the key before a member that is larger than a part. */
  #key(): string {
    this.#skipBlanks();
    if (this.bytes[this.#at] !== QUOTE) throw this.#unexpected();
    const [key] = this.#parsed(endOfText(this.bytes, this.#at, Infinity) + 1, 0, '[', ']') as string[];
    if (key === '__proto__') throw new MalformedNumber("'__proto__' cannot be a key");
    this.#skipBlanks();
    if (this.bytes[this.#at] !== COLON) throw this.#unexpected();
    this.#at++;
    return key;
  }

  /**
   * The offset after the members that fit into one part: at a comma, or at the end of the container. Undefined if the next
   * member alone is too large.
   */
  #cut(): number | undefined {
    const { bytes } = this;
    const most = Math.min(this.#at + PIECE_BYTES, bytes.length);
    let depth = 0;
    let last: number | undefined;
    for (let at = this.#at; at < most; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) at = endOfText(bytes, at, most);
      else if (byte === OPEN_LIST || byte === OPEN_MAP) depth++;
      else if (byte === CLOSE_LIST || byte === CLOSE_MAP) {
        if (depth-- === 0) return at;
      } else if (byte === COMMA && depth === 0) last = at;
    }
    return last;
  }

  /** The end of a member that is neither list nor map. */
  #endOfPlain(): number {
    const { bytes } = this;
    let at = this.#at;
    if (bytes[at] === QUOTE) at = endOfText(bytes, at, Infinity) + 1;
    while (at < bytes.length && bytes[at] !== COMMA && bytes[at] !== CLOSE_LIST && bytes[at] !== CLOSE_MAP) at++;
    return at;
  }

  /**
   * Parses the bytes up to an offset as a list or map, and continues there. Empty bytes are an empty list or map.
   * @param depth of the brackets
   */
  #parsed(end: number, depth: number, open: string, close: string): Json {
    const piece = this.prepare(this.bytes.subarray(this.#at, end));
    if (isTooDeep(piece, depth)) throw tooDeep();
    let value: Json;
    try {
      // `JSON.parse` returns only JSON, so the cast is safe.
      value = JSON.parse(open + textOf(piece) + close) as Json;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new MalformedNumber(`the body is not valid JSON: ${why} (in what begins at byte ${this.#at})`);
    }
    const reason = badJson(value, depth);
    if (reason !== undefined) throw new MalformedNumber(reason);
    const isEmpty = (isList(value) ? value : Object.keys(value ?? {})).length === 0;
    if (isEmpty && !this.#isAlone(end)) throw this.#unexpected(end);
    this.#at = end;
    return value;
  }

  /** Whether an offset is the end of an empty container: only white space is between its brackets. */
  #isAlone(end: number): boolean {
    const { bytes } = this;
    const before = bytes[this.#at - 1];
    const isOpened = before === OPEN_LIST || before === OPEN_MAP;
    return isOpened && (bytes[end] === CLOSE_LIST || bytes[end] === CLOSE_MAP);
  }

  /** Whether a comma, and so another member, follows; otherwise the container must end here. */
  #continues(close: number): boolean {
    const byte = this.bytes[this.#at];
    if (byte === COMMA) return true;
    if (byte !== close) throw this.#unexpected();
    this.#at++;
    return false;
  }

  #skipBlanks(): void {
    while (BLANKS.includes(this.bytes[this.#at])) this.#at++;
  }

  #unexpected(at = this.#at): MalformedNumber {
    const what = at < this.bytes.length ? `unexpected character at byte ${at}` : 'it ends too early';
    return new MalformedNumber(`the body is not valid JSON: ${what}`);
  }
}

function tooDeep(): MalformedNumber {
  return new MalformedNumber(`the body is nested deeper than ${MAX_JSON_DEPTH} levels`);
}

/** The offset of a text's closing quote, or the last byte before a limit. @param at where it begins */
function endOfText(bytes: Uint8Array, at: number, most: number): number {
  const end = Math.min(most, bytes.length);
  for (at++; at < end && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return Math.min(at, end);
}
