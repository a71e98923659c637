import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import type { OperationFile, ResourceDef, Schema } from '../../engine/model/index.js';
import {
  fileOf,
  type Operation,
  operationTitle,
  pagingSchemas,
  parameterDescription,
  type Program,
  requiredOf,
  resourceSchema,
  resultSchema,
  routeShape,
  ruleKeywords,
  ruleTexts,
  type OperationRoute,
  schemaOf,
} from '../../engine/program/index.js';

const MEDIA: Readonly<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

/** Exports a pack as an OpenAPI 3.1 document: its operations, parameters and resource schemas. */
export function exportDocument(program: Program): JsonObject {
  const { settings, resources } = program.model;
  const paths: Record<string, Record<string, Json>> = {};
  const shapes = new Map<string, string>();
  const ids = new Set<string>();
  for (const operation of program.operations) {
    for (const route of operation.routes) {
      const own = `${route.path.replaceAll('+}', '}')}${fragmentOf(operation)}`;
      const shape = routeShape(own);
      const path = shapes.get(shape) ?? own;
      shapes.set(shape, path);
      const method = route.method.toLowerCase();
      const item = (paths[path] ??= {});
      item[method] ??= operationObject(program, operation, route, path, freshId(operation, ids));
    }
  }
  const schemas = Object.fromEntries(resources.map((def) => [def.name, describedResource(def, settings.time)]));
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

/** A URI fragment that distinguishes operations at the same method and path, since a document allows only one. */
function fragmentOf({ dispatch }: Operation): string {
  const conditions = dispatch.map(({ name, is }) => (is === null ? name : `${name}=${is}`));
  return conditions.length === 0 ? '' : `#${conditions.join('&')}`;
}

function freshId(operation: Operation, taken: Set<string>): string {
  const preferred = operation.key.replaceAll('.', '_');
  let id = preferred;
  for (let n = 2; taken.has(id); n++) id = `${preferred}_${n}`;
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

function operationObject(
  program: Program,
  operation: Operation,
  route: OperationRoute,
  path: string,
  operationId: string,
): Json {
  const { model } = program;
  const { time } = model.settings;
  const file = fileOf(operation);
  const about = (name: string): JsonObject => {
    const text = parameterDescription(operation, name, model);
    return text === undefined ? {} : { description: text };
  };
  const renamed = new Map(route.names.map((name, at) => [name, [...path.matchAll(/\{([^{}]+)\}/g)][at]?.[1] ?? name]));
  const inPath = route.names.map((name): Json => {
    const schema = operation.params().get(name);
    return {
      name: renamed.get(name) ?? name,
      in: 'path',
      required: true,
      ...about(name),
      schema: schema ? schemaOf(schema, time) : { type: 'string' },
    };
  });
  const pages = pagingSchemas(operation, model);
  const others = [...operation.params()].filter(([name]) => !route.names.includes(name) && !pages.has(name));
  const inQuery = route.method === 'GET' || route.method === 'DELETE';
  const query = inQuery
    ? others.map(([name, schema]): Json => ({
        name,
        in: 'query',
        required: schema.required === true,
        ...about(name),
        schema: schemaOf(schema, time),
      }))
    : [];
  const paging = [...pages].map(([name, schema]): Json => {
    const { description: text, ...type } = isObject(schema) ? schema : {};
    return { name, in: 'query', required: false, ...(text === undefined ? {} : { description: text }), schema: type };
  });
  const body: JsonObject =
    inQuery || others.length === 0 ? {} : { requestBody: requestBody(program, operation, others) };
  const rules = ruleTexts(operation).map(({ path, text }) => `- ${path === '' ? '' : `${path}: `}${text}`);
  const description = [file?.description, rules.join('\n')].filter(Boolean).join('\n\n');
  const made: Record<string, Json> = {
    operationId,
    summary: operationTitle(operation),
    ...(description === '' ? {} : { description }),
    tags: [operation.resource.collection],
    parameters: [...inPath, ...query, ...paging],
    ...body,
    responses: {
      [String(operation.status)]: streamed(operation, file, responseOf(program, operation)),
      default: {
        description: 'An error of the catalogue.',
        content: { [model.settings.contentType.split(';')[0]]: {} },
      },
    },
    ...(operation.open ? { security: [] } : {}),
  };
  return made;
}

/** The schema of a resource, with the pack's descriptions of its fields. */
function describedResource(def: ResourceDef, time: Parameters<typeof resourceSchema>[1]): Json {
  const schema = resourceSchema(def, time);
  if (!isObject(schema) || !isObject(schema['properties'])) return schema;
  const files: JsonObject = def.file.fields ?? {};
  const properties = Object.entries(schema['properties']).map(([name, each]) => {
    const file = files[name];
    return [name, described(each, isObject(file) ? file['description'] : undefined)];
  });
  return { ...schema, properties: Object.fromEntries(properties) as JsonObject };
}

function described(schema: Json, text: Json | undefined): Json {
  return isObject(schema) && typeof text === 'string' ? { ...schema, description: text } : schema;
}

/** A response that may also, or always, be sent as server-sent events. */
function streamed({ stream }: Operation, file: OperationFile | undefined, usual: JsonObject): Json {
  if (stream === null) return usual;
  const { content } = usual;
  const other = file?.stream?.when === undefined ? {} : isObject(content) ? content : {};
  return { description: 'Done.', ...usual, content: { ...other, 'text/event-stream': { schema: { type: 'string' } } } };
}

function requestBody({ model }: Program, operation: Operation, params: readonly (readonly [string, Schema])[]): Json {
  const { settings } = model;
  const { whole } = operation;
  const one = params.find(([name]) => name === whole?.as)?.[1];
  if (whole !== null && one !== undefined) {
    const isText = whole.type === 'bytes' || whole.type === 'lines';
    const schema = isText ? { type: 'string', format: 'binary' } : schemaOf(one, settings.time);
    const type = whole.contentType === '*' ? 'application/octet-stream' : whole.contentType;
    return { required: one.required === true, content: { [type]: { schema } } };
  }
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      params.map(([name, each]) => [
        name,
        described(schemaOf(each, settings.time), parameterDescription(operation, name, model)),
      ]),
    ),
    ...requiredOf(params),
    ...ruleKeywords(operation.rules()),
    ...(settings.rejectUnknown ? { additionalProperties: false } : {}),
  };
  const encodings = settings.encodings.size > 0 ? [...settings.encodings] : [settings.requests];
  return {
    required: params.some(([, each]) => each.required === true),
    content: Object.fromEntries(encodings.map((each) => [MEDIA[each] ?? each, { schema }])),
  };
}

function responseOf(program: Program, operation: Operation): JsonObject {
  const { settings } = program.model;
  const { status, content } = operation;
  if ([204, 205, 304].includes(status)) return { description: 'Done.' };
  const type = settings.contentType.split(';')[0];
  const schema = resultSchema(operation, program.model, { $ref: `#/components/schemas/${operation.resource.name}` });
  const variants = (content?.variants ?? []).flatMap((each) => (each.type === null ? [] : [each.type.split(';')[0]]));
  const isUsual = content === null || content.usual === type;
  const types = [...new Set([...(isUsual ? [type] : []), ...variants])];
  return {
    description: 'Done.',
    content: Object.fromEntries(types.map((each): [string, Json] => [each, each === type ? { schema } : {}])),
  };
}
