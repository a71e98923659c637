/** The world: objects, clock, timers, randomness, control data and the ledger. Knows no pack. */
export { Collection, type CollectionConfig } from './collection.js';
export { type Fault, type FaultKind, Faults } from './faults.js';
export type { LedgerEntry, LoggedChange } from './ledger.js';
export { type Pin, Pins } from './pins.js';
export { RandomStream, seedOf, stableText } from './random.js';
export { Register } from './register.js';
export { before, OrderedRows, type Provenance, Row, timerOf } from './rows.js';
export { formatDuration, parseDuration, parseInstant, readInstant, type TimeFormat, writeInstant } from './time.js';
export type { Timer } from './timers.js';
export type { Trace, TraceOutcome, TraceSubject } from './traces.js';
export { Transaction } from './transaction.js';
export { type IdempotencyRecord, World, type WorldConfig } from './world.js';
