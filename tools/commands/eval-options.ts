import { type Command, InvalidArgumentError } from 'commander';
import { portNumber, wholeNumber } from '../command/options.js';
import type { Output } from '../command/output.js';
import type { EvalOptions } from './eval.js';
import type { ExportOpenenvOptions } from './export-openenv.js';
import type { ImportTasksOptions } from './import-tasks.js';

/** Describes `sandbox eval`. */
export function addEval(program: Command, output: Output, done: (code: number) => void): void {
  program
    .command('eval')
    .helpGroup('Start:')
    .summary('Evaluate an agent: run tasks and judge the results')
    .description(
      'Runs a command on tasks, each run in a fork of the world of its task, and judges the resulting world. The command gets SANDBOX_URL, SANDBOX_KEY, SANDBOX_MCP_URL, TASK_PROMPT, TASK_NAME, TASK_RUN and TASK_VARS.',
    )
    .argument(
      '<tasks>',
      "a file, a folder, or a pack with tasks; several with commas between them; or OpenEnv's EvalConfig (.json)",
    )
    .argument('[command...]', 'the agent, after --')
    .option('--runs <number>', 'runs of each task', positive, 1)
    .option('--jobs <number>', 'runs at the same time', positive, 4)
    .option('-k <number>', 'the k of pass@k and pass^k (default: 4, or all runs)', positive)
    .option('--min <share>', 'exit with 1 when a smaller share of the runs passes', share, 1)
    .option('--out <folder>', 'write trajectories.jsonl, results.json, junit.xml and a file for each run')
    .option('--replay', 'with --out: repeat what each run left, and compare the bytes')
    .option('--resume', 'continue the evaluation in --out')
    .option('--check', 'run the scripted agents of the tasks instead of a command')
    .option('--serve', 'serve runs over lines of JSON on standard input and output, to a program that works on them')
    .option('--openenv <folder>', "write rollouts there as OpenEnv's collector does, with the result and a card")
    .option('--rollouts <file>', 'make the calls of rollouts that were collected, and judge them')
    .option('--adversity <folder>', 'find the smallest fault that makes the agent do harm; write it as a task')
    .option('--any', 'with --adversity: a run that fails counts, even where it does no harm')
    .option('--tries <number>', 'with --adversity: combinations to try when no single trouble does it', wholeNumber, 20)
    .option('--order <text>', 'with --adversity: the order in texts that the agent reads')
    .option('--port <number>', 'port of the sandbox (default: any free one)', portNumber, 0)
    .option('--json', 'print one line of JSON instead of text')
    .option('-q, --quiet', 'no line for each run')
    .addHelpText('after', HELP)
    .action(async (tasks: string, command: string[], options: EvalOptions) => {
      const { evaluate } = await import('./eval.js');
      done(await evaluate(tasks.split(','), command, options, output));
    });
}

/** Describes `sandbox export-openenv`. */
export function addExportOpenenv(program: Command, output: Output, done: (code: number) => void): void {
  program
    .command('export-openenv')
    .helpGroup('Start:')
    .summary('Write the card, spec file and container of an OpenEnv environment')
    .description(
      'Writes what a space needs that serves tasks by OpenEnv: README.md, openenv.yaml, Dockerfile, tasks.jsonl.',
    )
    .argument('<tasks...>', 'packs with tasks, folders or files of tasks')
    .requiredOption('--out <folder>', 'where the files are written')
    .action(async (tasks: string[], options: ExportOpenenvOptions) => {
      const { exportOpenenv } = await import('./export-openenv.js');
      done(await exportOpenenv(tasks, options, output));
    });
}

/** Describes `sandbox import-tasks`. */
export function addImportTasks(program: Command, output: Output, done: (code: number) => void): void {
  program
    .command('import-tasks')
    .helpGroup('Start:')
    .summary('Import the tasks of public benchmarks for agents')
    .description(
      'Writes tasks of agent-diff (testsuites/*.json) and of pome (tasks/*.md) as tasks of `sandbox eval`; what could not be imported is said.',
    )
    .argument('<files...>', 'files of a benchmark')
    .requiredOption('--out <folder>', 'where the tasks are written')
    .option('--seeds <folder>', 'tables of agent-diff (default: ../SERVICE beside its suite)')
    .option('--json', 'print one line of JSON instead of text')
    .action(async (files: string[], options: ImportTasksOptions) => {
      const { importTasks } = await import('./import-tasks.js');
      done(importTasks(files, options, output));
    });
}

function positive(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('It is at least 1.');
  return number;
}

function share(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 1))
    throw new InvalidArgumentError('A share is a number from 0 to 1.');
  return number;
}

const HELP = `
Examples:
  sandbox eval payments --runs 10 --jobs 8 -- python3 agent.py
  sandbox eval tasks/ --runs 50 --out results --min 0.9 -- node agent.js
  sandbox eval tasks/ --runs 50 --out results --resume -- node agent.js
  sandbox eval payments --check
  sandbox eval payments --check --openenv rollouts
  sandbox eval tasks/refund.task.yaml --adversity found -- node agent.js
  sandbox replay results/runs/refund-once.3.sandbox

Exit codes: 0 enough runs passed (or no harm was found), 1 too few (or some), or a task is wrong, 2 it cannot run.`;
