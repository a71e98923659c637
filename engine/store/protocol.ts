import type { NewWorld, StoreFault, WorldRecord } from './store.js';

/** The records of one world that one flush writes as a whole. */
export interface Block<Text = string> {
  /** Number of the world that the block belongs to. */
  readonly world: number;
  /** The number of the block among the world's blocks, from 1. */
  readonly place: number;
  /** Number of the world's last ledger entry after the block. */
  readonly head: number;
  /** The world's new header as JSON; null: unchanged. */
  readonly header: string | null;
  /** Ledger entries and journal records as JSON, one per line. */
  readonly text: Text;
}

/** A piece of a snapshot, which is written before the snapshot is complete. */
export interface WritePiece<Text = string> {
  readonly world: number;
  /** Number of the piece, counted over all snapshots of the world. */
  readonly number: number;
  readonly text: Text;
}

/** Where a complete snapshot's pieces are, and which records it contains. */
export interface Snapshot {
  readonly world: number;
  /** Number of the ledger entry whose moment the snapshot represents. */
  readonly entry: number;
  /** Number of the first block with records after the snapshot; the block may not exist yet. */
  readonly place: number;
  /** Number of lines at the beginning of block `place` that the snapshot contains already. */
  readonly lines: number;
  /** Number of the first piece that belongs to the snapshot. */
  readonly first: number;
  readonly last: number;
  /** Number of changes in the snapshot. */
  readonly size: number;
}

/** Records of any number of worlds that one flush writes. */
export interface Flush<Text = string> {
  readonly blocks: readonly Block<Text>[];
  readonly pieces: readonly WritePiece<Text>[];
  /** New snapshots; each replaces its world's previous one. */
  readonly snapshots: readonly Snapshot[];
}

/** The size of a stored world. */
export interface StoreSize {
  readonly blocks: number;
  /** Size of the world in the file, including the snapshot, in bytes. */
  readonly bytes: number;
}

/** Calls that the worker thread executes, with their results. */
export interface WorkerCalls {
  worlds(): readonly WorldRecord[];
  /** Finds a world by its id or name. */
  find(idOrName: string): WorldRecord | null;
  ofKey(key: string): WorldRecord | null;
  create(world: NewWorld): WorldRecord;
  delete(world: number): boolean;
  /** Deletes expired worlds. @param open numbers of open worlds, which aren't deleted */
  expire(nowMs: number, open: readonly number[]): readonly string[];
  read(world: number): Whole | null;
  /** Reads all stored data of a damaged world, whose parts may contradict each other. */
  readDamaged(world: number): DamagedWhole | null;
  /** Reads pieces from a number on, up to the limits of one read or `most`; at least one. */
  pieces(world: number, from: number, most?: number): readonly string[];
  /** Reads blocks from a number on, up to the limits of one read or `most`; empty after the last block. */
  blocks(world: number, from: number, most?: number): readonly string[];
  /** Writes records. @param flush with texts as UTF-8 in shared memory, which the caller may overwrite after the response */
  flush(flush: Flush<Uint8Array>): null;
  /** Creates a world with all of its contents; on an error, nothing. @returns the number of the world */
  adopt(
    world: NewWorld,
    header: string,
    contents: Omit<Flush, 'blocks'>,
    texts: readonly string[],
    head: number,
  ): number;
  size(world: number): StoreSize;
  /** Merges the blocks of a world. @param forgets whether the history before the snapshot is removed */
  compact(world: number, forgets: boolean): null;
  /** Shrinks the store's file by its unused space. */
  shrink(): null;
  /** Sentences about data that couldn't be read when the file was opened. */
  leftOut(): readonly string[];
  /** Sentences about problems that SQLite finds in the file; empty: none. */
  integrity(): readonly string[];
  close(): null;
}

/** The stored facts about a world, without its records. */
export interface Whole {
  readonly record: WorldRecord;
  readonly header: string | null;
  readonly snapshot: Snapshot | null;
  /** Numbers of the first and the last stored block. */
  readonly first: number;
  readonly place: number;
}

/** The readable part of a damaged world. */
export interface DamagedWhole {
  readonly whole: Whole;
  /** Sentences about the damage that was found. */
  readonly damage: readonly string[];
}

/** Options with which the worker thread starts. */
export interface WorkerStart {
  readonly file: string;
  /** Size limit of the file in bytes; null: none. */
  readonly maxBytes: number | null;
  /** Whether the file is a damaged copy, which is read as far as possible. */
  readonly isDamaged: boolean;
}

export interface WorkerRequest {
  readonly number: number;
  readonly call: keyof WorkerCalls;
  readonly args: readonly unknown[];
}

/** A response of the worker to the request with the same number; number 0 is the response to the start. */
export type Reply = { readonly number: number } & (
  | { readonly result: unknown }
  | { readonly error: { readonly code: StoreFault; readonly message: string } }
);
