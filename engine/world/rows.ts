import type { Json, JsonObject } from '../values/index.js';
import type { Holder } from '../expression/index.js';
import { Difference, objectOf } from './difference.js';
import { compact } from './time.js';

/** The origin of an external value, which is decided outside of the vendor; traces show it in `exogenous`. */
export interface Provenance {
  readonly path: string;
  readonly source: string;
  readonly value: Json;
}

const NO_TIMERS: readonly Timer[] = [];

/** An object's cached responses, valid until the object changes, and the origins of its external values. */
interface Shown {
  provenance: readonly Provenance[] | null;
  /** The cached response; null: not computed, or dependent on more than the object. */
  answer: JsonObject | null;
  /** The response's JSON; null: none. Valid at the world's `version`, or always if it depends on this object alone. */
  text: string | null;
  /** The world's version (number of commits) at which `text` was written. */
  version: number;
}

function isShown(extra: readonly Provenance[] | Shown | null): extra is Shown {
  return extra !== null && !Array.isArray(extra);
}

/** How a row stores its object: the value, a difference from another object, or a row that writes its first value when read. */
export type HeldValue = JsonObject | Difference | LateRow;

/** Data shared by objects whose first values are written when they are read. */
export interface LateForm {
  /** Values of fields that most objects of the form share. */
  readonly own: JsonObject;
  /** Writes the value of an object. @param facts of the command that created it */
  write(facts: JsonObject, state: JsonObject, previous: JsonObject | null, id: string): JsonObject;
}

/** Data that all rows of a collection share. */
export interface RowOwner {
  /** Number of the resource to which the rows belong. */
  readonly resource: number;
  /** The tenant to which the rows belong; null: none. */
  readonly tenant: string | null;
}

/** Rows whose values were decoded since the running code began; they are encoded again afterwards. */
let lengthened: Row[] = [];

function shortenAgain(): void {
  const rows = lengthened;
  lengthened = [];
  for (const row of rows) row.shortenAgain();
}

/** An object of the world. Its value is immutable, and replaced as a whole. Rows are sorted by (order, seq). */
export class Row implements Holder {
  /** Whether the row is in its collection; false once it is deleted. */
  alive = true;
  /** The object's active timers: null, a single timer (the usual case), or a list. */
  #timers: Timer | Timer[] | null = null;
  /** Origins of external values, or `Shown` with them. One member for both, since most rows have neither. */
  #extra: readonly Provenance[] | Shown | null = null;
  /** Number of the last ledger entry that changed the object. */
  entry = 0;
  order: number;
  /** The object's decoded value; null: it is stored in another form. */
  protected current: JsonObject | null;
  #difference: Difference | null = null;

  constructor(
    protected readonly owner: RowOwner,
    readonly id: string,
    readonly seq: number,
    order: number,
    value: JsonObject | null,
  ) {
    this.order = compact(order);
    this.current = value;
  }

  get resource(): number {
    return this.owner.resource;
  }

  /** The tenant to which the object belongs; null: none. */
  get tenant(): string | null {
    return this.owner.tenant;
  }

  get value(): JsonObject {
    return this.current ?? this.lengthen();
  }

  set value(value: JsonObject) {
    this.current = value;
    this.#difference = null;
  }

  /** The form in which the row stores its value; the same object until the value changes. */
  get held(): HeldValue {
    return this.#difference ?? (this.current as JsonObject);
  }

  /** Replaces the stored value by an equal difference, to save memory. @param difference from another object */
  shorten(difference: Difference): void {
    this.current = null;
    this.#difference = difference;
  }

