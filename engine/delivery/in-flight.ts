/** Someone who waits for all that was in flight when they asked. */
interface Waiter {
  readonly upTo: number;
  left: number;
  readonly resolve: (ended: boolean) => void;
}

/** Counts what is in flight, so that one can wait for it without waiting for what begins later. */
export class InFlight {
  #last = 0;
  #open = 0;
  #waiters: Waiter[] = [];

  /** How much is in flight. */
  get count(): number {
    return this.#open;
  }

  get isNone(): boolean {
    return this.#open === 0;
  }

  /** Something begins; its number. */
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
   * Resolves once all that is in flight now has ended: true, or false when that takes longer.
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

  /** Forgets what has begun: nothing waits for its end any more. */
  clear(): void {
    this.#open = 0;
    for (const { resolve } of [...this.#waiters]) resolve(true);
    this.#waiters = [];
  }
}
