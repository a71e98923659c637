import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { loadPack } from '../../engine/index.js';
import { shownFolder } from '../installation.js';
import { importDocument, readDocument } from '../openapi/index.js';
import { Exit, Failure, type Output } from '../output.js';
import { counted, problemText } from '../problems.js';
import { writeFiles } from './init-pack.js';

/** The options of `sandbox import-openapi`, read. */
export interface ImportOptions {
  readonly force?: boolean;
  readonly quiet?: boolean;
}

/**
 * Makes a pack of an OpenAPI document, tells what is left to decide, and gives the exit code.
 * @throws Failure when the document cannot be used, or something stands where the pack goes
 */
export async function importOpenApi(
  file: string,
  given: string,
  { force, quiet }: ImportOptions,
  output: Output,
  cwd = process.cwd(),
): Promise<number> {
  const folder = resolve(cwd, /[\\/]/.test(given) ? given : join('packs', given));
  const name = basename(folder);
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new Failure(
      Exit.cannotRun,
      'name_invalid',
      `'${name}' cannot be the name of a pack`,
      'A name has small letters, digits and -.',
    );
  if (!force && existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Failure(
      Exit.wrongInput,
      'folder_exists',
      `${shownFolder(folder)} already exists and is not empty`,
      '--force writes over files of the same names.',
    );
  }
  if (!existsSync(resolve(cwd, file))) throw new Failure(Exit.wrongInput, 'openapi_invalid', `${file} does not exist`);
  const imported = importDocument(await readDocument(resolve(cwd, file)), name);
  if (imported.resources.length === 0)
    throw new Failure(Exit.wrongInput, 'openapi_invalid', `${file}: no path looks like a collection of objects`);
  writeFiles(folder, imported.files);
  const { problems, source } = loadPack(folder);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) output.complain(problemText({ problems: errors, source }, output.colorErrors));
  if (quiet) return errors.length > 0 ? Exit.wrongInput : Exit.done;
  output.print(`${shownFolder(folder).replace(/\/$/, '')}: ${counted(imported.resources.length, 'resource')}`);
  for (const { collection, calls } of imported.resources)
    output.print(`  ${collection}: ${counted(calls, 'operation')}`);
  output.print(`\nTo decide (${imported.decisions.length}):`);
  for (const each of imported.decisions) output.print(`  - ${each}`);
  return errors.length > 0 ? Exit.wrongInput : Exit.done;
}
