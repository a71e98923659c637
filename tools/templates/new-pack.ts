import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installedFiles } from '../../engine/pack/index.js';
import { installation } from '../command/installation.js';

/** Folder with the files of new packs, by kind of API. */
const KINDS = 'tools/templates/kinds';

/** Lists the kinds of API for which a new pack can be created. */
export function packKinds(): string[] {
  return readdirSync(join(installation(), KINDS)).sort();
}

/** Returns the files of a new pack: a small working pack with an example. @param kind one of `packKinds` */
export function newPack(name: string, kind = 'rest'): Record<string, string> {
  const files = [...installedFiles(`${KINDS}/${kind}`)].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(files.map(([path, bytes]) => [path, String(bytes).replaceAll('new-pack', name)]));
}

/** Returns the sort key of a file, so that files to read first come first. */
function rank(path: string): number {
  const at = ['pack.yaml', 'errors.yaml'].indexOf(path);
  return at < 0 ? (path.startsWith('resources/') ? 2 : 3) : at;
}
