import type { StoredRecord, StoredWorld, LedgerHeader, StoredEntry } from '../world/index.js';
import type { Whole } from './protocol.js';
import { SnapshotReader } from './snapshot.js';
import { StoreError } from './store.js';
import { lengthened } from './traces.js';

/** Returns texts from a number on, as many as one read allows. */
type TextCache = (from: number) => Promise<readonly string[]>;

/** The stored texts of a world, and functions that read them. */
export interface EntrySource {
  readonly whole: Whole;
  readonly pieces: TextCache;
  readonly blocks: TextCache;
}

/** The parsed contents of a world, and the number of characters after its snapshot. */
interface Contents {
  readonly kept: StoredWorld | undefined;
  readonly charactersSince: number;
}

/** Reads a world: its snapshot, and the entries after it. @throws StoreError `damaged` */
export async function readContents({ whole, pieces, blocks }: EntrySource): Promise<Contents> {
  const { record, header, snapshot, first, place } = whole;
  if (header === null) return { kept: undefined, charactersSince: 0 };
  const begin = new SnapshotReader();
  if (snapshot) await eachText(pieces, snapshot.first, snapshot.last, (text) => begin.add(text));
  const base = begin.end();
  if (snapshot && base === undefined)
    throw new StoreError('damaged', `the snapshot of world ${record.id} is not whole`);
  const entries: StoredEntry[] = [];
  const journal: StoredRecord[] = [...(base?.journal ?? [])];
  const from = snapshot?.place ?? first;
  const entryOf = (n: number): StoredEntry | undefined => entries[n - (entries.at(0)?.n ?? 0)];
  let charactersSince = 0;
  await eachText(blocks, from, place, (text, at) => {
    charactersSince += text.length;
    const lines = text.split('\n');
    for (let i = at === snapshot?.place ? snapshot.lines : 0; i < lines.length; i++) {
      const entry = lineOf(lines[i], record.id);
      if ('kind' in entry)
        journal.push(lengthened(entry, entryOf) ?? damaged(`a trace of world ${record.id} lacks its entry`));
      else entries.push(entry);
    }
  });
  const before = base?.base.n ?? (entries.at(0)?.n ?? 1) - 1;
  if (base === undefined && before > 0 && entries[0].changes[0]?.op !== 'reset')
    throw new StoreError('damaged', `entry 1 of world ${record.id} is missing`);
  const gap = entries.findIndex(({ n }, index) => n !== before + index + 1);
  if (gap >= 0) throw new StoreError('damaged', `entry ${before + gap + 1} of world ${record.id} is missing`);
  if (before + entries.length !== record.head)
    throw new StoreError('damaged', `world ${record.id} has ${before + entries.length} entries of ${record.head}`);
  const kept = { header: JSON.parse(header) as LedgerHeader, entries, journal };
  return { kept: base ? { ...kept, base: base.base, moments: base.moments } : kept, charactersSince };
}

/** Calls a function with each text, while the next texts are read. @throws StoreError `damaged` if one is missing */
export async function eachText(
  read: TextCache,
  first: number,
  last: number,
  use: (text: string, number: number) => void,
): Promise<void> {
  let next = first <= last ? read(first) : null;
  for (let number = first; next !== null;) {
    const texts = await next;
    if (texts.length === 0) throw new StoreError('damaged', `part ${number} of ${last} is missing`);
    next = number + texts.length <= last ? read(number + texts.length) : null;
    next?.catch(() => undefined);
    for (const text of texts) if (number <= last) use(text, number++);
  }
}

/** Parses a line of a block. @throws StoreError `damaged` since a block without a checksum may contain anything */
function lineOf(line: string, world: string): StoredEntry | StoredRecord {
  try {
    return JSON.parse(line) as StoredEntry | StoredRecord;
  } catch {
    return damaged(`a line of world ${world} isn't JSON`);
  }
}

function damaged(what: string): never {
  throw new StoreError('damaged', what);
}
