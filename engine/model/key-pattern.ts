import { automatonOf, lazy } from '../values/index.js';
import type { KeyPattern } from './settings.js';

/**
 * Extracts a key from a header or parameter: the first group of a pattern. A text without blanks that doesn't match the pattern
 * is a key by itself, as in the sandbox's own calls. Null without a pattern.
 */
export function keyPattern(source: string | undefined): KeyPattern | null {
  if (source === undefined) return null;
  // Compiled on first use. Linking has reported invalid patterns by then.
  const automaton = lazy(() => automatonOf(source));
  return (text) => {
    const found = automaton().matcher(text);
    if (found.find()) return found.group(found.groupCount() > 0 ? 1 : 0) ?? undefined;
    return text === '' || /\s/.test(text) ? undefined : text;
  };
}
