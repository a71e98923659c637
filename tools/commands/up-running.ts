import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, unwatchFile, watchFile } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { installation } from '../command/installation.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { stopped } from '../command/stopped.js';
import {
  forgetRunning,
  isAlive,
  logFile,
  prepareRunning,
  runningFor,
  type RunningVendors,
  writtenDown,
} from '../up/running.js';

const LOOK_MS = 50;
/** Milliseconds that a process may take to stop after a signal, longer than calls in flight may take. */
const STOP_MS = 10_000;

/** The parsed options of `sandbox up`. */
export interface UpOptions {
  readonly folder: string;
  /** The port of the first vendor; undefined: the one in sandbox.yaml, or the first from 8800 with enough free ones. */
  readonly port?: number;
  /** Address of the application; undefined if its code and settings decide. */
  readonly app?: string;
  readonly redirect: boolean;
  readonly detach?: boolean;
  /** Whether to open the inspector in the browser. */
  readonly open?: boolean;
  readonly check?: boolean;
  readonly json?: boolean;
}

/** Options of the commands for vendors that run in the background. */
export interface RunningOptions {
  readonly folder: string;
  readonly json?: boolean;
  readonly follow?: boolean;
}

/** Starts `sandbox up` as a background process, and returns once it serves. @throws Failure if it doesn't */
export async function detach(folder: string, options: UpOptions, output: Output): Promise<number> {
  prepareRunning(folder);
  const log = openSync(logFile(folder), 'w', 0o600);
  const port = options.port === undefined ? [] : ['--port', String(options.port)];
  const args = [
    join(installation(), 'dist', 'app', 'cli.cjs'),
    'up',
    '--folder',
    folder,
    ...(options.app === undefined ? [] : ['--app', options.app]),
    ...port,
  ];
  const child = spawn(process.execPath, args, { cwd: folder, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const ended = once(child, 'exit').then(() => true);
  while (writtenDown(folder)?.pid !== child.pid)
    if (await Promise.race([ended, delay(LOOK_MS, false)])) {
      const [first, ...rest] =
        readFileSync(logFile(folder), 'utf8')
          .trimEnd()
          .split(/^error: /m)
          .at(-1)
          ?.split('\n') ?? [];
      throw new Failure(Exit.cannotRun, 'up_failed', first || 'it ended as it started', rest.join('\n'));
    }
  child.unref();
  const running = writtenDown(folder);
  if (options.json) output.print(JSON.stringify({ url: running?.url, key: running?.key, env: running?.env }));
  else {
    for (const [name, value] of Object.entries(running?.env ?? {})) output.print(`${name}=${value}`);
    output.print(`left running as process ${String(child.pid)}; sandbox status, logs, down`);
  }
  return Exit.done;
}

/** Stops an application's vendors that run in the background. @throws Failure if they don't respond */
export async function down(options: RunningOptions, output: Output): Promise<number> {
  const folder = resolve(options.folder);
  const found = await runningFor(folder);
  if (found === null) {
    output.print('nothing runs');
    return Exit.done;
  }
  const { pid } = found.running;
  // Doesn't stop a process that doesn't respond: its process id may belong to another process by now.
  if (found.state === 'silent') throw silent(found.running);
  // Sends a second signal, which ends a command that ignores the first one.
  for (let sent = 0; isAlive(pid) && sent < 2; sent += 1) {
    process.kill(pid, 'SIGTERM');
    for (let waited = 0; isAlive(pid) && waited < STOP_MS / 2; waited += LOOK_MS) await delay(LOOK_MS);
  }
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  forgetRunning(folder, pid);
  output.print(`stopped process ${pid}`);
  return Exit.done;
}

/** Creates the failure for vendors whose process doesn't respond. */
export function silent({ pid, url }: Pick<RunningVendors, 'pid' | 'url'>): Failure {
  return new Failure(
    Exit.cannotRun,
    'up_silent',
    `process ${pid} serves the vendors at ${url}, and does not respond`,
    `End it if it hangs: kill -9 ${pid}`,
  );
}

/** Shows an application's running vendors. @returns 1 if there are none */
export async function status(options: RunningOptions, output: Output): Promise<number> {
  const found = await runningFor(resolve(options.folder));
  if (options.json)
    output.print(
      JSON.stringify(
        found === null
          ? { state: 'down' }
          : { state: found.state, ...found.running, inspector: `${found.running.url}/__admin__/` },
      ),
    );
  else if (found === null) output.print('nothing runs; start it: sandbox up');
  else {
    const { pid, url, vendors } = found.running;
    output.print(
      `process ${pid} ${found.state === 'runs' ? 'serves' : 'does not respond'}; inspector ${url}/__admin__/`,
    );
    for (const vendor of vendors) output.print(`${vendor.pack.name}  ${vendor.url}`);
  }
  return found?.state === 'runs' ? Exit.done : Exit.wrongInput;
}

/** Prints the log of vendors that run in the background: one line per call. @throws Failure if there is none */
export async function logs(options: RunningOptions, output: Output): Promise<number> {
  const folder = resolve(options.folder);
  const file = logFile(folder);
  if (!existsSync(file))
    throw new Failure(
      Exit.cannotRun,
      'no_log',
      `nothing was left running for ${options.folder}`,
      'Start it: sandbox up --detach. What runs in a terminal writes there.',
    );
  let shown = 0;
  const show = (): void => {
    const bytes = readFileSync(file);
    // Starts again at the beginning of the file, which a new start truncates.
    if (bytes.length < shown) shown = 0;
    const end = bytes.lastIndexOf('\n') + 1;
    if (end > shown) output.print(bytes.subarray(shown, end - 1).toString('utf8'));
    shown = Math.max(end, shown);
  };
  show();
  if (!options.follow) return Exit.done;
  watchFile(file, { interval: LOOK_MS * 4 }, show);
  await stopped();
  unwatchFile(file);
  return Exit.done;
}
