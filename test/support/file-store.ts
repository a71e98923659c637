import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileStore } from '../../engine/store/index.js';

/** The thread of a file store runs what was built: it does not read TypeScript. */
export const WORKER = pathToFileURL(join(process.cwd(), 'dist', 'engine', 'store', 'worker.js'));

export function openFile(file: string, maxBytes?: number): Promise<FileStore> {
  return FileStore.open(file, { worker: WORKER, maxBytes });
}

/** A folder that is gone after the tests of a file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-store-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
