import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { mustExist } from '../command/input-file.js';
import { shownFolder } from '../command/installation.js';
import { QUESTIONS_FILE, terminalAnswers, writeAsked } from '../openapi/again/index.js';
import { clientNames } from '../openapi/again/client-names.js';
import { withRecordings } from '../openapi/again/recorded.js';
import { Contract, importDocument, NOTES_FILE, readDocument } from '../openapi/index.js';
import { readRecording, recordingsIn } from '../recordings/read.js';
import { missesOf, servedFor, proportion, useOf } from '../openapi/use/index.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';
import { writeFiles } from './init-pack.js';

/** The parsed options of `sandbox import-openapi`. */
export interface ImportOptions {
  /** Patterns of paths to import, with `*` and `**`; empty: all paths. */
  readonly include: readonly string[];
  readonly force?: boolean;
  /** Whether to write questions to a file and apply answers to the pack, keeping manual changes. */
  readonly ask?: boolean;
  /** Files of recorded calls that supplement the document. */
  readonly fromRecordings?: readonly string[];
  /** Folder of the vendor's installed client, whose names supplement the document. */
  readonly fromClient?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Maximum number of resources in the summary. */
const MOST_NAMED = 12;
/** Maximum number of failing usual calls in the summary. */
const MOST_MISSES = 10;

/**
 * Imports an OpenAPI document as a pack, prints a summary, and returns the exit code.
 * @throws Failure if the document can't be used, or the target exists
 */
export async function importOpenApi(
  file: string,
  given: string,
  { include, force, ask, fromRecordings = [], fromClient, json, quiet }: ImportOptions,
  output: Output,
  cwd = process.cwd(),
  answer = json || quiet ? undefined : terminalAnswers(),
): Promise<number> {
  const folder = resolve(cwd, /[\\/]/.test(given) ? given : join('packs', given));
  const name = /^\.{1,2}$/.test(basename(given)) ? given : basename(folder);
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new Failure(
      Exit.cannotRun,
      'name_invalid',
      `'${name}' cannot be the name of a pack`,
      'A name has small letters, digits and -.',
    );
  if (!force && !ask && existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Failure(
      Exit.cannotRun,
      'folder_exists',
      `${shownFolder(folder)} already exists and is not empty`,
      '--force writes over files of the same names; --ask brings what has changed into them.',
    );
  }
  mustExist(resolve(cwd, file), 'openapi_invalid', file);
  const patterns = include.map(pathPattern);
  const wanted = (path: string): boolean => patterns.length === 0 || patterns.some((pattern) => pattern.test(path));
  const read = await readDocument(resolve(cwd, file));
  const calls = fromRecordings.flatMap((path) => recordingsIn(resolve(cwd, path)).flatMap(readRecording));
  const learned = calls.length === 0 ? undefined : withRecordings(read, calls);
  const document = learned?.document ?? read;
  if (fromClient !== undefined) mustExist(resolve(cwd, fromClient), 'openapi_invalid', fromClient);
  const client = fromClient === undefined ? undefined : clientNames(resolve(cwd, fromClient));
  const { files, resources, operations, decisions, questions } = importDocument(document, name, wanted, client);
  if (operations.all === 0)
    throw new Failure(
      Exit.cannotRun,
      'openapi_invalid',
      `${file}: no operation at ${include.join(', ')}`,
      '--include takes paths of the document, with * for a part and ** for any number of them.',
    );
  if (ask) await writeAsked(folder, { name, files, questions, wanted }, answer, output);
  else writeFiles(folder, files);
  for (const warning of document.warnings.slice(0, MOST_MISSES)) output.error(`warning: ${warning}`);
  if (quiet) return Exit.done;
  const contract = new Contract(document, wanted);
  const use = await servedFor(folder, (sandbox) => useOf(sandbox, contract));
  const shown = shownFolder(folder).replace(/\/$/, '');
  if (json) {
    output.print(JSON.stringify({ pack: shown, operations, resources, questions, decisions, use }));
    return Exit.done;
  }
  output.print(`${shown}: ${counted(resources.length, 'resource')}, ${counted(operations.all, 'operation')}`);
  if (learned !== undefined)
    output.print(`  ${learned.used} of ${counted(calls.length, 'recorded call')} are of the document's operations`);
  output.print(
    `  ${operations.stateful} keep state, ${operations.stubs} return the document's example, ${operations.left} are omitted`,
  );
  for (const { collection, calls } of resources.slice(0, MOST_NAMED))
    output.print(`  ${collection}: ${counted(calls, 'operation')}`);
  if (resources.length > MOST_NAMED) output.print(`  and ${resources.length - MOST_NAMED} more`);
  output.print(`\nUsual calls of clients that work: ${proportion(use.works, use.measured)}`);
  const misses = missesOf(use);
  for (const miss of misses.slice(0, MOST_MISSES)) output.print(`  ${miss}`);
  if (misses.length > MOST_MISSES) output.print(`  and ${misses.length - MOST_MISSES} more`);
  output.print(`\nQuestions (${questions.length}): ${shown}/${ask ? QUESTIONS_FILE : NOTES_FILE}`);
  output.print(`sandbox serve ${shown}            serve it`);
  output.print(`sandbox check-contract ${shown}   compare what it returns with the document`);
  return Exit.done;
}

/** Converts a path with `*` (one segment) and `**` (any number of segments). */
function pathPattern(path: string): RegExp {
  const source = path
    .split(/(\*\*|\*)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]*' : part.replace(/[^\w/]/g, '\\$&')))
    .join('')
    // Makes `/things/**` also match `/things`.
    .replace(/\/\.\*$/, '(?:/.*)?');
  return new RegExp(`^${source}$`);
}
