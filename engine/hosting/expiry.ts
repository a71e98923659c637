/** The longest that a timer of Node waits. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Ends worlds when their time is over, however far away that is. */
export class Expiry {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** @param nowMs real time in milliseconds */
  constructor(
    private readonly end: (id: string) => Promise<unknown>,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** @param expiresMs real time in milliseconds; null: it stays */
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

  /** From now on nothing ends by itself. */
  close(): void {
    for (const id of this.#timers.keys()) this.clear(id);
  }
}
