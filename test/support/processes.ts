import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './root.js';

const CLI = join(ROOT, 'dist', 'app', 'cli.cjs');

/** Exit code or signal, and the output of a process. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running process. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Waits for the first lines of the output. Rejects if the process ends before. */
  lines(count: number): Promise<string[]>;
  /** Sends a signal to the process, and waits until it has ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Removes variables from an environment that change how commands behave: those of the sandbox, Node, Jest, and for colors. */
export function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(SANDBOX_|NODE_OPTIONS$|FORCE_COLOR$|NO_COLOR$|JEST_WORKER_ID$)/.test(name),
  );
  return Object.fromEntries(kept);
}

/** Starts the built `sandbox` command. */
export function startCommand(args: readonly string[], options: RunOptions = {}): Running {
  return startProcess(process.execPath, [CLI, ...args], options);
}

/** Runs the built `sandbox` command until it ends. */
export function runSandbox(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return startCommand(args, options).ended;
}

export function startProcess(
  file: string,
  args: readonly string[],
  { cwd = ROOT, env = {} }: RunOptions = {},
): Running {
  const child = spawn(file, args, {
    cwd,
    env: { ...withoutSettings(process.env), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end();
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    child,
    ended,
    lines: (count) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const lines = stdout.split('\n');
          if (lines.length > count) resolve(lines.slice(0, count));
        };
        child.stdout.on('data', look);
        void ended.then(
          ({ code, signal }) =>
            reject(new Error(`it ended (${signal ?? code}) before it printed ${count} lines: ${stdout}${stderr}`)),
          reject,
        );
        look();
      }),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
