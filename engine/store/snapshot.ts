import type { Checkpoint, StoredRecord, StoredChange, StoredEntry } from '../world/index.js';
import { type Packed, packed, unpackedColumns } from './columns.js';

/** The pieces of a snapshot, in order: each checkpoint's entry without changes, its changes; at last the journal. */
type SnapshotPiece =
  | { readonly base: SnapshotHeader }
  | { readonly moment: SnapshotHeader }
  | { readonly changes: Packed }
  | { readonly journal: Packed };

/** A ledger entry without its changes. */
type SnapshotHeader = Omit<StoredEntry, 'changes'>;

/** Number of changes or records per piece, so small that writing a piece takes milliseconds. */
const PIECE_LINES = 1000;

/** Yields the pieces of a checkpoint, so that other code can run between them. */
export function* piecesOf({ base, moments, journal }: Checkpoint): Generator<string> {
  yield* entryPieces('base', base);
  for (const moment of moments) yield* entryPieces('moment', moment);
  for (let at = 0; at < journal.length; at += PIECE_LINES)
    yield written({ journal: packed(journal.slice(at, at + PIECE_LINES)) });
}

function* entryPieces(what: 'base' | 'moment', { changes, ...head }: StoredEntry): Generator<string> {
  yield written(what === 'base' ? { base: head } : { moment: head });
  for (let at = 0; at < changes.length; at += PIECE_LINES)
    yield written({ changes: packed(changes.slice(at, at + PIECE_LINES)) });
}

function written(piece: SnapshotPiece): string {
  return JSON.stringify(piece);
}

/** Restores a checkpoint from its pieces. */
export class SnapshotReader {
  #base: StoredEntry | undefined;
  readonly #moments: StoredEntry[] = [];
  readonly #journal: StoredRecord[] = [];
  #changes: StoredChange[] = [];

  add(text: string): void {
    const piece = JSON.parse(text) as SnapshotPiece;
    if ('base' in piece) this.#base = { ...piece.base, changes: this.#begin() };
    else if ('moment' in piece) this.#moments.push({ ...piece.moment, changes: this.#begin() });
    else if ('changes' in piece) {
      // A change restored from columns has its original type.
      for (const change of unpackedColumns(piece.changes)) this.#changes.push(change as unknown as StoredChange);
    } else {
      for (const record of unpackedColumns(piece.journal)) this.#journal.push(record as unknown as StoredRecord);
    }
  }

  /** Ends reading, and returns the checkpoint; undefined: a piece of the snapshot is missing. */
  end(): Checkpoint | undefined {
    return this.#base && { base: this.#base, moments: this.#moments, journal: this.#journal };
  }

  #begin(): StoredChange[] {
    this.#changes = [];
    return this.#changes;
  }
}
