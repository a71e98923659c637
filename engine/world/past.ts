import { foldLedger } from './fold.js';
import type { StoredEntry } from './ledger.js';
import type { World } from './world.js';

/** How many earlier moments are kept at hand. */
const AT_HAND = 4;

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
  /** @throws BeyondLedger when the world as it was after an entry is not known any more */
  check(n: number): void {
    if (n !== this.world.ledger.count) this.#leadingTo(n);
  }

  #leadingTo(n: number): readonly StoredEntry[] {
    const { ledger, config } = this.world;
    const entries = ledger.upTo(n);
    if (!entries) throw new BeyondLedger(n, ledger.oldest, config.ledgerLimit);
    return entries;
  }

  readonly #atHand = new Map<number, World>();

  constructor(private readonly world: World) {}

  /**
   * The world as it was after an entry; 0: before the first. Not to be changed. The world itself is its newest moment.
   * @throws BeyondLedger
   */
  at(n: number): World {
    const { ledger, config } = this.world;
    if (n === ledger.count) return this.world;
    const entries = this.#leadingTo(n);
    const found = this.#atHand.get(n) ?? foldLedger(entries, { ...config, keeper: undefined, ledgerLimit: Infinity });
    this.#atHand.delete(n);
    this.#atHand.set(n, found);
    for (const oldest of this.#atHand.keys()) {
      if (this.#atHand.size <= AT_HAND) break;
      this.#atHand.delete(oldest);
    }
    return found;
  }
}
