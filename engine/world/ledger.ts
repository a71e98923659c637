import type { StoredEntry } from './ledger-entry.js';
import { compact } from './time.js';
import { FACTS, LateEntry, type PackedEntry } from './packed-entries.js';

/**
 * The newest entries, oldest first, and checkpoints among them: entries that contain a whole world, from which a fold can
 * start. Keeps between `limit` and twice as many entries, more if the world has far more objects, fewer if their arguments are
 * large. The moment after each kept entry can be rebuilt.
 */
export class Ledger {
  /** The kept entries, oldest first; those of commands are packed on pages. */
  #entries: (StoredEntry | PackedEntry)[] = [];
  /** For each kept entry, the index on its page at which it starts. `#first`: number of the first kept entry. */
  #from: number[] = [];
  #first: number;
  #count: number;
  /** Number of changes since the last checkpoint. */
  #changes = 0;
  /** Weight of the entries since the last checkpoint: one each, and more for large arguments. */
  #weight = 0;
  /** Number of changes since the last checkpoint at which `isDue` computes the world's size again. */
  #nextLook = 0;
  /** Number of the first entry whose moment can be rebuilt. */
  #oldest: number;
  /** Entries that each contain the whole world, oldest first; later moments are rebuilt from them. */
  #checkpoints: StoredEntry[] = [];
  /** Checkpoints of named moments, by entry number, which are kept however old they get. */
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

  /** Begins the ledger with a checkpoint, without the entries before it. */
  begin(base: StoredEntry): void {
    this.beginAfter(base.n);
    this.#oldest = base.n;
    this.#checkpoints = [base];
  }

  /** Begins the ledger after an entry that isn't kept. @param n the number of that entry */
  beginAfter(n: number): void {
    this.#count = n;
    this.#oldest = n + 1;
  }

  /** Number of the ledger's last entry. */
  get count(): number {
    return this.#count;
  }

  /** Number of the first entry whose moment can be rebuilt; 0: the world before all entries. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Adds an entry. @param size number of its changes, if they aren't encoded yet */
  add(entry: StoredEntry, size = entry.changes.length): void {
    this.#put(entry.n, size, entry, 0);
  }

