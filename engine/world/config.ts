import type { CollectionConfig } from './collection.js';
import type { WorldKeeper } from './journal.js';
import type { TimeFormat } from './time.js';

export interface WorldConfig {
  readonly collections: readonly CollectionConfig[];
  readonly timeFormat: TimeFormat;
  readonly seed: string;
  /** Simulated time at the start, in milliseconds. */
  readonly t0: number;
  /** Ledger entries that are kept at least; Infinity: all. */
  readonly ledgerLimit: number;
  readonly traceLimit: number;
  /** Number of the last entry of the world's previous life, after which this empty world continues. */
  readonly after?: number;
  readonly keeper?: WorldKeeper;
  /** The name of the pack in a company; absent: it is alone. */
  readonly pack?: string;
  /** The other packs of the same timeline. */
  readonly beside?: readonly MemberConfig[];
}

/** The part of the configuration that each pack of a company has. */
export interface MemberConfig extends Pick<WorldConfig, 'collections' | 'timeFormat' | 'seed'> {
  readonly pack: string;
}
