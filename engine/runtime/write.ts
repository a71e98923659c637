import { frameOf, type Host, isObject, type Json, STRING, ANY, NUMBER, BOOLEAN } from '../expression/index.js';
import { inside, type Model, REQUEST_TYPE, type RequestInfo } from '../model/index.js';
import type { Row } from '../world/index.js';
import { rootScope } from '../compile/context.js';
import { answerOf } from './answer.js';
import { Expander } from './expand.js';
import type { Page } from './list.js';
import type { OperationResult } from '../program/operation.js';
import type { Runtime } from './runtime.js';

/** Writes results as the text of an answer. Texts of objects are kept until the object (or, for computed fields, the world) changes. */
export class Writer {
  readonly #list: EnvelopeWriter;
  readonly #search: EnvelopeWriter;
  readonly #expander: Expander;
  readonly #additions: Additions | null;

  constructor(private readonly runtime: Runtime) {
    const { settings } = runtime.model;
    this.#list = envelopeWriter(settings.lists.envelope, runtime.model, 'lists');
    this.#search = settings.search ? envelopeWriter(settings.search.envelope, runtime.model, 'search') : this.#list;
    this.#expander = new Expander(runtime);
    this.#additions = additions(runtime.model);
  }

  /**
   * The JSON text of a result.
   * @throws Failure when a path cannot be expanded
   */
  text(host: Host, request: RequestInfo, result: OperationResult, expand: readonly string[]): string {
    if (result.kind === 'page') return this.#page(host, request, result.page, expand);
    const text = this.#single(host, request, result, expand);
    return this.#additions === null ? text : withMembers(text, this.#additions(host, request));
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
        return JSON.stringify(this.runtime.resources[result.resource].answer().value(host, result.value));
      case 'value':
        return JSON.stringify(result.value);
    }
  }

  /** The JSON text of an object's answer, kept for the next time it is read. */
  row(host: Host, row: Row, keep = true): string {
    const resource = this.runtime.resources[row.resource];
    const plan = resource.answer();
    const { version } = this.runtime.world;
    if (row.json !== null && (plan.pure || row.jsonVersion === version)) return row.json;
    const text = JSON.stringify(answerOf(host, resource, row));
    if (keep) {
      row.json = text;
      row.jsonVersion = version;
    }
    return text;
  }

  #page(host: Host, request: RequestInfo, page: Page, expand: readonly string[]): string {
    const items =
      expand.length > 0
        ? this.#expander.page(host, page, expand).map((item) => JSON.stringify(item))
        : page.rows.map((row) => this.row(host, row));
    return (page.envelope === 'search' ? this.#search : this.#list)(host, request, page, items.join(','));
  }
}

/** Compiles envelopes and additions to find their mistakes. */
export function checkAnswers(model: Model): void {
  envelopeWriter(model.settings.lists.envelope, model, 'lists');
  if (model.settings.search) envelopeWriter(model.settings.search.envelope, model, 'search');
  additions(model);
  const file = model.source.one('pack');
  for (const name of Object.keys(model.settings.addToAnswers ?? {})) {
    const owner = model.resources.find((def) => def.schema.fields.has(name));
    if (!owner || !file) continue;
    const place = { file, path: ['answers', 'add', name] };
    model.linking.problem(place, 'duplicate-key', `${owner.title} has a field '${name}' of its own`, { at: 'key' });
  }
}

/** The text of members, without braces, that are added to answers. */
type Additions = (host: Host, request: RequestInfo) => string;

/** Compiles `answers.add`; null when there is nothing to add. */
function additions(model: Model): Additions | null {
  const file = model.source.one('pack');
  const { addToAnswers } = model.settings;
  if (!file || addToAnswers === null || Object.keys(addToAnswers).length === 0) return null;
  const scope = rootScope();
  const { slot } = scope.declare('request', REQUEST_TYPE);
  const { run } = model.linking.template({ file, path: ['answers', 'add'] }, addToAnswers, scope, model.env);
  return (host, request) => {
    const frame = frameOf(host, scope.layout.size);
    frame[slot] = request;
    return JSON.stringify(run(frame)).slice(1, -1);
  };
}

/** The text of an object with members added at its end; other texts stay as they are. */
function withMembers(text: string, members: string): string {
  if (!text.startsWith('{')) return text;
  return text === '{}' ? `{${members}}` : `${text.slice(0, -1)},${members}}`;
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
    const frame = frameOf(host, scope.layout.size);
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
