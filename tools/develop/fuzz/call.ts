import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { sendSocket, type SocketCall } from './frames.js';

/** A call of a fuzz run that can be replayed. `{{n}}` in a text is a placeholder for the n-th id that the world has returned. */
export type FuzzCall =
  | {
      readonly kind: 'http';
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      /** The body; null if there is none. Binary data is base64 with the prefix `base64:`. */
      readonly body: string | null;
      /** The pack of a company to call; the company itself by default. */
      readonly vendor?: string;
      /** Milliseconds after which the client closes the connection. */
      readonly cutMs?: number;
    }
  | SocketCall
  | { readonly kind: 'raw'; readonly bytes: string };

/** A call over HTTP. */
export type HttpCall = Extract<FuzzCall, { readonly kind: 'http' }>;

/** The response to a call, with the time that it took. */
export interface FuzzResponse {
  /** HTTP status; 0 if the connection ended without a response. */
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** Key of the fuzzed world. Calls to packs of a company use the pack's own key instead. */
export const KEY = 'sk_fuzz';
/** Longest wait for a response in milliseconds; a flush may wait this long for receivers. */
const MAX_WAIT_MS = 40_000;
/** Milliseconds after which the next call follows a raw connection; later calls detect a hang. */
const RAW_MS = 30;
/** Milliseconds for which raw connections without a response stay open beside other calls. */
const RAW_LINGER_MS = 300;
/** Reuses connections between calls, as clients do. */
const AGENT = new Agent({ keepAlive: true, maxSockets: 16 });

/** A base URL with its key. */
export interface FuzzAddress {
  readonly url: URL;
  readonly key: string;
}

/** Sends a call. Never rejects. */
export async function send({ url, key }: FuzzAddress, call: FuzzCall): Promise<FuzzResponse> {
  const started = performance.now();
  const { status, text } = await sendAny(url, call, key);
  return { status, text, ms: performance.now() - started };
}

function sendAny(url: URL, call: FuzzCall, key: string): Promise<{ status: number; text: string }> {
  switch (call.kind) {
    case 'raw':
      return sendRaw(url, call.bytes);
    case 'socket':
      return sendSocket(url, call);
    case 'http':
      return sendHttp(url, keyed(call, key));
  }
}

/** Adds the key to a call, as a bearer token or with basic authentication. */
function keyed(call: HttpCall, key: string): HttpCall {
  if (key === KEY) return call;
  const basic = (text: string): string => Buffer.from(text).toString('base64');
  const own = (text: string): string =>
    text
      .replaceAll(KEY, key)
      .replaceAll(basic(`${KEY}:`), basic(`${key}:`))
      .replaceAll(basic(`x:${KEY}`), basic(`x:${key}`));
  const { headers, path, body } = call;
  const given = { authorization: `Bearer ${KEY}`, ...headers };
  return {
    ...call,
    path: own(path),
    headers: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, own(value)])),
    body: body === null ? null : own(body),
  };
}

function sendHttp(url: URL, call: HttpCall): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const none = (): void => resolve({ status: 0, text: '' });
    const { method, path, headers, body, cutMs } = call;
    // Sets the length explicitly, because Node frames the bodies of some methods only.
    const bytes = body === null ? null : bytesOf(body);
    const framed = bytes === null ? {} : { 'content-length': bytes.length };
    const to = { agent: AGENT, host: url.hostname, port: url.port, method, path };
    try {
      const req = request({ ...to, headers: { authorization: `Bearer ${KEY}`, ...framed, ...headers } }, (res) => {
        const chunks: Buffer[] = [];
        const done = (): void => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', done);
        res.on('error', cutMs === undefined ? none : done);
        if (cutMs !== undefined) setTimeout(() => req.destroy(), cutMs);
      });
      req.setTimeout(MAX_WAIT_MS, () => req.destroy());
      req.on('error', none);
      req.end(bytes ?? undefined);
    } catch {
      // Resolves without a response: Node rejects invalid paths and headers before it sends anything.
      none();
    }
  });
}

function sendRaw(url: URL, bytes: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let text = '';
    const done = (): void => {
      clearTimeout(waited);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      resolve({ status: Number(status ?? 0), text });
    };
    const waited = setTimeout(done, RAW_MS);
    setTimeout(() => socket.destroy(), RAW_LINGER_MS).unref();
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', done);
    socket.on('close', done);
    socket.write(Buffer.from(bytes, 'base64'));
  });
}

function bytesOf(body: string): Buffer {
  return body.startsWith('base64:') ? Buffer.from(body.slice(7), 'base64') : Buffer.from(body);
}

/** Creates an HTTP call. */
export function http(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | null = null,
): HttpCall {
  return { kind: 'http', method, path, headers, body };
}

/** Appends a query to a path, and cuts it at the length limit of URLs. */
export function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query.slice(0, 6000)}`;
}
