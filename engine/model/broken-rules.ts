import { isList, isObject, type Json, type JsonObject } from '../values/index.js';
import type {
  Condition,
  LimitKind,
  Limits,
  ParamRule,
  RuleSet,
  PathStep,
  Schema,
  SchemaRules,
  TextSchema,
  RefSchema,
} from './schema.js';

/** A rule of a type that a value breaks, as data, which parameters, seed data and pins word differently. */
export interface BrokenRule {
  readonly rule: 'min' | 'max' | 'decimals' | 'max_length' | 'pattern' | 'format';
  /** The measured quantity: a text's characters, the number itself, a list's items, or a map's keys. */
  readonly of: 'text' | 'number' | 'list' | 'map' | 'key';
  /** The bound that the value exceeds, the source of the pattern, or the title of the format. */
  readonly limit: number | string;
  /** The measured amount: a count of characters, items, keys or decimals, or the number itself. */
  readonly size: number;
  /** The key of a map that breaks the rule; null if the value itself does. */
  readonly key: string | null;
}

/**
 * Returns the first rule of a schema that a value of the right kind breaks; undefined if none. Nested values aren't checked.
 * All checks of values (parameters, seed data, pins, faults) use this.
 * @param sent the value as sent, such as a number as text
 */
export function brokenRule(schema: Schema, value: Json, sent: Json = value): BrokenRule | undefined {
  switch (schema.kind) {
    case 'string':
    case 'ref':
      return typeof value === 'string' ? brokenByText(schema, value) : undefined;
    case 'integer':
    case 'number':
      if (typeof value !== 'number') return undefined;
      return outOfBounds(schema, 'number', value) ?? tooPrecise(schema.decimals, sent);
    case 'array': {
      const { min = schema.many === true ? 1 : 0, max } = schema;
      return isList(value) ? outOfBounds({ min, max }, 'list', value.length) : undefined;
    }
    case 'map':
      return isObject(value) ? brokenByKeys(schema, Object.keys(value)) : undefined;
    default:
      return undefined;
  }
}

type Bounds = Pick<SchemaRules, 'min' | 'max'>;

function outOfBounds({ min, max }: Bounds, of: BrokenRule['of'], size: number): BrokenRule | undefined {
  if (min !== undefined && size < min) return { rule: 'min', of, limit: min, size, key: null };
  if (max !== undefined && size > max) return { rule: 'max', of, limit: max, size, key: null };
  return undefined;
}

