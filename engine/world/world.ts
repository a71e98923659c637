import { closeBudget, endOf, type Json, type JsonObject, openBudget } from '../values/index.js';
import { Collection } from './collection.js';
import type { WorldConfig } from './config.js';
import { ControlData, type RetentionKind } from './control-data.js';
import { checkpointOf, copyLater, lateImageOf, standingOf, wholeOf, type WorldImage } from './image.js';
import { Journal, type JournalRecord, type StoredRecord, type WorldListener, type WorldKeeper } from './journal.js';
import { endEntry, entryOf, type LedgerView, MemberLedger, packEntry, SharedPages } from './ledger.js';
import { unpackedChanges } from './packed-entries.js';
import { type CommandInfo, type Positions, type StoredChange, type StoredEntry } from './ledger-entry.js';
import { RandomStream, seedOf, stableShare, stableText } from './random.js';
import { Row, type Timer } from './rows.js';
import { writeInstant } from './time.js';
import { Tenants } from './tenants.js';
import { TimerQueue } from './timers.js';
import { recallJournal, replaySteps } from './replay.js';
import { type OpenCommand, Timeline } from './timeline.js';
import { Transaction, type Way, WaysBack } from './transaction.js';
import type { Reversible, Route, TakenBack } from './take-back.js';
import { Traces } from './traces.js';

const NOTHING_TO_UNDO: TakenBack = [];

/** Maximum number of changes to undo at once (about 50 ms); beyond, a fold is used, during which other code runs. */
const MOST_CHANGES_AT_ONCE = 20_000;

/** The origin of an advance of the clock, if the caller names none. */
const CLOCK: CommandInfo = { command: 'clock', origin: 'clock' };
/**
 * All state of a world: objects, timers, clock, random streams, control data, and the ledger of its history. Commands run one
 * after another, each in a transaction that is committed or rolled back as a whole.
 */
export class World extends ControlData {
  /** The collections of objects without a tenant, by resource number. */
  readonly collections: readonly Collection[];
  /** The collections of the world's tenants. */
  tenants: Tenants;
  readonly seedNumber: number;
  timers = new TimerQueue();
  readonly timeline: Timeline<World>;
  /** The ledger as the pack reads it; in a company, without the other packs' changes. */
  readonly ledger: LedgerView;
  readonly traces: Traces;
  readonly random: RandomStream;
  /** Random stream of ids for requests and traces, separate from the world's, so that reading changes nothing. */
  readonly requestStream: RandomStream;
  /** Random stream of commands that follow from outside, so that outcomes of deliveries don't affect other ids. */
  readonly outsideStream: RandomStream;
  readonly keeper: WorldKeeper | undefined;
  readonly journal = new Journal();
  /** Returns data for a checkpoint from parts outside of this folder that keep state of the world. */
  remarks: () => Json = () => null;
  /** Number of commits so far; values derived from the whole world can be cached while it is the same. */
  version = 0;
  #now: Json = null;
  #seq = 0;
  #collections: Collection[];
  readonly #listeners = new Set<WorldListener>();
  /** Undo steps of the newest entries, by entry number. */
  readonly #ways = new WaysBack();
  /** Pages on which commands store the changes of their entries. */
  readonly #pages = new SharedPages();

