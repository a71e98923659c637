import { LIMITS } from '../limits.js';
import { LastMade } from '../expression/index.js';
import {
  equal,
  isList,
  isObject,
  type Json,
  type JsonObject,
  jsonSchemaProblem,
  keysOfBrackets,
} from '../values/index.js';
import {
  type ArraySchema,
  brokenParamRules,
  brokenRule,
  type EnumSchema,
  type MapSchema,
  type NumberSchema,
  type ObjectSchema,
  type OneOfSchema,
  type RefSchema,
  type Schema,
  type SchemaKind,
  type TextSchema,
} from '../model/index.js';
import { readInstant, writeInstant } from '../world/index.js';
import {
  type ParamContext,
  type ParamProblem,
  ERROR_KINDS,
  OF_CHOICES,
  asksForOtherForm,
  ruleError,
} from './param-errors.js';

/** The result of decoding a call's parameters: values, and problems. */
interface DecodedParams {
  readonly params: JsonObject;
  /** Decoded values of parameters that the pack doesn't use, for rules between parameters; undefined: none. */
  readonly idle: JsonObject | undefined;
  readonly problems: readonly ParamProblem[];
  /** Names of sent parameters that are checked but have no effect in the pack; undefined: none. */
  readonly ineffective: readonly string[] | undefined;
}

/**
 * Decodes the parameters of a call by their schemas: known ones are parsed and checked, missing ones get defaults. Never
 * throws.
 */
export function decodeParams(
  fields: ReadonlyMap<string, Schema>,
  given: JsonObject,
  context: ParamContext,
): DecodedParams {
  const problems: ParamProblem[] = [];
  const decoder = new Decoder(context, problems);
  const { params, idle } = decoder.object(fields, withNested(fields, given), '', false);
  return { params, idle, problems, ineffective: decoder.ineffective };
}

/** For each map of parameters, the names that contain brackets, such as `page[size]`, with the keys in them. */
const NESTED = new WeakMap<ReadonlyMap<string, Schema>, readonly (readonly [string, readonly string[]])[]>();

/** Moves a nested member of the call's parameters, whose parameter is declared as `page[size]`, to that name. */
function withNested(fields: ReadonlyMap<string, Schema>, given: JsonObject): JsonObject {
  let nested = NESTED.get(fields);
  if (nested === undefined) {
    nested = [...fields.keys()].filter((name) => name.includes('[')).map((name) => [name, keysOfBrackets(name)]);
    NESTED.set(fields, nested);
  }
  if (nested.length === 0) return given;
  const made: Record<string, Json> = { ...given };
  for (const [name, [first, member]] of nested) {
    const holder = given[first];
    if (!isObject(holder)) continue;
    if (Object.hasOwn(holder, member)) made[name] = holder[member];
    if (!fields.has(first)) delete made[first];
  }
  return made;
}

const missed = new WeakMap<ReadonlyMap<string, Schema>, readonly (readonly [string, Schema])[]>();

/** Selects the fields that matter if a call leaves them out: required ones, and those with a default. */
function missedFields(fields: ReadonlyMap<string, Schema>): readonly (readonly [string, Schema])[] {
  let found = missed.get(fields);
  if (found === undefined) {
    found = [...fields].filter(([, schema]) => schema.required || schema.default !== undefined);
    missed.set(fields, found);
  }
  return found;
}

/** The result for a rejected value, whose problem is already recorded. */
const REJECTED = Symbol('rejected');

type DecodedParam = Json | typeof REJECTED;

class Decoder {
  ineffective: string[] | undefined;

  constructor(
    private readonly context: ParamContext,
    private readonly problems: ParamProblem[],
  ) {}

