import { isObject, type Json } from '../values/index.js';
import { ANY, BOOLEAN, mapType, scriptLiteral, NUMBER, type Scope, STRING, type Type } from '../expression/index.js';
import { inside, keyIn, type Model, type SourceLocation } from '../model/index.js';
import type { Additions, Envelopes, EnvelopeWriter } from '../program/index.js';
import { functionScope, rootScope } from './context.js';

/** Compiles the envelopes of responses. */
export function compileEnvelopes(model: Model): Envelopes {
  const { lists, search } = model.settings;
  const list = envelopeWriter(lists.envelope, model, inside(model.packPlace, 'lists', 'envelope'));
  checkAdded(model);
  return {
    list,
    search: search ? envelopeWriter(search.envelope, model, inside(model.packPlace, 'search', 'envelope')) : list,
    searchAsked: new Map(
      Object.entries(search?.onExpand ?? {}).map(([name, value]) => [
        name,
        envelopeWriter({ [name]: value }, model, inside(model.packPlace, 'search', 'on_expand')),
      ]),
    ),
    additions: additions(model),
  };
}

/** Reports members of `answers.add` that have the name of a resource's field. */
function checkAdded(model: Model): void {
  for (const name of Object.keys(model.settings.addToResponses ?? {})) {
    const owner = model.resources.find((def) => def.schema.fields.has(name));
    if (!owner) continue;
    const place = inside(model.packPlace, 'answers', 'add', name);
    model.diagnostics.problem(keyIn(place), 'duplicate-key', `${owner.title} has a field '${name}' of its own`);
  }
}

/** Compiles `answers.add`, the members that are added to every response; null if there are none. */
function additions(model: Model): Additions | null {
  const { addToResponses } = model.settings;
  if (addToResponses === null || Object.keys(addToResponses).length === 0) return null;
  const place = inside(model.packPlace, 'answers', 'add');
  const seen = { request: model.env.request };
  const { scope, unit, parameters } = functionScope('answers.add', place, model.env, seen);
  const added = model.diagnostics.template(place, addToResponses, scope, model.env);
  return unit.function(parameters, [`return ${unit.refer(JSON, 'JSON')}.stringify(${added.js}).slice(1, -1);`]);
}

const COLLECTION = '${collection}';

/** Whether the envelope has the collection's name as a key. */
export function namesCollection(envelope: Json): boolean {
  return isObject(envelope) && Object.hasOwn(envelope, COLLECTION);
}

/** Returns JavaScript lines that declare a page's values (such as `has_more`) for an envelope. */
export function declarePage(scope: Scope, page: string): string[] {
  // Values that are costly to compute are calls, so that only envelopes that use them compute them.
  const known: [string, Type, string][] = [
    ['has_more', BOOLEAN, 'hasMore'],
    ['url', STRING, 'url'],
    ['next_cursor', STRING, 'nextCursor'],
    ['total_count', NUMBER, 'totalCount()'],
    ['page', NUMBER, 'pages().page'],
    ['pages', NUMBER, 'pages().pages()'],
    ['size', NUMBER, 'pages().size'],
    ['offset', NUMBER, 'pages().offset'],
    ['next_token', STRING, 'pages().nextToken'],
    ['next_url', STRING, 'pages().next()'],
    ['prev_url', STRING, 'pages().prev()'],
    ['first_url', STRING, 'pages().first()'],
    ['last_url', STRING, 'pages().last()'],
    ['link', STRING, 'pages().link()'],
  ];
  for (const [name, type, member] of known) scope.name(name, { js: `${page}.${member}`, type, live: false });
  return [];
}

/** Compiles an envelope; `${data}` is replaced by the texts of the items. */
export function envelopeWriter(envelope: Json, model: Model, place: SourceLocation, collection = ''): EnvelopeWriter {
  const scope = rootScope(`${place.path.join(' ')}`, place, model.env);
  const { unit } = scope;
  const page = unit.identifier('page');
  const items = unit.identifier('items');
  const request = scope.declare('request', model.env.request).js;
  declarePage(scope, page);
  scope.name('params', { js: `${page}.pages().given`, type: mapType(ANY), live: false });
  // `${data}` alone is written as text; inside an expression the items are parsed values.
  scope.name('data', { js: `${unit.refer(JSON, 'JSON')}.parse("[" + ${items} + "]")`, type: ANY, live: false });
  const written = (value: Json, at: SourceLocation): string => {
    if (value === '${data}') return `"[" + ${items} + "]"`;
    const { js } = model.diagnostics.template(at, value, scope, model.env);
    return `${unit.refer(JSON, 'JSON')}.stringify(${js})`;
  };
  if (!isObject(envelope)) return unit.function(['x', request, page, items], [`return ${written(envelope, place)};`]);
  const members = Object.entries(envelope).map(
    ([key, value]) =>
      `${scriptLiteral(`${JSON.stringify(key === COLLECTION ? collection : key)}:`)} + ${written(value, inside(place, key))}`,
  );
  const text = ['"{"', members.join(' + "," + '), '"}"'].filter((part) => part !== '').join(' + ');
  return unit.function(['x', request, page, items], [`return ${text};`]);
}
