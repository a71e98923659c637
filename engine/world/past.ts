import { endOf } from '../values/index.js';
import { foldSteps } from './fold.js';
import { worldAsOf } from './fork.js';
import type { StoredEntry } from './ledger-entry.js';
import type { World } from './world.js';

/** Number of earlier moments kept in memory. */
const AT_HAND = 4;

const ONLY_LOOKED_AT = { keeper: undefined, ledgerLimit: Infinity };

/** Thrown if the ledger no longer reaches a moment. */
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

/** Earlier moments of a world, as read-only worlds. */
export class Past {
  constructor(private readonly world: World) {}

  /**
   * The world after an entry (0: before the first), read-only. The newest moment is the world itself.
   * @param entries the ledger's entries up to there, if they were read already
   * @throws BeyondLedger
   */
  at(n: number, entries?: readonly StoredEntry[]): World {
    return endOf(this.steps(n, entries));
  }

  /** Like `at`, one entry at a time. Changes of the world in the meantime don't affect the result. */
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

  /** A near moment is read by rolling the world back and forward again. */
  #near(leading: readonly StoredEntry[]): World | undefined {
    // A checkpoint alone needs no rollback.
    const last = leading.length > 1 ? leading.at(-1) : undefined;
    const standing = last && this.world.standingAt(last);
    return standing && worldAsOf(standing, last.n, { ...this.world.config, ...ONLY_LOOKED_AT });
  }

  /** Like `at`, if nothing has to be folded; undefined if the moment isn't in memory. */
  atHand(n: number): World | undefined {
    const { worlds, ledger, atHand } = this.world.timeline;
    if (n === ledger.count) return this.world;
    if (!ledger.reaches(n)) return undefined;
    return atHand.get(n)?.timeline.worlds[worlds.indexOf(this.world)];
  }

  /** Keeps a moment in memory; only the newest few stay. */
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

  /** Drops the moments in memory. @returns whether there were any */
  forget(): boolean {
    const { atHand } = this.world.timeline;
    const any = atHand.size > 0;
    atHand.clear();
    return any;
  }
}
