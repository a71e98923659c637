import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileMirror, FolderBytes } from './bytes.js';

const PREFIX = 'sandbox-bytes-';

/** Temporary folders that this process has created, and deletes at its end. */
const folders = new Set<string>();
let isWatched = false;

/** Opens files for a world that exists only in memory: in a temporary folder, which is created for the first file. */
export function temporaryBytes(maxBytes?: number, mirror?: FileMirror): FolderBytes {
  return new FolderBytes(newFolder, { isDurable: false, maxBytes, mirror });
}

function newFolder(): string {
  if (!isWatched) {
    isWatched = true;
    removeAbandoned();
    process.on('exit', () => {
      for (const each of folders) rmSync(each, { recursive: true, force: true });
    });
  }
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  folders.add(folder);
  return folder;
}

const DAY_MS = 86_400_000;

/** Deletes day-old folders of ended processes; younger ones may belong to a process in another container. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^sandbox-bytes-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    const { mtimeMs = Infinity } = statSync(folder, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > DAY_MS) rmSync(folder, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return (error as { readonly code?: unknown }).code === 'EPERM';
  }
}
