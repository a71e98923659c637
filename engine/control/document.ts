import type { Json, JsonObject } from '../values/index.js';
import { CONTRACT_VERSION, CONTROL_PATH } from './contract.js';
import { type ControlRoute, TAGS } from './route.js';
import * as s from './schema.js';

const ErrorSchema = s.named(
  'Error',
  s.object({
    error: s.open({
      code: s.string,
      message: s.string,
      path: s.string.about('the invalid key, parameter or value in the request').optional(),
      suggestion: s.string.about('closest valid name').optional(),
    }),
  }),
);

const ERRORS = {
  400: 'the body or query is malformed, a key is unknown or missing, or a value has the wrong type',
  401: 'the API key is missing or wrong',
  403: 'the key of this world does not permit this call',
  404: 'no such name or id',
  409: 'the call conflicts with the present state',
  413: 'the body is too large',
  415: 'the body is not JSON',
  422: 'the request is valid, but cannot be fulfilled',
  507: 'the process has too little memory for this call',
};

/** The control API's routes as an OpenAPI document. */
export function contractDocument(routes: readonly ControlRoute[]): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) (paths[contractPath(route)] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vendor sandbox: control API',
      version: CONTRACT_VERSION,
      description: `Seeds and resets a world, injects faults, triggers external events, overrides external values, advances the clock, and returns traces and history. All paths are relative to ${CONTROL_PATH}.`,
    },
    servers: [{ url: CONTROL_PATH }],
    security: [{ key: [] }],
    tags: TAGS.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'the API key that the server printed when it started' },
      },
      headers: { Contract: { description: 'version of this contract', schema: { type: 'string' } } },
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [`Error${status}`, response(description, ErrorSchema)]),
      ),
      schemas: s.namedSchemas(),
    },
  };
}

/** A path with its name in braces, such as `/faults/{id}`. */
export function contractPath({ path }: ControlRoute): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function operationOf({ contract, bodySchema }: ControlRoute): JsonObject {
  const { id, tag, about, names, query = {}, status = 200, type, errors = [], heavy } = contract;
  const inPath = names === undefined ? [] : [parameter('id', 'path', true, s.string.about(names))];
  const inQuery = Object.entries(query).map(([name, key]) => parameter(name, 'query', key.required, key.schema));
  const parameters = [...inPath, ...inQuery];
  const failures = [400, 401, ...errors, ...(bodySchema ? [413, 415] : []), ...(heavy ? [507] : [])].sort(
    (a, b) => a - b,
  );
  return {
    operationId: id,
    tags: [tag],
    summary: about,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(bodySchema ? { requestBody: { required: isNeeded(bodySchema.json), content: content(bodySchema) } } : {}),
    responses: {
      [status]: response(status === 201 ? 'Created' : 'OK', contract.response, type),
      ...Object.fromEntries(failures.map((each) => [each, { $ref: `#/components/responses/Error${each}` }])),
    },
  };
}

/** Whether a call needs a body: it doesn't if all keys of the body are optional. */
function isNeeded({ properties, required }: JsonObject): boolean {
  return properties === undefined || required !== undefined;
}

/** Returns a parameter in OpenAPI's form: the description moves from the schema to the parameter. */
function parameter(
  name: string,
  where: 'path' | 'query',
  required: boolean,
  { json }: s.ContractSchema<unknown>,
): JsonObject {
  const { description, ...schema } = json;
  return {
    name,
    in: where,
    ...(required ? { required } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
  };
}

function response(description: string, schema: s.ContractSchema<unknown>, type?: string): JsonObject {
  return {
    description,
    headers: { 'X-Sandbox-Contract': { $ref: '#/components/headers/Contract' } },
    content: content(schema, type),
  };
}

function content({ json }: s.ContractSchema<unknown>, type = 'application/json'): Record<string, Json> {
  return { [type]: { schema: json } };
}
