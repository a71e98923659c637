import { endOf } from '../values/index.js';
import { worldAsOf } from './fork.js';
import { checkpointOf, standingBehind, type WorldImage } from './image.js';
import type { StoredEntry } from './ledger-entry.js';
import type { Timer } from './rows.js';
import type { WorldConfig } from './config.js';
import { World } from './world.js';

/** What `foldLedger` needs besides entries. */
export interface Folding {
  /** The checkpoint after which the entries begin. */
  readonly base?: StoredEntry;
  /** Numbers of entries with a named moment, which stay available however old they get. */
  readonly named?: ReadonlySet<number>;
}

/**
 * Rebuilds a world from its ledger: objects, timers, control data, clock, and positions of the random streams. What happened
 * outside of the world is in the journal instead. Entries may be parsed JSON.
 * @param entries all entries of a world, all since a checkpoint, or all since an entry that empties the world
 * @param config of the world; entries keep their numbers
 * @throws RangeError if the beginning is missing
 */
export function foldLedger(entries: readonly StoredEntry[], config: WorldConfig, folding: Folding = {}): World {
  return endOf(foldSteps(entries, config, folding));
}

/** Like `foldLedger`, one entry at a time. */
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

/** Like `foldSteps`, from a checkpoint that this process made: its state is shared instead of rebuilt. */
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

/** Whether an entry marks a later state of the pack, which earlier entries may not fit. */
function isRenewal({ changes: [first] }: StoredEntry): boolean {
  return first?.op === 'reset' && first.renewed === true;
}

function emptiesAll({ changes: [first] }: StoredEntry): boolean {
  return first?.op === 'reset' && first.keep.length === 0;
}
