import { automatonOf, lazy } from '../values/index.js';
import type { KeyPattern } from './settings.js';

/**
 * Finds the key inside of a header or parameter: the first group of a pattern. A text without blanks that the pattern doesn't match
 * is a key by itself, as the sandbox's own calls bring it. Null without a pattern.
 */
export function keyPattern(source: string | undefined): KeyPattern | null {
  if (source === undefined) return null;
  // Compiled when first used; a pattern that can't be used has been reported by then.
  const automaton = lazy(() => automatonOf(source));
  return (text) => {
    const found = automaton().matcher(text);
    if (found.find()) return found.group(found.groupCount() > 0 ? 1 : 0) ?? undefined;
    return text === '' || /\s/.test(text) ? undefined : text;
  };
}
