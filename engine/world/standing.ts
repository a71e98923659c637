import type { Json, JsonObject } from '../values/index.js';
import type { Put } from './ledger.js';
import { type HeldValue, type Provenance, Row, writtenOf } from './rows.js';
import type { Timer } from './timers.js';

/** Where a deleted object was, so that a cursor on it still works, and what it was. */
export interface Tombstone {
  readonly order: number;
  readonly seq: number;
  readonly value: JsonObject;
}

const NOWHERE: readonly number[] = [];

/** What rows held at one moment that changed since, and the same of the next moment that was kept. */
export class Since {
  next: Since | null = null;
  readonly rows = new Map<Row, Pick<Row, 'held' | 'provenance'>>();

  /** Comes before the first change of a row behind the moment. */
  note(row: Row): void {
    if (!this.rows.has(row)) this.rows.set(row, { held: row.held, provenance: row.provenance });
  }
}

/**
 * A collection at one moment: references to what never changes. All that continue from there share it, with what is found out about
 * it on the first read.
 */
export class CollectionStanding {
  #places: Map<string, number> | null = null;
  #byKey: ReadonlyMap<string, Tombstone> | null = null;
  readonly #indexes = new Map<string, Map<Json, number[]>>();

  constructor(
    readonly name: string,
    readonly resource: number,
    /** Whose objects they are; null: of no tenant. */
    readonly tenant: string | null,
    readonly tombstones: readonly (readonly [key: string, tombstone: Tombstone])[],
    /** Oldest first: rows, or what a ledger kept of the objects. */
    readonly rows: readonly (Row | Put)[],
    /** What changed of rows. */
    private readonly since: Since,
  ) {}

  get isEmpty(): boolean {
    return this.rows.length === 0 && this.tombstones.length === 0;
  }

  /** The place of an object. @param keyOf what ids that are one have in common; the same in each call */
  placeOf(key: string, keyOf: (id: string) => string): number | undefined {
    this.#places ??= new Map(this.rows.map(({ id }, at) => [keyOf(id), at]));
    return this.#places.get(key);
  }

  tombstoneOf(key: string): Tombstone | undefined {
    if (this.tombstones.length === 0) return undefined;
    this.#byKey ??= new Map(this.tombstones);
    return this.#byKey.get(key);
  }

  /** The value of the object at a place. */
  held(at: number): HeldValue {
    const row = this.rows[at];
    return row instanceof Row ? this.#then(row).held : row.value;
  }

  /** Where exogenous values of the object at a place came from. */
  sources(at: number): readonly Provenance[] | null {
    const row = this.rows[at];
    return row instanceof Row ? this.#then(row).provenance : (row.from ?? null);
  }

  /** What a row held at this moment. O(moments that were kept since). */
  #then(row: Row): Pick<Row, 'held' | 'provenance'> {
    for (let since: Since | null = this.since; since !== null; since = since.next) {
      const then = since.rows.get(row);
      if (then !== undefined) return then;
    }
    return row;
  }

  /** The places of objects that have a value in a field, oldest first. */
  bucket(field: string, value: Json): readonly number[] {
    let index = this.#indexes.get(field);
    if (index === undefined) {
      this.#indexes.set(field, (index = new Map<Json, number[]>()));
      for (let at = 0; at < this.rows.length; at++) {
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

/** The timers of a world at one moment, in no order; shared as a `CollectionStanding` is. */
export class TimersStanding {
  #byId: Map<string, Timer[]> | null = null;
  #earliest: Map<string | null, number> | null = null;

  constructor(readonly timers: readonly Timer[]) {}

  /** Those of an object, in the order in which they were armed. */
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

  /** When the first one is due, in milliseconds; Infinity: there is none. @param line in whose time */
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
