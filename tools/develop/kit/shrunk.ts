/**
 * Shortens a list: removes many items at a time and then fewer, as long as `isSame` is true for the rest. @param most maximum number of calls of
 * `isSame`
 */
export async function shrunk<T>(
  items: readonly T[],
  most: number,
  isSame: (rest: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = items;
  let runs = 0;
  for (let size = Math.ceil(left.length / 2); size >= 1 && runs < most; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let at = 0; at < left.length && runs < most; runs++) {
      const rest = [...left.slice(0, at), ...left.slice(at + size)];
      if (await isSame(rest)) left = rest;
      else at += size;
    }
  }
  return left;
}
