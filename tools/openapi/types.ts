import { type Json, patternProblem } from '../../engine/values/index.js';
import { type Document, listOr, type Node, objectOr, textOr } from './document.js';

/** A type of the pack language: long form or name. */
export type PackType = string | Readonly<Record<string, unknown>>;

/** A resource field: its type in the pack language, and its value in a new object that was created without it. */
export interface Field {
  readonly type: PackType | Readonly<Record<string, unknown>>;
  readonly schema: unknown;
  /** Undefined if responses omit the key. */
  readonly at_first: Json | undefined;
  readonly nullable: boolean;
  /** A template of the current simulated time, for time fields. */
  readonly now?: string;
}

/** Maximum depth of described types; anything is accepted below it. */
const MAX_DEPTH = 4;

/** A schema with `allOf` merged and `null` separated. */
interface Plain {
  readonly schema: Node;
  readonly nullable: boolean;
}

/** Merges `allOf` and takes `null` out of unions and lists of types. */
export function plain(document: Document, given: unknown, depth = 0): Plain {
  let schema = document.at(given);
  let nullable = schema['nullable'] === true;
  const parts = listOr(schema['allOf']);
  if (parts.length > 0 && depth < 8) {
    const merged = parts.map((part) => plain(document, part, depth + 1));
    nullable ||= merged.some((part) => part.nullable);
    schema = mergeSchemas([...merged.map((part) => part.schema), without(schema, 'allOf')]);
  }
  const types = listOr(schema['type']).map(String);
  if (types.length > 0) {
    nullable ||= types.includes('null');
    const others = types.filter((type) => type !== 'null');
    schema = { ...schema, type: others.length === 1 ? others[0] : undefined };
  }
  for (const key of ['oneOf', 'anyOf']) {
    const options = listOr(schema[key]).map((each) => document.at(each));
    if (options.length === 0) continue;
    const real = options.filter((option) => option['type'] !== 'null');
    nullable ||= real.length < options.length;
    if (real.length !== 1 || depth >= 8) continue;
    const only = plain(document, real[0], depth + 1);
    nullable ||= only.nullable;
    schema = mergeSchemas([only.schema, without(schema, key)]);
  }
  if (listOr(schema['enum']).includes(null)) {
    nullable = true;
    schema = { ...schema, enum: listOr(schema['enum']).filter((value) => value !== null) };
  }
  return { schema, nullable };
}

/** Converts a schema to a type. `ref` returns the resource if a string is an id. */
export function typeOf(
  document: Document,
  given: unknown,
  use: 'field' | 'param',
  trail: readonly unknown[] = [],
): Record<string, unknown> {
  const { schema, nullable } = plain(document, given);
  const made = base(document, schema, use, trail);
  if (nullable && made['type'] !== 'any') made['nullable'] = true;
  return made;
}

function base(
  document: Document,
  schema: Node,
  use: 'field' | 'param',
  trail: readonly unknown[],
): Record<string, unknown> {
  const values = listOr(schema['enum']);
  if (values.length === 1 && use === 'field') return { const: values[0] };
  if (values.length > 0 && values.every((value) => typeof value === 'string')) return { enum: [...new Set(values)] };
  if ('const' in schema) return { const: schema['const'] };
  const numbers = values.filter((value) => Number.isInteger(value)) as readonly number[];
  if (use === 'param' && values.length > 0 && numbers.length === values.length)
    return { type: 'integer', min: Math.min(...numbers), max: Math.max(...numbers) };
  switch (schemaTypeName(schema)) {
    case 'string':
      return schema['format'] === 'date-time'
        ? { type: 'timestamp' }
        : { type: 'string', ...(use === 'param' ? textRules(schema) : {}) };
    case 'integer':
      return schema['format'] === 'unix-time'
        ? { type: 'integer' }
        : { type: 'integer', ...(use === 'param' ? numberRules(schema) : {}) };
    case 'number':
      return { type: 'number', ...(use === 'param' ? numberRules(schema) : {}) };
    case 'boolean':
      return { type: 'boolean' };
    case 'array':
      return {
        type: 'array',
        items:
          trail.length >= MAX_DEPTH
            ? 'any'
            : shortType(typeOf(document, schema['items'], use, [...trail, schema['items']])),
        ...(use === 'param' ? lengthRules(schema) : {}),
      };
    case 'object':
      return objectType(document, schema, use, trail);
    default:
      return use === 'param' ? choiceOf(document, schema, trail) : { type: 'any' };
  }
}

const MOST_OPTIONS = 6;

