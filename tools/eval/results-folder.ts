import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Exit, Failure } from '../command/output.js';
import type { Ran } from './run.js';
import type { Trajectory } from './verdicts.js';

const TRAJECTORIES = 'trajectories.jsonl';

/** The output folder of an evaluation, written run by run, so that an interrupted one can continue. */
export class ResultsFolder {
  readonly #file: string;

  /** Opens or creates the folder. @throws Failure if it contains the results of another evaluation */
  constructor(
    private readonly folder: string,
    private readonly resume: boolean,
  ) {
    this.#file = join(folder, TRAJECTORIES);
    if (existsSync(this.#file) && !resume)
      throw new Failure(
        Exit.cannotRun,
        'results_exist',
        `${folder} has the results of an evaluation`,
        'Continue it with --resume, or name another folder.',
      );
    mkdirSync(join(folder, 'runs'), { recursive: true });
  }

  /** Reads the finished runs; ignores an incomplete last line. */
  done(): Trajectory[] {
    if (!this.resume || !existsSync(this.#file)) return [];
    return readFileSync(this.#file, 'utf8')
      .split('\n')
      .flatMap((line): Trajectory[] => {
        try {
          return line === '' ? [] : [JSON.parse(line) as Trajectory];
        } catch {
          return [];
        }
      });
  }

  /** Returns the path of a run's file with a suffix. */
  runFile({ task, run, agent }: { task: string; run: number; agent?: string }, ending: string): string {
    return join(this.folder, 'runs', `${task}.${agent === undefined ? '' : `${agent}.`}${run}.${ending}`);
  }

  add({ trajectory, bug }: Ran, name: { task: string; run: number; agent?: string }): void {
    if (bug !== null) writeFileSync(this.runFile(name, 'sandbox'), bug);
    appendFileSync(this.#file, `${JSON.stringify(trajectory)}\n`);
  }

  /** Writes all runs in the given order, their summary, and the JUnit report. */
  finish(runs: readonly Trajectory[], summary: unknown, junit: string): void {
    writeFileSync(this.#file, runs.map((run) => `${JSON.stringify(run)}\n`).join(''));
    writeFileSync(join(this.folder, 'results.json'), `${JSON.stringify(summary, null, 2)}\n`);
    writeFileSync(join(this.folder, 'junit.xml'), junit);
  }
}
