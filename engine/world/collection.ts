import type { Json, JsonObject } from '../values/index.js';
import { OrderedRows, type Provenance, Row } from './rows.js';

/** What the world needs to know of a resource to store its objects. */
export interface CollectionConfig {
  readonly name: string;
  /** Sort key of an object, in seconds: whole ones need no memory of their own. Undefined: creation order alone. */
  readonly order?: (value: JsonObject) => number;
  /** Fields that have an index of their own. */
  readonly indexes: readonly string[];
  /** Its objects belong to all tenants. */
  readonly shared?: boolean;
}

/** Where a deleted object stood, so that a cursor on it still works, and what it was. */
export interface Tombstone {
  readonly order: number;
  readonly seq: number;
  readonly value: JsonObject;
}

/** A collection at one moment. */
export interface CollectionStanding {
  readonly name: string;
  readonly resource: number;
  /** Whose objects they are; null: of no tenant. */
  readonly tenant: string | null;
  readonly stones: readonly (readonly [id: string, stone: Tombstone])[];
  /** Oldest first. Of a row only what stays: its id and number. */
  readonly rows: readonly Row[];
  readonly values: readonly JsonObject[];
  /** Of some, by their places. */
  readonly sources: ReadonlyMap<number, readonly Provenance[]>;
}

/** Rows by the value of a field; most values have one row only, which then needs no list. */
type Index = Map<Json, Row | OrderedRows>;

/** The index of a collection that was copied, until somebody needs it. */
const NOT_YET = null;

/**
 * All objects of one resource: by id O(1), in list order, and by indexed field O(1) to the bucket. Changed by transactions
 * only.
 */
export class Collection {
  readonly #byId = new Map<string, Row>();
  readonly #ordered = new OrderedRows();
  readonly #indexes = new Map<string, Index | typeof NOT_YET>();
  readonly #tombstones = new Map<string, Tombstone>();
  readonly #noRows = new OrderedRows();
  /** What it is to hold as soon as somebody asks. */
  #late: { readonly standing: CollectionStanding; readonly then: () => void } | null = null;

  constructor(
    readonly resource: number,
    readonly config: CollectionConfig,
    /** Whose objects they are; null: of no tenant. */
    readonly tenant: string | null = null,
  ) {
    for (const field of config.indexes) this.#indexes.set(field, new Map());
  }

  get size(): number {
    return this.#late?.standing.rows.length ?? this.#byId.size;
  }

