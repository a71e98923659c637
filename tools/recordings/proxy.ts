import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as sendPlainly,
  type Server,
} from 'node:http';
import { request as sendSecurely } from 'node:https';
import {
  type BrotliOptions,
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import type { Recorded } from './read.js';

/** Hop-by-hop headers, which aren't forwarded (RFC 9110, 7.6.1). `Expect` is handled here. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade', 'expect']);

/** Headers that aren't recorded: hop-by-hop ones, and those of a removed encoding. */
const UNRECORDED = new Set([
  ...OF_CONNECTION,
  'host',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'content-encoding',
]);

/** Methods for which Node sends no chunked body by default. */
const UNCHUNKED = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Host names of local callers. Others are rejected, since a page's domain may resolve to this machine (DNS rebinding). */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * A proxy that forwards every call to one vendor and returns the response byte for byte, except the host and hop-by-hop headers. Rejects requests
 * from browser pages, which have an `Origin`.
 * @param target its path, if any, is prepended to each call's
 * @param onCall called with each finished call and its response
 */
export function recordingProxy(target: URL, onCall: (call: Recorded) => void): Server {
  return createServer((request, response) => {
    const url = addressOf(request, target);
    if (typeof url === 'string') {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(`${url}\n`);
      return;
    }
    const { method = 'GET' } = request;
    const at = Date.now();
    const send = url.protocol === 'https:' ? sendSecurely : sendPlainly;
    const path = target.pathname.replace(/\/$/, '') + (request.url ?? '/');
    // The path is forwarded as received: a URL would normalise characters, and signatures cover the path.
    const call = send(url, { method, path, headers: requestHeaders(request, url), agent: false });
    const sent = copyOf(request);
    request.pipe(call, { end: false });
    request.on('end', () => {
      if (request.rawTrailers.length > 0) call.addTrailers(pairsOf(request.rawTrailers));
      call.end();
    });
    let isGone = false;
    response.once('close', () => {
      isGone = !response.writableFinished;
      if (isGone) call.destroy();
    });
    call.on('error', (error) => {
      if (response.headersSent) response.destroy();
      else
        response.writeHead(502, { 'content-type': 'text/plain' }).end(`the vendor did not respond: ${String(error)}\n`);
    });
    call.on('information', ({ statusCode, headers }: { statusCode: number; headers: IncomingHttpHeaders }) => {
      if (statusCode === 103 && headers.link !== undefined) response.writeEarlyHints(headers as Record<string, string>);
    });
    call.on('response', (received) => {
      const status = received.statusCode ?? 502;
      response.sendDate = false;
      response.writeHead(status, received.statusMessage ?? '', kept(received.rawHeaders));
      // An empty write instead of `flushHeaders`, which would write Latin-1 headers as UTF-8.
      response.write(Buffer.alloc(0));
      const got = copyOf(received);
      received.on('error', () => undefined);
      received.on('close', () => {
        const { complete } = received;
        if (complete && received.rawTrailers.length > 0) response.addTrailers(pairsOf(received.rawTrailers));
        if (complete) response.end();
        else response.destroy();
        if (!complete && !isGone) return;
        const bodyBytes = decoded(sent, request.headers['content-encoding']);
        const bytes = decoded(got, received.headers['content-encoding'], !complete);
        onCall({
          method,
          url,
          headers: recordedHeaders(request),
          body: bodyBytes.toString(),
          bodyBytes,
          status,
          responseHeaders: recordedHeaders(received),
          text: bytes.toString(),
          bytes,
          ...(complete ? {} : { cut: true }),
          at,
        });
      });
      received.pipe(response, { end: false });
    });
  });
}

/** Returns the headers of a call as received, with the vendor's host. */
function requestHeaders({ rawHeaders, headers, method = 'GET' }: IncomingMessage, { host }: URL): string[] {
  const sent = kept(rawHeaders).map((text, at, all) =>
    at % 2 === 1 && all[at - 1].toLowerCase() === 'host' ? host : text,
  );
  // Adds a header for a body without length, since Node wouldn't send a chunked body with this method.
  const isFramed = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return isFramed || UNCHUNKED.has(method) ? sent : [...sent, 'Content-Length', '0'];
}

/** Returns headers as a flat list, without hop-by-hop headers. */
function kept(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => !OF_CONNECTION.has(rawHeaders[at - (at % 2)].toLowerCase()));
}

function pairsOf(list: readonly string[]): [string, string][] {
  return list.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, list[at + 1]]] : []));
}

/** Collects the bytes of a message while it is forwarded. */
function copyOf(message: IncomingMessage): readonly Buffer[] {
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => void chunks.push(chunk));
  return chunks;
}

const DECODERS: Readonly<Record<string, (bytes: Buffer, options: ZlibOptions & BrotliOptions) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  // Detects raw deflate data, since some servers omit the zlib header.
  deflate: (bytes, options) => (bytes[0] % 16 === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options)),
};

/** Decodes a body for the recording; unknown or invalid encodings are left unchanged. */
function decoded(chunks: readonly Buffer[], encodings = '', isCut = false): Buffer {
  const flush = isCut ? { finishFlush: constants.Z_SYNC_FLUSH } : {};
  let bytes: Buffer = Buffer.concat(chunks);
  try {
    for (const each of encodings.split(',').reverse()) {
      const decode = DECODERS[each.trim().toLowerCase()];
      if (decode === undefined || bytes.length === 0) continue;
      bytes = decode(bytes, each.trim() === 'br' ? {} : flush);
    }
  } catch {
    return bytes;
  }
  return bytes;
}

/** Returns the URL of a call, or a text with the reason for its rejection. */
function addressOf({ headers, url: path = '/' }: IncomingMessage, target: URL): URL | string {
  if (headers.origin !== undefined) return 'the recorder takes no calls of web pages: this one has an Origin header';
  if (!LOCAL.test(headers.host ?? ''))
    return 'the recorder takes calls to localhost only: send them to the address that it printed';
  // `//host/path` and `/\host/path` would be parsed as addresses of other hosts, as would a whole URL.
  if (!/^\/(?![/\\])/.test(path)) return `the recorder takes paths of ${target.origin} only, not ${path}`;
  const base = target.pathname.replace(/\/$/, '');
  const url = new URL(target);
  const [way, query = ''] = path.split(/\?(.*)/s);
  url.pathname = base + way;
  url.search = query;
  return url.pathname.startsWith(`${base}/`) ? url : `${path} leads out of ${target.href}`;
}

function recordedHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || UNRECORDED.has(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
