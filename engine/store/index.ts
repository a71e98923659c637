/** Where worlds are kept: in memory, in a file, or in PostgreSQL. */
export { FileStore } from './file.js';
export type { FlushNews } from './pg-flush.js';
export { type Notice, type OwnedWorld, PgStore } from './pg.js';
export { MemoryStore } from './memory.js';
export { type NewWorld, type OpenWorld, type Store, StoreError, type WorldRecord } from './store.js';
