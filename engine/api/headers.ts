import { type Frame, FrameLayout, frameOf, type Host, Scope } from '../expression/index.js';
import { inside, type Model, REQUEST_TYPE, type RequestInfo } from '../model/index.js';

export const TRACE_HEADER = 'X-Mock-Resolution-Trace';

/** Names and values in turn, as `writeHead` takes them: a list costs a fraction of an object with computed keys. */
export type HeaderList = string[];

/** The headers that every answer of the vendor plane carries. */
export class HeaderPlan {
  readonly #constant: Readonly<HeaderList>;
  readonly #computed: readonly { readonly name: string; readonly run: (frame: Frame) => unknown }[];
  readonly #layout = new FrameLayout();
  readonly #request: number;
  readonly #version: number;
  readonly #requestIdHeader: string | null;

  constructor(model: Model) {
    const scope = new Scope(this.#layout);
    this.#request = scope.declare('request', REQUEST_TYPE).slot;
    this.#version = scope.declare('version', { kind: 'string' }).slot;
    const file = model.source.one('pack');
    const constant: Record<string, string> = { 'Content-Type': model.settings.contentType };
    const computed: { readonly name: string; readonly run: (frame: Frame) => unknown }[] = [];
    for (const [name, value] of Object.entries(model.settings.headers)) {
      if (!file) continue;
      const compiled = model.linking.template(inside({ file, path: ['headers'] }, name), value, scope, model.env);
      if (typeof compiled.constant === 'string') constant[name] = compiled.constant;
      else computed.push({ name, run: compiled.run });
    }
    this.#constant = Object.entries(constant).flat();
    this.#computed = computed;
    this.#requestIdHeader = model.settings.requestId.header;
  }

  /** A fresh list for one answer. `more` replaces headers of the same names. */
  of(host: Host, request: RequestInfo, traceId: string, more: Readonly<Record<string, string>>): HeaderList {
    const headers = [...this.#constant, TRACE_HEADER, traceId];
    if (this.#requestIdHeader !== null && request.id !== null) headers.push(this.#requestIdHeader, request.id);
    if (this.#computed.length > 0) {
      const frame = frameOf(host, this.#layout.size);
      frame[this.#request] = request;
      frame[this.#version] = request.version;
      for (const { name, run } of this.#computed) {
        const value = run(frame);
        if (value !== null) headers.push(name, String(value));
      }
    }
    for (const name of Object.keys(more)) put(headers, name, more[name]);
    return headers;
  }
}

function put(headers: HeaderList, name: string, value: string): void {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] !== name) continue;
    headers[at + 1] = value;
    return;
  }
  headers.push(name, value);
}
