import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';

interface SentCall {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** A signal that aborts the call. */
  readonly signal?: AbortSignal;
}

interface ReceivedResponse {
  /** Whether the response's status is 2xx. */
  readonly ok: boolean;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  text(): Promise<string>;
}

/** Milliseconds after which idle connections are closed, so that a server doesn't close one while a call is sent on it. */
const IDLE_MS = 1000;

const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });

/**
 * Makes a call over HTTP or HTTPS. Works like `fetch` without following redirects, and is used since loading `fetch` doubles
 * the start time of a command.
 * @param over an agent, for connections to a server without a name
 * @throws Error of Node if there is no response, or it breaks off
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

/** Loads Node's HTTPS module on first use, since it loads all of TLS. */
function secure(): typeof import('node:https') {
  // In Jest, a CommonJS module has no other way to load this.
  // oxlint-disable-next-line typescript/no-require-imports
  return require('node:https') as typeof import('node:https');
}
