import { closeBudget, type Json, type JsonObject, openBudget } from '../values/index.js';
import { Collection, type CollectionConfig } from './collection.js';
import { Faults } from './faults.js';
import { checkpointOf, imageOf, lateImageOf, wholeOf } from './image.js';
import { Journal, type JournalRecord, type StoredRecord, type WorldListener, type WorldKeeper } from './journal.js';
import {
  type CommandInfo,
  LateEntry,
  entryOf,
  Ledger,
  type LedgerView,
  MemberLedger,
  NEVER,
  type Positions,
  type StoredChange,
  type StoredEntry,
  unpackedChanges,
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
import { TraceRecord, Traces } from './traces.js';

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
  /** Its name in a company; absent: it is alone. */
  readonly pack?: string;
  /** Further packs of the same timeline. */
  readonly beside?: readonly MemberConfig[];
}

/** What one pack of a company has of its own. */
export interface MemberConfig extends Pick<WorldConfig, 'collections' | 'timeFormat' | 'seed'> {
  readonly pack: string;
}

/**
 * What leads back over an entry: what takes it back, in the entry itself where it can be, or the number of the entry whose moment it made the present again. Null: a
 * fold alone leads there.
 */
type Way = LateEntry | TakenBack | number | null;

/** Of so many newest entries the way back is kept. */
const REACH = 4_096;

const NOTHING_TO_UNDO: TakenBack = [];

/** The clock moved by itself, so to speak. */
const CLOCK: CommandInfo = { command: 'clock', origin: 'clock' };
/** What a reset may leave as it is. */
export type RetentionKind = 'durations';

/** A command that is running, and where the streams stood before it. */
interface Open {
  readonly world: World;
  readonly transaction: Transaction;
  readonly random: number;
  readonly outside: number;
  readonly seq: number;
  /** What it changed, and the same as JSON, if that was written before it is committed. */
  stored?: StoredChange[];
  texts?: string[];
}

/** What the packs of a company share: one clock, one ledger, one order of commands. A world of one pack has one of its own. */
class Timeline {
  /** In the order of the company. */
  readonly worlds: World[] = [];
  readonly ledger: Ledger;
  /** Numbers of entries whose moments were named. */
  readonly moments = new Map<string, number>();
  readonly watchers: ((nowMs: number) => void)[] = [];
  /** Earlier moments that were asked for, by the numbers of their entries: the first world of each. */
  readonly atHand = new Map<number, World>();
  /** Finishes the command that was left half done; null: there is none. */
  unfinished: (() => void) | null = null;
  /** Counts resets and rewinds. */
  epoch = 0;
  t0: number;
  nowMs: number;
  /** A reset that the next entry begins with. */
  emptied: StoredChange | null = null;
  open: Open | null = null;

  constructor({ ledgerLimit, after, t0 }: WorldConfig) {
    this.ledger = new Ledger(ledgerLimit, after);
    this.t0 = t0;
    this.nowMs = t0;
    if (after !== undefined) this.emptied = { op: 'reset', t0, keep: [], renewed: true };
  }

  /** Several packs share it. */
  get isShared(): boolean {
    return this.worlds.length > 1;
  }

  /** The world whose timer is due first: by time, then by the order of the packs. */
  next(until: number): { readonly world: World; readonly timer: Timer } | undefined {
    let first: { readonly world: World; readonly timer: Timer } | undefined;
    for (const world of this.worlds) {
      const timer = world.timers.next(until, null);
      if (timer && (first === undefined || timer.due < first.timer.due)) first = { world, timer };
    }
    return first;
  }

  /** The world of a pack of the company; the first one where none is named. */
  of(pack: string | undefined): World {
    const found = pack === undefined ? this.worlds[0] : this.worlds.find(({ config }) => config.pack === pack);
    if (!found) throw new Error(`the ledger names the pack '${pack}', which this company does not have`);
    return found;
  }
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
  readonly timeline: Timeline;
  /** What happened; of the other packs of a company only that something did. */
  readonly ledger: LedgerView;
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
  /** What a checkpoint tells besides, for those who know more of the world than it does. */
  remarks: () => Json = () => null;
  /** Counts commits; what is derived from the whole world can be kept until it changes. */
  version = 0;
  #now: Json = null;
  #seq = 0;
  #collections: Collection[];
  readonly #listeners = new Set<WorldListener>();
  readonly #names: readonly string[];
  /** By the numbers of their entries. */
  readonly #ways: Way[] = [];

