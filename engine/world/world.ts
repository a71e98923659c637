import { closeBudget, type Json, type JsonObject, openBudget } from '../values/index.js';
import { Collection, type CollectionConfig } from './collection.js';
import { Faults } from './faults.js';
import { checkpointOf, imageOf, lateImageOf, wholeOf } from './image.js';
import { Journal, type JournalRecord, type StoredRecord, type WorldListener, type WorldKeeper } from './journal.js';
import {
  type CommandInfo,
  LateEntry,
  Ledger,
  NEVER,
  type Positions,
  type StoredChange,
  type StoredEntry,
  unpacked,
} from './ledger.js';
import { Pins } from './pins.js';
import { DeliveryFaults } from './delivery-faults.js';
import { RandomStream, seedOf, stableShare, stableText } from './random.js';
import type { RateCount } from './rate.js';
import { Register } from './register.js';
import { Row } from './rows.js';
import { type TimeFormat, writeInstant } from './time.js';
import { Tenants } from './tenants.js';
import { type Timer, TimerQueue } from './timers.js';
import { type TakenBack, takeBack, Transaction } from './transaction.js';
import { Traces } from './traces.js';

/** The response that a repeated idempotency key gets. */
export interface IdempotencyRecord {
  /** Id of the request that was answered. */
  readonly request: string | null;
  readonly fingerprint: string;
  readonly route: string;
  readonly status: number;
  readonly body: string;
  /** What the body is, where that is not the usual JSON. */
  readonly content?: { readonly type: string; readonly binary: boolean };
  /** Simulated time in milliseconds. */
  readonly at: number;
}

export interface WorldConfig {
  readonly collections: readonly CollectionConfig[];
  readonly timeFormat: TimeFormat;
  readonly seed: string;
  /** Simulated time at the start, in milliseconds. */
  readonly t0: number;
  /** Newest ledger entries that are kept; Infinity: all. */
  readonly ledgerLimit: number;
  readonly traceLimit: number;
  /** Number of the last entry of the world's earlier life, which this one goes on from with nothing. */
  readonly after?: number;
  readonly keeper?: WorldKeeper;
}

/**
 * What leads back over an entry: what takes it back, or the number of the entry whose moment it made the present again. Null: a
 * fold alone leads there.
 */
type Way = TakenBack | number | null;

/** Of so many newest entries the way back is kept. */
const REACH = 4_096;

const NOTHING_TO_UNDO: TakenBack = [];

/** The clock moved by itself, so to speak. */
const CLOCK: CommandInfo = { command: 'clock', origin: 'clock' };
/** What a reset may leave as it is. */
export type RetentionKind = 'durations';

/** A command that is running, and where the streams stood before it. */
interface Open {
  readonly transaction: Transaction;
  readonly random: number;
  readonly outside: number;
  readonly seq: number;
  /** What it changed, and the same as JSON, if that was written before it is committed. */
  stored?: StoredChange[];
  texts?: string[];
}

/**
 * Everything that can be true at one time: objects, timers, clock, randomness, control data, and the ledger of how it came
 * about. Commands run one after another, each in a transaction that is committed or rolled back as a whole.
 */
