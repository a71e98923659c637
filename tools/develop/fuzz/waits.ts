/** Names of the integers in the shared memory of `WaitCounts`, by index: how long the calls of a thread waited, and how many. */
const PLACES = ['worstMs', 'longestMs', 'calls', 'long'] as const;
/** Milliseconds that no call should wait for others. */
export const LONG_MS = 100;

/** How long a call that does nothing waited for other calls. */
export class WaitCounts {
  /** @param shared the memory of another thread's */
  constructor(readonly shared = new Int32Array(new SharedArrayBuffer(4 * PLACES.length))) {}

  add(ms: number): void {
    Atomics.add(this.shared, PLACES.indexOf('calls'), 1);
    if (ms > LONG_MS) Atomics.add(this.shared, PLACES.indexOf('long'), 1);
    for (const place of ['worstMs', 'longestMs'] as const)
      if (ms > this.#at(place)) Atomics.store(this.shared, PLACES.indexOf(place), ms);
  }

  /** The longest wait since this was asked last, in milliseconds. */
  takeWorstMs(): number {
    return Atomics.exchange(this.shared, PLACES.indexOf('worstMs'), 0);
  }

  /** Of all calls: how many there were, how many waited longer than `LONG_MS`, and the longest wait in milliseconds. */
  get counts(): { readonly calls: number; readonly long: number; readonly longestMs: number } {
    return { calls: this.#at('calls'), long: this.#at('long'), longestMs: this.#at('longestMs') };
  }

  #at(place: (typeof PLACES)[number]): number {
    return Atomics.load(this.shared, PLACES.indexOf(place));
  }
}
