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
      'Finds the vendors that an application calls, by its manifests, lockfiles and .env.example, and serves them in one world. Writes sandbox.yaml (ports, keys, addresses for webhooks) unless it exists, and .env.sandbox at each start. With a command, runs it with the variables of .env.sandbox, redirects its calls to the sandbox, and exits when it ends.',
    )
    .argument('[command...]', 'the command, after --')
    .option('--folder <path>', "the application's folder", '.')
    .option(
      '-p, --port <number>',
      'port of the control API and the inspector; in a new sandbox.yaml, the vendors get the following ports; 0: any free ports (default: 8800, or the next free ones)',
      portNumber,
    )
    .option(
      '--app <url>',
      'address of the application, for its webhook routes in a new sandbox.yaml (default: the port that its scripts, settings and code name, or its framework uses)',
      webAddress,
    )
    .option('--no-redirect', "don't redirect a command's calls to the vendors' own addresses")
    .option(
      '-d, --detach',
      'run the vendors in the background; use sandbox status, logs and down, or up -- COMMAND, afterwards',
    )
    .option('--open', 'open the inspector in the browser')
    .option('--check', 'start nothing, and fail if sandbox.yaml lacks a vendor that the application uses')
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
    if (name === 'logs')
      sub.option('-f, --follow', 'print further lines as they are written, until you stop the command');
    sub.action(async (options: RunningOptions) => {
      const running = await import('./up-running.js');
      done(await running[name as keyof typeof RUNNING](options, output));
    });
  }
}

/** Subcommands for vendors that run in the background, by name. */
const RUNNING = {
  down: 'Stop the vendors that `sandbox up` started',
  status: 'Show the running vendors of an application and their addresses',
  logs: 'Print the calls of vendors that run in the background',
};

const HELP = `
Examples:
  sandbox up
  sandbox up -- npm run dev
  sandbox up --detach; sandbox logs --follow; sandbox down
  sandbox up --check

Exit codes: that of the command; 0 stopped, or nothing to change; 1 sandbox.yaml is invalid or lacks a vendor; 2 it cannot start (options, names, ports).`;
