import {
  ANY,
  BOOLEAN,
  type Json,
  type JsonObject,
  isObject,
  join,
  listOf,
  mapOf,
  NULL,
  NUMBER,
  objectOf,
  STRING,
  type Type,
} from '../expression/index.js';
import { inside, type Linking, type Place } from './linking.js';
import type { TypeFile } from './files.js';

export type SchemaKind =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'any'
  | 'map'
  | 'json_schema'
  | 'enum'
  | 'const'
  | 'ref'
  | 'object'
  | 'array'
  | 'one_of';

/** A named pattern of pack.yaml. */
export interface Format {
  readonly name: string;
  readonly title: string;
  readonly pattern: RegExp;
}

/** A type of the pack language with everything that its place says beside it. */
export interface Schema {
  readonly kind: SchemaKind;
  readonly nullable: boolean;
  /** The same type for the expression checker. */
  readonly expr: Type;
  readonly place: Place;
  readonly values?: readonly string[];
  readonly constant?: Json;
  readonly refs?: readonly string[];
  readonly fields?: ReadonlyMap<string, Schema>;
  readonly items?: Schema;
  readonly of?: Schema;
  readonly options?: readonly Schema[];
  readonly open?: boolean;
  readonly default?: Json;
  readonly optional?: boolean;
  readonly hidden?: boolean;
  /** Hidden, but no secret: tests see it in the state. */
  readonly internal?: boolean;
  readonly view?: Json;
  readonly on_expand?: boolean;
  readonly machine?: boolean;
  /** Only the engine decides it: a seed that brings it is refused. */
  readonly derived?: boolean;
  readonly merge?: boolean;
  /** A timestamp that becomes `now` whenever something else of the object changes. */
  readonly touch?: boolean;
  readonly required?: boolean;
  readonly unset?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly clamp?: boolean;
  readonly max_length?: number;
  readonly pattern?: RegExp;
  readonly format?: Format;
  readonly field?: string;
  readonly range?: boolean;
  /** A filter that takes several values. */
  readonly many?: boolean;
  /** The value is never shown. */
  readonly secret?: boolean;
  readonly where?: string;
}

/** What types may name. */
export interface SchemaContext {
  readonly linking: Linking;
  readonly timestamp: Type;
  readonly resourceNames: ReadonlySet<string>;
  readonly formats: ReadonlyMap<string, Format>;
  readonly named: NamedTypes;
}

const SCALARS: Readonly<Record<string, { readonly kind: SchemaKind; readonly expr: Type }>> = {
  string: { kind: 'string', expr: STRING },
  integer: { kind: 'integer', expr: NUMBER },
  number: { kind: 'number', expr: NUMBER },
  boolean: { kind: 'boolean', expr: BOOLEAN },
  any: { kind: 'any', expr: ANY },
  map: { kind: 'map', expr: mapOf(ANY) },
  json_schema: { kind: 'json_schema', expr: mapOf(ANY) },
};

const STRUCTURAL = new Set([
  'type',
  'nullable',
  'fields',
  'items',
  'values',
  'enum',
  'const',
  'ref',
  'one_of',
  'pattern',
  'format',
  'description',
  'title',
  'update',
]);

/** The types of types.yaml, parsed when first named. */
export class NamedTypes {
  readonly #files: ReadonlyMap<string, { readonly value: TypeFile; readonly place: Place }>;
  readonly #parsed = new Map<string, Schema | 'busy'>();

  constructor(files: ReadonlyMap<string, { readonly value: TypeFile; readonly place: Place }>) {
    this.#files = files;
  }

  names(): Iterable<string> {
    return this.#files.keys();
  }

  get(name: string, context: SchemaContext): Schema | undefined {
    const file = this.#files.get(name);
    if (file === undefined) return undefined;
    const known = this.#parsed.get(name);
    if (known === 'busy') {
      context.linking.problem(file.place, 'recursive-type', `type '${name}' contains itself`, { at: 'key' });
      return anything(file.place);
    }
    if (known !== undefined) return known;
    this.#parsed.set(name, 'busy');
    const schema = parseSchema(file.value, file.place, context);
    this.#parsed.set(name, schema);
    return schema;
  }
}

/** A schema that takes everything. */
export function anything(place: Place): Schema {
  return { kind: 'any', nullable: true, expr: ANY, place };
}

/** Reads a type in any of its forms. Mistakes are reported. */
export function parseSchema(file: TypeFile, place: Place, context: SchemaContext): Schema {
  if (typeof file === 'string') return named(file, place, context);
  const base = baseOf(file, place, context);
  const attributes: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(file)) {
    if (!STRUCTURAL.has(key)) attributes[key] = value;
  }
  if (file['update'] === 'merge') attributes['merge'] = true;
  if (file['internal'] === true) attributes['hidden'] = true;
  if (typeof file['pattern'] === 'string') attributes['pattern'] = new RegExp(file['pattern'], 'u');
  if (typeof file['format'] === 'string') {
    const format = context.formats.get(file['format']);
    if (format) attributes['format'] = format;
    else context.linking.unknown(inside(place, 'format'), 'format', file['format'], context.formats.keys());
  }
  return { ...base, ...attributes, nullable: base.nullable || file['nullable'] === true, place };
}

