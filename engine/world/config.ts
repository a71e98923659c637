import type { CollectionConfig } from './collection.js';
import type { WorldKeeper } from './journal.js';
import type { TimeFormat } from './time.js';

export interface WorldConfig {
  readonly collections: readonly CollectionConfig[];
  readonly timeFormat: TimeFormat;
  readonly seed: string;
  /** Simulated time at the start, in milliseconds. */
  readonly t0: number;
  /** Newest ledger entries that are kept; Infinity: all. */
  readonly ledgerLimit: number;
  readonly traceLimit: number;
  /** Number of the last entry of the world's earlier life, which this one continues from with nothing. */
  readonly after?: number;
  readonly keeper?: WorldKeeper;
  /** Its name in a company; absent: it is alone. */
  readonly pack?: string;
  /** Further packs of the same timeline. */
  readonly beside?: readonly MemberConfig[];
}

/** What one pack of a company has of its own. */
export interface MemberConfig extends Pick<WorldConfig, 'collections' | 'timeFormat' | 'seed'> {
  readonly pack: string;
}
