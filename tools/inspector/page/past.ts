import { get, shownMoment } from './api.js';
import { live } from './live.js';
import { Store } from './store.js';
import type { Instant, Marks } from './types.js';

/** The moment that the page shows, and its position on the slider. */
class Past extends Store {
  marks: Marks | null = null;
  /** Simulated time of the shown moment; null for the present. */
  time: Instant | null = null;
  /** Index of the moment among the slider's stops, needed since several calls may share a ledger entry. */
  stop: number | null = null;

  /** Ledger entry of the shown moment; null for the present. */
  get at(): number | null {
    return shownMoment.at;
  }

  look(at: number | null, time: Instant | null = null, stop: number | null = null): void {
    if (shownMoment.at === at && this.stop === stop) return;
    shownMoment.at = at;
    this.time = time;
    this.stop = stop;
    document.documentElement.toggleAttribute('data-past', at !== null);
    this.changed();
    live.askAgain();
  }

  async read(): Promise<void> {
    this.marks = await get<Marks>('/marks', { limit: 320 });
    this.changed();
  }
}

export const past = new Past();
