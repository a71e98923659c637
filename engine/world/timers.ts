import { type Row, Timer } from './rows.js';
import { TimersStanding } from './standing.js';

/**
 * A world's timers, ordered by due time, then creation: binary heaps, one per clock, with lazy removal. Setting and taking are
 * O(log n), cancelling is O(1). Each object's row also lists its timers.
 */
export class TimerQueue {
  readonly #own = new Heap();
  /** Heaps of timers on time owners' clocks, by the clock's name. */
  readonly #lines = new Map<string, Heap>();
  /** For a copy, the original's timers, until all are copied: an object's timers are added with its row. Null: no copy. */
  #base: { readonly standing: TimersStanding; readonly lookAt: (row: Row) => void } | null = null;
  /** Whether a copied queue has changed since it was copied. */
  #touched = false;
  /** The state that `standing` returned last; null if it isn't valid any more. */
  #standing: TimersStanding | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  #heapOf(line: string | null): Heap {
    if (line == null) return this.#own;
    let heap = this.#lines.get(line);
    if (heap === undefined) this.#lines.set(line, (heap = new Heap()));
    return heap;
  }

  add(timer: Timer): void {
    this.#touched = true;
    timer.alive = true;
    timer.row.timers = [...timer.row.timers, timer];
    this.#size++;
    this.#heapOf(timer.line).push(timer);
  }

  remove(timer: Timer): void {
    if (!timer.alive) return;
    timer.alive = false;
    timer.row.timers = timer.row.timers.filter((each) => each !== timer);
    this.#size--;
    this.#heapOf(timer.line).lost();
  }

  /** Returns the next timer due at or before a time, without removing it. @param line name of the clock; null: the world's */
  next(until: number, line: string | null = null): Timer | undefined {
    if (this.#base !== null && this.#base.standing.earliest(line) <= until) this.#copy();
    return line === null ? this.#own.next(until) : this.#lines.get(line)?.next(until);
  }

  /** Returns the active timers as a state; the same result as before if nothing changed. O(timers). */
  standing(): TimersStanding {
    if (this.#base !== null && !this.#touched) return this.#base.standing;
    this.#copy();
    const timers = [...new Set([this.#own, ...this.#lines.values()].flatMap((heap) => heap.living()))];
    if (this.#standing?.isStill(timers) !== true) this.#standing = new TimersStanding(timers);
    return this.#standing;
  }

  /** Lists the timers on a time owner's clock. */
  of(line: string): readonly Timer[] {
    this.#copy();
    return [...new Set(this.#lines.get(line)?.living() ?? [])];
  }

  /** Makes this empty queue a copy. @param lookAt creates the row of an object; the row's creation then calls `take` */
  copyLater(standing: TimersStanding, lookAt: (row: Row) => void): void {
    this.#size = standing.timers.length;
    if (this.#size > 0) this.#base = { standing, lookAt };
  }

  /** Adds an object's timers in the original to this copy. */
  take(row: Row): void {
    const timers = this.#base?.standing.of(row) ?? [];
    if (timers.length === 0) return;
    this.#touched = true;
    row.timers = timers.map(({ trigger, due, seq, line }) => new Timer(row, trigger, due, seq, line));
    for (const timer of row.timers) this.#heapOf(timer.line).push(timer);
  }

  /** Adds all timers of the original that this copy still lacks. */
  #copy(): void {
    if (this.#base === null) return;
    const { standing, lookAt } = this.#base;
    for (const { row } of standing.timers) lookAt(row);
    this.#base = null;
  }

  /** Lists all active timers, in the order in which they fire on each clock. */
  list(): Timer[] {
    return [...this.standing().timers].sort(compare);
  }
}

class Heap {
  #heap: Timer[] = [];
  #dead = 0;

  push(timer: Timer): void {
    this.#heap.push(timer);
    this.#up(this.#heap.length - 1);
  }

  lost(): void {
    if (++this.#dead > 64 && this.#dead * 2 > this.#heap.length) this.#compact();
  }

  living(): Timer[] {
    return this.#heap.filter(({ alive }) => alive);
  }

  next(until: number): Timer | undefined {
    while (this.#heap.length > 0) {
      const [top] = this.#heap;
      if (top.alive) return top.due <= until ? top : undefined;
      this.#dead--;
      this.#take();
    }
    return undefined;
  }

  #compact(): void {
    this.#heap = [...new Set(this.living())].sort(compare);
    this.#dead = 0;
  }

  #take(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#down(0);
  }

  #up(at: number): void {
    const heap = this.#heap;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (compare(heap[parent], heap[at]) <= 0) return;
      [heap[parent], heap[at]] = [heap[at], heap[parent]];
      at = parent;
    }
  }

  #down(at: number): void {
    const heap = this.#heap;
    for (;;) {
      const left = at * 2 + 1;
      let least = at;
      if (left < heap.length && compare(heap[left], heap[least]) < 0) least = left;
      if (left + 1 < heap.length && compare(heap[left + 1], heap[least]) < 0) least = left + 1;
      if (least === at) return;
      [heap[least], heap[at]] = [heap[at], heap[least]];
      at = least;
    }
  }
}

function compare(a: Timer, b: Timer): number {
  return a.due - b.due || a.seq - b.seq;
}
