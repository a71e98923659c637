import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CallReport,
  createCompany,
  createSandbox,
  PackCache,
  PackInvalid,
  type Sandbox,
} from '../../engine/index.js';
import { parseInstant } from '../../engine/world/index.js';
import { findPack, installation } from '../command/installation.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import { envOfWorld } from '../command/world-env.js';
import type { ExecOptions } from './exec-options.js';

/** What a shell returns for a command that is not there. */
const NOT_FOUND = 127;

/**
 * Starts a sandbox, runs a command beside it, and gives the command's exit code, or 128 and the number of the signal that ended it.
 * Signals continue to the command.
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
    throw new Failure(
      Exit.cannotRun,
      't0_invalid',
      `'${t0}' isn't a valid time`,
      '--t0 takes ISO 8601 or Unix seconds.',
    );
  const started = await (options.together ? startTogether : start)(packs, options, output);
  try {
    const hosts = redirect ? started.vendors.flatMap(hostsOf) : [];
    const env = {
      ...process.env,
      ...started.env,
      ...(redirect ? { SANDBOX_HOSTS: hosts.join(','), NODE_OPTIONS: withRedirect(process.env['NODE_OPTIONS']) } : {}),
    };
    const [file, ...args] = command;
    // Windows finds npm and its kind through its shell only.
    return await ended(spawn(file, args, { env, stdio: 'inherit', shell: process.platform === 'win32' }), file, output);
  } finally {
    await started.close();
  }
}

/** An application whose calls are redirected has no key of the sandbox, and sends its own. */
function keyAdvice(output: Output): (call: CallReport) => void {
  let isGiven = false;
  return ({ trace }) => {
    if (isGiven || trace.error !== 'api_key_invalid') return;
    isGiven = true;
    output.error(
      "the command calls with a key that isn't the sandbox's: start the sandbox with the command's key, with --key",
    );
  };
}

/** What runs beside the command. */
interface Started {
  readonly env: Readonly<Record<string, string>>;
  readonly vendors: readonly Pick<Sandbox, 'url' | 'pack'>[];
  close(): Promise<void>;
}

async function start(packs: readonly string[], options: ExecOptions, output: Output): Promise<Started> {
  const [pack, ...further] = await Promise.all(packs.map((each) => findPack(each)));
  const { key, t0, seed, set: vars, redirect } = options;
  const onCall = redirect ? keyAdvice(output) : undefined;
  const common = { key, t0, seed, vars, cache: PackCache.ofInstallation(), onDefect: reporter(output), onCall };
  const sandbox = await createSandbox({ pack, packs: further, ...common }).catch((error: unknown) => {
    throw error instanceof PackInvalid ? rejection(error, output.colorErrors, vars) : error;
  });
  return { env: envOfWorld({ url: sandbox.url, key: sandbox.key }), vendors: [sandbox], close: () => sandbox.close(0) };
}

/** Starts packs in one world: the address of the company, and that of each pack. */
async function startTogether(packs: readonly string[], options: ExecOptions, output: Output): Promise<Started> {
  const { companyFailure } = await import('./serve-company.js');
  const { key, t0, seed, set: vars } = options;
  const members = (await Promise.all(packs.map((each) => findPack(each)))).map((pack) => ({ pack, vars }));
  const common = { key, t0, seed, cache: PackCache.ofInstallation(), onDefect: reporter(output) };
  const company = await createCompany({ packs: members, ...common }).catch((error: unknown) => {
    throw error instanceof PackInvalid ? rejection(error, output.colorErrors, vars) : (companyFailure(error) ?? error);
  });
  return { env: envOfWorld(company), vendors: Object.values(company.vendors), close: () => company.close(0) };
}

function reporter(output: Output): (error: unknown, what: string) => void {
  return (error, what) =>
    output.error(`defect in ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}

/** The machines of a vendor, each with the address that calls of it go to. @throws Failure */
function hostsOf({ url, pack: { name, hosts = [] } }: Started['vendors'][number]): readonly string[] {
  if (hosts.length > 0) return hosts.map((host) => `${host}=${url}`);
  throw new Failure(
    Exit.cannotRun,
    'hosts_unknown',
    `the pack ${name} does not name the machines of its vendor`,
    'Add `hosts: [api.vendor.com]` to the pack, or run it without --redirect.',
  );
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
      output.error(`error: there is no command '${file}'`);
      resolve(NOT_FOUND);
    });
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]));
  }).finally(() => passed.forEach((stop) => stop()));
}
