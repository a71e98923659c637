import type { Host } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';
import type { ResponsePlan, Envelopes, ListPage, OperationResult, VersionShape } from '../program/index.js';
import { inShape } from '../program/index.js';
import type { Row } from '../world/index.js';
import { responseOf, atHome } from './response.js';
import { Expander } from './expand.js';
import type { Runtime } from './runtime.js';

/** Writes results as the text of a response. Texts of objects are kept until the object (or, for computed fields, the world) changes. */
export class ResponseWriter {
  readonly #expander: Expander;
  readonly #envelopes: Envelopes;
  /** Computed fields may depend on who calls. */
  readonly #isPersonal: boolean;
  /** Texts in the shape of a version: those of the base stand with their rows. */
  readonly #texts = new WeakMap<Row, { readonly text: string; readonly version: number }>();

  /** @param shape of the version that is written; null: the base */
  constructor(
    private readonly runtime: Runtime,
    private readonly shape: VersionShape | null = null,
  ) {
    this.#expander = new Expander(runtime, shape);
    this.#envelopes = runtime.pack.envelopes;
    this.#isPersonal = runtime.pack.actor !== null;
  }

  /**
   * The JSON text of a result.
   * @throws Rejection when a path cannot be expanded
   */
  text(host: Host, request: RequestInfo, result: OperationResult, expand: readonly string[]): string {
    if (result.kind === 'page') return this.#page(host, request, result.page, expand);
    const text = this.#single(host, request, result, expand);
    const { additions } = this.#envelopes;
    return additions === null ? text : withMembers(text, additions(host, request));
  }

  #single(
    host: Host,
    request: RequestInfo,
    result: Exclude<OperationResult, { kind: 'page' }>,
    expand: readonly string[],
  ): string {
    if (expand.length > 0) return JSON.stringify(this.#expander.result(host, result, expand));
    switch (result.kind) {
      case 'row':
        // What a write answers is seldom what is read next; keeping it would hold two texts of every object.
        return this.row(host, result.row, request.method === 'GET');
      case 'object':
        return JSON.stringify(this.#plan(result.resource).value(host, result.value));
      case 'value':
        return JSON.stringify(inShape(this.shape, host, result.value));
    }
  }

  /** The JSON text of an object's answer, kept for the next time it is read. */
  row(host: Host, row: Row, keep = true): string {
    if (this.shape !== null) return this.#shaped(this.shape, host, row, keep);
    const resource = this.runtime.resources[row.resource];
    const plan = resource.response();
    const { version } = this.runtime.world;
    if (row.json !== null && (plan.pure || (row.jsonVersion === version && !this.#isPersonal))) return row.json;
    const text = JSON.stringify(responseOf(host, resource, row));
    if (keep) {
      row.json = text;
      row.jsonVersion = version;
    }
    return text;
  }

  #plan(resource: number): ResponsePlan {
    return this.shape?.plan(resource) ?? this.runtime.resources[resource].response();
  }

  /**
   * As a version answers it. Its views may ask of other objects: a text is right until something changes, and what a command changes
   * counts only when it is committed. So only reads take a kept text.
   */
  #shaped(shape: VersionShape, host: Host, row: Row, isRead: boolean): string {
    const { version } = this.runtime.world;
    const known = isRead && !this.#isPersonal ? this.#texts.get(row) : undefined;
    if (known?.version === version) return known.text;
    const resource = this.runtime.resources[row.resource];
    const show = () => shape.plan(row.resource).value(host, row.value);
    const text = JSON.stringify(atHome(host, resource, row, show));
    if (isRead) this.#texts.set(row, { text, version });
    return text;
  }

  #page(host: Host, request: RequestInfo, page: ListPage, expand: readonly string[]): string {
    const items =
      expand.length > 0
        ? this.#expander.page(host, page, expand).map((item) => JSON.stringify(item))
        : page.rows.map((row) => this.row(host, row));
    const text = (page.own ?? this.#envelopes[page.envelope])(host, request, page, items.join(','));
    if (page.envelope !== 'search' || expand.length === 0) return text;
    const asked = [...this.#envelopes.searchAsked].filter(([name]) => expand.includes(name));
    return asked.reduce((made, [, member]) => withMembers(made, member(host, request, page, '').slice(1, -1)), text);
  }
}

/** The text of an object with members added at its end; other texts stay as they are. */
function withMembers(text: string, members: string): string {
  if (!text.startsWith('{')) return text;
  return text === '{}' ? `{${members}}` : `${text.slice(0, -1)},${members}}`;
}
