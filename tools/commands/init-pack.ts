import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { shownFolder } from '../command/installation.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { suggest } from '../../engine/pack/index.js';
import { newPack, packKinds } from '../templates/new-pack.js';
import { schemaLine } from '../templates/schema-line.js';

/** The parsed options of `sandbox init-pack`. */
export interface InitOptions {
  readonly quiet?: boolean;
  /** The kind of API; `rest` by default. */
  readonly kind?: string;
}

/**
 * Writes a small valid pack and returns the exit code.
 * @param given a name (below packs/) or a folder
 * @throws Failure for an invalid name or kind, or an existing target
 */
export function initPack(given: string, { quiet, kind = 'rest' }: InitOptions, output: Output): number {
  const folder = resolve(/[\\/]/.test(given) ? given : join('packs', given));
  const name = basename(folder);
  if (!/^[a-z][a-z0-9-]*$/.test(name)) {
    throw new Failure(
      Exit.cannotRun,
      'name_invalid',
      `'${name}' cannot be the name of a pack`,
      'A name has small letters, digits and -.',
    );
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Failure(
      Exit.cannotRun,
      'folder_exists',
      `${shownFolder(folder)} already exists and is not empty`,
      'Give another name, or a folder: sandbox init-pack ./elsewhere/bikes.',
    );
  }
  const kinds = packKinds();
  if (!kinds.includes(kind)) {
    const near = suggest(kind, kinds);
    throw new Failure(
      Exit.cannotRun,
      'kind_unknown',
      `there is no kind '${kind}'${near === undefined ? '' : ` (did you mean '${near}'?)`}`,
      `A kind is one of: ${kinds.join(', ')}.`,
    );
  }
  const files = newPack(name, kind);
  writeFiles(folder, files);
  if (quiet) return Exit.done;
  const shown = shownFolder(folder).replace(/\/$/, '');
  for (const path of Object.keys(files)) output.print(`${shown}/${path}`);
  output.print('');
  output.print(`sandbox validate-pack ${shown} --examples   check it, run its example`);
  output.print(`sandbox serve ${shown} --watch              serve it; what you save is live`);
  return Exit.done;
}

/** Writes a pack's files, each with a first line that names its schema for editors. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    const first = schemaLine(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, first === undefined ? text : `${first}\n${text}`);
  }
}
