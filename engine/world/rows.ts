import type { Json, JsonObject } from '../values/index.js';
import type { Holder } from '../expression/index.js';
import { Difference, objectOf } from './difference.js';
import { compact } from './time.js';

/** Where the value of an exogenous field came from: what is in a trace's `exogenous`. */
export interface Provenance {
  readonly path: string;
  readonly source: string;
  readonly value: Json;
}

const NO_TIMERS: readonly Timer[] = [];

/** What was shown of an object since it changed, beside where its exogenous values came from. */
interface Shown {
  provenance: readonly Provenance[] | null;
  /** The response, where it depends on this object alone. */
  answer: JsonObject | null;
  /** Its text, valid while `version` says so (see `operation-response.ts`). */
  text: string | null;
  /** Of the world. */
  version: number;
}

function isShown(extra: readonly Provenance[] | Shown | null): extra is Shown {
  return extra !== null && !Array.isArray(extra);
}

/** The value of an object, what it differs in from others, or the row that writes its first value on the first read. */
export type HeldValue = JsonObject | Difference | LateRow;

/** What objects have in common whose values are written when they are read. */
export interface LateForm {
  /** What most of them have: fields with the same values. */
  readonly own: JsonObject;
  /** @param facts of their command */
  write(facts: JsonObject, state: JsonObject, previous: JsonObject | null, id: string): JsonObject;
}

/** Whose objects rows are, in which a collection's rows are alike. */
export interface RowOwner {
  /** Index of their resource. */
  readonly resource: number;
  /** Whose objects they are; null: of no tenant. */
  readonly tenant: string | null;
}

/** Rows whose values were made again, by what runs now. */
let lengthened: Row[] = [];

function shortenAgain(): void {
  const rows = lengthened;
  lengthened = [];
  for (const row of rows) row.shortenAgain();
}

/** One object of the world. Its value is immutable and replaced as a whole; rows are ordered by (order, seq). */
export class Row implements Holder {
  /** Whether it is in its collection. */
  alive = true;
  /** Its armed timers: most have no more than one, which then needs no list. */
  #timers: Timer | Timer[] | null = null;
  /** Where exogenous values came from, or what was shown too. One field for both, since most rows have neither. */
  #extra: readonly Provenance[] | Shown | null = null;
  /** Number of the last ledger entry about it. */
  entry = 0;
  order: number;
  /** Null: something else leads to its value. */
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

  /** Whose object it is; null: of no tenant. */
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

  /** Its value, or what leads to it: the same until the value is another one. */
  get held(): HeldValue {
    return this.#difference ?? (this.current as JsonObject);
  }

  /** Holds less of its value. @param difference what leads to it */
  shorten(difference: Difference): void {
    this.current = null;
    this.#difference = difference;
  }

