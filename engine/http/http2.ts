import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import {
  constants,
  createServer,
  type IncomingHttpHeaders as Http2Headers,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Server } from 'node:https';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { lazy } from '../values/index.js';

/** Connection headers of HTTP/1.1, which HTTP/2 doesn't have (RFC 9113, 8.2.2). */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Statuses of responses without a body. */
const BODYLESS = new Set([204, 205, 304]);

/** Protocols that a TLS server offers, the best first. */
export const PROTOCOLS = ['h2', 'http/1.1'];

/**
 * Makes a server that offers `h2` serve it: each stream becomes an HTTP/1.1 call on a connection in memory, so that apps, held
 * responses and faults that reset work as with HTTP/1.1.
 * @returns ends each session after its calls in flight
 */
export function serveHttp2(server: Server): () => void {
  const sessions = new Set<ServerHttp2Session>();
  const [http1] = server.listeners('secureConnection') as ((socket: Duplex) => void)[];
  const http2 = lazy(() =>
    createServer()
      .on('session', (session) => {
        sessions.add(session);
        session.once('close', () => sessions.delete(session));
        session.on('error', () => undefined);
      })
      .on('stream', (stream, headers) => {
        const { remoteAddress, remotePort } = stream.session?.socket ?? {};
        serveStream(stream, headers, () => {
          const [near, far] = ConnectionEnd.pair();
          // Passes the connection to the HTTP/1.1 server as if it were a TLS connection.
          Reflect.apply(http1, server, [Object.assign(far, { encrypted: true, remoteAddress, remotePort })]);
          return near;
        });
      }),
  );
  server.off('secureConnection', http1);
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') http2().emit('connection', socket);
    else Reflect.apply(http1, server, [socket]);
  });
  return () => {
    for (const session of sessions) session.close();
  };
}

function serveStream(stream: ServerHttp2Stream, headers: Http2Headers, createConnection: () => Duplex): void {
  stream.on('error', () => undefined);
  if (headers[':method'] === 'CONNECT') {
    // CONNECT requests a tunnel, which HTTP/1.1 handlers can't serve.
    stream.respond({ ':status': 405 }, { endStream: true });
    return;
  }
  const call = request({
    createConnection,
    method: headers[':method'] ?? 'GET',
    path: headers[':path'] ?? '/',
    headers: headersOf(headers),
    setHost: false,
  });
  stream.once('close', () => call.destroy());
  call.on('error', () => {
    if (!stream.closed) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  });
  call.on('response', (response) => {
    const status = response.statusCode ?? 502;
    if (stream.destroyed) return void response.resume();
    const hasBody = !BODYLESS.has(status) && headers[':method'] !== 'HEAD';
    stream.respond({ ':status': status, ...responseHeaders(response.headers) }, { endStream: !hasBody });
    if (!hasBody) return void response.resume();
    response.on('close', () => {
      // If the HTTP/1.1 response was cut off, the stream is too.
      if (!response.complete && !stream.closed) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
    response.pipe(stream);
  });
  sendBody(stream, headers, call);
}

function sendBody(stream: ServerHttp2Stream, headers: Http2Headers, call: ClientRequest): void {
  if (stream.endAfterHeaders || headers[':method'] === 'GET' || headers[':method'] === 'HEAD') call.end();
  else stream.pipe(call);
}

function headersOf(headers: Http2Headers): Record<string, string | string[]> {
  const made: Record<string, string | string[]> = { host: headers[':authority'] ?? headers.host ?? '' };
  for (const [name, value] of Object.entries(headers))
    if (!name.startsWith(':') && value !== undefined && !OF_CONNECTION.has(name))
      // Joins cookies, since HTTP/1.1 has a single `cookie` header (RFC 9113, 8.2.3).
      made[name] = name === 'cookie' && Array.isArray(value) ? value.join('; ') : value;
  return made;
}

function responseHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const made: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OF_CONNECTION.has(name)) made[name] = value;
  return made;
}

/** One end of a connection in memory: the other end reads what it writes. */
class ConnectionEnd extends Duplex {
  #other: ConnectionEnd | null = null;
  /** Completes the other end's pending write once this end reads. */
  #taken: (() => void) | null = null;

  static pair(): readonly [ConnectionEnd, ConnectionEnd] {
    const [near, far] = [new ConnectionEnd(), new ConnectionEnd()];
    near.#other = far;
    far.#other = near;
    return [near, far];
  }

  override _read(): void {
    const taken = this.#taken;
    this.#taken = null;
    taken?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const other = this.#other;
    if (other === null || other.destroyed || chunk.length === 0) return done();
    other.#taken = done;
    other.push(chunk);
  }

  override _final(done: () => void): void {
    this.#other?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const other = this.#other;
    this.#other = null;
    const taken = this.#taken;
    this.#taken = null;
    taken?.();
    if (other !== null) setImmediate(() => other.destroy());
    done(error);
  }
}
