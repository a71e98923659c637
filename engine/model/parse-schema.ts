import type { SchemaContext } from './schema-context.js';
import { type Json, type JsonObject, isObject, lazy } from '../values/index.js';
import {
  ANY,
  BOOLEAN,
  describeType,
  join,
  listType,
  mapType,
  NULL,
  NUMBER,
  STRING,
  type Type,
} from '../expression/index.js';
import type { RuleFile, TypeFile } from './files.js';
import { suggest } from '../pack/index.js';
import { inside, keyIn, type SourceLocation } from './diagnostics.js';
import { linkRules, ruleSet } from './param-rules.js';
import { hasTemplate } from './values.js';
import { anySchema, type Attributes, attributesOf, type SchemaRules, type Schema, typeOfFields } from './schema.js';
import { readRules } from './parse-rules.js';

interface Scalar {
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'any' | 'map' | 'json_schema';
  readonly expr: Type;
}

const SCALARS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ['string', { kind: 'string', expr: STRING }],
  ['integer', { kind: 'integer', expr: NUMBER }],
  ['number', { kind: 'number', expr: NUMBER }],
  ['boolean', { kind: 'boolean', expr: BOOLEAN }],
  ['any', { kind: 'any', expr: ANY }],
  ['map', { kind: 'map', expr: mapType(ANY) }],
  ['json_schema', { kind: 'json_schema', expr: mapType(ANY) }],
]);

/** Names of the types that every pack has. */
export const TYPE_NAMES: readonly string[] = [...SCALARS.keys(), 'timestamp'];

/** Type names of other languages, with the type that the pack language has instead. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['int', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['bool', 'boolean'],
  ['str', 'string'],
  ['text', 'string'],
  ['uuid', 'string'],
  ['date', 'timestamp'],
  ['time', 'timestamp'],
  ['datetime', 'timestamp'],
  ['dict', 'map'],
  ['hash', 'map'],
  ['json', 'any'],
  ['list', '{ type: array, items: string }'],
]);

/** The types of types.yaml, parsed on first use. */
export class NamedTypes {
  readonly #files: ReadonlyMap<string, { readonly value: TypeFile; readonly place: SourceLocation }>;
  readonly #parsed = new Map<string, Schema | 'busy'>();

  constructor(files: ReadonlyMap<string, { readonly value: TypeFile; readonly place: SourceLocation }>) {
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
      context.diagnostics.problem(keyIn(file.place), 'recursive-type', `type '${name}' contains itself`);
      return anySchema(file.place);
    }
    if (known !== undefined) return known;
    this.#parsed.set(name, 'busy');
    const schema = parseSchema(file.value, file.place, context);
    this.#parsed.set(name, schema);
    return schema;
  }
}

/** Parses a type in any of its forms. Problems are reported. */
export function parseSchema(file: TypeFile, place: SourceLocation, context: SchemaContext): Schema {
  if (typeof file === 'string') return named(file, place, context);
  const base = baseOf(file, place, context);
  const rules = readRules(file, base, place, context);
  const made = withOwn({ ...base, ...readAttributes(file, base, place) }, file, rules);
  return 'rules' in file ? withRules(made, file.rules ?? [], inside(place, 'rules'), context) : made;
}

/** Parses a map of field names to types. */
export function parseFields(
  files: Readonly<Record<string, TypeFile>> | undefined,
  place: SourceLocation,
  context: SchemaContext,
): Map<string, Schema> {
  const fields = new Map<string, Schema>();
  for (const [name, file] of Object.entries(files ?? {}))
    fields.set(name, parseSchema(file, inside(place, name), context));
  return fields;
}

/** Parses the types of parameters. Their defaults are values, not expressions. */
export function parseParams(
  files: Readonly<Record<string, TypeFile>> | undefined,
  place: SourceLocation,
  context: SchemaContext,
): Map<string, Schema> {
  const params = parseFields(files, place, context);
  for (const [name, schema] of params) checkDefault(schema, name, context);
  return params;
}

