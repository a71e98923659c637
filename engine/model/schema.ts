import type { PackTable } from './pack-table.js';
import type { SourceLocation } from './diagnostics.js';
import type { Json, JsonObject, TextPattern } from '../values/index.js';
import type { RuleFile } from './files.js';
import { ANY, listType, objectType, type Type } from '../expression/index.js';

/** A pattern of texts, declared by name in pack.yaml. */
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
  /** The expression type of a value. */
  readonly expr: Type;
  readonly place: SourceLocation;
  readonly default?: Json;
  readonly optional?: boolean;
  readonly hidden?: boolean;
  /** Whether the field is hidden in responses but visible in the state (unlike a secret). */
  readonly internal?: boolean;
  /** Whether the stored value may be computed from the sandbox's address, which otherwise causes a warning. */
  readonly keeps_address?: boolean;
  readonly view?: Json;
  /** Expression whose value replaces the stored one in responses. */
  readonly shown?: Json;
  readonly on_expand?: boolean;
  /** Whether only shapes of the resource return the field. */
  readonly in_shapes?: boolean;
  /** Whether the id's object isn't stored by the pack: `expand` accepts the field, and returns the id unchanged. */
  readonly expandable?: boolean;
  readonly machine?: boolean;
  readonly merge?: boolean;
  /** A timestamp that is set to `now` whenever another field changes. */
  readonly touch?: boolean;
  /** A sequence number within the object that the field `per` refers to; sequences with one name share their numbers. */
  readonly sequence?: { readonly per: string; readonly of?: string };
  readonly required?: boolean;
  readonly unset?: boolean;
  /** Whether the value is never shown: not in traces, logs or errors. */
  readonly secret?: boolean;
  /** Set for a parameter that is checked but not used. `none`: calls that send the parameter are reported as unsupported. */
  readonly effect?: 'none' | 'hint';
}

/** Which bounds replace a number outside of them; others cause an error. */
export type Clamp = boolean | 'min' | 'max';

/**
 * Limits of values of a type. For texts, lists and maps, `min` and `max` limit the number of characters, items or keys. Each
 * kind of type has only some of the limits.
 */
export interface SchemaRules {
  readonly min?: number;
  readonly max?: number;
  /** Which bounds replace a number outside of them. */
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
  /** Values of other parameters that mark the text as base64, by parameter; undefined: the text is never base64. */
  readonly bytes?: ReadonlyMap<string, string>;
}

/** The type of an id that refers to objects of one or several resources. */
export interface RefSchema extends Attributes, TextRules {
  readonly kind: 'ref';
  readonly refs: readonly string[];
}

export interface NumberSchema extends Attributes, Pick<SchemaRules, 'min' | 'max' | 'clamp' | 'decimals'> {
  readonly kind: 'integer' | 'number';
}

/** Types without keys of their own, such as booleans. */
interface PlainSchema extends Attributes {
  readonly kind: 'boolean' | 'timestamp' | 'any' | 'json_schema';
}

export interface EnumSchema extends Attributes {
  readonly kind: 'enum';
  readonly values: readonly string[];
  /** Values that the vendor's document adds to those of the pack; none by default. */
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
  /** Rules between the fields of an object that a call sends. */
  readonly rules?: () => RuleSet;
}

export interface ArraySchema extends Attributes, Pick<SchemaRules, 'min' | 'max'> {
  readonly kind: 'array';
  readonly items: Schema;
  /** Set for a filter that accepts several values: as a repeated parameter, separated by commas, or both. */
  readonly many?: boolean;
  /** The character between items, if the list is sent as a single text. */
  readonly separator?: string;
}

export interface OneOfSchema extends Attributes {
  readonly kind: 'one_of';
  readonly options: readonly Schema[];
  /** The type of a filter's value; the filter also accepts bounds of that type (`{gt, gte, lt, lte}`). */
  readonly bound?: Schema;
}

/** A type of the pack language, parsed, with all of its attributes. */
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

/** Returns a schema that accepts any value. */
export function anySchema(place: SourceLocation): Schema {
  return { kind: 'any', nullable: true, expr: ANY, place };
}

/** Marks the end of a `switch` over all kinds, so that a missing kind is a type error. */
export function impossible(_schema: never): never {
  throw new Error('there is no such kind of schema');
}

/** Lists the direct parts of a schema: an object's fields, the type of items or values, a union's options. */
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

