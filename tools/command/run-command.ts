import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sandbox } from '../../engine/index.js';
import type { CommandProxy } from '../redirect/command-proxy.js';
import { installation } from './installation.js';
import { Exit, Failure, type Output } from './output.js';

/** A shell's exit code for an unknown command. */
const NOT_FOUND = 127;

/** Laravel's server for development starts another process, which gets few of its variables. */
const DROPS_VARIABLES = /\bartisan serve\b(?!.*--no-reload)/;

/** A vendor to which calls are redirected. */
export interface RedirectedVendor {
  readonly url: string;
  readonly pack: Pick<Sandbox['pack'], 'name' | 'hosts'>;
}

/**
 * Runs a command, and returns its exit code, or 128 plus the number of the signal that ended it. Passes on signals; a second
 * SIGTERM kills the command, which would otherwise continue without its vendors.
 * @param env variables that override those of this process
 * @param redirect vendors whose own addresses are redirected to the sandbox; undefined: no redirect
 * @throws Failure if the command can't start, or a vendor has no hosts
 */
export async function runCommand(
  [file, ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  redirect: readonly RedirectedVendor[] | undefined,
  output: Output,
): Promise<number> {
  if (file === '') return notFound(file, output);
  const redirected =
    redirect === undefined || redirect.length === 0
      ? undefined
      : await redirection(redirect.flatMap(hostsOf).join(','), output);
  if (redirected !== undefined && DROPS_VARIABLES.test([file, ...args].join(' ')))
    output.error("warning: 'artisan serve' keeps the redirect's variables from its server: add --no-reload");
  // Windows finds npm and similar commands only through its shell.
  const options = { stdio: 'inherit', shell: process.platform === 'win32' } as const;
  try {
    const child = spawn(file, args, { ...options, env: { ...process.env, ...env, ...redirected?.env } });
    return await ended(child, file, output);
  } finally {
    redirected?.close();
  }
}

/** Starts the proxy, and returns it with the variables by which programs are redirected. */
async function redirection(hosts: string, output: Output): Promise<CommandProxy> {
  const { startCommandProxy } = await import('../redirect/command-proxy.js');
  const proxy = await startCommandProxy(hosts, process.env, (line) => output.error(line));
  const own = { SANDBOX_HOSTS: hosts, NODE_OPTIONS: withRedirect(process.env['NODE_OPTIONS']) };
  return { ...proxy, env: { ...own, ...ofOtherLanguages(process.env), ...proxy.env } };
}

/** Lists the host names of a vendor, each with the address of its pack. @throws Failure if the vendor has none */
function hostsOf({ url, pack: { name, hosts = [] } }: RedirectedVendor): readonly string[] {
  if (hosts.length > 0) return hosts.map((host) => `${host}=${url}`);
  throw new Failure(
    Exit.cannotRun,
    'hosts_unknown',
    `the pack ${name} does not name the machines of its vendor`,
    'Add `hosts: [api.vendor.com]` to the pack, or run it without --redirect.',
  );
}

/** Adds Node options that load the redirect before a program, after existing ones. */
function withRedirect(before: string | undefined): string {
  const file = pathToFileURL(join(installation(), 'dist', 'tools', 'in-tests', 'redirect.js')).href;
  return `${before === undefined ? '' : `${before} `}--import ${file}`;
}

/** Variables that load the redirect into programs in Python, Ruby and PHP, beside existing ones. */
function ofOtherLanguages(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const folder = join(installation(), 'tools', 'integrations', 'redirect');
  const before = (name: string, value: string, separator: string): string =>
    env[name] === undefined || env[name] === '' ? value : `${value}${separator}${env[name]}`;
  return {
    PYTHONPATH: before('PYTHONPATH', folder, delimiter),
    RUBYLIB: before('RUBYLIB', folder, delimiter),
    RUBYOPT: before('RUBYOPT', '-rsandbox_redirect', ' '),
    // The empty first part keeps PHP's own folder of settings; later folders override it.
    PHP_INI_SCAN_DIR: `${env['PHP_INI_SCAN_DIR'] ?? ''}${delimiter}${folder}`,
    SANDBOX_REDIRECT: folder,
  };
}

function ended(child: ChildProcess, file: string, output: Output): Promise<number> {
  const passed = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    // Whether this signal has come before. On a terminal, SIGINT isn't passed on: the terminal itself interrupts the command.
    let isAsked = false;
    const pass = (): void => {
      if (signal === 'SIGTERM' && isAsked) child.kill('SIGKILL');
      else if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
      isAsked = true;
    };
    process.on(signal, pass);
    return () => process.off(signal, pass);
  });
  return new Promise<number>((resolve, reject) => {
    child.once('error', (error) => {
      if ('code' in error && error.code === 'ENOENT') resolve(notFound(file, output));
      else reject(error);
    });
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]));
  }).finally(() => passed.forEach((stop) => stop()));
}

function notFound(file: string, output: Output): number {
  output.error(`error: there is no command '${file}'`);
  return NOT_FOUND;
}
