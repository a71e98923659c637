import type { Collection } from './collection.js';
import type { Checkpoint, StoredRecord } from './journal.js';
import { NEVER, ofTenant, type Positions, putOf, type StoredChange, type StoredEntry } from './ledger.js';
import { timerKey } from './replay.js';
import type { Row } from './rows.js';
import type { CollectionStanding, TimersStanding } from './standing.js';
import type { Timer } from './rows.js';
import type { WorldState } from './state.js';

/** A world at one moment: references to what never changes, so that it can be written or copied later. */
export interface WorldImage {
  /** Its name in a company, and where it draws. */
  readonly pack?: string;
  readonly after: Positions;
  /** The further packs of its company. */
  readonly beside: readonly WorldImage[];
  readonly t0: number;
  readonly nowMs: number;
  /** Those of no tenant first, by the numbers of their resources. */
  readonly collections: readonly CollectionStanding[];
  readonly timers: TimersStanding;
  readonly registers: readonly { readonly name: string; readonly entries: readonly (readonly [string, unknown])[] }[];
}

/** Of worlds that were read, until they change. */
const images = new WeakMap<WorldState, { readonly version: number; readonly image: WorldImage }>();

/**
 * O(objects) references; the same as before while nothing has changed. Of a company the first pack, and the others beside it,
 * whichever of them is asked.
 */
export function standingOf({ timeline }: WorldState): WorldImage {
  const [first, ...others] = timeline.worlds;
  return { ...standingAlone(first), beside: others.map(standingAlone) };
}

function standingAlone(world: WorldState): WorldImage {
  const known = images.get(world);
  const image = known?.version === world.version ? known.image : newImageOf(world);
  images.set(world, { version: world.version, image });
  // Calls that change nothing move the stream of requests.
  return { ...image, after: world.positions };
}

function newImageOf(world: WorldState): WorldImage {
  return {
    pack: world.config.pack,
    after: world.positions,
    beside: [],
    t0: world.t0,
    nowMs: world.nowMs,
    collections: [...world.collections, ...world.tenants.collections()].map((collection) => collection.standing()),
    timers: world.timers.standing(),
    registers: world.registers.map((each) => ({ name: each.name, entries: [...each.entries()] })),
  };
}

function changesOf(image: WorldImage): StoredChange[] {
  const { t0, nowMs, beside } = image;
  const changes: StoredChange[] = [
    { op: 'reset', t0, keep: [] },
    { op: 'clock', now: nowMs },
  ];
  writeMember(image, changes);
  for (const member of beside) {
    changes.push({ op: 'pack', pack: member.pack ?? '', after: member.after });
    writeMember(member, changes);
  }
  return changes;
}

function writeMember({ collections, timers, registers }: WorldImage, changes: StoredChange[]): void {
  for (const owner of collections) {
    const { name, tombstones, count } = owner;
    // Put and deleted again, a tombstone keeps its place.
    for (const [id, { seq, value }] of tombstones)
      changes.push(ofTenant({ op: 'put', collection: name, id, seq, value }, owner));
    for (const [id] of tombstones) changes.push(ofTenant({ op: 'delete', collection: name, id }, owner));
    for (let at = 0; at < count; at++) {
      const { id, seq } = owner.row(at);
      changes.push(putOf({ collection: name, id, seq }, owner.held(at), owner.sources(at), owner.tenant));
    }
  }
  for (const { row, trigger, due, seq, line } of [...timers.timers].sort((a, b) => a.seq - b.seq)) {
    const { name } = collections[row.resource];
    changes.push(
      ofTenant({ op: 'arm', collection: name, id: row.id, trigger, due, seq, ...(line === null ? {} : { line }) }, row),
    );
  }
  for (const { name, entries } of registers) {
    for (const [key, value] of entries)
      changes.push({ op: 'set', register: name, key, value: value === Infinity ? NEVER : value });
  }
}

/**
 * A world as changes to whatever was there before: a reset, and everything that is true. O(world) references, since values
 * never change. They are written on demand; how many there will be is known at once.
 */
