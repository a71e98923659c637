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
      "Runs a command on tasks, each time in a fork of its task's world, and judges the resulting world. The command gets SANDBOX_URL, SANDBOX_KEY, SANDBOX_MCP_URL, TASK_PROMPT, TASK_NAME, TASK_RUN and TASK_VARS.",
    )
    .argument(
      '<tasks>',
      "file, folder or pack with tasks, several separated by commas; or OpenEnv's EvalConfig (.json)",
    )
    .argument('[command...]', 'command of the agent, after --')
    .option('--runs <number>', 'number of runs of each task', positive, 1)
    .option('--jobs <number>', 'number of concurrent runs', positive, 4)
    .option('-k <number>', 'the k of pass@k and pass^k (default: 4, or all runs)', positive)
    .option('--min <share>', 'exit with 1 if a smaller share of the runs passes', share, 1)
    .option('--out <folder>', 'write trajectories.jsonl, results.json, junit.xml and a file for each run')
    .option('--replay', 'with --out: replay the file of each run, and compare the bytes')
    .option('--resume', 'continue the evaluation in --out')
    .option('--check', 'run the scripted agents of the tasks instead of a command')
    .option('--serve', 'let an external program begin and finish runs by lines of JSON on standard input and output')
    .option('--openenv <folder>', "write rollouts in the format of OpenEnv's collector, with the results and a card")
    .option(
      '--rollouts <file>',
      'repeat the calls of collected rollouts instead of running a command, and judge the results',
    )
    .option(
      '--adversity <folder>',
      'find the smallest disturbance with which the agent does harm, and write a task with it to this folder',
    )
    .option('--any', 'with --adversity: any failed run counts, even without harm')
    .option(
      '--tries <number>',
      'with --adversity: number of combinations to try if no single disturbance causes harm',
      wholeNumber,
      20,
    )
    .option('--order <text>', 'with --adversity: instruction to inject into texts that the agent reads')
    .option('--port <number>', 'port of the sandbox; 0: any free port', portNumber, 0)
    .option('--json', 'print one line of JSON instead of text')
    .option('-q, --quiet', 'print no line for each run')
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
      'Writes the files of a Hugging Face space that serves tasks as OpenEnv environments: README.md, openenv.yaml, Dockerfile, tasks.jsonl.',
    )
    .argument('<tasks...>', 'packs with tasks, or folders or files of tasks')
    .requiredOption('--out <folder>', 'folder for the files')
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
      'Converts tasks of agent-diff (testsuites/*.json) and pome (tasks/*.md) to tasks of `sandbox eval`, and reports what it could not convert.',
    )
    .argument('<files...>', 'task files of a benchmark')
    .requiredOption('--out <folder>', 'folder for the tasks')
    .option('--seeds <folder>', 'folder of agent-diff tables (default: ../SERVICE, relative to the suite)')
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

Exit codes: 0 enough runs passed (with --adversity: no harm was found), 1 too few passed (harm was found) or a task is invalid, 2 it cannot run.`;
