import { existsSync, statSync } from 'node:fs';
import { StoreError } from './store.js';

/** What a file is known by. */
interface Known {
  readonly inode: number;
  readonly device: number;
  readonly size: number;
}

/**
 * Sees whether the files of a store are still those that SQLite has open: what it writes to a deleted file is lost when the process
 * ends, and no system call reports that.
 */
export class Presence {
  #known: Known | null = null;
  #log: Known | null = null;

  constructor(private readonly file: string) {}

  /**
   * To be called after each transaction, before anything else sees it.
   * @param mayShrink the transaction gave room back
   * @throws StoreError `failed` when a file is deleted, replaced, empty or smaller than before
   */
  check(mayShrink = false): void {
    this.#known = unchanged(this.#known, this.file, mayShrink);
    // SQLite shortens the log by itself, but keeps it.
    if (this.#log !== null || existsSync(this.#logFile)) this.#log = unchanged(this.#log, this.#logFile, true);
  }

  get #logFile(): string {
    return `${this.file}-wal`;
  }
}

function unchanged(known: Known | null, file: string, mayShrink: boolean): Known {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw lost(file, 'was deleted');
  const { ino: inode, dev: device, size } = stats;
  if (known !== null && (known.inode !== inode || known.device !== device)) throw lost(file, 'was replaced by another');
  if (known !== null && !mayShrink && size < known.size) throw lost(file, `shrank from ${known.size} to ${size} bytes`);
  return { inode, device, size };
}

function lost(file: string, what: string): StoreError {
  return new StoreError('failed', `${file} ${what} while it was open: changes are no longer saved; start again`);
}
