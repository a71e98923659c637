import type { TextPattern } from '../values/index.js';

/** Compiles a pattern of names: `*` matches any characters. Takes linear time for usual patterns. */
export function glob(pattern: string): TextPattern {
  const [first, ...others] = pattern.split('*');
  const last = others.pop();
  const middle = others.filter((part) => part !== '');
  const test = (text: string): boolean => {
    if (last === undefined) return text === first;
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    // Each part is matched as far left as possible, which leaves the most room for the next parts.
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= text.length - last.length;
  };
  return { source: pattern, test };
}