export function lateImageOf(world: WorldState): { readonly changes: () => StoredChange[]; readonly size: number } {
  const standing = standingOf(world);
  return {
    size: 2 + sizeOf(standing) + standing.beside.reduce((sum, each) => sum + 1 + sizeOf(each), 0),
    changes: lateChangesOf(standing),
  };
}

/** As many as there are objects, read seldom, and several times then. */
function lateChangesOf(standing: WorldImage): () => StoredChange[] {
  let read: WeakRef<StoredChange[]> | undefined;
  return () => {
    const changes = read?.deref() ?? changesOf(standing);
    read = new WeakRef(changes);
    return changes;
  };
}

/** How many changes one pack of an image is. */
function sizeOf({ collections, timers, registers }: WorldImage): number {
  const objects = collections.reduce((sum, { tombstones, count }) => sum + 2 * tombstones.length + count, 0);
  return objects + timers.timers.length + registers.reduce((sum, { entries }) => sum + entries.length, 0);
}

/**
 * Lets the empty world of one pack be what another one was, as soon as it is read.
 * @param timers gets those of each row that is made, by their numbers; null: who asks needs none
 */
export function copyLater(world: WorldState, image: WorldImage, timers: Map<number, Timer> | null): void {
  const collectionOf = (tenant: string | null, resource: number): Collection =>
    world.tenants.collection(tenant, resource);
  const onRow = (row: Row): void => {
    world.timers.take(row);
    if (timers) for (const timer of row.timers) timers.set(timerKey(world, timer.seq), timer);
  };
  for (const each of image.collections) collectionOf(each.tenant, each.resource).copyLater(each, onRow);
  // Rows have their timers: a reader of a row sees them too.
  world.timers.copyLater(image.timers, ({ resource, id, tenant }) => void collectionOf(tenant, resource).get(id));
  image.registers.forEach(({ entries }, index) => {
    for (const [key, value] of entries) world.registers[index].write(key, value);
  });
}

/** What checkpoints that were made in this process stand for. */
const behind = new WeakMap<StoredEntry, WorldImage>();

/** What a checkpoint stands for, as references; undefined: it is another entry, or comes from a store. */
export function standingBehind(entry: StoredEntry): WorldImage | undefined {
  return behind.get(entry);
}

/**
 * A world as one entry, from which a fold can begin: it stands for all entries up to the world's last. Its changes are written
 * when they are read, which most never are; they have the state of this moment.
 */
export function checkpointOf(world: WorldState, standing = standingOf(world)): StoredEntry {
  const changes = lateChangesOf(standing);
  const { pack, after } = standing;
  const checkpoint: StoredEntry = {
    ...(pack === undefined ? {} : { pack }),
    n: world.ledger.count,
    at: world.nowMs,
    command: 'checkpoint',
    origin: 'control',
    request: null,
    trace: null,
    args: null,
    after,
    get changes() {
      return changes();
    },
  };
  behind.set(checkpoint, standing);
  return checkpoint;
}

/** All that a keeper needs of a world: itself, its saved moments, and what the outside did. */
export function wholeOf(world: WorldState): Checkpoint {
  const { pack } = world.timeline.worlds[0].config;
  const whose = pack === undefined ? {} : { pack };
  const moments = [...world.moments].map(([name, entry]): StoredRecord => ({ kind: 'moment', name, entry, ...whose }));
  const { worlds } = world.timeline;
  const traces = worlds.flatMap(({ config, traces, requestStream }) => {
    const whose = config.pack === undefined ? {} : { pack: config.pack };
    const requests = requestStream.position;
    return traces.calls().map(({ trace }): StoredRecord => ({ kind: 'trace', trace, requests, ...whose }));
  });
  const journal = worlds.flatMap((each) => each.journal.kept().filter(({ kind }) => kind !== 'moment'));
  return {
    base: { ...checkpointOf(world), args: world.remarks() },
    moments: world.timeline.ledger.pinned(),
    journal: [...journal, ...moments, ...traces],
  };
}
