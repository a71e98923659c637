import type { PackTable } from './pack-table.js';
import type { SourceLocation } from './diagnostics.js';
import type { Json, JsonObject, TextPattern } from '../values/index.js';
import type { RuleFile } from './files.js';
import { ANY, listType, objectType, type Type } from '../expression/index.js';

/** A named pattern of pack.yaml. */
export interface Format {
  readonly name: string;
  readonly title: string;
  readonly pattern: TextPattern;
}

/**
 * Attributes of a declaration besides its type: how a field is stored and returned, how a parameter is accepted. Any kind may
 * have them.
 */
export interface Attributes {
  readonly nullable: boolean;
  /** The type in expressions. */
  readonly expr: Type;
  readonly place: SourceLocation;
  readonly default?: Json;
  readonly optional?: boolean;
  readonly hidden?: boolean;
  /** Hidden, but not secret: visible in the state. */
  readonly internal?: boolean;
  /** The stored value may be computed from the address. */
  readonly keeps_address?: boolean;
  readonly view?: Json;
  /** Replaces the stored value in responses. */
  readonly shown?: Json;
  readonly on_expand?: boolean;
  /** Returned only in shapes of its resource. */
  readonly in_shapes?: boolean;
  /** Refers to an object that the pack doesn't store: `expand` accepts it, and returns the id. */
  readonly expandable?: boolean;
  readonly machine?: boolean;
  readonly merge?: boolean;
  /** A timestamp that is set to `now` whenever another field changes. */
  readonly touch?: boolean;
  /** A sequence number within the object that the field `per` refers to; sequences with one name share their numbers. */
  readonly sequence?: { readonly per: string; readonly of?: string };
  readonly required?: boolean;
  readonly unset?: boolean;
  /** The value is never shown. */
  readonly secret?: boolean;
  /** A parameter that is checked but not used; `none`: calls that send it are reported. */
  readonly effect?: 'none' | 'hint';
}

/** Which bounds replace a number beyond them, in place of an error. */
export type Clamp = boolean | 'min' | 'max';

/**
 * Bounds of a value; for text, lists and maps of the number of characters, items and keys. Each kind uses those that apply to
 * it.
 */
export interface SchemaRules {
  readonly min?: number;
  readonly max?: number;
  /** Which bounds replace a number beyond them. */
  readonly clamp?: Clamp;
  /** Number of decimals that a number may have. */
  readonly decimals?: number;
  /** Length limit of a text, or of a map's keys, in characters. */
  readonly max_length?: number;
  readonly pattern?: TextPattern;
  readonly format?: Format;
}

type TextRules = Pick<SchemaRules, 'min' | 'max_length' | 'pattern' | 'format'>;

export interface TextSchema extends Attributes, TextRules {
  readonly kind: 'string';
  /** The text is base64 if other parameters have these values; undefined: it is text. */
  readonly bytes?: ReadonlyMap<string, string>;
}

/** A type of ids, of objects of one of several resources. */
export interface RefSchema extends Attributes, TextRules {
  readonly kind: 'ref';
  readonly refs: readonly string[];
}

export interface NumberSchema extends Attributes, Pick<SchemaRules, 'min' | 'max' | 'clamp' | 'decimals'> {
  readonly kind: 'integer' | 'number';
}

/** Types without keys of their own. */
interface PlainSchema extends Attributes {
  readonly kind: 'boolean' | 'timestamp' | 'any' | 'json_schema';
}

export interface EnumSchema extends Attributes {
  readonly kind: 'enum';
  readonly values: readonly string[];
  /** Values that only the vendor's document has; none by default. */
  readonly documented?: readonly string[];
}

interface ConstSchema extends Attributes {
  readonly kind: 'const';
  readonly constant: Json;
}

export interface MapSchema extends Attributes, Pick<SchemaRules, 'max' | 'max_length'> {
  readonly kind: 'map';
  /** The type of the map's values; undefined: any. */
  readonly of?: Schema;
}

export interface ObjectSchema extends Attributes {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Schema>;
  /** Whether unknown keys of the object are accepted. */
  readonly open?: boolean;
  /** Rules between fields of sent objects. */
  readonly rules?: () => RuleSet;
}

export interface ArraySchema extends Attributes, Pick<SchemaRules, 'min' | 'max'> {
  readonly kind: 'array';
  readonly items: Schema;
  /** A filter that accepts several values: repeated, separated by commas, or both. */
  readonly many?: boolean;
  /** Separates items in a single text. */
  readonly separator?: string;
}

