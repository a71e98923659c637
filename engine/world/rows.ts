import type { Json, JsonObject } from '../values/index.js';
import type { Holder } from '../expression/index.js';
import type { Timer } from './timers.js';

/** Where the value of an exogenous field came from: what stands in a trace's `exogenous`. */
export interface Provenance {
  readonly path: string;
  readonly source: string;
  readonly value: Json;
}

const NO_TIMERS: readonly Timer[] = [];

/** One object of the world. Its value is immutable and replaced as a whole; rows are ordered by (order, seq). */
export class Row implements Holder {
  alive = true;
  provenance: readonly Provenance[] | null = null;
  /** The first of its armed timers, and those behind it: most have no more than one, which then needs no list. */
  #timer: Timer | null = null;
  #more: readonly Timer[] = NO_TIMERS;
  /** The response as text, valid while `jsonVersion` says so (see `operation/answer.ts`). */
  json: string | null = null;
  jsonVersion = -1;
  /** The response as a value, where it depends on this object alone. */
  answer: JsonObject | null = null;
  /** Number of the last ledger entry that tells of it. */
  entry = 0;

  constructor(
    readonly resource: number,
    readonly id: string,
    readonly seq: number,
    public order: number,
    public value: JsonObject,
    /** Whose object it is; null: of no tenant. */
    readonly tenant: string | null = null,
  ) {}

  /** Its armed timers, in order; set by the queue only. */
  get timers(): readonly Timer[] {
    return this.#timer === null ? NO_TIMERS : [this.#timer, ...this.#more];
  }

  set timers(timers: readonly Timer[]) {
    this.#timer = timers.at(0) ?? null;
    this.#more = timers.length < 2 ? NO_TIMERS : timers.slice(1);
  }

  /** The armed timer of a trigger. */
  timerOf(trigger: string): Timer | undefined {
    if (this.#timer === null || this.#timer.trigger === trigger) return this.#timer ?? undefined;
    return this.#more.find((each) => each.trigger === trigger);
  }
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

  static of(...rows: readonly Row[]): OrderedRows {
    const made = new OrderedRows();
    for (const row of rows) made.add(row);
    return made;
  }

  get size(): number {
    return this.#rows.length;
  }

  add(row: Row): void {
    const last = this.#rows[this.#rows.length - 1];
    if (last === undefined || before(last, row)) this.#rows.push(row);
    else if (this.#sorted && this.#placed < FEW) {
      this.#rows.splice(place(this.#rows, row), 0, row);
      this.#placed++;
    } else {
      this.#sorted = false;
      this.#rows.push(row);
    }
  }

  remove(row: Row): void {
    const rows = this.all();
    const at = this.indexFrom(row);
    if (rows[at] === row) this.#rows.splice(at, 1);
  }

  /** The rows, oldest first. Not to be changed by the caller. */
  all(): readonly Row[] {
    this.#placed = 0;
    if (!this.#sorted) {
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
