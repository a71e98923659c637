import type { Json, JsonObject } from '../values/index.js';
import { Difference } from './difference.js';
import { type HeldValue, LateRow, type Provenance, type Row, type RowOwner, writtenOf } from './rows.js';
import { compact } from './time.js';
import type { Timer } from './rows.js';

/** Raise it when entries are written differently. */
export const LEDGER_FORMAT = 1;

/** What a ledger belongs to: with another pack its entries would add up to something else. */
export interface LedgerHeader {
  readonly format: number;
  readonly pack: {
    readonly name: string;
    readonly version: string;
    /** Of the names and contents of its files. */
    readonly hash: string;
    /** Its variables, as they were set. */
    readonly vars: Readonly<Record<string, string>>;
  };
  readonly seed: string;
  /** Simulated time at the start, in milliseconds. */
  readonly t0: number;
  /** Of several packs: what they need to continue. */
  readonly company?: JsonObject;
  /** It branched off after an entry of another world of the same host. */
  readonly fork?: {
    readonly world: string;
    readonly entry: number;
    /** It sends nothing. */
    readonly silent: boolean;
  };
}

/** What set a command off: a vendor call, a world event, the clock, seeding, the control API, the outcome of a delivery, a rule of a company. */
export type EntryOrigin = 'call' | 'cause' | 'clock' | 'seed' | 'control' | 'outside' | 'rule';

/** Infinity, which JSON does not have, as the ledger keeps it. */
export const NEVER = 'never';

/** One change as the ledger keeps it. Everything in it is JSON. */
export type StoredChange =
  | {
      readonly op: 'put';
      readonly collection: string;
      readonly id: string;
      /** Place among objects of the same order; distinguishes an object from an earlier one of the same id. */
      readonly seq: number;
      readonly value: JsonObject;
      /** Where its exogenous values came from; absent: nothing is known. */
      readonly from?: readonly Provenance[];
      /** Whose object it is; absent: of no tenant. */
      readonly tenant?: string;
    }
  | {
      readonly op: 'delete';
      readonly collection: string;
      readonly id: string;
      /** It leaves no trace: it was there for as long as its resource keeps objects. */
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
      /** That of its `arm`: an object that was replaced may have left a timer of the same name. */
      readonly seq: number;
      readonly tenant?: string;
    }
  /** A null value: the key is gone; `NEVER` stands for Infinity. */
  | { readonly op: 'set'; readonly register: string; readonly key: string; readonly value: unknown }
  | { readonly op: 'clock'; readonly now: number; readonly t0?: number }
  /** What follows is of this pack of a company, which draws from here. */
  | { readonly op: 'pack'; readonly pack: string; readonly after: Positions }
  | {
      readonly op: 'reset';
      readonly t0: number;
      readonly keep: readonly string[];
      /** The world continues with a later state of its pack: what was before may not fit it. */
      readonly renewed?: true;
    };

/** Positions of the streams that a world draws from. */
export interface Positions {
  readonly random: number;
  readonly seq: number;
  /** Of the stream of requests. Calls that change nothing move it too: the journal has how far. */
  readonly requests: number;
  /** Of the stream for what follows from outside. */
  readonly outside: number;
}

/** Who did something, and why. */
export interface CommandInfo {
  readonly command: string;
  readonly origin: EntryOrigin;
  /** Id of the vendor's request. */
  readonly request?: string | null;
  /** Id of its trace. */
  readonly trace?: string | null;
  /** Its arguments: method, path and parameters of a call, route and body of the control API, the timer that fired. */
  readonly args?: Json;
}

/** One command that changed something: committed as a whole. */
export interface StoredEntry {
  /** Whose command it was, in a company of several packs. */
  readonly pack?: string;
  /** Counts from 1 and never repeats in a world's life, over resets too. */
  readonly n: number;
  /** Simulated time in milliseconds. */
  readonly at: number;
  readonly command: string;
  readonly origin: EntryOrigin;
  readonly request: string | null;
  readonly trace: string | null;
  readonly args: Json;
  readonly after: Positions;
  /** In order; of an object only its last state. */
  readonly changes: readonly StoredChange[];
}

/**
 * Changes of an entry, three places for each: of an object its row, its value and where that came from; of a timer null, the timer and
 * what became of it; else null, the change, null.
 */
export type PackedChanges = readonly unknown[];

/** Places of a page before the next one begins. */
const PAGE = 4_096;

