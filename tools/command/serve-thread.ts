import { parentPort, workerData } from 'node:worker_threads';
import { ActivityBoard, showActivity } from '../../engine/runtime/activity.js';
import { serveHere } from '../commands/serve-here.js';
import { collectOften } from './collect-often.js';
import { nodeOptions, sizesYoung } from './heap.js';
import type { FromThread, ThreadData } from '../commands/serve.js';
import { Failure, Output, type Sink } from './output.js';

/** This module runs in the serving thread, which the main thread watches. */
if (parentPort === null) throw new Error('this is a thread of `sandbox serve`');
const port = parentPort;
const { packs, options, colors, memory } = workerData as ThreadData;
const post = (message: FromThread): void => port.postMessage(message);
const sink = (stream: 'out' | 'err'): Sink => ({
  isTTY: colors[stream],
  hasColors: () => colors[stream],
  write: (text) => post({ kind: stream, text }),
  on: () => undefined,
});
showActivity(new ActivityBoard(memory));
if (!sizesYoung(nodeOptions())) collectOften();
const stopped = new Promise<void>((resolve) => port.once('message', () => resolve()));
void serve();

async function serve(): Promise<void> {
  try {
    post({ kind: 'ended', code: await serveHere(packs, options, new Output(sink('out'), sink('err')), stopped) });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { exit, code, message, details, data } = error;
    post({ kind: 'failed', exit, code, message, details, data });
  }
}
