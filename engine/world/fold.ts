import { endOf } from '../values/index.js';
import { worldAsOf } from './fork.js';
import { checkpointOf, standingBehind, type WorldImage } from './image.js';
import type { StoredEntry } from './ledger.js';
import type { Timer } from './rows.js';
import type { WorldConfig } from './config.js';
import { World } from './world.js';

/** What a fold receives besides. */
export interface Folding {
  /** A checkpoint that the entries come after. */
  readonly base?: StoredEntry;
  /** Numbers of entries after which the world is to be known however old that gets. */
  readonly named?: ReadonlySet<number>;
}

/**
 * The world that a ledger adds up to: objects, timers, control data, clock, and the positions from which it continues drawing.
 * What the outside did is in the journal. Entries may have been JSON in between.
 * @param entries all of a world's life, all since a checkpoint, or all since an entry that empties the world
 * @param config that of the world; its numbering is the entries' own
 * @throws RangeError when the beginning is missing
 */
export function foldLedger(entries: readonly StoredEntry[], config: WorldConfig, folding: Folding = {}): World {
  return endOf(foldSteps(entries, config, folding));
}

/** As `foldLedger`, an entry at a time. */
export function* foldSteps(
  entries: readonly StoredEntry[],
  config: WorldConfig,
  { base, named }: Folding = {},
): Generator<void, World> {
  const standing = entries.length === 0 ? undefined : standingBehind(entries[0]);
  if (standing) return yield* foldBehind(standing, entries, config);
  const world = new World({ ...config, after: undefined });
  const timers = new Map<number, Timer>();
  const renewed = entries.findLastIndex(isRenewal);
  const first = entries.at(Math.max(renewed, 0));
  if (base && renewed < 0) yield* world.beginSteps(base, timers);
  else if (first && first.n !== 1) {
    if (!emptiesAll(first)) throw new RangeError(`the ledger is not whole: it begins at ${first.n}`);
    world.timeline.ledger.beginAfter(first.n - 1);
  }
  for (const [index, entry] of entries.entries()) {
    yield* world.replaySteps(entry, index < renewed ? undefined : timers);
    if (named?.has(entry.n) && index >= renewed) world.timeline.ledger.pin(checkpointOf(world));
    yield;
  }
  return world;
}

/** What a checkpoint stands for is shared, not put together again. */
function* foldBehind(
  standing: WorldImage,
  [checkpoint, ...entries]: readonly StoredEntry[],
  config: WorldConfig,
): Generator<void, World> {
  const timers = new Map<number, Timer>();
  const world = worldAsOf(standing, checkpoint.n, config, timers);
  for (const entry of entries) {
    yield* world.replaySteps(entry, timers);
    yield;
  }
  return world;
}

/** What was before may be of another state of the pack. */
function isRenewal({ changes: [first] }: StoredEntry): boolean {
  return first?.op === 'reset' && first.renewed === true;
}

function emptiesAll({ changes: [first] }: StoredEntry): boolean {
  return first?.op === 'reset' && first.keep.length === 0;
}
