/** The address and key of a world. */
export interface CallAddress {
  readonly url: string;
  readonly key: string;
}

/** The response to a call. */
export interface CallResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed JSON body; empty if the response isn't JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request body: a form (text or fields), multipart data, bytes, or an object to send as JSON. */
export type CallBody = string | URLSearchParams | FormData | Uint8Array<ArrayBuffer> | object;

/** Sends a call with the key of its world. @param line such as `POST /v1/customers`; a whole URL is also allowed as the path */
export async function callWorld(
  { url, key }: CallAddress,
  line: string,
  body?: CallBody,
  more: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<CallResponse> {
  const [method, path] = line.split(' ');
  const isWritten = body instanceof URLSearchParams || body instanceof FormData || body instanceof Uint8Array;
  const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
  const typed: Record<string, string> = body === undefined || isWritten ? {} : { 'content-type': type };
  const response = await fetch(path.startsWith('http') ? path : url + path, {
    method,
    signal,
    headers: { authorization: `Bearer ${key}`, ...typed, ...more },
    body: body === undefined || isWritten || typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const json = /^[{[]/.test(text) ? (JSON.parse(text) as CallResponse['body']) : {};
  return { status: response.status, headers: response.headers, text, body: json };
}

/** Sends a call that has to succeed, and returns its response. @throws Error if it fails */
export async function succeed(...call: Parameters<typeof callWorld>): Promise<CallResponse['body']> {
  const { status, text, body } = await callWorld(...call);
  if (status >= 300) throw new Error(`${call[1]} responded with ${status}: ${text}`);
  return body;
}
