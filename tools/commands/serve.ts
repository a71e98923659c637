import inspector from 'node:inspector';
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { ActivityBoard } from '../../engine/runtime/activity.js';
import { LIMITS } from '../../engine/limits.js';
import { threadFile } from '../../engine/store/thread-file.js';
import { beginRoomy, heapOfContainer, nodeOptions } from '../command/heap.js';
import { Exit, type ExitCode, Failure, type Output } from '../command/output.js';
import { Watchdog } from '../command/watchdog.js';
import type { ServeOptions } from './serve-options.js';
import { stopped } from '../command/stopped.js';

/** Size in MB below which worlds with tens of thousands of objects may not fit. */
const SMALL_HEAP_MB = 400;
const MIB = 2 ** 20;

/** Data that the main thread passes to the serving thread. */
export interface ThreadData {
  readonly packs: readonly string[];
  readonly options: ServeOptions;
  readonly colors: { readonly out: boolean; readonly err: boolean };
  readonly memory: SharedArrayBuffer;
}

/** Messages that the serving thread sends to the main thread. */
export type FromThread =
  | { readonly kind: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'ended'; readonly code: number }
  | {
      readonly kind: 'failed';
      readonly exit: ExitCode;
      readonly code: string;
      readonly message: string;
      readonly details: string;
      readonly data: Readonly<Record<string, unknown>>;
    };

/**
 * Serves packs, the first one immediately, until a signal asks to stop, and returns the exit code. The service runs in a separate thread, so that
 * this one can always receive signals, end the process in time, and report stalls.
 * @throws Failure if it can't be served
 */
export async function serve(packs: readonly string[], options: ServeOptions, output: Output): Promise<number> {
  if (options.inspect !== undefined) return serveDebugged(packs, options, options.inspect, output);
  const given = nodeOptions();
  const limit = process.constrainedMemory();
  const ofContainer = heapOfContainer(limit, totalmem(), given);
  const heapMb = ofContainer ?? Math.round(getHeapStatistics().heap_size_limit / MIB);
  if (ofContainer !== undefined && !options.quiet)
    output.error(`heap of ${heapMb} MB, of the ${Math.round(limit / MIB)} MB that this container may use`);
  if (heapMb < SMALL_HEAP_MB)
    output.error(
      `Node has a heap of ${heapMb} MB: long advances and large worlds end early (NODE_OPTIONS=--max-old-space-size=2048)`,
    );
  const board = new ActivityBoard();
  const colors = { out: output.colorOutput, err: output.colorErrors };
  const workerData: ThreadData = { packs, options, colors, memory: board.memory };
  const beginAsUsual = beginRoomy(heapMb, given);
  const thread = new Worker(threadFile('../command/serve-thread.js', import.meta.url), {
    workerData,
    resourceLimits: ofContainer === undefined ? undefined : { maxOldGenerationSizeMb: ofContainer },
  });
  thread.once('online', beginAsUsual);
  const watchdog = new Watchdog(board, (line) => output.error(line));
  stopOnSignals(thread, board, output, options.leaveAfter ?? 0);
  if (options.withStdin) stopWithStdin();
  try {
    return await ended(thread, heapMb, output);
  } finally {
    watchdog.close();
    // Closes standard input, which would keep a failed process alive.
    if (options.withStdin) process.stdin.destroy();
    await thread.terminate();
  }
}

/**
 * Serves in this thread and lets local debuggers attach; Node prints the address. Packs compiled from then on carry source
 * maps. There is no watchdog, since breakpoints stall the thread.
 */
async function serveDebugged(
  packs: readonly string[],
  options: ServeOptions,
  port: number | true,
  output: Output,
): Promise<number> {
  if (inspector.url() === undefined) inspector.open(port === true ? undefined : port, '127.0.0.1');
  const ended = stopped();
  if (options.withStdin) stopWithStdin();
  const { serveHere } = await import('./serve-here.js');
  return serveHere(packs, options, output, ended);
}

function ended(thread: Worker, heapMb: number, output: Output): Promise<number> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: FromThread) => {
      switch (message.kind) {
        case 'out':
          return output.print(message.text.replace(/\n$/, ''));
        case 'err':
          return output.error(message.text.replace(/\n$/, ''));
        case 'ended':
          return resolve(message.code);
        case 'failed': {
          const { exit, code, message: text, details, data } = message;
          return reject(new Failure(exit, code, text, details, data));
        }
      }
    });
    thread.once('error', (error) => reject(isOutOfMemory(error) ? outOfMemory(heapMb) : error));
    thread.once('exit', (code) => resolve(code));
  });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function outOfMemory(heapMb: number): Failure {
  return new Failure(
    Exit.cannotRun,
    'out_of_memory',
    `the server needed more memory than its heap of ${heapMb} MB`,
    'Start it with a larger one: NODE_OPTIONS=--max-old-space-size=2048. Worlds of a --store are saved.',
  );
}

/** Stops the serving thread on a signal: the first signal lets calls in flight finish within a time limit; a second one stops at once. */
function stopOnSignals(thread: Worker, board: ActivityBoard, output: Output, leaveMs: number): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      thread.postMessage('stop');
      setTimeout(() => {
        output.error(`stopped in the middle of ${board.last}`);
        process.exit(Exit.done);
      }, LIMITS.drain.value + leaveMs).unref();
      process.once(signal, () => process.exit(Exit.cannotRun));
    });
  }
}

/** Stops as on a signal when standard input ends: a killed parent process closes it and sends no signal. */
function stopWithStdin(): void {
  const stop = (): void => void process.kill(process.pid, 'SIGTERM');
  process.stdin.once('end', stop).once('error', stop).resume();
}