export class World {
  /** What belongs to no tenant. */
  readonly collections: readonly Collection[];
  /** What belongs to its tenants. */
  tenants: Tenants;
  readonly seedNumber: number;
  timers = new TimerQueue();
  readonly ledger: Ledger;
  pins: Pins;
  faults = new Faults('faults');
  deliveryFaults = new DeliveryFaults('delivery_faults');
  /** Waits in milliseconds that a test decided; Infinity: it never ends. */
  durations = new Register<number>('durations');
  idempotency = new Register<IdempotencyRecord>('idempotency');
  /** Where the clocks of time owners stand, in milliseconds. */
  clocks = new Register<number>('clocks');
  /** The last number of each sequence, also where its object is gone. */
  sequences = new Register<number>('sequences');
  /** What is remembered of calls that limits count. */
  rates = new Register<RateCount>('rate_limits');
  readonly traces: Traces;
  readonly random: RandomStream;
  /** Ids of requests and traces: apart from the world's randomness, so that reading changes nothing. */
  readonly requestStream: RandomStream;
  /** Ids of what follows from outside: apart, so that what became of a delivery does not decide the ids of anything else. */
  readonly outsideStream: RandomStream;
  readonly keeper: WorldKeeper | undefined;
  readonly journal = new Journal();
  /** Numbers of entries whose moments were named. */
  readonly moments = new Map<string, number>();
  /** What a checkpoint tells besides, for those who know more of the world than it does. */
  remarks: () => Json = () => null;
  /** Finishes the command that was left half done; null: there is none. */
  unfinished: (() => void) | null = null;
  /** Counts commits; what is derived from the whole world can be kept until it changes. */
  version = 0;
  /** Counts resets and rewinds. */
  epoch = 0;
  #t0: number;
  #nowMs = 0;
  #now: Json = null;
  #seq = 0;
  #collections: Collection[];
  readonly #watchers: ((nowMs: number) => void)[] = [];
  readonly #listeners = new Set<WorldListener>();
  readonly #names: readonly string[];
  /** A reset that the next entry begins with. */
  #emptied: StoredChange | null = null;
  #open: Open | null = null;
  /** By the numbers of their entries. */
  readonly #ways: Way[] = [];