/** Reads a map of names and types. */
export function parseFields(
  files: Readonly<Record<string, TypeFile>> | undefined,
  place: Place,
  context: SchemaContext,
): Map<string, Schema> {
  const fields = new Map<string, Schema>();
  for (const [name, file] of Object.entries(files ?? {}))
    fields.set(name, parseSchema(file, inside(place, name), context));
  return fields;
}

/** The expression type of an object with these fields; what is only computed for answers is not readable. */
export function typeOfFields(
  fields: ReadonlyMap<string, Schema>,
  name?: string,
  resource?: string,
): Type & { kind: 'object' } {
  const readable = [...fields]
    .filter(([, schema]) => schema.view === undefined)
    .map(([key, schema]) => [key, schema.expr] as const);
  const all = resource === undefined || fields.has('id') ? readable : [['id', STRING] as const, ...readable];
  return objectOf(all, name, resource) as Type & { kind: 'object' };
}

function named(text: string, place: Place, context: SchemaContext): Schema {
  const nullable = text.endsWith('?');
  const name = nullable ? text.slice(0, -1) : text;
  const scalar = SCALARS[name];
  if (scalar !== undefined && Object.hasOwn(SCALARS, name))
    return { ...scalar, nullable: nullable || name === 'any', place };
  if (name === 'timestamp') return { kind: 'timestamp', expr: context.timestamp, nullable, place };
  const found = context.named.get(name, context);
  if (found) return nullable ? { ...found, nullable: true, place } : { ...found, place };
  const known = [...Object.keys(SCALARS), 'timestamp', ...context.named.names()];
  context.linking.unknown(place, 'type', name, known);
  return anything(place);
}

function baseOf(file: JsonObject, place: Place, context: SchemaContext): Schema {
  const { linking } = context;
  if (Array.isArray(file['enum'])) {
    const values = (file['enum'] as readonly Json[]).map(String);
    return { kind: 'enum', values, expr: { kind: 'string', values }, nullable: false, place };
  }
  if ('const' in file) {
    const constant = file['const'];
    return { kind: 'const', constant, expr: typeOfConstant(constant), nullable: false, place };
  }
  if ('ref' in file) {
    const refs = Array.isArray(file['ref']) ? (file['ref'] as readonly Json[]).map(String) : [String(file['ref'])];
    for (const ref of refs) {
      if (!context.resourceNames.has(ref))
        linking.unknown(inside(place, 'ref'), 'resource', ref, context.resourceNames);
    }
    return { kind: 'ref', refs, expr: STRING, nullable: false, place };
  }
  if (Array.isArray(file['one_of'])) {
    const options = (file['one_of'] as readonly TypeFile[]).map((option, index) =>
      parseSchema(option, inside(place, 'one_of', index), context),
    );
    return {
      kind: 'one_of',
      options,
      expr: options.map((option) => option.expr).reduce(join, NULL),
      nullable: options.some((o) => o.nullable),
      place,
    };
  }
  if (isObject(file['fields'])) {
    const fields = parseFields(file['fields'] as Record<string, TypeFile>, inside(place, 'fields'), context);
    const expr = file['open'] === true ? mapOf(ANY) : typeOfFields(fields);
    return {
      kind: 'object',
      fields,
      expr,
      nullable: typeof file['type'] === 'string' && file['type'].endsWith('?'),
      place,
    };
  }
  if (file['items'] !== undefined) {
    const items = parseSchema(file['items'] as TypeFile, inside(place, 'items'), context);
    return {
      kind: 'array',
      items,
      expr: listOf(items.expr),
      nullable: typeof file['type'] === 'string' && file['type'].endsWith('?'),
      place,
    };
  }
  const type = file['type'];
  if (typeof type !== 'string') {
    // A machine's status takes its values from the machine (see resource.ts); a filter takes the type of its field.
    return { kind: 'string', expr: STRING, nullable: false, place };
  }
  if ((type === 'map' || type === 'map?') && file['values'] !== undefined) {
    const of = parseSchema(file['values'] as TypeFile, inside(place, 'values'), context);
    return { kind: 'map', of, expr: mapOf(of.expr), nullable: type === 'map?', place };
  }
  if (type === 'array' || type === 'array?')
    return { kind: 'array', items: anything(place), expr: listOf(ANY), nullable: type === 'array?', place };
  if (type === 'object' || type === 'object?')
    return { kind: 'map', expr: mapOf(ANY), nullable: type === 'object?', place };
  return named(type, inside(place, 'type'), context);
}

function typeOfConstant(value: Json): Type {
  if (typeof value === 'string') return { kind: 'string', values: [value] };
  if (typeof value === 'number') return NUMBER;
  if (typeof value === 'boolean') return BOOLEAN;
  return value === null ? NULL : ANY;
}
