import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Exit, Failure } from './output.js';

let root: string | undefined;

/** Finds the folder with package.json and `packs/`, upwards from the sources or the build. */
export function installation(): string {
  if (root !== undefined) return root;
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return (root = folder);
}

/** Reads the version from package.json. */
export function ownVersion(): string {
  const file: unknown = JSON.parse(readFileSync(join(installation(), 'package.json'), 'utf8'));
  return typeof file === 'object' && file !== null && 'version' in file ? String(file.version) : 'unknown';
}

/** Lists the folders of packs in a folder; empty if the folder doesn't exist. */
export function packsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'pack.yaml')));
  return names.sort().map((name) => join(folder, name));
}

/** Lists every pack in `packs/` of the working directory, or else the bundled ones. */
export function allPacks(cwd = process.cwd()): string[] {
  const here = packsIn(join(cwd, 'packs'));
  return here.length > 0 ? here : packsIn(join(installation(), 'packs'));
}

/** Finds the folder of a pack, given as a path or the name of a bundled pack. @throws Failure if there is none */
export async function findPack(given: string): Promise<string> {
  const candidates = [resolve(given), resolve(installation(), given), join(installation(), 'packs', given)];
  const found =
    candidates.find((folder) => existsSync(join(folder, 'pack.yaml'))) ??
    candidates.find((folder) => existsSync(folder));
  if (found !== undefined) return found;
  const { noSuchPack } = await import('../../engine/pack/index.js');
  const { message, advice } = noSuchPack(given, true);
  throw new Failure(Exit.cannotRun, 'pack_not_found', message, advice);
}

/** Whether a name means a company file instead of a pack. */
export function isCompanyFile(name: string): boolean {
  return /\.ya?ml$/.test(name);
}

/** Formats a folder relative to the working directory, with a trailing `/`. */
export function shownFolder(folder: string): string {
  const path = relative(process.cwd(), folder);
  if (path === '') return './';
  return `${(path.startsWith('..') || isAbsolute(path) ? folder : path).replaceAll('\\', '/')}/`;
}
