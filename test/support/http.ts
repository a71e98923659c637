import type { IncomingHttpHeaders } from 'node:http';
import { sendCall } from '../../engine/control/send.cjs';

/** A served world: where it listens, and its key. */
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
  /** The text as JSON; an empty object where it is none. */
  readonly body: T;
}

type Raw = string | Uint8Array | FormData;

/** Over those that the body and the key have; undefined leaves one out. */
export type CallHeaders = Readonly<Record<string, string | undefined>>;

/**
 * Calls a world with its key.
 * @param line method and path, such as `POST /v1/customers`
 * @param body `URLSearchParams` and `FormData` are sent as what they are, text as JSON that is written already, anything else as JSON
 */
export async function call<T = Body>(
  world: Served,
  line: string,
  body?: unknown,
  headers?: CallHeaders,
): Promise<Called<T>> {
  const { url, body: sent, ...written } = requestOf(world, line, body, headers);
  // Loading and using fetch would take as much processor time as many calls themselves.
  const response = await (sent instanceof FormData
    ? send(world, line, sent, headers)
    : sendCall(url, { ...written, body: sent }));
  const read = await response.text();
  const received = response.headers instanceof Headers ? response.headers : headersOf(response.headers);
  return { status: response.status, headers: received, text: read, body: (asJson(read) ?? {}) as T };
}

/** As `fetch` gives them. */
export function headersOf(received: IncomingHttpHeaders): Headers {
  return new Headers(
    Object.entries(received).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

/** As `call`, with a response that is not read yet: a stream, a page, bytes. */
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

/** As `call` without a key, made to another name (`Host`), which `fetch` does not let callers choose. */
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

/** Headers that force an outcome of a call. */
export const inScenario = (name: string): CallHeaders => ({ 'x-mock-scenario': name });

/** Fields of a form, as bodies of the payments API are. */
export const form = (fields: string | Readonly<Record<string, string>> = {}): URLSearchParams =>
  new URLSearchParams(fields);

function asJson(text: string): unknown {
  return /^\s*[{[]/.test(text) ? JSON.parse(text) : undefined;
}
