import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';

interface SentCall {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Breaks the call off. */
  readonly signal?: AbortSignal;
}

interface ReceivedResponse {
  /** Its status is one of success. */
  readonly ok: boolean;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  text(): Promise<string>;
}

/** A connection that is idle for longer is closed, before a server closes it while the next call is on its way. */
const IDLE_MS = 1000;

const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });

/**
 * Makes a call over HTTP or HTTPS. Does what `fetch` does, without following redirects: loading `fetch` takes a process twice as
 * long as all that a command does.
 * @param over connections to a server that isn't known by its name
 * @throws Error of Node: there is no response, or it breaks off
 */
export function sendCall(
  url: string,
  { method, headers, body, signal }: SentCall,
  over?: { readonly agent: SecureAgent; readonly servername: string },
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const options = { method, headers: { ...headers, ...length }, signal };
    const call = /^https:/i.test(url)
      ? secure().request(url, { ...options, ...over })
      : request(url, { ...options, agent });
    call.on('error', reject);
    call.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        const ok = status >= 200 && status < 300;
        resolve({ ok, status, headers: response.headers, text: () => Promise.resolve(text) });
      });
    });
    call.end(body);
  });
}

/** Loaded when it is needed: it brings all of TLS. */
function secure(): typeof import('node:https') {
  // Jest gives a CommonJS module no other way.
  // oxlint-disable-next-line typescript/no-require-imports
  return require('node:https') as typeof import('node:https');
}
