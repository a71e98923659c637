import type { Json, JsonObject } from '../values/index.js';
import { Difference } from './difference.js';
import { type HeldValue, LateRow, type Provenance, type Row, type RowOwner, writtenOf } from './rows.js';
import { compact } from './time.js';
import type { Timer } from './rows.js';

/** Format of entries; raise it when they are written differently. */
export const LEDGER_FORMAT = 1;

/** What a ledger belongs to: with another pack its entries would have another meaning. */
export interface LedgerHeader {
  readonly format: number;
  readonly pack: {
    readonly name: string;
    readonly version: string;
    /** Hash of the names and contents of the pack's files. */
    readonly hash: string;
    /** The values of the pack's variables. */
    readonly vars: Readonly<Record<string, string>>;
  };
  readonly seed: string;
  /** Simulated time at the start, in milliseconds. */
  readonly t0: number;
  /** For a company: what it needs to continue. */
  readonly company?: JsonObject;
  /** The entry of another world on the same server from which it was forked. */
  readonly fork?: {
    readonly world: string;
    readonly entry: number;
    /** It sends nothing. */
    readonly silent: boolean;
  };
}

/**
 * The origin of a command: a vendor API call, an external event, the clock, a seed, the control API, the outcome of a delivery,
 * or a rule of a company.
 */
export type EntryOrigin = 'call' | 'cause' | 'clock' | 'seed' | 'control' | 'outside' | 'rule';

/** Infinity in the ledger, since JSON has none. */
export const NEVER = 'never';

/** One change in the ledger, as JSON. */
export type StoredChange =
  | {
      readonly op: 'put';
      readonly collection: string;
      readonly id: string;
      /** Position among objects with equal sort keys; distinguishes an object from an earlier one with its id. */
      readonly seq: number;
      readonly value: JsonObject;
      /** Origins of its values from outside; absent: unknown. */
      readonly from?: readonly Provenance[];
      /** Its tenant; absent: none. */
      readonly tenant?: string;
    }
  | {
      readonly op: 'delete';
      readonly collection: string;
      readonly id: string;
      /** It leaves no tombstone: it exceeded the retention of its resource. */
      readonly expired?: true;
      readonly tenant?: string;
    }
  | {
      readonly op: 'arm';
      readonly collection: string;
      readonly id: string;
      readonly trigger: string;
      /** Simulated time in milliseconds. */
      readonly due: number;
      readonly seq: number;
      readonly line?: string;
      readonly tenant?: string;
    }
  | {
      readonly op: 'disarm';
      readonly collection: string;
      readonly id: string;
      readonly trigger: string;
      /** The number of its `arm` change: a replaced object may have left a timer with the same name. */
      readonly seq: number;
      readonly tenant?: string;
    }
  /** A null value removes the key; `NEVER` means Infinity. */
  | { readonly op: 'set'; readonly register: string; readonly key: string; readonly value: unknown }
  | { readonly op: 'clock'; readonly now: number; readonly t0?: number }
  /** The following changes belong to this pack of a company, whose streams continue from here. */
  | { readonly op: 'pack'; readonly pack: string; readonly after: Positions }
  | {
      readonly op: 'reset';
      readonly t0: number;
      readonly keep: readonly string[];
      /** The world continues with a later state of its pack, which earlier entries may not fit. */
      readonly renewed?: true;
    };

/** Positions of a world's random streams. */
export interface Positions {
  readonly random: number;
  readonly seq: number;
  /** Of request ids. Calls without changes advance it too; the journal records its position. */
  readonly requests: number;
  /** Of what follows from outside. */
  readonly outside: number;
}

/** The origin of a command. */
export interface CommandInfo {
  readonly command: string;
  readonly origin: EntryOrigin;
  /** Id of the vendor API request. */
  readonly request?: string | null;
  /** Id of its trace. */
  readonly trace?: string | null;
  /** Its arguments: method, path and parameters of a call; route and body of a control call; the fired timer. */
  readonly args?: Json;
}

