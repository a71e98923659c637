import { eventText } from '../../engine/codecs/index.js';
import { textOr } from '../openapi/document.js';
import type { Json, JsonObject } from '../../engine/values/index.js';

/** One part of a `multipart/form-data` body (RFC 7578). */
interface BodyPart {
  readonly name: string;
  /** Name of the file; undefined if the part is a plain value. */
  readonly file: string | undefined;
  /** Content-Type of the part, if it has one. */
  readonly type: string | undefined;
  readonly bytes: Buffer;
}

/** One server-sent event (HTML, 9.2). Data that are a JSON map or list are parsed. */
interface StreamEvent {
  readonly event?: string;
  readonly id?: string;
  readonly data: Json;
}

/** Whether a media type is an event stream. */
export function isStream(type: string | undefined): boolean {
  return /^text\/event-stream\b/i.test(type ?? '');
}

/** Converts a part in an example's `parts`. */
export function examplePart(part: JsonObject): BodyPart {
  const said = (key: string): string | undefined => (part[key] === undefined ? undefined : textOr(part[key]));
  return { name: textOr(part['name']), file: said('file'), type: said('type'), bytes: bytesIn(part) };
}

/** Returns the bytes of an example's `text` or `base64`. */
export function bytesIn({ text, base64 }: JsonObject): Buffer {
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : Buffer.from(textOr(text));
}

/** Splits a multipart body; undefined if it has another type or no parts. */
export function partsOf(body: Buffer, type: string): BodyPart[] | undefined {
  const [, quoted, bare] = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return undefined;
  const mark = Buffer.from(`\r\n--${boundary}`);
  // Adds a line break at the start, since the body may begin with a boundary.
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  const parts: BodyPart[] = [];
  for (let at = whole.indexOf(mark); at >= 0;) {
    const end = whole.indexOf(mark, at + mark.length);
    if (end < 0) break;
    const part = partIn(whole.subarray(at + mark.length, end));
    if (part !== undefined) parts.push(part);
    at = end;
  }
  return parts.length > 0 ? parts : undefined;
}

function partIn(lines: Buffer): BodyPart | undefined {
  const begin = lines.indexOf('\r\n\r\n');
  if (begin < 0) return undefined;
  const head = lines.subarray(0, begin).toString();
  const parameter = (key: string): string | undefined =>
    new RegExp(`^content-disposition:[^\\r\\n]*;\\s*${key}="((?:[^"\\\\]|\\\\.)*)"`, 'im').exec(head)?.[1];
  const name = parameter('name');
  if (name === undefined) return undefined;
  const file = parameter('filename');
  return {
    name: unquoted(name),
    file: file === undefined ? undefined : unquoted(file),
    type: /^content-type:\s*([^\r\n]+)/im.exec(head)?.[1],
    bytes: lines.subarray(begin + 4),
  };
}

/** Encodes parts as a multipart body, and returns it with its Content-Type. */
export function multipartOf(parts: readonly BodyPart[]): { readonly body: Buffer; readonly type: string } {
  let boundary = 'sandbox-parts';
  while (parts.some(({ bytes }) => bytes.includes(boundary))) boundary += '-';
  const lines = parts.flatMap(({ name, file, type, bytes }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${file === undefined ? '' : `; filename="${quoted(file)}"`}\r\n` +
        `${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ]);
  return {
    body: Buffer.concat([...lines, Buffer.from(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

/** Encodes quotes and line ends in names as browsers and clients do. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function unquoted(name: string): string {
  return name
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0D/gi, '\r')
    .replace(/%0A/gi, '\n');
}

/** Parses the events of a stream, in order; skips comments and an incomplete last event. */
export function eventsIn(text: string): StreamEvent[] {
  const blocks = text.replace(/^\uFEFF/, '').split(/(?:\r\n|\r|\n){2}/);
  return blocks.slice(0, -1).flatMap((block): StreamEvent[] => {
    const fields = block.split(/\r\n|\r|\n/).flatMap((line) => {
      const [, name, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    });
    const last = (key: string): string | undefined => fields.findLast(([name]) => name === key)?.[1];
    const data = fields.filter(([name]) => name === 'data').map(([, value]) => value);
    const [event, id] = [last('event'), last('id')];
    if (data.length === 0) return [];
    return [
      {
        ...(event === undefined ? {} : { event }),
        ...(id === undefined ? {} : { id }),
        data: jsonOr(data.join('\n')),
      },
    ];
  });
}

/** Formats events as the text of a stream. */
export function streamOf(events: readonly JsonObject[]): string {
  return events.map((event) => eventText({ data: null, ...event })).join('');
}

/** Parses a JSON map or list; returns other texts unchanged. */
function jsonOr(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Decodes bytes as UTF-8; undefined if they aren't valid UTF-8, or contain a null character. */
export function textIn(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  return !text.includes('\0') && Buffer.from(text).equals(bytes) ? text : undefined;
}
