import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './root.js';
import { folderOfTest } from './scratch-folder.js';

const SAMPLES = join(ROOT, 'test', 'samples/');

/** What to change in a pack: texts by the names of their files; null removes a file. */
export type Changes = Readonly<Record<string, string | null>>;

/** A pack, and folders with variations of it. */
export interface SamplePack {
  /** The folder of the pack itself. */
  readonly folder: string;
  /** Texts by the names of their files, such as `resources/order.yaml`. */
  readonly files: Readonly<Record<string, string>>;
  /** Writes the pack with some files changed and gives the folder, which is gone after the tests of the file. */
  write(changes?: Changes): string;
  /** One file with texts replaced, as a change. @throws Error when a text is not there */
  patched(file: string, ...replacements: readonly (readonly [string, string])[]): Record<string, string>;
}

/** The pack of a folder of `test/samples/`. */
export function samplePack(name: string): SamplePack {
  return packIn(join(SAMPLES, name));
}

/** The pack of a folder. */
export function packIn(folder: string): SamplePack {
  const files = textsIn(folder);
  return {
    folder,
    files,
    write: (changes = {}) => writePack({ ...files, ...changes }),
    patched: (file, ...replacements) => ({ [file]: replaced(file, files[file], replacements) }),
  };
}

/** Writes a pack and gives its folder, which is gone after the tests of the file. */
export function writePack(files: Changes): string {
  const folder = folderOfTest();
  for (const [name, text] of Object.entries(files)) {
    if (text === null) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A pack with a name and the errors that every pack needs, and nothing else. */
export const minimal = samplePack('minimal');

/** Files of a pack by name, beside or instead of those of the minimal pack; text for `pack.yaml` is added to its head. */
export type PackFiles = Readonly<Record<string, string>>;

/** Writes the minimal pack with these files, with more errors beside the usual ones; gives the folder, which is gone after the tests of the file. */
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
