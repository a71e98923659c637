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
      path: s.string.about('what is wrong').optional(),
      suggestion: s.string.about('what was probably meant').optional(),
    }),
  }),
);

const ERRORS = {
  400: 'the body or query is malformed, a key is unknown or missing, a value has the wrong kind',
  401: 'the key is missing or wrong',
  403: 'not with the key of this world',
  404: 'there is nothing of this name or id',
  409: 'what it needs does not hold now',
  413: 'the body is too large',
  415: 'the body is not JSON',
  422: 'it is understood, but cannot be',
  507: 'the memory of the process would not hold it',
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
      description: `What tests do to a world: seed it, break it, make things happen, pin values, advance the clock, and ask why. Everything stands under ${CONTROL_PATH} of the sandbox.`,
    },
    servers: [{ url: CONTROL_PATH }],
    security: [{ key: [] }],
    tags: TAGS.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'the key that was printed at the start' },
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
      [status]: response(status === 201 ? 'made' : 'done', contract.response, type),
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
