import { isObject, type Json, type JsonObject } from '../values/index.js';
import {
  type ListSettings,
  type Model,
  type OperationFile,
  type PackFile,
  readLists,
  type ResourceDef,
  rulesOf,
  type Schema,
} from '../model/index.js';
import type { Operation } from './operation.js';
import { ruleKeywords } from './rule-schema.js';

type JsonTimeFormat = NonNullable<PackFile['timestamps']>;

/** JSON Schemas of the values that the envelope of a list may contain, by name. */
const ENVELOPE: Readonly<Record<string, Json>> = {
  has_more: { type: 'boolean' },
  url: { type: 'string' },
  next_cursor: { type: ['string', 'null'] },
  next_token: { type: ['string', 'null'] },
  total_count: { type: 'integer' },
  page: { type: 'integer' },
  pages: { type: 'integer' },
  size: { type: 'integer' },
  offset: { type: 'integer' },
  next_url: { type: ['string', 'null'] },
  prev_url: { type: ['string', 'null'] },
  first_url: { type: ['string', 'null'] },
  last_url: { type: ['string', 'null'] },
};

/** Returns the declaration of an operation in its file; undefined if the file only lists the operation's name. */
export function fileOf({ resource, name }: Operation): OperationFile | undefined {
  const { operations } = resource.file;
  return operations === undefined || Array.isArray(operations)
    ? undefined
    : (operations as Readonly<Record<string, OperationFile>>)[name];
}

/** Returns the paging parameters of a list or search, as JSON Schema by name. */
export function pagingSchemas(operation: Operation, model: Model): ReadonlyMap<string, Json> {
  const { search } = model.settings;
  if (operation.kind !== 'list' && (operation.kind !== 'search' || !search)) return new Map();
  const { param, size, min, max, paging: way, after, before } = listsOf(operation, model);
  const made = new Map<string, Json>();
  const most = `How many ${operation.resource.collection} a page has at most (default: ${size}).`;
  made.set(param, { type: 'integer', minimum: min, maximum: max, description: most });
  if (operation.kind === 'search' && search) {
    made.set(search.param, { type: 'string', description: 'The query: conditions on fields.' });
    made.set(search.page, {
      type: 'string',
      description: 'Token of the next page, as the page before it returned it.',
    });
  } else if (way.kind === 'page') made.set(way.param, { type: 'integer', description: 'Number of the page.' });
  else if (way.kind === 'offset')
    made.set(way.param, { type: 'integer', description: 'How many are skipped before the page begins.' });
  else if (way.kind === 'token')
    made.set(way.param, { type: 'string', description: 'Token of the next page, as the page before it returned it.' });
  else {
    for (const name of after)
      made.set(name, { type: 'string', description: 'Cursor: the page starts after this object.' });
    if (before !== null) made.set(before, { type: 'string', description: 'Cursor: the page ends before this object.' });
  }
  return made;
}

/**
 * Returns the JSON Schema of an operation's result; `{}` if the operation declares none.
 * @param object JSON Schema of an object of the operation's resource
 */
export function resultSchema(operation: Operation, model: Model, object: Json): Json {
  const { kind, resource } = operation;
  if (kind === 'list') return envelope(listsOf(operation, model).envelope, object, resource.collection);
  const file = fileOf(operation);
  const isStandard = file?.return === undefined && file?.do === undefined;
  const isObject = kind === 'retrieve' || ((kind === 'create' || kind === 'update') && (isStandard || !returns(file)));
  return isObject ? object : {};
}

/** Builds the JSON Schema keyword `required` for parameters; empty if none is required. */
export function requiredOf(params: readonly (readonly [string, Schema])[]): { required?: string[] } {
  const required = params.filter(([, each]) => each.required === true).map(([name]) => name);
  return required.length > 0 ? { required } : {};
}

/** Whether an operation's file declares a result. */
function returns(file: OperationFile | undefined): boolean {
  return file?.return !== undefined || JSON.stringify(file?.do ?? []).includes('"return"');
}

/** Returns the list settings of an operation, combined from pack.yaml, the resource and the operation. */
function listsOf(operation: Operation, model: Model): ListSettings {
  const pack = model.packPlace.file.data as PackFile;
  const parts = [pack.lists ?? {}, operation.resource.file.lists ?? {}, fileOf(operation)?.lists ?? {}];
  return readLists(parts, model.fill);
}