export interface OneOfSchema extends Attributes {
  readonly kind: 'one_of';
  readonly options: readonly Schema[];
  /** A filter that accepts a value of this type, or bounds (`{gt, gte, lt, lte}`). */
  readonly bound?: Schema;
}

/** A type of the pack language with all attributes. */
export type Schema =
  | TextSchema
  | RefSchema
  | NumberSchema
  | PlainSchema
  | EnumSchema
  | ConstSchema
  | MapSchema
  | ObjectSchema
  | ArraySchema
  | OneOfSchema;

export type SchemaKind = Schema['kind'];

/** A schema that accepts any value. */
export function anySchema(place: SourceLocation): Schema {
  return { kind: 'any', nullable: true, expr: ANY, place };
}

/** Marks the end of a `switch` over all kinds, so that a missing kind is a type error. */
export function impossible(_schema: never): never {
  throw new Error('there is no such kind of schema');
}

/** The direct parts of a schema: fields, items, values, options. */
function innerSchemas(schema: Schema): readonly Schema[] {
  switch (schema.kind) {
    case 'object':
      return [...schema.fields.values()];
    case 'array':
      return [schema.items];
    case 'map':
      return schema.of === undefined ? [] : [schema.of];
    case 'one_of':
      return schema.options;
    case 'string':
    case 'ref':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'timestamp':
    case 'any':
    case 'json_schema':
    case 'enum':
    case 'const':
      return [];
  }
}

/** Visits a schema and all of its parts, each once per `seen`. */
export function visitSchema(schema: Schema, visit: (schema: Schema) => void, seen = new Set<Schema>()): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  visit(schema);
  for (const inner of innerSchemas(schema)) visitSchema(inner, visit, seen);
}

/** The schema at a path; undefined if the type doesn't declare the member. */
export function schemaAt(schema: Schema, keys: readonly string[]): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const key of keys) at = at === undefined ? undefined : memberOf(at, key);
  return at;
}

function memberOf(schema: Schema, key: string): Schema | undefined {
  if (schema.kind === 'map') return schema.of;
  return schema.kind === 'object' ? schema.fields.get(key) : undefined;
}

/** The rules for a schema's values. */
export function rulesOf(schema: Schema): SchemaRules {
  switch (schema.kind) {
    case 'string':
    case 'ref': {
      const { min, max_length, pattern, format } = schema;
      return { min, max_length, pattern, format };
    }
    case 'integer':
    case 'number': {
      const { min, max, clamp, decimals } = schema;
      return { min, max, clamp, decimals };
    }
    case 'map': {
      const { max, max_length } = schema;
      return { max, max_length };
    }
    case 'array': {
      const { min, max } = schema;
      return { min, max };
    }
    case 'one_of':
      return schema.bound === undefined ? {} : rulesOf(schema.bound);
    case 'boolean':
    case 'timestamp':
    case 'any':
    case 'json_schema':
    case 'enum':
    case 'const':
    case 'object':
      return {};
  }
}

/** The attributes of a schema without the keys of its kind. */
export function attributesOf(schema: Attributes): Attributes {
  return {
    nullable: schema.nullable,
    expr: schema.expr,
    place: schema.place,
    default: schema.default,
    optional: schema.optional,
    hidden: schema.hidden,
    internal: schema.internal,
    keeps_address: schema.keeps_address,
    view: schema.view,
    shown: schema.shown,
    on_expand: schema.on_expand,
    in_shapes: schema.in_shapes,
    expandable: schema.expandable,
    machine: schema.machine,
    merge: schema.merge,
    touch: schema.touch,
    sequence: schema.sequence,
    required: schema.required,
    unset: schema.unset,
    secret: schema.secret,
    effect: schema.effect,
  };
}

/**
 * The expression type of an object with these fields; fields that are computed for responses or have no effect aren't readable.
 */
export function typeOfFields(
  fields: ReadonlyMap<string, Schema>,
  name?: string,
  resource?: string,
): Type & { kind: 'object' } {
  const readable = [...fields]
    .filter(([, schema]) => schema.view === undefined && schema.effect === undefined)
    .map(([key, schema]) => [key, schema.expr] as const);
  const all =
    resource === undefined || fields.has('id')
      ? readable
      : [['id', { kind: 'string', refs: [resource] }] as const, ...readable];
  const computed = new Set([...fields].flatMap(([key, schema]) => (schema.view === undefined ? [] : [key])));
  return { ...objectType(all, name, resource), ...(computed.size > 0 ? { computed } : {}) };
}

