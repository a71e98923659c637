import type { Collection } from './collection.js';
import type { Checkpoint, StoredRecord } from './journal.js';
import { ofTenant, putOf } from './packed-entries.js';
import { NEVER, type Positions, type StoredChange, type StoredEntry } from './ledger-entry.js';
import { timerKey } from './replay.js';
import type { Row, Timer } from './rows.js';
import type { CollectionStanding, TimersStanding } from './standing.js';
import type { WorldState } from './state.js';

/** A world's state at one moment, as references to immutable parts, so that it can be written or copied later. */
export interface WorldImage {
  /** The pack's name in a company, and the positions of its random streams. */
  readonly pack?: string;
  readonly after: Positions;
  /** The images of the company's other packs. */
  readonly beside: readonly WorldImage[];
  readonly t0: number;
  readonly nowMs: number;
  /** States of the collections: those without a tenant first, by resource number. */
  readonly collections: readonly CollectionStanding[];
  readonly timers: TimersStanding;
  readonly registers: readonly { readonly name: string; readonly entries: readonly (readonly [string, unknown])[] }[];
}

/** The newest image of each world, valid while the world's version is the same. */
const images = new WeakMap<WorldState, { readonly version: number; readonly image: WorldImage }>();

/**
 * Returns the state of a world as O(objects) references; the same result as before if nothing changed. For a company, the
 * result is the first pack's image, which contains the others, for any of its packs.
 */
export function standingOf({ timeline }: WorldState): WorldImage {
  const [first, ...others] = timeline.worlds;
  return { ...standingAlone(first), beside: others.map(standingAlone) };
}

function standingAlone(world: WorldState): WorldImage {
  const known = images.get(world);
  const image = known?.version === world.version ? known.image : newImageOf(world);
  images.set(world, { version: world.version, image });
  // The stream of request ids also advances in calls that change nothing.
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
    // A deleted object is put and deleted again, which restores the tombstone with its position.
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
 * Expresses a world as changes that replace any earlier state: a reset, then all of its contents. O(world) references, since
 * values are immutable. The changes are created on demand; their number is known immediately.
 */
export function lateImageOf(world: WorldState): { readonly changes: () => StoredChange[]; readonly size: number } {
  const standing = standingOf(world);
  return {
    size: 2 + sizeOf(standing) + standing.beside.reduce((sum, each) => sum + 1 + sizeOf(each), 0),
    changes: lateChangesOf(standing),
  };
}

/** Returns a function that creates an image's changes, one per object. It caches them weakly: reads come in bursts. */
function lateChangesOf(standing: WorldImage): () => StoredChange[] {
  let read: WeakRef<StoredChange[]> | undefined;
  return () => {
    const changes = read?.deref() ?? changesOf(standing);
    read = new WeakRef(changes);
    return changes;
  };
}

/** Counts the changes that describe one pack's part of an image. */
function sizeOf({ collections, timers, registers }: WorldImage): number {
  const objects = collections.reduce((sum, { tombstones, count }) => sum + 2 * tombstones.length + count, 0);
  return objects + timers.timers.length + registers.reduce((sum, { entries }) => sum + entries.length, 0);
}

/**
 * Makes the empty world of one pack a copy of an image. An object's row is created when the object is read.
 * @param timers receives the timers of each created row, by number; null: not needed
 */
export function copyLater(world: WorldState, image: WorldImage, timers: Map<number, Timer> | null): void {
  const collectionOf = (tenant: string | null, resource: number): Collection =>
    world.tenants.collection(tenant, resource);
  const onRow = (row: Row): void => {
    world.timers.take(row);
    if (timers) for (const timer of row.timers) timers.set(timerKey(world, timer.seq), timer);
  };
  for (const each of image.collections) collectionOf(each.tenant, each.resource).copyLater(each, onRow);
  // Reading a row of a copy also creates its timers.
  world.timers.copyLater(image.timers, ({ resource, id, tenant }) => void collectionOf(tenant, resource).get(id));
  image.registers.forEach(({ entries }, index) => {
    for (const [key, value] of entries) world.registers[index].write(key, value);
  });
}

/** For each checkpoint that this process made, the state that it describes. */
const behind = new WeakMap<StoredEntry, WorldImage>();

/** Returns the state that a checkpoint describes; undefined if the entry is no checkpoint, or was loaded from a store. */
export function standingBehind(entry: StoredEntry): WorldImage | undefined {
  return behind.get(entry);
}

/**
 * Expresses a world as one ledger entry, which replaces all earlier ones in a fold. The entry's changes are created when they
 * are read, which is rare.
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

/** Returns everything from which a keeper can restore a world: its state, its named moments, and the journal. */
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