  /** Decodes the value, until the running code ends: an export would otherwise keep all values in memory. */
  protected lengthen(): JsonObject {
    if (lengthened.push(this) === 1) queueMicrotask(shortenAgain);
    return (this.current = objectOf(this.#difference as Difference));
  }

  /** Drops the decoded value; the difference stays stored. */
  shortenAgain(): void {
    if (this.#difference !== null) this.current = null;
  }

  /** Origins of the object's external values; null: none. */
  get provenance(): readonly Provenance[] | null {
    const extra = this.#extra;
    return isShown(extra) ? extra.provenance : extra;
  }

  set provenance(provenance: readonly Provenance[] | null) {
    if (isShown(this.#extra)) this.#extra.provenance = provenance;
    else this.#extra = provenance;
  }

  /** The object's cached responses; empty ones are created on first use. */
  get shown(): Shown {
    const extra = this.#extra;
    return isShown(extra) ? extra : (this.#extra = { provenance: extra, answer: null, text: null, version: -1 });
  }

  /** Drops the object's cached responses. */
  unshow(): void {
    this.#extra = this.provenance;
  }

  /** Returns the value of one field of the object. */
  field(name: string): Json | undefined {
    return this.value[name];
  }

  /** The object's active timers, in order. Only the timer queue changes them. */
  get timers(): readonly Timer[] {
    const timers = this.#timers;
    return timers === null ? NO_TIMERS : Array.isArray(timers) ? timers : [timers];
  }

  set timers(timers: readonly Timer[]) {
    this.#timers = timers.length < 2 ? (timers.at(0) ?? null) : [...timers];
  }

  /** Returns the active timer with a trigger; undefined: none. */
  timerOf(trigger: string): Timer | undefined {
    const timers = this.#timers;
    if (Array.isArray(timers)) return timers.find((each) => each.trigger === trigger);
    return timers?.trigger === trigger ? timers : undefined;
  }
}

/**
 * An object whose first value is written when it is read, such as an event: thousands are created and never read, so only what
 * distinguishes them is stored.
 */
export class LateRow extends Row {
  #written: JsonObject | null = null;
  readonly #form: LateForm;
  readonly #facts: JsonObject;
  #state: JsonObject | Difference;
  readonly #previous: JsonObject | null;

  /**
   * @param place the object's creation number, and its position in lists
   * @param facts of the command that created the object, shared by all of its late objects
   * @param state of the object that this one describes, and that object's previous state
   */
  constructor(
    owner: RowOwner,
    id: string,
    place: { readonly seq: number; readonly order: number },
    form: LateForm,
    facts: JsonObject,
    state: JsonObject | Difference,
    previous: JsonObject | null,
  ) {
    super(owner, id, place.seq, place.order, null);
    this.#form = form;
    this.#facts = facts;
    this.#state = state;
    this.#previous = previous;
  }

  override get value(): JsonObject {
    return this.current ?? (this.#written ??= this.write());
  }

  override set value(value: JsonObject) {
    this.current = value;
  }

  override get held(): HeldValue {
    return this.current ?? this;
  }

  override field(name: string): Json | undefined {
    if (this.current !== null) return this.current[name];
    return this.#form.own[name] ?? this.value[name];
  }

  /** Writes the object's first value, without storing it. */
  write(): JsonObject {
    if (this.#written !== null) return this.#written;
    const state = this.#state;
    return this.#form.write(
      this.#facts,
      state instanceof Difference ? objectOf(state) : state,
      this.#previous,
      this.id,
    );
  }

  /** The state of the described object, in its stored form. */
  get state(): JsonObject | Difference {
    return this.#state;
  }

  /** Replaces the described object's state by an equal difference, to save memory. @param difference from another state */
  shortenState(difference: Difference): void {
    this.#state = difference;
  }

  /** Returns a copy of the object with its first value, as a row of another world. */
  copyFirst(owner: RowOwner): LateRow {
    return new LateRow(owner, this.id, this, this.#form, this.#facts, this.#state, this.#previous);
  }
}

/** Returns the value of a stored form, without keeping a decoded one in memory. */
export function writtenOf(held: HeldValue): JsonObject {
  return held instanceof LateRow ? held.write() : held instanceof Difference ? objectOf(held) : held;
}

/** Whether `a` is older than `b`, by sort key and creation number. */
export function before(a: { order: number; seq: number }, b: { order: number; seq: number }): boolean {
  return a.order !== b.order ? a.order < b.order : a.seq < b.seq;
}

/** Limit of rows out of order that are inserted one by one; with more, the list is sorted at the next read. */
const FEW = 8;

/**
 * A sorted list of rows, oldest first. Appending in order is O(1). Inserting or removing elsewhere takes a binary search and
 * one move of memory; many insertions between two reads take one sort.
 */
export class OrderedRows {
  #rows: Row[] = [];
  #sorted = true;
  /** Number of rows that were inserted out of order since the last read. */
  #placed = 0;
  /** Number of first rows that may not move, since other users share the list. */
  #shared = 0;

  static of(...rows: readonly Row[]): OrderedRows {
    const made = new OrderedRows();
    for (const row of rows) made.add(row);
    return made;
  }

  get size(): number {
    return this.#rows.length;
  }

  /** The newest row; undefined if rows out of order wait to be sorted. */
  get last(): Row | undefined {
    return this.#sorted ? this.#rows[this.#rows.length - 1] : undefined;
  }

  /** Appends a row if that keeps the order. @returns whether the row was added */
  append(row: Row): boolean {
    const last = this.#rows[this.#rows.length - 1];
    if (!this.#sorted || (last !== undefined && !before(last, row))) return false;
    this.#rows.push(row);
    return true;
  }

  add(row: Row): void {
    if (this.append(row)) return;
    if (this.#sorted && this.#placed < FEW) {
      const at = place(this.#rows, row);
      this.#own(at);
      this.#rows.splice(at, 0, row);
      this.#placed++;
    } else {
      this.#sorted = false;
      this.#rows.push(row);
    }
  }

  remove(row: Row): void {
    const rows = this.all();
    const at = this.indexFrom(row);
    if (rows[at] !== row) return;
    this.#own(at);
    this.#rows.splice(at, 1);
  }

  /** Returns the rows, oldest first, in a list that stays valid: later rows are only appended to it. */
  share(): readonly Row[] {
    const rows = this.all();
    this.#shared = rows.length;
    return rows;
  }

  /** Replaces a shared list by a copy before rows in it move. @param from index of the first row that moves */
  #own(from: number): void {
    if (from >= this.#shared) return;
    this.#rows = this.#rows.slice();
    this.#shared = 0;
  }

  /** Returns the rows, oldest first, in a list that callers must not change. */
  all(): readonly Row[] {
    this.#placed = 0;
    if (!this.#sorted) {
      this.#own(0);
      this.#rows.sort((a, b) => a.order - b.order || a.seq - b.seq);
      this.#sorted = true;
    }
    return this.#rows;
  }

  /** Returns the index of the first row at or after a position. O(log n). */
  indexFrom(at: { order: number; seq: number }): number {
    return place(this.all(), at);
  }
}

function place(rows: readonly Row[], at: { order: number; seq: number }): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(rows[middle], at)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A trigger that an object's machine, or a wait, gets at a later time. */
export class Timer {
  alive = true;
  /** Whole seconds of `due`, which V8 stores without a heap object; the milliseconds are in another field. */
  readonly #seconds: number;
  readonly #beside: number;

  constructor(
    readonly row: Row,
    readonly trigger: string,
    /** Simulated time at which the timer is due, in milliseconds. */
    due: number,
    readonly seq: number,
    /** The time owner on whose clock the timer runs; null: the world's clock. */
    readonly line: string | null,
  ) {
    this.#seconds = compact(Math.floor(due / 1000));
    this.#beside = compact(due - this.#seconds * 1000);
  }

  get due(): number {
    return this.#seconds * 1000 + this.#beside;
  }
}
