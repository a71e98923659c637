import type { CollectionStanding } from './collection.js';
import type { Checkpoint, StoredRecord } from './journal.js';
import { NEVER, type StoredChange, type StoredEntry } from './ledger.js';
import type { Timer } from './timers.js';
import { ofTenant } from './transaction.js';
import type { World } from './world.js';

/** A world at one moment: references to what never changes, so that it can be told or copied later. */
export interface WorldImage {
  readonly t0: number;
  readonly nowMs: number;
  /** Those of no tenant first, by the numbers of their resources. */
  readonly collections: readonly CollectionStanding[];
  readonly timers: readonly Timer[];
  readonly registers: readonly { readonly name: string; readonly entries: readonly (readonly [string, unknown])[] }[];
}

/** O(objects) references. */
export function standingOf(world: World): WorldImage {
  return {
    t0: world.t0,
    nowMs: world.nowMs,
    collections: [...world.collections, ...world.tenants.collections()].map((collection) => collection.standing()),
    timers: world.timers.standing(),
    registers: world.registers.map((each) => ({ name: each.name, entries: [...each.entries()] })),
  };
}

function changesOf({ t0, nowMs, collections, timers, registers }: WorldImage): StoredChange[] {
  const changes: StoredChange[] = [
    { op: 'reset', t0, keep: [] },
    { op: 'clock', now: nowMs },
  ];
  for (const owner of collections) {
    const { name, stones, rows, values, sources } = owner;
    // Put and deleted again, a stone stands where it stood.
    for (const [id, { seq, value }] of stones)
      changes.push(ofTenant({ op: 'put', collection: name, id, seq, value }, owner));
    for (const [id] of stones) changes.push(ofTenant({ op: 'delete', collection: name, id }, owner));
    rows.forEach(({ id, seq }, at) => {
      const [value, from] = [values[at], sources.get(at)];
      changes.push(
        ofTenant(
          from === undefined
            ? { op: 'put', collection: name, id, seq, value }
            : { op: 'put', collection: name, id, seq, value, from },
          owner,
        ),
      );
    });
  }
  for (const { row, trigger, due, seq, line } of [...new Set(timers)].sort((a, b) => a.seq - b.seq)) {
    const { name } = collections[row.resource];
    changes.push(
      ofTenant({ op: 'arm', collection: name, id: row.id, trigger, due, seq, ...(line === null ? {} : { line }) }, row),
    );
  }
  for (const { name, entries } of registers) {
    for (const [key, value] of entries)
      changes.push({ op: 'set', register: name, key, value: value === Infinity ? NEVER : value });
  }
  return changes;
}

/**
 * A world as changes to whatever was there before: a reset, and everything that is true. O(world) references, since values
 * never change.
 */
export function imageOf(world: World): StoredChange[] {
  return changesOf(standingOf(world));
}

/** As `imageOf`, written when somebody asks; how many changes there will be is known at once. */
export function lateImageOf(world: World): { readonly changes: () => StoredChange[]; readonly size: number } {
  const standing = standingOf(world);
  const { collections, registers } = standing;
  const size =
    2 +
    collections.reduce((sum, { stones, rows }) => sum + 2 * stones.length + rows.length, 0) +
    new Set(standing.timers).size +
    registers.reduce((sum, { entries }) => sum + entries.length, 0);
  let changes: StoredChange[] | undefined;
  return { size, changes: () => (changes ??= changesOf(standing)) };
}

/**
 * A world as one entry, from which a fold can begin: it stands for all entries up to the world's last. Its changes are written
 * when somebody asks for them, which most never do; what they tell is that of this moment.
 */
export function checkpointOf(world: World, standing = standingOf(world)): StoredEntry {
  let changes: StoredChange[] | undefined;
  return {
    n: world.ledger.count,
    at: world.nowMs,
    command: 'checkpoint',
    origin: 'control',
    request: null,
    trace: null,
    args: null,
    after: world.positions,
    get changes() {
      return (changes ??= changesOf(standing));
    },
  };
}

/** All that a keeper has to know of a world: itself, its saved moments, and what the outside did. */
export function wholeOf(world: World): Checkpoint {
  const moments = [...world.moments].map(([name, entry]): StoredRecord => ({ kind: 'moment', name, entry }));
  const requests = world.requestStream.position;
  const traces = world.traces
    .newest(Infinity)
    .reverse()
    .map((trace): StoredRecord => ({ kind: 'trace', trace, requests }));
  return {
    base: { ...checkpointOf(world), args: world.remarks() },
    moments: world.ledger.pinned(),
    journal: [...world.journal.kept().filter(({ kind }) => kind !== 'moment'), ...moments, ...traces],
  };
}
