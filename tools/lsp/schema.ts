import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileKind } from '../../engine/pack/index.js';
import { installation } from '../command/installation.js';
import type { FunctionInfo } from '../reference/functions.js';

type Schema = Readonly<Record<string, unknown>>;

/** A possible key, with its meaning. */
interface KeyInfo {
  readonly name: string;
  readonly description: string;
  /** Type or possible values of the key. */
  readonly detail: string;
  readonly values: readonly string[];
}

const files = new Map<string, Schema>();

function fileOf(name: string): Schema {
  const known = files.get(name);
  if (known) return known;
  const read = JSON.parse(readFileSync(join(installation(), 'schemas', name), 'utf8')) as Schema;
  files.set(name, read);
  return read;
}

let described: ReadonlyMap<string, FunctionInfo> | undefined;

/** Returns the functions of expressions with their descriptions, by name. */
export function functionsThere(): ReadonlyMap<string, FunctionInfo> {
  described ??= new Map(Object.entries(fileOf('functions.json') as Readonly<Record<string, FunctionInfo>>));
  return described;
}

/** Lists the possible keys at a path of a kind of file. */
export function keysAt(kind: FileKind, path: readonly (string | number)[]): KeyInfo[] {
  const found = new Map<string, KeyInfo>();
  for (const schema of schemasAt(kind, path))
    for (const [name, each] of Object.entries(object(schema['properties'])))
      if (!found.has(name)) found.set(name, infoOf(name, each, `${kind}.schema.json`));
  return [...found.values()];
}

/** Returns the description of the key at the end of a path. */
export function keyAt(kind: FileKind, path: readonly (string | number)[]): KeyInfo | undefined {
  return keysAt(kind, path.slice(0, -1)).find(({ name }) => name === path.at(-1));
}

function infoOf(name: string, given: unknown, file: string): KeyInfo {
  const all = expanded({ schema: object(given), file });
  const first = (key: string): string => all.map(({ schema }) => text(schema[key])).find((each) => each !== '') ?? '';
  const values = all.flatMap(({ schema }) => (Array.isArray(schema['enum']) ? schema['enum'].map(String) : []));
  const types = all.map(({ schema }) => schema['type']).find((each) => each !== undefined);
  const detail = values.length > 0 ? values.join(' | ') : Array.isArray(types) ? types.join(' or ') : text(types);
  return { name, description: first('description'), detail, values };
}

interface Located {
  readonly schema: Schema;
  readonly file: string;
}

function schemasAt(kind: FileKind, path: readonly (string | number)[]): Schema[] {
  const file = `${kind}.schema.json`;
  let at = expanded({ schema: fileOf(file), file });
  for (const step of path) at = at.flatMap((each) => below(each, step)).flatMap(expanded);
  return at.map(({ schema }) => schema);
}

function below({ schema, file }: Located, step: string | number): Located[] {
  if (typeof step === 'number') return schema['items'] === undefined ? [] : [{ schema: object(schema['items']), file }];
  const own = object(schema['properties'])[step];
  if (own !== undefined) return [{ schema: object(own), file }];
  const other = schema['additionalProperties'];
  return typeof other === 'object' && other !== null ? [{ schema: object(other), file }] : [];
}

/** Resolves the references and alternatives of a schema. */
function expanded(given: Located, depth = 0): Located[] {
  if (depth > 8) return [];
  const { schema, file } = given;
  const inside: Located[] = [];
  const add = (each: unknown): void => {
    inside.push(...expanded({ schema: object(each), file }, depth + 1));
  };
  const ref = text(schema['$ref']);
  if (ref !== '') {
    const [name, pointer] = ref.split('#');
    const target = name === '' ? file : name;
    const schemaThere = (pointer ?? '')
      .split('/')
      .slice(1)
      .reduce<Schema>((node, key) => object(node[key]), fileOf(target));
    inside.push(...expanded({ schema: schemaThere, file: target }, depth + 1));
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[key])) (schema[key] as unknown[]).forEach(add);
  for (const key of ['then', 'else']) if (schema[key] !== undefined) add(schema[key]);
  return [given, ...inside];
}

function object(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
