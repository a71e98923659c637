import { workerData } from 'node:worker_threads';
import { processorMs } from '../kit/process-usage.js';
import { http, send } from './call.js';
import { WaitCounts } from './waits.js';

/** The input of the thread. */
export interface BeatData {
  readonly url: string;
  readonly key: string;
  /** Of something that is always there and small. */
  readonly path: string;
  /** Of the process that is watched. */
  readonly pid: number | undefined;
  /** Of `WaitCounts`. */
  readonly shared: Int32Array<SharedArrayBuffer>;
}

/** Milliseconds between two calls that only ask whether it still responds. */
const BEAT_MS = 100;
/** Processor time below which that isn't asked: nothing keeps others waiting in a process that has hardly worked. */
const IDLE_MS = 50;

const { url, key, path, pid, shared } = workerData as BeatData;
const waits = new WaitCounts(shared);
const address = { url: new URL(url), key };
const call = http('GET', path, {});

/** Milliseconds for which the process had a processor; those since its start where the system does not count them. */
function workedMs(): number {
  return processorMs(pid) ?? performance.now();
}

const { status } = await send(address, call);
if (status !== 200) throw new Error(`${path} responds with ${status}`);
for (let since = -Infinity; ;) {
  const before = workedMs();
  if (before - since >= IDLE_MS) {
    const { ms } = await send(address, call);
    since = workedMs();
    // On a machine that is busy with something else everything waits.
    waits.add(Math.round(Math.min(ms, since - before)));
  }
  await new Promise((resolve) => setTimeout(resolve, BEAT_MS));
}