/** One committed command with changes. */
export interface StoredEntry {
  /** Its pack, in a company. */
  readonly pack?: string;
  /** Counts from 1 and never repeats in a world's life, across resets too. */
  readonly n: number;
  /** Simulated time in milliseconds. */
  readonly at: number;
  readonly command: string;
  readonly origin: EntryOrigin;
  readonly request: string | null;
  readonly trace: string | null;
  readonly args: Json;
  readonly after: Positions;
  /** In order; each object only in its last state. */
  readonly changes: readonly StoredChange[];
}

/**
 * Changes of an entry, three items each: for an object its row, its value and the value's origins; for a timer null, the timer
 * and its outcome; otherwise null, the change, null.
 */
export type PackedChanges = readonly unknown[];

/** Items of a page before the next one begins. */
const PAGE = 4_096;

/**
 * Lists of thousands of commands, many per page: a list of its own would be two heap objects, and each makes every collection
 * slower.
 */
export class SharedPages {
  #page: unknown[] = [];

  /** The page to which the next list is appended. */
  next(): unknown[] {
    if (this.#page.length >= PAGE) this.#page = [];
    return this.#page;
  }
}

/**
 * A change that puts an object whose value is written when read, and not kept, since files and copies consist of whole worlds
 * of them.
 */
export class LatePut {
  readonly op = 'put';
  readonly collection: string;
  readonly id: string;
  readonly seq: number;
  declare readonly value: JsonObject;
  declare readonly from?: readonly Provenance[];
  declare readonly tenant?: string;
  readonly #held: LateRow | Difference;

