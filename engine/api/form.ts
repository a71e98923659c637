import { isUtf8 } from 'node:buffer';
import { type DecodedJson, textOf } from '../codecs/index.js';
import { LIMITS } from '../limits.js';
import { sharedText } from '../values/index.js';

/** A value in a form: text (or, in `multipart/form-data`, another kind of part), a list or a map. */
export type Wire<Leaf = string> = Leaf | readonly Wire<Leaf>[] | { readonly [key: string]: Wire<Leaf> };

/** Thrown for invalid input; the message is for the caller. */
export class MalformedForm extends Error {}

const MAX_DEPTH = LIMITS.parameterDepth.value;
/** Larger numbers in brackets are keys of a map rather than indexes of a list. */
const MAX_INDEX = 9_999;

/** Keys that could reach an object's prototype. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The value of a key while a form is read. */
type FormSlot<Leaf> = Leaf | RepeatedParameter<Leaf> | Branch<Leaf>;

/** A scalar that was given more than once: `a=1&a=2`. */
class RepeatedParameter<Leaf> {
  constructor(readonly values: Leaf[]) {}
}

/** Values under bracketed keys; with `[]` the branch is a list. */
class Branch<Leaf> {
  readonly slots = new Map<string, FormSlot<Leaf>>();
  appended = 0;
  named = false;
}

const originalKeys = new WeakMap<readonly unknown[], readonly string[]>();

/**
 * The keys that a list had in the form: `m[7]=x` becomes the list `["x"]`, and only the declared type decides whether a map
 * with the key `7` was meant. Undefined for lists without indexes.
 */
export function wireKeys(list: readonly unknown[]): readonly string[] | undefined {
  return originalKeys.get(list);
}

/** Collects the parameters of one form. Every step is bounded by the key's own length. */
export class FormReader<Leaf = string> {
  readonly #slots = new Map<string, FormSlot<Leaf>>();