function envelope(template: Json, item: Json, collection: string): Json {
  if (template === '${data}') return { type: 'array', items: item };
  if (typeof template === 'string') {
    const [, name] = /^\$\{(\w+)\}$/.exec(template) ?? [];
    if (name !== undefined && Object.hasOwn(ENVELOPE, name)) return ENVELOPE[name];
    return template.includes('${') ? {} : { const: template };
  }
  if (!isObject(template)) return { const: template };
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(template).map(([key, each]) => [
        key === '${collection}' ? collection : key,
        envelope(each, item, collection),
      ]),
    ),
  };
}

/** Returns the JSON Schema of a resource's objects in responses. */
export function resourceSchema(def: ResourceDef, time: JsonTimeFormat): Json {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  const { fields } = def.schema;
  for (const [name, schema] of fields) {
    if (schema.hidden === true || schema.internal === true) continue;
    // A field with `shown` may have any type; another computed field has its declared type.
    properties[name] = schema.shown === undefined ? shownSchema(schema, time) : {};
    if (schema.optional !== true && schema.on_expand !== true && schema.in_shapes !== true) required.push(name);
  }
  return { type: 'object', title: def.title, properties, ...(required.length > 0 ? { required } : {}) };
}

function shownSchema(schema: Schema, time: JsonTimeFormat): Json {
  // Only the type is certain in responses: an id may be expanded to its object, and texts may be shortened.
  if (schema.kind === 'ref') return nullable({ type: ['string', 'object'] }, schema.nullable);
  if (schema.kind === 'object' || schema.kind === 'one_of') return {};
  return schemaOf(schema, time, false);
}

/** Converts a type of the pack language to JSON Schema. */
export function schemaOf(schema: Schema, time: JsonTimeFormat, rules = true): Json {
  const made = bare(schema, time, rules);
  return nullable(rules ? { ...made, ...bounds(schema) } : made, schema.nullable);
}

function nullable(made: JsonObject, isNullable: boolean): Json {
  if (!isNullable || Object.keys(made).length === 0) return made;
  const { type } = made;
  if (Array.isArray(made['enum']))
    return { ...made, type: ['string', 'null'], enum: [...(made['enum'] as Json[]), null] };
  if (typeof type === 'string') return { ...made, type: [type, 'null'] };
  if (Array.isArray(type)) return { ...made, type: [...(type as Json[]), 'null'] };
  return { anyOf: [made, { type: 'null' }] };
}

function bare(schema: Schema, time: JsonTimeFormat, rules: boolean): JsonObject {
  switch (schema.kind) {
    case 'string':
    case 'ref':
      return { type: 'string' };
    case 'integer':
    case 'number':
    case 'boolean':
      return { type: schema.kind };
    case 'timestamp':
      return time === 'unix' ? { type: 'integer' } : { type: 'string', format: 'date-time' };
    case 'enum':
      return { type: 'string', enum: [...schema.values] };
    case 'const':
      return { const: schema.constant };
    case 'map':
      return { type: 'object', ...(schema.of ? { additionalProperties: schemaOf(schema.of, time, rules) } : {}) };
    case 'array':
      return { type: 'array', items: schemaOf(schema.items, time, rules) };
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries([...schema.fields].map(([name, each]) => [name, schemaOf(each, time, rules)])),
        ...requiredOf([...schema.fields]),
        ...(rules ? ruleKeywords(schema.rules?.()) : {}),
      };
    case 'one_of':
      return { anyOf: schema.options.map((each) => schemaOf(each, time, rules)) };
    case 'json_schema':
      return { type: 'object' };
    case 'any':
      return {};
  }
}

function bounds(schema: Schema): JsonObject {
  const { min, max, max_length, pattern, format, clamp, decimals } = rulesOf(schema);
  const made: Record<string, Json> = {};
  const put = (name: string, value: Json | undefined): void => {
    if (value !== undefined) made[name] = value;
  };
  if (schema.kind === 'string' || schema.kind === 'ref') {
    put('minLength', min);
    put('maxLength', max_length);
    put('pattern', (pattern ?? format?.pattern)?.source);
  } else if (schema.kind === 'array') {
    put('minItems', min);
    put('maxItems', max);
  } else if (schema.kind === 'integer' || schema.kind === 'number') {
    if (clamp !== true && clamp !== 'min') put('minimum', min);
    if (clamp !== true && clamp !== 'max') put('maximum', max);
    put('multipleOf', decimals === undefined ? undefined : Number(`1e-${decimals}`));
  } else if (schema.kind === 'map') put('maxProperties', max);
  return made;
}
