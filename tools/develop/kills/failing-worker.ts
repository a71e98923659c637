/**
 * The thread of a file store on a disk that breaks: after `SANDBOX_FAIL_AFTER` statements one fails, before or after it was
 * done, and so does every later one. Without that variable it is the thread as it is.
 */
import Database from 'libsql';

/** SQLite's disk errors. */
const WORDS = ['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_WRITE', 'SQLITE_FULL'];

class DiskError extends Error {
  constructor(readonly code: string) {
    super('the disk is made to fail');
  }
}

const after = process.env['SANDBOX_FAIL_AFTER'];
if (after !== undefined) {
  let left = Number(after);
  const { prototype } = Database;
  // Called with the database below.
  const exec = Reflect.get(prototype, 'exec');
  prototype.exec = function failing(statement: string) {
    // Comparisons in memory don't use the disk.
    if (this.memory || left-- > 0) return Reflect.apply(exec, this, [statement]);
    // Done or not: the receiver of the error cannot decide that.
    if (left === -1 && Math.random() < 0.5) Reflect.apply(exec, this, [statement]);
    throw new DiskError(WORDS[-left % WORDS.length]);
  };
}
// The thread of a store has no face: it is named as the store itself names it.
await import(new URL('../../../engine/store/worker.js', import.meta.url).href);
