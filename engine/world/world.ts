import type { Json, JsonObject } from '../expression/index.js';
import { Collection, type CollectionConfig } from './collection.js';
import { Faults } from './faults.js';
import { Ledger } from './ledger.js';
import { Pins } from './pins.js';
import { RandomStream, seedOf, stableText } from './random.js';
import { Register } from './register.js';
import type { Row } from './rows.js';
import { type TimeFormat, writeInstant } from './time.js';
import { TimerQueue } from './timers.js';
import { Transaction } from './transaction.js';
import { Traces } from './traces.js';

/** The answer that a repeated idempotency key gets. */
export interface IdempotencyRecord {
  /** Id of the request that was answered. */
  readonly request: string | null;
  readonly fingerprint: string;
  readonly route: string;
  readonly status: number;
  readonly body: string;
  /** World time in milliseconds. */
  readonly at: number;
}

export interface WorldConfig {
  readonly collections: readonly CollectionConfig[];
  readonly timeFormat: TimeFormat;
  readonly seed: string;
  /** World time at the start, in milliseconds. */
  readonly t0: number;
  readonly ledgerLimit: number;
  readonly traceLimit: number;
}

/**
 * Everything that can be true at one time: objects, timers, clock, randomness, control data, and the ledger of how it came
 * about. Commands run one after another, each in a transaction that is committed or rolled back as a whole.
 */
export class World {
  readonly collections: readonly Collection[];
  readonly seedNumber: number;
  timers = new TimerQueue();
  ledger: Ledger;
  pins = new Pins('pins');
  faults = new Faults('faults');
  durations = new Register<number>('durations');
  idempotency = new Register<IdempotencyRecord>('idempotency');
  readonly traces: Traces;
  readonly random: RandomStream;
  /** Ids of requests and traces: apart from the world's randomness, so that reading changes nothing. */
  readonly requestStream: RandomStream;
  /** Counts commits; what is derived from the whole world can be kept until it changes. */
  version = 0;
  #t0: number;
  #nowMs = 0;
  #now: Json = null;
  #seq = 0;
  #collections: Collection[];
  readonly #watchers: ((nowMs: number) => void)[] = [];
  #open: { transaction: Transaction; random: number; seq: number } | null = null;

  constructor(readonly config: WorldConfig) {
    this.#collections = config.collections.map((each, index) => new Collection(index, each));
    this.collections = this.#collections;
    this.ledger = new Ledger(config.ledgerLimit);
    this.traces = new Traces(config.traceLimit);
    this.seedNumber = seedOf(config.seed);
    this.random = new RandomStream(this.seedNumber);
    this.requestStream = new RandomStream(seedOf(`${config.seed} requests`));
    this.#t0 = config.t0;
    this.#setNow(config.t0);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** World time in the pack's representation. */
  get now(): Json {
    return this.#now;
  }

  get t0(): number {
    return this.#t0;
  }

  /** A number that grows with every use; part of the state. */
  nextSeq(): number {
    return ++this.#seq;
  }

  /** Characters of base 62 that depend on the world's seed and the text only. */
  stableText(text: string, length: number): string {
    return stableText(this.seedNumber, text, length);
  }

  row(resource: number, id: string): Row | undefined {
    return this.#collections[resource].get(id);
  }

  /** Opens the transaction of a command. Commands never nest. */
  begin(): Transaction {
    if (this.#open !== null) throw new Error('a command is already running');
    const transaction = new Transaction(this.timers);
    this.#open = { transaction, random: this.random.position, seq: this.#seq };
    return transaction;
  }

  /** Keeps what the command changed, as one ledger entry; nothing changed: no entry. */
  commit(command: string): void {
    const open = this.#close();
    if (open.transaction.changes.length === 0) return;
    this.version++;
    this.ledger.append(this.#nowMs, command, open.transaction.changes);
  }

  /** Forgets what the command changed, drawn randomness included. */
  rollback(): void {
    const open = this.#close();
    open.transaction.rollback();
    this.random.position = open.random;
    this.#seq = open.seq;
    this.version++;
  }

  /** Moves the clock, never backwards. */
  moveTo(ms: number): void {
    if (ms <= this.#nowMs) return;
    this.#setNow(ms);
    this.version++;
    this.ledger.append(ms, 'clock', [{ op: 'clock', now: ms }]);
    for (const watcher of this.#watchers) watcher(ms);
  }

  /** Lets the world begin at another time, where its clock then stands: the way backwards that keeps what is there. */
  startAt(t0: number, nowMs = t0): void {
    this.#t0 = t0;
    if (nowMs === this.#nowMs) return;
    this.#setNow(nowMs);
    this.version++;
    this.ledger.append(nowMs, 'clock', [{ op: 'clock', now: nowMs }]);
  }

  /** Calls the watcher whenever the clock has moved forward. It must not change the world. */
  onMove(watcher: (nowMs: number) => void): void {
    this.#watchers.push(watcher);
  }

  /** O(1), whatever the world holds. Empties the world and rewinds the clock; the same calls give the same ids again. */
  reset(t0 = this.#t0, keep: { readonly durations?: boolean } = {}): void {
    this.#t0 = t0;
    for (let i = 0; i < this.#collections.length; i++)
      this.#collections[i] = new Collection(i, this.config.collections[i]);
    this.timers = new TimerQueue();
    this.ledger = new Ledger(this.config.ledgerLimit);
    this.pins = new Pins('pins');
    this.faults = new Faults('faults');
    if (!keep.durations) this.durations = new Register<number>('durations');
    this.idempotency = new Register<IdempotencyRecord>('idempotency');
    this.traces.clear();
    this.random.position = 0;
    this.requestStream.position = 0;
    this.#seq = 0;
    this.version++;
    this.#setNow(t0);
  }

  /** Objects of a collection, oldest first. */
  objects(resource: number): JsonObject[] {
    return this.#collections[resource]
      .ordered()
      .all()
      .map((row) => row.value);
  }

  #close(): { transaction: Transaction; random: number; seq: number } {
    if (this.#open === null) throw new Error('no command is running');
    const open = this.#open;
    this.#open = null;
    return open;
  }

  #setNow(ms: number): void {
    this.#nowMs = ms;
    this.#now = writeInstant(this.config.timeFormat, ms);
  }
}
