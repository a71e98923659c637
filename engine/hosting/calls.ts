import type { ServerResponse } from 'node:http';

/** Real time as idling reads it. */
export interface IdleClock {
  /** Milliseconds since some instant; never less than before. */
  readonly nowMs: number;
  /**
   * Calls again and again, and never keeps the process alive.
   * @returns ends that
   */
  every(ms: number, look: () => void): () => void;
}

/** The clock of the process. */
export const processClock: IdleClock = {
  get nowMs() {
    return performance.now();
  },
  every: (ms, look) => {
    const timer = setInterval(look, ms).unref();
    return () => clearInterval(timer);
  },
};

/** The calls of a world: whether one is in flight, and how long ago the last one ended. */
export class CallCounter {
  #open = 0;
  #last: number;

  constructor(private readonly clock: IdleClock = processClock) {
    this.#last = clock.nowMs;
  }

  /** A call has come; it is over when its response is. */
  begin(res: ServerResponse): void {
    this.#open++;
    res.once('close', () => {
      this.#open--;
      this.touch();
    });
  }

  /** The world was used without a call of its own. */
  touch(): void {
    this.#last = this.clock.nowMs;
  }

  /** Milliseconds of real time since the last call; 0 while there is one. */
  get unusedMs(): number {
    return this.#open === 0 ? this.clock.nowMs - this.#last : 0;
  }

  /**
   * Whether no calls came for so long.
   * @param ms real time
   */
  isQuiet(ms: number): boolean {
    return this.#open === 0 && this.unusedMs >= ms;
  }
}
