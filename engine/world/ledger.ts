import type { Json, JsonObject } from '../values/index.js';
import type { Provenance, Row } from './rows.js';
import type { Timer } from './timers.js';

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
  /** It branched off after an entry of another world of the same host. */
  readonly fork?: {
    readonly world: string;
    readonly entry: number;
    /** It sends nothing to anybody. */
    readonly silent: boolean;
  };
}

/** What set a command off: a vendor call, a world event, the clock, seeding, the control API, what became of a delivery. */
export type EntryOrigin = 'call' | 'cause' | 'clock' | 'seed' | 'control' | 'outside';

/** Infinity, which JSON does not have, as the ledger keeps it. */
export const NEVER = 'never';

/** One change as the ledger keeps it. Everything in it is JSON. */
export type StoredChange =
  | {
      readonly op: 'put';
      readonly collection: string;
      readonly id: string;
      /** Place among objects of the same order; tells an object from an earlier one of the same id. */
      readonly seq: number;
      readonly value: JsonObject;
      /** Where its exogenous values came from; absent: nothing is known. */
      readonly from?: readonly Provenance[];
      /** Whose object it is; absent: of no tenant. */
      readonly tenant?: string;
    }
  | { readonly op: 'delete'; readonly collection: string; readonly id: string; readonly tenant?: string }
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
      /** The world goes on with a later state of its pack: what was before may not fit it. */
      readonly renewed?: true;
    };

