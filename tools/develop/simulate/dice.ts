import { Random } from '../../openapi/random.js';

/** Random decisions from a seed; equal seeds give equal decisions. */
export class Dice {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** Returns a random integer from 0 up to, but excluding, a limit. */
  below(bound: number): number {
    return this.#random.below(bound);
  }

  /** Returns true with a probability. @param percent 0: never, 100: always */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** Chooses a random item. @throws RangeError if the list is empty */
  one<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('nothing to choose from');
    return items[this.below(items.length)];
  }

  /** Chooses a random item; undefined if the list is empty. */
  maybe<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : this.one(items);
  }

  /** Returns the items in random order. */
  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => [this.below(2 ** 31), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  }

  /** Chooses a random item, with probabilities in proportion to weights. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let left = this.below(items.reduce((sum, { weight }) => sum + weight, 0));
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    return this.one(items);
  }
}

/** Hashes some values (FNV-1a) to a seed for other dice. */
export function seedFrom(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join(' ')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}
