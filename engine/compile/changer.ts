import { isObject, type Json, type JsonObject } from '../values/index.js';
import { bare, type Host, type Js, LastPut, type PlacedLine, scriptLiteral } from '../expression/index.js';
import { inside, keyIn, type SourceLocation, type ResourceDef, type Schema, schemaAt } from '../model/index.js';
import { type Complete, Edits, Rejection } from '../program/index.js';
import type { StepContext } from './context.js';
import { type ValueScope, compileValue, mergeMaps, reportUnknown, fieldSource } from './field-values.js';

/** JavaScript of changes; after its lines the variable `edits` holds them. */
interface CompiledUpdate {
  readonly lines: Js;
  readonly edits: string;
}

/** Compiles `set`: the given fields (dotted keys address members), and those of the source variable. */
export function compileChanger(
  context: StepContext,
  def: ResourceDef,
  given: { readonly to?: JsonObject; readonly from?: string },
  place: SourceLocation,
  value: string,
): CompiledUpdate {
  const { unit } = context.scope;
  const { diagnostics } = context.compiler;
  const defaults = context.compiler.defaults(def);
  const sight: ValueScope = { context, defaults, over: defaults.scope(context.scope, value) };
  const source = fieldSource(context, given.from, place);
  const entries = Object.entries(given.to ?? {});
  reportUnknown(
    context,
    def,
    entries.map(([path]) => path.split('.')[0]),
    inside(place, 'to'),
  );
  const changes = entries.map(([path, to]) => {
    const keys = path.split('.');
    const at = inside(place, 'to', path);
    if (keys[0] === def.status || keys[0] === 'id') {
      diagnostics.problem(
        keyIn(at),
        'status-set',
        keys[0] === 'id' ? 'an id never changes' : `'${keys[0]}' is moved by the machine only`,
      );
    }
    const { js } = compileValue(sight, schemaAt(def.schema, keys), to, at);
    return { name: keys[0], below: keys.slice(1), at, js };
  });
  const edits = unit.identifier('edits');
  const construct = `new ${unit.refer(Edits, 'Edits')}`;
  const names = changes.map(({ name }) => name);
  if (!source && changes.every(({ below }) => below.length === 0) && new Set(names).size === names.length) {
    const locals = changes.map(({ name, at, js }) => ({ local: unit.identifier(name), place: at, js }));
    const made = `${construct}(${value}, ${texts(names)}, [${locals.map(({ local }) => local).join(', ')}])`;
    return {
      edits,
      lines: [
        ...locals.map(({ local, place: at, js }) => ({ place: at, js: `const ${local} = ${bare(js)};` })),
        { place, js: `const ${edits} = ${made};` },
      ],
    };
  }
  const lines: (string | PlacedLine)[] = [`const ${edits} = ${construct}(${value});`];
  for (const [name, schema] of source ? def.schema.fields : []) {
    if (name === 'id' || name === def.status || schema.view !== undefined || !source?.fields.has(name)) continue;
    const complete = defaults.completion(schema, inside(def.place, 'fields', name));
    const more = complete ? `, ${unit.refer(complete, 'complete')}, x` : '';
    const taken = unit.refer(take, 'take');
    lines.push(`${taken}(${edits}, ${source?.js}, ${scriptLiteral(name)}, ${unit.refer(schema, 'schema')}${more});`);
  }
  for (const { name, below, at, js } of changes) {
    const field = scriptLiteral(name);
    const put = (): string => `${unit.refer(new LastPut(below), 'last')}.put(${edits}.get(${field}), ${js})`;
    lines.push({ place: at, js: `${edits}.set(${field}, ${below.length === 0 ? js : put()});` });
  }
  return { edits, lines };
}

/** Applies a member of the sent map to the field of the same name; does nothing if the member is missing. */
function take(edits: Edits, sent: Json, name: string, schema: Schema, complete?: Complete, x?: Host): void {
  if (!isObject(sent) || !Object.hasOwn(sent, name)) return;
  const next = receive(edits.of[name] ?? null, sent[name], schema);
  rejectTooMany(schema, name, next);
  edits.set(name, complete && x ? complete(next, x, edits.of) : next);
}

/** Returns the JavaScript of a list of texts. */
function texts(list: readonly string[]): string {
  return `[${list.map(scriptLiteral).join(', ')}]`;
}

/** Combines a sent value with the current one: maps are merged, members of objects replaced. */
function receive(current: Json, sent: Json, schema: Schema): Json {
  if (schema.merge) return mergeMaps(isObject(current) ? current : {}, sent);
  if (schema.kind === 'object' && isObject(sent) && isObject(current)) {
    const made: Record<string, Json> = { ...current };
    for (const [key, value] of Object.entries(sent)) {
      const field = schema.fields.get(key);
      made[key] = field ? receive(current[key] ?? null, value, field) : value;
    }
    return made;
  }
  if (sent === null && !schema.nullable && !schema.optional)
    return schema.kind === 'map' ? {} : schema.kind === 'array' ? [] : sent;
  return sent;
}

/** Rejects a merged map with more keys than its type allows. */
function rejectTooMany(schema: Schema, param: string, merged: Json): void {
  if (!schema.merge || schema.kind !== 'map' || schema.max === undefined || !isObject(merged)) return;
  const { max } = schema;
  const { length } = Object.keys(merged);
  if (length > max)
    throw new Rejection('parameter_too_many', { param, kind: 'map', limit: max, value: String(length) });
}
