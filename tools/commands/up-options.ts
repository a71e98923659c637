import type { UpOptions, RunningOptions } from './up-running.js';
import type { Command } from 'commander';
import { portNumber, webAddress } from '../command/options.js';
import type { Output } from '../command/output.js';

/** Describes `sandbox up`. */
export function addUp(program: Command, output: Output, done: (code: number) => void): void {
  program
    .command('up')
    .helpGroup('Start:')
    .summary('Start the vendors that an application uses')
    .description(
      'Finds the vendors that an application calls, by its manifests, lockfiles and .env.example, and serves them in one world. Writes sandbox.yaml (ports, keys, addresses for webhooks) unless it exists, and .env.sandbox at each start. With a command, runs it with these variables, its calls redirected, and ends with it.',
    )
    .argument('[command...]', 'the command, after --')
    .option('--folder <path>', "the application's folder", '.')
    .option(
      '-p, --port <number>',
      'port of the control API and the inspector; a new sandbox.yaml takes those after it; 0 takes any (default: 8800, or the next free ones)',
      portNumber,
    )
    .option(
      '--app <url>',
      'where the application listens: its routes for webhooks are registered there, in a new sandbox.yaml',
      webAddress,
      'http://localhost:3000',
    )
    .option('--no-redirect', "don't redirect a command's calls to the vendors' own addresses")
    .option(
      '-d, --detach',
      'leave them running: sandbox status, logs and down are for them, and up -- COMMAND uses them',
    )
    .option('--open', 'open the inspector in the browser')
    .option('--check', 'start nothing; fail when sandbox.yaml lacks a vendor that the application uses')
    .option('--json', 'print one line of JSON instead of text')
    .addHelpText('after', HELP)
    .action(async (command: string[], options: UpOptions) => {
      const { up } = await import('./up.js');
      done(await up(command, options, output));
    });
  for (const [name, summary] of Object.entries(RUNNING)) {
    const sub = program
      .command(name)
      .helpGroup('Start:')
      .description(summary)
      .option('--folder <path>', "the application's folder", '.');
    if (name === 'status') sub.option('--json', 'print one line of JSON instead of text');
    if (name === 'logs') sub.option('-f, --follow', 'print what comes, too, until it is stopped');
    sub.action(async (options: RunningOptions) => {
      const running = await import('./up-running.js');
      done(await running[name as keyof typeof RUNNING](options, output));
    });
  }
}

/** Subcommands for vendors that run in the background, by name. */
const RUNNING = {
  down: 'Stop the vendors that `sandbox up` started',
  status: 'Show which vendors of an application run, and where',
  logs: 'Print the calls of vendors that were left running',
};

const HELP = `
Examples:
  sandbox up
  sandbox up -- npm run dev
  sandbox up --detach; sandbox logs --follow; sandbox down
  sandbox up --check

Exit codes: that of the command; 0 stopped as asked, or nothing to change; 1 sandbox.yaml is wrong or lacks a vendor; 2 it cannot start (options, names, ports).`;
