import { basename, dirname } from 'node:path';
import { stringify } from 'yaml';
import { listenAt } from '../../engine/hosting/index.js';
import { readText } from '../../engine/pack/index.js';
import { parseDuration } from '../../engine/world/index.js';
import { findPack } from '../command/installation.js';
import { cannotListen } from '../command/system-failure.js';
import { counted, defectReporter, Exit, Failure, type Output } from '../command/output.js';
import { type ReadTask, taskFilesIfAny } from '../eval/read-tasks.js';
import { readAll, TaskServer } from '../eval/task-server.js';
import type { AboutEnvironment } from '../openenv/documents.js';
import { Episodes } from '../openenv/episodes.js';
import { OpenenvServer } from '../openenv/server.js';
import type { ServeOptions } from './serve-options.js';

/** Default limit of concurrent environments. */
const MOST_ENVIRONMENTS = 1_000;

/** An environment of tasks and packs, including a task without checks for each pack. */
export interface ReadEnvironment {
  readonly about: Omit<AboutEnvironment, 'port'>;
  readonly tasks: readonly ReadTask[];
  readonly free: ReadTask | undefined;
}

/** Reads the packs and tasks of an environment. @param given packs, with their tasks, or tasks @throws Failure */
export async function readEnvironment(given: readonly string[], output: Output): Promise<ReadEnvironment> {
  const tasks = await readAll(taskFilesIfAny(given), output);
  const seen = new Map<string, string>();
  for (const { task, file } of tasks) {
    const before = seen.get(task.task);
    if (before !== undefined)
      throw new Failure(
        Exit.wrongInput,
        'task_invalid',
        `two tasks have the name ${task.task}`,
        `${before}, ${file.path}`,
      );
    seen.set(task.task, file.path);
  }
  const pack =
    tasks.find(({ packs }) => packs.length === 1)?.packs[0] ??
    (tasks.length === 0 ? await findPack(given[0]) : undefined);
  const name = given.length === 1 && pack !== undefined ? basename(pack) : basename(dirname(given[0]));
  return { about: { name, tasks }, tasks, free: pack === undefined ? undefined : withoutTask(pack) };
}

/** Creates a task without a prompt and checks, for a pack without tasks. */
function withoutTask(pack: string): ReadTask {
  const text = stringify({
    task: 'no-task',
    title: 'A world of its own',
    packs: [pack],
    prompt: 'There is no task.',
    checks: [],
  });
  const { file } = readText('no-task', 'task', text);
  return { file, task: file.data as ReadTask['task'], packs: [pack], company: undefined };
}

/** Serves packs and tasks as an OpenEnv environment until it is asked to stop; returns the exit code. @throws Failure if it can't be served */
export async function serveOpenenv(
  given: readonly string[],
  options: ServeOptions,
  output: Output,
  stopped: Promise<void>,
): Promise<number> {
  const { port, host } = options;
  const { about, tasks, free } = await readEnvironment(given, output);
  const server = await TaskServer.start(free ? [...tasks, free] : tasks, 0, output);
  const episodes = new Episodes(tasks, free, (read) => server.prepare(read));
  const defect = defectReporter(output);
  const openenv = new OpenenvServer({
    about: { ...about, port },
    episodes,
    most: options.maxWorlds ?? MOST_ENVIRONMENTS,
    idleMs: options.idle === 'never' ? Infinity : (parseDuration(options.idle) ?? Infinity),
    onDefect: (error) => defect(error, 'OpenEnv'),
  });
  const url = await listenAt(openenv.server, port, host).catch((error: unknown) => {
    throw cannotListen(error, port, host) ?? error;
  });
  if (options.json) output.print(JSON.stringify({ url, tasks: tasks.map(({ task }) => task.task) }));
  else output.print(`OpenEnv of ${about.name}: ${counted(tasks.length, 'task')} on ${url}`);
  await stopped;
  await openenv.close();
  await server.close();
  return Exit.done;
}
