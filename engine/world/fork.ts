import { checkpointOf, standingOf, type WorldImage } from './image.js';
import type { JournalRecord } from './journal.js';
import type { Positions } from './ledger.js';
import type { WorldConfig } from './config.js';
import type { Timer } from './rows.js';
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
 * @param timers gets those of each row that is made, by their numbers; null: who asks needs none
 */
export function worldAsOf(
  standing: WorldImage,
  n: number,
  config: WorldConfig,
  timers: Map<number, Timer> | null = null,
): World {
  const world = new World({ ...config, after: undefined });
  world.timeline.ledger.beginAfter(n);
  world.become(standing, timers);
  return world;
}
