import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A server under test in a process of its own. */
export interface MeasuredServer {
  readonly url: string;
  readonly key: string;
  /** Returns the resident memory of the process, in bytes. */
  memoryBytes(): Promise<number>;
  /** Returns the heap in use after a garbage collection, in bytes. */
  heapBytes(): Promise<number>;
  /** Returns the total processor time of the process, in microseconds. */
  cpu(): Promise<number>;
  /** Sets the response of the plain server. */
  prepare(method: string, path: string, text: string): Promise<void>;
  stop(): Promise<void>;
}

type ServerKind = 'express' | 'payments' | 'payments-by-key' | 'task-automation' | 'payments-in-file';

const SERVER = fileURLToPath(new URL('./server.js', import.meta.url));

/** Returns the path of the server script in another build. */
export function serverOf(checkout: string): string {
  return join(checkout, 'dist/tools/develop/bench/server.js');
}

/**
 * Starts a server and waits for its first response.
 * @param script of another build
 * @param isPinned restricts it to the first core, if there are several; not for servers with several threads
 */
export async function startMeasuredServer(kind: ServerKind, script = SERVER, isPinned = true): Promise<MeasuredServer> {
  const line = [process.execPath, '--expose-gc', script, kind];
  const [command, args] = isPinned ? pinnedToCore(0, line) : [line[0], line.slice(1)];
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [ready] = (await once(child, 'message')) as [{ url: string; key: string }];
  await fetch(`${ready.url}/`, { headers: { authorization: `Bearer ${ready.key}` } });
  return {
    ...ready,
    memoryBytes: async () => (await ask<{ bytes: number }>(child, 'memory')).bytes,
    heapBytes: async () => (await ask<{ bytes: number }>(child, 'heap')).bytes,
    cpu: async () => (await ask<{ cpu: number }>(child, 'cpu')).cpu,
    prepare: (method, path, text) =>
      new Promise((resolve, reject) =>
        child.send({ path: `${method} ${path}`, text }, (error) => (error ? reject(error) : resolve())),
      ),
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

/** Builds a command line that is pinned to one core, if the machine has `taskset` and several cores. */
export function pinnedToCore(core: number, line: readonly string[]): [string, string[]] {
  const [command, ...args] = line;
  if (process.platform !== 'linux' || availableParallelism() < 2) return [command, args];
  return ['taskset', ['-c', String(core), command, ...args]];
}

async function ask<Reply>(child: ChildProcess, question: 'memory' | 'heap' | 'cpu'): Promise<Reply> {
  child.send(question);
  const [response] = (await once(child, 'message')) as [Reply];
  return response;
}
