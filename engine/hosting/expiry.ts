/** Longest time of Node's timers, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Ends worlds when their lifetime is over, beyond the limit of Node's timers too. */
export class Expiry {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** @param nowMs real time in milliseconds */
  constructor(
    private readonly end: (id: string) => Promise<unknown>,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** Sets the end of a world's lifetime. @param expiresMs real time in milliseconds; null: never */
  set(id: string, expiresMs: number | null): void {
    this.clear(id);
    if (expiresMs === null) return;
    const isOver = (): void => {
      if (this.nowMs() < expiresMs) this.set(id, expiresMs);
      else void this.end(id).catch(() => undefined);
    };
    const timer = setTimeout(isOver, Math.min(Math.max(expiresMs - this.nowMs(), 0), MAX_TIMER_MS));
    timer.unref();
    this.#timers.set(id, timer);
  }

  clear(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Stops ending worlds. */
  close(): void {
    for (const id of this.#timers.keys()) this.clear(id);
  }
}
