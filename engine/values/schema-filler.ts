import { LIMITS } from '../limits.js';
import type { Json, JsonObject } from './json-value.js';
import type { Draw } from './sample-values.js';
import { keywordMap, merged, NothingFits, numberOr, keywordTexts, TooLarge } from './schema-merge.js';
import { type Draws, fitsLength, matches, sampleNumber, sampleText } from './schema-scalars.js';
import { resolver } from './schema-shape.js';
import { equal, isList, isObject } from './values.js';

/** Settings of one attempt to generate a value for a schema. */
interface Try {
  readonly seed: number;
  /** The simulated time in milliseconds. */
  readonly nowMs: number;
  /** Number of the attempt; each attempt chooses other alternatives and values. */
  readonly turn: number;
  /** Whether plausible defaults and examples in the schema are used. */
  readonly defaults: boolean;
  /** Whether optional members of objects are generated. */
  readonly optionals: boolean;
}

/** Number of items in lists without a minimum. */
const USUAL_ITEMS = 2;
/** Number of times that a reference is followed within itself, for optional members; `MOST_ROUNDS`: for required ones. */
const ROUNDS = 2;
const MOST_ROUNDS = 24;
/** Depth limit of nested schemas. */
const MOST_DEPTH = 400;
/** Maximum number of draws for a value that has to differ from others. */
const DRAWS = 40;
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** Generates one value for a schema; callers have to validate it. */
export class SchemaFiller {
  readonly #resolve: (ref: string) => Json | undefined;
  readonly #draw: Draw;
  readonly #draws: Draws;
  readonly #rounds = new Map<string, number>();
  #values = 0;
  #characters = 0;
  #depth = 0;

  constructor(
    private readonly root: Json,
    private readonly how: Try,
  ) {
    this.#resolve = isObject(root) ? resolver(root) : () => undefined;
    this.#draw = drawer(how.seed);
    this.#draws = { draw: this.#draw, nowMs: how.nowMs };
  }

  /** Generates a value that probably matches the schema. @throws NothingFits, TooLarge */
  make(): Json {
    return this.#value(this.root, '');
  }

