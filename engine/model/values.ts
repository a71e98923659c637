import { type Json, type JsonObject, equal, isList, isObject, jsonSchemaProblem } from '../values/index.js';
import { LIMITS } from '../limits.js';
import { notThis } from '../pack/index.js';
import { readInstant, type TimeFormat, writeInstant } from '../world/index.js';
import { type BrokenRule, brokenRule } from './broken-rules.js';
import { impossible, type ObjectSchema, type Schema } from './schema.js';

/** Where a value doesn't match its schema, and why. */
interface Misfit {
  readonly path: string;
  readonly message: string;
}

/** Checks a value against a schema. Objects may lack fields, which get defaults, but unknown fields are a misfit. */
export function misfit(schema: Schema, value: Json, path: string, time: TimeFormat): Misfit | undefined {
  if (value === null) return schema.nullable || schema.optional ? undefined : { path, message: 'must not be null' };
  switch (schema.kind) {
    case 'any':
      return undefined;
    case 'string':
    case 'ref':
      return typeof value === 'string' ? ruleMisfit(schema, value, path) : { path, message: 'must be text' };
    case 'enum':
      return typeof value === 'string' && schema.values.includes(value)
        ? undefined
        : { path, message: `must be one of ${schema.values.join(', ')}${notThis(value, schema.values)}` };
    case 'const':
      return equal(value, schema.constant)
        ? undefined
        : { path, message: `must be ${JSON.stringify(schema.constant)}` };
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value)
        ? ruleMisfit(schema, value, path)
        : { path, message: 'must be an integer' };
    case 'number':
      return typeof value === 'number' ? ruleMisfit(schema, value, path) : { path, message: 'must be a number' };
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { path, message: 'must be true or false' };
    case 'timestamp':
      if (isInstant(value, time)) return undefined;
      return { path, message: time === 'unix' ? 'must be a time in Unix seconds' : 'must be an ISO 8601 time' };
    case 'array':
      if (!isList(value)) return { path, message: 'must be a list' };
      return ruleMisfit(schema, value, path) ?? itemsMisfit(schema.items, value, path, time);
    case 'json_schema': {
      const problem = jsonSchemaProblem(value);
      return problem === undefined ? undefined : { path, message: `must be a JSON Schema: ${problem}` };
    }
    case 'map':
      if (!isObject(value)) return { path, message: 'must be a map' };
      return (
        ruleMisfit(schema, value, path) ??
        (schema.of === undefined ? undefined : valuesMisfit(schema.of, value, path, time))
      );
    case 'object':
      return isObject(value) ? fieldsMisfit(schema, value, path, time) : { path, message: 'must be a map' };
    case 'one_of':
      for (const option of schema.options) if (misfit(option, value, path, time) === undefined) return undefined;
      return { path, message: 'is of none of the types it may have' };
    default:
      return impossible(schema);
  }
}

/** Converts a value's instants to the pack's time format, in which instants are compared. Invalid ones stay unchanged. */
export function withInstants(schema: Schema, value: Json, time: TimeFormat): Json {
  switch (schema.kind) {
    case 'timestamp':
      return isInstant(value, time) ? writeInstant(time, readInstant(value)) : value;
    case 'array':
      return isList(value) ? value.map((item) => withInstants(schema.items, item, time)) : value;
    case 'object':
      return isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([key, each]) => {
              const field = schema.fields.get(key);
              return [key, field === undefined ? each : withInstants(field, each, time)];
            }),
          )
        : value;
    default:
      return value;
  }
}

