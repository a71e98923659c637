import {
  spendText,
  spendTurns,
  type Json,
  type JsonObject,
  asList,
  asMap,
  asNumber,
  asText,
  define,
  equal,
  isList,
  isObject,
  member,
  putAt,
  OutOfRange,
} from '../values/index.js';
import type { Shaped } from './host.js';
import type { Host } from './host.js';
import { access } from './javascript.js';
import { CodeUnit } from './unit.js';

/** Cost of a member of a map, since maps are copied. */
const MEMBER_TURNS = 4;

/* Functions that compiled expressions call instead of repeating their code. */

/** `a + b` of values of unknown types: texts, numbers, lists. */
export function add(x: Json, y: Json): Json {
  if (typeof x === 'number' && typeof y === 'number') return x + y;
  if (typeof x === 'string' || typeof y === 'string') return asText(x, "'+'") + asText(y, "'+'");
  if (isList(x) && isList(y)) {
    spendTurns(x.length + y.length);
    return [...x, ...y];
  }
  return asNumber(x, "'+'") + asNumber(y, "'+'");
}

/** Compares two texts or two numbers: below zero, zero or above. */
export function compare(x: Json, y: Json, what: string): number {
  if (typeof x === 'string' || typeof y === 'string') return order(asText(x, what), asText(y, what));
  return order(asNumber(x, what), asNumber(y, what));
}

function order<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : NaN;
}

export function divisor(n: number): number {
  if (n === 0) throw new OutOfRange('division by zero');
  return n;
}

/** `x in xs`: whether a list has an equal item, or a map a key. */
export function contains(collection: Json, item: Json): boolean {
  if (Array.isArray(collection)) {
    spendTurns(collection.length);
    return collection.some((each) => equal(each, item));
  }
  if (isObject(collection)) return typeof item === 'string' && Object.hasOwn(collection, item);
  return false;
}

/** `value[key]` of a list or a map. */
export function itemAt(value: Json, key: Json): Json {
  if (Array.isArray(value)) return typeof key === 'number' ? ((value[key] as Json | undefined) ?? null) : null;
  return typeof key === 'string' ? member(value, key) : null;
}

/** Whether an object has a member, null or not. */
export function hasOwn(value: Json, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key);
}

/** The items of a macro: of a list, or the keys of a map; counts against the budget. */
export function elements(value: Json): readonly Json[] {
  const found = isList(value) ? value : isObject(value) ? Object.keys(value) : [];
  spendTurns(found.length);
  return found;
}

/** The macros `map` and `filter` of expressions. */
export function collect(items: Json, map: (item: Json) => Json, keep?: (item: Json) => boolean): Json[] {
  const made: Json[] = [];
  for (const item of elements(items)) if (keep === undefined || keep(item)) made.push(map(item));
  return made;
}

/** The macro `exists_one` of expressions. */
export function single(items: Json, test: (item: Json) => boolean): boolean {
  let hits = 0;
  for (const item of elements(items)) if (test(item)) hits++;
  return hits === 1;
}

/** An object with computed keys. */
export function fromPairs(pairs: readonly (readonly [Json, Json])[]): JsonObject {
  const made: Record<string, Json> = {};
  for (const [key, value] of pairs) define(made, String(key), value);
  return made;
}

/** The function `get(resource, id)` of expressions. */
export function lookup(x: Host, resource: number, id: Json): Json {
  return typeof id === 'string' ? (x.lookupObject(resource, id) ?? null) : null;
}

/** Like `lookup`, returns the row. */
export function lookupRow<T>(
  x: { row(resource: number, id: string): T | undefined },
  resource: number,
  id: Json,
): T | null {
  return typeof id === 'string' ? (x.row(resource, id) ?? null) : null;
}

/** `at(value, path)`: null if there is none. */
export function memberAt(value: Json, path: Json): Json {
  if (path === null) return null;
  const keys = asText(path, 'at()').split('.');
  spendTurns(keys.length);
  return keys.reduce(member, value);
}

/** The function `pinned(object, path)` of expressions. */
export function pinned(x: Host, resource: number, object: Json, path: string): Json {
  return x.pinned(resource, isObject(object) ? asText(object['id'], 'pinned()') : null, path);
}

