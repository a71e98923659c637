import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProblemList } from '../../engine/pack/index.js';
import type { JsonObject } from '../../engine/values/index.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';
import { type Prepared, report, TaskFailure } from '../eval/prepared.js';
import { AgentFails, described, searchHarm, USUAL_ORDER } from '../eval/adversity.js';
import { type ReadTask, taskFiles } from '../eval/read-tasks.js';
import { Replays } from '../eval/replays.js';
import { ResultsFolder } from '../eval/results-folder.js';
import { type Begun, beginRun, workerName, type Ran, type RunWorker, runTask, type TaskWorker } from '../eval/run.js';
import { type Trajectory } from '../eval/verdicts.js';
import { configured, type EvalConfig } from '../openenv/eval-config.js';
import { playRollout, readRollouts, type Rollout, RolloutFolder } from '../openenv/rollouts.js';
import { readAll, TaskServer, throwProblems } from '../eval/task-server.js';
import type { TaskWorld } from '../eval/task-world.js';
import { failureOf, junit, summariseTask, type TaskSummary } from '../eval/summary.js';

/** The parsed options of `sandbox eval`. */
export interface EvalOptions {
  readonly runs: number;
  readonly jobs: number;
  readonly k?: number;
  /** Minimum share of passing runs, from 0 to 1. */
  readonly min: number;
  readonly out?: string;
  readonly resume?: boolean;
  /** Whether to replay each run's file and compare the bytes. */
  readonly replay?: boolean;
  readonly check?: boolean;
  /** Whether an external program requests runs on standard input. */
  readonly serve?: boolean;
  /** Searches for the smallest disturbance with which the agent does harm; writes tasks with it to this folder. */
  readonly adversity?: string;
  readonly any?: boolean;
  /** Number of combinations of disturbances that a search tries. */
  readonly tries: number;
  readonly order?: string;
  readonly port: number;
  /** Folder for rollouts in OpenEnv's format. */
  readonly openenv?: string;
  /** File of rollouts in that format, whose calls are repeated instead of running a command. */
  readonly rollouts?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

interface PlannedRun {
  readonly prepared: Prepared;
  readonly worker: TaskWorker;
  readonly run: number;
}

/**
 * Lets an agent work on tasks, each run in a fork of the task's world, and judges the result.
 * @returns 1 if fewer runs pass than required, or with `check` if a scripted agent doesn't end as its task declares
 * @throws Failure if a task is invalid or the command can't start
 */
export async function evaluate(
  asked: readonly string[],
  command: readonly string[],
  chosen: EvalOptions,
  output: Output,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<number> {
  const { given, options, config } = configured(asked, chosen);
  const { check = false, serve = false, out, resume = false, rollouts } = options;
  const hasNoCommand = check || serve || rollouts !== undefined;
  if (hasNoCommand === command.length > 0)
    throw new Failure(
      Exit.cannotRun,
      'command_missing',
      hasNoCommand ? '--check, --serve and --rollouts run no command' : 'there is no command to evaluate',
      'sandbox eval TASKS -- COMMAND, sandbox eval TASKS --check, or sandbox eval TASKS --serve',
    );
  if (options.replay && out === undefined)
    throw new Failure(Exit.cannotRun, 'option_missing', '--replay repeats what is in --out', 'Give --out FOLDER.');
  const tasks = await readAll(taskFiles(given), output);
  const folder = out === undefined ? null : new ResultsFolder(out, resume);
  if (options.adversity !== undefined && tasks.some(({ packs }) => packs.length !== 1))
    throw new Failure(Exit.cannotRun, 'alone_only', '--adversity is for tasks of one pack');
  const asRollouts = options.openenv === undefined ? null : new RolloutFolder(options.openenv);
  const server = await TaskServer.start(tasks, options.port, output);
  const evaluation = new Evaluation(server, { folder, rollouts: asRollouts, config }, options, output);
  try {
    if (rollouts !== undefined) return await evaluation.play(tasks, readRollouts(rollouts));
    const prepared = await evaluation.prepare(tasks);
    if (serve) return await evaluation.serve(prepared, input);
    if (options.adversity !== undefined) return await evaluation.search(prepared, command, options.adversity);
    return await evaluation.run(prepared, command);
  } finally {
    await evaluation.close();
    await server.close();
  }
}

/** Where an evaluation writes its results: folders, and the configuration for OpenEnv. */
interface Written {
  readonly folder: ResultsFolder | null;
  readonly rollouts: RolloutFolder | null;
  readonly config: EvalConfig;
}

class Evaluation {
  readonly #ran: Trajectory[] = [];
  readonly #realMs = new Map<Trajectory, number>();
  /** Runs of scripted agents that didn't end as their tasks declare. */
  readonly #unexpectedRuns = new Map<Trajectory, string>();
  readonly #replays = new Replays();
  readonly #abort = new AbortController();
  readonly #prepared: Prepared[] = [];

  constructor(
    private readonly server: TaskServer,
    private readonly written: Written,
    private readonly options: EvalOptions,
    private readonly output: Output,
  ) {}

  /** Sets up the world of each task. @throws Failure with every problem and its location */
  async prepare(tasks: readonly ReadTask[]): Promise<Prepared[]> {
    const problems = new ProblemList();
    const made: Prepared[] = [];
    for (const task of tasks) {
      try {
        const prepared = await this.server.prepare(task);
        this.#prepared.push(prepared);
        made.push(prepared);
      } catch (error) {
        if (!(error instanceof TaskFailure)) throw error;
        report(problems, task, error);
      }
    }
    throwProblems(problems, this.output);
    return made;
  }

  /** Deletes the prepared worlds; those of companies don't end with the server. */
  async close(): Promise<void> {
    for (const { world } of this.#prepared) await world.drop();
  }

  /** Makes the calls of rollouts, each in a world of its task, and judges the result. @throws Failure */
  async play(tasks: readonly ReadTask[], rollouts: readonly Rollout[]): Promise<number> {
    const worlds = new Map<string, Prepared>();
    const planned: PlannedRun[] = [];
    for (const rollout of rollouts) {
      const read = tasks.find(({ task }) => task.task === rollout.task);
      if (!read)
        throw new Failure(Exit.wrongInput, 'rollout_invalid', `${rollout.episode}: there is no task '${rollout.task}'`);
      const { seed = read.task.seed } = rollout;
      const key = JSON.stringify([rollout.task, seed]);
      const prepared = worlds.get(key) ?? (await this.prepare([{ ...read, task: { ...read.task, seed } }]))[0];
      worlds.set(key, prepared);
      const play = (world: Prepared, begun: Begun): Promise<string | null> => playRollout(rollout, world, begun);
      planned.push({ prepared, worker: { kind: 'played', name: rollout.episode, play }, run: 1 });
    }
    return this.#runAll([...worlds.values()], planned);
  }

  run(tasks: readonly Prepared[], command: readonly string[]): Promise<number> {
    return this.#runAll(
      tasks,
      tasks.flatMap((prepared) => this.#planned(prepared, command)),
    );
  }

  async #runAll(tasks: readonly Prepared[], all: readonly PlannedRun[]): Promise<number> {
    const { jobs, min } = this.options;
    const done = this.written.folder?.done() ?? [];
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
        this.written.folder ? '--resume continues it.' : '',
      );
    const order = new Map(all.map((planned, at) => [keyOf(nameOfRun(planned)), at]));
    this.#ran.sort((a, b) => (order.get(keyOf(a)) ?? 0) - (order.get(keyOf(b)) ?? 0));
    return this.#finish(tasks, min);
  }

  /** Serves runs to an external program, until its input ends. */
  async serve(tasks: readonly Prepared[], input: NodeJS.ReadableStream): Promise<number> {
    const { serveRuns } = await import('../eval/served.js');
    const worker: RunWorker = { kind: 'other' };
    await serveRuns(input, {
      tasks,
      begin: (prepared, run) => beginRun(prepared, run, { worker, keep: this.written.folder !== null }),
      ended: (prepared, run, ran) => {
        this.written.folder?.add(ran, { task: prepared.read.task.task, run });
        this.#keep(ran, prepared, worker);
      },
      write: (line) => this.output.print(line),
    });
    this.#write(tasks);
    return Exit.done;
  }

  /** Searches for disturbances with which the agent does harm, task by task. @throws Failure if it fails without one */
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
        prepare: (read) => this.server.prepare(read),
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
      const ran = await this.#runOne(next, this.written.folder?.runFile(name, 'log'));
      if (this.#abort.signal.aborted) return;
      this.written.folder?.add(ran, name);
      this.#keep(ran, prepared, worker);
      if (this.options.replay && ran.bug !== null)
        await this.#replays.add(`${task} ${workerName(worker)} ${run}`, ran.bug, prepared.read, ran.key);
    }
  }

