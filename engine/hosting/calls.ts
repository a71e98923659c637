import type { ServerResponse } from 'node:http';

/** The calls of a world: whether one is under way, and how long ago the last one ended. */
export class CallCounter {
  #open = 0;
  #last = performance.now();

  /** A call has come; it is over when its response is. */
  begin(res: ServerResponse): void {
    this.#open++;
    res.once('close', () => {
      this.#open--;
      this.touch();
    });
  }

  /** Somebody asked for the world without a call of its own. */
  touch(): void {
    this.#last = performance.now();
  }

  /**
   * Whether nobody has called for so long.
   * @param ms real time
   */
  isQuiet(ms: number): boolean {
    return this.#open === 0 && performance.now() - this.#last >= ms;
  }
}
