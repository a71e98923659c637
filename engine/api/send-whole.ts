import { setImmediate } from 'node:timers';
import type { Response } from 'express';
import { beforeLarge, LARGE_BYTES } from '../http/index.js';
import type { HeaderList } from './headers.js';
import { xmlDocument } from '../codecs/index.js';
import type { Model, Settings } from '../model/index.js';
import { isObject, type Json } from '../values/index.js';

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
