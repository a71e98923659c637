import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replaces the module `sqlite3`, which compiles from C++: implements the functions that these programs call on a module with a prebuilt library. */
export function installSqlite3() {
  const sqlite3 = join(process.cwd(), 'node_modules', 'sqlite3');
  mkdirSync(sqlite3, { recursive: true });
  writeFileSync(
    join(sqlite3, 'index.js'),
    `const Library = require('libsql');
    class Database {
      constructor(file, done) {
        this.database = new Library(file);
        if (done) queueMicrotask(() => done(null));
      }
      ask(method, sql, params, done) {
        if (typeof params === 'function') [params, done] = [[], params];
        try {
          const found = this.database.prepare(sql)[method](params ?? []);
          queueMicrotask(() => done?.call({ lastID: found?.lastInsertRowid, changes: found?.changes }, null, found));
        } catch (error) { queueMicrotask(() => done?.call({}, error)); }
      }
      all(...given) { this.ask('all', ...given); }
      get(...given) { this.ask('get', ...given); }
      run(...given) { this.ask('run', ...given); }
      close(done) { this.database.close(); if (done) queueMicrotask(() => done(null)); }
    }
    module.exports = { Database, verbose: () => module.exports };`,
  );
}
