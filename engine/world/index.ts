/** The world: objects, clock, timers, randomness, control data and the ledger. Independent of packs. */
export { Collection, type CollectionConfig } from './collection.js';
export { isHit, turnsOf } from './chance.js';
export { type DeliveryFault, type DeliveryFaultKind } from './delivery-faults.js';
export { EVERY, type Fault, type FaultResponse, type FaultKind, Faults } from './faults.js';
export { foldLedger, type Folding, BeyondLedger, Past } from './past.js';
export { type Fork, forkWorld } from './fork.js';
export { checkpointOf, wholeOf } from './image.js';
export {
  type AttemptRecord,
  type Checkpoint,
  type JournalRecord,
  recordsOfDeliveries,
  type StoredRecord,
  type StoredWorld,
  type WorldListener,
  type WorldKeeper,
} from './journal.js';
export {
  type CommandInfo,
  LEDGER_FORMAT,
  type LedgerHeader,
  type EntryOrigin,
  type Positions,
  type StoredChange,
  type StoredEntry,
} from './ledger-entry.js';
export { type Pin, type Pinned, Pins } from './pins.js';
export { countedAt, type RateCount, type RateRule, type RateStanding, standingAt } from './rate.js';
export { RandomStream, seedOf, stableShare, stableText } from './random.js';
export { Register } from './register.js';
export type { Layout } from './difference.js';
export { timersByNumber } from './replay.js';
export { lineName, ownerOf } from './lines.js';
export {
  before,
  type HeldValue,
  type LateForm,
  LateRow,
  OrderedRows,
  type Provenance,
  Row,
  writtenOf,
  Timer,
} from './rows.js';
export {
  exactInstant,
  formatDuration,
  parseDuration,
  parseInstant,
  readInstant,
  type TimeFormat,
  writeInstant,
} from './time.js';
export type { Tombstone } from './standing.js';
export {
  HeldSubject,
  type IneffectivePin,
  type KeptCall,
  type Trace,
  type TraceOutcome,
  type TraceSubject,
  type UnsupportedKind,
  type UnsupportedUse,
} from './traces.js';
export { Transaction } from './transaction.js';
export type { MemberConfig, WorldConfig } from './config.js';
export type { IdempotencyRecord, RetentionKind } from './control-data.js';
export { World } from './world.js';
