import type { StoredEntry } from './ledger-entry.js';
import { compact } from './time.js';
import { FACTS, LateEntry, type PackedEntry } from './packed-entries.js';

/**
 * The newest entries, oldest first, with checkpoints among them: whole worlds as one entry, from which a fold can start. Keeps
 * between `limit` and twice as many entries, more if the world has far more objects, fewer if their arguments are large; the
 * moment after each entry can be rebuilt.
 */
export class Ledger {
  /** Entries of the ledger that are in memory; the contents of most are on pages. */
  #entries: (StoredEntry | PackedEntry)[] = [];
  /** Start indexes of the entries on their pages, and the number of the first entry. */
  #from: number[] = [];
  #first: number;
  #count: number;
  /** Changes since the last checkpoint. */
  #changes = 0;
  /** Weight of the entries since then: one each, and more for large arguments. */
  #weight = 0;
  /** Number of changes after which the world's size is checked again. */
  #nextLook = 0;
  /** The first moment that can be rebuilt. */
  #oldest: number;
  /** Entries that each contain the whole world, oldest first; earlier moments are rebuilt from them. */
  #checkpoints: StoredEntry[] = [];
  /** Checkpoints that are kept however old they get. */
  readonly #pinned = new Map<number, StoredEntry>();

  /** @param limit Infinity keeps everything @param after number of the last entry before this ledger begins */
  constructor(
    private readonly limit: number,
    after = 0,
  ) {
    this.#count = after;
    this.#first = after + 1;
    this.#oldest = after === 0 ? 0 : after + 1;
  }

  /** Starts with a checkpoint; earlier entries are unknown. */
  begin(base: StoredEntry): void {
    this.beginAfter(base.n);
    this.#oldest = base.n;
    this.#checkpoints = [base];
  }

  /** Starts with the entry after one that is unknown. */
  beginAfter(n: number): void {
    this.#count = n;
    this.#oldest = n + 1;
  }

  /** The number of the last entry. */
  get count(): number {
    return this.#count;
  }

  /** Number of the first entry whose moment can be rebuilt; 0: the world before all entries. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Adds an entry. @param size the number of its changes, if they are written later */
  add(entry: StoredEntry, size = entry.changes.length): void {
    this.#put(entry.n, size, entry, 0);
  }

  /** Like `add`, for an entry on a page. */
  addPacked(n: number, size: number, page: PackedEntry, from: number): void {
    this.#put(n, size, page, from);
  }

  #put(n: number, size: number, entry: StoredEntry | PackedEntry, from: number): void {
    if (this.#entries.length === 0) this.#first = n;
    this.#count = n;
    this.#changes += size;
    this.#weight += isPacked(entry) ? weightOf(entry, from) : 1;
    this.#entries.push(entry);
    this.#from.push(from);
  }

