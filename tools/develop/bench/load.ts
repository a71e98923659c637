import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installation } from '../../command/installation.js';
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
  /** Of latencies, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

/** The last output of `call.lua`. */
interface Printed extends Pick<Load, 'count' | 'p50' | 'p99' | 'errors'> {
  readonly us: number;
}

const SCRIPT = join(installation(), 'tools', 'develop', 'bench', 'call.lua');

/**
 * Puts load on a server from the second core for some seconds, by wrk: a generator in JavaScript is slower than what it measures.
 * @throws Error when wrk is not installed
 */
export async function load(url: string, key: string, work: Work, seconds: number, connections = 16): Promise<Load> {
  const { method, path, body, contentType = 'application/x-www-form-urlencoded' } = work;
  const sent = body === undefined ? [method] : [method, body, contentType];
  const [command, args] = pinnedToCore(1, [
    'wrk',
    '--threads=1',
    `--connections=${connections}`,
    `--duration=${seconds}s`,
    `--header=Authorization: Bearer ${key}`,
    `--script=${SCRIPT}`,
    url + path,
    '--',
    ...sent,
  ]);
  const { stdout } = await promisify(execFile)(command, args).catch((error: unknown) => {
    throw new Error('load is made by wrk: apt-get install wrk', { cause: error });
  });
  const { us, p50, p99, ...counts } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Printed;
  return { ...counts, rate: counts.count / (us / 1_000_000), p50: tenthsOfMs(p50), p99: tenthsOfMs(p99) };
}

function tenthsOfMs(us: number): number {
  return Math.round(us / 100) / 10;
}
