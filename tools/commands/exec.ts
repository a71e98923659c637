import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CallReport, createSandbox, PackCache, PackInvalid, type Sandbox } from '../../engine/index.js';
import { parseInstant } from '../../engine/world/index.js';
import { findPack, installation } from '../command/installation.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import type { ExecOptions } from './exec-options.js';

/** What a shell answers for a command that is not there. */
const NOT_FOUND = 127;

/**
 * Starts a sandbox, runs a command beside it, and gives the command's exit code, or 128 and the number of the signal that ended it.
 * Signals go on to the command.
 * @throws Failure when the sandbox or the command cannot start
 */
export async function exec(
  packs: readonly string[],
  command: readonly string[],
  options: ExecOptions,
  output: Output,
): Promise<number> {
  const { t0, redirect } = options;
  if (t0 !== undefined && parseInstant(t0) === undefined)
    throw new Failure(Exit.cannotRun, 't0_invalid', `'${t0}' is no instant`, '--t0 takes ISO 8601 or Unix seconds.');
  const sandbox = await start(packs, options, output, redirect ? keyAdvice(output) : undefined);
  try {
    const hosts = sandbox.pack.hosts ?? [];
    if (redirect && hosts.length === 0)
      throw new Failure(
        Exit.cannotRun,
        'hosts_unknown',
        `the pack ${sandbox.pack.name} does not name the machines of its vendor`,
        'Give the pack `hosts: [api.vendor.com]`, or run it without --redirect.',
      );
    const env = {
      ...process.env,
      SANDBOX_URL: sandbox.url,
      SANDBOX_KEY: sandbox.key,
      ...(redirect ? { SANDBOX_HOSTS: hosts.join(','), NODE_OPTIONS: withRedirect(process.env['NODE_OPTIONS']) } : {}),
    };
    const [file, ...args] = command;
    // Windows finds npm and its kind through its shell only.
    return await ended(spawn(file, args, { env, stdio: 'inherit', shell: process.platform === 'win32' }), file, output);
  } finally {
    await sandbox.close(0);
  }
}

/** An application whose calls are redirected knows nothing of the sandbox, and tells its own key. */
function keyAdvice(output: Output): (call: CallReport) => void {
  let isGiven = false;
  return ({ trace }) => {
    if (isGiven || trace.error !== 'api_key_invalid') return;
    isGiven = true;
    output.complain(
      'the command calls with another key than the sandbox has: give it the key of the command, with --key',
    );
  };
}

async function start(
  packs: readonly string[],
  options: ExecOptions,
  output: Output,
  onCall: ((call: CallReport) => void) | undefined,
): Promise<Sandbox> {
  const [pack, ...further] = await Promise.all(packs.map((each) => findPack(each)));
  const { key, t0, seed, set: vars } = options;
  const onDefect = (error: unknown, what: string): void =>
    output.complain(`defect in ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  try {
    return await createSandbox({
      pack,
      packs: further,
      key,
      t0,
      seed,
      vars,
      cache: PackCache.ofInstallation(),
      onDefect,
      onCall,
    });
  } catch (error) {
    throw error instanceof PackInvalid ? rejection(error, output.colorErrors, vars) : error;
  }
}

/** Options of Node that load the redirect before a program, behind those that are there. */
function withRedirect(before: string | undefined): string {
  const file = pathToFileURL(join(installation(), 'dist', 'tools', 'in-tests', 'redirect.js')).href;
  return `${before === undefined ? '' : `${before} `}--import ${file}`;
}

function ended(child: ChildProcess, file: string, output: Output): Promise<number> {
  const passed = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    // A terminal interrupts the command itself.
    const pass = (): void => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    process.on(signal, pass);
    return () => process.off(signal, pass);
  });
  return new Promise<number>((resolve, reject) => {
    child.once('error', (error) => {
      if (!('code' in error && error.code === 'ENOENT')) return reject(error);
      output.complain(`error: there is no command '${file}'`);
      resolve(NOT_FOUND);
    });
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]));
  }).finally(() => passed.forEach((stop) => stop()));
}
