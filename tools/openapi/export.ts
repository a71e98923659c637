import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import {
  type ListSettings,
  type OperationFile,
  type PackFile,
  readLists,
  type ResourceDef,
  rulesOf,
  type Schema,
} from '../../engine/model/index.js';
import type { Operation, Program, Route } from '../../engine/program/index.js';

type TimeFormat = NonNullable<PackFile['timestamps']>;

/** What envelopes of lists may name, as types. */
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

const MEDIA: Readonly<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

/** A pack as an OpenAPI 3.1 document: its operations, their parameters, and what its resources look like. */
export function exportDocument(program: Program): JsonObject {
  const { settings, resources } = program.model;
  const paths: Record<string, Record<string, Json>> = {};
  const shapes = new Map<string, string>();
  const ids = new Set<string>();
  for (const operation of program.operations) {
    for (const route of operation.routes) {
      const own = route.path.replaceAll('+}', '}');
      const shape = own.replace(/\{[^{}]+\}/g, '{}');
      const path = shapes.get(shape) ?? own;
      shapes.set(shape, path);
      const method = route.method.toLowerCase();
      const item = (paths[path] ??= {});
      item[method] ??= described(program, operation, route, path, freshId(operation, ids));
    }
  }
  const schemas = Object.fromEntries(resources.map((def) => [def.name, resourceSchema(def, settings.time)]));
  return {
    openapi: '3.1.0',
    info: {
      title: settings.title,
      version: settings.version,
      ...(settings.faithfulTo === '' ? {} : { description: settings.faithfulTo }),
    },
    servers: [{ url: 'http://localhost:8801' }],
    security: Object.keys(schemes(program)).map((name) => ({ [name]: [] })),
    paths,
    components: { schemas, securitySchemes: schemes(program) },
  };
}

function freshId(operation: Operation, taken: Set<string>): string {
  const wish = operation.key.replaceAll('.', '_');
  let id = wish;
  for (let n = 2; taken.has(id); n++) id = `${wish}_${n}`;
  taken.add(id);
  return id;
}

function schemes({ model }: Program): Record<string, Json> {
  const { auth } = model.settings;
  const made: Record<string, Json> = {};
  for (const word of auth.schemes) made[word] = { type: 'http', scheme: word };
  for (const { name } of auth.keyHeaders) made[`header_${name}`] = { type: 'apiKey', in: 'header', name };
  for (const { name } of auth.keyPlaces) made[`parameter_${name}`] = { type: 'apiKey', in: 'query', name };
  return made;
}

function described(program: Program, operation: Operation, route: Route, path: string, operationId: string): Json {
  const { settings } = program.model;
  const { time } = settings;
  const file = fileOf(operation);
  const renamed = new Map(route.names.map((name, at) => [name, [...path.matchAll(/\{([^{}]+)\}/g)][at]?.[1] ?? name]));
  const inPath = route.names.map((name): Json => {
    const schema = operation.params.get(name);
    return {
      name: renamed.get(name) ?? name,
      in: 'path',
      required: true,
      schema: schema ? schemaOf(schema, time) : { type: 'string' },
    };
  });
  const others = [...operation.params].filter(([name]) => !route.names.includes(name));
  const inQuery = route.method === 'GET' || route.method === 'DELETE';
  const query = inQuery
    ? others.map(([name, schema]): Json => ({
        name,
        in: 'query',
        required: schema.required === true,
        schema: schemaOf(schema, time),
      }))
    : [];
  const body: JsonObject =
    inQuery || others.length === 0 ? {} : { requestBody: requestBody(program, operation, others) };
  const description = file?.description;
  const made: Record<string, Json> = {
    operationId,
    ...(file?.title === undefined ? {} : { summary: file.title }),
    ...(description === undefined ? {} : { description }),
    tags: [operation.resource.collection],
    parameters: [...inPath, ...query, ...paging(operation, file, program)],
    ...body,
    responses: {
      [String(operation.status)]: streamed(operation, file, responseOf(program, operation, file)),
      default: { description: 'An error of the catalogue.', content: { [settings.contentType.split(';')[0]]: {} } },
    },
    ...(operation.open ? { security: [] } : {}),
  };
  return made;
}

/** A response that may also, or always, come as server-sent events. */
function streamed({ stream }: Operation, file: OperationFile | undefined, usual: JsonObject): Json {
  if (stream === null) return usual;
  const { content } = usual;
  const other = file?.stream?.when === undefined ? {} : isObject(content) ? content : {};
  return { description: 'Done.', ...usual, content: { ...other, 'text/event-stream': { schema: { type: 'string' } } } };
}

function fileOf({ resource, name }: Operation): OperationFile | undefined {
  const { operations } = resource.file;
  return operations === undefined || Array.isArray(operations)
    ? undefined
    : (operations as Readonly<Record<string, OperationFile>>)[name];
}

