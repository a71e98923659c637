import { Argument, Command, CommanderError, Help, Option } from 'commander';
import { didYouMean, suggest } from '../../engine/pack/index.js';
import { addAuthoring } from '../commands/authoring-options.js';
import type { ChaosCommand } from '../commands/chaos.js';
import { completions, completionScript, SHELLS, type Shell } from '../commands/completion.js';
import type { CoverageCommand } from '../commands/coverage.js';
import type { DoctorOptions } from '../commands/doctor.js';
import { addEval, addExportOpenenv, addImportTasks } from '../commands/eval-options.js';
import { addExec } from '../commands/exec-options.js';
import { addUp } from '../commands/up-options.js';
import type { McpCommand } from '../commands/mcp.js';
import type { LiveCommand } from '../commands/live.js';
import { addPackCommands } from '../commands/pack-options.js';
import type { ReplayCommand } from '../commands/replay.js';
import type { ServeOptions } from '../commands/serve-options.js';
import type { ShrinkCommand } from '../commands/shrink.js';
import { addStore, addWorlds } from '../commands/store-options.js';
import type { ValidateOptions } from '../commands/validate-pack.js';
import { ownVersion } from './installation.js';
import {
  apiKey,
  byteSize,
  clockName,
  keyOption,
  portNumber,
  seconds,
  urlOption,
  USUAL_URL,
  variable,
  webAddress,
  wholeNumber,
} from './options.js';
import { Exit, Failure, Output } from './output.js';
import { systemFailure } from './system-failure.js';
import {
  CHAOS_HELP,
  COMPLETION_HELP,
  LIVE_HELP,
  REPLAY_HELP,
  SERVE_HELP,
  SHRINK_HELP,
  VALIDATE_HELP,
  mcpHelp,
} from './help-texts.js';

/** Runs the `sandbox` command and returns its exit code. Never rejects. */
export async function run(args: readonly string[], output = new Output()): Promise<number> {
  let code: number = Exit.done;
  const done = (result: number): void => {
    code = result;
  };
  const [asked] = args;
  if (asked === undefined) return (await import('../commands/here.js')).here(process.cwd(), output);
  if (asked === 'help') return run([...args.slice(1), '--help'], output);
  const program = build(output, done, asked);
  // Registers further options only for commands other than a starting server, which doesn't need help, versions and completion.
  if (!program.commands.some((command) => command.name() === asked)) {
    const { addControl } = await import('../control/attach.js');
    const words = asked === 'complete' ? args.slice(args[1] === '--' ? 2 : 1) : undefined;
    addControl(program, words ? words[0] : asked, output, done);
    if (words) {
      for (const each of await completions(program, words)) output.print(each);
      return Exit.done;
    }
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? Exit.done : Exit.cannotRun;
    const failure = error instanceof Failure ? error : (systemFailure(error) ?? (await rejectedPack(error, output)));
    if (!failure) throw error;
    output.failure(failure, args.includes('--json'));
    return failure.exit;
  }
}

/** Creates the failure for a pack with errors, for commands that don't handle it themselves; undefined for other errors. */
async function rejectedPack(error: unknown, output: Output): Promise<Failure | undefined> {
  const { PackInvalid } = await import('../../engine/index.js');
  if (!(error instanceof PackInvalid)) return undefined;
  const { rejection } = await import('./problems.js');
  return rejection(error, output.colorErrors);
}

/** Suggests a valid choice for an invalid one, as the end of commander's message. */
function nearestChoice(text: string): string {
  const [, given, choices] =
    /'([^']*)' is invalid(?: for argument '[^']*')?\. Allowed choices are (.*)\./.exec(text) ?? [];
  return given === undefined ? '' : `${didYouMean(suggest(given, choices.split(', '))).replace('; did', 'Did')}\n`;
}

/** Groups of commands, in the order in which newcomers need them. */
const GROUPS = ['Start', 'Data', 'Time', 'Events and failures', 'Webhooks', 'History', 'Worlds', 'Packs'];

/** Groups the items of a help text, and returns the groups in order. */
function inOrder<T extends Command | Option>(all: T[], visible: T[], groupOf: (item: T) => string): Map<string, T[]> {
  const groups = new Help().groupItems(all, visible, groupOf);
  const rank = ([title]: [string, T[]]): number => GROUPS.indexOf(title.replace(':', ''));
  return new Map([...groups].sort((a, b) => rank(a) - rank(b)));
}

