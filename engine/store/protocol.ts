import type { NewWorld, StoreFault, WorldRecord } from './store.js';

/** One world's part of a group that becomes safe as a whole. */
export interface Block<Text = string> {
  /** Number of the world. */
  readonly world: number;
  /** The number of the block among the world's blocks, from 1. */
  readonly place: number;
  /** Number of the last ledger entry so far. */
  readonly head: number;
  /** A new header of the world, as JSON. */
  readonly header: string | null;
  /** Entries and records as JSON, one per line. */
  readonly text: Text;
}

/** A part of a snapshot. */
export interface WritePiece<Text = string> {
  readonly world: number;
  /** Counts the pieces of all snapshots of a world. */
  readonly number: number;
  readonly text: Text;
}

/** A complete snapshot. */
export interface Snapshot {
  readonly world: number;
  /** Number of the ledger entry that it represents. */
  readonly entry: number;
  /** The block that continues after it, which may not exist yet. */
  readonly place: number;
  /** Lines of that block that the snapshot contains already. */
  readonly lines: number;
  /** Number of the snapshot's first piece. */
  readonly first: number;
  readonly last: number;
  /** Number of changes in the snapshot. */
  readonly size: number;
}

/** Records that become safe together. */
export interface Flush<Text = string> {
  readonly blocks: readonly Block<Text>[];
  readonly pieces: readonly WritePiece<Text>[];
  /** Each replaces the previous one. */
  readonly snapshots: readonly Snapshot[];
}

/** The size of a world. */
export interface StoreSize {
  readonly blocks: number;
  /** Size of the world in the file, including the snapshot, in bytes. */
  readonly bytes: number;
}

/** The calls of the worker, with their results. */
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
  /** Like `read`, for a world whose parts may contradict each other. */
  readDamaged(world: number): DamagedWhole | null;
  /** Texts of pieces from a number on, as many as are read at once, or at most `most`; at least one. */
  pieces(world: number, from: number, most?: number): readonly string[];
  /** Like `pieces`, for blocks from a position on; empty after the last one. */
  blocks(world: number, from: number, most?: number): readonly string[];
  /** Writes records. @param flush texts as UTF-8, in memory shared by both threads; may be overwritten after the response */
  flush(flush: Flush<Uint8Array>): null;
  /** Creates a world with all of its contents, or nothing. @returns its number */
  adopt(
    world: NewWorld,
    header: string,
    contents: Omit<Flush, 'blocks'>,
    texts: readonly string[],
    head: number,
  ): number;
  size(world: number): StoreSize;
  /** Merges the blocks of a world. @param forgets removes the history before its snapshot */
  compact(world: number, forgets: boolean): null;
  /** Returns unused space to the disk. */
  shrink(): null;
  /** Parts that couldn't be read when the file was opened, as sentences. */
  leftOut(): readonly string[];
  /** Problems that SQLite finds; empty: none. */
  integrity(): readonly string[];
  close(): null;
}

/** The stored data about a world, without its contents. */
export interface Whole {
  readonly record: WorldRecord;
  readonly header: string | null;
  readonly snapshot: Snapshot | null;
  /** Positions of the first and the last stored block. */
  readonly first: number;
  readonly place: number;
}

/** The readable part of a damaged world. */
export interface DamagedWhole {
  readonly whole: Whole;
  /** Sentences about the damage that was found. */
  readonly damage: readonly string[];
}

/** The options of a worker. */
export interface WorkerStart {
  readonly file: string;
  /** Size limit of the file in bytes; null: none. */
  readonly maxBytes: number | null;
  /** The file is a damaged copy, to be read as far as possible. */
  readonly isDamaged: boolean;
}

export interface WorkerRequest {
  readonly number: number;
  readonly call: keyof WorkerCalls;
  readonly args: readonly unknown[];
}

/** Number 0 is the response to the start. */
export type Reply = { readonly number: number } & (
  | { readonly result: unknown }
  | { readonly error: { readonly code: StoreFault; readonly message: string } }
);
