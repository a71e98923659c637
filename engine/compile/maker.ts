import {
  accepts,
  type Compiled,
  describe,
  ExpressionFailure,
  type Frame,
  isObject,
  type Json,
  type JsonObject,
  layoutOf,
  putAt,
} from '../expression/index.js';
import { inside, misfit, type Place, type ResourceDef, type Schema, storedFields } from '../model/index.js';
import { Edits, type Execution, Failure } from '../program/index.js';
import { always, type MaybeConstant, splitConstants } from './constants.js';
import type { StepContext } from './context.js';
import type { Default, ObjectDefaults } from './defaults.js';

/** Computes a field's value: `frame` is the step's, `defaults` the frame over the object that is being made. */
type Give = ((frame: Frame, defaults: Frame) => Json) & MaybeConstant;

/** Makes a new object from what a step gives, what its parameters bring, and defaults. */
export type Maker = (frame: Frame, execution: Execution, id: string) => JsonObject;

/** Computes what becomes of fields of an object. */
export type Changer = (frame: Frame, execution: Execution, value: JsonObject) => Edits;

/** The variable whose members become fields (`from: params`). */
interface Source {
  readonly run: Compiled['run'];
  readonly fields: ReadonlyMap<string, unknown>;
}

/** Compiles `create`: every field gets its value from `with`, else from the source variable, else its default. */
export function compileMaker(
  context: StepContext,
  def: ResourceDef,
  given: { readonly with?: JsonObject; readonly from?: string },
  place: Place,
): Maker {
  const defaults = context.compiler.defaults(def);
  const { linking } = context.compiler;
  const source = sourceOf(context, given.from, place);
  const { direct, dotted } = splitPaths(given.with ?? {});
  const fields: [string, Give][] = [];
  for (const [name, schema] of def.schema.fields) {
    if (name === 'id' || schema.view !== undefined) continue;
    fields.push([name, give(name, schema)]);
  }
  reportUnknown(context, def, [...direct.keys(), ...dotted.map(([path]) => path.split('.')[0])], inside(place, 'with'));
  const inner = dotted.map(([path, value]) => {
    const keys = path.split('.');
    return [
      keys,
      compileValue(context, defaults, schemaAt(def.schema, keys), value, inside(place, 'with', path)),
    ] as const;
  });

  function give(name: string, schema: Schema): Give {
    const fieldPlace = inside(def.place, 'fields', name);
    if (name === def.status) {
      const initial = def.machine?.initial ?? null;
      if (direct.has(name))
        linking.problem(inside(place, 'with', name), 'status-set', `'${name}' is moved by the machine only`, {
          at: 'key',
        });
      return always(initial);
    }
    const own = direct.get(name);
    if (own !== undefined) return compileValue(context, defaults, schema, own, inside(place, 'with', name));
    const fallback = defaults.of(schema, fieldPlace);
    const sent = source?.fields.has(name) ? source : undefined;
    if (!sent) {
      if (!fallback) linking.problem(place, 'missing-field', `${def.title} needs a value for '${name}'`);
      return fallbackGive(fallback);
    }
    if (!fallback) reportAbsent(context, def, name, given.from);
    const complete = defaults.completion(schema, fieldPlace);
    return (frame, over) => {
      const params = sent.run(frame);
      const value = isObject(params) && Object.hasOwn(params, name) ? params[name] : undefined;
      if (value === undefined || (value === null && !schema.nullable))
        return fallback ? fallback(over) : (value ?? null);
      if (schema.merge) return mergeMaps({}, value);
      return complete ? complete(value, over) : value;
    };
  }

  // Given values first, then defaults, so that a default may read any field that was given, wherever it stands.
  const rank = (name: string): number =>
    direct.has(name) || name === def.status ? 0 : source?.fields.has(name) ? 1 : 2;
  const ordered = [...fields].sort(([a], [b]) => rank(a) - rank(b));
  const { constants, others } = splitConstants(ordered);
  const layout = layoutOf(storedFields(def)).maker(constants);
  return (frame, execution, id) => {
    const made = layout();
    made['id'] = id;
    const over = defaults.frame(execution, made);
    for (const { name, give: value } of others) made[name] = value(frame, over);
    for (const [keys, value] of inner) made[keys[0]] = putAt(made[keys[0]], keys.slice(1), value(frame, over));
    return made;
  };
}

