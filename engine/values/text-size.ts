import { isList, isObject } from './values.js';

/** Counts the characters of a value's JSON without writing it; escaped characters count as one. Counting stops above `most`. */
export function jsonLength(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (isList(value)) {
    let length = 2;
    for (const item of value) {
      if (length > most) break;
      length += jsonLength(item, most - length) + 1;
    }
    return length;
  }
  if (!isObject(value)) return 5;
  let length = 2;
  // `for ... in` finds own members only, since inherited members of JSON values aren't enumerable.
  for (const key in value) {
    const member: unknown = value[key];
    if (member === undefined) continue;
    if (length > most) break;
    length += key.length + 4 + jsonLength(member, most - length);
  }
  return length;
}
