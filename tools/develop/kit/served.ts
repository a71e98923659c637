import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installation } from '../../command/installation.js';
import type { AddressedWorld } from '../../command/world-env.js';

/** Paths of the command in a checkout; before 0.1 it was beside the tools. */
const COMMANDS = ['dist/app/cli.cjs', 'dist/tools/cli.js'];

/** A server that `sandbox serve` of a build runs in a separate process. */
export interface ServedBuild extends AddressedWorld {
  readonly child: ChildProcess;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

interface ServeOptions {
  /** Folder of a built checkout; this project by default. */
  readonly folder?: string;
  readonly heapMb?: number;
  /** Called with error output, which is printed by default. */
  readonly onLog?: (text: string) => void;
}

/** Starts a server and waits until it serves. @param args of `sandbox serve` @throws Error if it ends before that */
export async function serveBuild(args: readonly string[], options: ServeOptions = {}): Promise<ServedBuild> {
  const { folder = installation(), heapMb, onLog } = options;
  const command = COMMANDS.map((each) => join(folder, each)).find((each) => existsSync(each));
  if (command === undefined) throw new Error(`${folder} is not built: npm run build`);
  const heap = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`];
  const child = spawn(process.execPath, [...heap, command, 'serve', ...args, '--json']);
  child.stderr.setEncoding('utf8').on('data', onLog ?? ((text: string) => process.stderr.write(text)));
  const ended = once(child, 'close').then(() => {
    throw new Error(`sandbox serve ${args.join(' ')} ended`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
  ended.catch(() => undefined);
  const world = JSON.parse(line.replaceAll('//localhost', '//127.0.0.1')) as AddressedWorld;
  return { ...world, child, stop: (signal) => end(child, signal) };
}

/** Ends a process, unless it has ended, and waits for its exit. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