  /**
   * Adds one parameter. A key with unbalanced brackets is an ordinary key.
   * @throws MalformedForm for forbidden keys, too many levels and contradictory values
   */
  add(key: string, value: Leaf): void {
    const open = key.indexOf('[');
    const segments = open > 0 ? brackets(key, open) : undefined;
    if (!segments) {
      allow(key);
      this.#slots.set(key, repeated(this.#slots.get(key), value, key));
      return;
    }
    const root = key.slice(0, open);
    allow(root);
    segments.forEach(allow);
    place(branchAt(this.#slots, root, key), segments, 0, value, key);
  }

  /** Returns the collected parameters. */
  finish(): Record<string, Wire<Leaf>> {
    return mapOf(this.#slots);
  }
}

function allow(key: string): void {
  if (FORBIDDEN_KEYS.has(key)) throw new MalformedForm(`'${key}' cannot be the name of a parameter`);
}

/** The contents of a key's brackets; undefined if they are unbalanced. */
function brackets(key: string, open: number): string[] | undefined {
  if (key.indexOf(']') < open) return undefined;
  const segments: string[] = [];
  let at = open;
  while (at < key.length) {
    const close = key.indexOf(']', at);
    if (key[at] !== '[' || close < 0) return undefined;
    const segment = key.slice(at + 1, close);
    if (segment.includes('[')) return undefined;
    if (segments.length === MAX_DEPTH)
      throw new MalformedForm(`${shownKey(key)} is nested deeper than ${MAX_DEPTH} levels`);
    segments.push(segment);
    at = close + 1;
  }
  return segments;
}

function repeated<Leaf>(found: FormSlot<Leaf> | undefined, value: Leaf, key: string): FormSlot<Leaf> {
  if (found === undefined) return value;
  if (found instanceof Branch) throw contradiction(key);
  if (!(found instanceof RepeatedParameter)) return new RepeatedParameter([found, value]);
  found.values.push(value);
  return found;
}

function branchAt<Leaf>(slots: Map<string, FormSlot<Leaf>>, name: string, key: string): Branch<Leaf> {
  const found = slots.get(name);
  if (found instanceof Branch) return found;
  if (found !== undefined) throw contradiction(key);
  const made = new Branch<Leaf>();
  slots.set(name, made);
  return made;
}

function place<Leaf>(branch: Branch<Leaf>, segments: readonly string[], at: number, value: Leaf, key: string): void {
  const last = at === segments.length - 1;
  const name = segments[at] === '' ? append(branch, segments, at, key) : named(branch, segments[at], key);
  if (last) branch.slots.set(name, repeated(branch.slots.get(name), value, key));
  else place(branchAt(branch.slots, name, key), segments, at + 1, value, key);
}

function named<Leaf>(branch: Branch<Leaf>, name: string, key: string): string {
  if (branch.appended > 0) throw mixed(key);
  branch.named = true;
  return name;
}

/** Returns the index that `[]` means: a new item, or the last one if it has no value yet at the rest of the key. */
function append<Leaf>(branch: Branch<Leaf>, segments: readonly string[], at: number, key: string): string {
  if (branch.named) throw mixed(key);
  const current = String(branch.appended - 1);
  const found = branch.slots.get(current);
  if (at < segments.length - 1 && found instanceof Branch && !holds(found, segments, at + 1)) return current;
  return String(branch.appended++);
}

function holds<Leaf>(branch: Branch<Leaf>, segments: readonly string[], at: number): boolean {
  const found = branch.slots.get(segments[at]);
  if (segments[at] === '') return false;
  if (at === segments.length - 1) return found !== undefined;
  return found !== undefined && (!(found instanceof Branch) || holds(found, segments, at + 1));
}

function contradiction(key: string): MalformedForm {
  return new MalformedForm(`${shownKey(key)} is given both as a value and with members`);
}

function mixed(key: string): MalformedForm {
  return new MalformedForm(`${shownKey(key)} is given both with and without indices`);
}

/** Shortens a key for error messages. */
function shownKey(key: string): string {
  return `'${key.length > 60 ? `${key.slice(0, 57)}...` : key}'`;
}

function wireOf<Leaf>(slot: FormSlot<Leaf>): Wire<Leaf> {
  if (slot instanceof RepeatedParameter) return slot.values;
  if (!(slot instanceof Branch)) return slot;
  if (slot.appended > 0) return [...slot.slots.values()].map(wireOf);
  const keys = [...slot.slots.keys()];
  if (!keys.every(isIndex)) return mapOf(slot.slots);
  const sorted = [...slot.slots].sort(([a], [b]) => Number(a) - Number(b));
  const list = sorted.map(([, each]) => wireOf(each));
  originalKeys.set(
    list,
    sorted.map(([key]) => key),
  );
  return list;
}

function mapOf<Leaf>(slots: ReadonlyMap<string, FormSlot<Leaf>>): Record<string, Wire<Leaf>> {
  const made: Record<string, Wire<Leaf>> = {};
  for (const [key, slot] of slots) made[key] = wireOf(slot);
  return made;
}

function isIndex(key: string): boolean {
  return /^(0|[1-9]\d{0,3})$/.test(key) && Number(key) <= MAX_INDEX;
}

const MAX_PARAMETERS = LIMITS.parameters.value;

/**
 * Decodes an `application/x-www-form-urlencoded` body with nested keys (`a[b][c]`, `a[]`, `a[0][x]`). Values stay text;
 * indices become the order of a list; a plain key given more than once becomes a list. Keys that could reach a prototype,
 * more than 1,000 parameters or 20 levels, text that is not UTF-8 and contradicting keys are rejected.
 */
export function decodeForm(body: string | Uint8Array): DecodedJson<Wire> {
  if (typeof body !== 'string' && !isUtf8(body)) return { ok: false, reason: 'the body is not valid UTF-8' };
  return readForm(typeof body === 'string' ? body : textOf(body));
}

/** Decodes a query string (without `?`) by the rules of forms. Node hands URLs over byte by byte. */
export function decodeQuery(query: string): DecodedJson<Wire> {
  if (isAscii(query)) return readForm(query);
  const bytes = Buffer.from(query, 'latin1');
  if (bytes.toString('latin1') !== query) return readForm(query);
  return isUtf8(bytes) ? readForm(bytes.toString('utf8')) : { ok: false, reason: 'the query is not valid UTF-8' };
}

function readForm(text: string): DecodedJson<Wire> {
  const reader = new FormReader();
  try {
    let count = 0;
    for (let at = 0; at < text.length;) {
      const next = text.indexOf('&', at);
      const end = next < 0 ? text.length : next;
      if (end > at) {
        if (++count > MAX_PARAMETERS) return { ok: false, reason: `there are more than ${MAX_PARAMETERS} parameters` };
        const sign = text.indexOf('=', at);
        const split = sign < 0 || sign > end ? end : sign;
        reader.add(unescape(text.slice(at, split)), split === end ? '' : unescape(text.slice(split + 1, end)));
      }
      at = end + 1;
    }
    return { ok: true, value: reader.finish() };
  } catch (error) {
    if (error instanceof MalformedForm) return { ok: false, reason: error.message };
    throw error;
  }
}

function unescape(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return sharedText(spaced);
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new MalformedForm(`${shownKey(text)} is not valid percent-encoded UTF-8`);
  }
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
