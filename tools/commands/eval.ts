import { type CallReport, createSandbox, PackCache, PackInvalid, type Sandbox } from '../../engine/index.js';
import { formatProblems, ProblemList } from '../../engine/pack/index.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import { type Prepared, prepare, report, TaskFailure } from '../eval/prepared.js';
import { checkNames, type ReadTask, readTask, taskFiles } from '../eval/read-tasks.js';
import { ResultsFolder } from '../eval/results-folder.js';
import { workerName, type Ran, runTask, type TaskWorker, type Trajectory } from '../eval/run.js';
import { failureOf, junit, summariseTask, type TaskSummary } from '../eval/summary.js';

/** The options of `sandbox eval`, read. */
export interface EvalOptions {
  readonly runs: number;
  readonly jobs: number;
  readonly k?: number;
  /** Least share of runs that pass, from 0 to 1. */
  readonly min: number;
  readonly out?: string;
  readonly resume?: boolean;
  readonly check?: boolean;
  readonly port: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

interface PlannedRun {
  readonly prepared: Prepared;
  readonly worker: TaskWorker;
  readonly run: number;
}

/**
 * Lets an agent work on tasks, each run in a fork of the task's world, and judges what it did.
 * @returns 1 when fewer runs pass than wanted, or with `check` a scripted agent does not end as its task says
 * @throws Failure when a task is wrong or the command cannot start
 */
export async function evaluate(
  given: readonly string[],
  command: readonly string[],
  options: EvalOptions,
  output: Output,
): Promise<number> {
  const { check = false, out, resume = false } = options;
  if (check === command.length > 0)
    throw new Failure(
      Exit.cannotRun,
      'command_missing',
      check ? '--check runs the scripted agents of tasks, and no command' : 'there is no command to evaluate',
      'sandbox eval TASKS -- COMMAND, or sandbox eval TASKS --check',
    );
  const tasks = await readAll(taskFiles(given), output);
  const folder = out === undefined ? null : new ResultsFolder(out, resume);
  const listeners = new Map<string, (call: CallReport) => void>();
  const sandbox = await start(tasks, options.port, listeners, output);
  try {
    const evaluation = new Evaluation(sandbox, listeners, folder, options, output);
    const prepared = await evaluation.prepare(tasks);
    return await evaluation.run(prepared, command);
  } finally {
    await sandbox.close(0);
  }
}

async function readAll(files: readonly string[], output: Output): Promise<ReadTask[]> {
  const problems = new ProblemList();
  const tasks: ReadTask[] = [];
  for (const file of files) {
    const read = await readTask(file, problems);
    if (read) tasks.push(read);
  }
  throwProblems(problems, output);
  return tasks;
}

function throwProblems(problems: ProblemList, output: Output): void {
  const { errors } = problems;
  if (errors.length === 0) return;
  const text = formatProblems(errors, { format: 'text', color: output.colorErrors });
  throw new Failure(Exit.wrongInput, 'task_invalid', `the tasks have ${counted(errors.length, 'error')}`, text, {
    problems: errors,
  });
}

async function start(
  tasks: readonly ReadTask[],
  port: number,
  listeners: ReadonlyMap<string, (call: CallReport) => void>,
  output: Output,
): Promise<Sandbox> {
  const [pack, ...packs] = new Set(tasks.map((task) => task.pack));
  try {
    return await createSandbox({
      pack,
      packs,
      port,
      worlds: 'key',
      t0: '2026-01-01T00:00:00Z',
      seed: 'eval',
      pacedStreams: false,
      cache: PackCache.ofInstallation(),
      onCall: (call) => listeners.get(call.world ?? '')?.(call),
      onDefect: (error, what) =>
        output.error(`defect in ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    });
  } catch (error) {
    throw error instanceof PackInvalid ? rejection(error, output.colorErrors) : error;
  }
}

class Evaluation {
  readonly #ran: Trajectory[] = [];
  readonly #realMs = new Map<Trajectory, number>();
  readonly #unexpected: string[] = [];
  readonly #abort = new AbortController();

  constructor(
    private readonly sandbox: Sandbox,
    private readonly listeners: Map<string, (call: CallReport) => void>,
    private readonly folder: ResultsFolder | null,
    private readonly options: EvalOptions,
    private readonly output: Output,
  ) {}

  /** Sets the world of each task up. @throws Failure with every problem at its place */
  async prepare(tasks: readonly ReadTask[]): Promise<Prepared[]> {
    const problems = new ProblemList();
    const prepared: Prepared[] = [];
    for (const pack of new Set(tasks.map((task) => task.pack))) {
      const own = tasks.filter((task) => task.pack === pack);
      const { loadPack } = await import('../../engine/compile/index.js');
      const { pack: program } = loadPack(pack, { cache: PackCache.ofInstallation() });
      if (!program) continue;
      checkNames(program, own, problems);
      throwProblems(problems, this.output);
      for (const task of own) {
        try {
          prepared.push(await prepare(task, this.sandbox, program.model.settings.name));
        } catch (error) {
          if (!(error instanceof TaskFailure)) throw error;
          report(problems, task, error);
        }
      }
    }
    throwProblems(problems, this.output);
    return prepared;
  }

  async run(tasks: readonly Prepared[], command: readonly string[]): Promise<number> {
    const { jobs, min } = this.options;
    const all = tasks.flatMap((prepared) => this.#planned(prepared, command));
    const done = this.folder?.done() ?? [];
    const isDone = (planned: PlannedRun): Trajectory | undefined =>
      done.find((each) => keyOf(each) === keyOf(nameOfRun(planned)) && each.prompt === planned.prepared.prompt);
    const known = all.map((planned) => [planned, isDone(planned)] as const);
    this.#ran.push(...known.flatMap(([, each]) => (each ? [each] : [])));
    const left = known.filter(([, each]) => each === undefined).map(([planned]) => planned);
    const interrupted = (): void => this.#abort.abort();
    process.once('SIGINT', interrupted);
    process.once('SIGTERM', interrupted);
    try {
      await Promise.all(Array.from({ length: Math.min(jobs, left.length) }, () => this.#work(left)));
    } finally {
      process.off('SIGINT', interrupted);
      process.off('SIGTERM', interrupted);
    }
    if (this.#abort.signal.aborted)
      throw new Failure(
        Exit.cannotRun,
        'interrupted',
        'the evaluation was interrupted',
        this.folder ? '--resume goes on with it.' : '',
      );
    const order = new Map(all.map((planned, at) => [keyOf(nameOfRun(planned)), at]));
    this.#ran.sort((a, b) => (order.get(keyOf(a)) ?? 0) - (order.get(keyOf(b)) ?? 0));
    return this.#finish(tasks, min);
  }

  #planned(prepared: Prepared, command: readonly string[]): PlannedRun[] {
    const { runs, check } = this.options;
    const workers: TaskWorker[] = check
      ? Object.entries(prepared.read.task.agents ?? {}).map(([name, agent]) => ({ kind: 'script', name, agent }))
      : [{ kind: 'command', command }];
    return workers.flatMap((worker) => Array.from({ length: runs }, (_, at) => ({ prepared, worker, run: at + 1 })));
  }

  async #work(left: PlannedRun[]): Promise<void> {
    for (let next = left.shift(); next && !this.#abort.signal.aborted; next = left.shift()) {
      const { prepared, worker, run } = next;
      const { task } = prepared.read.task;
      const name = { task, run, ...(worker.kind === 'script' ? { agent: worker.name } : {}) };
      const ran = await this.#runOne(next, this.folder?.runFile(name, 'log'));
      if (this.#abort.signal.aborted) return;
      this.folder?.add(ran, name);
      this.#ran.push(ran.trajectory);
      this.#realMs.set(ran.trajectory, ran.realMs);
      this.#report(ran.trajectory, worker);
    }
  }

  async #runOne({ prepared, worker, run }: PlannedRun, log: string | undefined): Promise<Ran> {
    const { sandbox, listeners } = this;
    const keep = this.folder !== null;
    try {
      return await runTask(prepared, run, { sandbox, listeners, worker, log, keep, signal: this.#abort.signal });
    } catch (error) {
      if (error instanceof TaskFailure) {
        const problems = new ProblemList();
        report(problems, prepared.read, error);
        throwProblems(problems, this.output);
      }
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        throw new Failure(Exit.cannotRun, 'command_missing', `there is no command '${workerName(worker)}'`);
      throw error;
    }
  }

  #report(ran: Trajectory, worker: TaskWorker): void {
    const { task, agent, run, pass, reward } = ran;
    const who = worker.kind === 'script' ? `${task} ${agent} ${run}` : `${task} ${run}`;
    const ended = pass ? 'passed' : `failed, reward ${reward}: ${failureOf(ran)}`;
    if (worker.kind === 'script' && worker.agent.passes !== pass) this.#unexpected.push(`${who} ${ended}`);
    if (!this.options.quiet) this.output.error(`${who} ${ended}`);
  }

  #finish(tasks: readonly Prepared[], min: number): number {
    const { runs, k = Math.min(4, runs), check, json } = this.options;
    const byTask = new Map(
      tasks.map(({ read: { task } }) => [task.task, this.#ran.filter((each) => each.task === task.task)]),
    );
    const ks = [...new Set([1, k])];
    const summaries = [...byTask]
      .filter(([, own]) => own.length > 0)
      .map(([task, own]) => summariseTask(task, own, ks));
    const passed = this.#ran.filter(({ pass }) => pass).length;
    const summary = { runs: this.#ran.length, passed, tasks: summaries, unexpected: this.#unexpected };
    this.folder?.finish(
      this.#ran,
      summary,
      junit(byTask, (run) => (this.#realMs.get(run) ?? 0) / 1000),
    );
    if (json) this.output.print(JSON.stringify(summary));
    else if (check) for (const each of this.#unexpected) this.output.print(`not as its task says: ${each}`);
    else for (const each of summaries) this.output.print(lineOf(each, ks));
    if (!json) this.output.print(`${counted(passed, 'run')} of ${this.#ran.length} passed`);
    const good = check ? this.#unexpected.length === 0 : passed >= min * this.#ran.length;
    return good ? Exit.done : Exit.wrongInput;
  }
}

function lineOf({ task, runs, passed, reward, pass_at, pass_hat }: TaskSummary, ks: readonly number[]): string {
  const shares = ks
    .filter((k) => pass_at[k] !== undefined)
    .map((k) => `pass@${k} ${pass_at[k]} pass^${k} ${pass_hat[k]}`);
  return `${task}  ${passed}/${runs}  reward ${reward}  ${shares.join('  ')}`;
}

function nameOfRun({ prepared, worker, run }: PlannedRun): { task: string; agent: string; run: number } {
  return { task: prepared.read.task.task, agent: workerName(worker), run };
}

function keyOf({ task, agent, run }: { readonly task: string; readonly agent: string; readonly run: number }): string {
  return JSON.stringify([task, agent, run]);
}