/** `with_pins(path, value)` of an object. */
export function withPins(x: Host, resource: number, object: Json, path: string, value: () => Json): Json {
  const id = member(object, 'id');
  const pins = x.pinsWithin(resource, typeof id === 'string' ? id : null, path);
  return pins.reduce<Json>((made, pin) => putAt(made, pin.keys, pin.value), value());
}

/** The function `rest(object)` of expressions. */
export function responseOf(x: Host, resource: number, object: Json, shape?: string): Json {
  return isObject(object) ? x.answer(resource, object, shape) : null;
}

/** An object as an API version shows it. */
export function shownBy(shape: Shaped, x: Host, resource: number, object: Json): Json {
  return isObject(object) ? shape.answer(x, resource, object) : null;
}

/** The items of a list that the step `for` repeats its steps for. */
export function itemsOf(value: Json): readonly Json[] {
  return asList(value, 'for');
}

/** An own member; undefined if there is none. */
export function ownMember(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The value of an integer field. @throws OutOfRange for a number that isn't an integer */
export function wholeNumber(value: Json, name: string): Json {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new OutOfRange(`'${name}' must be an integer, not ${value}`);
  return value;
}

/** Conversions of arguments and results in the standard library. */

export const number = (value: Json) => asNumber(value, 'this function');

/** Functions scan texts, lists and maps, so their size counts once for each function. */
export const text = (value: Json) => {
  const given = asText(value, 'this function');
  spendText(given.length);
  return given;
};

export const list = (value: Json) => {
  const given = asList(value, 'this function');
  spendTurns(given.length);
  return given;
};

export const map = (value: Json) => {
  const given = asMap(value, 'this function');
  spendTurns(Object.keys(given).length * MEMBER_TURNS);
  return given;
};

/** A text that a function made; counts against the budget. */
export function written(made: string): string {
  spendText(made.length);
  return made;
}

/** A map of entries; the last one with a key counts. */
export function fromEntries(entries: readonly (readonly [string, Json])[]): Record<string, Json> {
  const made: Record<string, Json> = {};
  for (const [key, value] of entries) define(made, key, value);
  return made;
}

/** `merge(map, entry(key, value))`, without an intermediate map. */
export function mergeEntry(to: Json, key: Json, value: Json): JsonObject {
  const name = text(key);
  const given = map(to);
  // If the map has no other key, nothing is copied: copies of maps with numeric keys, such as times, are slow.
  const made: Record<string, Json> = isOnly(name, given) ? {} : { ...given };
  define(made, name, value);
  spendTurns(MEMBER_TURNS);
  return made;
}

/** Whether a map has no other key. */
function isOnly(key: string, map: JsonObject): boolean {
  for (const each in map) if (each !== key) return false;
  return true;
}

/** Calls a flow without effects. */
export function computeFlow<X extends { enter(): void; leave(): void }, A extends readonly unknown[], R>(
  x: X,
  flow: { run(x: X, ...args: A): R },
  ...args: A
): R {
  x.enter();
  const ended = flow.run(x, ...args);
  x.leave();
  return ended;
}

/** Number of uses after which a function for these names is compiled. */
const OFTEN = 64;

interface ByNames {
  haveSame(a: JsonObject, b: JsonObject): boolean;
  sumOf(made: JsonObject): number;
}

/** Compiled functions over objects with the same member names, by those names. */
const compiledNames = new Map<string, ByNames>();

/**
 * The member names of objects that one location in compiled code creates, in order. Frequent operations are compiled for these
 * names: V8 is slow to look up a member whose name is in a variable.
 */
export class MemberNames implements ByNames {
  private asked = 0;
  private compiled: ByNames | null = null;

  constructor(private readonly names: readonly string[]) {}

  /** Whether an object has exactly these members, in this order. */
  areOf(value: JsonObject): boolean {
    const { names } = this;
    let at = 0;
    for (const key in value) if (key !== names[at++]) return false;
    return at === names.length;
  }

  /** Whether two objects with these members are equal in all of them. */
  haveSame(a: JsonObject, b: JsonObject): boolean {
    if (this.compiled !== null) return this.compiled.haveSame(a, b);
    if (++this.asked === OFTEN) this.compiled = compiledFor(this.names);
    for (const name of this.names) if (a[name] !== b[name]) return false;
    return true;
  }

  /** A hash of the numbers in an object with these members; -1: it has none. */
  sumOf(made: JsonObject): number {
    if (this.compiled !== null) return this.compiled.sumOf(made);
    let sum = -1;
    for (const name of this.names) {
      const value = made[name];
      if (typeof value === 'number') sum += value + 1;
    }
    return sum;
  }
}

function compiledFor(names: readonly string[]): ByNames {
  const key = JSON.stringify(names);
  let known = compiledNames.get(key);
  if (known === undefined) {
    const places = names.map(access);
    const same = places.map((place) => `a${place} === b${place}`);
    known = {
      haveSame: new CodeUnit('same members').function(['a', 'b'], [`return ${same.join(' && ') || 'true'};`]),
      sumOf: new CodeUnit('sum of members').function(
        ['made'],
        [
          'let sum = -1;',
          ...places.map((place) => `if (typeof made${place} === 'number') sum += made${place} + 1;`),
          'return sum;',
        ],
      ),
    };
    compiledNames.set(key, known);
  }
  return known;
}

/** Number of objects with numbers that one location in compiled code remembers. */
const REMEMBERED = 63;

/**
 * Reuses the previous object that a location in compiled code created, if the new one is equal, so that values shared by many
 * calls are one object in memory: values are immutable, and surviving objects are expensive. Members are compared by identity,
 * and each location creates objects with the same keys in the same order. For objects with numbers, several are remembered.
 */
export class LastMade {
  private last: JsonObject = {};
  private names: MemberNames | null = null;
  private readonly others: JsonObject[] = [];
  private lastList: readonly Json[] = [];

  object(made: JsonObject): JsonObject {
    const names = (this.names ??= new MemberNames(Object.keys(made)));
    return names.haveSame(made, this.last) ? this.last : (this.last = this.remembered(made, names));
  }

  private remembered(made: JsonObject, names: MemberNames): JsonObject {
    const sum = names.sumOf(made);
    if (sum < 0) return made;
    const slot = sum & REMEMBERED;
    const known = this.others.at(slot);
    if (known !== undefined && names.haveSame(made, known)) return known;
    while (this.others.length < slot) this.others.push(made);
    return (this.others[slot] = made);
  }

  /** Like `object`, for objects with varying keys. */
  open(made: JsonObject): JsonObject {
    return (this.last = unlessSame(this.last, made));
  }

  list(made: readonly Json[]): readonly Json[] {
    const { lastList } = this;
    if (made.length !== lastList.length) return (this.lastList = made);
    for (let at = 0; at < made.length; at++) if (made[at] !== lastList[at]) return (this.lastList = made);
    return lastList;
  }
}

/** Reuses the last result of putting a value at a path, if both inputs are the same. */
export class LastPut {
  private value: Json = null;
  private to: Json = null;
  private made: Json = null;

  constructor(private readonly keys: readonly string[]) {}

  put(value: Json, to: Json): Json {
    if (value !== this.value || to !== this.to) {
      this.made = putAt(value, this.keys, to);
      this.value = value;
      this.to = to;
    }
    return this.made;
  }
}

/** Returns the original value if the new one has identical members in the same order, else the new one. */
export function unlessSame(value: JsonObject, made: JsonObject): JsonObject {
  const names = Object.keys(made);
  let at = 0;
  for (const key in value) {
    // Reads the name from the list: with the loop's variable, V8 on Node 24 compiled this function repeatedly.
    const name = names[at++];
    if (key !== name || value[name] !== made[name]) return made;
  }
  return at === names.length ? value : made;
}

/** Like `unlessSame`. @param names names of the new value's members */
export function unlessSameMembers(value: JsonObject, made: JsonObject, names: MemberNames): JsonObject {
  return names.areOf(value) && names.haveSame(value, made) ? value : made;
}

/** Like `unlessSame`, for a list. */
export function unlessSameItems(value: readonly Json[], made: readonly Json[]): readonly Json[] {
  for (let at = 0; at < made.length; at++) if (made[at] !== value[at]) return made;
  return made.length === value.length ? value : made;
}