  /** @param timeline that of its company; a new one unless given */
  constructor(
    readonly config: WorldConfig,
    timeline?: Timeline,
  ) {
    this.timeline = timeline ?? new Timeline(config);
    this.timeline.worlds.push(this);
    this.#collections = config.collections.map((each, index) => new Collection(index, each));
    this.collections = this.#collections;
    this.tenants = new Tenants(config.collections, this.#collections);
    this.#names = config.collections.map(({ name }) => name);
    this.pins = new Pins(this.#names);
    const { ledger } = this.timeline;
    this.ledger = config.pack === undefined ? ledger : new MemberLedger(ledger, config.pack);
    this.traces = new Traces(config.traceLimit);
    this.seedNumber = seedOf(config.seed);
    this.random = new RandomStream(this.seedNumber);
    this.requestStream = new RandomStream(seedOf(`${config.seed} requests`));
    this.outsideStream = new RandomStream(seedOf(`${config.seed} outside`));
    this.keeper = config.keeper;
    this.#now = writeInstant(config.timeFormat, config.t0);
    const { beside = [], ...common } = config;
    for (const member of beside) new World({ ...common, ...member }, this.timeline);
  }

  /** Numbers of entries whose moments were named. */
  get moments(): Map<string, number> {
    return this.timeline.moments;
  }

  /** Finishes the command that was left half done; null: there is none. */
  get unfinished(): (() => void) | null {
    return this.timeline.unfinished;
  }

  set unfinished(finish: (() => void) | null) {
    this.timeline.unfinished = finish;
  }

  /** Counts resets and rewinds. */
  get epoch(): number {
    return this.timeline.epoch;
  }

  get nowMs(): number {
    return this.timeline.nowMs;
  }

  /** Simulated time in the pack's representation. */
  get now(): Json {
    return this.#now;
  }

  get t0(): number {
    return this.timeline.t0;
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
    if (this.timeline.open !== null) throw new Error('a command is already running');
    openBudget();
    const transaction = new Transaction(this.timers);
    this.timeline.open = {
      world: this,
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
      if (this.timeline.emptied === null) return;
    }
    const facts = typeof info === 'function' ? info() : info;
    if (open.stored !== undefined || this.timeline.emptied !== null)
      this.#append(facts, open.stored ?? this.#storedOf(open.transaction), open.texts, open.transaction);
    else {
      const entry = this.#entryOf(facts);
      const { list, size } = open.transaction.packedWithUndo(entry.n);
      const late = new LateEntry(entry, list, size, this.#names);
      this.#add(late, size / 3, undefined, late);
    }
  }

  /**
   * Writes down what the command has changed, before it is committed: a large one gives way in between. Nothing may change
   * after that.
   */
  *preparing(): Generator<void> {
    const { open } = this.timeline;
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
    if (ms <= this.timeline.nowMs) return;
    this.#setNow(ms);
    this.#append(info, [{ op: 'clock', now: ms }], undefined, NOTHING_TO_UNDO);
    for (const watcher of this.timeline.watchers) watcher(ms);
  }

  /** Lets the world begin at another time, where its clock then stands: the way backwards that keeps what is there. */
  startAt(t0: number, nowMs = t0, info = CLOCK): void {
    this.settle();
    if (t0 === this.timeline.t0 && nowMs === this.timeline.nowMs) return;
    const before = this.timeline.t0;
    this.timeline.t0 = t0;
    this.#setNow(nowMs);
    this.#append(info, [{ op: 'clock', now: nowMs, t0 }], undefined, [
      4,
      () => void (this.timeline.t0 = before),
      undefined,
    ]);
  }

  /** As `startAt`, as a part of the command that is running. */
  beginAt(transaction: Transaction, t0: number): void {
    const [before, nowMs] = [this.timeline.t0, this.timeline.nowMs];
    this.#setNow(t0);
    this.timeline.t0 = t0;
    transaction.beginAt(t0, () => {
      this.timeline.t0 = before;
      this.#setNow(nowMs);
    });
  }

  /** What became of deliveries is part of some responses, though not of the ledger: those that were kept are no longer valid. */
  outsideChanged(): void {
    this.version++;
  }

  /** Calls the watcher whenever the clock has moved forward. It must not change the world. */
  onMove(watcher: (nowMs: number) => void): void {
    this.timeline.watchers.push(watcher);
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
  reset(t0 = this.timeline.t0, keep: readonly RetentionKind[] = []): void {
    this.settle();
    this.#emptyAll(t0, keep);
    this.timeline.emptied = { op: 'reset', t0, keep };
    for (const each of this.timeline.worlds) each.record({ kind: 'reset' }, this.ledger.count + 1);
  }

  /**
   * Makes another moment of this world the present, as an entry of its own: numbers of entries and the names of moments go on.
   * @param past the world at that moment
   * @param journal what the outside had done until then
   */
  rewind(past: World, journal: readonly JournalRecord[], info: CommandInfo): void {
    this.settle();
    if (this.timeline.open !== null) throw new Error('a command is running');
    const { worlds } = this.timeline;
    const changes = imageOf(past);
    for (const each of worlds) each.record({ kind: 'reset' }, this.ledger.count + 1);
    worlds[0].#replay({ changes, after: past.timeline.worlds[0].positions }, new Map());
    this.timeline.emptied = null;
    worlds[0].#append(info, changes);
    this.#takeIn(journal);
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
        way.push(each instanceof LateEntry ? each.undo : each);
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
    if (this.timeline.open !== null) throw new Error('a command is running');
    const way = this.timeline.emptied === null && !this.timeline.isShared ? this.#wayBack(n) : null;
    if (way === null) return false;
    this.record({ kind: 'reset' }, this.ledger.count + 1);
    for (const each of way) takeBack(each, this);
    this.traces.clear();
    this.timeline.epoch++;
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
    this.timeline.ledger.add(entry, size);
    this.#ways[entry.n % REACH] = n;
    this.keeper?.entry(entry, undefined);
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener.entry(entry);
    this.#checkpointIfDue();
    this.#reportCheckpoint();
    this.#takeIn(journal);
    return true;
  }

  /** Notes once more what the outside had done, each pack its own. */
  #takeIn(journal: readonly JournalRecord[]): void {
    for (const record of journal) this.timeline.of(record.pack).record(record);
    this.#recall(journal);
  }

  /** Notes what the outside did. */
  record(did: JournalRecord, after = this.ledger.count): void {
    const { pack } = this.config;
    const record = pack === undefined ? did : { ...did, pack };
    if (record.kind !== 'trace') this.journal.add(record, after);
    this.keeper?.record(record, after);
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener.record(record);
  }

  /** Names the moment after an entry, or (null) takes the name back. A named moment stays known, however old it gets. */
  nameMoment(name: string, past: World | null): void {
    const before = this.moments.get(name);
    this.moments.delete(name);
    if (before !== undefined && ![...this.moments.values()].includes(before)) this.timeline.ledger.unpin(before);
    if (past !== null) {
      this.timeline.ledger.pin(checkpointOf(past));
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
      this.timeline.ledger.addHistory(entry);
      return;
    }
    this.timeline.ledger.add(entry);
    this.#replay(entry, timers);
    this.#checkpointIfDue();
  }

  /** Begins with a checkpoint that was kept. */
  replayFrom(base: StoredEntry, timers: Map<number, Timer>): void {
    this.timeline.ledger.begin(base);
    this.#replay(base, timers);
  }

  #replay({ changes, after, pack }: Pick<StoredEntry, 'changes' | 'after' | 'pack'>, timers: Map<number, Timer>): void {
    let world = this.timeline.of(pack);
    // Streams move last: a reset among the changes lets all begin anew.
    const moved: [World, Positions][] = [[world, after]];
    for (const change of changes) {
      if (change.op === 'pack') {
        world = this.timeline.of(change.pack);
        moved.push([world, change.after]);
      } else world.#apply(change, timers);
    }
    for (const [each, positions] of moved) each.#moveStreams(positions);
  }