  constructor(
    { collection, id, seq }: PutPlace,
    held: LateRow | Difference,
    sources: readonly Provenance[] | null,
    tenant: string | null,
  ) {
    this.collection = collection;
    this.id = id;
    this.seq = seq;
    this.#held = held;
    Object.defineProperty(this, 'value', LatePut.#value);
    if (sources !== null) this.from = sources;
    if (tenant !== null) this.tenant = tenant;
  }

  /** The object as a row of another world, if its row is written on first read. @param owner its owner there */
  rowOf(owner: RowOwner): LateRow | null {
    return this.#held instanceof Difference ? null : this.#held.copyFirst(owner);
  }

  /** Lets the object's row store only the difference too. */
  shorten(row: Row): void {
    if (this.#held instanceof Difference) row.shorten(this.#held);
  }

  static readonly #value: PropertyDescriptor = {
    enumerable: true,
    get(this: LatePut): JsonObject {
      return writtenOf(this.#held);
    },
  };
}

/** A change that puts an object. */
export type Put = Extract<StoredChange, { op: 'put' }>;

type PutPlace = Pick<Put, 'collection' | 'id' | 'seq'>;

/** An object as a change. @param sources origins of its values from outside; null: unknown */
export function putOf(
  place: PutPlace,
  held: HeldValue,
  sources: readonly Provenance[] | null,
  tenant: string | null,
): StoredChange {
  if (held instanceof LateRow || held instanceof Difference) return new LatePut(place, held, sources, tenant);
  const { collection, id, seq } = place;
  const put = { op: 'put' as const, collection, id, seq, value: held };
  return ofTenant(sources === null ? put : { ...put, from: sources }, { tenant });
}

/**
 * Decodes packed changes into the ledger's form.
 * @param collections names of the collections, by resource number
 * @param from start index
 * @param to end index
 */
export function unpackedChanges(
  packed: PackedChanges,
  collections: readonly string[],
  from = 0,
  to = packed.length,
): StoredChange[] {
  const changes: StoredChange[] = [];
  for (let at = from; at < to; at += 3) {
    const [row, what] = [packed[at] as Row | null, packed[at + 1]];
    if (row === null) {
      const timed = packed[at + 2] as 'arm' | 'disarm' | null;
      changes.push(timed === null ? (what as StoredChange) : changeOfTimer(what as Timer, timed, collections));
      continue;
    }
    const sources = packed[at + 2] as readonly Provenance[] | null;
    const { id, seq, resource } = row;
    changes.push(putOf({ collection: collections[resource], id, seq }, what as HeldValue, sources, row.tenant));
  }
  return changes;
}

function changeOfTimer(
  { row, trigger, due, seq, line }: Timer,
  op: 'arm' | 'disarm',
  collections: readonly string[],
): StoredChange {
  const of = { collection: collections[row.resource], id: row.id, trigger };
  if (op === 'disarm') return ofTenant({ op, ...of, seq }, row);
  return ofTenant({ op, ...of, due, seq, ...(line === null ? {} : { line }) }, row);
}

/** A change with the tenant of its object, if it has one. */
export function ofTenant<C extends Exclude<StoredChange, { op: 'set' | 'clock' | 'reset' | 'pack' }>>(
  change: C,
  { tenant }: { readonly tenant: string | null },
): C {
  return tenant === null ? change : { ...change, tenant };
}

/** An entry on a page: its facts, then its changes. */
type PackedEntry = readonly unknown[];

/** Number of an entry's facts before its changes. */
const FACTS = 14;

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

/**
 * An entry that is decoded on first read. Its changes look like an ordinary member, as JSON and copies need; the getter is
 * shared.
 */
class LateEntry implements StoredEntry {
  declare readonly pack?: string;
  // In the order in which entries are written: digests of exports depend on it.
  readonly n: number;
  declare readonly at: number;
  readonly command: string;
  readonly origin: EntryOrigin;
  readonly request: string | null;
  readonly trace: string | null;
  declare readonly args: Json;
  declare readonly after: Positions;
  declare readonly changes: readonly StoredChange[];
  readonly #page: PackedEntry;
  readonly #from: number;

  /** @param from start index on its page */
  constructor(page: PackedEntry, from: number) {
    const pack = page[from + 2] as string | undefined;
    if (pack !== undefined) this.pack = pack;
    this.n = page[from + 3] as number;
    this.at = (page[from + 4] as number) * 1000 + (page[from + 5] as number);
    this.command = page[from + 6] as string;
    this.origin = page[from + 7] as EntryOrigin;
    this.request = page[from + 8] as string | null;
    this.trace = page[from + 9] as string | null;
    Object.defineProperty(this, 'args', LateEntry.#args);
    Object.defineProperty(this, 'after', LateEntry.#after);
    Object.defineProperty(this, 'changes', LateEntry.#changes);
    this.#page = page;
    this.#from = from;
  }

  static readonly #args: PropertyDescriptor = {
    enumerable: true,
    get(this: LateEntry): Json {
      const text = this.#page[this.#from + 10] as string | null;
      return text === null ? null : (JSON.parse(text) as Json);
    },
  };

  static readonly #after: PropertyDescriptor = {
    enumerable: true,
    get(this: LateEntry): Positions {
      const [random, seq, requests, outside] = this.#page.slice(this.#from + 11, this.#from + 15) as number[];
      return { random, seq, requests, outside };
    },
  };

  static readonly #changes: PropertyDescriptor = {
    enumerable: true,
    get(this: LateEntry): readonly StoredChange[] {
      const collections = this.#page[this.#from + 1] as readonly string[];
      return unpackedChanges(this.#page, collections, this.#from + FACTS + 1, this.#page[this.#from] as number);
    },
  };
}

/**
 * The newest entries, oldest first, with checkpoints among them: whole worlds as one entry, from which a fold can start. Keeps
 * between `limit` and twice as many entries, more if the world has far more objects, fewer if their arguments are large; the
 * moment after each entry can be rebuilt.
 */
export class Ledger {
  /** Most are on pages. */
  #entries: (StoredEntry | PackedEntry)[] = [];
  /** Their start indexes on the pages, and the number of the first entry. */
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
  /** By number. */
  #checkpoints: StoredEntry[] = [];
  /** Checkpoints that are kept however old they get. */
  readonly #pinned = new Map<number, StoredEntry>();

  /**
   * @param limit Infinity keeps everything
   * @param after number of the last entry of the world's previous life
   */
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

  /** @param size the number of its changes, if they are written later */
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
   * Adds an entry of an earlier history, from which nothing is rebuilt. O(1) on average, since every `limit` entries as many
   * are dropped at once.
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
