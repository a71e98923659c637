import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './root.js';
import { folderOfTest } from './scratch-folder.js';

const SAMPLES = join(ROOT, 'test', 'samples/');

/** Changes to a pack: contents by file name; null removes a file. */
export type Changes = Readonly<Record<string, string | null>>;

/** A pack with its files, and functions that create variations of it. */
export interface SamplePack {
  /** Path of the unchanged pack. */
  readonly folder: string;
  /** Contents by file name, such as `resources/order.yaml`. */
  readonly files: Readonly<Record<string, string>>;
  /** Writes the pack with some changed files, and returns the folder, which is removed after the tests of the file. */
  write(changes?: Changes): string;
  /** Replaces texts in a file, and returns the result as a change. @throws Error if a text isn't in the file */
  patched(file: string, ...replacements: readonly (readonly [string, string])[]): Record<string, string>;
}

/** Reads the pack in a folder of `test/samples/`. */
export function samplePack(name: string): SamplePack {
  return packIn(join(SAMPLES, name));
}

/** Reads the pack in a folder. */
export function packIn(folder: string): SamplePack {
  const files = textsIn(folder);
  return {
    folder,
    files,
    write: (changes = {}) => writePack({ ...files, ...changes }),
    patched: (file, ...replacements) => ({ [file]: replaced(file, files[file], replacements) }),
  };
}

/** Writes a pack to a new folder, and returns the folder, which is removed after the tests of the file. */
export function writePack(files: Changes): string {
  const folder = folderOfTest();
  for (const [name, text] of Object.entries(files)) {
    if (text === null) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The smallest valid pack: a name and the required errors. */
export const minimal = samplePack('minimal');

/** Files by name that are added to the minimal pack, or replace its files; the content of `pack.yaml` is appended to the existing one. */
export type PackFiles = Readonly<Record<string, string>>;

/** Writes the minimal pack with additional files and errors, and returns the folder, which is removed after the tests of the file. */
export function packFolder(files: PackFiles, errors = ''): string {
  return minimal.write({
    'errors.yaml': `${minimal.files['errors.yaml']}${errors}`,
    ...files,
    'pack.yaml': `${minimal.files['pack.yaml']}${files['pack.yaml'] ?? ''}`,
  });
}

function textsIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function replaced(file: string, text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`${file} has no '${from}'`);
    return changed.replace(from, () => to);
  }, text);
}
