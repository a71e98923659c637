import { ANY, BOOLEAN, frameOf, isObject, type Json, NUMBER, STRING } from '../expression/index.js';
import { inside, type Model, REQUEST_TYPE } from '../model/index.js';
import type { Additions, Envelopes, EnvelopeWriter } from '../program/index.js';
import { rootScope } from './context.js';

/** Compiles what stands around answers. */
export function compileEnvelopes(model: Model): Envelopes {
  const { lists, search } = model.settings;
  const list = envelopeWriter(lists.envelope, model, 'lists');
  checkAdded(model);
  return {
    list,
    search: search ? envelopeWriter(search.envelope, model, 'search') : list,
    additions: additions(model),
  };
}

/** What is added to answers must not stand in the place of a field. */
function checkAdded(model: Model): void {
  const file = model.source.one('pack');
  for (const name of Object.keys(model.settings.addToAnswers ?? {})) {
    const owner = model.resources.find((def) => def.schema.fields.has(name));
    if (!owner || !file) continue;
    const place = { file, path: ['answers', 'add', name] };
    model.linking.problem(place, 'duplicate-key', `${owner.title} has a field '${name}' of its own`, { at: 'key' });
  }
}

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