/** A union type. Objects of different schemas become one map. */
function choiceOf(document: Document, schema: Node, trail: readonly unknown[]): Record<string, unknown> {
  const given = ['oneOf', 'anyOf'].flatMap((key) => listOr(schema[key]));
  if (given.length < 2 || trail.length >= MAX_DEPTH) return { type: 'any' };
  const options = given.map((each) => typeOf(document, each, 'param', [...trail, each]));
  if (options.some((each) => each['type'] === 'any' || each['nullable'] === true || 'const' in each))
    return { type: 'any' };
  const objects = options.filter((each) => each['type'] === 'map' || each['type'] === 'object');
  const others = options.filter((each) => !objects.includes(each));
  const all = objects.length > 1 ? [...others, { type: 'map' }] : options;
  const flat = all.flatMap((each) =>
    Array.isArray(each['one_of']) ? (each['one_of'] as unknown[]) : [shortType(each)],
  );
  const unique = [...new Map(flat.map((each) => [JSON.stringify(each), each])).values()];
  if (unique.length === 1) return all[0];
  return unique.length > MOST_OPTIONS ? { type: 'any' } : { one_of: unique };
}

function objectType(
  document: Document,
  schema: Node,
  use: 'field' | 'param',
  trail: readonly unknown[],
): Record<string, unknown> {
  const properties = Object.entries(objectOr(schema['properties']));
  // A schema that contains itself ends here; it is recognised by its first property.
  const mark = properties[0]?.[1];
  if (properties.length === 0 || trail.length >= MAX_DEPTH || trail.includes(mark)) {
    const values = schema['additionalProperties'];
    const typed = typeof values === 'object' && values !== null && trail.length < MAX_DEPTH;
    return typed
      ? { type: 'map', values: shortType(typeOf(document, values, use, [...trail, values])) }
      : { type: 'map' };
  }
  const required = new Set(listOr(schema['required']));
  const fields: Record<string, PackType> = {};
  for (const [name, property] of properties) {
    const made = typeOf(document, property, use, [...trail, mark]);
    // A read-only property is required in responses only.
    if (use === 'param' && required.has(name) && document.at(property)['readOnly'] !== true) made['required'] = true;
    if (use === 'field' && made['type'] !== 'any' && !('const' in made)) {
      if (required.has(name)) made['nullable'] = true;
      else made['optional'] = true;
    }
    fields[name] = shortType(made);
  }
  // As in JSON Schema, additional members are accepted unless the document forbids them.
  const open = schema['additionalProperties'] !== false && use === 'param';
  return { type: 'object', fields, ...(open ? { open: true } : {}) };
}

/** Whether a schema is a file in a multipart body. */
export function isFile(schema: Node): boolean {
  return schema['format'] === 'binary' || schema['contentMediaType'] === 'application/octet-stream';
}

/** A type in its short form, if it has one. */
export function shortType(type: Record<string, unknown>): PackType {
  const keys = Object.keys(type);
  if (typeof type['type'] !== 'string' || type['type'] === 'object' || type['type'] === 'array') return type;
  if (keys.length === 1) return type['type'];
  return keys.length === 2 && type['nullable'] === true ? `${type['type']}?` : type;
}

/** The `type` of a schema; guessed from its keywords if it is missing. */
export function schemaTypeName(schema: Node): string {
  const given = textOr(schema['type']);
  if (given !== '') return given;
  if ('properties' in schema || 'additionalProperties' in schema) return 'object';
  if ('items' in schema) return 'array';
  return listOr(schema['enum']).length > 0 ? 'string' : '';
}

/** Limits on the length of a list. */
function lengthRules({ minItems: least, maxItems: most }: Node): Record<string, unknown> {
  return {
    ...(Number.isInteger(least) && Number(least) > 0 ? { min: least } : {}),
    ...(Number.isInteger(most) && Number(most) >= Number(least ?? 0) ? { max: most } : {}),
  };
}

function textRules(schema: Node): Record<string, unknown> {
  const pattern = textOr(schema['pattern']);
  const { minLength: least, maxLength: most } = schema;
  return {
    ...(Number.isInteger(least) && Number(least) > 0 && Number(most ?? least) >= Number(least) ? { min: least } : {}),
    ...(typeof schema['maxLength'] === 'number' ? { max_length: schema['maxLength'] } : {}),
    ...(pattern !== '' && patternProblem(pattern) === undefined ? { pattern } : {}),
  };
}

function numberRules(schema: Node): Record<string, unknown> {
  return {
    ...(isBound(schema['minimum']) ? { min: schema['minimum'] } : {}),
    ...(isBound(schema['maximum']) ? { max: schema['maximum'] } : {}),
  };
}

/** Bounds beyond the safe integers are ignored. */
function isBound(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function mergeSchemas(parts: readonly Node[]): Node {
  let made: Node = {};
  for (const part of parts) {
    made = {
      ...made,
      ...part,
      properties: { ...objectOr(made['properties']), ...objectOr(part['properties']) },
      required: [...listOr(made['required']), ...listOr(part['required'])],
    };
  }
  if (Object.keys(objectOr(made['properties'])).length > 0) return made;
  return without(made, 'properties');
}

function without(schema: Node, key: string): Node {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}

/** Whether a field of this type is a timestamp. */
export function isTimestamp(type: unknown): boolean {
  return type === 'timestamp' || type === 'timestamp?' || objectOr(type)['type'] === 'timestamp';
}

/** Whether a field of this type is text, including references. */
export function isText(type: unknown): boolean {
  return type === 'string' || type === 'string?' || objectOr(type)['type'] === 'string' || 'ref' in objectOr(type);
}
