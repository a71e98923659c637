import { define, isObject, type Json, type JsonObject } from '../values/index.js';
import {
  accepts,
  access,
  bare,
  type Compiled,
  describeType,
  fixed,
  type Host,
  type Js,
  LastPut,
  objectLiteral,
  ownMember,
  type PlacedLine,
  type Scope,
  scriptLiteral,
  sharedObject,
  wholeNumber,
  withArticle,
  wrongId,
} from '../expression/index.js';
import {
  inside,
  misfit,
  type ObjectSchema,
  type SourceLocation,
  type ResourceDef,
  type Schema,
  schemaAt,
  storedFields,
} from '../model/index.js';
import { type Complete, Edits, Rejection } from '../program/index.js';
import type { Defaults, StepContext } from './context.js';

/** JavaScript of a field's value, which may read the object that is being made. */
interface FieldValue extends Compiled {
  readonly place: SourceLocation;
}

/** JavaScript that makes an object; after its lines the variable `made` holds it. */
interface CompiledCreate {
  readonly lines: Js;
  readonly made: string;
  /** All members, and the variables that their values use; null if some are set only after the object exists. */
  readonly parts: { readonly members: readonly GivenMember[]; readonly locals: readonly Local[] } | null;
}

/** A member of an object: its name and the JavaScript of its value. */
type GivenMember = readonly [name: string, js: string];

/** A variable that holds the value of a field. */
interface Local extends PlacedLine {
  readonly field: string;
  readonly local: string;
  /** JavaScript of its value. */
  readonly value: string;
}

/** JavaScript of changes; after its lines the variable `edits` holds them. */
interface CompiledUpdate {
  readonly lines: Js;
  readonly edits: string;
}

/** The scopes of a field's value: that of the step, and that of defaults. */
interface ValueScope {
  readonly context: StepContext;
  readonly defaults: Defaults;
  readonly over: Scope;
}

/** The variable whose members become fields (`from: params`). */
interface FieldSource {
  readonly js: string;
  readonly fields: ReadonlyMap<string, unknown>;
}

