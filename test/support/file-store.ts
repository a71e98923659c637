import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileStore } from '../../engine/store/index.js';

/** The thread of a file store runs what was built: it does not read TypeScript. */
export const WORKER = pathToFileURL(join(process.cwd(), 'dist', 'engine', 'store', 'worker.js'));

export function openFile(file: string, maxBytes?: number): Promise<FileStore> {
  return FileStore.open(file, { worker: WORKER, maxBytes });
}
