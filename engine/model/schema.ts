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

/** What a place says beside its type: how a field is kept and returned, how a parameter is accepted. Any kind may have it. */
export interface Attributes {
  readonly nullable: boolean;
  /** The same type for the expression checker. */
  readonly expr: Type;
  readonly place: SourceLocation;
  readonly default?: Json;
  readonly optional?: boolean;
  readonly hidden?: boolean;
  /** Hidden, but no secret: tests see it in the state. */
  readonly internal?: boolean;
  /** What is stored may be computed from the address. */
  readonly keeps_address?: boolean;
  readonly view?: Json;
  /** What responses show instead of what is stored. */
  readonly shown?: Json;
  readonly on_expand?: boolean;
  /** Only shapes of its resource return it. */
  readonly in_shapes?: boolean;
  /** Names something that the pack does not keep: may be asked for in `expand`, and stays as it is. */
  readonly expandable?: boolean;
  readonly machine?: boolean;
  readonly merge?: boolean;
  /** A timestamp that becomes `now` whenever something else of the object changes. */
  readonly touch?: boolean;
  /** Counts within what the field `per` refers to; sequences of one name share their numbers. */
  readonly sequence?: { readonly per: string; readonly of?: string };
  readonly required?: boolean;
  readonly unset?: boolean;
  /** The value is never shown. */
  readonly secret?: boolean;
  /** The value of a parameter is checked and not passed on; `none`: calls that send it are reported. */
  readonly effect?: 'none' | 'hint';
}

/** Which bounds a number is moved to instead of being rejected. */
export type Clamp = boolean | 'min' | 'max';

/** Bounds of a value; of text, lists and maps they count characters, items and keys. Each kind has those that it obeys. */
export interface SchemaRules {
  readonly min?: number;
  readonly max?: number;
  /** A number out of bounds is moved to the bound: to either of them, or to one. */
  readonly clamp?: Clamp;
  /** Most decimals of a number. */
  readonly decimals?: number;
  /** Most characters of a text, or of a key of a map. */
  readonly max_length?: number;
  readonly pattern?: TextPattern;
  readonly format?: Format;
}

type TextRules = Pick<SchemaRules, 'min' | 'max_length' | 'pattern' | 'format'>;

export interface TextSchema extends Attributes, TextRules {
  readonly kind: 'string';
  /** It is bytes in base64, if other parameters have these values; undefined: it is text. */
  readonly bytes?: ReadonlyMap<string, string>;
}

/** The id of an object of one of the resources. */
export interface RefSchema extends Attributes, TextRules {
  readonly kind: 'ref';
  readonly refs: readonly string[];
}

export interface NumberSchema extends Attributes, Pick<SchemaRules, 'min' | 'max' | 'clamp' | 'decimals'> {
  readonly kind: 'integer' | 'number';
}

/** Types that say everything by their name. */
interface PlainSchema extends Attributes {
  readonly kind: 'boolean' | 'timestamp' | 'any' | 'json_schema';
}

export interface EnumSchema extends Attributes {
  readonly kind: 'enum';
  readonly values: readonly string[];
  /** Values that only the vendor's document has; none unless given. */
  readonly documented?: readonly string[];
}

interface ConstSchema extends Attributes {
  readonly kind: 'const';
  readonly constant: Json;
}

export interface MapSchema extends Attributes, Pick<SchemaRules, 'max' | 'max_length'> {
  readonly kind: 'map';
  /** The type of its values; undefined when they are taken as they are. */
  readonly of?: Schema;
}

export interface ObjectSchema extends Attributes {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Schema>;
  /** Unknown keys are accepted. */
  readonly open?: boolean;
  /** Rules between the fields of what callers send. */
  readonly rules?: () => RuleSet;
}

export interface ArraySchema extends Attributes, Pick<SchemaRules, 'min' | 'max'> {
  readonly kind: 'array';
  readonly items: Schema;
  /** A filter that takes several values: repeated, separated by commas, or both. */
  readonly many?: boolean;
  /** Between items that come as one text. */
  readonly separator?: string;
}

export interface OneOfSchema extends Attributes {
  readonly kind: 'one_of';
  readonly options: readonly Schema[];
  /** A filter that takes a value of this type, or bounds of it (`{gt, gte, lt, lte}`). */
  readonly bound?: Schema;
}

/** A type of the pack language with everything that its place says beside it. */
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

/** A schema that takes everything. */
export function anySchema(place: SourceLocation): Schema {
  return { kind: 'any', nullable: true, expr: ANY, place };
}

/** The end of a `switch` over all kinds: a kind that was forgotten is an error of types. */
export function impossible(_schema: never): never {
  throw new Error('there is no such kind of schema');
}

/** The schemas directly inside a schema: fields, items, values, options. */
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

/** Visits a schema and then all inside it, each one once in all visits that share `seen`. */
export function visitSchema(schema: Schema, visit: (schema: Schema) => void, seen = new Set<Schema>()): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  visit(schema);
  for (const inner of innerSchemas(schema)) visitSchema(inner, visit, seen);
}

