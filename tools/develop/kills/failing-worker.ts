/**
 * Runs the thread of a file store on a failing disk: after `SANDBOX_FAIL_AFTER` statements one fails, before or after it was executed, and so do all
 * later ones. Without that variable, the thread works normally.
 */
import Database from 'libsql';

/** Error codes of SQLite for disk errors. */
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
  // `exec` must be called with a database as `this`.
  const exec = Reflect.get(prototype, 'exec');
  prototype.exec = function failing(statement: string) {
    // Databases in memory don't use the disk.
    if (this.memory || left-- > 0) return Reflect.apply(exec, this, [statement]);
    // Executes some failed statements: callers can't assume that a failed statement had no effect.
    if (left === -1 && Math.random() < 0.5) Reflect.apply(exec, this, [statement]);
    throw new DiskError(WORDS[-left % WORDS.length]);
  };
}
// The store's thread isn't part of an index.ts, so its file is imported directly.
await import(new URL('../../../engine/store/worker.js', import.meta.url).href);
