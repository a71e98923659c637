import { define, isObject, type Json, type JsonObject } from '../values/index.js';
import {
  accepts,
  type Compiled,
  describeType,
  fixed,
  objectLiteral,
  type Scope,
  scriptLiteral,
  sharedObject,
  wholeNumber,
  withArticle,
  wrongId,
} from '../expression/index.js';
import {
  inside,
  keyIn,
  misfit,
  type ObjectSchema,
  type SourceLocation,
  type ResourceDef,
  type Schema,
} from '../model/index.js';
import type { Defaults, StepContext } from './context.js';

/** JavaScript of a field's value, which may read the object that is being made. */
export interface FieldValue extends Compiled {
  readonly place: SourceLocation;
}

/** The scopes in which a field's value is compiled: that of its step, and that of defaults. */
export interface ValueScope {
  readonly context: StepContext;
  readonly defaults: Defaults;
  readonly over: Scope;
}

/** The variable whose members become fields (`from: params`). */
interface FieldSource {
  readonly js: string;
  readonly fields: ReadonlyMap<string, unknown>;
}

/** Compiles a value for a field; maps written in the pack get the defaults of the field's type. */
export function compileValue(
  sight: ValueScope,
  schema: Schema | undefined,
  value: Json,
  place: SourceLocation,
): FieldValue {
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
    else diagnostics.unknown(keyIn(place, name), 'field', name, schema.fields.keys());
  }
  const constant = constantOf(fields);
  if (constant) return always(constant, place, context.scope);
  const js = objectLiteral(fields.map(([name, each]) => [name, each.js]));
  return { type: schema.expr, js: sharedObject(js, context.scope.unit), place };
}

/** Returns the object of some fields if all of them are constant; undefined otherwise. */
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

export function always(value: Json, place: SourceLocation, { unit }: Scope): FieldValue {
  return { ...fixed(value, unit), place };
}

export function byDefault(fallback: Compiled | undefined, place: SourceLocation, scope: Scope): FieldValue {
  return fallback ? { ...fallback, place } : always(null, place, scope);
}

export function fieldSource(
  context: StepContext,
  name: string | undefined,
  place: SourceLocation,
): FieldSource | undefined {
  if (name === undefined) return undefined;
  const { diagnostics, env } = context.compiler;
  const compiled = diagnostics.bare(inside(place, 'from'), name, context.scope, env);
  const { type } = compiled;
  const fields = type.kind === 'object' ? type.fields : type.kind === 'map' ? type.known : undefined;
  if (fields !== undefined) return { js: compiled.js, fields };
  diagnostics.problem(
    inside(place, 'from'),
    'wrong-type',
    `'${name}' is ${describeType(type)}: fields come from an object whose fields are declared, such as params`,
  );
  return undefined;
}

export function reportUnknown(
  context: StepContext,
  def: ResourceDef,
  names: readonly string[],
  place: SourceLocation,
): void {
  for (const name of names) {
    const schema = context.compiler.diagnostics.find(keyIn(place, name), 'field', name, def.schema.fields);
    if (schema)
      if (schema.view !== undefined)
        context.compiler.diagnostics.problem(keyIn(place, name), 'view-set', `'${name}' is computed for the response`);
  }
}

function lastKey(place: SourceLocation): string {
  return String(place.path.at(-1));
}

/** Merges maps: an empty or null value deletes its key; null or an empty text in place of the map deletes all keys. */
export function mergeMaps(current: JsonObject, sent: Json): JsonObject {
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