/** The type of returned fields, without those that are returned on request only. */
export function typeOfShown(fields: ReadonlyMap<string, Schema>): Type & { kind: 'object' } {
  const shown = [...fields].filter(([, { hidden, on_expand, in_shapes }]) => !hidden && !on_expand && !in_shapes);
  return objectType(shown.map(([key, schema]) => [key, shownType(schema)] as const));
}

/** The type of a field in responses; of computed fields only scalar types are reliable, since maps may have more members. */
function shownType(schema: Schema): Type {
  if (schema.shown !== undefined) return ANY;
  if (schema.kind === 'array') return listType(schema.view === undefined ? shownType(schema.items) : ANY);
  if (schema.kind !== 'object') return schema.expr;
  return schema.open || schema.view !== undefined ? ANY : typeOfShown(schema.fields);
}

/** One step of a path: to a member, through a list, or from an id to its object. */
export interface PathStep {
  readonly key: string;
  /** The value is the id of an object of one of these resources, in which the path continues. */
  readonly refs: readonly string[] | null;
}

/** A linked path of a rule. */
export interface RulePath {
  readonly text: string;
  readonly root: 'params' | 'self' | 'vars';
  readonly keys: readonly string[];
  readonly steps: readonly PathStep[];
  /** Path in the object's own value, used if the parameter wasn't sent; null: none. */
  readonly fallback: readonly PathStep[] | null;
  readonly hasDefault: boolean;
  /** Whether the path leads through a list. */
  readonly isOfLists: boolean;
  /** Value of a variable of the pack. */
  readonly constant: string | null;
  /** The type at the path; null: unknown. */
  readonly schema: Schema | null;
}

/** The possible beginnings of a rule's paths. */
export interface RuleScope {
  readonly params: ReadonlyMap<string, Schema>;
  /** Fields of the call's object; null: it has none. */
  readonly self: ReadonlyMap<string, Schema> | null;
  /** The operation that inherits the rules of its resource: names that it lacks aren't reported. */
  readonly operation?: string;
}

/** The values in a condition. */
interface ValueTest {
  readonly values: readonly Json[];
  /** Whether the test holds for all values but these. */
  readonly isNegated: boolean;
}

/** A path and its accepted values; without a test it holds if the parameter was sent. */
export interface Condition {
  readonly path: RulePath;
  readonly test: ValueTest | null;
}

/** Kinds of limits in rows of a table. */
export const LIMIT_KINDS = ['min', 'max', 'step', 'max_length', 'pattern'] as const;

export type LimitKind = (typeof LIMIT_KINDS)[number];

export interface Limits {
  readonly by: RulePath;
  readonly table: PackTable;
  /** The column of the table with the values of `by`. */
  readonly key: string;
  /** The table's column for each limit. */
  readonly columns: readonly (readonly [LimitKind, string])[];
  readonly errors: Readonly<Partial<Record<LimitKind, string>>>;
  readonly pattern: (source: string) => TextPattern;
}

/** Kinds of rules between parameters: the key of a rule in a pack's file. To add one, see CONTRIBUTING.md. */
export const RULE_KINDS = [
  'exclusive',
  'exactly_one',
  'at_least_one',
  'together',
  'needs',
  'never',
  'ascending',
  'unique',
  'last',
  'limits',
] as const;

type RuleKind = (typeof RULE_KINDS)[number];

/** A linked rule between parameters. */
export interface ParamRule {
  readonly kind: RuleKind;
  readonly file: RuleFile;
  readonly place: SourceLocation;
  /** The rule applies if all of these hold, and one of `each`. */
  readonly given: readonly Condition[];
  /** The rule is checked for each of these conditions that holds; without any it is checked once. */
  readonly each: readonly Condition[];
  readonly members: readonly Condition[];
  readonly limits: Limits | null;
  /** The error for a call that breaks the rule; null: the engine's default for its kind. */
  readonly error: string | null;
  readonly args: JsonObject;
  /** Parameters of which one has to be sent before it can be broken; null: a call without any can break it. */
  readonly triggers: readonly string[] | null;
}

/** The rules of one set of parameters, prepared for calls. */
export interface RuleSet {
  readonly rules: readonly ParamRule[];
  /** All rules as they were declared, including invalid and switched-off ones. */
  readonly declared: readonly RuleFile[];
  /** Rules by the names of parameters that trigger them. */
  readonly byName: ReadonlyMap<string, readonly ParamRule[]>;
  /** Rules that every call can break. */
  readonly always: readonly ParamRule[];
}
