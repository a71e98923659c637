import { get, shownMoment } from './api.js';
import { live } from './live.js';
import { Store } from './store.js';
import type { Instant, Marks } from './types.js';

/** Which moment the whole page shows, and the history in which it is. */
class Past extends Store {
  marks: Marks | null = null;
  /** Simulated time of the moment that is shown. */
  time: Instant | null = null;
  /** Its place among the stops of the slider: several calls may share an entry. */
  stop: number | null = null;

  /** The ledger entry after which the world is shown; null: now. */
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