  #value(given: Json, name: string): Json {
    if (++this.#values > LIMITS.synthesisValues.value) throw new TooLarge();
    if (++this.#depth > MOST_DEPTH) throw new NothingFits();
    const entered: string[] = [];
    try {
      return this.#filled(this.#flat(given, entered), name);
    } finally {
      this.#depth--;
      for (const ref of entered) this.#rounds.set(ref, (this.#rounds.get(ref) ?? 1) - 1);
    }
  }

  /** Merges a schema with the schemas that it refers to, and with chosen alternatives. */
  #flat(given: Json, entered: string[]): JsonObject {
    if (given === false) throw new NothingFits();
    if (!isObject(given)) return {};
    const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...own } = given;
    let made: JsonObject = own;
    const add = (schema: Json | undefined): void => {
      if (schema !== undefined) made = merged(made, this.#flat(schema, entered));
    };
    if (typeof $ref === 'string') {
      const rounds = (this.#rounds.get($ref) ?? 0) + 1;
      if (rounds > MOST_ROUNDS) throw new NothingFits();
      this.#rounds.set($ref, rounds);
      entered.push($ref);
      const target = this.#resolve($ref);
      if (target === undefined) throw new NothingFits();
      add(target);
    }
    if (isList(allOf)) allOf.forEach(add);
    for (const options of [anyOf, oneOf]) {
      if (isList(options) && options.length > 0) add(this.#option(options));
    }
    if (condition !== undefined) {
      if (this.how.turn % 2 === 0) {
        add(condition);
        add(then);
      } else add(otherwise);
    }
    return made;
  }

  /** Chooses an alternative of a union: in the first attempt one that isn't null and doesn't recurse, in later ones others. */
  #option(options: readonly Json[]): Json {
    const { turn } = this.how;
    const ending = options.filter((each) => each !== false && !this.#goesRound(each));
    const real = ending.filter((each) => !(isObject(each) && each['type'] === 'null'));
    const list = real.length > 0 ? real : ending.length > 0 ? ending : options;
    return list[(turn + (turn > 0 ? this.#draw(list.length) : 0)) % list.length];
  }

  /** Whether an alternative is a reference that was followed `ROUNDS` times within itself. */
  #goesRound(option: Json): boolean {
    const ref = isObject(option) ? option['$ref'] : undefined;
    return typeof ref === 'string' && (this.#rounds.get(ref) ?? 0) >= ROUNDS;
  }

  #filled(schema: JsonObject, name: string): Json {
    if (Object.hasOwn(schema, 'const')) return schema['const'];
    const choices = schema['enum'];
    if (isList(choices)) {
      const fitting = choices.filter((each) => looksRight({ ...schema, enum: [each] }, each));
      if (fitting.length === 0) throw new NothingFits();
      return fitting[this.#draw(fitting.length)];
    }
    if (this.how.defaults) {
      const examples = isList(schema['examples']) ? schema['examples'] : [];
      const given = [schema['default'], ...examples, schema['example']].find(
        (each) => each !== undefined && each !== null && looksRight(schema, each),
      );
      if (given !== undefined) return given;
    }
    switch (this.#type(schema)) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return this.#array(schema, name);
      case 'string':
        return this.#text(schema, name);
      case 'integer':
        return sampleNumber(schema, name, true, this.#draws);
      case 'number':
        return sampleNumber(schema, name, false, this.#draws);
      case 'boolean':
        return this.#draw(2) === 0;
      default:
        return null;
    }
  }

  #type(schema: JsonObject): string {
    const { type } = schema;
    const { turn } = this.how;
    if (typeof type === 'string') return type;
    const has = (...keys: string[]): boolean => keys.some((key) => Object.hasOwn(schema, key));
    const all = isList(type) ? type.map(String) : TYPES;
    const real = all.filter((each) => each !== 'null');
    if (real.length === 0) return all[0] ?? 'null';
    if (!isList(type) && turn < TYPES.length) {
      if (has('properties', 'required', 'patternProperties', 'minProperties', 'propertyNames', 'dependentRequired'))
        return 'object';
      if (has('items', 'prefixItems', 'minItems', 'contains', 'uniqueItems')) return 'array';
      if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number';
      if (turn === 0) return 'string';
    }
    return real[turn % real.length];
  }

  #object(schema: JsonObject): JsonObject {
    const properties = keywordMap(schema['properties']);
    const required = new Set(keywordTexts(schema['required']));
    const most = numberOr(schema['maxProperties'], Infinity);
    const least = numberOr(schema['minProperties'], 0);
    const made: Record<string, Json> = {};
    const put = (key: string, value: Json): void => {
      Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
    };
    const names = [...Object.keys(properties), ...[...required].filter((key) => !Object.hasOwn(properties, key))];
    let optional = most - required.size;
    for (const key of names) {
      const isRequired = required.has(key);
      if (!isRequired && (optional <= 0 || !this.how.optionals || this.#isRecursive(properties[key]))) continue;
      const own = Object.hasOwn(properties, key) ? properties[key] : this.#schemaOfOther(schema, key);
      try {
        put(key, this.#value(own, key));
      } catch (error) {
        if (isRequired || !(error instanceof NothingFits)) throw error;
        continue;
      }
      if (!isRequired) optional--;
      const also = keywordMap(schema['dependentRequired'] ?? schema['dependencies'])[key] ?? null;
      for (const other of keywordTexts(also)) {
        if (!names.includes(other)) names.push(other);
        required.add(other);
      }
    }
    for (const key of required) if (!Object.hasOwn(made, key)) put(key, this.#value(properties[key] ?? {}, key));
    for (let draws = 0; Object.keys(made).length < least; draws++) {
      if (draws > least + DRAWS) throw new NothingFits();
      const [key, value] = this.#furtherMember(schema, draws);
      if (!Object.hasOwn(made, key)) put(key, this.#value(value, key));
    }
    return made;
  }

  /** Whether an optional member's schema refers to itself too often, so that the member is left out. */
  #isRecursive(schema: Json | undefined): boolean {
    const refs = new Set<string>();
    const collect = (each: Json | undefined): void => {
      if (isList(each)) each.forEach(collect);
      else if (isObject(each)) {
        if (typeof each['$ref'] === 'string') refs.add(each['$ref']);
        for (const key of ['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']) collect(each[key]);
      }
    };
    collect(schema);
    if (refs.has('#') && this.#depth > ROUNDS * 2) return true;
    return [...refs].some((ref) => (this.#rounds.get(ref) ?? 0) >= ROUNDS);
  }

  /** Returns the schema for a member that `properties` doesn't list. */
  #schemaOfOther(schema: JsonObject, key: string): Json {
    const patterns = Object.entries(keywordMap(schema['patternProperties'])).filter(([pattern]) =>
      matches(pattern, key),
    );
    if (patterns.length > 0) return { allOf: patterns.map(([, each]) => each) };
    return schema['additionalProperties'] ?? schema['unevaluatedProperties'] ?? {};
  }

  /** Generates the name of an additional member, and returns the schema for its value. */
  #furtherMember(schema: JsonObject, number: number): readonly [string, Json] {
    const patterns = Object.entries(keywordMap(schema['patternProperties']));
    const [pattern] = patterns.length > 0 ? patterns[number % patterns.length] : [undefined];
    const names = schema['propertyNames'] ?? {};
    if (pattern !== undefined) {
      const key = this.#text(merged({ pattern, minLength: 1 }, isObject(names) ? names : {}), 'key');
      // Appends a number to the name, which works if the pattern of names has no end anchor.
      const numbered = `${key}${number}`;
      const name = matches(pattern, numbered) ? numbered : key;
      return [name, this.#schemaOfOther(schema, name)];
    }
    const made =
      isObject(names) && Object.keys(names).length > 0 ? this.#value(merged({ type: 'string' }, names), 'key') : null;
    const key = typeof made === 'string' ? made : `field_${number + 1}`;
    return [key, this.#schemaOfOther(schema, key)];
  }

  #array(schema: JsonObject, name: string): Json {
    const { items, prefixItems, additionalItems, contains } = schema;
    const first = isList(prefixItems) ? prefixItems : isList(items) ? items : [];
    const rest: Json = isList(items) ? (additionalItems ?? {}) : (items ?? {});
    const least = numberOr(schema['minItems'], 0);
    const most = numberOr(schema['maxItems'], Infinity);
    const needed = contains === undefined ? 0 : numberOr(schema['minContains'], 1);
    if (least > LIMITS.synthesisValues.value || needed > LIMITS.synthesisValues.value) throw new TooLarge();
    const usual = this.how.optionals && rest !== false && !this.#isRecursive(rest) ? USUAL_ITEMS : 0;
    const count = Math.min(most, Math.max(least, needed, first.length, usual));
    if (least > most || (rest === false && least > first.length)) throw new NothingFits();
    const unique = schema['uniqueItems'] === true;
    const made: Json[] = [];
    const seen = new Set<string>();
    for (let at = 0; at < count; at++) {
      let own: Json = first[at] ?? rest;
      // Items for `contains` come last, where no tuple schema applies.
      if (contains !== undefined && at >= count - needed) own = isObject(own) ? { allOf: [own, contains] } : contains;
      if (own === false) break;
      for (let draws = 0; ; draws++) {
        try {
          const item = this.#value(own, name.replace(/s$/, ''));
          const text = unique ? JSON.stringify(item) : '';
          if (unique && seen.has(text)) {
            if (draws < DRAWS) continue;
            if (at >= Math.max(least, needed)) return made;
            throw new NothingFits();
          }
          seen.add(text);
          made.push(item);
        } catch (error) {
          if (!(error instanceof NothingFits) || at < Math.max(least, needed)) throw error;
          return made;
        }
        break;
      }
    }
    return made;
  }

  #text(schema: JsonObject, name: string): string {
    const text = sampleText(schema, name, this.#draws);
    this.#characters += text.length;
    if (this.#characters > LIMITS.synthesisText.value) throw new TooLarge();
    return text;
  }
}

/** Returns a generator of numbers from 0 to `n` (exclusive), determined by the seed. */
function drawer(seed: number): Draw {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * n);
  };
}

/** Whether a value may match a schema, by its type and simple limits only. */
function looksRight(schema: JsonObject, value: Json): boolean {
  const { type, pattern, enum: choices } = schema;
  const types = typeof type === 'string' ? [type] : isList(type) ? type.map(String) : undefined;
  if (types !== undefined && !types.some((each) => isOfType(value, each))) return false;
  if (isList(choices) && !choices.some((each) => equal(each, value))) return false;
  if (typeof value === 'string') {
    if (!fitsLength(value, numberOr(schema['minLength'], 0), numberOr(schema['maxLength'], Infinity))) return false;
    return typeof pattern !== 'string' || matches(pattern, value);
  }
  if (typeof value === 'number')
    return value >= numberOr(schema['minimum'], -Infinity) && value <= numberOr(schema['maximum'], Infinity);
  return true;
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return isList(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
