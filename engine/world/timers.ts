import type { Row } from './rows.js';

/** A delayed trigger of an object's machine. */
export interface Timer {
  readonly row: Row;
  readonly trigger: string;
  /** Simulated time in milliseconds. */
  readonly due: number;
  readonly seq: number;
  alive: boolean;
}

/**
 * Timers in (due, creation) order: a binary heap with lazy removal. Arming and taking are O(log n), cancelling O(1); each
 * object holds the few that are its own.
 */
export class TimerQueue {
  #heap: Timer[] = [];
  #dead = 0;
  #size = 0;
  /** What it is to hold as soon as somebody asks. */
  #late: { readonly standing: readonly Timer[]; readonly rowOf: (row: Row) => Row } | null = null;

  get size(): number {
    return this.#size;
  }

  add(timer: Timer): void {
    if (this.#late !== null) this.copy();
    timer.alive = true;
    timer.row.timers = [...timer.row.timers, timer];
    this.#size++;
    this.#heap.push(timer);
    this.#up(this.#heap.length - 1);
  }

  remove(timer: Timer): void {
    if (!timer.alive) return;
    timer.alive = false;
    timer.row.timers = timer.row.timers.filter((each) => each !== timer);
    this.#size--;
    if (++this.#dead > 64 && this.#dead * 2 > this.#heap.length) this.#compact();
  }

  /** The next timer that is due at or before the given time; it stays in the queue. */
  next(until: number): Timer | undefined {
    if (this.#late !== null) this.copy();
    while (this.#heap.length > 0) {
      const [top] = this.#heap;
      if (top.alive) return top.due <= until ? top : undefined;
      this.#dead--;
      this.#take();
    }
    return undefined;
  }

  /** The armed timers, in no order, perhaps more than once. O(timers). */
  standing(): readonly Timer[] {
    return this.#late?.standing ?? this.#heap.filter(({ alive }) => alive);
  }

  /**
   * Becomes a copy, while it is empty, when somebody asks for a timer.
   * @param rowOf the row of the copy
   */
  copyLater(standing: readonly Timer[], rowOf: (row: Row) => Row): void {
    this.#size = new Set(standing).size;
    if (this.#size > 0) this.#late = { standing, rowOf };
  }

  /** Makes the copy, if it was not made yet. */
  copy(): void {
    if (this.#late === null) return;
    const { standing, rowOf } = this.#late;
    this.#late = null;
    const armed = [...new Set(standing)].map((timer) => ({ ...timer, row: rowOf(timer.row), alive: true }));
    for (const timer of armed.sort((a, b) => a.seq - b.seq)) timer.row.timers = [...timer.row.timers, timer];
    this.#heap = armed.sort(compare);
  }

  /** Every armed timer, in the order in which they fire. */
  list(): Timer[] {
    if (this.#late !== null) this.copy();
    return [...new Set(this.#heap)].filter((timer) => timer.alive).sort(compare);
  }

  #compact(): void {
    this.#heap = this.list();
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
