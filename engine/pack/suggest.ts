import { distance } from 'fastest-levenshtein';

/**
 * The candidate that was probably meant: the same word in other case or with other separators, else the nearest within
 * a third of the word's length (one letter for the shortest words).
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const plain = normal(word);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate === word) continue;
    const other = normal(candidate);
    if (other === plain) return candidate;
    if (Math.abs(other.length - plain.length) >= bestDistance) continue;
    const away = distance(plain, other);
    // Short words are near to everything: they must share their first letter.
    if (plain.length <= 3 && plain[0] !== other[0]) continue;
    if (away < bestDistance) {
      best = candidate;
      bestDistance = away;
    }
  }
  return best;
}

function normal(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}
