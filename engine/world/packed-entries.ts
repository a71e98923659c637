import type { Json, JsonObject } from '../values/index.js';
import { Difference } from './difference.js';
import { type HeldValue, LateRow, type Provenance, type Row, type RowOwner, writtenOf, type Timer } from './rows.js';
import type { EntryOrigin, Positions, StoredChange, StoredEntry } from './ledger-entry.js';

/**
 * The changes of an entry in a flat list, with three items for each change:
 * - a put object: its row, its value, and the origins of its external values
 * - a timer: null, the timer, and `arm` or `disarm`
 * - any other change: null, the change, and null
 */
export type PackedChanges = readonly unknown[];

/**
 * A change that puts an object. Its value is created on each read and not stored, since writers and copies read whole worlds of
 * them.
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

  /** Returns the object as a row of another world, if its value is written on first read. @param owner of that row */
  rowOf(owner: RowOwner): LateRow | null {
    return this.#held instanceof Difference ? null : this.#held.copyFirst(owner);
  }

  /** Replaces the value in the object's row by the difference that the change stores. */
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

/** Builds the change that puts an object. @param sources origins of its external values; null: none is recorded */
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

/** Adds the tenant of the object to a change; unchanged if the object has none. */
export function ofTenant<C extends Exclude<StoredChange, { op: 'set' | 'clock' | 'reset' | 'pack' }>>(
  change: C,
  { tenant }: { readonly tenant: string | null },
): C {
  return tenant === null ? change : { ...change, tenant };
}

/** An entry in packed form: `FACTS` items about the entry, then its changes. */
export type PackedEntry = readonly unknown[];

/** Number of items about a packed entry before its changes. */
export const FACTS = 14;

/**
 * An entry that is decoded from its page on first read. A getter shared by all entries makes `changes` look like an ordinary
 * member, which JSON and copies need.
 */
export class LateEntry implements StoredEntry {
  declare readonly pack?: string;
  // Members are in the order in which entries are written, since digests of exports depend on that order.
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

  /** @param from index on the page at which the entry starts */
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