  /** @param timeline that the world joins as a pack of a company; a new one by default */
  constructor(
    readonly config: WorldConfig,
    timeline?: Timeline<World>,
  ) {
    super(config.collections.map(({ name }) => name));
    this.timeline = timeline ?? new Timeline(config);
    this.timeline.worlds.push(this);
    this.#collections = config.collections.map((each, index) => new Collection(index, each));
    this.collections = this.#collections;
    this.tenants = new Tenants(config.collections, this.#collections);
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

  /** Numbers of the entries whose moments have names, by name. */
  get moments(): Map<string, number> {
    return this.timeline.moments;
  }

  /** Finishes the command that is paused between slices; null: no command is paused. */
  get unfinished(): (() => void) | null {
    return this.timeline.unfinished;
  }

  set unfinished(finish: (() => void) | null) {
    this.timeline.unfinished = finish;
  }

  /** Number of resets and rewinds so far, by which running work notices them. */
  get epoch(): number {
    return this.timeline.epoch;
  }

  get nowMs(): number {
    return this.timeline.nowMs;
  }

  /** The current simulated time, in the pack's format. */
  get now(): Json {
    return this.#now;
  }

  get t0(): number {
    return this.timeline.t0;
  }

  /** Returns the next creation number, which grows with each use and is part of the world's state. */
  nextSeq(): number {
    return ++this.#seq;
  }

  /** Returns base 62 characters that depend only on the world's seed and the text. */
  stableText(text: string, length: number): string {
    return stableText(this.seedNumber, text, length);
  }

  /** Returns a number from 0 to 1 (exclusive) that depends only on the world's seed and the text. */
  stableShare(text: string): number {
    return stableShare(this.seedNumber, text);
  }

  /** Returns an object without a tenant, by its id. */
  row(resource: number, id: string): Row | undefined {
    return this.#collections[resource].get(id);
  }

  /** Returns the collection that contains the object, or contained it before its deletion. */
  collectionOf({ tenant, resource }: Row): Collection {
    return this.tenants.collection(tenant, resource);
  }

  /** Finishes a command that is paused between two slices, since other work can't wait. */
  settle(): void {
    const { unfinished } = this;
    this.unfinished = null;
    unfinished?.();
  }

  /** Begins a command and returns its transaction. Commands never nest. */
  begin(): Transaction {
    if (this.unfinished !== null) this.settle();
    const { open } = this.timeline;
    if (open !== null) {
      // A command that wasn't committed has failed, and must not block later ones.
      open.world.rollback();
      throw new Error('a command is already running');
    }
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
   * Commits the command's changes as one ledger entry. Without changes there is no entry, and the random streams return to
   * their positions.
   * @param info origin of the command; a function if most commands change nothing
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
      const page = this.#pages.next();
      const from = page.length;
      packEntry(entry, this.names, page);
      open.transaction.packTo(entry.n, page);
      const size = endEntry(page, from);
      this.version++;
      this.#ways.note(entry.n, open.transaction);
      this.timeline.ledger.addPacked(entry.n, size, page, from);
      this.#reportEntry(() => this.timeline.ledger.entry(entry.n) as StoredEntry);
    }
  }

  /**
   * Encodes the command's changes before its commit, in steps, so that other code can run during a large command. Nothing may
   * change afterwards.
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

  /** Rolls back the command's changes, and the positions of the random streams. */
  rollback(): void {
    const open = this.#close();
    open.transaction.rollback();
    this.#rewind(open);
    this.version++;
  }

  /** Records a failed command as a ledger entry without changes. */
  note(info: CommandInfo): void {
    this.settle();
    this.#append(info, [], undefined, NOTHING_TO_UNDO);
  }

  /** Advances the clock to a time; does nothing if the clock is there or later. */
  moveTo(ms: number, info = CLOCK): void {
    this.settle();
    if (ms <= this.timeline.nowMs) return;
    this.setNow(ms);
    this.#append(info, [{ op: 'clock', now: ms }], undefined, NOTHING_TO_UNDO);
    for (const watcher of this.timeline.watchers) watcher(ms);
  }

  /** Moves the world's start and clock to another time. Only this sets a clock back without changing the contents. */
  startAt(t0: number, nowMs = t0, info = CLOCK): void {
    this.settle();
    if (t0 === this.timeline.t0 && nowMs === this.timeline.nowMs) return;
    const { timeline } = this;
    const before = timeline.t0;
    timeline.t0 = t0;
    this.setNow(nowMs);
    const change: Reversible = {
      undo: () => void (timeline.t0 = before),
      redo: () => void (timeline.t0 = t0),
    };
    this.#append(info, [{ op: 'clock', now: nowMs, t0 }], undefined, [4, change, undefined]);
  }

  /** Moves the world's start and clock to another time, within the running command. */
  beginAt(transaction: Transaction, t0: number): void {
    const [before, nowMs] = [this.timeline.t0, this.timeline.nowMs];
    const move = (begun: number, now: number): void => {
      this.setNow(now);
      this.timeline.t0 = begun;
    };
    move(t0, t0);
    transaction.beginAt(t0, { undo: () => move(before, nowMs), redo: () => move(t0, t0) });
  }

  /** Invalidates cached responses, some of which contain outcomes of deliveries, which aren't in the ledger. */
  outsideChanged(): void {
    this.version++;
  }

  /** Registers a function that is called whenever the clock has advanced. The function must not change the world. */
  onMove(watcher: (nowMs: number) => void): void {
    this.timeline.watchers.push(watcher);
  }

  /** Adds a listener; without any, commands cost nothing more. @returns a function that removes the listener */
  subscribe(listener: WorldListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether any listener to changes is registered. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /**
   * Empties the world and sets the clock back to its start, in O(1); the same calls get the same ids again. The ledger
   * continues: the next command's entry begins with the reset, so that it also contains the initial objects.
   */
  reset(t0 = this.timeline.t0, keep: readonly RetentionKind[] = []): void {
    this.settle();
    this.emptyAll(t0, keep);
    this.timeline.emptied = { op: 'reset', t0, keep };
    for (const each of this.timeline.worlds) each.record({ kind: 'reset' }, this.ledger.count + 1);
  }

  /**
   * Restores another moment of this world, as a ledger entry of its own. Entry numbers and names of moments continue.
   * @param past the world at that moment
   * @param journal the records up to that moment
   */
  rewind(past: World, journal: readonly JournalRecord[], info: CommandInfo): void {
    this.settle();
    if (this.timeline.open !== null) throw new Error('a command is running');
    const { worlds } = this.timeline;
    for (const each of worlds) each.record({ kind: 'reset' }, this.ledger.count + 1);
    this.become(standingOf(past));
    this.timeline.emptied = null;
    worlds[0].#addImage(past, info, null);
    this.#recordAgain(journal);
  }

  /**
   * Like `rewind`, but undoes later entries, and redoes those that an earlier rewind undid. O(distance), and a reference to
   * each object.
   * @returns false if that isn't possible; then nothing has changed
   */
  stepBack({ n, at: nowMs, after }: StoredEntry, journal: readonly JournalRecord[], info: CommandInfo): boolean {
    this.settle();
    if (this.timeline.open !== null) throw new Error('a command is running');
    const way = this.#wayTo(n);
    if (way === null) return false;
    this.record({ kind: 'reset' }, this.ledger.count + 1);
    this.#ways.follow(way, this);
    this.traces.clear();
    this.timeline.epoch++;
    this.setNow(nowMs);
    this.moveStreams(after);
    this.version++;
    this.#addImage(this, info, n);
    this.#recordAgain(journal);
    return true;
  }

  /** Adds an entry that replaces the whole state by another world's. */
  #addImage(world: World, info: CommandInfo, way: Way): void {
    const { changes, size } = lateImageOf(world);
    const entry: StoredEntry = {
      ...this.#entryOf(info),
      get changes() {
        return changes();
      },
    };
    this.#add(entry, size, undefined, way);
  }

  /**
   * Reads the state at another moment of this world, as references, by undoing entries and redoing them. O(distance), and a
   * reference to each object.
   * @returns undefined if that isn't possible, or would take too long at once
   */
  standingAt({ n, at: nowMs, after }: StoredEntry): WorldImage | undefined {
    const isBusy = this.timeline.open !== null || this.unfinished !== null;
    const way = isBusy ? null : this.#wayTo(n);
    if (way === null || this.#ways.lengthOf(way) > MOST_CHANGES_AT_ONCE) return undefined;
    const present = this.nowMs;
    const standing = this.#ways.visit(way, this, () => {
      this.version++;
      this.setNow(nowMs);
      return standingOf(this);
    });
    this.version++;
    this.setNow(present);
    return { ...standing, after };
  }

