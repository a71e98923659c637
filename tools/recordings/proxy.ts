import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Recorded } from './read.js';

/** Headers that belong to one connection, or to an encoding that was undone. */
const OWN = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'accept-encoding',
  'content-encoding',
  'upgrade',
  'expect',
]);

/** Names under which a program of this machine calls the proxy: another one is a page's that was bound to this address. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * A server that hands every call on to a vendor and its response back. It speaks with that vendor only, and not for pages: what a
 * browser sends by itself has an `Origin`.
 * @param target its path, if it has one, is before that of each call
 * @param onCall gets each call with its response once it is over
 */
export function recordingProxy(target: URL, onCall: (call: Recorded) => void): Server {
  return createServer((request, response) => {
    const url = addressOf(request, target);
    if (typeof url === 'string') {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(`${url}\n`);
      return;
    }
    const pass = async (): Promise<void> => {
      const body = await bytesOf(request);
      const headers = flat(request);
      const method = request.method ?? 'GET';
      const at = Date.now();
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const received = await fetch(url, {
        method,
        headers,
        body: body.length === 0 ? undefined : new Uint8Array(body),
        redirect: 'manual',
        signal: gone.signal,
      });
      const responseHeaders = Object.fromEntries([...received.headers].filter(([name]) => !OWN.has(name)));
      response.writeHead(received.status, responseHeaders).flushHeaders();
      const chunks: Uint8Array[] = [];
      // What comes in pieces is handed on in pieces: a stream may never end.
      try {
        for await (const chunk of received.body ?? []) {
          chunks.push(chunk as Uint8Array);
          response.write(chunk);
        }
      } catch (error) {
        if (!gone.signal.aborted) throw error;
      }
      const cut = gone.signal.aborted;
      response.end();
      const bytes = Buffer.concat(chunks);
      onCall({
        method,
        url,
        headers,
        body: body.toString(),
        bodyBytes: body,
        status: received.status,
        responseHeaders,
        text: bytes.toString(),
        bytes,
        ...(cut ? { cut } : {}),
        at,
      });
    };
    pass().catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        response.writeHead(502, { 'content-type': 'text/plain' }).end(`the vendor did not respond: ${String(error)}\n`);
    });
  });
}

/** Where a call goes; a text: why it goes nowhere. */
function addressOf({ headers, url: path = '/' }: IncomingMessage, target: URL): URL | string {
  if (headers.origin !== undefined) return 'the recorder takes no calls of web pages: this one has an Origin header';
  if (!LOCAL.test(headers.host ?? ''))
    return 'the recorder takes calls to localhost only: send them to the address that it printed';
  // `//host/path` and `/\host/path` would be read as addresses of other machines, and so would a whole URL.
  if (!/^\/(?![/\\])/.test(path)) return `the recorder takes paths of ${target.origin} only, not ${path}`;
  const base = target.pathname.replace(/\/$/, '');
  const url = new URL(target);
  const [way, query = ''] = path.split(/\?(.*)/s);
  url.pathname = base + way;
  url.search = query;
  return url.pathname.startsWith(`${base}/`) ? url : `${path} leads out of ${target.href}`;
}

function flat(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || OWN.has(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
