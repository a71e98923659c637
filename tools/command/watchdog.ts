import type { ActivityBoard } from '../../engine/runtime/activity.js';
import { LIMITS } from '../../engine/limits.js';

/** Milliseconds between two checks. */
const LOOK_INTERVAL_MS = 200;

/** Watches a thread from another one: reports if one task blocks it, and when that is over. */
export class Watchdog {
  readonly #ticker: NodeJS.Timeout;
  #beats = -1;
  #sinceMs = upMs();
  #reported = false;

  /** Starts checking a thread. @param report called with a line about each stall */
  constructor(
    private readonly board: ActivityBoard,
    private readonly report: (line: string) => void,
    private readonly stallMs = LIMITS.stall.value,
  ) {
    this.#ticker = setInterval(() => this.look(), LOOK_INTERVAL_MS);
    this.#ticker.unref();
  }

  close(): void {
    clearInterval(this.#ticker);
  }

  /**
   * Checks for a stall since the previous check. Called by a timer, and by tests with a time of their own.
   * @param nowMs milliseconds since the process started
   */
  look(nowMs = upMs()): void {
    const { beats } = this.board;
    const stalled = nowMs - this.#sinceMs;
    if (beats !== this.#beats) {
      if (this.#reported) this.report(`stall over after ${seconds(stalled)}`);
      this.#beats = beats;
      this.#sinceMs = nowMs;
      this.#reported = false;
    } else if (stalled >= this.stallMs && this.board.last !== '' && !this.#reported) {
      this.#reported = true;
      this.report(
        `stalled for ${seconds(stalled)}: nothing else gets a turn; the last that began was ${this.board.last}`,
      );
    }
  }
}

/** Milliseconds since the process started. Without `performance`, whose module takes 3 ms to load. */
function upMs(): number {
  return process.uptime() * 1000;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
