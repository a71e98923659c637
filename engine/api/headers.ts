import { cookieAt, SET_COOKIE } from '../codecs/index.js';
import { withOrigin } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';
import { headerText } from '../values/index.js';
import type { Program } from '../program/index.js';
import type { WorldReader } from '../runtime/index.js';
import type { UnsupportedUse } from '../world/index.js';

const TRACE_HEADER = 'X-Mock-Resolution-Trace';

/** Response header that names the API version that was used, if it isn't the requested one. */
export const VERSION_HEADER = 'X-Mock-Version';

/** Response header that lists documented parts of the vendor API that the request uses and the pack doesn't emulate. */
export const UNSUPPORTED_HEADER = 'X-Mock-Unsupported';

/** Limit of names in the header; the trace has all of them. */
const MOST_NAMED = 20;

/** Returns the value of the header `X-Mock-Unsupported`, such as `parameter tax_id, header If-Match`. */
export function unsupportedText(uses: readonly UnsupportedUse[]): string {
  const named = uses.slice(0, MOST_NAMED).map(({ kind, name }) => `${kind} ${name.replaceAll(',', '%2C')}`);
  const more = uses.length > MOST_NAMED ? [`${uses.length - MOST_NAMED} more`] : [];
  return headerText([...named, ...more].join(', '));
}

/** Names and values alternate, as `writeHead` accepts: far cheaper than an object with computed keys. */
export type HeaderList = string[];

/** Makes the headers of all responses of the vendor API. */
export class HeaderWriter {
  readonly #constant: Readonly<HeaderList>;
  readonly #computed: Program['headers']['computed'];
  readonly #requestIdHeader: string | null;
  readonly #keyHeader: string | null;
  /** Whether the sandbox's own headers are omitted. */
  readonly #realistic: boolean;

  constructor({ headers, model }: Program) {
    this.#realistic = model.realistic;
    this.#constant = Object.entries(headers.constant).flat();
    this.#computed = headers.computed;
    this.#requestIdHeader = model.settings.requestId.header;
    this.#keyHeader = model.settings.idempotency?.echoHeader ?? null;
  }

  #compute(headers: HeaderList, host: WorldReader, request: RequestInfo): void {
    for (const { name, value } of this.#computed) {
      const text = value(host, request, request.version);
      if (text !== null) headers.push(name, withOrigin(headerText(String(text)), host.baseUrl));
    }
  }

  /** Returns the headers of one response. Headers in `more` replace those with the same names. */
  of(host: WorldReader, request: RequestInfo, traceId: string, more: Readonly<Record<string, string>>): HeaderList {
    const headers = [...this.#constant];
    if (!this.#realistic) headers.push(TRACE_HEADER, traceId);
    if (this.#requestIdHeader !== null && request.id !== null) headers.push(this.#requestIdHeader, request.id);
    if (this.#computed.length > 0) host.during(request, () => this.#compute(headers, host, request));
    if (this.#keyHeader !== null && request.idempotency_key !== null)
      headers.push(this.#keyHeader, request.idempotency_key);
    for (const name of Object.keys(more)) {
      if (this.#realistic && name.startsWith('X-Mock-')) continue;
      const text = withOrigin(more[name], host.baseUrl);
      if (name !== SET_COOKIE) put(headers, name, text);
      else for (const each of text.split('\n')) headers.push(name, cookieAt(each, host.baseUrl));
    }
    return headers;
  }
}

/** Returns the headers together with those in `by`, which replace headers of the same name in any case. */
export function withHeaders(headers: Readonly<HeaderList>, by: Readonly<Record<string, string>> = {}): HeaderList {
  const names = new Set(Object.keys(by).map((name) => name.toLowerCase()));
  return [...headers.filter((_, at) => !names.has(headers[at - (at % 2)].toLowerCase())), ...Object.entries(by).flat()];
}

function put(headers: HeaderList, name: string, value: string): void {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] !== name) continue;
    headers[at + 1] = value;
    return;
  }
  headers.push(name, value);
}
