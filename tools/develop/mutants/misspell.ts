import type { Random } from '../../openapi/random.js';

/** Adds a typing error to a word: two letters swapped, one left out, one doubled. */
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
