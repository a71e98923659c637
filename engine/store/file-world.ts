import type { Checkpoint, JournalRecord, LedgerHeader, StoredEntry } from '../world/index.js';
import type { CommitGroup } from './group.js';
import type { Block, Whole } from './protocol.js';
import { shortened } from './traces.js';
import { piecesOf } from './snapshot.js';
import { type DurableKeeper, isVolatile, StoreError } from './store.js';

/** Collects the records of open worlds, as lines, for the next flush to disk. */
export interface Groups {
  /**
   * Adds lines to the next group.
   * @param add adds the lines to a group, and returns the number of added characters
   * @param late whether the group may wait for more lines
   * @returns the group, whose `safe` resolves once the lines are on disk
   */
  add(add: (group: CommitGroup<FileWorld>) => number, late: boolean): CommitGroup<FileWorld>;
  /** Returns the number of a world's lines in the group that isn't being written yet. */
  linesOf(world: FileWorld): number;
  room(): Promise<void> | undefined;
  readonly lost: Promise<never> | null;
}

/**
 * Number of characters of ledger and journal after which a snapshot is due: a minimum, and a number for each change in the last
 * snapshot. Writing a change takes at least as long in a snapshot as in an entry, so a busy world is rewritten only once it has
 * become several times as large. The data to read after a crash stays in proportion.
 */
const IN_USE = { least: 32 * 2 ** 20, perChange: 2048 };
/** Limits like `IN_USE` for a world that is being closed: lower, since nothing waits for the snapshot. */
const LEFT = { least: 8 * 2 ** 20, perChange: 128 };

/** An open world of a file store: its records become lines, and occasionally a snapshot. */
export class FileWorld implements DurableKeeper {
  readonly takesTexts = true;
  readonly #number: number;
  #place: number;
  #head: number;
  /** Number of the newest piece of all snapshots of the world. */
  #piece: number;
  /** Characters written since the last snapshot; `#size`: the number of changes in that snapshot. */
  #charactersSince: number;
  #size: number;
  /** Number of the ledger entry that the last snapshot represents. */
  #covered: number;
  #newest: StoredEntry | null = null;
  #writing: Promise<void> | null = null;
  /** Whether the world was closed: later records are dropped, since the world may be open again elsewhere. */
  #released = false;
  /** The group that contains the newest record for which responses wait. */
  #last: CommitGroup<FileWorld> | null = null;

  /** @param charactersSince number of characters after the world's snapshot */
  constructor(
    private readonly groups: Groups,
    { record, place, snapshot }: Whole,
    number: number,
    charactersSince: number,
  ) {
    this.#number = number;
    this.#place = place;
    this.#head = record.head;
    this.#piece = snapshot?.last ?? 0;
    this.#covered = snapshot?.entry ?? 0;
    this.#charactersSince = charactersSince;
    this.#size = snapshot?.size ?? 0;
  }

  begin(header: LedgerHeader): void {
    if (this.#released) return;
    const text = JSON.stringify(header);
    const add = (group: CommitGroup<FileWorld>): number => {
      group.itemOf(this).header = text;
      return text.length;
    };
    this.#last = this.groups.add(add, false);
  }

  entry(entry: StoredEntry, texts?: readonly string[]): void {
    if (this.#released) return;
    this.#head = entry.n;
    this.#newest = entry;
    this.#last = this.#add(texts === undefined ? JSON.stringify(entry) : entryText(entry, texts), false);
  }

  record(record: JournalRecord, after: number): void {
    if (this.#released) return;
    const late = isVolatile(record);
    // A trace's data that its entry contains is written only there. Entries before the snapshot aren't read at the next start,
    // so traces of those are written whole.
    const newest = this.#newest;
    const kept = newest !== null && newest.n > this.#covered ? shortened(record, newest) : record;
    const group = this.#add(`{"after":${after},${JSON.stringify(kept).slice(1)}`, late);
    if (!late) this.#last = group;
    // The next start reads only entries after the snapshot, so the named moment must be in a new snapshot.
    if (record.kind === 'moment' && record.entry !== null && record.entry < this.#covered)
      this.#charactersSince = Infinity;
  }

  isCheckpointDue(last = false): boolean {
    const { least, perChange } = last ? LEFT : IN_USE;
    return (
      this.#charactersSince >= Math.max(least, this.#size * perChange) && this.#writing === null && !this.#released
    );
  }

  checkpoint(checkpoint: Checkpoint): void {
    const writing = this.#write(checkpoint).finally(() => {
      this.#writing = null;
    });
    this.#writing = writing;
    // Callers that wait for records get the error from `kept`.
    writing.catch(() => undefined);
  }

  kept(): Promise<void> | undefined {
    if (this.#released) return Promise.reject(new StoreError('closed', `world w${this.#number} was released`));
    return this.groups.lost ?? (this.#last === null || this.#last.isSafe ? undefined : this.#last.safe);
  }

  room(): Promise<void> | undefined {
    return this.groups.room();
  }

  /** Prevents further snapshots; resolves once the current one is written. */
  async finish(): Promise<void> {
    this.#released = true;
    await this.#writing?.catch(() => undefined);
  }

  /** Builds the world's block for a group that is about to be written. */
  blockOf(lines: readonly string[], header: string | null): Block {
    return { ...this.placed(lines.length, header), text: lines.join('\n') };
  }

  /** Builds the world's block for a group that is about to be written, without the text of the lines. */
  placed(lines: number, header: string | null): Omit<Block, 'text'> {
    if (lines > 0) this.#place++;
    return { world: this.#number, place: this.#place, head: this.#head, header };
  }

  #add(line: string, late: boolean): CommitGroup<FileWorld> {
    this.#charactersSince += line.length + 1;
    const add = (group: CommitGroup<FileWorld>): number => group.itemOf(this).lines.push(line) && line.length;
    return this.groups.add(add, late);
  }

  async #write(checkpoint: Checkpoint): Promise<void> {
    const { base, moments } = checkpoint;
    const world = this.#number;
    const size = moments.reduce((sum, { changes }) => sum + changes.length, base.changes.length);
    // Blocks get their numbers when they are written, so lines that still wait belong to the next block.
    const [place, lines] = [this.#place + 1, this.groups.linesOf(this)];
    const first = this.#piece + 1;
    this.#charactersSince = 0;
    this.#size = size;
    this.#covered = base.n;
    // Waits for a later turn of the event loop, since the entry that makes the snapshot due is still being recorded.
    await new Promise(setImmediate);
    for (const text of piecesOf(checkpoint)) {
      const number = ++this.#piece;
      await this.groups.add((group) => group.pieces.push({ world, number, text }) && text.length, false).safe;
    }
    const snapshot = { world, entry: base.n, place, lines, first, last: this.#piece, size };
    await this.groups.add((group) => group.snapshots.push(snapshot), false).safe;
  }
}

/** Writes an entry like `JSON.stringify`, from changes that are JSON texts already; they are its last member. */
function entryText({ changes: _, ...head }: StoredEntry, texts: readonly string[]): string {
  return `${JSON.stringify(head).slice(0, -1)},"changes":[${texts.join(',')}]}`;
}
