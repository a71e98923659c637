import { setImmediate } from 'node:timers';
import type { Response } from 'express';
import { beforeLarge, LARGE_BYTES } from '../http/index.js';
import { xmlDocument, cookieAt, SET_COOKIE } from '../codecs/index.js';
import type { Model, Settings, RequestInfo } from '../model/index.js';
import {
  isObject,
  type Json,
  headerText,
  byteCount,
  type ByteStore,
  type BytesPiece,
  type SentPart,
  slicesOf,
} from '../values/index.js';
import { withOrigin } from '../expression/index.js';
import type { Program } from '../program/index.js';
import type { WorldReader } from '../runtime/index.js';
import type { UnsupportedUse, FaultResponse } from '../world/index.js';
import { once } from 'node:events';

const TRACE_HEADER = 'X-Mock-Resolution-Trace';

/** Response header that names the API version that was used, if it isn't the requested one. */
export const VERSION_HEADER = 'X-Mock-Version';

/** Response header that lists documented parts of the vendor API that the request uses and the pack doesn't emulate. */
export const UNSUPPORTED_HEADER = 'X-Mock-Unsupported';

/** Limit of names in the header; the trace has all of them. */
const MOST_NAMED = 20;

/** Returns the value of the header `X-Mock-Unsupported`, such as `parameter tax_id, header If-Match`. */
export function unsupportedText(uses: readonly UnsupportedUse[]): string {
  const named = uses.slice(0, MOST_NAMED).map(({ kind, name }) => `${kind} ${name.replaceAll(',', '%2C')}`);
  const more = uses.length > MOST_NAMED ? [`${uses.length - MOST_NAMED} more`] : [];
  return headerText([...named, ...more].join(', '));
}

/** Names and values alternate, as `writeHead` accepts: far cheaper than an object with computed keys. */
export type HeaderList = string[];

/** Makes the headers of all responses of the vendor API. */
export class HeaderWriter {
  readonly #constant: Readonly<HeaderList>;
  readonly #computed: Program['headers']['computed'];
  readonly #requestIdHeader: string | null;
  readonly #keyHeader: string | null;
  /** Whether the sandbox's own headers are omitted. */
  readonly #realistic: boolean;

  constructor({ headers, model }: Program) {
    this.#realistic = model.realistic;
    this.#constant = Object.entries(headers.constant).flat();
    this.#computed = headers.computed;
    this.#requestIdHeader = model.settings.requestId.header;
    this.#keyHeader = model.settings.idempotency?.echoHeader ?? null;
  }

  #compute(headers: HeaderList, host: WorldReader, request: RequestInfo): void {
    for (const { name, value } of this.#computed) {
      const text = value(host, request, request.version);
      if (text !== null) headers.push(name, withOrigin(headerText(String(text)), host.baseUrl));
    }
  }

  /** Returns the headers of one response. Headers in `more` replace those with the same names. */
  of(host: WorldReader, request: RequestInfo, traceId: string, more: Readonly<Record<string, string>>): HeaderList {
    const headers = [...this.#constant];
    if (!this.#realistic) headers.push(TRACE_HEADER, traceId);
    if (this.#requestIdHeader !== null && request.id !== null) headers.push(this.#requestIdHeader, request.id);
    if (this.#computed.length > 0) host.during(request, () => this.#compute(headers, host, request));
    if (this.#keyHeader !== null && request.idempotency_key !== null)
      headers.push(this.#keyHeader, request.idempotency_key);
    for (const name of Object.keys(more)) {
      if (this.#realistic && name.startsWith('X-Mock-')) continue;
      const text = withOrigin(more[name], host.baseUrl);
      if (name !== SET_COOKIE) put(headers, name, text);
      else for (const each of text.split('\n')) headers.push(name, cookieAt(each, host.baseUrl));
    }
    return headers;
  }
}

/** Returns the headers together with those in `by`, which replace headers of the same name in any case. */
export function withHeaders(headers: Readonly<HeaderList>, by: Readonly<Record<string, string>> = {}): HeaderList {
  const names = new Set(Object.keys(by).map((name) => name.toLowerCase()));
  return [...headers.filter((_, at) => !names.has(headers[at - (at % 2)].toLowerCase())), ...Object.entries(by).flat()];
}

function put(headers: HeaderList, name: string, value: string): void {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] !== name) continue;
    headers[at + 1] = value;
    return;
  }
  headers.push(name, value);
}

/** Statuses without a body (RFC 9110, 15). */
const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Sends a response in one piece, at the end of this turn of the event loop.
 * @param headers alternating names and values; the length is added
 * @param length bytes of the body
 */
export function sendWhole(
  res: Response,
  status: number,
  headers: HeaderList,
  body: string | Buffer,
  length: number,
): void {
  if (BODYLESS.has(status)) {
    res.writeHead(status, withoutHeader(headers, 'Content-Type'));
    res.end();
    return;
  }
  // If the length is known, Node sends text together with the headers.
  headers.push('Content-Length', String(length));
  res.writeHead(status, headers);
  // A text with as many bytes as characters is ASCII, and needs no encoding.
  const encoding = typeof body === 'string' && length === body.length ? 'latin1' : 'utf8';
  // Large bodies are written at once instead of being queued in the heap.
  if (length > LARGE_BYTES) {
    beforeLarge(length);
    res.end(body, encoding);
  } else if (ready !== null) ready.push({ res, body, encoding });
  else {
    res.end(body, encoding);
    ready = [];
    setImmediate(endReady);
  }
}

interface ReadyResponse {
  readonly res: Response;
  readonly body: string | Buffer;
  readonly encoding: BufferEncoding;
}

/**
 * Responses that are sent at the end of this turn of the event loop, in which all received requests are handled; null if there
 * are none.
 */
let ready: ReadyResponse[] | null = null;

/** Sends all finished responses together: each write wakes the client, which costs up to a quarter of a call. */
function endReady(): void {
  const responses = ready ?? [];
  ready = null;
  for (const { res, body, encoding } of responses) res.end(body, encoding);
}

/** Returns alternating names and values without those of one header. */
function withoutHeader(headers: readonly string[], name: string): string[] {
  return headers.filter((_, at) => headers[at - (at % 2)] !== name);
}

/** Converts a JSON body to the pack's format. An empty body stays empty. */
export type BodyWriter = (body: string | undefined) => string | undefined;

/** Makes the function that writes bodies: as XML or with ordered members if pack.yaml declares it, else as plain JSON. */
export function bodyWriter({ settings: { contentType, memberOrder } }: Model): BodyWriter {
  const isXml = /xml(?:;|$)/.test(contentType);
  if (!isXml && memberOrder === null) return (body) => body;
  return (body) => {
    if (body === undefined || body === '') return body;
    const value = JSON.parse(body) as Json;
    return isXml ? xmlDocument(value) : JSON.stringify(memberOrder === null ? value : inOrder(value, memberOrder));
  };
}

/** Orders the members of a value at any depth: those in `first` before all others, which `sorted` orders by name. */
function inOrder(value: Json, order: NonNullable<Settings['memberOrder']>): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => inOrder(each, order));
  if (!isObject(value)) return value;
  const { first, sorted } = order;
  const rest = Object.keys(value).filter((name) => !first.includes(name));
  const names = [...first.filter((name) => Object.hasOwn(value, name)), ...(sorted ? rest.sort() : rest)];
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name], order)]));
}