  constructor(readonly config: WorldConfig) {
    this.#collections = config.collections.map((each, index) => new Collection(index, each));
    this.collections = this.#collections;
    this.tenants = new Tenants(config.collections, this.#collections);
    this.#names = config.collections.map(({ name }) => name);
    this.pins = new Pins(this.#names);
    this.ledger = new Ledger(config.ledgerLimit, config.after);
    this.traces = new Traces(config.traceLimit);
    this.seedNumber = seedOf(config.seed);
    this.random = new RandomStream(this.seedNumber);
    this.requestStream = new RandomStream(seedOf(`${config.seed} requests`));
    this.outsideStream = new RandomStream(seedOf(`${config.seed} outside`));
    this.keeper = config.keeper;
    this.#t0 = config.t0;
    this.#setNow(config.t0);
    if (config.after !== undefined) this.#emptied = { op: 'reset', t0: config.t0, keep: [], renewed: true };
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Simulated time in the pack's representation. */
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

  /** A number from 0 to 1, 1 not included, that depends on the world's seed and the text only. */
  stableShare(text: string): number {
    return stableShare(this.seedNumber, text);
  }

  /** An object of no tenant. */
  row(resource: number, id: string): Row | undefined {
    return this.#collections[resource].get(id);
  }

  /** The collection that an object is in, or was. */
  collectionOf({ tenant, resource }: Row): Collection {
    return this.tenants.collection(tenant, resource);
  }

  /** Finishes a command that was left between two slices: whatever cannot wait for it comes after it. */
  settle(): void {
    const { unfinished } = this;
    this.unfinished = null;
    unfinished?.();
  }

  /** Opens the transaction of a command. Commands never nest. */
  begin(): Transaction {
    if (this.unfinished !== null) this.settle();
    if (this.#open !== null) throw new Error('a command is already running');
    openBudget();
    const transaction = new Transaction(this.timers);
    this.#open = {
      transaction,
      random: this.random.position,
      outside: this.outsideStream.position,
      seq: this.#seq,
    };
    return transaction;
  }

  /**
   * Keeps what the command changed, as one ledger entry; nothing changed: no entry, and nothing was drawn.
   * @param info who and why; as a function where most commands change nothing
   */
  commit(info: CommandInfo | (() => CommandInfo)): void {
    const open = this.#close();
    if (open.transaction.isEmpty) {
      this.#rewind(open);
      if (this.#emptied === null) return;
    }
    const facts = typeof info === 'function' ? info() : info;
    if (open.stored !== undefined || this.#emptied !== null)
      this.#append(facts, open.stored ?? this.#storedOf(open.transaction), open.texts, open.transaction);
    else {
      const entry = this.#entryOf(facts);
      const packed = open.transaction.packed(entry.n);
      this.#add(new LateEntry(entry, packed, this.#names), packed.length / 3, undefined, open.transaction);
    }
  }

  /**
   * Writes down what the command has changed, before it is committed: a large one gives way in between. Nothing may change
   * after that.
   */
  *preparing(): Generator<void> {
    const open = this.#open;
    if (open === null) throw new Error('no command is running');
    open.stored = this.#storedOf(open.transaction);
    if (this.keeper?.takesTexts !== true) return;
    const texts: string[] = [];
    for (const change of open.stored) {
      texts.push(JSON.stringify(change));
      yield;
    }
    open.texts = texts;
  }

  /** Forgets what the command changed, drawn randomness included. */
  rollback(): void {
    const open = this.#close();
    open.transaction.rollback();
    this.#rewind(open);
    this.version++;
  }

  /** Advances the clock, never backwards. */
  moveTo(ms: number, info = CLOCK): void {
    this.settle();
    if (ms <= this.#nowMs) return;
    this.#setNow(ms);
    this.#append(info, [{ op: 'clock', now: ms }], undefined, NOTHING_TO_UNDO);
    for (const watcher of this.#watchers) watcher(ms);
  }

  /** Lets the world begin at another time, where its clock then stands: the way backwards that keeps what is there. */
  startAt(t0: number, nowMs = t0, info = CLOCK): void {
    this.settle();
    if (t0 === this.#t0 && nowMs === this.#nowMs) return;
    const before = this.#t0;
    this.#t0 = t0;
    this.#setNow(nowMs);
    this.#append(info, [{ op: 'clock', now: nowMs, t0 }], undefined, [4, () => void (this.#t0 = before), undefined]);
  }

  /** As `startAt`, as a part of the command that is running. */
  beginAt(transaction: Transaction, t0: number): void {
    const [before, nowMs] = [this.#t0, this.#nowMs];
    this.#setNow(t0);
    this.#t0 = t0;
    transaction.beginAt(t0, () => {
      this.#t0 = before;
      this.#setNow(nowMs);
    });
  }

  /** What became of deliveries is part of some responses, though not of the ledger: those that were kept are no longer valid. */
  outsideChanged(): void {
    this.version++;
  }

  /** Calls the watcher whenever the clock has moved forward. It must not change the world. */
  onMove(watcher: (nowMs: number) => void): void {
    this.#watchers.push(watcher);
  }

  /**
   * Lets somebody look on until they have seen enough. Nobody looking costs nothing.
   * @returns ends it
   */
  subscribe(listener: WorldListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether somebody looks on. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /**
   * O(1), whatever the world holds. Empties the world and rewinds the clock; the same calls give the same ids again. The
   * ledger goes on: the next command's entry begins with the reset, so that whatever every empty world holds is part of it.
   */
  reset(t0 = this.#t0, keep: readonly RetentionKind[] = []): void {
    this.settle();
    this.#empty(t0, keep);
    this.#emptied = { op: 'reset', t0, keep };
    this.record({ kind: 'reset' }, this.ledger.count + 1);
  }

  /**
   * Makes another moment of this world the present, as an entry of its own: numbers of entries and the names of moments go on.
   * @param past the world at that moment
   * @param journal what the outside had done until then
   */
  rewind(past: World, journal: readonly JournalRecord[], info: CommandInfo): void {
    this.settle();
    if (this.#open !== null) throw new Error('a command is running');
    const changes = imageOf(past);
    const after = past.positions;
    this.record({ kind: 'reset' }, this.ledger.count + 1);
    const timers = new Map<number, Timer>();
    for (const change of changes) this.#apply(change, timers);
    this.#moveStreams(after);
    this.#emptied = null;
    this.#append(info, changes);
    for (const record of journal) this.record(record);
    this.#recall(journal);
  }

  /** What is to be taken back, newest first, so that the moment after an entry is there again; null: another way is needed. */
  #wayBack(n: number): TakenBack[] | null {
    const way: TakenBack[] = [];
    const { count } = this.ledger;
    for (let at = count; at !== n;) {
      if (at < n || count - at >= REACH) return null;
      const each = this.#ways[at % REACH];
      if (each == null) return null;
      if (typeof each === 'number') at = each;
      else {
        way.push(each);
        at--;
      }
    }
    return way;
  }

  /**
   * As `rewind`, but what came since is taken back: O(distance), and a reference to each object.
   * @param last what leads to the moment: an entry, or a checkpoint
   * @returns false: that is not possible, and nothing was done
   */
  stepBack({ n, at: nowMs, after }: StoredEntry, journal: readonly JournalRecord[], info: CommandInfo): boolean {
    this.settle();
    if (this.#open !== null) throw new Error('a command is running');
    const way = this.#emptied === null ? this.#wayBack(n) : null;
    if (way === null) return false;
    this.record({ kind: 'reset' }, this.ledger.count + 1);
    for (const each of way) takeBack(each, this);
    this.traces.clear();
    this.epoch++;
    this.#setNow(nowMs);
    this.#moveStreams(after);
    this.version++;
    const { command, origin, request = null, trace = null, args = null } = info;
    const { changes, size } = lateImageOf(this);
    const positions = this.positions;
    const entry: StoredEntry = {
      n: this.ledger.count + 1,
      at: nowMs,
      command,
      origin,
      request,
      trace,
      args,
      after: positions,
      get changes() {
        return changes();
      },
    };
    this.ledger.add(entry, size);
    this.#ways[entry.n % REACH] = n;
    this.keeper?.entry(entry, undefined);
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener.entry(entry);
    this.#checkpointIfDue();
    this.#reportCheckpoint();
    for (const record of journal) this.record(record);
    this.#recall(journal);
    return true;
  }

  /** Notes what the outside did. */
  record(record: JournalRecord, after = this.ledger.count): void {
    if (record.kind !== 'trace') this.journal.add(record, after);
    this.keeper?.record(record, after);
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener.record(record);
  }

  /** Names the moment after an entry, or (null) takes the name back. A named moment stays known, however old it gets. */
  nameMoment(name: string, past: World | null): void {
    const before = this.moments.get(name);
    this.moments.delete(name);
    if (before !== undefined && ![...this.moments.values()].includes(before)) this.ledger.unpin(before);
    if (past !== null) {
      this.ledger.pin(checkpointOf(past));
      this.moments.set(name, past.ledger.count);
    }
    this.record({ kind: 'moment', name, entry: past?.ledger.count ?? null });
    this.#reportCheckpoint();
  }

  /**
   * Applies an entry that was kept, as `foldLedger` does.
   * @param timers those that the entries so far have armed, by their numbers; undefined: the entry is history only
   */
  replay(entry: StoredEntry, timers: Map<number, Timer> | undefined): void {
    this.version++;
    this.#ways[entry.n % REACH] = null;
    if (timers === undefined) {
      this.ledger.addHistory(entry);
      return;
    }
    this.ledger.add(entry);
    this.#replay(entry, timers);
    this.#checkpointIfDue();
  }

  /** Begins with a checkpoint that was kept. */
  replayFrom(base: StoredEntry, timers: Map<number, Timer>): void {
    this.ledger.begin(base);
    this.#replay(base, timers);
  }

  #replay({ changes, after }: StoredEntry, timers: Map<number, Timer>): void {
    for (const change of changes) this.#apply(change, timers);
    this.#moveStreams(after);
  }

  /** Takes back what a journal tells of calls: their traces, and how far the stream of requests has got. */
  restore(journal: readonly StoredRecord[], moments: readonly StoredEntry[] = []): void {
    const { count } = this.ledger;
    for (const { after = count, ...record } of journal) if (record.kind !== 'trace') this.journal.add(record, after);
    this.#recall(journal);
    const named = new Set(this.moments.values());
    for (const moment of moments) if (named.has(moment.n)) this.ledger.pin(moment);
  }

  #recall(journal: readonly JournalRecord[]): void {
    let requests = 0;
    for (const record of journal) {
      if (record.kind === 'moment') {
        if (record.entry === null) this.moments.delete(record.name);
        else this.moments.set(record.name, record.entry);
      } else if (record.kind === 'reset') {
        this.traces.clear();
        requests = 0;
      } else if (record.kind === 'trace') {
        this.traces.add(record.trace);
        ({ requests } = record);
      }
    }
    this.requestStream.position = Math.max(this.requestStream.position, requests);
  }

  /** Goes on from the positions of another world, whose objects this one takes over. */
  continueStreams({ random, requestStream, outsideStream }: World): void {
    this.random.position = random.position;
    this.requestStream.position = requestStream.position;
    this.outsideStream.position = outsideStream.position;
  }

  #apply(change: StoredChange, timers: Map<number, Timer>): void {
    switch (change.op) {
      case 'put':
        return this.#put(change);
      case 'delete': {
        const collection = this.#collection(change);
        const row = collection.get(change.id);
        if (row) collection.remove(row);
        return;
      }
      case 'arm': {
        const { collection, id, trigger, due, seq, line = null } = change;
        const row = this.#collection(change).get(id);
        if (!row) throw new Error(`the ledger sets a timer of ${collection} ${id}, which is not there`);
        const timer: Timer = { row, trigger, due, seq, line, alive: true };
        timers.set(seq, timer);
        this.timers.add(timer);
        return;
      }
      case 'disarm': {
        const timer = timers.get(change.seq);
        if (timer) this.timers.remove(timer);
        timers.delete(change.seq);
        return;
      }
      case 'set':
        return this.#set(change.register, change.key, change.value);
      case 'clock':
        this.#t0 = change.t0 ?? this.#t0;
        return this.#setNow(change.now);
      case 'reset':
        timers.clear();
        return this.#empty(change.t0, change.keep);
    }
  }

  #put(change: Extract<StoredChange, { op: 'put' }>): void {
    const { id, seq, value, from } = change;
    const collection = this.#collection(change);
    let row = collection.get(id);
    if (row?.seq === seq) collection.replace(row, value);
    else {
      row = new Row(collection.resource, id, seq, collection.orderOf(value), value, collection.tenant);
      collection.insert(row);
    }
    row.provenance = from ?? null;
  }

  #set(name: string, key: string, value: unknown): void {
    const register = this.registers.find((each) => each.name === name);
    if (!register) throw new Error(`the ledger writes to '${name}', which no world has`);
    register.write(key, value === NEVER ? Infinity : (value ?? undefined));
  }

  /** Its control data. */
  get registers(): readonly Register<unknown>[] {
    const { pins, faults, durations, idempotency, deliveryFaults, rates, clocks, sequences } = this;
    return [pins, faults, durations, idempotency, deliveryFaults, rates, clocks, sequences];
  }

  #collection({ collection: name, tenant }: { readonly collection: string; readonly tenant?: string }): Collection {
    const resource = this.#names.indexOf(name);
    const collection = resource < 0 ? undefined : this.tenants.collection(tenant ?? null, resource);
    if (!collection) throw new Error(`the ledger names '${name}', which this pack does not have`);
    return collection;
  }

  #empty(t0: number, keep: readonly string[]): void {
    this.#t0 = t0;
    for (let i = 0; i < this.#collections.length; i++)
      this.#collections[i] = new Collection(i, this.config.collections[i]);
    this.tenants = new Tenants(this.config.collections, this.#collections);
    this.timers = new TimerQueue();
    this.pins = new Pins(this.#names);
    this.faults = new Faults('faults');
    this.deliveryFaults = new DeliveryFaults('delivery_faults');
    if (!keep.includes('durations')) this.durations = new Register<number>('durations');
    this.idempotency = new Register<IdempotencyRecord>('idempotency');
    this.rates = new Register<RateCount>('rate_limits');
    this.clocks = new Register<number>('clocks');
    this.sequences = new Register<number>('sequences');
    this.traces.clear();
    this.random.position = 0;
    this.requestStream.position = 0;
    this.outsideStream.position = 0;
    this.#seq = 0;
    this.version++;
    this.epoch++;
    this.#setNow(t0);
  }

  /** Objects of a collection, oldest first. */
  objects(resource: number): JsonObject[] {
    return this.#collections[resource]
      .ordered()
      .all()
      .map((row) => row.value);
  }

  /** @param texts the changes as JSON, where that was written before */
  #append(
    info: CommandInfo,
    changes: StoredChange[],
    texts?: string[],
    undo: Transaction | TakenBack | null = null,
  ): void {
    if (this.#emptied !== null) {
      undo = null;
      changes.unshift(this.#emptied);
      texts?.unshift(JSON.stringify(this.#emptied));
      this.#emptied = null;
    }
    this.#add({ ...this.#entryOf(info), changes }, changes.length, texts, undo);
  }

  /** The next entry, without its changes. */
  #entryOf({ command, origin, request = null, trace = null, args = null }: CommandInfo): Omit<StoredEntry, 'changes'> {
    const [n, after] = [this.ledger.count + 1, this.positions];
    return { n, at: this.#nowMs, command, origin, request, trace, args, after };
  }

  #storedOf(transaction: Transaction): StoredChange[] {
    return unpacked(transaction.packed(this.ledger.count + 1), this.#names);
  }

  #add(entry: StoredEntry, size: number, texts: string[] | undefined, undo: Transaction | TakenBack | null): void {
    this.version++;
    this.#ways[entry.n % REACH] = undo instanceof Transaction ? undo.takesBack() : undo;
    this.ledger.add(entry, size);
    this.keeper?.entry(entry, texts);
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener.entry(entry);
    this.#checkpointIfDue();
    this.#reportCheckpoint();
  }

  /** The world leaves memory: whoever keeps it may write it as a whole now, so that it begins there. */
  leave(): void {
    // A command that nobody finishes any more is none.
    if (this.unfinished === null && this.#open === null) this.#reportCheckpoint(true);
  }

  #reportCheckpoint(last = false): void {
    const { keeper } = this;
    if (keeper?.checkpoint && keeper.wantsCheckpoint?.(last)) keeper.checkpoint(wholeOf(this));
  }

  #checkpointIfDue(): void {
    if (!this.ledger.isDue(0)) return;
    const all = [...this.collections, ...this.tenants.collections()];
    const size = all.reduce((sum, each) => sum + each.size, this.timers.size);
    if (this.ledger.isDue(size)) this.ledger.checkpoint(checkpointOf(this));
  }

  #moveStreams({ random, seq, requests, outside }: Positions): void {
    this.random.position = random;
    this.requestStream.position = requests;
    this.outsideStream.position = outside;
    this.#seq = seq;
  }

  /** Where the world draws from next. */
  get positions(): Positions {
    return {
      random: this.random.position,
      seq: this.#seq,
      requests: this.requestStream.position,
      outside: this.outsideStream.position,
    };
  }

  #rewind({ random, outside, seq }: Open): void {
    this.random.position = random;
    this.outsideStream.position = outside;
    this.#seq = seq;
  }

  #close(): Open {
    if (this.#open === null) throw new Error('no command is running');
    const open = this.#open;
    this.#open = null;
    closeBudget();
    return open;
  }

  #setNow(ms: number): void {
    // Writing may fail, for instants that no calendar has: then neither moves.
    this.#now = writeInstant(this.config.timeFormat, ms);
    this.#nowMs = ms;
  }
}
