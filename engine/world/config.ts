import type { CollectionConfig } from './collection.js';
import type { WorldKeeper } from './journal.js';
import type { TimeFormat } from './time.js';

export interface WorldConfig {
  readonly collections: readonly CollectionConfig[];
  readonly timeFormat: TimeFormat;
  readonly seed: string;
  /** Simulated time at which the world starts, in milliseconds. */
  readonly t0: number;
  /** Minimum number of ledger entries to keep; Infinity: all. */
  readonly ledgerLimit: number;
  readonly traceLimit: number;
  /** Number of the ledger entry after which this empty world continues counting, if it replaces an earlier one. */
  readonly after?: number;
  readonly keeper?: WorldKeeper;
  /** Name of the pack in its company; absent: no company. */
  readonly pack?: string;
  /** The other packs of the company, which share the timeline. */
  readonly beside?: readonly MemberConfig[];
}

/** The configuration of one pack in a company. */
export interface MemberConfig extends Pick<WorldConfig, 'collections' | 'timeFormat' | 'seed'> {
  readonly pack: string;
}
