import { type Frame, type Host, isObject, type Json, STRING, ANY, NUMBER, BOOLEAN } from '../expression/index.js';
import { inside, type Model, REQUEST_TYPE, type RequestInfo } from '../model/index.js';
import type { Row } from '../world/index.js';
import { rootScope } from './compile/context.js';
import { Expander } from './expand.js';
import type { Page } from './list.js';
import type { OperationResult } from './operation.js';
import type { Runtime } from './runtime.js';

/** Writes results as the text of an answer. Texts of objects are kept until the object (or, for computed fields, the world) changes. */
export class Writer {
  readonly #list: EnvelopeWriter;
  readonly #search: EnvelopeWriter;
  readonly #expander: Expander;

  constructor(private readonly runtime: Runtime) {
    const { settings } = runtime.model;
    this.#list = envelopeWriter(settings.lists.envelope, runtime.model, 'lists');
    this.#search = settings.search ? envelopeWriter(settings.search.envelope, runtime.model, 'search') : this.#list;
    this.#expander = new Expander(runtime);
  }

  /**
   * The JSON text of a result.
   * @throws Failure when a path cannot be expanded
   */
  text(host: Host, request: RequestInfo, result: OperationResult, expand: readonly string[]): string {
    if (result.kind === 'page') return this.#page(host, request, result.page, expand);
    if (expand.length > 0) return JSON.stringify(this.#expander.result(host, result, expand));
    switch (result.kind) {
      case 'row':
        return this.row(host, result.row);
      case 'object':
        return JSON.stringify(this.runtime.resources[result.resource].answer().value(host, result.value));
      case 'value':
        return JSON.stringify(result.value);
    }
  }

  /** The JSON text of an object's answer. */
  row(host: Host, row: Row): string {
    const plan = this.runtime.resources[row.resource].answer();
    const { version } = this.runtime.world;
    if (row.json !== null && (plan.pure || row.jsonVersion === version)) return row.json;
    const text = JSON.stringify(plan.value(host, row.value));
    row.json = text;
    row.jsonVersion = version;
    return text;
  }

  #page(host: Host, request: RequestInfo, page: Page, expand: readonly string[]): string {
    const items =
      expand.length > 0 ? this.#expander.page(host, page, expand).map((item) => JSON.stringify(item)) : page.rows.map((row) => this.row(host, row));
    return (page.envelope === 'search' ? this.#search : this.#list)(host, request, page, items.join(','));
  }
}

type EnvelopeWriter = (host: Host, request: RequestInfo, page: Page, items: string) => string;

/** Compiles an envelope; the key that is `${data}` takes the prepared texts of the items. */
function envelopeWriter(envelope: Json, model: Model, section: 'lists' | 'search'): EnvelopeWriter {
  const scope = rootScope();
  const slots = {
    data: scope.declare('data', ANY).slot,
    has_more: scope.declare('has_more', BOOLEAN).slot,
    url: scope.declare('url', STRING).slot,
    next_cursor: scope.declare('next_cursor', STRING).slot,
    total_count: scope.declare('total_count', NUMBER).slot,
    request: scope.declare('request', REQUEST_TYPE).slot,
  };
  const file = model.source.one('pack');
  if (!file) throw new Error('the pack has no pack.yaml');
  const place = inside({ file, path: [] }, section, 'envelope');
  const entries = Object.entries(isObject(envelope) ? envelope : {}).map(([key, value]) => {
    const prefix = `${JSON.stringify(key)}:`;
    const run = value === '${data}' ? null : model.linking.template(inside(place, key), value, scope, model.env).run;
    return { prefix, run };
  });
  const counts = JSON.stringify(envelope).includes('total_count');
  return (host, request, page, items) => {
    const frame: Frame = [host];
    for (let i = 1; i < scope.layout.size; i++) frame.push(null);
    frame[slots.has_more] = page.hasMore;
    frame[slots.url] = page.url;
    frame[slots.next_cursor] = page.nextCursor;
    frame[slots.request] = request;
    if (counts) frame[slots.total_count] = page.totalCount();
    let text = '{';
    for (const { prefix, run } of entries) {
      if (text.length > 1) text += ',';
      text += run === null ? `${prefix}[${items}]` : prefix + JSON.stringify(run(frame));
    }
    return `${text}}`;
  };
}

