import { workerData } from 'node:worker_threads';
import { processorMs } from '../kit/process-usage.js';
import { http, send } from './call.js';
import { WaitCounts } from './waits.js';

/** Data passed to the thread that sends probe calls. */
export interface BeatData {
  readonly url: string;
  readonly key: string;
  /** Path of the probe calls: a small object that always exists. */
  readonly path: string;
  /** Id of the watched process. */
  readonly pid: number | undefined;
  /** Shared memory of `WaitCounts`. */
  readonly shared: Int32Array<SharedArrayBuffer>;
}

/** Milliseconds between two probe calls. */
const BEAT_MS = 100;
/** Processor time below which no probe is sent: an idle process blocks no calls. */
const IDLE_MS = 50;

const { url, key, path, pid, shared } = workerData as BeatData;
const waits = new WaitCounts(shared);
const address = { url: new URL(url), key };
const call = http('GET', path, {});

/** Returns the processor time of the watched process in milliseconds; the time since its start if the system doesn't report it. */
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
    // Counts only the process's own processor time, because on a busy machine everything waits.
    waits.add(Math.round(Math.min(ms, since - before)));
  }
  await new Promise((resolve) => setTimeout(resolve, BEAT_MS));
}