  /** Takes back what a journal tells of calls: their traces, and how far the stream of requests has got. */
  restore(journal: readonly StoredRecord[], moments: readonly StoredEntry[] = []): void {
    const { count } = this.ledger;
    for (const each of journal) {
      if (each.kind === 'trace') continue;
      const { after = count, ...record } = each;
      this.timeline.of(record.pack).journal.add(record, after);
    }
    this.#recall(journal);
    const named = new Set(this.moments.values());
    for (const moment of moments) if (named.has(moment.n)) this.timeline.ledger.pin(moment);
  }

  #recall(journal: readonly JournalRecord[]): void {
    for (const each of this.timeline.worlds) each.#recallOwn(journal.filter(({ pack }) => pack === each.config.pack));
  }

  #recallOwn(journal: readonly JournalRecord[]): void {
    let requests = 0;
    for (const record of journal) {
      if (record.kind === 'moment') {
        if (record.entry === null) this.moments.delete(record.name);
        else this.moments.set(record.name, record.entry);
      } else if (record.kind === 'reset') {
        this.traces.clear();
        requests = 0;
      } else if (record.kind === 'trace') {
        TraceRecord.take(record, this.traces);
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
        timers.set(this.#timerKey(seq), timer);
        this.timers.add(timer);
        return;
      }
      case 'disarm': {
        const key = this.#timerKey(change.seq);
        const timer = timers.get(key);
        if (timer) this.timers.remove(timer);
        timers.delete(key);
        return;
      }
      case 'set':
        return this.#set(change.register, change.key, change.value);
      case 'clock':
        this.timeline.t0 = change.t0 ?? this.timeline.t0;
        return this.#setNow(change.now);
      case 'reset':
        timers.clear();
        return this.#emptyAll(change.t0, change.keep);
      case 'pack':
        throw new Error('an entry names a pack where it has one already');
    }
  }

  /** Tells the timers of all packs of a company apart. */
  #timerKey(seq: number): number {
    const { worlds } = this.timeline;
    return worlds.length === 1 ? seq : seq * worlds.length + worlds.indexOf(this);
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

  #emptyAll(t0: number, keep: readonly string[]): void {
    for (const each of this.timeline.worlds) each.#empty(keep);
    this.timeline.t0 = t0;
    this.timeline.epoch++;
    this.#setNow(t0);
  }

  #empty(keep: readonly string[]): void {
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
    if (this.timeline.emptied !== null) {
      undo = null;
      changes.unshift(this.timeline.emptied);
      texts?.unshift(JSON.stringify(this.timeline.emptied));
      this.timeline.emptied = null;
    }
    const way = undo instanceof Transaction ? undo.takesBack() : undo;
    this.#add({ ...this.#entryOf(info), changes }, changes.length, texts, way);
  }

  /** The next entry, without its changes. */
  #entryOf({ command, origin, request = null, trace = null, args = null }: CommandInfo): Omit<StoredEntry, 'changes'> {
    const [n, after] = [this.ledger.count + 1, this.positions];
    const entry = { n, at: this.timeline.nowMs, command, origin, request, trace, args, after };
    const { pack } = this.config;
    return pack === undefined ? entry : { pack, ...entry };
  }

  #storedOf(transaction: Transaction): StoredChange[] {
    return unpackedChanges(transaction.packed(this.ledger.count + 1), this.#names);
  }

  #add(entry: StoredEntry, size: number, texts: string[] | undefined, way: Way): void {
    this.version++;
    this.#ways[entry.n % REACH] = way;
    this.timeline.ledger.add(entry, size);
    this.keeper?.entry(entry, texts);
    for (const each of this.timeline.worlds) each.#report(entry);
    this.#checkpointIfDue();
    this.#reportCheckpoint();
  }

  #report(entry: StoredEntry): void {
    if (this.#listeners.size === 0) return;
    const { pack } = this.config;
    const own = pack === undefined ? entry : entryOf(entry, pack);
    for (const listener of this.#listeners) listener.entry(own);
  }

  /** The world leaves memory: whoever keeps it may write it as a whole now, so that it begins there. */
  leave(): void {
    // A command that nobody finishes any more is none.
    if (this.unfinished === null && this.timeline.open === null) this.#reportCheckpoint(true);
  }

  #reportCheckpoint(last = false): void {
    const { keeper } = this;
    if (keeper?.checkpoint && keeper.wantsCheckpoint?.(last)) keeper.checkpoint(wholeOf(this));
  }

  #checkpointIfDue(): void {
    const { ledger, worlds } = this.timeline;
    if (!ledger.isDue(0)) return;
    let size = 0;
    for (const { collections, tenants, timers } of worlds)
      size += [...collections, ...tenants.collections()].reduce((sum, each) => sum + each.size, timers.size);
    if (ledger.isDue(size)) ledger.checkpoint(checkpointOf(this));
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
    const { open } = this.timeline;
    if (open?.world !== this) throw new Error('no command is running');
    this.timeline.open = null;
    closeBudget();
    return open;
  }

  #setNow(ms: number): void {
    // Writing may fail, for instants that no calendar has: then neither moves.
    const { worlds } = this.timeline;
    const texts = worlds.map(({ config }) => writeInstant(config.timeFormat, ms));
    worlds.forEach((each, at) => {
      each.#now = texts[at];
      // What is derived of the time is no longer valid, whoever's it is.
      if (each !== this) each.version++;
    });
    this.timeline.nowMs = ms;
  }
}