/** Compiles `set`: the given fields (dotted keys reach inside), and those that the source variable brings. */
export function compileChanger(
  context: StepContext,
  def: ResourceDef,
  given: { readonly to?: JsonObject; readonly from?: string },
  place: Place,
): Changer {
  const defaults = context.compiler.defaults(def);
  const { linking } = context.compiler;
  const source = sourceOf(context, given.from, place);
  const entries = Object.entries(given.to ?? {});
  reportUnknown(
    context,
    def,
    entries.map(([path]) => path.split('.')[0]),
    inside(place, 'to'),
  );
  const changes = entries.map(([path, value]) => {
    const keys = path.split('.');
    const at = inside(place, 'to', path);
    if (keys[0] === def.status || keys[0] === 'id') {
      linking.problem(
        at,
        'status-set',
        keys[0] === 'id' ? 'an id never changes' : `'${keys[0]}' is moved by the machine only`,
        { at: 'key' },
      );
    }
    return {
      name: keys[0],
      below: keys.slice(1),
      give: compileValue(context, defaults, schemaAt(def.schema, keys), value, at),
    };
  });
  const sent = source
    ? [...def.schema.fields].filter(
        ([name, schema]) =>
          name !== 'id' && name !== def.status && schema.view === undefined && source.fields.has(name),
      )
    : [];
  const received = sent.map(([name, schema]) => ({
    name,
    schema,
    complete: defaults.completion(schema, inside(def.place, 'fields', name)),
  }));

  return (frame, execution, value) => {
    const over = defaults.frame(execution, value);
    const edits = new Edits(value);
    const params = source?.run(frame);
    if (isObject(params ?? null)) {
      for (const { name, schema, complete } of received) {
        if (!Object.hasOwn(params as JsonObject, name)) continue;
        const next = receive(value[name] ?? null, (params as JsonObject)[name], schema);
        refuseTooMany(schema, name, next);
        edits.set(name, complete ? complete(next, over) : next);
      }
    }
    for (const { name, below, give } of changes) {
      edits.set(name, below.length === 0 ? give(frame, over) : putAt(edits.get(name), below, give(frame, over)));
    }
    return edits;
  };
}

/** Warns of a parameter that may be left out although the field that it becomes must have a value. */
function reportAbsent(
  { compiler, params }: StepContext,
  def: ResourceDef,
  name: string,
  from: string | undefined,
): void {
  const param = from === 'params' ? params?.get(name) : undefined;
  if (!param || param.required || param.default !== undefined) return;
  compiler.linking.problem(
    param.place,
    'missing-field',
    `${def.title} needs a value for '${name}', but this parameter may be left out`,
    { at: 'key', severity: 'warning' },
  );
}

/** What a sent value makes of the current one: maps merge, objects take over what was sent. */
function receive(current: Json, sent: Json, schema: Schema): Json {
  if (schema.merge) return mergeMaps(isObject(current) ? current : {}, sent);
  if (schema.kind === 'object' && isObject(sent) && isObject(current)) {
    const made: Record<string, Json> = { ...current };
    for (const [key, value] of Object.entries(sent)) {
      const field = schema.fields?.get(key);
      made[key] = field ? receive(current[key] ?? null, value, field) : value;
    }
    return made;
  }
  if (sent === null && !schema.nullable && !schema.optional)
    return schema.kind === 'map' ? {} : schema.kind === 'array' ? [] : sent;
  return sent;
}

/** A map that is merged holds no more keys than its type allows, however few were sent. */
function refuseTooMany({ merge, max }: Schema, param: string, merged: Json): void {
  if (!merge || max === undefined || !isObject(merged)) return;
  const { length } = Object.keys(merged);
  if (length > max) throw new Failure('parameter_too_many', { param, kind: 'map', limit: max, value: String(length) });
}

/** Merges the keys of a map; an empty or null value deletes its key, an empty map deletes all. */
function mergeMaps(current: JsonObject, sent: Json): JsonObject {
  if (!isObject(sent)) return {};
  const made: Record<string, Json> = { ...current };
  for (const [key, value] of Object.entries(sent)) {
    if (value === null || value === '') delete made[key];
    else made[key] = value;
  }
  return made;
}

