import type { ServerResponse } from 'node:http';

/** Real time, by which idle worlds are found. */
export interface IdleClock {
  /** Milliseconds since some instant; monotonic. */
  readonly nowMs: number;
  /** Calls a function at an interval, without keeping the process alive. @returns a function that stops it */
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

  /** Counts a call until its response is over. */
  begin(res: ServerResponse): void {
    this.#open++;
    res.once('close', () => {
      this.#open--;
      this.touch();
    });
  }

  /** Counts a use of the world other than a call. */
  touch(): void {
    this.#last = this.clock.nowMs;
  }

  /** Milliseconds of real time since the last call; 0 during one. */
  get unusedMs(): number {
    return this.#open === 0 ? this.clock.nowMs - this.#last : 0;
  }

  /** Whether there were no calls for some time. @param ms real time */
  isQuiet(ms: number): boolean {
    return this.#open === 0 && this.unusedMs >= ms;
  }
}
