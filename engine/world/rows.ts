import type { Json, JsonObject } from '../values/index.js';
import type { Holder } from '../expression/index.js';
import { Difference, objectOf } from './difference.js';
import { compact } from './time.js';

/** The origin of a value from outside, as shown in a trace's `exogenous`. */
export interface Provenance {
  readonly path: string;
  readonly source: string;
  readonly value: Json;
}

const NO_TIMERS: readonly Timer[] = [];

/** Cached responses of an object since it changed, with the origins of its values from outside. */
interface Shown {
  provenance: readonly Provenance[] | null;
  /** The response, if it depends on this object alone. */
  answer: JsonObject | null;
  /** The JSON of the response, valid for `version` (see `operation-response.ts`). */
  text: string | null;
  /** The world's version (its number of commits) for which the text is valid. */
  version: number;
}

function isShown(extra: readonly Provenance[] | Shown | null): extra is Shown {
  return extra !== null && !Array.isArray(extra);
}

/**
 * The stored form of an object: its value, its difference from another one, or the row that writes its first value on first
 * read.
 */
export type HeldValue = JsonObject | Difference | LateRow;

/** Shared data of objects whose values are written on first read. */
export interface LateForm {
  /** Fields that have the same value in most objects. */
  readonly own: JsonObject;
  /** Creates the value of an object. @param facts of the object's command */
  write(facts: JsonObject, state: JsonObject, previous: JsonObject | null, id: string): JsonObject;
}

/** The owner of rows, shared by the rows of a collection. */
export interface RowOwner {
  /** Index of the rows' resource. */
  readonly resource: number;
  /** The tenant of the rows; null: none. */
  readonly tenant: string | null;
}

/** Rows whose values were decoded by the running command. */
let lengthened: Row[] = [];

function shortenAgain(): void {
  const rows = lengthened;
  lengthened = [];
  for (const row of rows) row.shortenAgain();
}

/** One object of the world. Its value is immutable and replaced as a whole; rows are ordered by (order, seq). */
export class Row implements Holder {
  /** Whether the row is in its collection. */
  alive = true;
  /** The active timers of the object: most objects have at most one, which needs no list. */
  #timers: Timer | Timer[] | null = null;
  /** Origins of values from outside, or also cached responses. One field for both, since most rows have neither. */
  #extra: readonly Provenance[] | Shown | null = null;
  /** Number of the last ledger entry about it. */
  entry = 0;
  order: number;
  /** The decoded value of the object; null: it has to be decoded. */
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

  /** The object's tenant; null: none. */
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

  /** The stored form of its value; the same until the value changes. */
  get held(): HeldValue {
    return this.#difference ?? (this.current as JsonObject);
  }

  /** Replaces the value by a difference. @param difference from which it can be decoded */
  shorten(difference: Difference): void {
    this.current = null;
    this.#difference = difference;
  }

