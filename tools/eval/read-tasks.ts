import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { packsOfCompany } from '../../engine/company/index.js';
import { loadPack, PackCache, PackInvalid } from '../../engine/index.js';
import type { TaskFile } from '../../engine/model/index.js';
import { ProblemList, readText, type SourceFile, validateFileSchema } from '../../engine/pack/index.js';
import type { Program } from '../../engine/program/index.js';
import { findPack, installation } from '../command/installation.js';
import { readInputFile } from '../command/input-file.js';
import { Exit, Failure } from '../command/output.js';
import { ONLY } from './task-world.js';

const ENDING = '.task.yaml';

/** A task, as read from its file. */
export interface ReadTask {
  readonly file: SourceFile;
  readonly task: TaskFile;
  /** Folders of the task's packs; empty if its file names a company. */
  readonly packs: readonly string[];
  /** Path of the company file; undefined if the task names packs. */
  readonly company: string | undefined;
}

/** Finds the task files in a user's arguments: files, folders (recursively), or packs with tasks of their own. @throws Failure if there are none */
export function taskFiles(given: readonly string[]): string[] {
  const found = taskFilesIfAny(given);
  if (found.length === 0)
    throw new Failure(
      Exit.cannotRun,
      'task_file',
      `there is no task in ${given.join(', ')}`,
      `Tasks end in ${ENDING}.`,
    );
  return found;
}

/** Finds the task files in arguments, which may include packs without tasks. @throws Failure if an argument doesn't exist */
export function taskFilesIfAny(given: readonly string[]): string[] {
  const found = given.flatMap((name) => {
    const shipped = [join(installation(), 'packs', name, 'tasks'), join(installation(), name)];
    const path = [name, ...shipped].find((each) => existsSync(each));
    if (path === undefined)
      throw new Failure(Exit.cannotRun, 'task_file', `${name} does not exist`, 'Name a file, a folder or a pack.');
    return statSync(path).isDirectory() ? below(path) : [path];
  });
  return [...new Set(found)];
}

function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ENDING))
    .sort()
    .map((name) => join(folder, name));
}

/** Reads a task and checks it against its schema. Adds problems to the list, and returns undefined if there are errors. */
export async function readTask(path: string, problems: ProblemList): Promise<ReadTask | undefined> {
  const shown = relative(process.cwd(), path);
  const { file, problems: syntax } = readText(shown, 'task', readInputFile(path, 'task_file'));
  const found = [...syntax, ...validateFileSchema(file)];
  problems.push(...found);
  if (file.broken || found.some(({ severity }) => severity === 'error')) return undefined;
  const task = file.data as TaskFile;
  const company = task.company === undefined ? undefined : resolve(dirname(path), task.company);
  return { file, task, packs: await Promise.all((task.packs ?? []).map((each) => findPack(each))), company };
}

/** Loads the packs of a task by prefix, which is empty for a single pack. @throws PackInvalid if a pack has errors */
export async function programsOf({ packs, company }: ReadTask): Promise<ReadonlyMap<string, Program>> {
  const named =
    company === undefined ? packs.map((pack) => ({ name: undefined, pack })) : await packsOfCompany(company);
  const cache = PackCache.ofInstallation();
  const loaded = named.map(({ name, pack: folder }) => {
    const { pack, problems, source } = loadPack(folder, { cache });
    if (!pack) throw new PackInvalid(problems, source);
    return [name ?? pack.model.settings.name, pack] as const;
  });
  return new Map(company === undefined && loaded.length === 1 ? [[ONLY, loaded[0][1]]] : loaded);
}
