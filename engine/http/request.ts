import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler } from 'express';
import type { JsonObject } from '../values/index.js';

/** Reads the whole body of a request into `req.body` as bytes, up to a limit. Passes errors to `next`. */
export function bodyReader(limitBytes: number): RequestHandler {
  let readAny: RequestHandler | undefined;
  return (req, res, next) => {
    if (!hasBody(req)) next();
    else if (isPlain(req, limitBytes)) collect(req, next);
    else if (Number(req.headers['content-length']) > limitBytes) {
      // Sends the error without waiting for the body, which a caller may send only after a response; discards what is sent.
      req.resume();
      next(Object.assign(new Error('the body is too large, as it says itself'), { type: 'entity.too.large' }));
    } else if (readAny) readAny(req, res, next);
    else
      void import('body-parser').then(({ default: bodyParser }) => {
        readAny ??= bodyParser.raw({ type: () => true, limit: limitBytes });
        readAny(req, res, next);
      }, next);
  };
}

/** Whether a request has a body (RFC 9112, 6). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** Whether a body has a known length and no compression, as nearly all do. */
function isPlain({ headers }: Request, limitBytes: number): boolean {
  return headers['content-encoding'] === undefined && Number(headers['content-length']) <= limitBytes;
}

/** Collects an uncompressed body of known length into `req.body`, faster than a general parser. Node checks the length. */
function collect(req: Request, next: NextFunction): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    req.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    next();
  });
  req.on('error', () => {
    next(Object.assign(new Error('the request broke off'), { status: 400 }));
  });
}

/** Returns the path of a request's URL, as sent. Requests to a proxy have the host before the path. */
export function pathOf(url: string): string {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]+/, '');
}

/** The host name of a request in lower case, without the port; empty when it names none. */
export function hostOf({ headers }: IncomingMessage): string {
  return (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
}

/** The query of a request's URL without its question mark; may be empty. */
export function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** Lists and maps in the queries of calls from inside the process, by request. */
export const innerValues = new WeakMap<object, JsonObject>();

/** Returns the lists and maps in a query that were passed as values; undefined for calls over the network. */
export function valuesOf(req: object): JsonObject | undefined {
  return innerValues.get(req);
}
