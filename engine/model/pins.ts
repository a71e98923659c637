import type { ResourceDef } from './resource.js';

/** Lists the pin paths that a resource declares, including `branch` if it has branches. */
export function pinPathsOf(def: ResourceDef): string[] {
  return [...Object.keys(def.file.pins ?? {}), ...(def.file.branches ? ['branch'] : [])];
}

/** Whether a path can be pinned: the resource declares the path, or declares `path.*` of its parent. */
export function isPinnable(def: ResourceDef, path: string): boolean {
  const paths = pinPathsOf(def);
  return (
    paths.includes(path) ||
    paths.some((each) => each.endsWith('.*') && path.startsWith(each.slice(0, -1)) && path.length >= each.length)
  );
}