function checkDefault(schema: Schema, name: string, context: SchemaContext): void {
  if (schema.default !== undefined && hasTemplate(schema.default))
    context.diagnostics.problem(
      inside(schema.place, 'default'),
      'invalid-value',
      `the default of a parameter is a value: write default(params.${name}, ...) where it is read`,
    );
  if (schema.kind === 'object')
    for (const [each, inner] of schema.fields) checkDefault(inner, `${name}.${each}`, context);
}

function named(text: string, place: SourceLocation, context: SchemaContext): Schema {
  const nullable = text.endsWith('?');
  const name = nullable ? text.slice(0, -1) : text;
  const scalar = SCALARS.get(name);
  if (scalar !== undefined) return { ...scalar, nullable: nullable || name === 'any', place };
  if (name === 'timestamp') return { kind: 'timestamp', expr: context.timestamp, nullable, place };
  const found = context.named.get(name, context);
  if (found) return nullable ? { ...found, nullable: true, place } : { ...found, place };
  const known = [...TYPE_NAMES, ...context.named.names()];
  const meant = MEANT.get(name.toLowerCase());
  context.diagnostics.problem(place, 'unknown-type', `unknown type '${name}'`, {
    suggestion: meant === undefined ? suggest(name, known) : `${meant}${nullable && !meant.includes(':') ? '?' : ''}`,
  });
  return anySchema(place);
}

/** Reads the attributes in a declaration; missing ones come from its named type. */
function readAttributes(file: JsonObject, base: Attributes, place: SourceLocation): Attributes {
  const flag = (key: string, usual: boolean | undefined): boolean | undefined => {
    const given = file[key];
    return typeof given === 'boolean' ? given : usual;
  };
  const own = attributesOf(base);
  return {
    nullable: base.nullable || file['nullable'] === true,
    expr: base.expr,
    place,
    default: file['default'] === undefined ? own.default : file['default'],
    optional: flag('optional', own.optional),
    hidden: file['internal'] === true || flag('hidden', own.hidden),
    internal: flag('internal', own.internal),
    keeps_address: flag('keeps_address', own.keeps_address),
    view: file['view'] === undefined ? own.view : file['view'],
    shown: file['shown'] === undefined ? own.shown : file['shown'],
    on_expand: flag('on_expand', own.on_expand),
    expandable: flag('expandable', own.expandable),
    machine: flag('machine', own.machine),
    merge: file['update'] === 'merge' || own.merge,
    touch: flag('touch', own.touch),
    sequence: (file as { readonly sequence?: Attributes['sequence'] }).sequence ?? own.sequence,
    required: flag('required', own.required),
    unset: flag('unset', own.unset),
    secret: flag('secret', own.secret),
    effect: (file as { readonly effect?: Attributes['effect'] }).effect ?? own.effect,
  };
}

function separatorOf({ separator }: JsonObject): { readonly separator?: string } {
  return typeof separator === 'string' ? { separator } : {};
}

function bytesOf({ bytes }: JsonObject): { readonly bytes?: ReadonlyMap<string, string> } {
  if (bytes === true) return { bytes: new Map() };
  return isObject(bytes) ? { bytes: new Map(Object.entries(bytes).map(([name, value]) => [name, String(value)])) } : {};
}

/** Returns a schema with the keys of a declaration that only its kind of type has. */
function withOwn(schema: Schema, file: JsonObject, rules: SchemaRules): Schema {
  const { min, max, clamp, decimals, max_length, pattern, format } = rules;
  switch (schema.kind) {
    case 'string':
      return { ...schema, min, max_length, pattern, format, ...bytesOf(file) };
    case 'ref':
      return { ...schema, min, max_length, pattern, format };
    case 'integer':
    case 'number':
      return { ...schema, min, max, clamp, decimals };
    case 'map':
      return { ...schema, max, max_length };
    case 'array':
      return { ...schema, min, max, many: file['many'] === true, ...separatorOf(file) };
    case 'object':
      return typeof file['open'] === 'boolean' ? { ...schema, open: file['open'] } : schema;
    default:
      return schema;
  }
}