  object(
    fields: ReadonlyMap<string, Schema>,
    given: JsonObject,
    path: string,
    open: boolean,
  ): Pick<DecodedParams, 'params' | 'idle'> {
    const made: Record<string, Json> = {};
    let idle: Record<string, Json> | undefined;
    for (const key of Object.keys(given)) {
      const schema = fields.get(key);
      const at = this.#path(path, key);
      if (schema === undefined) {
        if (open) {
          if (this.#undeclared(given[key], at) !== REJECTED) made[key] = given[key];
        } else if (this.context.rejectUnknown) {
          this.#reject('parameter_unknown', at, { suggestion: this.context.suggest(key, fields.keys()) ?? null });
        }
        continue;
      }
      const value = this.value(schema, given[key], at);
      if (value === REJECTED) continue;
      if (schema.effect === undefined) made[key] = value;
      else {
        (idle ??= {})[key] = value;
        if (schema.effect === 'none' && !isUsual(schema, value)) (this.ineffective ??= []).push(at);
      }
    }
    for (const [name, schema] of missedFields(fields)) {
      if (Object.hasOwn(given, name)) continue;
      if (schema.required) this.#reject('parameter_missing', this.#path(path, name), {});
      else if (schema.default !== undefined && schema.effect === undefined) made[name] = schema.default;
    }
    return { params: made, idle };
  }

  value(schema: Schema, given: Json, at: string): DecodedParam {
    return schema.secret ? this.#secret(schema, given, at) : this.#plain(schema, given, at);
  }

  /** Decodes a secret value; its problems don't contain the value. */
  #secret(schema: Schema, given: Json, at: string): DecodedParam {
    const before = this.problems.length;
    const value = this.#plain(schema, given, at);
    for (const { error, args } of this.problems.splice(before))
      this.problems.push({ error, args: { ...args, value: null, ...(error === 'unsupported' ? { name: at } : {}) } });
    return value;
  }

