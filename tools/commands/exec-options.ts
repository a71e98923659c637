import type { ExecOptions } from './exec.js';
import type { Command } from 'commander';
import { apiKey, variable } from '../command/options.js';
import type { Output } from '../command/output.js';

/** Describes `sandbox exec`. */
export function addExec(program: Command, output: Output, done: (code: number) => void): void {
  program
    .command('exec')
    .helpGroup('Start:')
    .summary('Run a command with its own sandbox (for tests)')
    .description(
      "Starts a sandbox on a free port, runs a command with the sandbox's address and key in the environment (SANDBOX_URL, SANDBOX_KEY), and exits with the command's exit code.",
    )
    .argument('<packs>', 'name or folder of a pack; several separated by commas')
    .argument('<command...>', 'the command, after --')
    .option('--key <text>', 'the API key (default: a new one)', apiKey)
    .option('--t0 <instant>', 'start of the clock: ISO 8601 or Unix seconds (default: now)')
    .option('--seed <text>', 'random seed: equal texts give equal ids and other random values')
    .option('--set <name=value>', 'set a variable of the pack (repeatable)', variable)
    .option(
      '--together',
      'serve all packs in one world; the command also gets SANDBOX_<NAME>_URL and SANDBOX_<NAME>_KEY for each pack',
    )
    .option(
      '--redirect',
      "redirect the command's calls from the vendor's own addresses to the sandbox (Node, Python, Ruby, PHP, and programs that use HTTPS_PROXY: Go, Java, curl)",
    )
    .addHelpText('after', HELP)
    .action(async (packs: string, command: string[], options: ExecOptions) => {
      const { exec } = await import('./exec.js');
      done(await exec(packs.split(','), command, options, output));
    });
}

const HELP = `
Examples:
  sandbox exec payments -- npm test
  sandbox exec payments -- pytest -n 4
  sandbox exec payments,team-chat --together -- npm test
  sandbox exec payments --redirect --key sk_test_of_my_env_file -- node app.js

Exit codes: that of the command; 128 plus the number of the signal that ended it; 127 there is no such command; 1 the pack has errors, 2 invalid options.`;
