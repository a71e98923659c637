import { existsSync, rmSync, statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerCalls, Reply, WorkerRequest, WorkerStart } from './protocol.js';
import { StoreError, type StoreFault } from './store.js';
import { Tables } from './tables.js';

const FAULTS: Readonly<Record<string, StoreFault>> = {
  SQLITE_BUSY: 'locked',
  SQLITE_LOCKED: 'locked',
  SQLITE_NOTADB: 'format',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_FULL: 'full',
};

function faultOf(error: unknown): { readonly code: StoreFault; readonly message: string } {
  if (error instanceof StoreError) return { code: error.code, message: error.message };
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const name = String(code).split('_').slice(0, 2).join('_');
  return { code: FAULTS[name] ?? 'failed', message: `${String(message)} (${String(code)})` };
}

/** Opens or creates the file. Deletes a new one that can't be initialized, since an empty file counts as damaged. */
function begun(start: WorkerStart): Tables {
  const isNew = !existsSync(start.file);
  try {
    return new Tables(start);
  } catch (error) {
    if (isNew && statSync(start.file, { throwIfNoEntry: false })?.size === 0) rmSync(start.file);
    throw error;
  }
}

function main(port: NonNullable<typeof parentPort>): void {
  const respond = (number: number, work: () => unknown): void => {
    let reply: Reply;
    try {
      reply = { number, result: work() };
    } catch (error) {
      reply = { number, error: faultOf(error) };
    }
    port.postMessage(reply);
  };
  let tables: Tables | undefined;
  respond(0, () => {
    tables = begun(workerData as WorkerStart);
    return null;
  });
  if (tables === undefined) {
    port.close();
    return;
  }
  const calls: Readonly<Record<keyof WorkerCalls, (...args: never[]) => unknown>> = tables;
  port.on('message', ({ number, call, args }: WorkerRequest) => {
    respond(number, () => Reflect.apply(calls[call], tables, args) as unknown);
    if (call === 'close') port.close();
  });
}

if (parentPort) main(parentPort);
