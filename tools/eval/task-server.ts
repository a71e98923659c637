import { startOfCompany } from '../../engine/company/index.js';
import { createSandbox, PackCache, PackInvalid, type Sandbox } from '../../engine/index.js';
import { formatProblems, ProblemList } from '../../engine/pack/index.js';
import { counted, defectReporter, Exit, Failure, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import { type Prepared, prepare } from './prepared.js';
import { programsOf, type ReadTask, readTask } from './read-tasks.js';
import { ONLY, worldOfCompany, worldOfPack } from './task-world.js';

/** Default start of tasks' clocks. */
const START = '2026-01-01T00:00:00Z';

/** Reads tasks. @throws Failure with all problems */
export async function readAll(files: readonly string[], output: Output): Promise<ReadTask[]> {
  const problems = new ProblemList();
  const tasks: ReadTask[] = [];
  for (const file of files) {
    const read = await readTask(file, problems);
    if (read) tasks.push(read);
  }
  throwProblems(problems, output);
  return tasks;
}

/** Prints problems, and ends the command if there are errors. @throws Failure if there are any */
export function throwProblems(problems: ProblemList, output: Output): void {
  const { errors } = problems;
  if (errors.length === 0) return;
  const text = formatProblems(errors, { format: 'text', color: output.colorErrors });
  throw new Failure(Exit.wrongInput, 'task_invalid', `the tasks have ${counted(errors.length, 'error')}`, text, {
    problems: errors,
  });
}

/**
 * Checks the names in tasks against their packs.
 * @returns names of packs that are the only one of a task, by folder
 * @throws Failure with every unknown name in a task
 */
async function checkNames(tasks: readonly ReadTask[], output: Output): Promise<ReadonlyMap<string, string>> {
  const { checkTask } = await import('../../engine/compile/index.js');
  const problems = new ProblemList();
  const names = new Map<string, string>();
  const known = new Map<string, Awaited<ReturnType<typeof programsOf>>>();
  for (const task of tasks) {
    const of = JSON.stringify([task.company, task.packs]);
    const programs =
      known.get(of) ??
      (await programsOf(task).catch((error: unknown) => {
        throw error instanceof PackInvalid ? rejection(error, output.colorErrors) : error;
      }));
    known.set(of, programs);
    checkTask(programs, task.file, problems);
    const only = programs.get(ONLY);
    if (only) names.set(task.packs[0], only.model.settings.name);
  }
  throwProblems(problems, output);
  return names;
}

/** Serves the packs of single-pack tasks; undefined if there are none. */
async function start(tasks: readonly ReadTask[], port: number, output: Output): Promise<Sandbox | undefined> {
  const [pack, ...packs] = new Set(tasks.flatMap((task) => (task.packs.length === 1 ? task.packs : [])));
  if (pack === undefined) return undefined;
  try {
    return await createSandbox({
      pack,
      packs,
      port,
      worlds: 'key',
      t0: START,
      seed: 'eval',
      pacedStreams: false,
      cache: PackCache.ofInstallation(),
      onDefect: defectReporter(output),
    });
  } catch (error) {
    throw error instanceof PackInvalid ? rejection(error, output.colorErrors) : error;
  }
}

/** Creates the worlds of tasks: single-pack ones on one server. */
export class TaskServer {
  private constructor(
    private readonly sandbox: Sandbox | undefined,
    private readonly packNames: ReadonlyMap<string, string>,
  ) {}

  /** Checks the tasks, and starts a server for those with one pack. @throws Failure if a name in a task is unknown, or a pack can't be served */
  static async start(tasks: readonly ReadTask[], port: number, output: Output): Promise<TaskServer> {
    const names = await checkNames(tasks, output);
    return new TaskServer(await start(tasks, port, output), names);
  }

  /** Sets up the world of a task. @throws TaskFailure */
  prepare(read: ReadTask): Promise<Prepared> {
    const { company, packs } = read;
    return prepare(read, async ({ seed, t0 }) => {
      if (company !== undefined) {
        const begins = t0 ?? ((await startOfCompany(company)) === undefined ? Date.parse(START) : undefined);
        return worldOfCompany({ file: company }, { seed, t0: begins });
      }
      if (packs.length > 1 || !this.sandbox) return worldOfCompany({ packs }, { seed, t0: t0 ?? Date.parse(START) });
      const [pack] = packs;
      return worldOfPack(this.sandbox, { pack: this.packNames.get(pack), seed, ...(t0 === undefined ? {} : { t0 }) });
    });
  }

  async close(): Promise<void> {
    await this.sandbox?.close(0);
  }
}
