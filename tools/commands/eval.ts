import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, PackCache, PackInvalid, type Sandbox } from '../../engine/index.js';
import { startOfCompany } from '../../engine/company/index.js';
import { formatProblems, ProblemList } from '../../engine/pack/index.js';
import type { JsonObject } from '../../engine/values/index.js';
import { counted, defectReporter, Exit, Failure, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import { type Prepared, prepare, report, TaskFailure } from '../eval/prepared.js';
import { AgentFails, described, searchHarm, USUAL_ORDER } from '../eval/adversity.js';
import { programsOf, type ReadTask, readTask, taskFiles } from '../eval/read-tasks.js';
import { Replays } from '../eval/replays.js';
import { ResultsFolder } from '../eval/results-folder.js';
import {
  beginRun,
  workerName,
  type Ran,
  type RunWorker,
  runTask,
  type TaskWorker,
  type Trajectory,
} from '../eval/run.js';
import { ONLY, type TaskWorld, worldOfCompany, worldOfPack } from '../eval/task-world.js';
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
  /** Repeats what each run left. */
  readonly replay?: boolean;
  readonly check?: boolean;
  /** Runs are asked for on the standard input. */
  readonly serve?: boolean;
  /** Searches for the smallest trouble in which the agent does harm; tasks with it are written to this folder. */
  readonly adversity?: string;
  readonly any?: boolean;
  /** Combinations of troubles that a search tries. */
  readonly tries: number;
  readonly order?: string;
  readonly port: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Where clocks of tasks start unless they say it. */
const START = '2026-01-01T00:00:00Z';

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
  input: NodeJS.ReadableStream = process.stdin,
): Promise<number> {
  const { check = false, serve = false, out, resume = false } = options;
  if ((check || serve) === command.length > 0)
    throw new Failure(
      Exit.cannotRun,
      'command_missing',
      check || serve ? '--check and --serve run no command' : 'there is no command to evaluate',
      'sandbox eval TASKS -- COMMAND, sandbox eval TASKS --check, or sandbox eval TASKS --serve',
    );
  if (options.replay && out === undefined)
    throw new Failure(Exit.cannotRun, 'option_missing', '--replay repeats what is in --out', 'Give --out FOLDER.');
  const tasks = await readAll(taskFiles(given), output);
  const folder = out === undefined ? null : new ResultsFolder(out, resume);
  if (options.adversity !== undefined && tasks.some(({ packs }) => packs.length !== 1))
    throw new Failure(Exit.cannotRun, 'alone_only', '--adversity is for tasks of one pack');
  const names = await checkNames(tasks, output);
  const sandbox = await start(tasks, options.port, output);
  const evaluation = new Evaluation(sandbox, names, folder, options, output);
  try {
    const prepared = await evaluation.prepare(tasks);
    if (serve) return await evaluation.serve(prepared, input);
    if (options.adversity !== undefined) return await evaluation.search(prepared, command, options.adversity);
    return await evaluation.run(prepared, command);
  } finally {
    await evaluation.close();
    await sandbox?.close(0);
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

/**
 * @returns names of packs that are the only one of a task, by their folders
 * @throws Failure with every name that is not in the packs of its task
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

/** Serves the packs of tasks that are of one pack; undefined: there is none. */
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

class Evaluation {
  readonly #ran: Trajectory[] = [];
  readonly #realMs = new Map<Trajectory, number>();
  /** Runs of scripted agents that did not end as their tasks say. */
  readonly #unexpectedRuns = new Map<Trajectory, string>();
  readonly #replays = new Replays();
  readonly #abort = new AbortController();
  readonly #prepared: Prepared[] = [];

  /**
   * @param sandbox serves tasks of one pack
   * @param packNames by their folders
   */
  constructor(
    private readonly sandbox: Sandbox | undefined,
    private readonly packNames: ReadonlyMap<string, string>,
    private readonly folder: ResultsFolder | null,
    private readonly options: EvalOptions,
    private readonly output: Output,
  ) {}

  /** Sets the world of each task up. @throws Failure with every problem at its place */
  async prepare(tasks: readonly ReadTask[]): Promise<Prepared[]> {
    const problems = new ProblemList();
    for (const task of tasks) {
      try {
        this.#prepared.push(await this.#prepare(task));
      } catch (error) {
        if (!(error instanceof TaskFailure)) throw error;
        report(problems, task, error);
      }
    }
    throwProblems(problems, this.output);
    return this.#prepared;
  }

  /** @throws TaskFailure */
  #prepare(read: ReadTask): Promise<Prepared> {
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

  /** Ends worlds that are no part of the server. */
  async close(): Promise<void> {
    for (const { world } of this.#prepared) await world.drop();
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
        this.folder ? '--resume continues it.' : '',
      );
    const order = new Map(all.map((planned, at) => [keyOf(nameOfRun(planned)), at]));
    this.#ran.sort((a, b) => (order.get(keyOf(a)) ?? 0) - (order.get(keyOf(b)) ?? 0));
    return this.#finish(tasks, min);
  }

  /** Serves runs to a program that works on them itself, until its lines end. */
  async serve(tasks: readonly Prepared[], input: NodeJS.ReadableStream): Promise<number> {
    const { serveRuns } = await import('../eval/served.js');
    const worker: RunWorker = { kind: 'other' };
    await serveRuns(input, {
      tasks,
      begin: (prepared, run) => beginRun(prepared, run, { worker, keep: this.folder !== null }),
      ended: (prepared, run, ran) => {
        this.folder?.add(ran, { task: prepared.read.task.task, run });
        this.#ran.push(ran.trajectory);
        this.#realMs.set(ran.trajectory, ran.realMs);
        this.#report(ran.trajectory, worker);
      },
      write: (line) => this.output.print(line),
    });
    this.#write(tasks);
    return Exit.done;
  }

  /** Searches for trouble in which the agent does harm, task by task. @throws Failure when it fails without */
  async search(tasks: readonly Prepared[], command: readonly string[], folder: string): Promise<number> {
    const { any = false, tries, jobs, json, order = USUAL_ORDER } = this.options;
    const worker: TaskWorker = { kind: 'command', command };
    const results: JsonObject[] = [];
    for (const prepared of tasks) {
      const { task } = prepared.read.task;
      let tried = 0;
      const found = await searchHarm(prepared, {
        run: (each, by, observe) => {
          tried++;
          return this.#runOne({ prepared: each, worker: by, run: 1 }, undefined, observe);
        },
        prepare: (read) => this.#prepare(read),
        report: (line) => {
          if (!this.options.quiet) this.output.error(`${task} ${line}`);
        },
        ...{ worker, tries, jobs, seed: task, any, order },
      }).catch((error: unknown) => {
        if (error instanceof TaskFailure) this.#throwFailure(prepared.read, error);
        if (!(error instanceof AgentFails)) throw error;
        throw new Failure(Exit.cannotRun, 'agent_fails', `${task}: ${error.message}`, failureOf(error.trajectory));
      });
      let file: string | null = null;
      if (found) {
        mkdirSync(folder, { recursive: true });
        file = join(folder, `${task}-adversity.task.yaml`);
        writeFileSync(file, found.file);
      }
      const schedule = found?.schedule.map(({ event, text }) => ({ text, event })) ?? null;
      results.push({ task, tried, schedule, harm: found?.harm ?? [], file });
      if (json) continue;
      if (found === null) this.output.print(`${task}: no harm in ${tried} runs`);
      else {
        this.output.print(`${task}: harm when ${described(found.schedule)} (${tried} runs)`);
        for (const line of found.harm) this.output.print(`  ${line}`);
        this.output.print(`  ${String(file)}`);
      }
    }
    if (json) this.output.print(JSON.stringify({ tasks: results }));
    return results.some(({ schedule }) => schedule !== null) ? Exit.wrongInput : Exit.done;
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
      if (this.options.replay && ran.bug !== null)
        await this.#replays.add(`${task} ${workerName(worker)} ${run}`, ran.bug, prepared.read, ran.key);
    }
  }

  async #runOne(
    { prepared, worker, run }: PlannedRun,
    log: string | undefined,
    observe?: (world: TaskWorld, calls: number) => Promise<void>,
  ): Promise<Ran> {
    const keep = this.folder !== null;
    try {
      return await runTask(prepared, run, { worker, log, keep, signal: this.#abort.signal, observe });
    } catch (error) {
      // A search looks at what is not possible itself.
      if (error instanceof TaskFailure && this.options.adversity === undefined)
        this.#throwFailure(prepared.read, error);
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        throw new Failure(Exit.cannotRun, 'command_missing', `there is no command '${workerName(worker)}'`);
      throw error;
    }
  }

  #throwFailure(read: ReadTask, failure: TaskFailure): void {
    const problems = new ProblemList();
    report(problems, read, failure);
    throwProblems(problems, this.output);
  }

  #report(ran: Trajectory, worker: RunWorker): void {
    const { task, agent, run, pass, reward } = ran;
    const who = worker.kind === 'script' ? `${task} ${agent} ${run}` : `${task} ${run}`;
    const ended = pass ? 'passed' : `failed, reward ${reward}: ${failureOf(ran)}`;
    if (worker.kind === 'script' && worker.agent.passes !== pass) this.#unexpectedRuns.set(ran, `${who} ${ended}`);
    if (!this.options.quiet) this.output.error(`${who} ${ended}`);
  }

  /** Writes what the runs came to. */
  #write(tasks: readonly Prepared[]): { readonly summaries: readonly TaskSummary[]; readonly summary: object } {
    const byTask = new Map(
      tasks.map(({ read: { task } }) => [task.task, this.#ran.filter((each) => each.task === task.task)]),
    );
    const summaries = [...byTask]
      .filter(([, own]) => own.length > 0)
      .map(([task, own]) => summariseTask(task, own, this.#ks()));
    const passed = this.#ran.filter(({ pass }) => pass).length;
    const summary = { runs: this.#ran.length, passed, tasks: summaries, unexpected: this.#unexpected };
    const junitText = junit(byTask, (run) => (this.#realMs.get(run) ?? 0) / 1000);
    this.folder?.finish(this.#ran, summary, junitText);
    return { summaries, summary };
  }

  get #unexpected(): readonly string[] {
    return this.#ran.flatMap((each) => this.#unexpectedRuns.get(each) ?? []);
  }

  #ks(): readonly number[] {
    const { runs, k = Math.min(4, runs) } = this.options;
    return [...new Set([1, k])];
  }

  #finish(tasks: readonly Prepared[], min: number): number {
    const { check, json, replay } = this.options;
    const { summaries, summary } = this.#write(tasks);
    const passed = this.#ran.filter(({ pass }) => pass).length;
    if (json) this.output.print(JSON.stringify(summary));
    else if (check) for (const each of this.#unexpected) this.output.print(`not as its task says: ${each}`);
    else for (const each of summaries) this.output.print(lineOf(each, this.#ks()));
    if (!json) this.output.print(`${counted(passed, 'run')} of ${this.#ran.length} passed`);
    const { runs, files, unlike } = this.#replays;
    if (replay && !json)
      this.output.print(
        `${counted(runs - unlike.length, 'run')} of ${runs} repeated to the same bytes (${counted(files, 'file')})`,
      );
    for (const each of unlike) this.output.error(`other bytes: ${each}`);
    if (unlike.length > 0) return Exit.wrongInput;
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
