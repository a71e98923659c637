/** Where worlds are kept: in memory, in a file, or in PostgreSQL. */
export { FileStore, type FileStoreOptions } from './file.js';
export {
  type Claim,
  type FlushNews,
  type Notice,
  type OwnedWorld,
  PgStore,
  type PgStoreOptions,
  type ReplicaIdentity,
} from './pg.js';
export { MemoryStore } from './memory.js';
export {
  type DurableKeeper,
  type NewWorld,
  type OpenWorld,
  type Store,
  StoreError,
  type StoreFault,
  type WorldRecord,
} from './store.js';
