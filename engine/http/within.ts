import { type IncomingMessage, request as send, type Server, type ServerResponse } from 'node:http';
import { Duplex, pipeline, Readable } from 'node:stream';
import { bodyAgain } from './read-body.js';

/** Hop-by-hop headers, which are removed from the response. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding']);
/** Statuses of responses that have no body. */
const NO_BODY = new Set([204, 205, 304]);

/**
 * Makes a call of a server that needn't listen: over a connection within the process, so that it is handled like a call from
 * the network. Follows no redirects.
 * @param request path and query select the resource, and the rest of its URL becomes `Host`
 * @param basePath prefix of served paths, such as `/vendor`; removed if a path has it
 */
export function fetchWithin(server: Server, request: Request, basePath = ''): Promise<Response> {
  const { pathname, search, host } = new URL(request.url);
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const call = send({
      method: request.method,
      path: withoutBasePath(pathname + search, basePath),
      headers: { ...Object.fromEntries(request.headers), host },
      createConnection: () => connectionTo(server),
      signal,
    });
    call.on('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error));
    call.on('response', (received) => {
      const { statusCode: status = 0, statusMessage: statusText } = received;
      const headers = new Headers(headersOf(received));
      const hasBody = request.method !== 'HEAD' && !NO_BODY.has(status);
      if (!hasBody) received.resume();
      const stop = (): void => void received.destroy(signal.reason as Error);
      signal.addEventListener('abort', stop, { once: true });
      received.once('close', () => signal.removeEventListener('abort', stop));
      const body = hasBody ? (Readable.toWeb(received) as ConstructorParameters<typeof Response>[0]) : null;
      resolve(new Response(body, { status, statusText, headers }));
    });
    if (request.body === null) call.end();
    else
      Readable.fromWeb(request.body)
        .on('error', (error) => call.destroy(error))
        .pipe(call);
  });
}

/**
 * Passes on a call that another server of this process received and whose body the application has already read.
 * @throws TypeError if its body isn't available any more
 */
export function passWithin(server: Server, req: IncomingMessage, res: ServerResponse): void {
  const body = bodyAgain(req);
  const { 'content-encoding': _encoding, 'transfer-encoding': _transfer, expect: _expect, ...headers } = req.headers;
  const call = send({
    method: req.method,
    path: req.url,
    headers: { ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) },
    createConnection: () => connectionTo(server),
  });
  call.on('error', () => res.destroy());
  call.on('response', (received) => {
    res.writeHead(received.statusCode ?? 502, received.statusMessage, headersOf(received).flat());
    pipeline(received, res, () => undefined);
  });
  res.on('close', () => call.destroy());
  call.end(body);
}

/** Returns the names and values of a response's headers, without those that concern only its connection. */
function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !HOP_BY_HOP.has(name.toLowerCase()) ? [[name, rawHeaders[at + 1]] as [string, string]] : [],
  );
}

/** Path and query without the prefix under which an application passes calls on. */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url;
}

/** Opens a connection within the process; returns the client's end. */
function connectionTo(server: Server): Duplex {
  const [client, served] = [new ConnectionEnd(), new ConnectionEnd()];
  client.other = served;
  served.other = client;
  server.emit('connection', served);
  return client;
}

/** One end of a connection within the process. */
class ConnectionEnd extends Duplex {
  /** The caller's address, which limits per address and the detection of slow readers use. */
  readonly remoteAddress = '127.0.0.1';
  bytesRead = 0;
  bytesWritten = 0;
  other: ConnectionEnd | null = null;
  /** Completes the other end's pending write once this end reads on. */
  #more: (() => void) | null = null;

  override _read(): void {
    const more = this.#more;
    this.#more = null;
    more?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    this.bytesWritten += chunk.length;
    this.other?.receive(chunk, written);
  }

  override _final(ended: () => void): void {
    this.other?.push(null);
    ended();
  }

  override _destroy(error: Error | null, ended: (error: Error | null) => void): void {
    // Ends the other end as a closed socket does: after the written data, and without this end's error.
    this.other?.push(null);
    setImmediate(() => this.other?.destroy());
    ended(error);
  }

  receive(chunk: Buffer, taken: () => void): void {
    this.bytesRead += chunk.length;
    if (this.push(chunk)) taken();
    else this.#more = taken;
  }
}
