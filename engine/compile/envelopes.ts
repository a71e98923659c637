import { ANY, BOOLEAN, isObject, type Json, literal, NUMBER, STRING, type Type } from '../expression/index.js';
import { inside, type Model } from '../model/index.js';
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
    searchAsked: new Map(
      Object.entries(search?.onExpand ?? {}).map(([name, value]) => [
        name,
        envelopeWriter({ [name]: value }, model, 'search', 'on_expand'),
      ]),
    ),
    additions: additions(model),
  };
}

/** What is added to answers must not stand in the place of a field. */
function checkAdded(model: Model): void {
  for (const name of Object.keys(model.settings.addToAnswers ?? {})) {
    const owner = model.resources.find((def) => def.schema.fields.has(name));
    if (!owner) continue;
    const place = inside(model.packPlace, 'answers', 'add', name);
    model.diagnostics.problem(place, 'duplicate-key', `${owner.title} has a field '${name}' of its own`, { at: 'key' });
  }
}

/** Compiles `answers.add`; null when there is nothing to add. */
function additions(model: Model): Additions | null {
  const { addToAnswers } = model.settings;
  if (addToAnswers === null || Object.keys(addToAnswers).length === 0) return null;
  const place = inside(model.packPlace, 'answers', 'add');
  const scope = rootScope('answers add', place, model.env);
  const request = scope.declare('request', model.env.request).js;
  const added = model.diagnostics.template(place, addToAnswers, scope, model.env);
  return scope.unit.function(
    ['x', request],
    [`return ${scope.unit.refer(JSON, 'JSON')}.stringify(${added.js}).slice(1, -1);`],
  );
}

/** Compiles an envelope; the key that is `${data}` takes the prepared texts of the items. */
function envelopeWriter(
  envelope: Json,
  model: Model,
  section: 'lists' | 'search',
  key: 'envelope' | 'on_expand' = 'envelope',
): EnvelopeWriter {
  const place = inside(model.packPlace, section, key);
  const scope = rootScope(`${section} ${key}`, place, model.env);
  const { unit } = scope;
  scope.declare('data', ANY);
  const page = unit.identifier('page');
  const items = unit.identifier('items');
  const request = scope.declare('request', model.env.request).js;
  const about = (name: string, type: Type, member: string): string =>
    `const ${scope.declare(name, type).js} = ${page}.${member};`;
  const known = [
    about('has_more', BOOLEAN, 'hasMore'),
    about('url', STRING, 'url'),
    about('next_cursor', STRING, 'nextCursor'),
    ...(JSON.stringify(envelope).includes('total_count') ? [about('total_count', NUMBER, 'totalCount()')] : []),
  ];
  const members = Object.entries(isObject(envelope) ? envelope : {}).map(([key, value]) => {
    const prefix = `${JSON.stringify(key)}:`;
    if (value === '${data}') return `${literal(`${prefix}[`)} + ${items} + "]"`;
    const { js } = model.diagnostics.template(inside(place, key), value, scope, model.env);
    return `${literal(prefix)} + ${unit.refer(JSON, 'JSON')}.stringify(${js})`;
  });
  const text = ['"{"', members.join(' + "," + '), '"}"'].filter((part) => part !== '').join(' + ');
  return unit.function(['x', request, page, items], [...known, `return ${text};`]);
}