function tooPrecise(decimals: number | undefined, sent: Json): BrokenRule | undefined {
  if (decimals === undefined) return undefined;
  const [, digits = '', power = '0'] = /^[^.e]*(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(String(sent)) ?? [];
  const size = Math.max(0, digits.length - Number(power));
  return size > decimals ? { rule: 'decimals', of: 'number', limit: decimals, size, key: null } : undefined;
}

/** Matches control characters, which no known format of text allows and headers can't contain. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x1f\x7f]/;

function brokenByText(schema: TextSchema | RefSchema, value: string): BrokenRule | undefined {
  const { min, max_length, pattern, format } = schema;
  const size = value.length;
  const of = 'text';
  if (min !== undefined && size < min) return { rule: 'min', of, limit: min, size, key: null };
  if (max_length !== undefined && size > max_length)
    return { rule: 'max_length', of, limit: max_length, size, key: null };
  if (pattern && !pattern.test(value)) return { rule: 'pattern', of, limit: pattern.source, size, key: null };
  if (format && (!format.pattern.test(value) || CONTROLS.test(value)))
    return { rule: 'format', of, limit: format.title, size, key: null };
  return undefined;
}

function brokenByKeys({ max, max_length }: SchemaRules, keys: readonly string[]): BrokenRule | undefined {
  const many = outOfBounds({ max }, 'map', keys.length);
  if (many !== undefined || max_length === undefined) return many;
  const key = keys.find((each) => each.length > max_length);
  return key === undefined ? undefined : { rule: 'max_length', of: 'key', limit: max_length, size: key.length, key };
}

/** What the rules between parameters are checked against: a call, or an object inside of its parameters. */
interface RuleCall {
  /** The parameters that the call sent. */
  readonly sent: JsonObject;
  /** The call's parameters after decoding, with defaults. */
  readonly params: JsonObject;
  /** Value of the object that the call's route names; null: none. */
  readonly self: JsonObject | null;
  /** Formats the path of a parameter in the syntax that the caller used. */
  name(keys: readonly string[]): string;
  object(resources: readonly string[], id: string): JsonObject | undefined;
  hasSwitch(name: string): boolean;
}

/** A broken rule as an error: the name of the engine's or the rule's own error, and its arguments. */
interface BrokenParamRule {
  readonly error: string;
  readonly args: JsonObject;
}

/** A value at a path, with the keys and indexes that lead to it. */
interface FoundValue {
  readonly value: Json;
  readonly at: readonly string[];
  /** Whether the keys lead to an id, and the value is a field of that id's object. */
  readonly isElsewhere?: boolean;
}

/** Returns an error for each rule that a call breaks, in the order of the rules. */
export function brokenParamRules(set: RuleSet, call: RuleCall): readonly BrokenParamRule[] {
  let hit: Set<ParamRule> | undefined;
  for (const name of Object.keys(call.sent))
    for (const rule of set.byName.get(name) ?? []) (hit ??= new Set(set.always)).add(rule);
  if (hit === undefined && set.always.length === 0) return [];
  const due = hit ?? new Set(set.always);
  return set.rules.flatMap((rule) => (due.has(rule) ? new RuleCheck(rule, call).broken() : []));
}

/** Checks one rule between parameters for one call. */
class RuleCheck {
  constructor(
    private readonly rule: ParamRule,
    private readonly call: RuleCall,
  ) {}

  broken(): readonly BrokenParamRule[] {
    const { file, given, each } = this.rule;
    if (file.since !== undefined && !this.call.hasSwitch(file.since)) return [];
    if (file.until !== undefined && this.call.hasSwitch(file.until)) return [];
    let other: FoundValue | undefined;
    for (const condition of given) {
      const found = this.#holding(condition)[0];
      if (found === undefined) return [];
      other ??= found;
    }
    if (each.length === 0) return this.#apply(other);
    for (const condition of each)
      for (const found of this.#holding(condition)) {
        const broken = this.#apply(found);
        if (broken.length > 0) return broken;
      }
    return [];
  }

  #apply(other: FoundValue | undefined): readonly BrokenParamRule[] {
    const { kind, members } = this.rule;
    switch (kind) {
      case 'exclusive':
        return this.#exclusive(this.#held(members), other);
      case 'exactly_one': {
        const held = this.#held(members);
        return held.length === 0 ? this.#missing(other) : this.#exclusive(held, other);
      }
      case 'at_least_one':
        return this.#held(members).length === 0 ? this.#missing(other) : [];
      case 'together': {
        const [held] = this.#held(members);
        const lacking = held && members.find((each) => this.#holding(each).length === 0);
        return lacking === undefined ? [] : this.#error('parameter_needed', this.#lacking(lacking), held);
      }
      case 'needs':
        return this.#needs(other);
      case 'never': {
        const [found] = this.#held(members);
        return found === undefined ? [] : this.#error('parameter_not_with', found, other);
      }
      case 'ascending':
        return this.#ascending();
      case 'unique':
        return this.#unique(other);
      case 'last':
        return this.#last();
      case 'limits':
        return this.#limits(this.rule.limits as Limits);
    }
  }

  #exclusive(held: readonly FoundValue[], other: FoundValue | undefined): readonly BrokenParamRule[] {
    if (held.length < 2) return [];
    const params = held.map(({ at }) => this.call.name(at));
    const [first, second] = params;
    return this.#error('parameters_exclusive', held[1], other ?? held[0], { first, second, params });
  }

  #missing(other: FoundValue | undefined): readonly BrokenParamRule[] {
    const lacking = this.rule.members.map((each) => this.#lacking(each));
    const params = lacking.map(({ at }) => this.call.name(at));
    return this.#error('parameters_missing', lacking[0], other, { params });
  }

  #needs(other: FoundValue | undefined): readonly BrokenParamRule[] {
    for (const condition of this.rule.members) {
      const { test } = condition;
      if (test === null) {
        if (this.#holding(condition).length > 0) continue;
        return this.#error('parameter_needed', this.#lacking(condition), other);
      }
      const wrong = this.#values(condition).find(({ value }) => !holdsOf(value, condition));
      if (wrong === undefined) continue;
      // The error names the parameter that requires the present one; if there is none, the parameter with the wrong value.
      const values = test.isNegated ? [] : test.values;
      return other === undefined
        ? this.#error('parameter_only_with', wrong, undefined, { values })
        : this.#error('parameter_only_with', other, wrong, { values });
    }
    return [];
  }

  /** Checks that numbers and dates ascend; skips other values, such as `now`. */
  #ascending(): readonly BrokenParamRule[] {
    const { members } = this.rule;
    const found = members.length === 1 ? this.#holding(members[0]) : this.#held(members);
    const held = found.filter(({ value }) => !Number.isNaN(rankOf(value)));
    const at = held.findIndex(({ value }, index) => index > 0 && rankOf(value) < rankOf(held[index - 1].value));
    return at < 0 ? [] : this.#error('parameters_not_ascending', held[at], held[at - 1]);
  }

  #unique(other: FoundValue | undefined): readonly BrokenParamRule[] {
    const seen = new Set<Json>();
    for (const found of this.rule.members.flatMap((each) => this.#holding(each))) {
      if (seen.has(found.value)) return this.#error('parameter_not_unique', found, other);
      seen.add(found.value);
    }
    return [];
  }

  /** Checks that the last item of a list has a required value. */
  #last(): readonly BrokenParamRule[] {
    const [condition] = this.rule.members;
    const found = this.#values(condition).at(-1);
    // An empty list has no last item.
    if (found === undefined || found.at === condition.path.keys || holdsOf(found.value, condition)) return [];
    const { test } = condition;
    const values = test === null || test.isNegated ? [] : test.values;
    return this.#error('parameter_only_with', found, undefined, { values });
  }

  #limits({ by, table, key, columns, errors, pattern }: Limits): readonly BrokenParamRule[] {
    const [chosen] = this.#values({ path: by, test: ANY_VALUE });
    const row = chosen && (table.find(key, chosen.value) ?? table.find(key, lowerCase(chosen.value)));
    if (!isObject(row ?? null)) return [];
    for (const found of this.#held(this.rule.members))
      for (const [kind, column] of columns) {
        const limit = (row as JsonObject)[column];
        if (limit === null || limit === '' || !isBeyond(found.value, kind, limit, pattern)) continue;
        const error = errors[kind] ?? this.rule.error ?? LIMIT_ERRORS[kind];
        return [{ error, args: this.#args(found, chosen, { limit, kind: KIND_NAMES[kind] ?? kind, format: limit }) }];
      }
    return [];
  }

  #error(
    usual: string,
    param: FoundValue,
    other: FoundValue | undefined,
    more: JsonObject = {},
  ): readonly BrokenParamRule[] {
    return [{ error: this.rule.error ?? usual, args: this.#args(param, other, more) }];
  }

  #args(param: FoundValue, other: FoundValue | undefined, more: JsonObject): JsonObject {
    return {
      param: this.call.name(param.at),
      value: shown(param.value),
      other: other === undefined ? null : this.call.name(other.at),
      other_value: other === undefined ? null : shown(other.value),
      object: this.call.name(param.at.slice(0, -1)),
      ...more,
      ...this.rule.args,
    };
  }

  /** Describes a missing parameter for an error: its path, and null as its value. */
  #lacking({ path }: Condition): FoundValue {
    return { value: null, at: path.keys };
  }

  /** Returns, for each condition that holds, the first value that satisfies the condition. */
  #held(conditions: readonly Condition[]): readonly FoundValue[] {
    return conditions.flatMap((each) => this.#holding(each).slice(0, 1));
  }

  #holding(condition: Condition): readonly FoundValue[] {
    return this.#values(condition).filter(({ value }) => holdsOf(value, condition));
  }

  /** Returns the values at a path as sent; for conditions on values, else the default, else the object's field. */
  #values({ path, test }: Condition): readonly FoundValue[] {
    const { sent, params, self } = this.call;
    const { root, keys, steps, fallback } = path;
    if (root === 'self') return this.#walk(self, steps, keys);
    const [first] = keys;
    if (Object.hasOwn(sent, first)) return this.#walk(params, steps, keys);
    if (test === null) return [];
    if (Object.hasOwn(params, first) || fallback === null || self === null) return this.#walk(params, steps, keys);
    return this.#walk(self, fallback, keys);
  }

  #walk(from: Json, steps: readonly PathStep[], keys: readonly string[]): readonly FoundValue[] {
    let found: FoundValue[] = [{ value: from, at: [] }];
    for (const { key, refs } of steps)
      found = found.flatMap(itemsOf).flatMap(({ value, at, isElsewhere }) => {
        if (!isObject(value)) return [];
        const member = { value: value[key] ?? null, at: isElsewhere === true ? at : [...at, key], isElsewhere };
        return refs === null ? [member] : this.#objects(member, refs);
      });
    // A path without a value yields null, with the path's full name.
    return found.length > 0 ? found : [{ value: null, at: keys }];
  }

  /** Finds the objects whose ids a value contains. */
  #objects(found: FoundValue, refs: readonly string[]): FoundValue[] {
    return itemsOf(found).flatMap(({ value, at }) => {
      const object = typeof value === 'string' ? this.call.object(refs, value) : undefined;
      return object === undefined ? [] : [{ value: object, at, isElsewhere: true }];
    });
  }
}

