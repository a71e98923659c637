/** Where worlds are kept: in memory or in a file. */
export { FileStore, type FileStoreOptions } from './file.js';
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