  /** The whole value is there until what reads it now has ended: an export would keep all of them. */
  protected lengthen(): JsonObject {
    if (lengthened.push(this) === 1) queueMicrotask(shortenAgain);
    return (this.current = objectOf(this.#difference as Difference));
  }

  /** Holds less of its value again. */
  shortenAgain(): void {
    if (this.#difference !== null) this.current = null;
  }

  /** Where exogenous values came from; null: it has none. */
  get provenance(): readonly Provenance[] | null {
    const extra = this.#extra;
    return isShown(extra) ? extra.provenance : extra;
  }

  set provenance(provenance: readonly Provenance[] | null) {
    if (isShown(this.#extra)) this.#extra.provenance = provenance;
    else this.#extra = provenance;
  }

  /** What was shown of its value. */
  get shown(): Shown {
    const extra = this.#extra;
    return isShown(extra) ? extra : (this.#extra = { provenance: extra, answer: null, text: null, version: -1 });
  }

  /** Drops what was shown of it. */
  unshow(): void {
    this.#extra = this.provenance;
  }

  /** A field of its value. */
  field(name: string): Json | undefined {
    return this.value[name];
  }

  /** Its armed timers, in order; set by the queue only. */
  get timers(): readonly Timer[] {
    const timers = this.#timers;
    return timers === null ? NO_TIMERS : Array.isArray(timers) ? timers : [timers];
  }

  set timers(timers: readonly Timer[]) {
    this.#timers = timers.length < 2 ? (timers.at(0) ?? null) : [...timers];
  }

  /** The armed timer of a trigger. */
  timerOf(trigger: string): Timer | undefined {
    const timers = this.#timers;
    if (Array.isArray(timers)) return timers.find((each) => each.trigger === trigger);
    return timers?.trigger === trigger ? timers : undefined;
  }
}

/**
 * An object whose first value is written on the first read: thousands are made that are never read, and what is kept for each
 * is what differs.
 */
export class LateRow extends Row {
  #written: JsonObject | null = null;
  readonly #form: LateForm;
  readonly #facts: JsonObject;
  #state: JsonObject | Difference;
  readonly #previous: JsonObject | null;

  /**
   * @param place its number, and its place in lists
   * @param facts of its command, for all objects that it made
   * @param state what it is about, and what that was before
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

  /** Its first value; not kept unless it was read. */
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

  /** The state that it shows, or what leads to it. */
  get state(): JsonObject | Difference {
    return this.#state;
  }

  /** Holds less of the state that it shows. @param difference what leads to it */
  shortenState(difference: Difference): void {
    this.#state = difference;
  }

  /** The object as it was at first, as a row of another world. */
  copyFirst(owner: RowOwner): LateRow {
    return new LateRow(owner, this.id, this, this.#form, this.#facts, this.#state, this.#previous);
  }
}

/** The value that is held; one that is written for it is not kept. */
export function writtenOf(held: HeldValue): JsonObject {
  return held instanceof LateRow ? held.write() : held instanceof Difference ? objectOf(held) : held;
}

/** Whether `a` comes before `b` (older first). */
export function before(a: { order: number; seq: number }, b: { order: number; seq: number }): boolean {
  return a.order !== b.order ? a.order < b.order : a.seq < b.seq;
}

/** How many rows out of order find their place at once; of more (a seed) the list is sorted at the next read. */
const FEW = 8;

/**
 * Rows ordered oldest first. Appending in order is O(1); a row out of order is a binary search and one move of memory, many
 * of them between two reads are one sort; removing is a binary search and one move of memory.
 */
export class OrderedRows {
  #rows: Row[] = [];
  #sorted = true;
  /** Rows that found their place since the last read. */
  #placed = 0;
  /** The first so many stay where they are: others look at them too. */
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

  /** Adds a row where all are in order and it comes behind them. @returns whether it was added */
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

  /** The rows, oldest first, in a list to which only further ones are added behind these. */
  share(): readonly Row[] {
    const rows = this.all();
    this.#shared = rows.length;
    return rows;
  }

  /** Continues with a list of its own before rows move. @param from the first one */
  #own(from: number): void {
    if (from >= this.#shared) return;
    this.#rows = this.#rows.slice();
    this.#shared = 0;
  }

  /** The rows, oldest first. Not to be changed by the caller. */
  all(): readonly Row[] {
    this.#placed = 0;
    if (!this.#sorted) {
      this.#own(0);
      this.#rows.sort((a, b) => a.order - b.order || a.seq - b.seq);
      this.#sorted = true;
    }
    return this.#rows;
  }

  /** Index of the first row that is not before the given place. O(log n). */
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
  /** Whole seconds, which need no memory of their own, and the milliseconds beside them. */
  readonly #seconds: number;
  readonly #beside: number;

  constructor(
    readonly row: Row,
    readonly trigger: string,
    /** Simulated time in milliseconds. */
    due: number,
    readonly seq: number,
    /** The time owner whose time `due` is in; null: the world's. */
    readonly line: string | null,
  ) {
    this.#seconds = compact(Math.floor(due / 1000));
    this.#beside = compact(due - this.#seconds * 1000);
  }

  get due(): number {
    return this.#seconds * 1000 + this.#beside;
  }
}
