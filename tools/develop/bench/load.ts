import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installation } from '../../command/installation.js';
import { pinnedToCore } from './servers.js';

/** A request that the load generator repeats. */
export interface Work {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

interface Load {
  /** Requests per second. */
  readonly rate: number;
  /** Number of served requests. */
  readonly count: number;
  /** Latency percentiles, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

/** The last line that `call.lua` prints. */
interface Printed extends Pick<Load, 'count' | 'p50' | 'p99' | 'errors'> {
  readonly us: number;
}

const SCRIPT = join(installation(), 'tools', 'develop', 'bench', 'call.lua');

/** Loads a server from the second core with wrk, since a generator in JavaScript is slower than the server. @throws Error if wrk isn't installed */
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
