/** The paths of pins at or below a path, outer ones first. */
export function pathsWithin(pins: readonly { readonly path: string }[], path: string): string[] {
  const paths = new Set(pins.map((pin) => pin.path).filter((each) => each === path || each.startsWith(`${path}.`)));
  return [...paths].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** The keys from a path to one below it. */
export function keysBelow(path: string, below: string): string[] {
  return below === path
    ? []
    : below
        .slice(path.length + 1)
        .replace(/\[(\d+)\]/g, '.$1')
        .split('.');
}
