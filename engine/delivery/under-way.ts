/** Someone who waits for all that was under way when they asked. */
interface Waiter {
  readonly upTo: number;
  left: number;
  readonly resolve: () => void;
}

/** Counts what is under way, so that one can wait for it without waiting for what begins later. */
export class UnderWay {
  #last = 0;
  #open = 0;
  #waiters: Waiter[] = [];

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
    for (const waiter of this.#waiters) if (number <= waiter.upTo && --waiter.left === 0) waiter.resolve();
    this.#waiters = this.#waiters.filter(({ left }) => left > 0);
  }

  /** Resolves once all that is under way now has ended. */
  ended(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ upTo: this.#last, left: this.#open, resolve }));
  }

  /** Nothing that has begun will be told to end: nobody waits for it any more. */
  clear(): void {
    this.#open = 0;
    for (const { resolve } of this.#waiters) resolve();
    this.#waiters = [];
  }
}
