import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import type { JsonObject } from '../values/index.js';
import { innerValues } from './request.js';

/** A call made inside the process. */
export interface InnerCall {
  readonly method: string;
  /** Path and query of the inner call. */
  readonly url: string;
  /** Headers of the inner call by lower-case name, without the body's length. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Lists and maps in the query, as values: as text they would lose their types. */
  readonly values?: JsonObject;
}

/** The response to an inner call. */
export interface InnerResponse {
  readonly status: number;
  /** Headers of the response by lower-case name; of repeated ones, the last. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Calls an API without a connection: it is handled like a call from the network.
 * @param outer the outer call and its response
 * @param onError responds to errors of the handler
 * @returns null if the connection would have been closed before the end of the response
 */
export function callWithin(
  handler: RequestHandler,
  onError: (error: unknown, ...call: Parameters<RequestHandler>) => void,
  outer: { readonly req: Request; readonly res: Response },
  { method, url, headers, body, values: given }: InnerCall,
): Promise<InnerResponse | null> {
  return new Promise((resolve) => {
    const socket = new Socket();
    const all = body === null ? headers : { ...headers, 'content-length': String(body.length) };
    // Creates request and response with the prototypes of the outer call's, as Express does.
    const req = Object.assign(new IncomingMessage(socket), {
      method,
      url,
      originalUrl: url,
      httpVersion: '1.1',
      headers: { ...all },
      rawHeaders: Object.entries(all).flat(),
      // Without `complete`, the end of the request would count as a broken connection.
      complete: true,
    });
    Object.setPrototypeOf(req, Reflect.getPrototypeOf(outer.req));
    const chunks: Buffer[] = [];
    const head = { status: 0, headers: {} as Record<string, string> };
    const over = (response: InnerResponse | null): void => {
      resolve(response);
      socket.destroy();
    };
    const keep = (chunk: unknown, encoding: unknown): void => {
      if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding === 'latin1' ? 'latin1' : 'utf8'));
      else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    };
    const res = new ServerResponse(req);
    Object.setPrototypeOf(res, Reflect.getPrototypeOf(outer.res));
    // Like Express, refers from the request to its response.
    Object.assign(req, { res });
    Object.assign(res, {
      req,
      socket: Object.assign(socket, { destroySoon: () => socket.destroy() }),
      writeHead: (status: number, given: readonly string[] | Readonly<Record<string, string | number>> = {}) => {
        head.status = status;
        const list = isList(given) ? given : Object.entries(given).flat();
        for (let at = 0; at + 1 < list.length; at += 2)
          head.headers[String(list[at]).toLowerCase()] = String(list[at + 1]);
        return res;
      },
      flushHeaders: () => undefined,
      write: (chunk: unknown, encoding?: unknown, written?: unknown) => {
        keep(chunk, encoding);
        const callback = typeof encoding === 'function' ? encoding : written;
        if (typeof callback === 'function') setImmediate(() => void Reflect.apply(callback, undefined, []));
        return true;
      },
      end: (chunk?: unknown, encoding?: unknown) => {
        keep(chunk, encoding);
        // A stream piped into the response must see `finish` before `close`.
        res.emit('finish');
        // Responses that Express itself sends set the status without calling writeHead.
        if (head.status === 0) head.status = res.statusCode;
        over({ ...head, body: Buffer.concat(chunks) });
        return res;
      },
      destroy: () => {
        socket.destroy();
        return res;
      },
    });
    socket.once('close', () => {
      // A connection that closes before the response's end gives null; after the end, this has no effect.
      resolve(null);
      res.emit('close');
    });
    if (given !== undefined) innerValues.set(req, given);
    if (body !== null) req.push(body);
    req.push(null);
    const called = req as unknown as Request;
    const responding = res as unknown as Response;
    const failed = (error: unknown): void => onError(error, called, responding, () => over(null));
    try {
      // Like Express, treats a later rejection of the handler as an error of the call.
      Promise.resolve(handler(called, responding, failed)).catch(failed);
    } catch (error) {
      failed(error);
    }
  });
}

function isList(given: readonly string[] | Readonly<Record<string, string | number>>): given is readonly string[] {
  return Array.isArray(given);
}