  /** Returns the entries from an earlier moment to the present; those that rewinds abandoned are left out, if known. */
  entriesFrom(n: number): readonly StoredEntry[] {
    const way = this.#wayTo(n);
    if (way === null || way.again.length > 0) return this.ledger.since(n);
    return way.back.toReversed().flatMap((each) => this.ledger.entry(each) ?? []);
  }

  /** Finds a route of undo and redo steps to the moment after an entry; null: only a fold can restore that moment. */
  #wayTo(n: number): Route | null {
    return this.timeline.emptied === null && !this.timeline.isShared ? this.#ways.to(n, this.ledger.count) : null;
  }

  /** Records journal records again, each in the world of its pack. */
  #recordAgain(journal: readonly JournalRecord[]): void {
    for (const record of journal) this.timeline.of(record.pack).record(record);
    recallJournal(this.timeline, journal);
  }

  /** Adds a record to the journal. @param after number of the ledger entry that the record follows */
  record(did: JournalRecord, after = this.ledger.count): void {
    const { pack } = this.config;
    const record = pack === undefined ? did : { ...did, pack };
    if (record.kind !== 'trace') this.journal.add(record, after);
    this.keeper?.record(record, after);
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener.record(record);
  }

  /** Names the moment after an entry, or removes the name (null). A named moment stays available, however old it gets. */
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
   * Applies a stored entry, as `foldLedger` does.
   * @param timers timers that the entries so far have set, by number; undefined: the entry becomes history only
   */
  replay(entry: StoredEntry, timers: Map<number, Timer> | undefined): void {
    endOf(this.replaySteps(entry, timers));
  }

  /** Applies a stored entry, a few changes per step (`replay` takes all steps). */
  *replaySteps(entry: StoredEntry, timers: Map<number, Timer> | undefined): Generator<void> {
    this.version++;
    this.#ways.note(entry.n, null);
    if (timers === undefined) {
      this.timeline.ledger.addHistory(entry);
      return;
    }
    this.timeline.ledger.add(entry);
    yield* replaySteps(this.timeline, entry, timers);
    this.#checkpointIfDue();
  }

  /** Starts the world with a stored checkpoint, a few changes at a time. */
  *beginSteps(base: StoredEntry, timers: Map<number, Timer>): Generator<void> {
    this.timeline.ledger.begin(base);
    yield* replaySteps(this.timeline, base, timers, true);
  }

  /** Restores the journal of a stored world, including traces of its calls and the positions of the streams of request ids. */
  restore(journal: readonly StoredRecord[], moments: readonly StoredEntry[] = []): void {
    const { count } = this.ledger;
    for (const each of journal) {
      if (each.kind === 'trace') continue;
      const { after = count, ...record } = each;
      this.timeline.of(record.pack).journal.add(record, after);
    }
    recallJournal(this.timeline, journal);
    const named = new Set(this.moments.values());
    for (const moment of moments) if (named.has(moment.n)) this.timeline.ledger.pin(moment);
  }

  /** Sets the random streams to the positions of another world, which this one continues. */
  continueStreams({ random, requestStream, outsideStream }: World): void {
    this.random.position = random.position;
    this.requestStream.position = requestStream.position;
    this.outsideStream.position = outsideStream.position;
  }

  /**
   * Replaces the world's state with a copy of an image; in a company, the state of each of its packs. Immutable parts are
   * shared; an object's row is created when it is first read.
   * @param timers receives the timers of each created row, by number; null: not needed
   */
  become(image: WorldImage, timers: Map<number, Timer> | null = null): void {
    this.emptyAll(image.t0, []);
    this.setNow(image.nowMs);
    [image, ...image.beside].forEach((each, at) => {
      const world = this.timeline.worlds[at];
      copyLater(world, each, timers);
      world.moveStreams(each.after);
    });
  }

  /** Empties the world and sets its clock, as part of applying an entry; in a company, empties each of its packs. */
  emptyAll(t0: number, keep: readonly string[]): void {
    for (const each of this.timeline.worlds) each.#empty(keep);
    this.timeline.t0 = t0;
    this.timeline.epoch++;
    this.setNow(t0);
  }

  #empty(keep: readonly string[]): void {
    for (let i = 0; i < this.#collections.length; i++)
      this.#collections[i] = new Collection(i, this.config.collections[i]);
    this.tenants = new Tenants(this.config.collections, this.#collections);
    this.timers = new TimerQueue();
    this.emptyRegisters(keep);
    this.traces.clear();
    this.random.position = 0;
    this.requestStream.position = 0;
    this.outsideStream.position = 0;
    this.#seq = 0;
    this.version++;
  }

  /** Lists the values of a resource's objects, oldest first. */
  objects(resource: number): JsonObject[] {
    return this.#collections[resource]
      .ordered()
      .all()
      .map((row) => row.value);
  }

  /** Appends an entry to the ledger. @param texts JSON of each change, if it was written already */
  #append(info: CommandInfo, changes: StoredChange[], texts?: string[], way: Way = null): void {
    if (this.timeline.emptied !== null) {
      way = null;
      changes.unshift(this.timeline.emptied);
      texts?.unshift(JSON.stringify(this.timeline.emptied));
      this.timeline.emptied = null;
    }
    this.#add({ ...this.#entryOf(info), changes }, changes.length, texts, way);
  }

  /** Builds the next ledger entry, without its changes. */
  #entryOf({ command, origin, request = null, trace = null, args = null }: CommandInfo): Omit<StoredEntry, 'changes'> {
    const [n, after] = [this.ledger.count + 1, this.positions];
    const entry = { n, at: this.timeline.nowMs, command, origin, request, trace, args, after };
    const { pack } = this.config;
    return pack === undefined ? entry : { pack, ...entry };
  }

  #storedOf(transaction: Transaction): StoredChange[] {
    return unpackedChanges(transaction.packed(this.ledger.count + 1), this.names);
  }

  #add(entry: StoredEntry, size: number, texts: string[] | undefined, way: Way): void {
    this.version++;
    this.#ways.note(entry.n, way);
    this.timeline.ledger.add(entry, size);
    this.#reportEntry(() => entry, texts);
  }

  /** Passes a new entry to the keeper and the listeners. */
  #reportEntry(entry: () => StoredEntry, texts?: string[]): void {
    this.keeper?.entry(entry(), texts);
    for (const each of this.timeline.worlds) if (each.isWatched) each.#report(entry());
    this.#checkpointIfDue();
    this.#reportCheckpoint();
  }

  #report(entry: StoredEntry): void {
    const { pack } = this.config;
    const own = pack === undefined ? entry : entryOf(entry, pack);
    for (const listener of this.#listeners) listener.entry(own);
  }

  /** Called when the world leaves memory. Its keeper may write a checkpoint, which makes the next start faster. */
  leave(): void {
    // A checkpoint during a command would be incomplete.
    if (this.unfinished === null && this.timeline.open === null) this.#reportCheckpoint(true);
  }

  #reportCheckpoint(last = false): void {
    const { keeper } = this;
    if (keeper?.checkpoint && keeper.isCheckpointDue?.(last)) keeper.checkpoint(wholeOf(this));
  }

  #checkpointIfDue(): void {
    const { ledger, worlds } = this.timeline;
    const sizeOf = ({ collections, tenants, timers }: World): number =>
      [...collections, ...tenants.collections()].reduce((sum, each) => sum + each.size, timers.size);
    if (ledger.isDue(() => worlds.reduce((sum, world) => sum + sizeOf(world), 0)))
      ledger.checkpoint(checkpointOf(this));
  }

  /** Sets the world's random streams to given positions. */
  moveStreams({ random, seq, requests, outside }: Positions): void {
    this.random.position = random;
    this.requestStream.position = requests;
    this.outsideStream.position = outside;
    this.#seq = seq;
  }

  /** The current positions of the world's random streams. */
  get positions(): Positions {
    return {
      random: this.random.position,
      seq: this.#seq,
      requests: this.requestStream.position,
      outside: this.outsideStream.position,
    };
  }

  #rewind({ random, outside, seq }: OpenCommand<World>): void {
    this.random.position = random;
    this.outsideStream.position = outside;
    this.#seq = seq;
  }

  #close(): OpenCommand<World> {
    const { open } = this.timeline;
    if (open?.world !== this) throw new Error('no command is running');
    this.timeline.open = null;
    closeBudget();
    return open;
  }

  /** Sets the clock of all packs, as part of applying an entry. */
  setNow(ms: number): void {
    // Formats the time for all packs first, since that fails beyond the calendar; then no clock changes.
    const { worlds } = this.timeline;
    const texts = worlds.map(({ config }) => writeInstant(config.timeFormat, ms));
    worlds.forEach((each, at) => {
      each.#now = texts[at];
      // Invalidates values that other packs derived from the time.
      if (each !== this) each.version++;
    });
    this.timeline.nowMs = ms;
  }
}
