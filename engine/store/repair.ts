import type { StoredEntry, StoredRecord } from '../world/index.js';
import { checkWorld } from './check.js';
import type { EntrySource } from './reading.js';
import { SnapshotReader } from './snapshot.js';
import { StoreError } from './store.js';

/** The usable part of a damaged world. */
export interface SoundPart {
  readonly source: EntrySource;
  /** Numbers of the ledger entries at the end that are lost; null: none. */
  readonly lost: { readonly from: number; readonly to: number } | null;
  /** Whether the history before the snapshot is lost, which only exports contain, and calls never need. */
  readonly isHistoryLost: boolean;
  /** Sentences about the damage that was found. */
  readonly damage: readonly string[];
}

/** A series of valid blocks with consecutive numbers. */
interface Run {
  /** Number of the run's last block. */
  readonly place: number;
  /** Number of the last ledger entry in the run's blocks. */
  readonly head: number;
}

/**
 * Finds the usable part of a world: the snapshot, if complete, and the entries after it up to the first damage; without a
 * snapshot, all entries up to the damage.
 * @param source returns one text at a time, and throws for a damaged one
 * @param found sentences about damage that is known already
 * @throws StoreError `damaged` if nothing is usable
 */
export async function soundPart(source: EntrySource, found: readonly string[]): Promise<SoundPart> {
  const { whole, pieces } = source;
  const { record } = whole;
  const damage = new Set(found);
  const snapshot = (await hasSnapshot(source, damage)) ? whole.snapshot : null;
  const all = await soundRun(source, whole.first, damage);
  const covered = snapshot?.entry ?? 0;
  const isHistoryLost = snapshot !== null && all.head < covered && whole.first < snapshot.place;
  const first = snapshot !== null && all.head < covered ? snapshot.place : whole.first;
  const run = first === whole.first ? all : await soundRun(source, first, damage);
  const head = Math.max(run.head, covered);
  if (head !== record.head && damage.size === 0)
    damage.add(`world ${record.id} should have ${record.head} entries, and has ${head}`);
  const sound: EntrySource = {
    whole: { ...whole, record: { ...record, head }, snapshot, first, place: run.place },
    pieces,
    blocks: async (from) => (await source.blocks(from)).slice(0, run.place - from + 1),
  };
  const unfit = head === 0 ? [] : await checkWorld(sound);
  if (head === 0 || unfit.length > 0)
    throw new StoreError(
      'damaged',
      `nothing of world ${record.id} can be restored: ${[...damage, ...unfit].join('; ')}`,
    );
  const lost = head < record.head ? { from: head + 1, to: record.head } : null;
  return { source: sound, lost, isHistoryLost, damage: [...damage] };
}

async function hasSnapshot({ whole: { snapshot }, pieces }: EntrySource, damage: Set<string>): Promise<boolean> {
  if (snapshot === null) return false;
  const reader = new SnapshotReader();
  try {
    for (let number = snapshot.first; number <= snapshot.last;) {
      const texts = await pieces(number);
      if (texts.length === 0) throw new StoreError('damaged', `piece ${number} of the snapshot is missing`);
      for (const text of texts) reader.add(text);
      number += texts.length;
    }
  } catch (error) {
    damage.add(sentenceOf(error));
    return false;
  }
  return reader.end() !== undefined;
}

async function soundRun({ whole, blocks }: EntrySource, first: number, damage: Set<string>): Promise<Run> {
  let run: Run = { place: first - 1, head: 0 };
  try {
    while (run.place < whole.place) {
      const texts = await blocks(run.place + 1);
      if (texts.length === 0) throw new StoreError('damaged', `block ${run.place + 1} is missing`);
      for (const text of texts) run = { place: run.place + 1, head: lastEntry(text, run.head) };
    }
  } catch (error) {
    damage.add(sentenceOf(error));
  }
  return run;
}

/** Returns the number of a block's last entry. @param before of the previous block @throws StoreError `damaged` */
function lastEntry(text: string, before: number): number {
  let last = before;
  for (const line of text.split('\n')) {
    const entry = JSON.parse(line) as StoredEntry | StoredRecord;
    if ('kind' in entry) continue;
    if (last > 0 && entry.n !== last + 1) throw new StoreError('damaged', `entry ${last + 1} is missing`);
    last = entry.n;
  }
  return last;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
