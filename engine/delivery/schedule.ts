/** An item that becomes due at a simulated time (ms). */
interface WaitingAttempt<T> {
  readonly dueMs: number;
  readonly item: T;
}

/** Items waiting for the world's clock, by (due, order of adding). */
export class Retries<T> {
  #waiting: WaitingAttempt<T>[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  /** Adds an item, sorted by its due time; cheap if it is due after all others, as is usual. */
  add(item: T, dueMs: number): void {
    let low = 0;
    let high = this.#waiting.length;
    if (high > 0 && this.#waiting[high - 1].dueMs <= dueMs) low = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#waiting[middle].dueMs <= dueMs) low = middle + 1;
      else high = middle;
    }
    this.#waiting.splice(low, 0, { dueMs, item });
  }

  /** Removes and returns the items that are due at a time, the earliest first. */
  take(untilMs: number): T[] {
    const count = this.#waiting.findIndex(({ dueMs }) => dueMs > untilMs);
    return this.#waiting.splice(0, count < 0 ? this.#waiting.length : count).map(({ item }) => item);
  }

  /** Removes one item. */
  remove(item: T): void {
    const at = this.#waiting.findIndex((each) => each.item === item);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  clear(): void {
    this.#waiting = [];
  }
}