  /**
   * Adds an entry of an earlier history, of which nothing is rebuilt. O(1) on average, since `limit` entries are dropped at
   * once.
   */
  addHistory(entry: StoredEntry): void {
    this.add(entry);
    this.#oldest = entry.n + 1;
    if (this.#entries.length > this.limit * 2) this.#forget(this.#entries.length - this.limit);
  }

  /**
   * Whether a checkpoint is due: once the changes since the last one exceed a quarter of its size, so that it costs O(1) per
   * change on average.
   * @param sizeOf the number of changes that it would have; called seldom, since it visits each collection
   */
  isDue(sizeOf: () => number): boolean {
    if (this.#weight < this.limit || this.#changes < this.#nextLook) return false;
    const needed = sizeOf() / 4;
    // The world may be empty by then.
    this.#nextLook = Math.min(needed, this.#changes + this.limit);
    return this.#changes >= needed;
  }

  /** Adds a checkpoint after the last entry, and drops what precedes the previous checkpoint. */
  checkpoint(checkpoint: StoredEntry): void {
    const before = this.#checkpoints.at(-1);
    this.#changes = this.#nextLook = this.#weight = 0;
    this.#checkpoints = before ? [before, checkpoint] : [checkpoint];
    if (!before) return;
    this.#oldest = before.n;
    this.#forget(before.n + 1 - this.#first);
  }

  /**
   * Continues from a moment of another ledger, with its history: entries are immutable, so both share them.
   * @param base checkpoint of that moment
   */
  branch(from: Ledger, base: StoredEntry): void {
    const { n } = base;
    const size = Math.max(n + 1 - from.#first, 0);
    this.#entries = from.#entries.slice(0, size);
    this.#from = from.#from.slice(0, size);
    this.#first = from.#first;
    this.#count = n;
    this.#oldest = Math.min(from.#oldest, n);
    this.#checkpoints = [...from.#checkpoints.filter((each) => each.n < n), base];
    for (const [at, moment] of from.#pinned) if (at < n) this.#pinned.set(at, moment);
  }

  /** The checkpoints from which a fold can start. */
  checkpoints(): Iterable<StoredEntry> {
    return this.#checkpoints;
  }

  /** Keeps a checkpoint until `unpin`, however old it gets. */
  pin(checkpoint: StoredEntry): void {
    this.#pinned.set(checkpoint.n, checkpoint);
  }

  /** Checkpoints that are kept however old they get, in no order. */
  pinned(): readonly StoredEntry[] {
    return [...this.#pinned.values()];
  }

  unpin(n: number): void {
    this.#pinned.delete(n);
  }

  /** Whether the moment after an entry can be rebuilt. */
  reaches(n: number): boolean {
    return this.#pinned.has(n) || (n >= this.#oldest && n <= this.#count);
  }

  /**
   * The checkpoint and entries that lead to the moment after an entry (0: before the first), for `foldLedger`; undefined if
   * they aren't known any more.
   */
  upTo(n: number): readonly StoredEntry[] | undefined {
    const pinned = this.#pinned.get(n);
    if (pinned) return [pinned];
    if (!this.reaches(n)) return undefined;
    const base = this.#checkpoints.findLast((each) => each.n <= n);
    const rest = this.since(base?.n ?? this.#oldest - 1, n);
    return base ? [base, ...rest] : rest;
  }

  /** The entry with a number, if it is kept. */
  entry(n: number): StoredEntry | undefined {
    return this.#read(n - this.#first);
  }

  /** The kept entries after one, up to another. */
  since(n: number, last = this.#count): StoredEntry[] {
    const entries: StoredEntry[] = [];
    const end = Math.min(last + 1 - this.#first, this.#entries.length);
    for (let at = Math.max(n + 1 - this.#first, 0); at < end; at++) entries.push(this.#read(at) as StoredEntry);
    return entries;
  }

  entries(): readonly StoredEntry[] {
    return this.since(this.#entries.length > this.limit ? this.#count - this.limit : 0);
  }

  /** The entry at an index. An entry decoded from a page isn't stored: a reader of all would leave an object for each. */
  #read(at: number): StoredEntry | undefined {
    const entry = this.#entries.at(at < 0 ? Infinity : at);
    return isPacked(entry) ? new LateEntry(entry, this.#from[at]) : entry;
  }

  /** Drops the oldest entries. */
  #forget(count: number): void {
    if (count <= 0) return;
    this.#entries = this.#entries.slice(count);
    this.#from = this.#from.slice(count);
    this.#first += count;
  }
}

function isPacked(entry: StoredEntry | PackedEntry | undefined): entry is PackedEntry {
  return Array.isArray(entry);
}

/** The part of a ledger that readers use. */
export type LedgerView = Pick<Ledger, 'count' | 'oldest' | 'entry' | 'since' | 'entries'>;

/** An entry as one pack of a company sees it: without changes of other packs. */
export function entryOf(entry: StoredEntry, pack: string): StoredEntry {
  const { changes: _, ...facts } = entry;
  return {
    ...facts,
    get changes() {
      let of = entry.pack;
      return entry.changes.filter((change) => {
        if (change.op === 'pack') of = change.pack;
        return change.op === 'reset' || change.op === 'clock' || (of === pack && change.op !== 'pack');
      });
    },
  };
}

/** A company's ledger as one of its packs sees it; numbers count the entries of all packs. */
export class MemberLedger implements LedgerView {
  constructor(
    private readonly whole: Ledger,
    private readonly pack: string,
  ) {}

  get count(): number {
    return this.whole.count;
  }

  get oldest(): number {
    return this.whole.oldest;
  }

  entry(n: number): StoredEntry | undefined {
    const entry = this.whole.entry(n);
    return entry && entryOf(entry, this.pack);
  }

  since(n: number, last?: number): StoredEntry[] {
    return this.whole.since(n, last).map((each) => entryOf(each, this.pack));
  }

  entries(): readonly StoredEntry[] {
    return this.whole.entries().map((each) => entryOf(each, this.pack));
  }
}

/** Items of a page before the next one begins. */
const PAGE = 4_096;

/**
 * Stores lists for thousands of commands, many lists per page: a separate list would be two heap objects, and each slows down
 * every garbage collection.
 */
export class SharedPages {
  #page: unknown[] = [];

  /** The page to which the next list is appended. */
  next(): unknown[] {
    if (this.#page.length >= PAGE) this.#page = [];
    return this.#page;
  }
}

/** An entry's arguments add one to its weight for each such number of characters. */
const ARGUMENTS_PER_WEIGHT = 1024;

function weightOf(page: PackedEntry, from: number): number {
  const text = page[from + 10] as string | null;
  return 1 + Math.floor((text?.length ?? 0) / ARGUMENTS_PER_WEIGHT);
}

/** Appends an entry without changes to a page. @param collections names of the collections, by resource number */
export function packEntry(entry: Omit<StoredEntry, 'changes'>, collections: readonly string[], page: unknown[]): void {
  const { pack, n, at, command, origin, request, trace, args, after } = entry;
  // Whole seconds need no heap object.
  const seconds = compact(Math.floor(at / 1000));
  // Joined into one flat string: `stringify` returns a tree of parts.
  const text = args === null ? null : [JSON.stringify(args), '\n'].join('');
  page.push(0, collections, pack, n, seconds, compact(at - seconds * 1000), command, origin, request, trace, text);
  page.push(after.random, after.seq, after.requests, after.outside);
}

/** Ends the changes of the entry that was last appended to a page. @returns their number */
export function endEntry(page: unknown[], from: number): number {
  page[from] = page.length;
  return (page.length - from - FACTS - 1) / 3;
}