  /** The decoded value stays only until the running reader ends: an export would otherwise keep all of them. */
  protected lengthen(): JsonObject {
    if (lengthened.push(this) === 1) queueMicrotask(shortenAgain);
    return (this.current = objectOf(this.#difference as Difference));
  }

  /** Drops the decoded value again. */
  shortenAgain(): void {
    if (this.#difference !== null) this.current = null;
  }

  /** Origins of its values from outside; null: none. */
  get provenance(): readonly Provenance[] | null {
    const extra = this.#extra;
    return isShown(extra) ? extra.provenance : extra;
  }

  set provenance(provenance: readonly Provenance[] | null) {
    if (isShown(this.#extra)) this.#extra.provenance = provenance;
    else this.#extra = provenance;
  }

  /** Cached responses with the object. */
  get shown(): Shown {
    const extra = this.#extra;
    return isShown(extra) ? extra : (this.#extra = { provenance: extra, answer: null, text: null, version: -1 });
  }

  /** Drops the object's cached responses. */
  unshow(): void {
    this.#extra = this.provenance;
  }

  /** The value of one field of the object. */
  field(name: string): Json | undefined {
    return this.value[name];
  }

  /** The active timers of the object, in order; set by the queue only. */
  get timers(): readonly Timer[] {
    const timers = this.#timers;
    return timers === null ? NO_TIMERS : Array.isArray(timers) ? timers : [timers];
  }

  set timers(timers: readonly Timer[]) {
    this.#timers = timers.length < 2 ? (timers.at(0) ?? null) : [...timers];
  }

  /** The active timer of a trigger. */
  timerOf(trigger: string): Timer | undefined {
    const timers = this.#timers;
    if (Array.isArray(timers)) return timers.find((each) => each.trigger === trigger);
    return timers?.trigger === trigger ? timers : undefined;
  }
}

/**
 * An object whose first value is written on first read: thousands are created and never read, and only their differences are
 * stored.
 */
export class LateRow extends Row {
  #written: JsonObject | null = null;
  readonly #form: LateForm;
  readonly #facts: JsonObject;
  #state: JsonObject | Difference;
  readonly #previous: JsonObject | null;

  /**
   * @param place its number, and its position in lists
   * @param facts of its command, shared by all objects that the command made
   * @param state of the object that it is about, and that object's previous state
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

  /** Writes its first value, without storing it. */
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

  /** The stored form of the state that it shows. */
  get state(): JsonObject | Difference {
    return this.#state;
  }

  /** Replaces the state that it shows by a difference. @param difference from which it can be decoded */
  shortenState(difference: Difference): void {
    this.#state = difference;
  }

  /** The object in its first state, as a row of another world. */
  copyFirst(owner: RowOwner): LateRow {
    return new LateRow(owner, this.id, this, this.#form, this.#facts, this.#state, this.#previous);
  }
}

/** The value of a stored form; a decoded one isn't kept. */
export function writtenOf(held: HeldValue): JsonObject {
  return held instanceof LateRow ? held.write() : held instanceof Difference ? objectOf(held) : held;
}

/** Whether `a` comes before `b` (older first). */
export function before(a: { order: number; seq: number }, b: { order: number; seq: number }): boolean {
  return a.order !== b.order ? a.order < b.order : a.seq < b.seq;
}

/** Number of rows out of order that are inserted at once; with more (a seed), the list is sorted at the next read. */
const FEW = 8;

/**
 * Rows in order, oldest first. Appending in order is O(1); a row out of order is a binary search and one move of memory, many
 * of them between two reads are one sort; removing is a binary search and one move of memory.
 */
export class OrderedRows {
  #rows: Row[] = [];
  #sorted = true;
  /** Rows inserted out of order since the last read. */
  #placed = 0;
  /** The first rows, up to this number, may not move: others share the list. */
  #shared = 0;

  static of(...rows: readonly Row[]): OrderedRows {
    const made = new OrderedRows();
    for (const row of rows) made.add(row);
    return made;
  }

  get size(): number {
    return this.#rows.length;
  }

  /** The row that was added last, while all are in order. */
  get last(): Row | undefined {
    return this.#sorted ? this.#rows[this.#rows.length - 1] : undefined;
  }

  /** Adds a row if all are in order and it comes last. @returns whether it was added */
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

  /** The rows, oldest first, in a list to which rows are only appended. */
  share(): readonly Row[] {
    const rows = this.all();
    this.#shared = rows.length;
    return rows;
  }

  /** Copies a shared list before rows move. @param from index of the first one */
  #own(from: number): void {
    if (from >= this.#shared) return;
    this.#rows = this.#rows.slice();
    this.#shared = 0;
  }

  /** The rows, oldest first; read-only. */
  all(): readonly Row[] {
    this.#placed = 0;
    if (!this.#sorted) {
      this.#own(0);
      this.#rows.sort((a, b) => a.order - b.order || a.seq - b.seq);
      this.#sorted = true;
    }
    return this.#rows;
  }

  /** Index of the first row at or after a position. O(log n). */
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

/** A delayed trigger of an object's machine. */
export class Timer {
  alive = true;
  /** Whole seconds, which need no heap object, with the milliseconds in another field. */
  readonly #seconds: number;
  readonly #beside: number;

  constructor(
    readonly row: Row,
    readonly trigger: string,
    /** Simulated time in milliseconds. */
    due: number,
    readonly seq: number,
    /** The time owner whose clock `due` refers to; null: the world's. */
    readonly line: string | null,
  ) {
    this.#seconds = compact(Math.floor(due / 1000));
    this.#beside = compact(due - this.#seconds * 1000);
  }

  get due(): number {
    return this.#seconds * 1000 + this.#beside;
  }
}
