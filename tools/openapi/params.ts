import { documentBody, objectOr, textOr } from './document.js';
import type { Build } from './build.js';
import type { DocumentedCall } from './contract.js';
import { namesIn, snake } from './names.js';
import { plain, shortType, schemaTypeName, typeOf } from './types.js';

/** Parameters of an operation in the pack language. */
interface PackParams {
  readonly params: Record<string, unknown>;
  /** Names in the path of the document and what they are called in the pack. */
  readonly names: ReadonlyMap<string, string>;
}

/** What a route may be called with, as the document says. Names of the route are texts. */
export function paramsOf(build: Build, call: DocumentedCall, partial = false): PackParams {
  const { document } = build;
  const params: Record<string, unknown> = {};
  const body = documentBody(document, call.operation['requestBody']);
  const { schema } = plain(document, body?.schema);
  const required = new Set(partial ? [] : Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  for (const [name, property] of Object.entries(objectOr(schema['properties']))) {
    const own = document.at(property);
    if (own['readOnly'] === true || !isParamName(name)) continue;
    params[name] = asParam(build, property, required.has(name));
  }
  for (const each of call.parameters) {
    const name = textOr(each['name']);
    if (each['in'] !== 'query' || name in params || !isParamName(name)) continue;
    params[name] = asParam(build, each['schema'], each['required'] === true);
  }
  const names = new Map<string, string>();
  for (const name of namesIn(call.path)) {
    const wish = snake(name) === 'id' ? 'id_in_path' : snake(name);
    const own = wish in params || [...names.values()].includes(wish) ? `${wish}_in_path` : wish;
    names.set(name, own);
    params[own] = { type: 'string', required: true };
  }
  return { params, names };
}

function asParam(build: Build, schema: unknown, required: boolean): unknown {
  const type = typeOf(build.document, schema, 'param');
  // An offset and digits behind the second are the caller's; a time is kept as it was sent.
  if (required) type['required'] = true;
  return shortType(clean(type));
}

/** What a form or a query writes with brackets is one parameter with members for the sandbox. */
function isParamName(name: string): boolean {
  return !/[[\]]/.test(name) && name !== '';
}

export function clean(type: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(type).filter(([, value]) => value !== undefined));
}

/** The route of a call, with the pack's names. */
export function routeOf(build: Build, call: DocumentedCall, names: ReadonlyMap<string, string>): string {
  const path = call.path
    .replace(/[?#].*$/, '')
    .replace(/\{([^{}]+)\}/g, (_, name: string) => `{${names.get(name) ?? snake(name)}}`);
  return `${call.method.toUpperCase()} ${build.basePath}${path}`;
}

/** Whether a body is one JSON or form object, whose members are parameters. */
export function takesMembers(build: Build, call: DocumentedCall): boolean {
  const body = documentBody(build.document, call.operation['requestBody']);
  return body === undefined || schemaTypeName(plain(build.document, body.schema).schema) !== 'array';
}
