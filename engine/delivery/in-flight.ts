/** A caller that waits for all work that was in flight when it asked. */
interface Waiter {
  readonly upTo: number;
  left: number;
  readonly resolve: (ended: boolean) => void;
}

/** Counts work in flight, so that callers can wait for it without waiting for later work. */
export class InFlight {
  #last = 0;
  #open = 0;
  #waiters: Waiter[] = [];

  /** Number of items in flight. */
  get count(): number {
    return this.#open;
  }

  get isNone(): boolean {
    return this.#open === 0;
  }

  /** Starts an item; returns its number. */
  begin(): number {
    this.#open++;
    return ++this.#last;
  }

  end(number: number): void {
    this.#open--;
    if (this.#waiters.length === 0) return;
    for (const waiter of this.#waiters) if (number <= waiter.upTo && --waiter.left === 0) waiter.resolve(true);
    this.#waiters = this.#waiters.filter(({ left }) => left > 0);
  }

  /**
   * Resolves with true once all current items have ended, or with false after the time limit.
   * @param mostMs longest wait in milliseconds
   */
  ended(mostMs: number): Promise<boolean> {
    if (this.#open === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (ended: boolean): void => {
        clearTimeout(timer);
        this.#waiters = this.#waiters.filter((each) => each !== waiter);
        resolve(ended);
      };
      const waiter: Waiter = { upTo: this.#last, left: this.#open, resolve: settle };
      const timer = setTimeout(() => settle(false), Math.max(0, mostMs));
      this.#waiters.push(waiter);
    });
  }

  /** Drops all items; callers that wait for their end continue. */
  clear(): void {
    this.#open = 0;
    for (const { resolve } of [...this.#waiters]) resolve(true);
    this.#waiters = [];
  }
}
