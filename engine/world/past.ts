import { endOf } from '../values/index.js';
import { worldAsOf } from './fork.js';
import type { StoredEntry } from './ledger-entry.js';
import { World } from './world.js';
import { checkpointOf, standingBehind, type WorldImage } from './image.js';
import type { Timer } from './rows.js';
import type { WorldConfig } from './config.js';

/** Maximum number of earlier moments that stay in memory. */
const AT_HAND = 4;

const ONLY_LOOKED_AT = { keeper: undefined, ledgerLimit: Infinity };

/** Thrown if the ledger no longer has the entries for a moment. */
export class BeyondLedger extends Error {
  /** @param oldest the first entry whose moment can be rebuilt @param limit minimum number of entries that are kept */
  constructor(
    readonly n: number,
    readonly oldest: number,
    readonly limit: number,
  ) {
    super(
      `entry ${n} is older than what the ledger holds: it keeps at least the newest ${limit} entries, from ${oldest} on`,
    );
  }
}

/** Reads earlier moments of a world, as read-only worlds. */
export class Past {
  constructor(private readonly world: World) {}

  /**
   * Returns a world as it was after an entry (0: before the first), read-only; for the newest moment, the world itself.
   * @throws BeyondLedger
   */
  at(n: number): World {
    return endOf(this.steps(n));
  }

  /** Returns the world after an entry, one folded entry per step. Changes between steps don't affect the result. */
  *steps(n: number, entries?: readonly StoredEntry[]): Generator<void, World> {
    const { worlds, ledger, atHand } = this.world.timeline;
    const { config } = worlds[0];
    if (n === ledger.count) return this.world;
    const leading = entries ?? ledger.upTo(n);
    if (!leading) throw new BeyondLedger(n, ledger.oldest, config.ledgerLimit);
    const found = atHand.get(n) ?? this.#near(leading) ?? (yield* foldSteps(leading, { ...config, ...ONLY_LOOKED_AT }));
    this.hold(n, found);
    return found.timeline.worlds[worlds.indexOf(this.world)];
  }

  /** Reads a recent moment by undoing the entries after it and redoing them; undefined: not possible. */
  #near(leading: readonly StoredEntry[]): World | undefined {
    // For a checkpoint itself, no entry has to be undone.
    const last = leading.length > 1 ? leading.at(-1) : undefined;
    const standing = last && this.world.standingAt(last);
    return standing && worldAsOf(standing, last.n, { ...this.world.config, ...ONLY_LOOKED_AT });
  }

  /** Returns the world as it was after an entry, if that needs no fold; undefined: the moment isn't in memory. */
  atHand(n: number): World | undefined {
    const { worlds, ledger, atHand } = this.world.timeline;
    if (n === ledger.count) return this.world;
    if (!ledger.reaches(n)) return undefined;
    return atHand.get(n)?.timeline.worlds[worlds.indexOf(this.world)];
  }

  /** Keeps the world at a moment in memory, and drops the oldest beyond `AT_HAND`. */
  hold(n: number, { timeline }: World): void {
    const { atHand } = this.world.timeline;
    if (n === this.world.ledger.count) return;
    atHand.delete(n);
    atHand.set(n, timeline.worlds[0]);
    for (const oldest of atHand.keys()) {
      if (atHand.size <= AT_HAND) break;
      atHand.delete(oldest);
    }
  }

  /** Drops all moments in memory. @returns whether there were any */
  forget(): boolean {
    const { atHand } = this.world.timeline;
    const any = atHand.size > 0;
    atHand.clear();
    return any;
  }
}

/** Arguments of `foldLedger` besides the entries. */
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

/** Rebuilds a world from its ledger, one entry per step (`foldLedger` takes all steps). */
function* foldSteps(
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

/** Rebuilds a world from a checkpoint that this process made, whose state is shared; one entry per step. */
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
