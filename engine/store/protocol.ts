import type { NewWorld, StoreFault, WorldRecord } from './store.js';

/** What one world brings to a group that becomes safe as a whole. */
export interface Block {
  /** Number of the world. */
  readonly world: number;
  /** Its place among the world's blocks, from 1. */
  readonly place: number;
  /** Number of the last ledger entry so far. */
  readonly head: number;
  /** A new header of the world, as JSON. */
  readonly header: string | null;
  /** Entries and records as JSON, one a line. */
  readonly text: string;
}

/** What the worker is asked for, with what it answers. */
export interface Calls {
  worlds(): readonly WorldRecord[];
  create(world: NewWorld): WorldRecord;
  delete(world: number): boolean;
  /** @param open numbers of worlds that stay whatever their time */
  expire(nowMs: number, open: readonly number[]): readonly string[];
  read(world: number): Whole | null;
  flush(blocks: readonly Block[]): null;
  close(): null;
}

/** All that is kept of a world. */
export interface Whole {
  readonly record: WorldRecord;
  readonly header: string | null;
  readonly texts: readonly string[];
  /** Place of the last block. */
  readonly place: number;
}

/** What a worker is started with. */
export interface Start {
  readonly file: string;
  /** Most bytes of the file; null: as many as fit. */
  readonly maxBytes: number | null;
}

export interface Request {
  readonly number: number;
  readonly call: keyof Calls;
  readonly args: readonly unknown[];
}

/** Number 0 answers the start. */
export type Reply = { readonly number: number } & (
  { readonly result: unknown } | { readonly error: { readonly code: StoreFault; readonly message: string } }
);