/** The schema of what a path leads to; undefined when the type declares no such member. */
export function schemaAt(schema: Schema, keys: readonly string[]): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const key of keys) at = at === undefined ? undefined : memberOf(at, key);
  return at;
}

function memberOf(schema: Schema, key: string): Schema | undefined {
  if (schema.kind === 'map') return schema.of;
  return schema.kind === 'object' ? schema.fields.get(key) : undefined;
}

/** The rules that a schema's values must meet. */
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

/** The attributes of a schema without what belongs to its kind. */
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

/** The expression type of an object with these fields; what is only computed for responses or has no effect is not readable. */
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
  return objectType(all, name, resource);
}

/** Type of what responses show of fields that callers need not ask for. */
export function typeOfShown(fields: ReadonlyMap<string, Schema>): Type & { kind: 'object' } {
  const shown = [...fields].filter(([, { hidden, on_expand, in_shapes }]) => !hidden && !on_expand && !in_shapes);
  return objectType(shown.map(([key, schema]) => [key, shownType(schema)] as const));
}

/** A view is trusted in what it says of scalars only: maps may have more members. */
function shownType(schema: Schema): Type {
  if (schema.shown !== undefined) return ANY;
  if (schema.kind === 'array') return listType(schema.view === undefined ? shownType(schema.items) : ANY);
  if (schema.kind !== 'object') return schema.expr;
  return schema.open || schema.view !== undefined ? ANY : typeOfShown(schema.fields);
}

/** One step of a path: into a member, through a list, or from an id to its object. */
export interface PathStep {
  readonly key: string;
  /** Its value is the id of an object of one of these, and the path continues in that object. */
  readonly refs: readonly string[] | null;
}

/** A path of a rule, linked. */
export interface RulePath {
  readonly text: string;
  readonly root: 'params' | 'self' | 'vars';
  readonly keys: readonly string[];
  readonly steps: readonly PathStep[];
  /** Path of the object's own value, which counts where the parameter was not sent; null: none. */
  readonly fallback: readonly PathStep[] | null;
  readonly hasDefault: boolean;
  /** It leads through a list. */
  readonly isOfLists: boolean;
  /** Value of a variable of the pack. */
  readonly constant: string | null;
  /** The type of what it leads to; null: unknown. */
  readonly schema: Schema | null;
}

/** What the paths of a rule may begin with. */
export interface RuleScope {
  readonly params: ReadonlyMap<string, Schema>;
  /** Fields of the object of the call; null: there is none. */
  readonly self: ReadonlyMap<string, Schema> | null;
  /** The operation that inherits the rules of its resource: what it does not take is no problem. */
  readonly operation?: string;
}

/** The values that a condition asks for. */
interface ValueTest {
  readonly values: readonly Json[];
  /** It holds for all other values. */
  readonly isNegated: boolean;
}

/** A path, and the values that count; without a test it holds for what was sent. */
export interface Condition {
  readonly path: RulePath;
  readonly test: ValueTest | null;
}

/** What a row of a table limits. */
export type LimitKind = 'min' | 'max' | 'step' | 'max_length' | 'pattern';

export interface Limits {
  readonly by: RulePath;
  readonly table: PackTable;
  /** The column of the table that holds the values of `by`. */
  readonly key: string;
  /** Column of each limit that the table has. */
  readonly columns: readonly (readonly [LimitKind, string])[];
  readonly errors: Readonly<Partial<Record<LimitKind, string>>>;
  readonly pattern: (source: string) => TextPattern;
}

export type RuleKind =
  | 'exclusive'
  | 'exactly_one'
  | 'at_least_one'
  | 'together'
  | 'needs'
  | 'never'
  | 'ascending'
  | 'unique'
  | 'last'
  | 'limits';

/** A rule between parameters, linked. */
export interface ParamRule {
  readonly kind: RuleKind;
  readonly file: RuleFile;
  readonly place: SourceLocation;
  /** All of these hold where it applies, and one of `each`. */
  readonly given: readonly Condition[];
  /** It is checked for each of these that holds; empty: once. */
  readonly each: readonly Condition[];
  readonly members: readonly Condition[];
  readonly limits: Limits | null;
  /** Null: the engine's default for its kind. */
  readonly error: string | null;
  readonly args: JsonObject;
  /** Names of which one must be sent before it can be broken; null: it can be broken by a call that sends none. */
  readonly triggers: readonly string[] | null;
}

/** Rules of one set of parameters, as a call needs them. */
export interface RuleSet {
  readonly rules: readonly ParamRule[];
  /** As files say them, with those that are broken or switched off. */
  readonly declared: readonly RuleFile[];
  /** Rules by the names that trigger them. */
  readonly byName: ReadonlyMap<string, readonly ParamRule[]>;
  /** Rules that every call may break. */
  readonly always: readonly ParamRule[];
}
