import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pinnedToCore } from './servers.js';

/** A kind of request that the load generator repeats. */
export interface Work {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

interface Load {
  /** Requests a second. */
  readonly rate: number;
  /** Requests served. */
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

const GENERATOR = fileURLToPath(new URL('./generator.js', import.meta.url));

/** Puts load on a server from the second core for some seconds. */
export async function load(url: string, key: string, work: Work, seconds: number, connections = 16): Promise<Load> {
  const [execPath, execArgv] = pinnedToCore(1, [process.execPath]);
  const child = fork(GENERATOR, [JSON.stringify({ url, key, work, seconds, connections })], {
    execPath,
    execArgv,
  });
  const [result] = (await once(child, 'message')) as [Load];
  return result;
}