/** Compiles a value for a field: maps of the pack are completed with the defaults of the field's type. */
function compileValue(
  context: StepContext,
  defaults: ObjectDefaults,
  schema: Schema | undefined,
  value: Json,
  place: Place,
): Give {
  const { linking, env, model } = context.compiler;
  if (schema?.kind === 'object' && schema.fields && isObject(value))
    return compileObject(context, defaults, schema, value, place);
  const compiled = linking.template(place, value, context.scope, env);
  if (!schema) return compiled.constant === undefined ? compiled.run : always(compiled.constant);
  if (compiled.constant !== undefined) {
    const wrong = misfit(schema, compiled.constant, lastKey(place), model.settings.time);
    if (wrong) linking.problem(place, 'wrong-value', `${wrong.path} ${wrong.message}`);
  } else if (!accepts(schema.expr, compiled.type)) {
    linking.problem(
      place,
      'wrong-type',
      `'${lastKey(place)}' is ${describe(schema.expr)}, not ${describe(compiled.type)}`,
    );
  }
  const complete = defaults.completion(schema, schema.place);
  if (complete) return (frame, over) => complete(compiled.run(frame), over);
  if (compiled.constant !== undefined && typeof compiled.constant !== 'number') return always(compiled.constant);
  if (schema.kind !== 'integer') return compiled.run;
  const name = lastKey(place);
  return (frame) => wholeNumber(compiled.run(frame), name);
}

function compileObject(
  context: StepContext,
  defaults: ObjectDefaults,
  schema: Schema,
  value: JsonObject,
  place: Place,
): Give {
  const fields: [string, Give][] = [];
  for (const [name, field] of schema.fields ?? []) {
    if (field.view !== undefined) continue;
    if (value[name] !== undefined) {
      fields.push([name, compileValue(context, defaults, field, value[name], inside(place, name))]);
      continue;
    }
    const fallback = defaults.of(field, field.place);
    if (!fallback) context.compiler.linking.problem(place, 'missing-field', `'${name}' needs a value`);
    fields.push([name, fallbackGive(fallback)]);
  }
  for (const name of Object.keys(value)) {
    if (schema.fields?.has(name)) continue;
    if (schema.open) fields.push([name, compileValue(context, defaults, undefined, value[name], inside(place, name))]);
    else context.compiler.linking.unknown(inside(place, name), 'field', name, schema.fields?.keys() ?? [], 'key');
  }
  const { constants, others } = splitConstants(fields);
  const layout = layoutOf(fields.map(([name]) => name)).maker(constants);
  if (others.length === 0) return always(layout());
  return (frame, over) => {
    const made = layout();
    for (const { name, give } of others) made[name] = give(frame, over);
    return made;
  };
}

function fallbackGive(fallback: Default | undefined): Give {
  if (!fallback) return always(null);
  return fallback.constant === undefined ? (_frame, over) => fallback(over) : always(fallback.constant);
}

function wholeNumber(value: Json, name: string): Json {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new ExpressionFailure(`'${name}' must be an integer, not ${value}`);
  return value;
}

function sourceOf(context: StepContext, name: string | undefined, place: Place): Source | undefined {
  if (name === undefined) return undefined;
  const { linking, env } = context.compiler;
  const compiled = linking.bare(inside(place, 'from'), name, context.scope, env);
  if (compiled.type.kind === 'object') return { run: compiled.run, fields: compiled.type.fields };
  linking.problem(
    inside(place, 'from'),
    'wrong-type',
    `'${name}' is ${describe(compiled.type)}; fields come from an object such as params`,
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

function reportUnknown(context: StepContext, def: ResourceDef, names: readonly string[], place: Place): void {
  for (const name of names) {
    const schema = def.schema.fields.get(name);
    if (!schema) context.compiler.linking.unknown(inside(place, name), 'field', name, def.schema.fields.keys(), 'key');
    else if (schema.view !== undefined)
      context.compiler.linking.problem(inside(place, name), 'view-set', `'${name}' is computed when answered`, {
        at: 'key',
      });
  }
}

function schemaAt(schema: Schema, keys: readonly string[]): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const key of keys) at = at?.kind === 'map' ? at.of : at?.fields?.get(key);
  return at;
}

function lastKey(place: Place): string {
  return String(place.path.at(-1));
}