function requestBody({ model }: Program, { whole }: Operation, params: readonly (readonly [string, Schema])[]): Json {
  const { settings } = model;
  const one = params.find(([name]) => name === whole?.as)?.[1];
  if (whole !== null && one !== undefined) {
    const isText = whole.type === 'bytes' || whole.type === 'lines';
    const schema = isText ? { type: 'string', format: 'binary' } : schemaOf(one, settings.time);
    const type = whole.contentType === '*' ? 'application/octet-stream' : whole.contentType;
    return { required: one.required === true, content: { [type]: { schema } } };
  }
  const schema = {
    type: 'object',
    properties: Object.fromEntries(params.map(([name, each]) => [name, schemaOf(each, settings.time)])),
    ...requiredOf(params),
    ...(settings.rejectUnknown ? { additionalProperties: false } : {}),
  };
  const encodings = settings.encodings.size > 0 ? [...settings.encodings] : [settings.requests];
  return {
    required: params.some(([, each]) => each.required === true),
    content: Object.fromEntries(encodings.map((each) => [MEDIA[each] ?? each, { schema }])),
  };
}

function requiredOf(params: readonly (readonly [string, Schema])[]): { required?: string[] } {
  const required = params.filter(([, each]) => each.required === true).map(([name]) => name);
  return required.length > 0 ? { required } : {};
}

/** Parameters that ask for a page of a list. */
function paging(operation: Operation, file: OperationFile | undefined, program: Program): Json[] {
  if (operation.kind !== 'list') return [];
  const { param, min, max, paging: way, after, before } = listsOf(operation, file, program);
  const query = (name: string, schema: Json): Json => ({ name, in: 'query', required: false, schema });
  return [
    query(param, { type: 'integer', minimum: min, maximum: max }),
    ...(way.kind === 'cursor' ? [...after, ...(before === null ? [] : [before])] : [way.param]).map((name) =>
      query(name, way.kind === 'page' || way.kind === 'offset' ? { type: 'integer' } : { type: 'string' }),
    ),
  ];
}

function responseOf(program: Program, operation: Operation, file: OperationFile | undefined): JsonObject {
  const { settings } = program.model;
  const { status, content, kind, resource } = operation;
  if ([204, 205, 304].includes(status)) return { description: 'Done.' };
  const type = settings.contentType.split(';')[0];
  const ref = { $ref: `#/components/schemas/${resource.name}` };
  const isStandard = file?.return === undefined && file?.do === undefined;
  const schema: Json =
    kind === 'list'
      ? envelope(listsOf(operation, file, program).envelope, ref, resource.collection)
      : kind === 'retrieve' || ((kind === 'create' || kind === 'update') && (isStandard || !returns(file)))
        ? ref
        : {};
  const variants = (content?.variants ?? []).flatMap((each) => (each.type === null ? [] : [each.type.split(';')[0]]));
  const isUsual = content === null || content.usual === type;
  const types = [...new Set([...(isUsual ? [type] : []), ...variants])];
  return {
    description: 'Done.',
    content: Object.fromEntries(types.map((each): [string, Json] => [each, each === type ? { schema } : {}])),
  };
}

/** Whether an operation says itself what it answers. */
function returns(file: OperationFile | undefined): boolean {
  return file?.return !== undefined || JSON.stringify(file?.do ?? []).includes('"return"');
}

/** How a list is asked and returned: as pack.yaml, the resource and the operation say together. */
function listsOf({ resource }: Operation, file: OperationFile | undefined, { model }: Program): ListSettings {
  const pack = model.packPlace.file.data as PackFile;
  return readLists([pack.lists ?? {}, resource.file.lists ?? {}, file?.lists ?? {}]);
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

function resourceSchema(def: ResourceDef, time: TimeFormat): Json {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  const { fields } = def.schema;
  for (const [name, schema] of fields) {
    if (schema.hidden === true || schema.internal === true) continue;
    // What a view computes has the type that it declares; what is shown instead may have any.
    properties[name] = schema.shown === undefined ? shownSchema(schema, time) : {};
    if (schema.optional !== true && schema.on_expand !== true) required.push(name);
  }
  return { type: 'object', title: def.title, properties, ...(required.length > 0 ? { required } : {}) };
}

function shownSchema(schema: Schema, time: TimeFormat): Json {
  // An id may be expanded to the object, and texts may be shortened by nobody: only the type is told of responses.
  if (schema.kind === 'ref') return nullable({ type: ['string', 'object'] }, schema.nullable);
  if (schema.kind === 'object' || schema.kind === 'one_of') return {};
  return schemaOf(schema, time, false);
}

/** A type of the pack language as JSON Schema. */
export function schemaOf(schema: Schema, time: TimeFormat, rules = true): Json {
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

function bare(schema: Schema, time: TimeFormat, rules: boolean): JsonObject {
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
  const { min, max, max_length, pattern, format, clamp } = rulesOf(schema);
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
    if (clamp !== true) {
      put('minimum', min);
      put('maximum', max);
    }
  } else if (schema.kind === 'map') put('maxProperties', max);
  return made;
}