/** Compiles `create`: every field gets its value from `with`, else from the source variable, else its default. */
export function compileMaker(
  context: StepContext,
  def: ResourceDef,
  given: { readonly with?: JsonObject; readonly from?: string },
  place: SourceLocation,
  id: string,
  /** JavaScript of the id, from that of the field that decides its prefix; undefined if the id exists already. */
  makeId?: (kind: string | undefined) => string,
): CompiledCreate {
  const { unit } = context.scope;
  const { diagnostics } = context.compiler;
  const made = unit.identifier('made');
  const defaults = context.compiler.defaults(def);
  const sight: ValueScope = { context, defaults, over: defaults.scope(context.scope, made) };
  const source = sourceOf(context, given.from, place);
  const { direct, dotted } = splitPaths(given.with ?? {});
  const fields: (readonly [string, FieldValue])[] = [];
  for (const [name, schema] of def.schema.fields) {
    if (name !== 'id' && schema.view === undefined) fields.push([name, fieldValue(name, schema)]);
  }
  reportUnknown(context, def, [...direct.keys(), ...dotted.map(([path]) => path.split('.')[0])], inside(place, 'with'));
  const inner = dotted.map(([path, value]): PlacedLine => {
    const [name, ...below] = path.split('.');
    const at = inside(place, 'with', path);
    const { js } = compileValue(sight, schemaAt(def.schema, [name, ...below]), value, at);
    const field = made + access(name);
    return { place: at, js: `${field} = ${unit.refer(new LastPut(below), 'last')}.put(${field}, ${js});` };
  });

  function fieldValue(name: string, schema: Schema): FieldValue {
    const fieldPlace = inside(def.place, 'fields', name);
    if (name === def.status) {
      if (direct.has(name))
        diagnostics.problem(inside(place, 'with', name), 'status-set', `'${name}' is moved by the machine only`, {
          at: 'key',
        });
      return always(def.machine?.initial ?? null, place, context.scope);
    }
    const own = direct.get(name);
    if (own !== undefined) return compileValue(sight, schema, own, inside(place, 'with', name));
    const sequence = def.sequences.find(({ field }) => field === name);
    if (sequence !== undefined) {
      const js = `x.nextNumber(${unit.refer(sequence, 'sequence')}, ${made}${access(sequence.per)})`;
      return { type: schema.expr, js, place: fieldPlace };
    }
    const { parent } = context;
    if (parent?.resource === def && parent.field === name)
      return { type: schema.expr, js: `${parent.js}.id`, place: fieldPlace };
    const fallback = defaults.of(schema, fieldPlace, sight.over);
    const sent = source?.fields.has(name) ? source : undefined;
    if (!sent) {
      if (!fallback) diagnostics.problem(place, 'missing-field', `${def.title} needs a value for '${name}'`);
      return byDefault(fallback, place, context.scope);
    }
    if (!fallback) reportAbsent(context, def, name, given.from);
    const complete = defaults.completion(schema, fieldPlace);
    const brought = `${unit.refer(ownMember, 'ownMember')}(${sent.js}, ${scriptLiteral(name)})`;
    const otherwise = fallback?.js ?? 'null';
    const at = inside(place, 'from');
    const asIs = !schema.merge && !complete && (!schema.nullable || otherwise === 'null');
    if (asIs) return { type: schema.expr, js: `(${brought} ?? ${otherwise})`, place: at };
    const value = unit.temp(name);
    const kept = schema.merge
      ? `${unit.refer(mergeMaps, 'mergeMaps')}(${unit.constant(NOTHING)}, ${value})`
      : complete
        ? defaults.completed(complete, value, schema, sight.over).js
        : value;
    const absent = schema.nullable ? '=== undefined' : '== null';
    return { type: schema.expr, js: `((${value} = ${brought}) ${absent} ? ${otherwise} : ${kept})`, place: at };
  }

  // Given values come before defaults, so that a default may read any given field.
  const rank = (name: string): number =>
    direct.has(name) || name === def.status ? 0 : source?.fields.has(name) ? 1 : 2;
  const ordered = [...fields].sort(([a], [b]) => rank(a) - rank(b));
  // Values that read the object are computed after it exists, as are those that depend on them.
  const early: Local[] = [];
  const late: PlacedLine[] = [];
  const values = new Map([['id', id]]);
  for (const [name, each] of ordered) {
    if (each.constant !== undefined) values.set(name, each.js);
    else if (late.length > 0 || each.js.includes(made))
      late.push({ place: each.place, js: `${made}${access(name)} = ${bare(each.js)};` });
    else {
      const local = unit.identifier(name);
      values.set(name, local);
      const value = bare(each.js);
      early.push({ place: each.place, js: `const ${local} = ${value};`, field: name, local, value });
    }
  }
  const { by } = def.file.id ?? {};
  const kind = by === undefined ? undefined : values.get(by);
  if (by !== undefined && kind === undefined)
    diagnostics.problem(
      place,
      'invalid-value',
      `'${by}' decides the id, so its value does not come from the object itself`,
    );
  const identified: Js = makeId === undefined ? [] : [{ place, js: `const ${id} = ${makeId(kind)};` }];
  const members = storedFields(def).map((name) => [name, values.get(name) ?? 'null'] as const);
  return {
    made,
    parts: late.length > 0 || inner.length > 0 ? null : { members, locals: early },
    // The id is drawn first, unless a field decides its prefix.
    lines: [
      ...(by === undefined ? [...identified, ...early] : [...early, ...identified]),
      { place, js: `const ${made} = ${bare(objectLiteral(members))};` },
      ...late,
      ...inner,
    ],
  };
}

