import type { ByteStore } from '../values/index.js';
import type { JournalRecord, StoredWorld, WorldKeeper } from '../world/index.js';

/** Why a store cannot do what it is asked to. */
export type StoreFault =
  /** Another process has it open. */
  | 'locked'
  /** It is no store, or one of another format. */
  | 'format'
  /** What it holds contradicts itself or cannot be read. */
  | 'damaged'
  /** There is no room left. */
  | 'full'
  /** It cannot be opened, read or written. */
  | 'failed'
  /** A world of this name is there already. */
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

/** What a store has of a world without opening it. */
export interface WorldRecord {
  /** `w1`, `w2`, and so on: never used again. */
  readonly id: string;
  readonly name: string;
  readonly key: string;
  /** The pack, as it was named when the world was made. */
  readonly pack: string;
  /** Real time in milliseconds after which it may be deleted; null: never. */
  readonly expires: number | null;
  /** Number of its last ledger entry that is kept. */
  readonly head: number;
}

export type NewWorld = Omit<WorldRecord, 'id' | 'head'>;

/** A keeper of a world, and whether what it was given is safe. */
export interface DurableKeeper extends WorldKeeper {
  /**
   * What a response or a message to the outside waits for: resolves once all that the world recorded so far is safe; undefined: it
   * is. Rejects with a `StoreError` when it cannot be kept. Traces are not waited for.
   */
  kept(): Promise<void> | undefined;
  /** As `kept`, but undefined as long as little enough waits: a writer of entries by the thousand asks from time to time. */
  room(): Promise<void> | undefined;
}

/** A world that is open for writing. */
export interface OpenWorld {
  readonly record: WorldRecord;
  /** Undefined: it has not begun. */
  readonly kept: StoredWorld | undefined;
  readonly keeper: DurableKeeper;
  /** Its files. */
  readonly files: ByteStore;
  /** Waits until everything is safe and lets the world go. */
  readonly release: () => Promise<void>;
}

/**
 * Worlds that outlive a process. What an open world's keeper is given is kept in order: after a crash a beginning of it is there,
 * in which what was given in one turn of the event loop is whole or missing.
 */
export interface Store {
  /** Real time in milliseconds, the same for all that share the store: what worlds expire by. */
  readonly nowMs: number;
  /** In the order in which they were made. */
  worlds(): Promise<readonly WorldRecord[]>;
  /** By id or name. */
  find(idOrName: string): Promise<WorldRecord | undefined>;
  ofKey(key: string): Promise<WorldRecord | undefined>;
  /** @throws StoreError `taken` */
  create(world: NewWorld): Promise<WorldRecord>;
  /** False: there is no such world. One that is open must be released before. */
  delete(id: string): Promise<boolean>;
  /**
   * Deletes worlds whose time is over and that are not open; gives their ids.
   * @param nowMs real time
   */
  expire(nowMs: number): Promise<readonly string[]>;
  /** @throws StoreError `missing`, `locked` (it is open already), `damaged` */
  open(id: string): Promise<OpenWorld>;
  /** What kept something from becoming safe. From then on nothing is written any more, by any world. */
  readonly failure: StoreError | null;
  /** Waits until everything is safe, and ends. */
  close(): Promise<void>;
}

/** Whether a response may go out before this is safe. */
export function isVolatile(record: JournalRecord): boolean {
  return record.kind === 'trace';
}
