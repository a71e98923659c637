/** Names of the counters in the shared memory of `WaitCounts`, in order. */
const PLACES = ['worstMs', 'longestMs', 'calls', 'long'] as const;
/** Milliseconds above which a wait counts as long. */
export const LONG_MS = 100;

/** Counts how long probe calls waited for other calls. */
export class WaitCounts {
  /** Creates the counters. @param shared memory of counters in another thread */
  constructor(readonly shared = new Int32Array(new SharedArrayBuffer(4 * PLACES.length))) {}

  add(ms: number): void {
    Atomics.add(this.shared, PLACES.indexOf('calls'), 1);
    if (ms > LONG_MS) Atomics.add(this.shared, PLACES.indexOf('long'), 1);
    for (const place of ['worstMs', 'longestMs'] as const)
      if (ms > this.#at(place)) Atomics.store(this.shared, PLACES.indexOf(place), ms);
  }

  /** Returns the longest wait since the previous call, in milliseconds. */
  takeWorstMs(): number {
    return Atomics.exchange(this.shared, PLACES.indexOf('worstMs'), 0);
  }

  /** Totals: number of calls, number of waits longer than `LONG_MS`, and the longest wait in milliseconds. */
  get counts(): { readonly calls: number; readonly long: number; readonly longestMs: number } {
    return { calls: this.#at('calls'), long: this.#at('long'), longestMs: this.#at('longestMs') };
  }

  #at(place: (typeof PLACES)[number]): number {
    return Atomics.load(this.shared, PLACES.indexOf(place));
  }
}