  /** Adds an entry that is packed on a page. @param from index on the page at which the entry starts */
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
   * Adds an entry of an earlier history, whose moment can't be rebuilt. O(1) on average, since `limit` entries are dropped at
   * once.
   */
  addHistory(entry: StoredEntry): void {
    this.add(entry);
    this.#oldest = entry.n + 1;
    if (this.#entries.length > this.limit * 2) this.#forget(this.#entries.length - this.limit);
  }

  /**
   * Whether a checkpoint is due: once the changes since the last one exceed a quarter of the world's size, so that checkpoints
   * cost O(1) per change on average.
   * @param sizeOf returns the number of changes that a checkpoint would have; called rarely, since it visits each collection
   */
  isDue(sizeOf: () => number): boolean {
    if (this.#weight < this.limit || this.#changes < this.#nextLook) return false;
    const needed = sizeOf() / 4;
    // Computes the size again after `limit` changes at the latest, since the world may shrink.
    this.#nextLook = Math.min(needed, this.#changes + this.limit);
    return this.#changes >= needed;
  }

  /** Adds a checkpoint after the last entry, and drops entries and checkpoints before the previous one. */
  checkpoint(checkpoint: StoredEntry): void {
    const before = this.#checkpoints.at(-1);
    this.#changes = this.#nextLook = this.#weight = 0;
    this.#checkpoints = before ? [before, checkpoint] : [checkpoint];
    if (!before) return;
    this.#oldest = before.n;
    this.#forget(before.n + 1 - this.#first);
  }

  /**
   * Makes this ledger continue from a moment of another one. Both share the entries before it, which are immutable.
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

  /** Returns the checkpoints from which a fold can start, also pinned ones. */
  checkpoints(): Iterable<StoredEntry> {
    return this.#checkpoints;
  }

  /** Keeps a checkpoint until `unpin`, however old it gets. */
  pin(checkpoint: StoredEntry): void {
    this.#pinned.set(checkpoint.n, checkpoint);
  }

  /** Returns the pinned checkpoints, in no order. */
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
   * Returns the checkpoint and entries that lead to the moment after an entry (0: before the first), for `foldLedger`;
   * undefined if they were dropped.
   */
  upTo(n: number): readonly StoredEntry[] | undefined {
    const pinned = this.#pinned.get(n);
    if (pinned) return [pinned];
    if (!this.reaches(n)) return undefined;
    const base = this.#checkpoints.findLast((each) => each.n <= n);
    const rest = this.since(base?.n ?? this.#oldest - 1, n);
    return base ? [base, ...rest] : rest;
  }

  /** Returns the entry with a number; undefined if it isn't kept. */
  entry(n: number): StoredEntry | undefined {
    return this.#read(n - this.#first);
  }

  /** Returns the kept entries after entry `n`, up to entry `last`. */
  since(n: number, last = this.#count): StoredEntry[] {
    const entries: StoredEntry[] = [];
    const end = Math.min(last + 1 - this.#first, this.#entries.length);
    for (let at = Math.max(n + 1 - this.#first, 0); at < end; at++) entries.push(this.#read(at) as StoredEntry);
    return entries;
  }

  entries(): readonly StoredEntry[] {
    return this.since(this.#entries.length > this.limit ? this.#count - this.limit : 0);
  }

  /** Returns the entry at an index. Decoded ones aren't stored, since reading all would leave an object for each. */
  #read(at: number): StoredEntry | undefined {
    const entry = this.#entries.at(at < 0 ? Infinity : at);
    return isPacked(entry) ? new LateEntry(entry, this.#from[at]) : entry;
  }

  /** Drops the oldest entries. @param count how many */
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

/** The methods of a ledger that read it. */
export type LedgerView = Pick<Ledger, 'count' | 'oldest' | 'entry' | 'since' | 'entries'>;

/** Returns an entry without the changes of other packs, as one pack of a company reads it. */
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

/** A company's ledger as one pack reads it: without other packs' changes. Numbers count all packs' entries. */
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

/** Number of items after which a new page begins. */
const PAGE = 4_096;

/**
 * Pages on which thousands of commands store their lists, many lists per page: separate lists would be two heap objects each,
 * which slow down garbage collection.
 */
export class SharedPages {
  #page: unknown[] = [];

  /** Returns the page to which the next list is appended; begins a new page if the last one is full. */
  next(): unknown[] {
    if (this.#page.length >= PAGE) this.#page = [];
    return this.#page;
  }
}

/** Number of characters of an entry's arguments that add one to the entry's weight. */
const ARGUMENTS_PER_WEIGHT = 1024;

function weightOf(page: PackedEntry, from: number): number {
  const text = page[from + 10] as string | null;
  return 1 + Math.floor((text?.length ?? 0) / ARGUMENTS_PER_WEIGHT);
}

/** Appends an entry without changes to a page. @param collections names of the collections, by resource number */
export function packEntry(entry: Omit<StoredEntry, 'changes'>, collections: readonly string[], page: unknown[]): void {
  const { pack, n, at, command, origin, request, trace, args, after } = entry;
  // V8 stores whole seconds without a heap object.
  const seconds = compact(Math.floor(at / 1000));
  // Joining makes one flat string of the tree of parts that `stringify` returns.
  const text = args === null ? null : [JSON.stringify(args), '\n'].join('');
  page.push(0, collections, pack, n, seconds, compact(at - seconds * 1000), command, origin, request, trace, text);
  page.push(after.random, after.seq, after.requests, after.outside);
}

/** Completes the entry last appended to a page with the number of its changes. @returns the number of changes */
export function endEntry(page: unknown[], from: number): number {
  page[from] = page.length;
  return (page.length - from - FACTS - 1) / 3;
}