/** Returns an object type with further rules between its fields, besides those of its own type. Linked on first use. */
function withRules(schema: Schema, files: readonly RuleFile[], place: SourceLocation, context: SchemaContext): Schema {
  if (schema.kind !== 'object') {
    const message = `only objects with \`fields\` have rules; this is ${describeType(schema.expr)}`;
    context.diagnostics.problem(keyIn(place), 'wrong-type', message);
    return schema;
  }
  const { fields, rules: known } = schema;
  const rules = lazy(() => {
    const own = linkRules(files, place, { params: fields, self: null }, context);
    const { rules: all = [], declared = [] } = known?.() ?? {};
    return ruleSet([...all, ...own], [...declared, ...files]);
  });
  return { ...schema, rules };
}

function baseOf(file: JsonObject, place: SourceLocation, context: SchemaContext): Schema {
  const { diagnostics } = context;
  if (Array.isArray(file['enum'])) {
    const values = (file['enum'] as readonly Json[]).map(String);
    return { kind: 'enum', values, expr: { kind: 'string', values }, nullable: false, place };
  }
  if (typeof file['values_of'] === 'string') return valuesOf(file['values_of'], inside(place, 'values_of'), context);
  if ('const' in file) {
    const constant = file['const'];
    return { kind: 'const', constant, expr: typeOfConstant(constant), nullable: constant === null, place };
  }
  if ('ref' in file) {
    const refs = Array.isArray(file['ref']) ? (file['ref'] as readonly Json[]).map(String) : [String(file['ref'])];
    for (const ref of refs) {
      diagnostics.known(inside(place, 'ref'), 'resource', ref, context.resourceNames);
    }
    return { kind: 'ref', refs, expr: { kind: 'string', refs }, nullable: false, place };
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
    const closed = typeOfFields(fields);
    const expr: Type = file['open'] === true ? { kind: 'map', of: ANY, known: closed.fields } : closed;
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
      expr: listType(items.expr),
      nullable: typeof file['type'] === 'string' && file['type'].endsWith('?'),
      place,
    };
  }
  const type = file['type'];
  if (typeof type !== 'string') {
    // The machine provides the values of its status field (see resource.ts); a filter has the type of its field.
    return { kind: 'string', expr: STRING, nullable: false, place };
  }
  if ((type === 'map' || type === 'map?') && file['values'] !== undefined) {
    const of = parseSchema(file['values'] as TypeFile, inside(place, 'values'), context);
    return { kind: 'map', of, expr: mapType(of.expr), nullable: type === 'map?', place };
  }
  if (type === 'array' || type === 'array?')
    return { kind: 'array', items: anySchema(place), expr: listType(ANY), nullable: type === 'array?', place };
  if (type === 'object' || type === 'object?')
    return { kind: 'map', expr: mapType(ANY), nullable: type === 'object?', place };
  return named(type, inside(place, 'type'), context);
}

function typeOfConstant(value: Json): Type {
  if (typeof value === 'string') return { kind: 'string', values: [value] };
  if (typeof value === 'number') return NUMBER;
  if (typeof value === 'boolean') return BOOLEAN;
  return value === null ? NULL : ANY;
}

/** Returns a type with the values of a table's column. @param column as `table.column` */
function valuesOf(column: string, place: SourceLocation, { diagnostics, tableRows }: SchemaContext): Schema {
  const [table, name] = column.split('.');
  const rows = diagnostics.find(place, 'table', table, tableRows);
  if (rows === undefined) return anySchema(place);
  const values = [...new Set(rows.flatMap((row) => (typeof row[name] === 'string' ? [row[name]] : [])))];
  if (values.length === 0) diagnostics.unknown(place, 'column', name, new Set(rows.flatMap(Object.keys)));
  return { kind: 'enum', values, expr: { kind: 'string', values }, nullable: false, place };
}