/** Positions of the streams that a world draws from. */
export interface Positions {
  readonly random: number;
  readonly seq: number;
  /** Of the stream of requests. Calls that change nothing move it too: the journal tells how far. */
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
  /** What it was told: method, path and parameters of a call, route and body of the control API, the timer that fired. */
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

/** Writes changes out as the ledger tells them. @param collections their names, by the numbers of their resources */
export function unpackedChanges(
  packed: PackedChanges,
  collections: readonly string[],
  length = packed.length,
): StoredChange[] {
  const changes: StoredChange[] = [];
  for (let at = 0; at < length; at += 3) {
    const [row, what] = [packed[at] as Row | null, packed[at + 1]];
    if (row === null) {
      const timed = packed[at + 2] as 'arm' | 'disarm' | null;
      changes.push(timed === null ? (what as StoredChange) : changeOfTimer(what as Timer, timed, collections));
      continue;
    }
    const from = packed[at + 2] as readonly Provenance[] | null;
    const { id, seq, resource } = row;
    const put = { op: 'put' as const, collection: collections[resource], id, seq, value: what as JsonObject };
    changes.push(ofTenant(from === null ? put : { ...put, from }, row));
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

/** A change with the tenant whose object it is about; nothing is said where there is none. */
export function ofTenant<C extends Exclude<StoredChange, { op: 'set' | 'clock' | 'reset' | 'pack' }>>(
  change: C,
  { tenant }: { readonly tenant: string | null },
): C {
  return tenant === null ? change : { ...change, tenant };
}

/**
 * An entry that holds references until somebody reads it: few objects for a command instead of one for each change. What is
 * written out on reading is a member of the entry like any other, as JSON and copies expect it; its function is shared.
 */
export class LateEntry implements StoredEntry {
  declare readonly pack?: string;
  readonly n: number;
  declare readonly at: number;
  readonly command: string;
  readonly origin: EntryOrigin;
  readonly request: string | null;
  readonly trace: string | null;
  declare readonly args: Json;
  declare readonly after: Positions;
  declare readonly changes: readonly StoredChange[];
  readonly #atSeconds: number;
  /** As JSON. */
  readonly #args: string | null;
  readonly #random: number;
  readonly #seq: number;
  readonly #requests: number;
  readonly #outside: number;
  /** Its changes, and behind them what takes it back. */
  readonly #packed: readonly unknown[];
  /** How many places the changes have. */
  readonly #size: number;
  readonly #collections: readonly string[];

  constructor(
    entry: Omit<StoredEntry, 'changes'>,
    packed: readonly unknown[],
    size: number,
    collections: readonly string[],
  ) {
    if (entry.pack !== undefined) this.pack = entry.pack;
    this.n = entry.n;
    Object.defineProperty(this, 'at', LateEntry.#at);
    this.command = entry.command;
    this.origin = entry.origin;
    this.request = entry.request;
    this.trace = entry.trace;
    Object.defineProperty(this, 'args', LateEntry.#argsMember);
    Object.defineProperty(this, 'after', LateEntry.#after);
    Object.defineProperty(this, 'changes', LateEntry.#changes);
    this.#atSeconds = compact(entry.at / 1000);
    // Joined, so that it is one piece: what is stringified is a tree of several.
    this.#args = entry.args === null ? null : [JSON.stringify(entry.args), '\n'].join('');
    this.#random = entry.after.random;
    this.#seq = entry.after.seq;
    this.#requests = entry.after.requests;
    this.#outside = entry.after.outside;
    this.#packed = packed;
    this.#size = size;
    this.#collections = collections;
  }

  /** What takes it back, three places for each step. */
  get undo(): readonly unknown[] {
    return this.#packed.slice(this.#size);
  }

  static readonly #at: PropertyDescriptor = {
    enumerable: true,
    get(this: LateEntry): number {
      return Math.round(this.#atSeconds * 1000);
    },
  };

  static readonly #argsMember: PropertyDescriptor = {
    enumerable: true,
    get(this: LateEntry): Json {
      return this.#args === null ? null : (JSON.parse(this.#args) as Json);
    },
  };

  static readonly #after: PropertyDescriptor = {
    enumerable: true,
    get(this: LateEntry): Positions {
      return { random: this.#random, seq: this.#seq, requests: this.#requests, outside: this.#outside };
    },
  };

  static readonly #changes: PropertyDescriptor = {
    enumerable: true,
    get(this: LateEntry): readonly StoredChange[] {
      return unpackedChanges(this.#packed, this.#collections, this.#size);
    },
  };
}

/** The same number, in a form that needs no memory of its own where it is whole and below 2^31: what is divided is an object at first. */
function compact(value: number): number {
  const whole = value | 0;
  return whole === value ? whole : value;
}

/**
 * The newest entries, oldest first, and checkpoints among them: whole worlds as one entry, from which a fold can begin. Between
 * `limit` and twice as many entries are kept, more where the world holds far more objects than that; the moment after each of
 * them is known.
 */
export class Ledger {
  #entries: StoredEntry[] = [];
  #count: number;
  /** Made since the last checkpoint. */
  #changes = 0;
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
    this.#count = entry.n;
    this.#changes += size;
    this.#entries.push(entry);
  }

  /** Adds an entry that nothing is folded from. O(1) on average: every `limit` entries as many are dropped at once. */
  addHistory(entry: StoredEntry): void {
    this.add(entry);
    this.#oldest = entry.n + 1;
    if (this.#entries.length > this.limit * 2) this.#entries = this.#entries.slice(-this.limit);
  }

  /**
   * Whether it is time for a checkpoint.
   * @param size how many changes it would hold: there is none before a quarter as many were made, so that it costs O(1) per
   * change on average
   */
  isDue(size: number): boolean {
    const last = this.#checkpoints.at(-1)?.n ?? Math.max(this.#oldest - 1, 0);
    return this.#count - last >= this.limit && this.#changes * 4 >= size;
  }

  /** Takes the world as it is after the last entry, and drops what lies before the checkpoint before. */
  checkpoint(checkpoint: StoredEntry): void {
    const before = this.#checkpoints.at(-1);
    this.#changes = 0;
    this.#checkpoints = before ? [before, checkpoint] : [checkpoint];
    if (!before) return;
    this.#oldest = before.n;
    this.#entries = this.since(before.n);
  }

  /**
   * Goes on from a moment of another ledger, with the history that led there: entries never change, so both hold the same.
   * @param base the world of this ledger at that moment
   */
  branch(from: Ledger, base: StoredEntry): void {
    const { n } = base;
    this.#entries = from.since(0, n);
    this.#count = n;
    this.#oldest = Math.min(from.#oldest, n);
    this.#checkpoints = [...from.#checkpoints.filter((each) => each.n < n), base];
    for (const [at, moment] of from.#pinned) if (at < n) this.#pinned.set(at, moment);
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

  /** What the world adds up to after an entry (0: before the first), for `foldLedger`; undefined: that is not known any more. */
  upTo(n: number): readonly StoredEntry[] | undefined {
    const pinned = this.#pinned.get(n);
    if (pinned) return [pinned];
    if (n < this.#oldest || n > this.#count) return undefined;
    const base = this.#checkpoints.findLast((each) => each.n <= n);
    const rest = this.since(base?.n ?? this.#oldest - 1, n);
    return base ? [base, ...rest] : rest;
  }

  /** The entry of a number, if it is kept. */
  entry(n: number): StoredEntry | undefined {
    return this.#entries[n - this.#first];
  }

  /** Kept entries behind one, up to another. */
  since(n: number, last = this.#count): StoredEntry[] {
    return this.#entries.slice(Math.max(n + 1 - this.#first, 0), Math.max(last + 1 - this.#first, 0));
  }

  entries(): readonly StoredEntry[] {
    return this.#entries.length > this.limit ? this.#entries.slice(-this.limit) : this.#entries;
  }

  /** Number of the first entry that is kept. */
  get #first(): number {
    return this.#entries.at(0)?.n ?? this.#count + 1;
  }
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
