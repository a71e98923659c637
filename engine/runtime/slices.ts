import { closeBudget } from '../values/index.js';

/** What happens when work that is done in slices is over. */
interface Outcomes {
  /** All of it is done. What it throws is as if the work had thrown it. */
  readonly end?: () => void;
  /** The work threw: what it did is taken back. */
  readonly fail?: () => void;
}

/** Work that can be left between two steps and gone on with later. */
export class Slices<T> {
  #over = false;
  #value: T | undefined;
  #error: unknown;
  #failed = false;

  constructor(
    private readonly steps: Generator<void, T>,
    private readonly outcomes: Outcomes = {},
  ) {}

  /**
   * Goes on for a time.
   * @param ms Infinity: to the end
   * @returns whether it is over
   */
  run(ms: number): boolean {
    if (this.#over) return true;
    const began = performance.now();
    try {
      for (;;) {
        const { done, value } = this.steps.next();
        if (done === true) {
          this.#value = value;
          this.outcomes.end?.();
          return (this.#over = true);
        }
        if (ms === Infinity || performance.now() - began < ms) continue;
        // What is evaluated until it goes on is not part of it.
        closeBudget();
        return false;
      }
    } catch (error) {
      this.#failed = true;
      this.#error = error;
      this.outcomes.fail?.();
      return (this.#over = true);
    }
  }

  /** Goes on to the end, with others having their turn after each time. Never rejects. */
  async finish(ms: number): Promise<void> {
    do await new Promise(setImmediate);
    while (!this.run(ms));
  }

  /** What came of it: its value, or what it threw. */
  result(): T {
    if (this.#failed) throw this.#error;
    return this.#value as T;
  }
}
