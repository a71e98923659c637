import type { NewWorld, StoreFault, WorldRecord } from './store.js';

/** What one world brings to a group that becomes safe as a whole. */
export interface Block<Text = string> {
  /** Number of the world. */
  readonly world: number;
  /** Its place among the world's blocks, from 1. */
  readonly place: number;
  /** Number of the last ledger entry so far. */
  readonly head: number;
  /** A new header of the world, as JSON. */
  readonly header: string | null;
  /** Entries and records as JSON, one a line. */
  readonly text: Text;
}

/** A part of a snapshot. */
export interface WritePiece<Text = string> {
  readonly world: number;
  /** Counts the pieces of all of a world's snapshots. */
  readonly number: number;
  readonly text: Text;
}

/** A snapshot all of whose pieces are there. */
export interface Snapshot {
  readonly world: number;
  /** Number of the ledger entry that it stands for. */
  readonly entry: number;
  /** The block that continues after it, or will when there is more to keep. */
  readonly place: number;
  /** Lines of that block that the snapshot holds already. */
  readonly lines: number;
  /** Numbers of its pieces. */
  readonly first: number;
  readonly last: number;
  /** How many changes make it. */
  readonly size: number;
}

/** What becomes safe at once. */
export interface Flush<Text = string> {
  readonly blocks: readonly Block<Text>[];
  readonly pieces: readonly WritePiece<Text>[];
  /** Each takes the place of the one before. */
  readonly snapshots: readonly Snapshot[];
}

/** What a world takes up. */
export interface StoreSize {
  readonly blocks: number;
  /** As they are in the file, snapshot included. */
  readonly bytes: number;
}

/** What the worker is asked for, with what it returns. */
export interface WorkerCalls {
  worlds(): readonly WorldRecord[];
  /** By id or name. */
  find(idOrName: string): WorldRecord | null;
  ofKey(key: string): WorldRecord | null;
  create(world: NewWorld): WorldRecord;
  delete(world: number): boolean;
  /** @param open numbers of worlds that stay whatever their time */
  expire(nowMs: number, open: readonly number[]): readonly string[];
  read(world: number): Whole | null;
  /** As `read`, where the parts of a world may contradict each other. */
  readDamaged(world: number): DamagedWhole | null;
  /** Texts of pieces from a number on, as many as are read at once, or at most so many; at least one. */
  pieces(world: number, from: number, most?: number): readonly string[];
  /** As `pieces`, of blocks from a place on; none behind the last one. */
  blocks(world: number, from: number, most?: number): readonly string[];
  /** @param flush texts as UTF-8, in memory that both threads see; it may be written over once this has responded */
  flush(flush: Flush<Uint8Array>): null;
  /** Makes a world with all that it holds, or nothing. @returns its number */
  adopt(
    world: NewWorld,
    header: string,
    contents: Omit<Flush, 'blocks'>,
    texts: readonly string[],
    head: number,
  ): number;
  size(world: number): StoreSize;
  /** Puts the blocks of a world together. @param forgets what lies before its snapshot goes */
  compact(world: number, forgets: boolean): null;
  /** Gives room that nothing needs back to the disk. */
  shrink(): null;
  /** What the file had when it was opened that cannot be read, as sentences. */
  leftOut(): readonly string[];
  /** What SQLite says of the file; empty: nothing is wrong. */
  integrity(): readonly string[];
  close(): null;
}

/** What is kept of a world, its contents apart. */
export interface Whole {
  readonly record: WorldRecord;
  readonly header: string | null;
  readonly snapshot: Snapshot | null;
  /** Place of the first block that is kept, and of the last one. */
  readonly first: number;
  readonly place: number;
}

/** What can be read of a damaged world. */
export interface DamagedWhole {
  readonly whole: Whole;
  /** What is damaged in it, as sentences. */
  readonly damage: readonly string[];
}

/** What a worker is started with. */
export interface WorkerStart {
  readonly file: string;
  /** Most bytes of the file; null: as many as fit. */
  readonly maxBytes: number | null;
  /** The file is a copy that is read in spite of its damage. */
  readonly isDamaged: boolean;
}

export interface WorkerRequest {
  readonly number: number;
  readonly call: keyof WorkerCalls;
  readonly args: readonly unknown[];
}

/** Number 0 is the response to the start. */
export type Reply = { readonly number: number } & (
  { readonly result: unknown } | { readonly error: { readonly code: StoreFault; readonly message: string } }
);
