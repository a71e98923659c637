import type { Collection } from './collection.js';
import type { JournalRecord } from './journal.js';
import { LatePut, type Put } from './packed-entries.js';
import { NEVER, type Positions, type StoredChange, type StoredEntry } from './ledger-entry.js';
import { Row, Timer } from './rows.js';
import { CollectionStanding } from './standing.js';
import type { Timeline } from './timeline.js';
import { TraceRecord } from './traces.js';
import type { WorldState } from './state.js';

/** The members of an entry that a replay needs. */
type ReplayedEntry = Pick<StoredEntry, 'changes' | 'after' | 'pack'>;

/** Number of changes between two pauses of a replay. */
const AT_ONCE = 100;

/**
 * Applies the changes of a stored entry to the world of each pack, a few at a time, and sets the random streams to their
 * positions after the entry.
 * @param timers timers that the entries so far have set, by number
 * @param isImage whether the entry is a checkpoint, which puts each object once
 */
export function* replaySteps(
  timeline: Timeline<WorldState>,
  { changes, after, pack }: ReplayedEntry,
  timers: Map<number, Timer>,
  isImage = false,
): Generator<void> {
  let world = timeline.of(pack);
  // The positions are set after all changes, since a reset among them restarts all streams.
  const moved: [WorldState, Positions][] = [[world, after]];
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at];
    if (at % AT_ONCE === AT_ONCE - 1) yield;
    if (change.op === 'pack') {
      world = timeline.of(change.pack);
      moved.push([world, change.after]);
    } else if (change.op === 'put' && isImage) at = putLater(world, change, changes, at) - 1;
    else apply(world, change, timers);
  }
  for (const [each, positions] of moved) each.moveStreams(positions);
}

/**
 * Puts consecutive objects of one collection in a checkpoint; their rows are created when they are read.
 * @returns the index of the next change
 */
function putLater(world: WorldState, first: Put, changes: readonly StoredChange[], from: number): number {
  const collection = collectionOf(world, first);
  const puts: Put[] = [];
  for (let at = from; at < changes.length; at++) {
    const change = changes[at];
    if (change.op !== 'put' || change.collection !== first.collection || change.tenant !== first.tenant) break;
    puts.push(change);
  }
  const to = from + puts.length;
  // Deleted objects come first in a checkpoint, and are put one by one, for their tombstones.
  if (collection.ever > 0 || changes.at(to)?.op === 'delete') {
    for (const each of puts) put(world, each);
    return to;
  }
  const { resource, tenant, config } = collection;
  collection.copyLater(new CollectionStanding(config.name, resource, tenant, [], puts, puts.length, new Map()));
  return to;
}

function apply(world: WorldState, change: StoredChange, timers: Map<number, Timer>): void {
  switch (change.op) {
    case 'put':
      return put(world, change);
    case 'delete': {
      const collection = collectionOf(world, change);
      const row = collection.get(change.id);
      if (row && change.expired === true) collection.forget(row, undefined);
      else if (row) collection.remove(row);
      return;
    }
    case 'arm': {
      const { collection, id, trigger, due, seq, line = null } = change;
      const row = collectionOf(world, change).get(id);
      if (!row) throw new Error(`the ledger sets a timer of ${collection} ${id}, which is not there`);
      const timer = new Timer(row, trigger, due, seq, line);
      timers.set(timerKey(world, seq), timer);
      world.timers.add(timer);
      return;
    }
    case 'disarm': {
      const key = timerKey(world, change.seq);
      // Reading an object of a copy creates its row and timers, if they don't exist yet.
      if (!timers.has(key)) collectionOf(world, change).get(change.id);
      const timer = timers.get(key);
      if (timer) world.timers.remove(timer);
      timers.delete(key);
      return;
    }
    case 'set':
      return set(world, change.register, change.key, change.value);
    case 'clock':
      world.timeline.t0 = change.t0 ?? world.timeline.t0;
      return world.setNow(change.now);
    case 'reset':
      timers.clear();
      return world.emptyAll(change.t0, change.keep);
    case 'pack':
      throw new Error('an entry names a pack where it has one already');
  }
}

/** Collects the active timers of all packs of a timeline, by the numbers that `replaySteps` uses. */
export function timersByNumber({ worlds }: Timeline<WorldState>): Map<number, Timer> {
  return new Map(worlds.flatMap((world) => world.timers.list().map((timer) => [timerKey(world, timer.seq), timer])));
}

/** Returns a number for a timer that is unique among all packs of a company. */
export function timerKey(world: WorldState, seq: number): number {
  const { worlds } = world.timeline;
  return worlds.length === 1 ? seq : seq * worlds.length + worlds.indexOf(world);
}

function put(world: WorldState, change: Put): void {
  const { id, seq, from } = change;
  const collection = collectionOf(world, change);
  let row = collection.get(id);
  if (row?.seq === seq) collection.replace(row, change.value);
  else {
    row = (change instanceof LatePut ? change.rowOf(collection) : null) ?? newRow(collection, change);
    collection.insert(row);
  }
  if (change instanceof LatePut) change.shorten(row);
  collection.explain(row, from ?? null);
}

function newRow(collection: Collection, { id, seq, value }: Put): Row {
  return new Row(collection, id, seq, collection.orderOf(value), value);
}

function set(world: WorldState, name: string, key: string, value: unknown): void {
  const register = world.registers.find((each) => each.name === name);
  if (!register) throw new Error(`the ledger writes to '${name}', which no world has`);
  register.write(key, value === NEVER ? Infinity : (value ?? undefined));
}

function collectionOf(
  { config, tenants }: WorldState,
  { collection: name, tenant }: { readonly collection: string; readonly tenant?: string },
): Collection {
  const resource = config.collections.findIndex((each) => each.name === name);
  const collection = resource < 0 ? undefined : tenants.collection(tenant ?? null, resource);
  if (!collection) throw new Error(`the ledger names '${name}', which this pack does not have`);
  return collection;
}

/** Restores from a journal: traces of calls, names of moments, and positions of the streams of request ids. */
export function recallJournal(timeline: Timeline<WorldState>, journal: readonly JournalRecord[]): void {
  for (const world of timeline.worlds)
    recall(
      world,
      journal.filter(({ pack }) => pack === world.config.pack),
    );
}

function recall({ moments, traces, requestStream }: WorldState, journal: readonly JournalRecord[]): void {
  let requests = 0;
  for (const record of journal) {
    if (record.kind === 'moment') {
      if (record.entry === null) moments.delete(record.name);
      else moments.set(record.name, record.entry);
    } else if (record.kind === 'reset') {
      traces.clear();
      requests = 0;
    } else if (record.kind === 'trace') {
      TraceRecord.take(record, traces);
      ({ requests } = record);
    }
  }
  requestStream.position = Math.max(requestStream.position, requests);
}