  #plain(schema: Schema, given: Json, at: string): DecodedParam {
    if (given === '' && this.context.text) {
      if (schema.unset || schema.nullable) return null;
      if (schema.kind === 'string' && schema.min !== undefined && schema.min === 0) return '';
      if (schema.kind !== 'one_of')
        return schema.merge || schema.kind === 'map' ? {} : this.#reject('parameter_empty', at, {});
    }
    if (given === null) {
      if (schema.unset || schema.nullable) return null;
      // Types with a fixed set of values, and unions, report their own errors.
      if (!OF_CHOICES.has(schema.kind)) return this.#invalid(schema.kind, given, at);
    }
    switch (schema.kind) {
      case 'any':
        return this.#undeclared(given, at);
      case 'string':
        return this.#string(schema, given, at);
      case 'enum':
        return this.#enum(schema, given, at);
      case 'const':
        return String(given) === String(schema.constant)
          ? schema.constant
          : this.#reject('parameter_invalid_enum', at, {
              kind: 'enum',
              value: shown(given),
              values: [String(schema.constant)],
            });
      case 'integer':
      case 'number':
        return this.#number(schema, given, at);
      case 'boolean':
        return this.#boolean(given, at);
      case 'timestamp':
        return this.#timestamp(given, at);
      case 'ref':
        return this.#ref(schema, given, at);
      case 'object':
        return isObject(given) ? this.#object(schema, given, at) : this.#invalid(schema.kind, given, at);
      case 'map':
        return this.#map(schema, given, at);
      case 'json_schema':
        return this.#jsonSchema(given, at);
      case 'array':
        return this.#array(schema, given, at);
      case 'one_of':
        return this.#oneOf(schema, given, at);
    }
  }

  #enum({ values, documented = [] }: EnumSchema, given: Json, at: string): DecodedParam {
    if (typeof given === 'string' && values.includes(given)) return given;
    const value = shown(given);
    return documented.includes(value)
      ? this.#reject('unsupported', at, { kind: 'value', name: `${at}=${value}`, value })
      : this.#reject('parameter_invalid_enum', at, { kind: 'enum', value, values: [...values] });
  }

  /** Decodes an object, and checks the rules between its fields. */
  #object({ fields, open = false, rules }: ObjectSchema, given: JsonObject, at: string): JsonObject {
    const before = this.problems.length;
    const { params: made, idle } = this.object(fields, given, at, open);
    if (rules === undefined || this.problems.length > before) return made;
    const { object, hasSwitch, text } = this.context;
    const name = (keys: readonly string[]): string => pathForCaller([at, ...keys], text);
    const params = idle === undefined ? made : { ...made, ...idle };
    this.problems.push(...brokenParamRules(rules(), { sent: given, params, self: null, object, hasSwitch, name }));
    return made;
  }

  #path(path: string, key: string): string {
    if (path === '') return key;
    return this.context.text ? `${path}[${key}]` : `${path}.${key}`;
  }

  #reject(error: string, param: string, args: JsonObject): typeof REJECTED {
    this.problems.push({ error, args: { param, ...args } });
    return REJECTED;
  }

  #invalid(expected: SchemaKind, given: Json, at: string): typeof REJECTED {
    const kind = ERROR_KINDS[expected] ?? expected;
    const error = kind === 'any' ? 'parameter_invalid' : `parameter_invalid_${kind}`;
    return this.#reject(error, at, { kind, value: shown(given) });
  }

  /** Returns a value that follows the rules of its schema; otherwise reports the broken rule. @param sent the value as sent */
  #ruled<T extends Json>(schema: Schema, value: T, at: string, sent: Json = value): T | typeof REJECTED {
    const broken = brokenRule(schema, value, sent);
    if (broken === undefined) return value;
    const { key, of, limit, rule } = broken;
    const error = ruleError(broken);
    if (error === 'parameter_invalid_format')
      return this.#reject(error, at, {
        kind: 'format',
        value: sent,
        format: rule === 'decimals' ? `number with at most ${limit} decimals` : limit,
      });
    // The error doesn't contain the value, since lists can be long.
    if (of === 'list') return this.#reject(error, at, { limit });
    if (key !== null) return this.#reject(error, this.#path(at, key), { limit, value: key });
    return this.#reject(error, at, { limit, value: of === 'map' ? String(broken.size) : sent });
  }

  #string(schema: TextSchema, given: Json, at: string): DecodedParam {
    if (typeof given !== 'string') return this.#invalid(schema.kind, given, at);
    const { longestText } = this.context;
    if (longestText !== null && given.length > longestText && schema.max_length === undefined && !schema.bytes)
      return this.#reject('parameter_too_long', at, { limit: longestText, value: given });
    return this.#ruled(schema, given, at);
  }

  /** Checks a value without a declared type: its texts have the general length limit. */
  #undeclared(given: Json, at: string): DecodedParam {
    const { longestText } = this.context;
    if (longestText === null || given === null) return given;
    if (typeof given === 'string')
      return given.length > longestText
        ? this.#reject('parameter_too_long', at, { limit: longestText, value: given })
        : given;
    if (typeof given !== 'object') return given;
    const parts = Object.entries(given as JsonObject);
    return parts.some(([key, part]) => this.#undeclared(part, this.#path(at, key)) === REJECTED) ? REJECTED : given;
  }

  #number(schema: NumberSchema, given: Json, at: string): DecodedParam {
    const whole = schema.kind === 'integer';
    const readable =
      typeof given === 'number' ||
      (this.context.text &&
        typeof given === 'string' &&
        (whole ? /^-?\d{1,16}$/ : /^-?\d{1,16}(\.\d{1,12})?$/).test(given));
    // For types that clamp, an integer with too many digits counts as the largest or smallest safe integer.
    const { clamp = false } = schema;
    const isHuge = clamp !== false && this.context.text && typeof given === 'string' && /^-?\d{17,}$/.test(given);
    const value = readable ? Number(given) : isHuge ? Math.sign(Number(given)) * Number.MAX_SAFE_INTEGER : NaN;
    if (whole ? !Number.isSafeInteger(value) : !Number.isFinite(value)) return this.#invalid(schema.kind, given, at);
    return this.#ruled(schema, clamp === false ? value : moved(value, schema), at, shown(given));
  }

  #boolean(given: Json, at: string): DecodedParam {
    if (typeof given === 'boolean') return given;
    // Booleans are accepted in any case, since clients in some languages send True or TRUE.
    const word = this.context.text && typeof given === 'string' ? given.toLowerCase() : null;
    if (word === 'true' || word === 'false') return word === 'true';
    return this.#invalid('boolean', given, at);
  }

  #timestamp(given: Json, at: string): DecodedParam {
    if (this.context.time !== 'unix') {
      const ms = typeof given === 'string' ? readInstant(given) : NaN;
      // Instants get one text format, since they are compared as text.
      return Math.abs(ms) <= LIMITS.latest.value
        ? writeInstant(this.context.time, ms)
        : this.#invalid('timestamp', given, at);
    }
    const value =
      typeof given === 'number'
        ? given
        : this.context.text && typeof given === 'string' && /^\d{1,12}$/.test(given)
          ? Number(given)
          : NaN;
    return Number.isSafeInteger(value) ? value : this.#invalid('timestamp', given, at);
  }

  #ref(schema: RefSchema, given: Json, at: string): DecodedParam {
    if (typeof given !== 'string') return this.#invalid(schema.kind, given, at);
    const resolved = this.context.resolve(schema.refs, given, at);
    if (typeof resolved === 'string') return resolved;
    this.problems.push(resolved);
    return REJECTED;
  }

  #map(schema: MapSchema, sent: Json, at: string): DecodedParam {
    const given = Array.isArray(sent) ? (this.context.listAsMap(sent as readonly Json[]) ?? sent) : sent;
    if (!isObject(given)) return this.#invalid(schema.kind, given, at);
    if (this.#ruled(schema, given, at) === REJECTED) return REJECTED;
    const { of } = schema;
    if (!of) return this.#undeclared(given, at);
    const made: Record<string, Json> = {};
    for (const [key, item] of Object.entries(given)) {
      const deletes = (item === '' && (of.kind === 'string' || schema.merge)) || (item === null && schema.merge);
      const value = deletes ? item : this.value(of, item, this.#path(at, key));
      if (value === REJECTED) return REJECTED;
      made[key] = value;
    }
    return made;
  }

  #jsonSchema(given: Json, at: string): DecodedParam {
    if (!isObject(given)) return this.#invalid('map', given, at);
    const reason = jsonSchemaProblem(given);
    if (reason === undefined) return given;
    return this.#reject('parameter_invalid_json_schema', at, { kind: 'json_schema', value: shown(given), reason });
  }

  #array(schema: ArraySchema, sent: Json, at: string): DecodedParam {
    const given = this.#listOf(schema, sent);
    if (!Array.isArray(given)) return this.#invalid(schema.kind, given, at);
    if (this.#ruled(schema, given as readonly Json[], at) === REJECTED) return REJECTED;
    const made: Json[] = [];
    for (const [index, item] of (given as readonly Json[]).entries()) {
      const value = this.value(schema.items, item, this.#path(at, String(index)));
      if (value === REJECTED) return REJECTED;
      made.push(value);
    }
    return lastOf(schema).list(made);
  }

  /** Converts a sent value to a list: splits a text at the separator, or wraps an accepted single value. */
  #listOf({ many, separator }: ArraySchema, sent: Json): Json {
    if (many) return listOfMany(sent);
    if (separator !== undefined) {
      const texts: readonly Json[] = isList(sent) ? sent : [sent];
      return texts.flatMap<Json>((each) => (typeof each === 'string' ? each.split(separator) : [each]));
    }
    const { singleValues } = this.context;
    const isSingle = typeof sent !== 'object' || (singleValues === 'maps' && isObject(sent));
    return singleValues !== null && isSingle ? [sent] : sent;
  }

  /** Decodes a value by the first option that accepts it; if none does, reports the problems of the best matching option. */
  #oneOf(schema: OneOfSchema, given: Json, at: string): DecodedParam {
    const before = this.problems.length;
    let problems: ParamProblem[] = [];
    for (const option of schema.options) {
      const value = this.value(option, given, at);
      if (value !== REJECTED && this.problems.length === before) return value;
      const found = this.problems.splice(before);
      // A problem such as "must be an object" for a text is less helpful than the problems of an option that takes texts.
      if (problems.length === 0 || !found.some((problem) => asksForOtherForm(problem, given, at))) problems = found;
    }
    this.problems.push(...problems);
    return REJECTED;
  }
}

