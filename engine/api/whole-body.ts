import { isUtf8 } from 'node:buffer';
import { decodeJsonValue, textOf } from '../codecs/index.js';
import type { WholeBody } from '../program/index.js';
import { type ByteStore, type Json, type JsonObject, textOfBytes } from '../values/index.js';

/** Result of reading a body that is one parameter. `given` is null if the body is a map of several parameters instead. */
type ReadBody =
  | { readonly ok: true; readonly given: JsonObject | null; readonly text: boolean }
  | { readonly ok: false; readonly reason: string };

/** The bytes of a body that was read while it arrived. */
export class Upload {
  constructor(
    /** The text that represents the bytes. */
    readonly text: string,
    readonly size: number,
    /** Trailers by lower-case name; null: the body had no framing. */
    readonly trailers: Readonly<Record<string, string>> | null,
  ) {}
}

/** The media type of a header, without its parameters. */
export function mediaTypeOf(header: string): string {
  return header.split(';')[0].trim().toLowerCase();
}

/** Whether a body of a content type (without parameters, in lower case; may be empty) is one parameter. */
export function isWhole({ accepts }: WholeBody, type: string): boolean {
  return type === '' || accepts.some((each) => each.test(type));
}

/** Parses a body that is one parameter. @param type its content type, as sent */
export function readWhole(
  { as, type: kind }: WholeBody,
  type: string,
  body: Buffer | Upload,
  store: ByteStore | null,
): ReadBody {
  const whole = (value: Json, text: boolean): ReadBody => ({ ok: true, given: { [as]: value }, text });
  if (body instanceof Upload) {
    const { text, size, trailers } = body;
    return whole({ type, size, base64: text, ...(trailers === null ? {} : { trailers }) }, true);
  }
  if (kind === 'bytes') return whole({ type, size: body.length, base64: textOfBytes([body], store) }, true);
  if (kind === 'list') {
    const decoded = decodeJsonValue(body);
    if (!decoded.ok) return decoded;
    return Array.isArray(decoded.value) ? whole(decoded.value, false) : { ok: true, given: null, text: false };
  }
  if (!isUtf8(body)) return { ok: false, reason: 'the body is not valid UTF-8' };
  if (kind === 'text') return whole(textOf(body), true);
  const values: Json[] = [];
  for (const [index, line] of textOf(body).split('\n').entries()) {
    if (line.trim() === '') continue;
    const decoded = decodeJsonValue(Buffer.from(line));
    if (!decoded.ok) return { ok: false, reason: `line ${index + 1}: ${decoded.reason.replace('the body', 'it')}` };
    values.push(decoded.value);
  }
  return whole(values, false);
}
