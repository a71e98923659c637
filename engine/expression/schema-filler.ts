import { LIMITS } from '../limits.js';
import type { Json, JsonObject } from './host.js';
import { BadPattern, textPattern } from './pattern.js';
import { textFor } from './pattern-text.js';
import { type Draw, likelyNumber, likelyText, textOfFormat } from './sample-values.js';
import { resolver } from './schema-shape.js';
import { equal, isList, isObject } from './values.js';

/** No value fits part of a schema, as far as this try goes. */
export class NothingFits extends Error {}

/** The schema asks for more values or text than may be made. */
export class TooLarge extends Error {}

/** How one try goes about it. */
export interface Try {
  readonly seed: number;
  /** The world's time in milliseconds. */
  readonly nowMs: number;
  /** Number of the try: where a schema leaves a choice, each makes another one. */
  readonly turn: number;
  /** Takes defaults and examples that look right. */
  readonly defaults: boolean;
  /** Makes members that need not be. */
  readonly optionals: boolean;
}

/** Items of a list that need not have any. */
const USUAL_ITEMS = 2;
/** How often a schema may stand inside itself where it need not, and where it must. */
const ROUNDS = 2;
const MOST_ROUNDS = 24;
/** Levels of schemas inside schemas. */
const MOST_DEPTH = 400;
/** Draws for a value that differs from others. */
const DRAWS = 40;
/** Draws for a text that matches its pattern. */
const TEXT_DRAWS = 30;
/** Longest text where nothing says how long. */
const USUAL_LENGTH = 200;
const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** Makes one value for a schema; whether it really fits is for others to say. */
export class SchemaFiller {
  readonly #resolve: (ref: string) => Json | undefined;
  readonly #draw: Draw;
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
  }

  /** @throws NothingFits, TooLarge */
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

  /** One schema that says what a schema, its references and the alternatives chosen in it say together. */
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

  /** An alternative: the first that is more than null, in later tries others. */
  #option(options: readonly Json[]): Json {
    const { turn } = this.how;
    const real = options.filter((each) => each !== false && !(isObject(each) && each['type'] === 'null'));
    const list = real.length > 0 ? real : options;
    return list[(turn + (turn > 0 ? this.#draw(list.length) : 0)) % list.length];
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
      const told = [schema['default'], ...examples, schema['example']].find(
        (each) => each !== undefined && each !== null && looksRight(schema, each),
      );
      if (told !== undefined) return told;
    }
    switch (this.#type(schema)) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return this.#array(schema, name);
      case 'string':
        return this.#text(schema, name);
      case 'integer':
        return this.#number(schema, name, true);
      case 'number':
        return this.#number(schema, name, false);
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
    const properties = mapOf(schema['properties']);
    const required = new Set(textsOf(schema['required']));
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
      if (!isRequired && (optional <= 0 || !this.how.optionals || this.#goesRound(properties[key]))) continue;
      const own = Object.hasOwn(properties, key) ? properties[key] : this.#schemaOfOther(schema, key);
      try {
        put(key, this.#value(own, key));
      } catch (error) {
        if (isRequired || !(error instanceof NothingFits)) throw error;
        continue;
      }
      if (!isRequired) optional--;
      const also = mapOf(schema['dependentRequired'] ?? schema['dependencies'])[key] ?? null;
      for (const other of textsOf(also)) {
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

  /** A schema that holds itself where it need not is left out after some rounds. */
  #goesRound(schema: Json | undefined): boolean {
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

  /** The schema of a member that is not among the properties. */
  #schemaOfOther(schema: JsonObject, key: string): Json {
    const patterns = Object.entries(mapOf(schema['patternProperties'])).filter(([pattern]) => matches(pattern, key));
    if (patterns.length > 0) return { allOf: patterns.map(([, each]) => each) };
    return schema['additionalProperties'] ?? schema['unevaluatedProperties'] ?? {};
  }

  /** One more member: its name and its schema. */
  #furtherMember(schema: JsonObject, number: number): readonly [string, Json] {
    const patterns = Object.entries(mapOf(schema['patternProperties']));
    const [pattern] = patterns.length > 0 ? patterns[number % patterns.length] : [undefined];
    const names = schema['propertyNames'] ?? {};
    if (pattern !== undefined) {
      const key = this.#text(merged({ pattern, minLength: 1 }, isObject(names) ? names : {}), 'key');
      // A pattern that does not say how a name ends leaves room for a number.
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
    const usual = this.how.optionals && rest !== false && !this.#goesRound(rest) ? USUAL_ITEMS : 0;
    const count = Math.min(most, Math.max(least, needed, first.length, usual));
    if (least > most || (rest === false && least > first.length)) throw new NothingFits();
    const unique = schema['uniqueItems'] === true;
    const made: Json[] = [];
    const seen = new Set<string>();
    for (let at = 0; at < count; at++) {
      let own: Json = first[at] ?? rest;
      // Those that `contains` asks for come last, where a tuple has no say.
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
    const least = numberOr(schema['minLength'], 0);
    const most = numberOr(schema['maxLength'], Infinity);
    if (least > most) throw new NothingFits();
    if (least > LIMITS.synthesisText.value) throw new TooLarge();
    const text = this.#rawText(schema, name, least, most);
    this.#characters += text.length;
    if (this.#characters > LIMITS.synthesisText.value) throw new TooLarge();
    return text;
  }

  #rawText(schema: JsonObject, name: string, least: number, most: number): string {
    const { pattern, format } = schema;
    if (typeof pattern === 'string') {
      const texts = [
        ...(typeof format === 'string' ? [textOfFormat(format, this.#draw, this.how.nowMs)] : []),
        likelyText(name, this.#draw, this.how.nowMs),
      ];
      const likely = texts.find(
        (text) => text !== undefined && fitsLength(text, least, most) && matches(pattern, text),
      );
      return likely ?? this.#matching(pattern, least, most);
    }
    const formatted = typeof format === 'string' ? textOfFormat(format, this.#draw, this.how.nowMs) : undefined;
    const text = formatted ?? likelyText(name, this.#draw, this.how.nowMs);
    if (lengthOf(text) > most) return [...text].slice(0, most).join('').trimEnd().padEnd(least, 'x');
    return text.length < least ? text.padEnd(least, text === '' ? 'x' : ` ${text}`).slice(0, least - 1) + 'x' : text;
  }

  #matching(pattern: string, least: number, most: number): string {
    let nearest: string | undefined;
    for (let draws = 0; draws < TEXT_DRAWS; draws++) {
      // First as long as it needs to be or a little longer, then anything.
      const shortest = textFor(pattern, {
        draw: this.#draw,
        extra: 0,
        most: Infinity === most ? LIMITS.schemaLength.value : most,
      });
      if (shortest === undefined) break;
      const missing = Math.max(0, least - lengthOf(shortest));
      const extra = missing > 0 ? missing + (draws > 5 ? draws - 5 : 0) : draws % 8;
      const text = textFor(pattern, {
        draw: this.#draw,
        extra,
        most: Math.max(least, Math.min(most, USUAL_LENGTH + Math.max(least, lengthOf(shortest)))),
      });
      if (text === undefined) continue;
      nearest ??= text;
      if (fitsLength(text, least, most) && matches(pattern, text)) return text;
    }
    if (nearest === undefined) throw new NothingFits();
    return nearest;
  }

  #number(schema: JsonObject, name: string, whole: boolean): number {
    const step = numberOr(schema['multipleOf'], 0) || (whole ? 1 : 0);
    const unit = step > 0 ? step : 0.01;
    const low = Math.max(
      numberOr(schema['minimum'], -Infinity),
      typeof schema['exclusiveMinimum'] === 'number' ? schema['exclusiveMinimum'] : -Infinity,
    );
    const high = Math.min(
      numberOr(schema['maximum'], Infinity),
      typeof schema['exclusiveMaximum'] === 'number' ? schema['exclusiveMaximum'] : Infinity,
    );
    const openLow = schema['exclusiveMinimum'] === low || schema['exclusiveMinimum'] === true;
    const openHigh = schema['exclusiveMaximum'] === high || schema['exclusiveMaximum'] === true;
    const usual = rounded(likelyNumber(name, whole, this.#draw), step);
    const inside = (n: number): boolean =>
      (openLow ? n > low : n >= low) && (openHigh ? n < high : n <= high) && (!whole || Number.isInteger(n));
    if (inside(usual)) return usual;
    const from = Number.isFinite(low) ? low : Number.isFinite(high) ? high - 1000 * unit : 0;
    const to = Number.isFinite(high) ? high : from + 1000 * unit;
    if (from > to) throw new NothingFits();
    const steps = Math.floor((to - from) / unit);
    const first = Math.ceil(from / unit) * unit;
    for (let draws = 0; draws < DRAWS; draws++) {
      const count = Math.min(Math.max(steps, 0), 1_000_000) + 1;
      const made = rounded(first + this.#draw(count) * unit, unit);
      if (inside(made)) return made;
    }
    const last = [first, first + unit, (from + to) / 2, from, to].map((n) => (step > 0 ? rounded(n, step) : n));
    const found = last.find(inside);
    if (found === undefined) throw new NothingFits();
    return found;
  }
}

/** Numbers from 0 to below `n`, the same for the same seed. */
function drawer(seed: number): Draw {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * n);
  };
}

/** The nearest multiple, without what floating point adds to it. */
function rounded(value: number, step: number): number {
  if (step <= 0) return value;
  const multiple = Math.round(value / step) * step;
  return Number(multiple.toPrecision(15));
}

function lengthOf(text: string): number {
  return [...text].length;
}

function fitsLength(text: string, least: number, most: number): boolean {
  const length = lengthOf(text);
  return length >= least && length <= most;
}

function matches(pattern: string, text: string): boolean {
  try {
    return textPattern(pattern).test(text);
  } catch (error) {
    if (error instanceof BadPattern) return false;
    throw error;
  }
}

/** Whether a value that a schema tells of may fit it, as far as a glance shows. */
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

/** What two schemas say of one value, as one schema, as far as that can be written. */
function merged(a: JsonObject, b: JsonObject): JsonObject {
  const made: Record<string, Json> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const own = made[key];
    made[key] = own === undefined ? value : both(key, own, value);
  }
  return made;
}

function both(key: string, a: Json, b: Json): Json {
  switch (key) {
    case 'properties':
    case 'patternProperties':
    case '$defs': {
      const [left, right] = [mapOf(a), mapOf(b)];
      const common = Object.keys(right).filter((name) => Object.hasOwn(left, name));
      return {
        ...left,
        ...right,
        ...Object.fromEntries(common.map((name) => [name, { allOf: [left[name], right[name]] }])),
      };
    }
    case 'required':
      return [...new Set([...textsOf(a), ...textsOf(b)])];
    case 'items':
    case 'additionalProperties':
    case 'propertyNames':
    case 'contains':
      return a === false || b === false ? false : isList(a) || isList(b) ? b : { allOf: [a, b] };
    case 'enum':
      return isList(a) && isList(b) ? a.filter((each) => b.some((other) => equal(each, other))) : b;
    case 'type':
      return commonType(a, b);
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minLength':
    case 'minItems':
    case 'minProperties':
    case 'minContains':
      return typeof a === 'number' && typeof b === 'number' ? Math.max(a, b) : b;
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return typeof a === 'number' && typeof b === 'number' ? Math.min(a, b) : b;
    default:
      return b;
  }
}

function commonType(a: Json, b: Json): Json {
  const [left, right] = [a, b].map((each) => (isList(each) ? each.map(String) : [String(each)]));
  const common = left.filter((each) => right.includes(each) || (each === 'integer' && right.includes('number')));
  if (right.includes('integer') && left.includes('number') && !common.includes('integer')) common.push('integer');
  if (common.length === 0) throw new NothingFits();
  return common;
}

function mapOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function textsOf(value: Json | undefined): string[] {
  return isList(value) ? value.filter((each) => typeof each === 'string') : [];
}

function numberOr(value: Json | undefined, other: number): number {
  return typeof value === 'number' ? value : other;
}
