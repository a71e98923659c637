import type { Checkpoint, KeptRecord } from './journal.js';
import { NEVER, type StoredChange, type StoredEntry } from './ledger.js';
import type { World } from './world.js';

/**
 * A world as changes to whatever was there before: a reset, and everything that is true. O(world) references, since values
 * never change.
 */
export function imageOf(world: World): StoredChange[] {
  const changes: StoredChange[] = [
    { op: 'reset', t0: world.t0, keep: [] },
    { op: 'clock', now: world.nowMs },
  ];
  for (const collection of world.collections) {
    const { name } = collection.config;
    // Put and deleted again, a stone stands where it stood.
    const stones = [...collection.tombstones()];
    for (const [id, { seq, value }] of stones) changes.push({ op: 'put', collection: name, id, seq, value });
    for (const [id] of stones) changes.push({ op: 'delete', collection: name, id });
    for (const { id, seq, value, provenance } of collection.ordered().all()) {
      changes.push({
        op: 'put',
        collection: name,
        id,
        seq,
        value,
        ...(provenance === null ? {} : { from: provenance }),
      });
    }
  }
  for (const { row, trigger, due, seq } of world.timers.list().sort((a, b) => a.seq - b.seq)) {
    const collection = world.collections[row.resource].config.name;
    changes.push({ op: 'arm', collection, id: row.id, trigger, due, seq });
  }
  for (const register of world.registers) {
    for (const [key, value] of register.entries())
      changes.push({ op: 'set', register: register.name, key, value: value === Infinity ? NEVER : value });
  }
  return changes;
}

/** A world as one entry, from which a fold can begin: it stands for all entries up to the world's last. */
export function checkpointOf(world: World): StoredEntry {
  return {
    n: world.ledger.count,
    at: world.nowMs,
    command: 'checkpoint',
    origin: 'control',
    request: null,
    trace: null,
    args: null,
    after: world.positions,
    changes: imageOf(world),
  };
}

/** All that a keeper has to know of a world: itself, its saved moments, and what the outside did. */
export function wholeOf(world: World): Checkpoint {
  const moments = [...world.moments].map(([name, entry]): KeptRecord => ({ kind: 'moment', name, entry }));
  const requests = world.requestStream.position;
  const traces = world.traces
    .newest(Infinity)
    .reverse()
    .map((trace): KeptRecord => ({ kind: 'trace', trace, requests }));
  return {
    base: { ...checkpointOf(world), args: world.remarks() },
    moments: world.ledger.pinned(),
    journal: [...world.journal.kept().filter(({ kind }) => kind !== 'moment'), ...moments, ...traces],
  };
}
