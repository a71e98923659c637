import { Random } from '../../openapi/random.js';

/** Decisions that a seed makes: the same seed, the same decisions. */
export class Dice {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** An integer below a bound. */
  below(bound: number): number {
    return this.#random.below(bound);
  }

  /** @param percent 0: never, 100: always */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** @throws RangeError when there is nothing to choose from */
  one<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('nothing to choose from');
    return items[this.below(items.length)];
  }

  /** One of the items; undefined when there is none. */
  maybe<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : this.one(items);
  }

  /** The items in another order. */
  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => [this.below(2 ** 31), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  }

  /** One of the items, the heavier the likelier. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let left = this.below(items.reduce((sum, { weight }) => sum + weight, 0));
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    return this.one(items);
  }
}

/** A number that depends on its parts only (FNV-1a), to seed further dice with. */
export function seedFrom(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join(' ')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}
