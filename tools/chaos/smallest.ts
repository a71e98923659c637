/**
 * Finds the smallest part of a list that still fails, in order: without any of its items, the check passes (delta debugging, Zeller and Hildebrandt
 * 2002). Needs about n log n tries if few items matter, n squared at worst.
 * @param fails whether a part fails; the whole list does
 * @param onSmaller called with each smaller failing part
 */
export async function smallest<T>(
  all: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
  onSmaller: (part: readonly T[]) => void = () => undefined,
): Promise<readonly T[]> {
  let left = all;
  for (let parts = 2; left.length > 0;) {
    const size = Math.ceil(left.length / parts);
    const smaller = await firstFailing(left, size, fails);
    if (smaller) {
      left = smaller;
      onSmaller(left);
      parts = Math.max(parts - 1, left.length === 1 ? 1 : 2);
    } else if (size === 1) break;
    else parts = Math.min(parts * 2, left.length);
  }
  return left;
}

/** Removes each piece of a size from a list in turn, and returns the first remaining list that still fails; undefined if none does. */
async function firstFailing<T>(
  list: readonly T[],
  size: number,
  fails: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | undefined> {
  for (let at = 0; at < list.length; at += size) {
    const rest = [...list.slice(0, at), ...list.slice(at + size)];
    if (await fails(rest)) return rest;
  }
  return undefined;
}
