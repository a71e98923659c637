/** Lists the paths of pins at or below a path, outer ones first. */
export function pathsWithin(pins: readonly { readonly path: string }[], path: string): string[] {
  const paths = new Set(pins.map((pin) => pin.path).filter((each) => each === path || each.startsWith(`${path}.`)));
  return [...paths].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** Returns the keys that lead from a path to a path below it. */
export function keysBelow(path: string, below: string): string[] {
  return below === path
    ? []
    : below
        .slice(path.length + 1)
        .replace(/\[(\d+)\]/g, '.$1')
        .split('.');
}
