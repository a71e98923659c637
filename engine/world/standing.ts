import type { Json, JsonObject } from '../values/index.js';
import type { Put } from './packed-entries.js';
import { before, type HeldValue, type Provenance, Row, writtenOf, type Timer } from './rows.js';

/** The position of a deleted object in its list, so that cursors still work, and the object's last value. */
export interface Tombstone {
  readonly order: number;
  readonly seq: number;
  readonly value: JsonObject;
}

const NOWHERE: readonly number[] = [];

type Then = Pick<Row, 'held' | 'provenance'>;

type Place = Pick<Row, 'order' | 'seq'>;

const BEGINNING: Place = { order: -Infinity, seq: 0 };

/** The moments at which a collection's state was read, as long as those states are in use. */
export class Moments {
  /** The moments, oldest first. Each has a map of rows that changed later, and the end of the rows that existed. */
  #all: { readonly changed: WeakRef<Map<Row, Then>>; readonly end: Place }[] = [];
  /** Position after which no row existed at any of the moments. */
  #end = BEGINNING;

  /**
   * Adds the present moment.
   * @param last the newest row
   * @returns a map that receives the present contents of each row when it changes
   */
  add(last: Row | undefined): ReadonlyMap<Row, Then> {
    const end = last === undefined ? BEGINNING : { order: last.order, seq: last.seq };
    if (before(this.#end, end)) this.#end = end;
    const changed = new Map<Row, Then>();
    this.#all = this.#all.filter((each) => each.changed.deref() !== undefined);
    this.#all.push({ changed: new WeakRef(changed), end });
    return changed;
  }

  /**
   * Saves the contents of a row before it changes, for moments that haven't saved them. O(1) on average if few moments are
   * kept.
   */
  note(row: Row): void {
    if (before(this.#end, row)) return;
    let then: Then | undefined;
    for (let at = this.#all.length - 1; at >= 0; at--) {
      const { changed, end } = this.#all[at];
      const rows = changed.deref();
      if (rows === undefined) continue;
      // If the newest moment has saved the row, all earlier ones have too.
      if (rows.has(row)) return;
      if (!before(end, row)) rows.set(row, (then ??= { held: row.held, provenance: row.provenance }));
    }
  }
}

/**
 * The state of a collection at one moment, as references to immutable parts. Copies share it, together with look-up tables that
 * are built on first use.
 */
export class CollectionStanding {
  #places: Map<string, number> | null = null;
  #byKey: ReadonlyMap<string, Tombstone> | null = null;
  readonly #indexes = new Map<string, Map<Json, number[]>>();

  constructor(
    readonly name: string,
    readonly resource: number,
    /** The tenant to which the collection's objects belong; null: none. */
    readonly tenant: string | null,
    readonly tombstones: readonly (readonly [key: string, tombstone: Tombstone])[],
    /** The collection's objects, oldest first, as rows or stored changes. Those after the first `count` came later. */
    private readonly list: readonly (Row | Put)[],
    /** Number of items in the list that existed at the moment. */
    readonly count: number,
    /** Contents at the moment of rows that have changed since. */
    private readonly changed: ReadonlyMap<Row, Then>,
  ) {}

  get isEmpty(): boolean {
    return this.count === 0 && this.tombstones.length === 0;
  }

  /**
   * Finds the index of an object by the key of its id.
   * @param keyOf converts an id to its key, the same for ids that differ only in ignored case; has to be the same function in
   * each call
   */
  placeOf(key: string, keyOf: (id: string) => string): number | undefined {
    if (this.#places === null) {
      this.#places = new Map();
      for (let at = 0; at < this.count; at++) this.#places.set(keyOf(this.list[at].id), at);
    }
    return this.#places.get(key);
  }

  /** Returns the id and creation number of the object at an index. */
  row(at: number): Pick<Row, 'id' | 'seq'> {
    return this.list[at];
  }

  tombstoneOf(key: string): Tombstone | undefined {
    if (this.tombstones.length === 0) return undefined;
    this.#byKey ??= new Map(this.tombstones);
    return this.#byKey.get(key);
  }

  /** Whether no row has changed since the moment. */
  get isStill(): boolean {
    return this.changed.size === 0;
  }

  /** Returns the stored form of the object's value at an index. */
  held(at: number): HeldValue {
    const row = this.list[at];
    return row instanceof Row ? this.#then(row).held : row.value;
  }

  /** Returns the origins of values from outside of the object at an index; null: none. */
  sources(at: number): readonly Provenance[] | null {
    const row = this.list[at];
    return row instanceof Row ? this.#then(row).provenance : (row.from ?? null);
  }

  /** Returns the contents that a row had at the moment. */
  #then(row: Row): Then {
    return this.changed.get(row) ?? row;
  }

  /** Finds the indexes of objects with a value in a field, oldest first. */
  bucket(field: string, value: Json): readonly number[] {
    let index = this.#indexes.get(field);
    if (index === undefined) {
      this.#indexes.set(field, (index = new Map<Json, number[]>()));
      for (let at = 0; at < this.count; at++) {
        const each = writtenOf(this.held(at))[field] ?? null;
        const places = index.get(each);
        if (places === undefined) index.set(each, [at]);
        else places.push(at);
      }
    }
    return index.get(value) ?? NOWHERE;
  }
}

const NO_TIMERS: readonly Timer[] = [];

/** The timers of a world at one moment, in no order; copies share it, like a `CollectionStanding`. */
export class TimersStanding {
  #byId: Map<string, Timer[]> | null = null;
  #earliest: Map<string | null, number> | null = null;

  constructor(readonly timers: readonly Timer[]) {}

  /** Returns the timers of an object, in the order in which they were set. */
  of({ resource, tenant, id }: Row): readonly Timer[] {
    if (this.#byId === null) {
      this.#byId = new Map();
      for (const timer of [...this.timers].sort((a, b) => a.seq - b.seq)) {
        const known = this.#byId.get(timer.row.id);
        if (known === undefined) this.#byId.set(timer.row.id, [timer]);
        else known.push(timer);
      }
    }
    return (this.#byId.get(id) ?? NO_TIMERS).filter(({ row }) => row.resource === resource && row.tenant === tenant);
  }

  /** Returns when a clock's first timer is due, in milliseconds; Infinity: never. @param line null: the world's clock */
  earliest(line: string | null): number {
    if (this.#earliest === null) {
      this.#earliest = new Map();
      for (const timer of this.timers)
        this.#earliest.set(timer.line, Math.min(timer.due, this.#earliest.get(timer.line) ?? Infinity));
    }
    return this.#earliest.get(line) ?? Infinity;
  }

  isStill(timers: readonly Timer[]): boolean {
    return timers.length === this.timers.length && timers.every((timer, at) => timer === this.timers[at]);
  }
}
