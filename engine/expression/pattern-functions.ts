import { automatonOf, BadPattern, patternProblem, spendText, type Json, asText } from '../values/index.js';

/** Cost of a pattern per character, relative to other text functions. */
const PATTERN_WEIGHT = 8;

/** Evaluates `matches(text, "pattern")`: whether the pattern matches anywhere in the text. */
export function matched(pattern: { test(text: string): boolean }, value: Json): boolean {
  const text = asText(value, 'matches()');
  spendText(text.length * PATTERN_WEIGHT);
  return pattern.test(text);
}

/** The parts of a compiled pattern that `replace_matches` and `capture` use. */
interface Finder {
  matcher(text: string): {
    find(from?: number): boolean;
    start(): number;
    end(): number;
    group(nth: number): string | null;
    groupCount(): number;
  };
}

/** Evaluates `replace_matches(text, "pattern", replacement)`. Each match costs the length of the text after it. */
export function replaceMatches(finder: Finder, value: Json, replacement: Json): Json {
  const text = asText(value, 'replace_matches()');
  const put = asText(replacement, 'replace_matches()');
  const found = finder.matcher(text);
  let made = '';
  let at = 0;
  for (;;) {
    spendText((text.length - at + 1) * PATTERN_WEIGHT);
    if (!found.find()) break;
    const groups = found.groupCount();
    made += text.slice(at, found.start());
    made += put.replace(/\$(\d)/g, (sign, nth: string) =>
      Number(nth) <= groups ? (found.group(Number(nth)) ?? '') : sign,
    );
    spendText(made.length);
    at = found.end();
  }
  return made + text.slice(at);
}

/** Evaluates `capture(text, "pattern")`: the first group of the first match, or the whole match; null if nothing matches. */
export function capture(finder: Finder, value: Json): Json {
  if (value === null) return null;
  const text = asText(value, 'capture()');
  spendText(text.length * PATTERN_WEIGHT);
  const found = finder.matcher(text);
  return found.find() ? found.group(found.groupCount() > 0 ? 1 : 0) : null;
}

/** Compiled patterns of `groups`, whose pattern isn't constant; null for invalid ones. */
const USED_PATTERNS = new Map<string, Finder | null>();

const MOST_PATTERNS = 500;

/** Evaluates `groups(text, pattern)`: the first match and its groups; null if nothing matches, or the pattern is invalid. */
export function groups(text: string, pattern: string): Json {
  spendText(text.length * PATTERN_WEIGHT + pattern.length);
  let finder = USED_PATTERNS.get(pattern);
  if (finder === undefined) {
    if (USED_PATTERNS.size >= MOST_PATTERNS) USED_PATTERNS.clear();
    finder = patternProblem(pattern) === undefined ? finderOf(pattern) : null;
    USED_PATTERNS.set(pattern, finder);
  }
  const found = finder?.matcher(text);
  if (found?.find() !== true) return null;
  return Array.from({ length: found.groupCount() + 1 }, (_, nth) => found.group(nth));
}

function finderOf(pattern: string): Finder | null {
  try {
    return automatonOf(pattern);
  } catch (error) {
    if (error instanceof BadPattern) return null;
    throw error;
  }
}
