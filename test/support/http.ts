import type { IncomingHttpHeaders } from 'node:http';
import { sendCall } from '../../engine/control/send.cjs';

/** Address and key of a served world. */
export interface Served {
  readonly url: string | null;
  readonly key: string | null;
}

export type Body = Readonly<Record<string, unknown>>;

/** The response to a call. */
export interface Called<T = Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON body; an empty object if the response isn't JSON. */
  readonly body: T;
}

type Raw = string | Uint8Array | FormData;

/** Headers that override those of the key and the body; undefined removes a header. */
export type CallHeaders = Readonly<Record<string, string | undefined>>;

/**
 * Calls a world with its key.
 * @param line method and path, such as `POST /v1/customers`
 * @param body `URLSearchParams` and `FormData` are sent as they are, text is sent as JSON without encoding it, all other values are encoded as JSON
 */
export async function call<T = Body>(
  world: Served,
  line: string,
  body?: unknown,
  headers?: CallHeaders,
): Promise<Called<T>> {
  const { url, body: sent, ...written } = requestOf(world, line, body, headers);
  // `fetch` is used for multipart bodies only: loading and using it takes as much processor time as many calls.
  const response = await (sent instanceof FormData
    ? send(world, line, sent, headers)
    : sendCall(url, { ...written, body: sent }));
  const read = await response.text();
  const received = response.headers instanceof Headers ? response.headers : headersOf(response.headers);
  return { status: response.status, headers: received, text: read, body: (asJson(read) ?? {}) as T };
}

/** Converts Node's headers to `Headers`, as `fetch` returns them. */
export function headersOf(received: IncomingHttpHeaders): Headers {
  return new Headers(
    Object.entries(received).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

/** Calls a world like `call`, but returns a response whose body isn't read: a stream, a page, bytes. */
export function send(
  world: Served,
  line: string,
  body?: unknown,
  headers?: CallHeaders,
  init: RequestInit = {},
): Promise<Response> {
  const { url, ...written } = requestOf(world, line, body, headers);
  return fetch(url, { ...written, ...init });
}

function requestOf(
  { url, key }: Served,
  line: string,
  body: unknown,
  headers: CallHeaders = {},
): { readonly url: string; readonly method: string; readonly headers: Record<string, string>; readonly body?: Raw } {
  const space = line.indexOf(' ');
  const type =
    body === undefined || body instanceof FormData
      ? undefined
      : body instanceof URLSearchParams
        ? 'application/x-www-form-urlencoded;charset=UTF-8'
        : 'application/json';
  const all = { authorization: `Bearer ${key}`, 'content-type': type };
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const sent = Object.entries({ ...all, ...(Object.fromEntries(given) as CallHeaders) });
  return {
    url: `${url}${line.slice(space + 1)}`,
    method: line.slice(0, space),
    headers: Object.fromEntries(
      sent.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
    ),
    body: body === undefined ? undefined : rawOf(body),
  };
}

function rawOf(body: unknown): Raw {
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData) return body;
  return body instanceof URLSearchParams ? body.toString() : JSON.stringify(body);
}

/** Calls a world without a key and with another `Host` header, which `fetch` doesn't allow. */
export async function callAt(
  { url }: Served,
  host: string,
  line: string,
  { body, headers = {} }: { readonly body?: URLSearchParams; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const [method, path] = line.split(' ');
  const type: Readonly<Record<string, string>> = body ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const response = await sendCall(`${url}${path}`, {
    method,
    headers: { ...type, ...headers, host },
    body: body?.toString(),
  });
  return { status: response.status, text: await response.text() };
}

/** Header that selects a scenario, which forces the outcome of a call. */
export const inScenario = (name: string): CallHeaders => ({ 'x-mock-scenario': name });

/** Creates the form body of a payments API call. */
export const form = (fields: string | Readonly<Record<string, string>> = {}): URLSearchParams =>
  new URLSearchParams(fields);

function asJson(text: string): unknown {
  return /^\s*[{[]/.test(text) ? JSON.parse(text) : undefined;
}
