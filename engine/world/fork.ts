import type { Collection } from './collection.js';
import { checkpointOf, standingOf, type WorldImage } from './image.js';
import type { JournalRecord } from './journal.js';
import type { Positions } from './ledger.js';
import type { WorldConfig } from './config.js';
import { World } from './world.js';

/** Where a world branches off from another one. */
export interface Fork {
  /** The other world at that moment. Only looked at. */
  readonly past: World;
  /** The other world, whose history up to there becomes this one's too. */
  readonly source: World;
  /** From where the fork draws. */
  readonly after: Positions;
  /** As `after`, of the further packs of a company. */
  readonly afterBeside: readonly Positions[];
  /** What the outside had done until then. */
  readonly journal: readonly JournalRecord[];
}

/**
 * A world that begins as another one was. Values, entries and checkpoints are shared, since they never change; the row of an
 * object is made when it is first looked at. A keeper records a world that begins at that moment.
 */
export function forkWorld({ past, source, after, afterBeside, journal }: Fork, config: WorldConfig): World {
  const n = past.ledger.count;
  const image = standingOf(past);
  const standing = {
    ...image,
    after,
    beside: image.beside.map((each, at) => ({ ...each, after: afterBeside[at] })),
  };
  const world = worldAsOf(standing, n, config);
  const base = checkpointOf(world, standing);
  world.timeline.ledger.branch(source.timeline.ledger, base);
  for (const [name, entry] of source.moments) if (entry <= n) world.moments.set(name, entry);
  world.restore(journal);
  config.keeper?.entry(base);
  for (const record of journal) config.keeper?.record(record, n);
  return world;
}

/**
 * A world that is what another one was. What never changes is shared; the row of an object is made when it is first looked at.
 * @param n the number of the entry after which it was so
 */
export function worldAsOf(standing: WorldImage, n: number, config: WorldConfig): World {
  const world = new World({ ...config, after: undefined });
  const { pack, t0, nowMs, after, beside } = standing;
  world.replay(
    {
      ...(pack === undefined ? {} : { pack }),
      n,
      at: nowMs,
      command: 'fork',
      origin: 'control',
      request: null,
      trace: null,
      args: null,
      after,
      changes: [
        { op: 'reset', t0, keep: [] },
        { op: 'clock', now: nowMs },
        ...beside.map(({ pack = '', after }) => ({ op: 'pack' as const, pack, after })),
      ],
    },
    new Map(),
  );
  [standing, ...beside].forEach((each, at) => copyLater(world.timeline.worlds[at], each));
  return world;
}

/** Lets an empty world be what another one was, as soon as it is read. */
function copyLater(world: World, standing: WorldImage): void {
  const collectionOf = (tenant: string | null, resource: number): Collection =>
    world.tenants.collection(tenant, resource);
  for (const each of standing.collections)
    collectionOf(each.tenant, each.resource).copyLater(each, (row) => world.timers.take(row));
  // Rows have their timers: a reader of a row sees them too.
  world.timers.copyLater(standing.timers, ({ resource, id, tenant }) => void collectionOf(tenant, resource).get(id));
  standing.registers.forEach(({ entries }, index) => {
    for (const [key, value] of entries) world.registers[index].write(key, value);
  });
}