/** A test that every value passes. */
const ANY_VALUE = { values: [], isNegated: true };

/** Yields a value, or each item of a list. */
function itemsOf(found: FoundValue): readonly FoundValue[] {
  const { value, at, isElsewhere } = found;
  if (!isList(value)) return [found];
  return value.map((item, index) => ({
    value: item,
    at: isElsewhere === true ? at : [...at, String(index)],
    isElsewhere,
  }));
}

const LIMIT_ERRORS: Readonly<Record<LimitKind, string>> = {
  min: 'parameter_below_minimum',
  max: 'parameter_above_maximum',
  step: 'parameter_invalid_step',
  max_length: 'parameter_too_long',
  pattern: 'parameter_invalid_format',
};

/** Names of kinds of limits in error names, where they differ from the kind. */
const KIND_NAMES: Readonly<Partial<Record<LimitKind, string>>> = { pattern: 'format' };

function isBeyond(value: Json, kind: LimitKind, limit: Json, pattern: Limits['pattern']): boolean {
  if (kind === 'pattern') return typeof value === 'string' && !pattern(String(limit)).test(value);
  if (kind === 'max_length') return typeof value === 'string' && value.length > Number(limit);
  if (typeof value !== 'number') return false;
  if (kind === 'min') return value < Number(limit);
  return kind === 'max' ? value > Number(limit) : value % Number(limit) !== 0;
}

/** Converts a value to a number for comparisons: dates to milliseconds; NaN if it is neither number nor date. */
function rankOf(value: Json): number {
  return typeof value === 'string' ? Date.parse(value) : Number(value);
}

function lowerCase(value: Json): Json {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function shown(value: Json): Json {
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether a value satisfies a condition; for a list, whether an item does. */
export function holdsOf(value: Json, { test }: Condition): boolean {
  if (test === null) return value !== null;
  const isOne = isList(value) ? value.some((item) => test.values.includes(item)) : test.values.includes(value);
  return isOne !== test.isNegated;
}
