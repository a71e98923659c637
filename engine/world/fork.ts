import { checkpointOf, standingOf, type WorldImage } from './image.js';
import type { JournalRecord } from './journal.js';
import type { Positions } from './ledger-entry.js';
import type { WorldConfig } from './config.js';
import type { Timer } from './rows.js';
import { World } from './world.js';

/** From which moment of which world a fork starts, and where its random streams continue. */
export interface Fork {
  /** The original world at the moment of the fork; read-only. */
  readonly past: World;
  /** The original world, whose history up to the fork's moment becomes the fork's. */
  readonly source: World;
  /** Positions at which the fork's random streams start. */
  readonly after: Positions;
  /** Positions at which the random streams of the company's other packs start. */
  readonly afterBeside: readonly Positions[];
  /** The original's journal up to the moment of the fork. */
  readonly journal: readonly JournalRecord[];
}

/**
 * Creates a fork of a world. Values, entries and checkpoints are shared, since they are immutable; an object's row is created
 * when it is first read. The fork's keeper gets a world that starts at the moment of the fork.
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
 * Creates a world with the state of another one. Immutable parts are shared; an object's row is created when it is first read.
 * @param n number of the entry after which the state is taken
 * @param timers receives the timers of each created row, by number; null: not needed
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