/** Moves a number outside of the bounds to the nearest bound, if the type clamps. */
function moved(value: number, { clamp, min = value, max = value }: NumberSchema): number {
  const raised = clamp === 'max' ? value : Math.max(value, min);
  return clamp === 'min' ? raised : Math.min(raised, max);
}

/** Whether a value is null or equals the type's default. */
function isUsual({ default: usual }: Schema, value: Json): boolean {
  return value === null || (usual !== undefined && equal(value, usual));
}

/** The list that was decoded last, by its type. */
const lasts = new WeakMap<ArraySchema, LastMade>();

function lastOf(schema: ArraySchema): LastMade {
  let last = lasts.get(schema);
  if (last === undefined) lasts.set(schema, (last = new LastMade()));
  return last;
}

/** Splits values that were sent as a repeated parameter, separated by commas, or both. */
function listOfMany(sent: Json): readonly Json[] {
  const list: readonly Json[] = isList(sent) ? sent : [sent];
  const parts = list.flatMap<Json>((each) =>
    typeof each === 'string' ? each.split(',').map((part) => part.trim()) : [each],
  );
  return parts.filter((part) => part !== '');
}

/** Writes a path in the syntax of callers: `a[0][b]` in forms, `a.0.b` in JSON. */
export function pathForCaller([first, ...rest]: readonly string[], text: boolean): string {
  return rest.reduce((path, key) => (text ? `${path}[${key}]` : `${path}.${key}`), first);
}

/** Formats a value for an error's message. */
function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
