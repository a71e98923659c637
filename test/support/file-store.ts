import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileStore } from '../../engine/store/index.js';

/** Compiled script of a file store's thread. The thread can't run TypeScript, so it comes from the build. */
export const WORKER = pathToFileURL(join(process.cwd(), 'dist', 'engine', 'store', 'worker.js'));

export function openFile(file: string, maxBytes?: number): Promise<FileStore> {
  return FileStore.open(file, { worker: WORKER, maxBytes });
}
