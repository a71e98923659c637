import type { Json } from '../values/index.js';
import type { Collection } from './collection.js';
import type { WorldConfig } from './config.js';
import type { Journal } from './journal.js';
import type { LedgerView } from './ledger.js';
import type { Positions } from './ledger-entry.js';
import type { RandomStream } from './random.js';
import type { Register } from './register.js';
import type { Tenants } from './tenants.js';
import type { Timeline } from './timeline.js';
import type { TimerQueue } from './timers.js';
import type { Traces } from './traces.js';

/** The parts of a world that copying and replaying need. */
export interface WorldState {
  readonly config: WorldConfig;
  readonly timeline: Timeline<WorldState>;
  readonly collections: readonly Collection[];
  readonly tenants: Tenants;
  readonly timers: TimerQueue;
  readonly registers: readonly Register<unknown>[];
  readonly ledger: LedgerView;
  readonly journal: Journal;
  readonly traces: Traces;
  readonly requestStream: RandomStream;
  /** Numbers of the entries whose moments have names, by name. */
  readonly moments: Map<string, number>;
  readonly version: number;
  /** The current simulated time, in milliseconds. */
  readonly nowMs: number;
  readonly t0: number;
  readonly positions: Positions;
  readonly remarks: () => Json;
  emptyAll(t0: number, keep: readonly string[]): void;
  setNow(ms: number): void;
  moveStreams(to: Positions): void;
}
