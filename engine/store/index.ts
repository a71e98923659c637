/** Stores of worlds: in memory, in a file, or in PostgreSQL. */
export type { FolderBytes } from './bytes.js';
export { FileStore } from './file.js';
export type { FlushNews } from './pg-flush.js';
export { type Notice, type OwnedWorld, PgStore } from './pg.js';
export { temporaryBytes } from './temporary-bytes.js';
export { type NewWorld, type OpenWorld, type Store, StoreError, type WorldRecord } from './store.js';