/** Returns the schema at a path; undefined if the type doesn't declare the member. */
export function schemaAt(schema: Schema, keys: readonly string[]): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const key of keys) at = at === undefined ? undefined : memberOf(at, key);
  return at;
}

function memberOf(schema: Schema, key: string): Schema | undefined {
  if (schema.kind === 'map') return schema.of;
  return schema.kind === 'object' ? schema.fields.get(key) : undefined;
}

/** Returns the rules that a schema's values must follow, such as bounds. */
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

/** Returns the attributes of a schema without the keys of its kind. */
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

/** Returns the type of an object with the given fields, except those computed for responses or without effect. */
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

/** Returns the expression type of a returned object, without fields that are returned only on request. */
export function typeOfShown(fields: ReadonlyMap<string, Schema>): Type & { kind: 'object' } {
  const shown = [...fields].filter(([, { hidden, on_expand, in_shapes }]) => !hidden && !on_expand && !in_shapes);
  return objectType(shown.map(([key, schema]) => [key, shownType(schema)] as const));
}

/** Returns the expression type of a field in responses; unknown for computed maps, whose members vary. */
function shownType(schema: Schema): Type {
  if (schema.shown !== undefined) return ANY;
  if (schema.kind === 'array') return listType(schema.view === undefined ? shownType(schema.items) : ANY);
  if (schema.kind !== 'object') return schema.expr;
  return schema.open || schema.view !== undefined ? ANY : typeOfShown(schema.fields);
}

/** One step of a rule's path: to a member, through a list, or from an id to the id's object. */
export interface PathStep {
  readonly key: string;
  /** Resources whose id the value is: the path continues in the id's object; null: the value isn't an id. */
  readonly refs: readonly string[] | null;
}

/** A path in a rule between parameters, resolved to types. */
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
  /** Value of the pack's variable that the path names; null: the path names no variable. */
  readonly constant: string | null;
  /** The type of the values at the path; null: unknown. */
  readonly schema: Schema | null;
}

/** What the paths of a rule can begin with: parameters, the object's fields, or variables. */
export interface RuleScope {
  readonly params: ReadonlyMap<string, Schema>;
  /** Fields of the object that the call's route names; null: none. */
  readonly self: ReadonlyMap<string, Schema> | null;
  /** Set if an operation inherits the rules of its resource: then names that it lacks aren't reported. */
  readonly operation?: string;
}

/** The values that a condition accepts. */
interface ValueTest {
  readonly values: readonly Json[];
  /** Whether the condition accepts all values except `values`. */
  readonly isNegated: boolean;
}

/** A path and the values that a condition accepts; without a test, the condition holds if the call sends the parameter. */
export interface Condition {
  readonly path: RulePath;
  readonly test: ValueTest | null;
}

/** Kinds of limits that a column of a table can contain. */
export const LIMIT_KINDS = ['min', 'max', 'step', 'max_length', 'pattern'] as const;

export type LimitKind = (typeof LIMIT_KINDS)[number];

export interface Limits {
  readonly by: RulePath;
  readonly table: PackTable;
  /** The table's column that contains the values of the parameter `by`. */
  readonly key: string;
  /** The kind of limit, and the table's column that contains it. */
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

/** A rule between parameters, with its paths resolved. */
export interface ParamRule {
  readonly kind: RuleKind;
  readonly file: RuleFile;
  readonly place: SourceLocation;
  /** Conditions that must all hold for the rule to apply; with `each`, one of the conditions in that must hold too. */
  readonly given: readonly Condition[];
  /** Conditions for each of which, if it holds, the rule is checked once; if the list is empty, the rule is checked once. */
  readonly each: readonly Condition[];
  readonly members: readonly Condition[];
  readonly limits: Limits | null;
  /** Name of the error for a call that breaks the rule; null: the engine's default for the kind of rule. */
  readonly error: string | null;
  readonly args: JsonObject;
  /** Parameters of which a call must send one to break the rule; null: a call without any of them can break the rule. */
  readonly triggers: readonly string[] | null;
}

/** The rules of one set of parameters, indexed for calls. */
export interface RuleSet {
  readonly rules: readonly ParamRule[];
  /** All rules as they were declared, including invalid and switched-off ones. */
  readonly declared: readonly RuleFile[];
  /** Rules by the names of parameters that trigger them. */
  readonly byName: ReadonlyMap<string, readonly ParamRule[]>;
  /** Rules that every call can break. */
  readonly always: readonly ParamRule[];
}