  async #runOne(
    { prepared, worker, run }: PlannedRun,
    log: string | undefined,
    observe?: (world: TaskWorld, calls: number) => Promise<void>,
  ): Promise<Ran> {
    const keep = this.written.folder !== null;
    try {
      return await runTask(prepared, run, { worker, log, keep, signal: this.#abort.signal, observe });
    } catch (error) {
      // Reports an impossible step as a problem of the task. A search for disturbances handles such failures itself.
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

  #keep({ trajectory, realMs }: Ran, prepared: Prepared, worker: RunWorker): void {
    this.written.rollouts?.add(trajectory, prepared);
    this.#ran.push(trajectory);
    this.#realMs.set(trajectory, realMs);
    this.#report(trajectory, worker);
  }

  #report(ran: Trajectory, worker: RunWorker): void {
    const { task, agent, run, pass, reward } = ran;
    const who = worker.kind === 'script' ? `${task} ${agent} ${run}` : `${task} ${run}`;
    const ended = pass ? 'passed' : `failed, reward ${reward}: ${failureOf(ran)}`;
    if (worker.kind === 'script' && worker.agent.passes !== pass) this.#unexpectedRuns.set(ran, `${who} ${ended}`);
    if (!this.options.quiet) this.output.error(`${who} ${ended}${this.#outputOf(ran, worker)}`);
  }

  /** Returns where the output of a failed command is, for a message. */
  #outputOf({ task, run, stopped }: Trajectory, { kind }: RunWorker): string {
    if (stopped === null || kind !== 'command') return '';
    const { out } = this.options;
    return out === undefined
      ? ' (--out FOLDER keeps what it printed)'
      : ` (it printed ${join(out, 'runs', `${task}.${run}.log`)})`;
  }

  /** Writes the results of the runs. */
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
    this.written.folder?.finish(this.#ran, summary, junitText);
    this.written.rollouts?.finish(this.written.config, summaries);
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