/** Describes the commands. Each loads its code when it runs. @param asked the command that runs: a starting server needs no other one */
function build(output: Output, done: (code: number) => void, asked: string | undefined): Command {
  const program = new Command('sandbox')
    .description('Emulates vendor APIs from packs of YAML, with a control API for tests under /__admin__.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    // Allows a subcommand to have an option of the same name as the program, such as `--version` for an API version.
    .enablePositionalOptions()
    .configureHelp({ groupItems: inOrder })
    .showHelpAfterError('(Run `sandbox --help` to list the commands, `sandbox COMMAND --help` for the options of one.)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      writeErr: (text) => output.error(text.trimEnd()),
      outputError: (text, write) => write(text + nearestChoice(text)),
    });

  program
    .command('serve')
    .helpGroup('Start:')
    .summary('Start a sandbox server')
    .description('Serves packs over HTTP and prints the address and the key. Stop it with Ctrl-C (SIGINT) or SIGTERM.')
    .argument('[packs...]', 'folders or names of packs, or a company file (default: payments)')
    .option('-p, --port <number>', 'port to listen on; 0: any free port', portNumber, 8801)
    .option('--host <address>', 'address to listen on; 0.0.0.0 accepts connections from other machines', 'localhost')
    .option('--smtp <port>', 'also receive mail by SMTP on this port; the password is the API key', portNumber)
    .addOption(
      new Option('--allow-host <names>', 'further host names of this server, separated by commas')
        .env('SANDBOX_ALLOW_HOST')
        .argParser((text: string) => text.split(',').map((name) => name.trim())),
    )
    .addOption(
      new Option('--key <text>', 'the API key (default: a new one at each start)')
        .env('SANDBOX_API_KEY')
        .argParser(apiKey),
    )
    .option('--key-file <file>', 'file with the API key; keys on further lines are accepted, too')
    .option('--teams <file>', 'YAML or JSON file of teams, which create worlds with their own keys')
    .option('--expires <duration>', 'delete worlds without their own `expires` after this time, such as 24h')
    .option('--audit-log <file>', 'append a line of JSON to this file for each control API call except GET')
    .addOption(
      new Option('--metrics-key <text>', 'a key that can only read /metrics')
        .env('SANDBOX_METRICS_KEY')
        .argParser(apiKey),
    )
    .option(
      '--leave-after <seconds>',
      'how long a stopping replica keeps serving while it reports not ready, such as 5s (default: 0s)',
      seconds,
    )
    .option('--t0 <instant>', 'start of the clock: ISO 8601 or Unix seconds (default: now)')
    .option(
      '--clock <mode>',
      'frozen: changes only when you advance it; realtime: follows your machine',
      clockName,
      'frozen',
    )
    .option('--seed <text>', 'random seed: equal texts give equal ids and other random values')
    .option('--seed-file <file>', 'file of initial objects: JSON or YAML, like the body of POST /__admin__/seed')
    .addOption(new Option('--seed-data <name>', 'initial objects: name of seed data in the pack').conflicts('seedFile'))
    .addOption(
      new Option(
        '--store <where>',
        'save worlds in this file, or in PostgreSQL (postgres://...), and continue with them at the next start',
      ).env('SANDBOX_STORE'),
    )
    .addOption(
      new Option(
        '--worlds <way>',
        'how calls select a world: by its own port, or by its key at one address (default: port; key in PostgreSQL)',
      ).choices(['port', 'key']),
    )
    .option('--advertise <url>', 'address at which other replicas reach this one (default: its own)', webAddress)
    .option('--tls', 'serve with TLS, with a certificate created at the start')
    .option('--tls-cert <file>', 'serve with TLS, with this certificate (PEM)')
    .option('--tls-key <file>', 'the key of that certificate (PEM)')
    .option(
      '--public-url <url>',
      'address at which callers reach the server (or all replicas), used in links and base_url (default: its own address)',
      webAddress,
    )
    .option('--max-worlds <number>', 'maximum number of worlds in PostgreSQL, or of a company', wholeNumber)
    .option('--max-world-size <size>', 'maximum size of a world in PostgreSQL, such as 100MB', byteSize)
    .addOption(
      new Option('--log <form>', 'format of the log, with a line for each call')
        .choices(['text', 'json', 'none'])
        .default('text'),
    )
    .option('--spans', 'create an OpenTelemetry span for each call, with the SDK that is loaded into Node')
    .option('--idle <duration>', 'unload a saved world after this time without calls, or never', '10m')
    .addOption(
      new Option(
        '--changed-pack <what>',
        'what to do with saved worlds if their pack has changed: migrate (move) or reject them (default: move with PostgreSQL, else reject)',
      ).choices(['move', 'reject']),
    )
    .option('--set <name=value>', 'set a variable of the pack (repeatable)', variable)
    .option('--strict', 'reject calls that use features which the vendor documents and the pack does not emulate')
    .option('--lenient-versions', 'use the nearest API version if a call requests one that the pack does not have')
    .option('--cors', "allow web pages of other origins to call the vendor's API")
    .option('--together', 'serve all packs in one world: one clock and event log; a port and key for each')
    .option('--openenv', 'serve the tasks of packs, or task files, as environments of OpenEnv, without a key')
    .option('-w, --watch', 'reload the pack when its files change')
    .option('--with-stdin', 'stop when standard input ends, which happens if the parent process dies')
    .option('--inspect [port]', 'allow a debugger to attach, with breakpoints in the YAML of the pack', portNumber)
    .option('--timings', 'print how long each phase of the start took')
    .option('--json', 'print one line of JSON instead of text')
    .option('-q, --quiet', 'print errors only, no line for each call')
    .addHelpText('after', SERVE_HELP)
    .action(async (packs: string[], options: ServeOptions) => {
      const { serve } = await import('../commands/serve.js');
      done(await serve(packs.length === 0 ? ['packs/payments'] : packs, options, output));
    });
  if (asked === 'serve') return program;

  addEval(program, output, done);
  addImportTasks(program, output, done);
  addExportOpenenv(program, output, done);
  addExec(program, output, done);
  addUp(program, output, done);

  program
    .command('live')
    .helpGroup('Data:')
    .summary('Simulate the history of a company by its actors')
    .description(
      'Simulates the actors of a company file over a period of time, with random decisions from a seed, and saves the resulting world.',
    )
    .argument('<file>', 'the company file')
    .option('--from <instant>', "start of the clock: ISO 8601 or Unix seconds (default: the file's t0)")
    .option('--to <instant>', 'end of the simulation: ISO 8601, Unix seconds or `now`', 'now')
    .option('--store <file>', 'save the world here; `sandbox serve FILE --store` continues with it')
    .option('--out <file>', 'write the history to this file, for `sandbox replay`')
    .option('--json', 'print one line of JSON instead of text')
    .option('-q, --quiet', 'print errors only')
    .addHelpText('after', LIVE_HELP)
    .action(async (file: string, options: LiveCommand) => {
      const { liveCompany } = await import('../commands/live.js');
      done(await liveCompany(file, options, output));
    });

  program
    .command('replay')
    .helpGroup('History:')
    .summary('Replay a saved run, and serve its world')
    .description(
      'Repeats the calls of a saved run (`sandbox export`) in a new world, compares the responses byte for byte, and serves the world.',
    )
    .argument('<file>', 'file of a saved run')
    .option('--until <entry>', 'stop at this entry of the event log', wholeNumber)
    .option('--pack <pack>', 'folder or name of the pack, or the company file (default: the one named in the file)')
    .option('-p, --port <number>', 'port to listen on; 0: any free port', portNumber, 0)
    .option('--host <address>', 'address to listen on', 'localhost')
    .addOption(new Option('--key <text>', 'the API key (default: a new one)').env('SANDBOX_API_KEY').argParser(apiKey))
    .option('--no-serve', 'exit after the comparison')
    .option('--json', 'print one line of JSON instead of text')
    .option('-q, --quiet', 'print errors only')
    .addHelpText('after', REPLAY_HELP)
    .action(async (file: string, options: ReplayCommand) => {
      const { replay } = await import('../commands/replay.js');
      done(await replay(file, options, output));
    });

  program
    .command('shrink')
    .helpGroup('History:')
    .summary('Reduce a saved run to the calls that fail')
    .description(
      'Finds the shortest list of calls from a saved run (`sandbox export`) with which a command fails, and prints it as curl commands.',
    )
    .argument('<file>', 'file of a saved run')
    .requiredOption('--check <command>', 'command that exits with a code other than 0 if the bug occurs')
    .option('--pack <pack>', "folder or name of the pack (default: the file's pack)")
    .option('-o, --out <file>', 'write the remaining calls to a file that `sandbox replay` accepts')
    .option('--timeout <seconds>', 'time limit of one check', wholeNumber, 60)
    .option('-q, --quiet', 'print no progress')
    .addHelpText('after', SHRINK_HELP)
    .action(async (file: string, options: ShrinkCommand) => {
      const { shrink } = await import('../commands/shrink.js');
      done(await shrink(file, options, output));
    });

  program
    .command('chaos')
    .helpGroup('Webhooks:')
    .summary('Find the webhook order that breaks your test')
    .description(
      'Runs a command repeatedly, each time in a fork in which some webhooks are duplicated, reordered or delayed; prints the shortest list of such faults with which the command fails.',
    )
    .argument('[pack]', 'folder or name of a pack, for a new sandbox (default: payments, or the server of --url)')
    .requiredOption(
      '--check <command>',
      'command that makes calls, receives webhooks, and exits with a code other than 0 if the result is wrong',
    )
    .addOption(urlOption('fork the first world of this server'))
    .addOption(keyOption())
    .option('--runs <count>', 'number of combinations to try if no single fault breaks it', wholeNumber, 30)
    .option('--seed <text>', 'random seed of the combinations', '1')
    .option('--drop', 'also drop webhooks')
    .option('--timeout <seconds>', 'time limit of one run; a longer run counts as failed', wholeNumber, 60)
    .option('--json', 'print one line of JSON instead of text')
    .option('-q, --quiet', 'print no progress')
    .addHelpText('after', CHAOS_HELP)
    .action(async (pack: string | undefined, options: ChaosCommand) => {
      const { chaos } = await import('../commands/chaos.js');
      done(await chaos(pack, options, output));
    });

  program
    .command('coverage')
    .helpGroup('Packs:')
    .summary('Show which parts of a pack your tests reached')
    .description(
      'Shows which states, transitions, events, errors and other parts of a pack the calls of a world have used.',
    )
    .argument('[source]', 'address of a server, or file of a saved run (default: SANDBOX_URL)')
    .addOption(keyOption())
    .option('--pack <pack>', "folder or name of the file's pack (default: the one named in the file)")
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'markdown', 'json']).default('text'))
    .option('--json', 'the same as --format json')
    .action(async (given: string | undefined, options: CoverageCommand) => {
      const { coverage } = await import('../commands/coverage.js');
      const source = given ?? process.env['SANDBOX_URL'] ?? USUAL_URL;
      done(await coverage(source, options, output));
    });

  program
    .command('validate-pack')
    .helpGroup('Packs:')
    .summary('Check packs; errors have file and line')
    .description('Checks packs completely: YAML syntax, schema, names, types, expressions, state machines.')
    .argument('[packs...]', 'folders or names of packs, or company files (default: every folder of packs/)')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json', 'github']).default('text'))
    .option('--json', 'the same as --format json')
    .option('--strict', 'warnings count as errors')
    .option('--complete', 'warn about declarations without a description')
    .option('--examples', 'also run the examples of the packs')
    .option('-w, --watch', 'check again whenever a file is saved, until you stop the command')
    .option('-q, --quiet', 'print problems only')
    .addHelpText('after', VALIDATE_HELP)
    .action(async (packs: string[], options: ValidateOptions) => {
      const { validatePacks } = await import('../commands/validate-pack.js');
      done(await validatePacks(packs, options, output));
    });

  addWorlds(program, output, done);
  addStore(program, output, done);

  addPackCommands(program, output, done);
  addAuthoring(program, output, done);

  program
    .command('mcp')
    .helpGroup('Start:')
    .summary('Start an MCP server for coding agents')
    .description(
      'Starts an MCP server with tools that add data to a world, advance its clock, trigger events, inject faults and explain responses.',
    )
    .argument('[pack]', 'folder or name of a pack, for a new sandbox (default: payments, or the server of --url)')
    .addOption(urlOption('use the first world of this server'))
    .addOption(keyOption())
    .addOption(new Option('--as <api>', "serve tools for the vendor's API instead").choices(['vendor']))
    .option('--toolsets <names>', 'with --as vendor: groups of tools to serve, such as `customers,refunds`, or `all`')
    .option('--read-only', 'with --as vendor: only tools that change nothing')
    .addHelpText('after', mcpHelp)
    .action(async (pack: string | undefined, options: McpCommand) => {
      const { mcp } = await import('../commands/mcp.js');
      done(await mcp(pack, options));
    });

  program
    .command('doctor')
    .helpGroup('Start:')
    .summary('Check your installation')
    .description('Checks Node, the installation, the environment and the running server, and prints advice.')
    .addOption(urlOption('address of the server').default(USUAL_URL))
    .addOption(keyOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit codes: 0 no problem was found, 1 there is a problem.')
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('../commands/doctor.js');
      done(await doctor(options, output));
    });

  program
    .command('completion')
    .helpGroup('Start:')
    .summary('Print a shell completion script')
    .description('Prints a shell script. With it, the Tab key completes subcommands, options and names of the pack.')
    .addArgument(new Argument('<shell>', 'name of the shell').choices(SHELLS))
    .addHelpText('after', COMPLETION_HELP)
    .action((shell: Shell) => output.print(completionScript(shell)));

  return program;
}