/** Lists of thousands of commands, many to a page: a list of its own is two heap objects, and each costs every collection of the heap. */
export class SharedPages {
  #page: unknown[] = [];

  /** Where the next list goes, behind what is there. */
  next(): unknown[] {
    if (this.#page.length >= PAGE) this.#page = [];
    return this.#page;
  }
}

/** A put of an object whose value is written when it is read, and not kept: files and copies are made of whole worlds of them. */
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

  /** The object as a row of another world, where it has one of its own kind. @param owner whose it is there */
  rowOf(owner: RowOwner): LateRow | null {
    return this.#held instanceof Difference ? null : this.#held.copyFirst(owner);
  }

  /** Has the object's row hold no more than this. */
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

/** An object as a ledger keeps it. */
export type Put = Extract<StoredChange, { op: 'put' }>;

type PutPlace = Pick<Put, 'collection' | 'id' | 'seq'>;

/** An object as a change. @param sources where its exogenous values came from; null: nothing is known */
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
 * Writes changes out as the ledger shows them.
 * @param collections their names, by the numbers of their resources
 * @param from where they begin, and where they end
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

/** A change with the tenant of its object, if there is one. */
export function ofTenant<C extends Exclude<StoredChange, { op: 'set' | 'clock' | 'reset' | 'pack' }>>(
  change: C,
  { tenant }: { readonly tenant: string | null },
): C {
  return tenant === null ? change : { ...change, tenant };
}

/** An entry on a page: its facts, then its changes. */
type PackedEntry = readonly unknown[];

/** Places of an entry's facts before its changes. */
const FACTS = 14;

/** An entry counts once more for each so many characters of its arguments. */
const ARGUMENTS_PER_WEIGHT = 1024;

function weightOf(page: PackedEntry, from: number): number {
  const text = page[from + 10] as string | null;
  return 1 + Math.floor((text?.length ?? 0) / ARGUMENTS_PER_WEIGHT);
}

/** Puts an entry on a page, with no changes yet. @param collections their names, by the numbers of their resources */
export function packEntry(entry: Omit<StoredEntry, 'changes'>, collections: readonly string[], page: unknown[]): void {
  const { pack, n, at, command, origin, request, trace, args, after } = entry;
  // Whole seconds need no memory of their own.
  const seconds = compact(Math.floor(at / 1000));
  // Joined, so that it is one piece: what is stringified is a tree of several.
  const text = args === null ? null : [JSON.stringify(args), '\n'].join('');
  page.push(0, collections, pack, n, seconds, compact(at - seconds * 1000), command, origin, request, trace, text);
  page.push(after.random, after.seq, after.requests, after.outside);
}

/** Says where the changes of an entry end that was put on a page last, and begins there. @returns how many changes it has */
export function endEntry(page: unknown[], from: number): number {
  page[from] = page.length;
  return (page.length - from - FACTS - 1) / 3;
}

/**
 * An entry that is written out on the first read. What is written out is a member of the entry like any other, as JSON and
 * copies expect it; its function is shared.
 */
class LateEntry implements StoredEntry {
  declare readonly pack?: string;
  // Members are in the order in which entries were always written: digests of exports cover them.
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

  /** @param from where it begins on its page */
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
 * The newest entries, oldest first, and checkpoints among them: whole worlds as one entry, from which a fold can begin. Between
 * `limit` and twice as many entries are kept, more where the world holds far more objects than that, fewer where their arguments
 * are large; the moment after each of them is known.
 */
export class Ledger {
  /** Most are on pages. */
  #entries: (StoredEntry | PackedEntry)[] = [];
  /** Where those begin on their pages, and the number of the first. */
  #from: number[] = [];
  #first: number;
  #count: number;
  /** Made since the last checkpoint. */
  #changes = 0;
  /** Of the entries since then: one each, and more for those with large arguments. */
  #weight = 0;
  /** Behind so many changes the size of the world is worth another look. */
  #nextLook = 0;
  /** The first moment that the entries lead to. */
  #oldest: number;
  /** In order of their numbers. */
  #checkpoints: StoredEntry[] = [];
  /** Checkpoints that stay, however old. */
  readonly #pinned = new Map<number, StoredEntry>();

  /**
   * @param limit Infinity keeps everything
   * @param after the number of the last entry of the world's earlier life
   */
  constructor(
    private readonly limit: number,
    after = 0,
  ) {
    this.#count = after;
    this.#first = after + 1;
    this.#oldest = after === 0 ? 0 : after + 1;
  }

