import { checkpointOf, standingOf } from './image.js';
import type { JournalRecord } from './journal.js';
import type { Positions } from './ledger.js';
import { World, type WorldConfig } from './world.js';

/** Where a world branches off from another one. */
export interface WorldFork {
  /** The other world at that moment. Only looked at. */
  readonly past: World;
  /** The other world, whose history up to there becomes this one's too. */
  readonly source: World;
  /** From where the fork draws. */
  readonly after: Positions;
  /** What the outside had done until then. */
  readonly journal: readonly JournalRecord[];
}

/**
 * A world that begins as another one was. Values, entries and checkpoints are shared, since they never change; rows are made when
 * a collection is first looked at. A keeper is told of a world that begins at that moment.
 */
export function forkWorld({ past, source, after, journal }: WorldFork, config: WorldConfig): World {
  const world = new World({ ...config, after: undefined });
  const { t0, nowMs } = past;
  const n = past.ledger.count;
  const standsFor = {
    n,
    at: nowMs,
    command: 'fork',
    origin: 'control',
    request: null,
    trace: null,
    args: null,
  } as const;
  world.replay(
    {
      ...standsFor,
      after,
      changes: [
        { op: 'reset', t0, keep: [] },
        { op: 'clock', now: nowMs },
      ],
    },
    new Map(),
  );
  const standing = standingOf(past);
  const timed = new Set(standing.timers.map(({ row }) => row.resource));
  // Rows know their timers: whoever sees a row sees them too.
  const withTimers = (): void => world.timers.copy();
  for (const each of standing.collections)
    world.tenants
      .collection(each.tenant, each.resource)
      .copyLater(each, timed.has(each.resource) ? withTimers : () => undefined);
  world.timers.copyLater(standing.timers, ({ resource, id, tenant }) => {
    const row = world.tenants.collection(tenant, resource).get(id);
    if (!row) throw new Error(`a timer of ${id} is set, which is not there`);
    return row;
  });
  standing.registers.forEach(({ entries }, index) => {
    for (const [key, value] of entries) world.registers[index].write(key, value);
  });
  const base = checkpointOf(world, standing);
  world.ledger.branch(source.ledger, base);
  for (const [name, entry] of source.moments) if (entry <= n) world.moments.set(name, entry);
  world.restore(journal);
  config.keeper?.entry(base);
  for (const record of journal) config.keeper?.record(record, n);
  return world;
}
