/** A small generator of random numbers, so that a seed gives the same mutants again (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer below a bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : items[this.below(items.length)];
  }
}

/** A word with one slip of the fingers: two letters swapped, one left out, one doubled. */
export function misspell(word: string, random: Random): string {
  const letters = [...word.matchAll(/[A-Za-z]/g)].map(({ index }) => index);
  for (let tries = 0; tries < 20 && letters.length > 1; tries++) {
    const at = letters[random.below(letters.length - 1)];
    const way = random.below(3);
    const made =
      way === 0
        ? word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
        : way === 1
          ? word.slice(0, at) + word.slice(at + 1)
          : word.slice(0, at) + word[at] + word.slice(at);
    if (made !== word && /^[A-Za-z_]/.test(made)) return made;
  }
  return `${word}x`;
}