  /** Begins with a checkpoint: entries before it are not known. */
  begin(base: StoredEntry): void {
    this.beginAfter(base.n);
    this.#oldest = base.n;
    this.#checkpoints = [base];
  }

  /** Begins with the entry after one of which nothing is known. */
  beginAfter(n: number): void {
    this.#count = n;
    this.#oldest = n + 1;
  }

  /** The number of the last entry. */
  get count(): number {
    return this.#count;
  }

  /** Number of the first entry whose moment is known; 0: the world before all entries. */
  get oldest(): number {
    return this.#oldest;
  }

  /** @param size how many changes it has, where those are written later */
  add(entry: StoredEntry, size = entry.changes.length): void {
    this.#put(entry.n, size, entry, 0);
  }

  /** As `add`, of one on a page. */
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

  /** Adds an entry that nothing is folded from. O(1) on average: every `limit` entries as many are dropped at once. */
  addHistory(entry: StoredEntry): void {
    this.add(entry);
    this.#oldest = entry.n + 1;
    if (this.#entries.length > this.limit * 2) this.#forget(this.#entries.length - this.limit);
  }

  /**
   * Whether it is time for a checkpoint: there is none before a quarter as many changes were made as it would hold, so that it costs O(1) per
   * change on average.
   * @param sizeOf how many changes it would hold; asked seldom, since it looks at each collection
   */
  isDue(sizeOf: () => number): boolean {
    if (this.#weight < this.limit || this.#changes < this.#nextLook) return false;
    const needed = sizeOf() / 4;
    // It may have been emptied by then.
    this.#nextLook = Math.min(needed, this.#changes + this.limit);
    return this.#changes >= needed;
  }

  /** Takes the world as it is after the last entry, and drops what lies before the checkpoint before. */
  checkpoint(checkpoint: StoredEntry): void {
    const before = this.#checkpoints.at(-1);
    this.#changes = this.#nextLook = this.#weight = 0;
    this.#checkpoints = before ? [before, checkpoint] : [checkpoint];
    if (!before) return;
    this.#oldest = before.n;
    this.#forget(before.n + 1 - this.#first);
  }

  /**
   * Continues from a moment of another ledger, with the history that led there: entries never change, so both hold the same.
   * @param base the world of this ledger at that moment
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

  /** The whole worlds from which a fold can begin. */
  checkpoints(): Iterable<StoredEntry> {
    return this.#checkpoints;
  }

  /** Keeps the moment of a checkpoint until `unpin`, however old it gets. */
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

  /** Whether the moment after an entry is still known. */
  reaches(n: number): boolean {
    return this.#pinned.has(n) || (n >= this.#oldest && n <= this.#count);
  }

  /** What the world adds up to after an entry (0: before the first), for `foldLedger`; undefined: that is not known any more. */
  upTo(n: number): readonly StoredEntry[] | undefined {
    const pinned = this.#pinned.get(n);
    if (pinned) return [pinned];
    if (!this.reaches(n)) return undefined;
    const base = this.#checkpoints.findLast((each) => each.n <= n);
    const rest = this.since(base?.n ?? this.#oldest - 1, n);
    return base ? [base, ...rest] : rest;
  }

  /** The entry of a number, if it is kept. */
  entry(n: number): StoredEntry | undefined {
    return this.#read(n - this.#first);
  }

  /** Kept entries behind one, up to another. */
  since(n: number, last = this.#count): StoredEntry[] {
    const entries: StoredEntry[] = [];
    const end = Math.min(last + 1 - this.#first, this.#entries.length);
    for (let at = Math.max(n + 1 - this.#first, 0); at < end; at++) entries.push(this.#read(at) as StoredEntry);
    return entries;
  }

  entries(): readonly StoredEntry[] {
    return this.since(this.#entries.length > this.limit ? this.#count - this.limit : 0);
  }

  /** The entry at a place. What is made of a page isn't kept: a reader of all would leave an object for each. */
  #read(at: number): StoredEntry | undefined {
    const entry = this.#entries.at(at < 0 ? Infinity : at);
    return isPacked(entry) ? new LateEntry(entry, this.#from[at]) : entry;
  }

  /** Drops the oldest. */
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

/** What readers look up in a ledger. */
export type LedgerView = Pick<Ledger, 'count' | 'oldest' | 'entry' | 'since' | 'entries'>;

/** An entry as one pack of a company sees it: what happened to others is not in it, but that something did. */
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

/** The ledger of a company as one of its packs sees it: numbers are those of all. */
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