/** Maximum number of pieces in which a slowed body is sent. */
const BITS = 20;

/**
 * Sends a response that a fault changes: with other headers, with another body, truncated, or slowly.
 * @param headers the headers of the unchanged response, without Content-Length
 */
export function sendAltered(
  res: Response,
  status: number,
  headers: HeaderList,
  text: string,
  { headers: more, body, truncateAt, dripMs = 0 }: FaultResponse,
): void {
  const whole = Buffer.from(body ?? text);
  const sent = truncateAt === undefined ? whole : whole.subarray(0, truncateAt);
  res.writeHead(status, [...withHeaders(headers, more), 'Content-Length', String(whole.length)]);
  if (truncateAt === undefined && (dripMs === 0 || sent.length === 0)) {
    res.end(sent);
    return;
  }
  // Ends the response. If a fault truncates it, the connection is closed once the socket has sent what it buffers.
  const end = (): void => void (truncateAt === undefined ? res.end() : res.write('', () => res.socket?.destroySoon()));
  if (dripMs === 0 || sent.length === 0) {
    res.flushHeaders();
    res.write(sent);
    end();
    return;
  }
  const size = Math.ceil(sent.length / BITS);
  const pauseMs = dripMs / Math.ceil(sent.length / size);
  const drip = (from: number): void => {
    if (res.destroyed) return;
    res.write(sent.subarray(from, from + size));
    if (from + size >= sent.length) end();
    else setTimeout(() => drip(from + size), pauseMs);
  };
  drip(0);
}

export function partsLength(parts: readonly SentPart[]): number {
  return parts.reduce((sum, each) => {
    if (Buffer.isBuffer(each)) return sum + each.length;
    return sum + ('base64' in each ? Math.ceil(byteCount(each.base64) / 3) * 4 : each.end - each.start);
  }, 0);
}

/**
 * Sends texts and stored bytes in chunks, as fast as the caller reads.
 * @param failed called with any error; sends an error response if the headers aren't sent yet
 */
export async function sendParts(
  res: Response,
  status: number,
  headers: HeaderList,
  parts: readonly SentPart[],
  store: ByteStore | null,
  failed: (error: unknown) => void,
): Promise<void> {
  const chunks = chunksOf(parts, store);
  try {
    // Reads the first chunk before the headers are sent, so that an error in reading becomes an error response.
    let next = res.req.method === 'HEAD' ? { done: true as const, value: undefined } : await chunks.next();
    res.writeHead(status, [...headers, 'Content-Length', String(partsLength(parts))]);
    for (; next.done !== true; next = await chunks.next()) {
      if (res.destroyed) return;
      if (!res.write(next.value)) await writable(res);
    }
    res.end();
  } catch (error) {
    if (res.headersSent) res.destroy();
    failed(error);
  } finally {
    await chunks.return(undefined);
  }
}

async function* chunksOf(parts: readonly SentPart[], store: ByteStore | null): AsyncGenerator<Buffer, void> {
  for (const each of parts) {
    if (Buffer.isBuffer(each)) yield each;
    else if ('base64' in each) yield* encoded(each.base64, store);
    else if (store !== null) yield* store.stream(each, each.start, each.end);
  }
}

/** Bytes as base64, in chunks; bytes beyond a multiple of three are carried over to the next chunk. */
async function* encoded(pieces: readonly BytesPiece[], store: ByteStore | null): AsyncGenerator<Buffer, void> {
  let left: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(slicesOf(pieces, 0, byteCount(pieces)), store)) {
    const all = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
    const whole = all.length - (all.length % 3);
    left = all.subarray(whole);
    yield Buffer.from(all.toString('base64', 0, whole), 'latin1');
  }
  yield Buffer.from(left.toString('base64'), 'latin1');
}

/** Resolves when more can be written, or nothing can any more. */
async function writable(res: Response): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race(['drain', 'close', 'error'].map((event) => once(res, event, { signal: over.signal })));
  } catch {
    // The wait ends on an error too: the next write reports that the connection is closed.
  } finally {
    over.abort();
  }
}
