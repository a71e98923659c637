import type { ByteStore } from '../values/index.js';
import type { JournalRecord, StoredWorld, WorldKeeper } from '../world/index.js';

/** Codes of the errors that stores throw. */
export type StoreFault =
  /** Another process has the store, or the world, open. */
  | 'locked'
  /** The file or database isn't a store, or has an unsupported format. */
  | 'format'
  /** The contents of the store are contradictory or unreadable. */
  | 'damaged'
  /** The disk has no space left, or the store has reached its size limit. */
  | 'full'
  /** The store can't be opened, read or written. */
  | 'failed'
  /** A world with this name exists already. */
  | 'taken'
  | 'missing'
  | 'closed';

export class StoreError extends Error {
  constructor(
    readonly code: StoreFault,
    message: string,
  ) {
    super(message);
  }
}

/** What a store contains about a world, besides its records. */
export interface WorldRecord {
  /** Unique id: `w1`, `w2`, and so on; ids are never reused. */
  readonly id: string;
  readonly name: string;
  readonly key: string;
  /** Name or path of the pack, as it was given when the world was created. */
  readonly pack: string;
  /** Real time in milliseconds after which the world may be deleted; null: never. */
  readonly expires: number | null;
  /** Number of the world's last stored ledger entry. */
  readonly head: number;
}

export type NewWorld = Omit<WorldRecord, 'id' | 'head'>;

/**
 * Stores a world's records, and reports when they are safe. `begin` may be called again: the last header counts. A journal
 * record is stored with its position (`after`). Records after `release` are dropped, since another server may have opened the
 * world.
 */
export interface DurableKeeper extends WorldKeeper {
  /**
   * For responses and messages to wait for: resolves once all records so far, except traces, are safe; undefined: they are.
   * Rejects with a `StoreError` if they can't be stored.
   */
  kept(): Promise<void> | undefined;
  /** For writers of thousands of entries: undefined while few records are unwritten, else resolves after the next flush. */
  room(): Promise<void> | undefined;
}

/** A world that is open for writing. */
export interface OpenWorld {
  readonly record: WorldRecord;
  /** All stored records, in order; undefined if the world has none. */
  readonly kept: StoredWorld | undefined;
  readonly keeper: DurableKeeper;
  /** The store of the world's large files. */
  readonly files: ByteStore;
  /** Waits until all records are stored, and closes the world. */
  readonly release: () => Promise<void>;
}

/**
 * Worlds that survive a process. A world's records are stored in order: after a crash a prefix of them exists, in which the
 * records of one turn of the event loop are complete or missing. Once the store is closed, every method rejects with a
 * StoreError `closed`. Records of worlds are copies: `head` is the number of the last entry that was stored then.
 */
export interface Store {
  /** Real time in milliseconds, shared by all users of the store, for the expiry of worlds. */
  readonly nowMs: number;
  /** Lists all worlds of the store, in the order of their creation. */
  worlds(): Promise<readonly WorldRecord[]>;
  /** Finds a world by its id or name. */
  find(idOrName: string): Promise<WorldRecord | undefined>;
  ofKey(key: string): Promise<WorldRecord | undefined>;
  /** Creates a world. @throws StoreError `taken` */
  create(world: NewWorld): Promise<WorldRecord>;
  /** Deletes a world; false: there is none. @throws StoreError `locked` while it is open */
  delete(id: string): Promise<boolean>;
  /** Deletes expired worlds that aren't open; returns their ids. @param nowMs real time */
  expire(nowMs: number): Promise<readonly string[]>;
  /** Opens a world. @throws StoreError `missing` (also for a text that is no id), `locked` (it is open already), `damaged` */
  open(id: string): Promise<OpenWorld>;
  /** The error because of which the store can't write any more, for any world; null: none. */
  readonly failure: StoreError | null;
  /** Waits until all records are stored, and closes the store. */
  close(): Promise<void>;
}

/** Whether responses don't wait until a record is stored. */
export function isVolatile(record: JournalRecord): boolean {
  return record.kind === 'trace';
}
