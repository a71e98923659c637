import { distance } from 'fastest-levenshtein';

/**
 * The candidate that was probably meant: the same word in another case or with other separators, else the nearest within a
 * third of the word's length (one letter for the shortest words).
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
    const away = swapped(plain, other) ? 1 : distance(plain, other);
    // Short words resemble many others, so they must share their first letter.
    if (plain.length <= 3 && plain[0] !== other[0]) continue;
    if (away < bestDistance) {
      best = candidate;
      bestDistance = away;
    }
  }
  return best;
}

/** Returns the end of a message about an unknown name: a suggestion, or nothing. */
export function didYouMean(near: string | undefined): string {
  return near === undefined ? '' : `; did you mean '${near}'?`;
}

/** Returns the end of a message about an invalid value: the value, if it is text, and a suggestion. */
export function notThis(given: unknown, allowed: readonly string[]): string {
  return typeof given === 'string' ? `, not '${given}'${didYouMean(suggest(given, allowed))}` : '';
}

/** Whether two neighbouring letters are swapped: the most frequent mistake, though two edits. */
function swapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

function normal(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}