/** Checks the fields of an object against a schema; returns the first misfit. */
export function fieldsMisfit(
  { fields, open }: ObjectSchema,
  value: JsonObject,
  path: string,
  time: TimeFormat,
): Misfit | undefined {
  for (const key of Object.keys(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    const field = fields.get(key);
    if (field === undefined) {
      if (open) continue;
      return { path: at, message: 'is not a field' };
    }
    const wrong = misfit(field, value[key], at, time);
    if (wrong) return wrong;
  }
  for (const [key, field] of fields) {
    if (field.required === true && !Object.hasOwn(value, key))
      return { path: path === '' ? key : `${path}.${key}`, message: 'is missing' };
  }
  return undefined;
}

function itemsMisfit(items: Schema, list: readonly Json[], path: string, time: TimeFormat): Misfit | undefined {
  for (const [i, item] of list.entries()) {
    const wrong = misfit(items, item, `${path}[${i}]`, time);
    if (wrong) return wrong;
  }
  return undefined;
}

function valuesMisfit(of: Schema, map: JsonObject, path: string, time: TimeFormat): Misfit | undefined {
  for (const key of Object.keys(map)) {
    const wrong = misfit(of, map[key], `${path}.${key}`, time);
    if (wrong) return wrong;
  }
  return undefined;
}

function isInstant(value: Json, time: TimeFormat): boolean {
  const ms = time === 'unix' && !Number.isSafeInteger(value) ? NaN : readInstant(value);
  return Math.abs(ms) <= LIMITS.latest.value && (time === 'unix' || typeof value === 'string');
}

function ruleMisfit(schema: Schema, value: Json, path: string): Misfit | undefined {
  const broken = brokenRule(schema, value);
  if (broken === undefined) return undefined;
  return { path: broken.key === null ? path : `${path}.${broken.key}`, message: ruleMessage(broken) };
}

function ruleMessage({ rule, of, limit }: BrokenRule): string {
  switch (rule) {
    case 'pattern':
      return `does not match ${limit}`;
    case 'format':
      return `is not a valid ${limit}`;
    case 'decimals':
      return `has more than ${limit} decimals`;
    case 'min':
      return of === 'number' ? `must be at least ${limit}` : `has less than ${limit} ${UNITS[of]}`;
    case 'max':
    case 'max_length':
      return of === 'number' ? `must be at most ${limit}` : `has more than ${limit} ${UNITS[of]}`;
  }
}

const UNITS = { text: 'characters', list: 'items', map: 'keys', key: 'characters in its name' };

/** Returns the default by a field's type: null, empty or zero; undefined if the type has no such value. */
export function neutral(schema: Schema): Json | undefined {
  if (schema.default !== undefined && !hasTemplate(schema.default)) return schema.default;
  if (schema.nullable || schema.optional) return null;
  switch (schema.kind) {
    case 'map':
    case 'json_schema':
      return {};
    case 'array':
      return [];
    case 'const':
      return schema.constant;
    case 'object': {
      const made: Record<string, Json> = {};
      for (const [name, field] of schema.fields) {
        if (field.view !== undefined) continue;
        const value = neutral(field);
        if (value === undefined) return undefined;
        made[name] = value;
      }
      return made;
    }
    default:
      return undefined;
  }
}

/** Returns a placeholder for a field without a default that seed data leaves out. */
export function blank(schema: Schema): Json {
  const value = neutral(schema);
  if (value !== undefined) return value;
  switch (schema.kind) {
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'string':
      return '';
    case 'enum':
      return schema.values[0] ?? null;
    case 'object':
      return completed(schema, {});
    default:
      return null;
  }
}

/** Returns an object with all fields of its schema, in the schema's order; missing ones get placeholders. */
export function completed(schema: ObjectSchema, value: JsonObject): JsonObject {
  const made: Record<string, Json> = {};
  for (const [name, field] of schema.fields) {
    if (field.view !== undefined) continue;
    const given = value[name];
    if (given === undefined) made[name] = blank(field);
    else made[name] = isObject(given) && field.kind === 'object' ? completed(field, given) : given;
  }
  if (schema.open) {
    for (const [key, item] of Object.entries(value)) if (!(key in made)) made[key] = item;
  }
  return made;
}

/** Whether a value contains an expression. */
export function hasTemplate(value: Json): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (Array.isArray(value)) return (value as readonly Json[]).some(hasTemplate);
  return isObject(value) && Object.values(value).some(hasTemplate);
}
