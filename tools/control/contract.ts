import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../command/installation.js';

/** The type of a value, reduced to what the command line needs to parse it. */
export interface ValueShape {
  readonly description: string;
  readonly kind: 'text' | 'integer' | 'flag' | 'list' | 'map' | 'any';
  readonly choices: readonly string[] | null;
  /** Names of the keys if the value is a map. */
  readonly keys: readonly string[];
  readonly required: boolean;
}

/** A call of the control API, as the contract describes it. */
export interface ControlOperation {
  readonly id: string;
  readonly method: string;
  /** The path of the call, such as `/faults/{id}`. */
  readonly path: string;
  readonly summary: string;
  /** Values by name, and the part of the request that contains them. */
  readonly values: ReadonlyMap<string, { readonly where: 'path' | 'query' | 'body'; readonly shape: ValueShape }>;
  /** Whether the body may have further keys. */
  readonly open: boolean;
  readonly hasBody: boolean;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
}

type Parameter = NonNullable<Described['parameters']>[number];

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly description?: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

/** Reads the calls of the control API from its contract, by operation id. */
export function readOperations(): ReadonlyMap<string, ControlOperation> {
  const document = readContract();
  const operations = new Map<string, ControlOperation>();
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, described] of Object.entries(methods))
      operations.set(described.operationId, operationOf(document, method.toUpperCase(), path, described));
  return operations;
}

/** Builds one JSON Schema without references for the input of a call: values of path, query and body. */
export function callInputSchema(id: string): Record<string, unknown> {
  const document = readContract();
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...beside }: { readonly $ref?: unknown } = { ...value };
    const names = typeof $ref === 'string' ? $ref.slice(2).split('/') : [];
    const found = names.reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], document);
    const members = { ...(names.length > 0 ? (plain(found) as object) : {}), ...beside };
    return Object.fromEntries(Object.entries(members).map(([name, each]) => [name, plain(each)]));
  };
  const [path, described] = Object.entries(document.paths)
    .flatMap(([each, methods]) => Object.values(methods).map((method) => [each, method] as const))
    .find(([, { operationId }]) => operationId === id) ?? ['', undefined];
  const properties: Record<string, unknown> = {};
  const required = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  for (const name of required) properties[name] = { type: 'string' };
  for (const given of described?.parameters ?? []) {
    const { name, schema, description, required: needed } = plain(given) as Parameter;
    properties[name] = { ...schema, ...(description === undefined ? {} : { description }) };
    if (needed) required.add(name);
  }
  const body = described?.requestBody && (plain(described.requestBody.content['application/json'].schema) as Schema);
  for (const each of body?.oneOf ?? (body ? [body] : [])) Object.assign(properties, each.properties);
  for (const name of body?.required ?? []) required.add(name);
  return { type: 'object', properties, required: [...required] };
}

/** Returns the contract version that this command was built for. */
export function contractVersion(): string {
  return readContract().info.version;
}

/** Reads the shipped contract of the control API. */
function readContract(): Document {
  const file = join(installation(), 'schemas', 'control-plane.openapi.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Document;
}

function operationOf(document: Document, method: string, path: string, described: Described): ControlOperation {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema;
    const names = schema.$ref.slice(2).split('/');
    const found = names.reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], document);
    const { $ref: _, ...beside } = schema;
    return { ...(found as Schema), ...beside };
  };
  const values: Map<string, { where: 'path' | 'query' | 'body'; shape: ValueShape }> = new Map();
  for (const name of [...path.matchAll(/\{(\w+)\}/g)].map(([, each]) => each))
    values.set(name, { where: 'path', shape: shapeOf({}, true) });
  for (const given of described.parameters ?? []) {
    const { name, in: from, description, schema, required = false } = given;
    values.set(name, { where: from, shape: shapeOf({ ...resolve(schema), description }, required || from === 'path') });
  }
  const schema = described.requestBody && resolve(described.requestBody.content['application/json'].schema);
  const bodies = schema?.oneOf?.map(resolve) ?? (schema ? [schema] : []);
  for (const body of bodies)
    for (const [name, each] of Object.entries(body.properties ?? {}))
      values.set(name, {
        where: 'body',
        shape: shapeOf(resolve(each), bodies.length === 1 && body.required?.includes(name) === true),
      });
  const open = bodies.some(({ additionalProperties }) => additionalProperties === true);
  return {
    id: described.operationId,
    method,
    path,
    summary: described.summary,
    values,
    open,
    hasBody: method === 'POST',
  };
}

function shapeOf(schema: Schema, required: boolean): ValueShape {
  return {
    description: schema.description ?? '',
    kind: kindOf(schema),
    choices: schema.enum ?? null,
    keys: Object.keys(schema.properties ?? {}),
    required,
  };
}

function kindOf({ type, enum: choices }: Schema): ValueShape['kind'] {
  if (choices !== undefined) return 'text';
  switch (type) {
    case 'integer':
    case 'number':
      return 'integer';
    case 'boolean':
      return 'flag';
    case 'array':
      return 'list';
    case 'object':
      return 'map';
    case undefined:
      return 'any';
    default:
      return 'text';
  }
}