  /** How many objects it ever had: those that were deleted count. */
  get ever(): number {
    if (this.#late !== null) this.#copy();
    return this.#byId.size + this.#tombstones.size;
  }

  get(id: string): Row | undefined {
    if (this.#late !== null) this.#copy();
    return this.#byId.get(id);
  }

  /** Rows, oldest first; of one bucket when an index serves the field. */
  ordered(field?: string, value?: Json): OrderedRows {
    if (this.#late !== null) this.#copy();
    if (field === undefined) return this.#ordered;
    const known = this.#indexes.get(field);
    if (known === undefined) return this.#ordered;
    const index = known ?? this.#indexBy(field);
    const rows = index.get(value ?? null);
    return rows instanceof Row ? OrderedRows.of(rows) : (rows ?? this.#noRows);
  }

  hasIndex(field: string): boolean {
    return this.#indexes.has(field);
  }

  /** Place of an id in list order, also of a deleted one. O(1). */
  placeOf(id: string): Tombstone | undefined {
    if (this.#late !== null) this.#copy();
    return this.#byId.get(id) ?? this.#tombstones.get(id);
  }

  /** The last state of a deleted object. */
  deleted(id: string): JsonObject | undefined {
    if (this.#late !== null) this.#copy();
    return this.#tombstones.get(id)?.value;
  }

  /** Where deleted objects stood. */
  tombstones(): IterableIterator<[string, Tombstone]> {
    if (this.#late !== null) this.#copy();
    return this.#tombstones.entries();
  }

  orderOf(value: JsonObject): number {
    return this.config.order === undefined ? 0 : this.config.order(value);
  }

  /**
   * O(1) and O(1) per index for what is appended in order.
   * @returns the tombstone of an earlier object of that id, which is gone now
   */
  insert(row: Row): Tombstone | undefined {
    if (this.#late !== null) this.#copy();
    row.alive = true;
    this.#byId.set(row.id, row);
    this.#ordered.add(row);
    const tombstone = this.#tombstones.size > 0 ? this.#tombstones.get(row.id) : undefined;
    if (tombstone !== undefined) this.#tombstones.delete(row.id);
    for (const [field, index] of this.#indexes) if (index) enter(index, row.value[field] ?? null, row);
    return tombstone;
  }

  /** What it holds now, as references to what never changes. O(objects). */
  standing(): CollectionStanding {
    if (this.#late !== null) return this.#late.standing;
    const rows = this.#ordered.all().slice();
    const values = new Array<JsonObject>(rows.length);
    const sources = new Map<number, readonly Provenance[]>();
    for (let at = 0; at < rows.length; at++) {
      const { value, provenance } = rows[at];
      values[at] = value;
      if (provenance !== null) sources.set(at, provenance);
    }
    const { resource, tenant, config } = this;
    return { name: config.name, resource, tenant, stones: [...this.#tombstones], rows, values, sources };
  }

  /**
   * Becomes a copy, while it is empty. Rows are made when somebody asks for one, an index when it is first used: most forks look
   * at few collections.
   * @param then called once the rows are there
   */
  copyLater(standing: CollectionStanding, then: () => void): void {
    if (standing.rows.length > 0 || standing.stones.length > 0) this.#late = { standing, then };
  }

  #copy(): void {
    if (this.#late === null) return;
    const { standing, then } = this.#late;
    this.#late = null;
    const { stones, rows, values, sources } = standing;
    rows.forEach(({ id, seq }, at) => {
      const value = values[at];
      const row = new Row(this.resource, id, seq, this.orderOf(value), value, this.tenant);
      row.provenance = sources.get(at) ?? null;
      this.#byId.set(id, row);
      this.#ordered.add(row);
    });
    for (const [id, stone] of stones) this.#tombstones.set(id, stone);
    for (const field of this.#indexes.keys()) this.#indexes.set(field, NOT_YET);
    then();
  }

  #indexBy(field: string): Index {
    const index: Index = new Map();
    for (const row of this.#ordered.all()) enter(index, row.value[field] ?? null, row);
    this.#indexes.set(field, index);
    return index;
  }

  /** O(log n) to find it, and one move of memory, here and in each index. */
  remove(row: Row): void {
    row.alive = false;
    this.#byId.delete(row.id);
    this.#ordered.remove(row);
    this.#tombstones.set(row.id, { order: row.order, seq: row.seq, value: row.value });
    for (const [field, index] of this.#indexes) if (index) leave(index, row.value[field] ?? null, row);
  }

  /** Takes back an insertion, as if it had never been. */
  forget(row: Row, tombstone: Tombstone | undefined): void {
    this.remove(row);
    if (tombstone === undefined) this.#tombstones.delete(row.id);
    else this.#tombstones.set(row.id, tombstone);
  }

  /**
   * Replaces the value of a row and keeps the indexes right. O(1), unless the field that orders the list or an index moves.
   * @param names the fields that may differ; all unless given
   */
  replace(row: Row, value: JsonObject, names?: readonly string[]): void {
    const old = row.value;
    const order = this.config.order === undefined ? row.order : this.orderOf(value);
    if (order !== row.order) {
      this.remove(row);
      row.value = value;
      row.order = order;
      row.json = null;
      row.answer = null;
      this.insert(row);
      return;
    }
    for (const [field, index] of this.#indexes) {
      if (index === NOT_YET || (names !== undefined && !names.includes(field))) continue;
      const from = old[field] ?? null;
      const to = value[field] ?? null;
      if (from === to) continue;
      leave(index, from, row);
      enter(index, to, row);
    }
    row.value = value;
    row.json = null;
    row.answer = null;
  }
}

function enter(index: Index, value: Json, row: Row): void {
  const rows = index.get(value);
  if (rows === undefined) index.set(value, row);
  else if (rows instanceof Row) index.set(value, OrderedRows.of(rows, row));
  else rows.add(row);
}

function leave(index: Index, value: Json, row: Row): void {
  const rows = index.get(value);
  if (rows === undefined || rows === row) index.delete(value);
  else if (rows instanceof OrderedRows) {
    rows.remove(row);
    if (rows.size === 0) index.delete(value);
  }
}
