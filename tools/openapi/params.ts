import { keysOfPointer } from '../../engine/values/index.js';
import { documentBody, isJson, type Node, objectOr, textOr } from './document.js';
import type { Build } from './build.js';
import type { DocumentedCall } from './contract.js';
import { freeName, namesIn, snake } from './names.js';
import { isFile, plain, shortType, schemaTypeName, typeOf } from './types.js';
import { together } from './unions.js';

/** Parameters of an operation in the pack language. */
interface PackParams {
  readonly params: Record<string, unknown>;
  /** The pack's names for path parameters, by the document's names. */
  readonly names: ReadonlyMap<string, string>;
  /** Parameters of type `any`, because the document contradicts itself. */
  readonly loose: ReadonlySet<string>;
  /** `body:` of the operation, if its body is a list. */
  readonly body: { readonly body?: Readonly<Record<string, string>> };
}

/** Builds the parameters of a call. Path parameters are strings. */
export function paramsOf(build: Build, call: DocumentedCall, partial = false): PackParams {
  const { document } = build;
  const params: Record<string, unknown> = {};
  const body = documentBody(document, call.operation['requestBody']);
  const { schema } = together(document, body?.schema);
  const required = new Set(partial ? [] : Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const { loose, optional } = contradicted(build, call, body?.schema);
  for (const [name, property] of Object.entries(objectOr(schema['properties']))) {
    const own = document.at(property);
    if (own['readOnly'] === true || !isParamName(name)) continue;
    const isUpload = body?.type.includes('multipart') === true && isFile(plain(document, property).schema);
    const isNeeded = required.has(name) && !optional.has(name);
    if (isUpload) {
      params[name] = isNeeded ? { type: 'map', required: true } : 'map';
      continue;
    }
    params[name] = loose.has(name)
      ? isNeeded
        ? { type: 'any', required: true }
        : 'any'
      : asParam(build, property, isNeeded);
  }
  for (const each of call.parameters) {
    const name = textOr(each['name']);
    if (each['in'] !== 'query' || name in params || !isParamName(name)) continue;
    params[name] = withSeparator(each, asParam(build, each['schema'], each['required'] === true));
  }
  const names = new Map<string, string>();
  for (const name of namesIn(call.path)) {
    const preferred = pathParam(name);
    const own = preferred in params || [...names.values()].includes(preferred) ? `${preferred}_in_path` : preferred;
    names.set(name, own);
    params[own] = { type: 'string', required: true };
  }
  const list = listBody(build, body, params);
  if (list !== undefined) params[list] = asParam(build, body?.schema, true);
  return { params, names, loose, body: list === undefined ? {} : { body: { as: list, type: 'list' } } };
}

/** The name of the parameter that stands for a JSON body that is a list; undefined for other bodies. */
function listBody(build: Build, body: ReturnType<typeof documentBody>, params: object): string | undefined {
  if (body === undefined || !isJson(body.type)) return undefined;
  if (schemaTypeName(plain(build.document, body.schema).schema) !== 'array') return undefined;
  return freeName('items', new Set(Object.keys(params)));
}

/** The pack's name for a path parameter, if it isn't taken. */
export function pathParam(name: string): string {
  return snake(name) === 'id' ? 'id_in_path' : snake(name);
}

/** Parameters whose examples don't match their schemas. The pack accepts both. */
function contradicted(
  build: Build,
  call: DocumentedCall,
  schema: unknown,
): { readonly loose: ReadonlySet<string>; readonly optional: ReadonlySet<string> } {
  const loose = new Set<string>();
  const optional = new Set<string>();
  for (const { sent } of build.examplesOf(call)) {
    if (sent === undefined) continue;
    for (const { instancePath, keyword, params } of build.contract.errors(schema, sent)) {
      const [name] = keysOfPointer(instancePath);
      if (name !== undefined) loose.add(name);
      else if (keyword === 'required') optional.add(String(objectOr(params)['missingProperty']));
    }
  }
  return { loose, optional };
}

function asParam(build: Build, schema: unknown, required: boolean): unknown {
  const type = typeOf(build.document, schema, 'param');
  // Offsets and fractional seconds stay as the client sent them, so times are stored as text.
  if (required) type['required'] = true;
  return shortType(clean(type));
}

/** Separators by `style` of array parameters without `explode` (OpenAPI 3) and by collection format (Swagger 2). */
const SEPARATORS: Readonly<Record<string, string>> = {
  form: ',',
  csv: ',',
  spaceDelimited: ' ',
  ssv: ' ',
  pipeDelimited: '|',
  pipes: '|',
};

/** The separator of an array parameter that is sent as one text. Undefined for other parameters. */
function separatorOf({ style = 'form', explode, collectionFormat }: Node): string | undefined {
  if (typeof collectionFormat === 'string') return SEPARATORS[collectionFormat];
  return explode === true || (explode === undefined && style === 'form') ? undefined : SEPARATORS[textOr(style)];
}

function withSeparator(parameter: Node, type: unknown): unknown {
  const separator = separatorOf(parameter);
  if (separator === undefined || typeof type !== 'object' || type === null) return type;
  return 'type' in type && type.type === 'array' ? { ...type, separator } : type;
}

/** Names with brackets are members of another parameter. */
function isParamName(name: string): boolean {
  return !/[[\]]/.test(name) && name !== '';
}

export function clean(type: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(type).filter(([, value]) => value !== undefined));
}

/** The route of a call, with the pack's parameter names. */
export function routeOf(build: Build, call: DocumentedCall, names: ReadonlyMap<string, string>): string {
  const path = call.path
    .replace(/[?#].*$/, '')
    .replace(/\{([^{}]+)\}/g, (_, name: string) => `{${names.get(name) ?? snake(name)}}`);
  return `${call.method.toUpperCase()} ${build.basePath}${path}`;
}

/** `params:` of an operation, omitted if empty. */
export function given(params: Record<string, unknown>): { params?: Record<string, unknown> } {
  return Object.keys(params).length > 0 ? { params } : {};
}

/** Makes a parameter's type required. */
export function requiredType(type: unknown): unknown {
  return typeof type === 'string' ? { type, required: true } : { ...objectOr(type), required: true };
}

/** Makes a parameter's type optional. */
export function optionalType(type: unknown): unknown {
  return typeof type === 'object' && type !== null ? shortType(clean({ ...type, required: undefined })) : type;
}

/** Whether a call needs no key. @param security of its operation */
export function isOpen(security: unknown): boolean {
  return (
    Array.isArray(security) &&
    (security.length === 0 || security.some((each) => Object.keys(objectOr(each)).length === 0))
  );
}
