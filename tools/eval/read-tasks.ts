import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkTask } from '../../engine/compile/index.js';
import type { TaskFile } from '../../engine/model/index.js';
import { ProblemList, readText, type SourceFile, validateFileSchema } from '../../engine/pack/index.js';
import type { Program } from '../../engine/program/index.js';
import { findPack, installation } from '../command/installation.js';
import { readInputFile } from '../command/input-file.js';
import { Exit, Failure } from '../command/output.js';

const ENDING = '.task.yaml';

/** A task as it was read. */
export interface ReadTask {
  readonly file: SourceFile;
  readonly task: TaskFile;
  /** The folder of its pack. */
  readonly pack: string;
}

/**
 * The task files that a user named: files, folders with what is below them, or packs with tasks of their own.
 * @throws Failure when there are none
 */
export function taskFiles(given: readonly string[]): string[] {
  const found = given.flatMap((name) => {
    const shipped = [join(installation(), 'packs', name, 'tasks'), join(installation(), name)];
    const path = [name, ...shipped].find((each) => existsSync(each));
    if (path === undefined)
      throw new Failure(Exit.cannotRun, 'task_file', `${name} does not exist`, 'Give a file, a folder or a pack.');
    return statSync(path).isDirectory() ? below(path) : [path];
  });
  if (found.length === 0)
    throw new Failure(
      Exit.cannotRun,
      'task_file',
      `there is no task in ${given.join(', ')}`,
      `Tasks end in ${ENDING}.`,
    );
  return [...new Set(found)];
}

function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ENDING))
    .sort()
    .map((name) => join(folder, name));
}

/** Reads a task and checks it against its schema; problems go to the list. Undefined: it has errors. */
export async function readTask(path: string, problems: ProblemList): Promise<ReadTask | undefined> {
  const shown = relative(process.cwd(), path);
  const { file, problems: syntax } = readText(shown, 'task', readInputFile(path, 'task_file'));
  const found = [...syntax, ...validateFileSchema(file)];
  problems.push(...found);
  if (file.broken || found.some(({ severity }) => severity === 'error')) return undefined;
  const task = file.data as TaskFile;
  return { file, task, pack: await findPack(task.packs[0]) };
}

/** Checks the names in tasks of a pack against it. */
export function checkNames(program: Program, tasks: readonly ReadTask[], problems: ProblemList): void {
  for (const { file } of tasks) checkTask(program, file, problems);
}
