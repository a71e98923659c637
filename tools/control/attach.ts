import { Argument, type Command, Option } from 'commander';
import { keyOption, urlOption, USUAL_URL } from '../command/options.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { writtenDown } from '../up/running.js';
import type { ControlCommand, Given } from './command.js';
import { CONTROL_COMMANDS } from './commands/index.js';
import { type ControlOperation, readOperations, type ValueShape } from './contract.js';
import { callServer, chosen, curlLine } from './server.js';
import { shapedValue } from './values.js';

/** Adds a subcommand for every call of the control API. The contract is read when one of them runs. */
export function addControl(
  program: Command,
  asked: string | undefined,
  output: Output,
  done: (code: number) => void,
): void {
  const operations = CONTROL_COMMANDS.some(({ name }) => name === asked) ? readOperations() : undefined;
  for (const command of CONTROL_COMMANDS) {
    const sub = program
      .command(command.name)
      .summary(command.summary ?? '')
      .helpGroup(`${command.group}:`);
    if (operations === undefined || command.name !== asked) continue;
    describeCommand(sub, command, operations, output, done);
  }
}

/** Adds a subcommand's arguments, options and help. */
export function describeCommand(
  sub: Command,
  command: ControlCommand,
  operations: ReadonlyMap<string, ControlOperation>,
  output: Output,
  done: (code: number) => void,
): void {
  const calls = command.operations.map((id) => {
    const found = operations.get(id);
    if (!found) throw new Error(`the contract has no operation '${id}'`);
    return found;
  });
  sub.description(command.summary ?? calls[0].summary);
  const names = (command.args ?? []).map(([flags]) => nameOf(flags));
  for (const [flags, text] of command.args ?? []) {
    const argument = new Argument(flags.replaceAll('_', '-'), text);
    const choices = calls[0].values.get(nameOf(flags))?.shape.choices ?? null;
    sub.addArgument(choices === null ? argument : argument.choices(choices));
  }
  for (const [flags, text] of command.options ?? []) sub.addOption(new Option(flags, text));
  for (const [name, { shape }] of calls.flatMap(({ values }) => [...values])) {
    if (names.includes(name) || command.hidden?.includes(name)) continue;
    const option = optionOf(name, shape);
    if (!sub.options.some(({ long }) => long === option.long)) sub.addOption(option);
  }
  sub
    .addOption(urlOption('address of the server').default(USUAL_URL))
    .addOption(keyOption())
    .option('--json', 'print the response as one line of JSON')
    .option('--curl', 'print the call as a curl command instead of making it');
  const { examples = [] } = command;
  const calling = calls.map(({ method, path }) => `${method} /__admin__${path}`).join(', ');
  sub.addHelpText(
    'after',
    `\n${examples.length === 0 ? '' : `Examples:\n${examples.map((line) => `  ${line}`).join('\n')}\n\n`}It calls ${calling} (docs/reference/control-api.md).`,
  );
  sub.action(async (...given: unknown[]) => {
    const { url, key, json, curl, ...options } = sub.opts<{
      url: string;
      key?: string;
      json?: boolean;
      curl?: boolean;
    }>();
    const written: Record<string, unknown> = {};
    for (const [at, name] of names.entries()) written[name] = given[at];
    for (const [name, value] of Object.entries(options)) written[snake(name)] = value;
    const values = await ordered(command, calls, written);
    const operation = chosen(calls, values);
    if (curl) {
      output.print(curlLine(operation, values, url));
      return done(Exit.done);
    }
    const mistaken = command.ofFile ? Exit.wrongInput : Exit.cannotRun;
    // In the folder of an application, the default server is that of its running vendors.
    const running =
      key === undefined && sub.getOptionValueSource('url') === 'default' ? writtenDown(process.cwd()) : null;
    const server = running ?? { url, key };
    const response = await callServer(operation, values, server, mistaken).catch((error: unknown) => {
      throw error instanceof Failure ? named(error, sub) : error;
    });
    if (json) output.print(JSON.stringify(response));
    else for (const line of command.view(response, written)) output.print(line);
    done(Exit.done);
  });
}

/** Replaces the name of a missing value in a failure with its command line option. */
function named(failure: Failure, sub: Command): Failure {
  const { exit, code, message, details, data } = failure;
  if (code !== 'missing_key') return failure;
  const name = String(data['path'] ?? '').replaceAll('_', '-');
  const option = sub.options.find(({ long }) => long === `--${name}`);
  const argument = sub.registeredArguments.find((each) => each.name() === name);
  const usage = argument ? `Usage: sandbox ${sub.name()} ${sub.usage()}` : 'For example: name=value';
  const lines = [details, option ? `Give ${option.flags}.` : usage].filter((line) => line !== '');
  return new Failure(exit, code, message, lines.join('\n'), data);
}

/** Converts the command line's arguments and options to the values of the call, by the contract's names. */
async function ordered(command: ControlCommand, calls: readonly ControlOperation[], written: Given): Promise<Given> {
  const shapes = new Map(calls.flatMap(({ values }) => [...values]));
  const own = new Set((command.options ?? []).map(([flags]) => snake(new Option(flags).attributeName())));
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(written)) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    // A command's own option may have the name of a contract value that `order` computes from the option.
    const shape = own.has(name) ? undefined : shapes.get(name)?.shape;
    read[name] = shape ? shapedValue(name, shape, value) : value;
  }
  const values = command.order ? await command.order(read) : read;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function optionOf(name: string, { description, kind, choices }: ValueShape): Option {
  const long = `--${name.replaceAll('_', '-')}`;
  switch (kind) {
    case 'flag':
      return new Option(long, description);
    case 'map':
      return new Option(`${long} <name=value...>`, description);
    default: {
      const value = kind === 'integer' ? 'number' : kind === 'list' ? 'a,b' : 'value';
      const option = new Option(`${long} <${value}>`, description);
      return choices === null ? option : option.choices(choices);
    }
  }
}

/** Extracts the name from flags such as `<how_far>` and `[params...]`. */
function nameOf(flags: string): string {
  return flags.replace(/[<>[\].]/g, '');
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
