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
import type { Shaped, Host } from './host.js';
import { access } from './javascript.js';
import { CodeUnit } from './unit.js';

/** Work units that a member of a map costs, since maps are copied. */
const MEMBER_TURNS = 4;

/* Functions that compiled expressions call instead of repeating their code. */

/** Evaluates `a + b` if the types aren't known: joins texts and lists, adds numbers. */
export function add(x: Json, y: Json): Json {
  if (typeof x === 'number' && typeof y === 'number') return x + y;
  if (typeof x === 'string' || typeof y === 'string') return asText(x, "'+'") + asText(y, "'+'");
  if (isList(x) && isList(y)) {
    spendTurns(x.length + y.length);
    return [...x, ...y];
  }
  return asNumber(x, "'+'") + asNumber(y, "'+'");
}

/** Compares two texts or two numbers: negative, 0 or positive, as for `sort`. */
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

/** Evaluates `x in xs`: whether a list has an equal item, or a map has the key. */
export function contains(collection: Json, item: Json): boolean {
  if (Array.isArray(collection)) {
    spendTurns(collection.length);
    return collection.some((each) => equal(each, item));
  }
  if (isObject(collection)) return typeof item === 'string' && Object.hasOwn(collection, item);
  return false;
}

/** Evaluates `value[key]` for a list or map. */
export function itemAt(value: Json, key: Json): Json {
  if (Array.isArray(value)) return typeof key === 'number' ? ((value[key] as Json | undefined) ?? null) : null;
  return typeof key === 'string' ? member(value, key) : null;
}

/** Whether an object has a member, null or not. */
export function hasOwn(value: Json, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key);
}

/** Returns the items of a list or the keys of a map, for a macro. They count against the budget. */
export function elements(value: Json): readonly Json[] {
  const found = isList(value) ? value : isObject(value) ? Object.keys(value) : [];
  spendTurns(found.length);
  return found;
}

/** Evaluates the macros `map` and `filter`. */
export function collect(items: Json, map: (item: Json) => Json, keep?: (item: Json) => boolean): Json[] {
  const made: Json[] = [];
  for (const item of elements(items)) if (keep === undefined || keep(item)) made.push(map(item));
  return made;
}

/** Evaluates the macro `exists_one`: whether exactly one item meets the test. */
export function single(items: Json, test: (item: Json) => boolean): boolean {
  let hits = 0;
  for (const item of elements(items)) if (test(item)) hits++;
  return hits === 1;
}

/** Makes an object whose keys are values of expressions. */
export function fromPairs(pairs: readonly (readonly [Json, Json])[]): JsonObject {
  const made: Record<string, Json> = {};
  for (const [key, value] of pairs) define(made, String(key), value);
  return made;
}

/** Evaluates `get(resource, id)`: the object with the id, or null. */
export function lookup(x: Host, resource: number, id: Json): Json {
  return typeof id === 'string' ? (x.lookupObject(resource, id) ?? null) : null;
}

/** Evaluates `get(resource, id)` to the object's row; null if there is none. */
export function lookupRow<T>(
  x: { row(resource: number, id: string): T | undefined },
  resource: number,
  id: Json,
): T | null {
  return typeof id === 'string' ? (x.row(resource, id) ?? null) : null;
}

/** Evaluates `at(value, path)`: the member at a dotted path, or null. */
export function memberAt(value: Json, path: Json): Json {
  if (path === null) return null;
  const keys = asText(path, 'at()').split('.');
  spendTurns(keys.length);
  return keys.reduce(member, value);
}

/** Evaluates `pinned(object, path)`: the pinned value, or null. */
export function pinned(x: Host, resource: number, object: Json, path: string): Json {
  return x.pinned(resource, isObject(object) ? asText(object['id'], 'pinned()') : null, path);
}

/** Evaluates `with_pins(path, value)`: the value with the pinned values at and below the path of the object. */
export function withPins(x: Host, resource: number, object: Json, path: string, value: () => Json): Json {
  const id = member(object, 'id');
  const pins = x.pinsWithin(resource, typeof id === 'string' ? id : null, path);
  return pins.reduce<Json>((made, pin) => putAt(made, pin.keys, pin.value), value());
}

/** Evaluates `rest(object)`: the object as the vendor API returns it. */
export function responseOf(x: Host, resource: number, object: Json, shape?: string): Json {
  return isObject(object) ? x.answer(resource, object, shape) : null;
}

/** Returns an object as an API version shows it. */
export function shownBy(shape: Shaped, x: Host, resource: number, object: Json): Json {
  return isObject(object) ? shape.answer(x, resource, object) : null;
}

/** Returns the items over which the step `for` repeats its steps. */
export function itemsOf(value: Json): readonly Json[] {
  return asList(value, 'for');
}

/** Returns an object's own member; undefined if it has none. */
export function ownMember(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Checks the value of an integer field. @throws OutOfRange for a number that isn't an integer */
export function wholeNumber(value: Json, name: string): Json {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new OutOfRange(`'${name}' must be an integer, not ${value}`);
  return value;
}

/** Functions by which the standard library converts its arguments and results. */

export const number = (value: Json) => asNumber(value, 'this function');

/** Returns an argument that must be a text. Its size counts against the budget, since functions scan their arguments. */
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

/** Returns a text that a function made; its size counts against the budget. */
export function written(made: string): string {
  spendText(made.length);
  return made;
}

/** Makes a map of entries; of several with one key, the last one counts. */
export function fromEntries(entries: readonly (readonly [string, Json])[]): Record<string, Json> {
  const made: Record<string, Json> = {};
  for (const [key, value] of entries) define(made, key, value);
  return made;
}

/** Evaluates `merge(map, entry(key, value))` without an intermediate map. */
export function mergeEntry(to: Json, key: Json, value: Json): JsonObject {
  const name = text(key);
  const given = map(to);
  // If the map has no other key, nothing is copied: copies of maps with numeric keys, such as times, are slow.
  const made: Record<string, Json> = isOnly(name, given) ? {} : { ...given };
  define(made, name, value);
  spendTurns(MEMBER_TURNS);
  return made;
}

/** Whether a map has no key other than this one. */
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

/** Number of uses after which functions for objects with certain members are compiled. */
const OFTEN = 64;

interface ByNames {
  haveSame(a: JsonObject, b: JsonObject): boolean;
  sumOf(made: JsonObject): number;
}

/** Functions compiled for objects with the same member names, by those names. */
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

  /** Hashes the numbers in an object with these members; -1 if it has none. */
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

/** Number of objects with numbers that one location in compiled code keeps for reuse. */
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

  /** Reuses the previous object if the new one is equal, for objects whose keys vary. */
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

/** Returns the previous result of putting a value at a path, if both inputs are the same. */
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
    // Compares with the name from the list instead of `key`: otherwise V8 in Node 24 recompiled this function repeatedly.
    const name = names[at++];
    if (key !== name || value[name] !== made[name]) return made;
  }
  return at === names.length ? value : made;
}

/** Returns the original value if the new one has identical members in the same order. @param names names of the new members */
export function unlessSameMembers(value: JsonObject, made: JsonObject, names: MemberNames): JsonObject {
  return names.areOf(value) && names.haveSame(value, made) ? value : made;
}

/** Returns the original list if the new one has identical items, else the new one. */
export function unlessSameItems(value: readonly Json[], made: readonly Json[]): readonly Json[] {
  for (let at = 0; at < made.length; at++) if (made[at] !== value[at]) return made;
  return made.length === value.length ? value : made;
}
