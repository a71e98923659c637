import type { TextPattern } from '../values/index.js';

/** A pattern of names: `*` stands for any characters. Takes time that is linear in both for what people write. */
export function glob(pattern: string): TextPattern {
  const [first, ...others] = pattern.split('*');
  const last = others.pop();
  const middle = others.filter((part) => part !== '');
  const test = (text: string): boolean => {
    if (last === undefined) return text === first;
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    // The leftmost place for each part leaves the most room for those behind it.
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