/** JavaScript of the id of a numbered object, made of its parent's id and its number; null if its key isn't numbered. */
export function numberedId(def: ResourceDef, { parent, scope: { unit } }: StepContext): string | null {
  const key = def.file.id?.key;
  if (key === undefined || parent?.resource !== def || key.length !== parent.names.length + 1) return null;
  const sequence = def.sequences.find(({ per }) => per === parent.field);
  if (sequence === undefined || !parent.names.every((name, index) => key[index] === name)) return null;
  const number = `x.nextNumber(${unit.refer(sequence, 'sequence')}, ${parent.js}.id)`;
  return `x.ownId(${unit.refer(def, `def_${def.name}`)}, ${parent.js}.id + "/" + ${number})`;
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
  const source = sourceOf(context, given.from, place);
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
        at,
        'status-set',
        keys[0] === 'id' ? 'an id never changes' : `'${keys[0]}' is moved by the machine only`,
        { at: 'key' },
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

/** Applies a sent value to a field; does nothing if none was sent. */
function take(edits: Edits, sent: Json, name: string, schema: Schema, complete?: Complete, x?: Host): void {
  if (!isObject(sent) || !Object.hasOwn(sent, name)) return;
  const next = receive(edits.of[name] ?? null, sent[name], schema);
  rejectTooMany(schema, name, next);
  edits.set(name, complete && x ? complete(next, x, edits.of) : next);
}

const NOTHING: JsonObject = {};

/** A list of texts as JavaScript. */
function texts(list: readonly string[]): string {
  return `[${list.map(scriptLiteral).join(', ')}]`;
}

/** Warns of an optional parameter that becomes a required field. */
function reportAbsent(
  { compiler, params }: StepContext,
  def: ResourceDef,
  name: string,
  from: string | undefined,
): void {
  const param = from === 'params' ? params?.get(name) : undefined;
  if (!param || param.required || param.default !== undefined) return;
  compiler.diagnostics.problem(
    param.place,
    'missing-field',
    `${def.title} needs a value for '${name}', but this parameter may be left out`,
    { at: 'key', severity: 'warning' },
  );
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

/** Merges maps: an empty or null value deletes its key; null or an empty text in place of the map deletes all keys. */
function mergeMaps(current: JsonObject, sent: Json): JsonObject {
  if (!isObject(sent)) return {};
  const entries = Object.entries(sent);
  if (entries.length === 0) return current;
  const made: Record<string, Json> = { ...current };
  for (const [key, value] of entries) {
    if (value === null || value === '') delete made[key];
    else made[key] = value;
  }
  return made;
}

/** Compiles a value for a field; maps written in the pack get the defaults of the field's type. */
function compileValue(sight: ValueScope, schema: Schema | undefined, value: Json, place: SourceLocation): FieldValue {
  const { context, defaults, over } = sight;
  const { diagnostics, env, model } = context.compiler;
  if (schema?.kind === 'object' && isObject(value)) return compileObject(sight, schema, value, place);
  const compiled = diagnostics.template(place, value, context.scope, env);
  const given = (more: Partial<FieldValue> = {}): FieldValue => ({ ...compiled, place, ...more });
  if (!schema) return given();
  diagnostics.keepsAddress(place, compiled, schema);
  if (compiled.constant !== undefined) {
    const wrong = misfit(schema, compiled.constant, lastKey(place), model.settings.time);
    if (wrong) diagnostics.problem(place, 'invalid-value', `${wrong.path} ${wrong.message}`);
    else checkConstantId(schema, compiled.constant, place, context);
  } else if (!accepts(schema.expr, compiled.type)) {
    diagnostics.problem(
      place,
      'wrong-type',
      `'${lastKey(place)}' is ${describeType(schema.expr)}, not ${describeType(compiled.type)}`,
    );
  }
  const stray = wrongId(schema.expr, compiled.type);
  if (stray !== undefined) diagnostics.problem(place, 'wrong-type', `'${lastKey(place)}' is ${stray}`);
  const complete = defaults.completion(schema, schema.place);
  if (complete) return given({ ...defaults.completed(complete, compiled.js, schema, over), constant: undefined });
  if (schema.kind !== 'integer' || (compiled.constant !== undefined && typeof compiled.constant !== 'number'))
    return given();
  const whole = context.scope.unit.refer(wholeNumber, 'wholeNumber');
  return given({ constant: undefined, js: `${whole}(${compiled.js}, ${scriptLiteral(lastKey(place))})` });
}

function compileObject(sight: ValueScope, schema: ObjectSchema, value: JsonObject, place: SourceLocation): FieldValue {
  const { context, defaults, over } = sight;
  const { diagnostics } = context.compiler;
  const fields: (readonly [string, FieldValue])[] = [];
  for (const [name, field] of schema.fields) {
    if (field.view !== undefined) continue;
    if (value[name] !== undefined) {
      fields.push([name, compileValue(sight, field, value[name], inside(place, name))]);
      continue;
    }
    const fallback = defaults.of(field, field.place, over);
    if (!fallback) diagnostics.problem(place, 'missing-field', `'${name}' needs a value`);
    fields.push([name, byDefault(fallback, place, context.scope)]);
  }
  for (const name of Object.keys(value)) {
    if (schema.fields.has(name)) continue;
    if (schema.open) fields.push([name, compileValue(sight, undefined, value[name], inside(place, name))]);
    else diagnostics.unknown(inside(place, name), 'field', name, schema.fields.keys(), 'key');
  }
  const constant = constantOf(fields);
  if (constant) return always(constant, place, context.scope);
  const js = objectLiteral(fields.map(([name, each]) => [name, each.js]));
  return { type: schema.expr, js: sharedObject(js, context.scope.unit), place };
}

/** The object made of these fields, if all of them are constant. */
function constantOf(fields: readonly (readonly [string, FieldValue])[]): JsonObject | undefined {
  const made: Record<string, Json> = {};
  for (const [name, { constant }] of fields) {
    if (constant === undefined) return undefined;
    define(made, name, constant);
  }
  return made;
}

/** Reports a constant id that doesn't match the resource's ids but is a variable's name: an `=` is missing. */
function checkConstantId(schema: Schema, value: Json, place: SourceLocation, { compiler, scope }: StepContext): void {
  if (schema.kind !== 'ref' || typeof value !== 'string' || scope.lookup(value) === undefined) return;
  const { byName, diagnostics } = compiler.model;
  const named = schema.refs.flatMap((name) => byName.get(name) ?? []);
  if (named.length < schema.refs.length || named.some(({ ids }) => ids.pattern.test(value))) return;
  const what = named.map(({ title }) => withArticle(title)).join(' or ');
  diagnostics.problem(place, 'invalid-value', `'${value}' is no id of ${what}`, { suggestion: `=${value}` });
}

function always(value: Json, place: SourceLocation, { unit }: Scope): FieldValue {
  return { ...fixed(value, unit), place };
}

function byDefault(fallback: Compiled | undefined, place: SourceLocation, scope: Scope): FieldValue {
  return fallback ? { ...fallback, place } : always(null, place, scope);
}

function sourceOf(context: StepContext, name: string | undefined, place: SourceLocation): FieldSource | undefined {
  if (name === undefined) return undefined;
  const { diagnostics, env } = context.compiler;
  const compiled = diagnostics.bare(inside(place, 'from'), name, context.scope, env);
  if (compiled.type.kind === 'object') return { js: compiled.js, fields: compiled.type.fields };
  diagnostics.problem(
    inside(place, 'from'),
    'wrong-type',
    `'${name}' is ${describeType(compiled.type)}; fields come from an object such as params`,
  );
  return undefined;
}

function splitPaths(given: JsonObject): { direct: Map<string, Json>; dotted: [string, Json][] } {
  const entries = Object.entries(given);
  return {
    direct: new Map(entries.filter(([key]) => !key.includes('.'))),
    dotted: entries.filter(([key]) => key.includes('.')),
  };
}

function reportUnknown(context: StepContext, def: ResourceDef, names: readonly string[], place: SourceLocation): void {
  for (const name of names) {
    const schema = def.schema.fields.get(name);
    if (!schema)
      context.compiler.diagnostics.unknown(inside(place, name), 'field', name, def.schema.fields.keys(), 'key');
    else if (schema.view !== undefined)
      context.compiler.diagnostics.problem(inside(place, name), 'view-set', `'${name}' is computed for the response`, {
        at: 'key',
      });
  }
}

function lastKey(place: SourceLocation): string {
  return String(place.path.at(-1));
}
