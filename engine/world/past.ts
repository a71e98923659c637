import { endOf } from '../values/index.js';
import { foldSteps } from './fold.js';
import { worldAsOf } from './fork.js';
import type { StoredEntry } from './ledger.js';
import type { World } from './world.js';

/** How many earlier moments are kept at hand. */
const AT_HAND = 4;

const ONLY_LOOKED_AT = { keeper: undefined, ledgerLimit: Infinity };

/** The ledger no longer holds what leads to a moment. */
export class BeyondLedger extends Error {
  /**
   * @param oldest the first entry whose moment is still known
   * @param limit how many entries are kept at least
   */
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

/** Earlier moments of a world, as worlds to look at. */
export class Past {
  constructor(private readonly world: World) {}

  /**
   * The world as it was after an entry; 0: before the first. Not to be changed. The world itself is its newest moment.
   * @param entries what the ledger has up to there, where it was read already
   * @throws BeyondLedger
   */
  at(n: number, entries?: readonly StoredEntry[]): World {
    return endOf(this.steps(n, entries));
  }

  /** As `at`, an entry at a time. Whatever happens meanwhile, a moment stays what it was. */
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

  /** A moment that isn't far: the world goes there and returns. */
  #near(leading: readonly StoredEntry[]): World | undefined {
    // A checkpoint alone is there already.
    const last = leading.length > 1 ? leading.at(-1) : undefined;
    const standing = last && this.world.standingAt(last);
    return standing && worldAsOf(standing, last.n, { ...this.world.config, ...ONLY_LOOKED_AT });
  }

  /** As `at`, where nothing must be folded; undefined: it isn't at hand. */
  atHand(n: number): World | undefined {
    const { worlds, ledger, atHand } = this.world.timeline;
    if (n === ledger.count) return this.world;
    if (!ledger.reaches(n)) return undefined;
    return atHand.get(n)?.timeline.worlds[worlds.indexOf(this.world)];
  }

  /** Keeps a moment at hand, as the newest of a few. */
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

  /** Lets the moments at hand go. @returns whether there were any */
  forget(): boolean {
    const { atHand } = this.world.timeline;
    const any = atHand.size > 0;
    atHand.clear();
    return any;
  }
}
