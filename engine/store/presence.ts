import { existsSync, statSync } from 'node:fs';
import { StoreError } from './store.js';

/** Identity and size of a file at the last check. */
interface Known {
  readonly inode: number;
  readonly device: number;
  readonly size: number;
}

/**
 * Checks that a store's files are still those that SQLite has open, since SQLite's writes to a deleted file succeed, but are
 * lost at the end of the process.
 */
export class Presence {
  #known: Known | null = null;
  #log: Known | null = null;

  constructor(private readonly file: string) {}

  /**
   * Checks the files; has to be called after each transaction, before its result is used.
   * @param mayShrink whether the transaction released space
   * @throws StoreError `failed` if a file was deleted, replaced, emptied or truncated
   */
  check(mayShrink = false): void {
    this.#known = unchanged(this.#known, this.file, mayShrink);
    // The log may shrink, since SQLite truncates it, but it must stay the same file.
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
