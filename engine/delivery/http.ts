import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isNativeError } from 'node:util/types';
import type { HttpPlan } from '../program/index.js';
import { type Headers, headersOf } from './message.js';

/** A receiver's response, or why there is no complete one. */
interface HttpResult {
  readonly status: number | null;
  readonly error: string | null;
  readonly response: { readonly headers: Headers; readonly body: string } | null;
}

/** Bytes of a response's body that are stored. */
const MAX_KEPT_BYTES = 4096;
/** Bytes of a response's body that are read, so that the connection can be reused. */
const READ = 65_536;
/** Idle connections are closed before common servers close them, to avoid using a closing one. */
const IDLE_MS = 1000;

/** Sends messages over keep-alive connections. Follows no redirects; http and https only. Never rejects. */
export class HttpClient {
  readonly #http = new HttpAgent({ keepAlive: true, timeout: IDLE_MS });
  /** The agent for TLS, created on first use, since few receivers use TLS. */
  #https: HttpsAgent | null = null;
  readonly #open = new Map<ClientRequest, (why: string) => void>();

  /** Sends a message and reads the response. @param timeoutMs for the whole exchange, including the response's body */
  send(
    method: HttpPlan['method'],
    target: string,
    headers: Headers,
    body: string,
    timeoutMs: number,
  ): Promise<HttpResult> {
    const url = parse(target);
    if (typeof url === 'string') return Promise.resolve({ status: null, error: url, response: null });
    return new Promise((resolve) => {
      const secure = url.protocol === 'https:';
      let request: ClientRequest;
      try {
        const send = secure ? httpsRequest : httpRequest;
        request = send(url, { method, agent: secure ? this.#secureAgent : this.#http, headers });
      } catch (error) {
        // Node throws for invalid characters in headers, such as line breaks, which may come from templates.
        resolve({ status: null, error: `the request cannot be sent: ${messageOf(error)}`, response: null });
        return;
      }
      let status: number | null = null;
      const settle = (error: string | null, response: HttpResult['response'] = null): void => {
        if (!this.#open.delete(request)) return;
        clearTimeout(timer);
        resolve({ status, error, response });
      };
      const cancel = (why: string): void => {
        settle(why);
        request.destroy();
      };
      this.#open.set(request, cancel);
      const timer = setTimeout(() => cancel(`no response within ${timeoutMs} ms`), timeoutMs);
      request.on('response', (response) => {
        status = response.statusCode ?? null;
        receive(response, (error, text) => settle(error, { headers: headersIn(response), body: text }), cancel);
      });
      request.on('error', (error) => settle(messageOf(error)));
      request.on('close', () => {
        if (status === null) settle('the connection was closed without a response');
      });
      request.end(body);
    });
  }

  get #secureAgent(): HttpsAgent {
    return (this.#https ??= new HttpsAgent({ keepAlive: true, timeout: IDLE_MS }));
  }

  /** Aborts all requests in flight. */
  abort(): void {
    for (const cancel of [...this.#open.values()]) cancel('cancelled');
    this.#http.destroy();
    this.#https?.destroy();
  }
}

/** Reads the response's body, up to a limit. */
function receive(
  response: IncomingMessage,
  done: (error: string | null, text: string) => void,
  cancel: (why: string) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  let over = false;
  const end = (error: string | null): void => {
    if (over) return;
    over = true;
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    done(error, length <= MAX_KEPT_BYTES ? body.toString() : beginningOf(body));
  };
  response.on('data', (chunk: Buffer) => {
    if (length < MAX_KEPT_BYTES) chunks.push(chunk);
    length += chunk.length;
    if (length <= READ) return;
    end(null);
    cancel('more than is worth reading');
  });
  response.on('end', () => end(null));
  response.on('error', () => end('the response broke off'));
  response.on('close', () => end('the response broke off'));
}

/** The kept part of a body as text, without an incomplete character at its end. */
export function beginningOf(body: Buffer): string {
  return new TextDecoder().decode(body.subarray(0, MAX_KEPT_BYTES), { stream: true });
}

function headersIn(response: IncomingMessage): Headers {
  const { rawHeaders } = response;
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) pairs.push([rawHeaders[i], rawHeaders[i + 1]]);
  return headersOf(pairs);
}

/** Parses a URL, or returns the problem. */
function parse(target: string): URL | string {
  if (target === '') return 'the endpoint has no address';
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  return 'the address is not an http or https URL';
}

function messageOf(error: unknown): string {
  if (!isNativeError(error)) return 'it failed';
  // For a host name with several addresses, the error has no message, only the common code of all attempts.
  if (error.message === '' && 'code' in error) return `connect ${String(error.code)}`;
  return error.message;
}
