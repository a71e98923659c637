import type { Json, JsonObject } from '../values/index.js';
import { Difference, Differences, type Layout } from './difference.js';
import { type HeldValue, LateRow, OrderedRows, type Provenance, Row, writtenOf } from './rows.js';
import { CollectionStanding, Moments, type Tombstone } from './standing.js';

/** Settings for storing the objects of a resource. */
export interface CollectionConfig {
  readonly name: string;
  /** Sort key of an object, in seconds: whole seconds need no heap object. Undefined: creation order. */
  readonly order?: (value: JsonObject) => number;
  /** Seconds after an object's time in the sort order until it expires. */
  readonly retentionSeconds?: number;
  /** Fields of the collection with an index. */
  readonly indexes: readonly string[];
  /** Whether objects of the collection belong to all tenants. */
  readonly shared?: boolean;
  /** Whether objects of the collection are tenants, which don't see each other. */
  readonly isTenant?: boolean;
  /** Ids are case-insensitive. */
  readonly foldsIds?: boolean;
  /** The layout of its objects; absent: each is stored whole. */
  readonly layout?: () => Layout;
}

/** Rows by the value of a field; most values have only one row, which needs no list. */
type Index = Map<Json, Row | OrderedRows>;

const NO_ROWS = new OrderedRows();
/** Ids with this many random bits never repeat within a stream. */
const ENOUGH_BITS = 64;
const NO_INDEXES: ReadonlyMap<string, Index> = new Map();

/**
 * All objects of one resource: found by id in O(1), in list order, and by indexed field in O(1). Objects that are only created
 * and listed aren't in the map of ids or in indexes: they are added when an id or field is first looked up. Changed by
 * transactions only.
 */
export class Collection {
  /** In a copy, only the objects that were read; rows in `#unplaced` are added later. */
  readonly #byId = new Map<string, Row>();
  /** The number of last rows that were added since an id was last looked up. */
  #unplaced = 0;
  /** The id that was drawn last. */
  #drawn: string | null = null;
  /** Whether all ids were drawn in this world, so that newly drawn ones can't equal them. */
  #allDrawn = true;
  #ordered = new OrderedRows();
  readonly #differences = new Differences();
  /** Indexes of the objects, by the fields that were looked up. */
  #indexes: Map<string, Index> | null = null;
  /** Last states of deleted objects; null: no object was deleted. */
  #tombstones: Map<string, Tombstone> | null = null;
  /** The collection that it is a copy of, while some objects there have no row here; null: all have rows. */
  #base: CollectionStanding | null = null;
  /** The number of objects in the base without a row. */
  #unseen = 0;
  /** Values of fields for which all objects of the base have rows, by field. */
  #seen: Map<string, Set<Json>> | null = null;
  #onRow: ((row: Row) => void) | null = null;
  /** The collection as it was at the last read of an earlier moment. */
  #standing: CollectionStanding | null = null;
  /** The moments at which it was read. */
  #moments: Moments | null = null;
  /** Whether rows were added or removed since the last read. */
  #isOther = false;

  constructor(
    readonly resource: number,
    readonly config: CollectionConfig,
    /** The tenant of the collection's objects; null: none. */
    readonly tenant: string | null = null,
  ) {}

  /** The key of an id, equal for ids that count as one. */
  #key(id: string): string {
    return this.config.foldsIds === true ? id.toLowerCase() : id;
  }

  get size(): number {
    return this.#byId.size + this.#unplaced + this.#unseen;
  }

  /** The number of objects that it ever had, including deleted ones. */
  get ever(): number {
    return this.size + (this.#tombstones?.size ?? this.#base?.tombstones.length ?? 0);
  }

  get(id: string): Row | undefined {
    // Shortcut for commands that read the object that they have just created.
    if (this.#unplaced > 0 && this.#ordered.last?.id === id) return this.#ordered.last;
    const key = this.#key(id);
    return this.#rows().get(key) ?? (this.#base === null ? undefined : this.#rowOf(this.#base, key));
  }

  /** The rows of the collection, by id. */
  #rows(): Map<string, Row> {
    if (this.#unplaced > 0) {
      const rows = this.#ordered.all();
      for (let at = rows.length - this.#unplaced; at < rows.length; at++)
        this.#byId.set(this.#key(rows[at].id), rows[at]);
      this.#unplaced = 0;
    }
    return this.#byId;
  }

  /** Whether no object has or had an id that was just drawn. @param bits its number of random bits */
  isFree(id: string, bits: number): boolean {
    this.#drawn = id;
    return (this.#allDrawn && bits >= ENOUGH_BITS) || this.placeOf(id) === undefined;
  }

  /** Rows, oldest first; those with a value if the field is indexed. */
  ordered(field?: string, value?: Json): OrderedRows {
    if (field === undefined || !this.hasIndex(field)) {
      this.#copy();
      return this.#ordered;
    }
    const index = this.#indexes?.get(field) ?? this.#indexBy(field);
    if (this.#base !== null) this.#fill(this.#base, field, value ?? null, index);
    const rows = index.get(value ?? null);
    return rows instanceof Row ? OrderedRows.of(rows) : (rows ?? NO_ROWS);
  }

  hasIndex(field: string): boolean {
    return this.config.indexes.includes(field);
  }

  /** Objects beyond the retention, oldest first. O(log n + their number). */
  expired(nowSeconds: number): readonly Row[] {
    const { retentionSeconds } = this.config;
    if (retentionSeconds === undefined) return [];
    const rows = this.ordered();
    return rows.all().slice(0, rows.indexFrom({ order: nowSeconds - retentionSeconds, seq: 0 }));
  }

  /** The position of an id in list order, also of a deleted one. O(1). */
  placeOf(id: string): Tombstone | undefined {
    return this.get(id) ?? this.#tombstoneOf(this.#key(id));
  }

  /** The last state of a deleted object. */
  deleted(id: string): JsonObject | undefined {
    return this.#tombstoneOf(this.#key(id))?.value;
  }

  #tombstoneOf(key: string): Tombstone | undefined {
    return this.#tombstones === null ? this.#base?.tombstoneOf(key) : this.#tombstones.get(key);
  }

  /** The positions of deleted objects. */
  tombstones(): Iterable<readonly [string, Tombstone]> {
    return this.#tombstones ?? this.#base?.tombstones ?? [];
  }

  /** Like `tombstones`, for changes. */
  #writableTombstones(): Map<string, Tombstone> {
    return (this.#tombstones ??= new Map(this.#base?.tombstones));
  }

  orderOf(value: JsonObject): number {
    return this.config.order === undefined ? 0 : this.config.order(value);
  }

  /**
   * Adds a row whose id no object has. O(1), and O(1) per index, if it is appended in order.
   * @returns the tombstone of an earlier object with that id, which is removed
   */
  insert(row: Row): Tombstone | undefined {
    const key = this.#key(row.id);
    const tombstone = this.#tombstoneOf(key);
    if (tombstone !== undefined) this.#writableTombstones().delete(key);
    this.#isOther = true;
    row.alive = true;
    if (row.id !== this.#drawn) this.#allDrawn = false;
    if (this.#ordered.append(row)) this.#unplaced++;
    else {
      this.#rows().set(key, row);
      this.#ordered.add(row);
    }
    if (this.#indexes !== null) for (const [field, index] of this.#indexes) enter(index, row.value[field] ?? null, row);
    return tombstone;
  }

  /** The stored form of an object of this collection. */
  shortened(object: JsonObject): JsonObject | Difference {
    const { layout } = this.config;
    return layout === undefined ? object : this.#differences.of(object, layout);
  }

  /** Sets the origins of a row's values from outside, replacing earlier ones. */
  explain(row: Row, provenance: readonly Provenance[] | null): void {
    this.#moments?.note(row);
    row.provenance = provenance;
  }

  /**
   * Returns the current state, as references: the same object as before if nothing changed. O(1) if objects were only added,
   * and at most one later copy of their list.
   */
  standing(): CollectionStanding {
    const base = this.#base;
    if (base !== null && this.#rows().size === 0 && this.#tombstones === null) return base;
    this.#copy();
    if (!this.#isOther && this.#standing?.isStill === true) return this.#standing;
    this.#isOther = false;
    const rows = this.#ordered.share();
    const changed = (this.#moments ??= new Moments()).add(rows.at(-1));
    const { resource, tenant, config } = this;
    const tombstones = [...(this.#tombstones ?? [])];
    return (this.#standing = new CollectionStanding(
      config.name,
      resource,
      tenant,
      tombstones,
      rows,
      rows.length,
      changed,
    ));
  }

  /**
   * Copies another collection into this empty one. The row of an object is created when it is read, or all rows when all are
   * read, since most forks read few objects.
   * @param onRow called for each row that is created
   */
  copyLater(standing: CollectionStanding, onRow: ((row: Row) => void) | null = null): void {
    if (standing.isEmpty) return;
    this.#base = standing;
    this.#unseen = standing.count;
    this.#allDrawn = false;
    this.#indexes = null;
    this.#onRow = onRow;
  }

  /** Makes the row of an object of the base, if it exists there and has none yet. */
  #rowOf(base: CollectionStanding, key: string): Row | undefined {
    const at = base.placeOf(key, (id) => this.#key(id));
    if (at === undefined || this.#tombstones?.has(key) === true) return undefined;
    const value = base.held(at);
    const { id, seq } = base.row(at);
    const row = value instanceof LateRow && value.held === value ? value.copyFirst(this) : this.#newRow(id, seq, value);
    row.provenance = base.sources(at);
    this.#byId.set(key, row);
    this.#unseen--;
    this.#onRow?.(row);
    return row;
  }

  #newRow(id: string, seq: number, held: HeldValue): Row {
    const value = writtenOf(held);
    const row = new Row(this, id, seq, this.orderOf(value), value);
    if (held instanceof Difference) row.shorten(held);
    return row;
  }

  /** Makes all rows of a copy that are still missing. */
  #copy(): void {
    const base = this.#base;
    if (base === null) return;
    for (let at = 0; at < base.count; at++) this.get(base.row(at).id);
    if (base.tombstones.length > 0) this.#tombstones = this.#writableTombstones();
    this.#base = this.#seen = this.#onRow = null;
    const rows = this.#rows();
    this.#ordered = new OrderedRows();
    for (const row of rows.values()) this.#ordered.add(row);
    this.#indexes = null;
  }

  /** Adds the objects of the base with a value of a field to the field's index. */
  #fill(base: CollectionStanding, field: string, value: Json, index: Index): void {
    let seen = (this.#seen ??= new Map<string, Set<Json>>()).get(field);
    if (seen === undefined) this.#seen.set(field, (seen = new Set()));
    if (seen.has(value)) return;
    seen.add(value);
    const own = index.get(value);
    const rows = new Set(own instanceof Row ? [own] : own?.all());
    for (const at of base.bucket(field, value)) {
      const row = this.get(base.row(at).id);
      // Its value may have changed since.
      if (row !== undefined && (row.value[field] ?? null) === value) rows.add(row);
    }
    index.delete(value);
    for (const row of rows) enter(index, value, row);
  }

  /** In a copy, the rows that were read; `#fill` adds the others. */
  #indexBy(field: string): Index {
    const index: Index = new Map();
    const rows = this.#base === null ? this.#ordered.all() : this.#rows().values();
    for (const row of rows) enter(index, row.value[field] ?? null, row);
    (this.#indexes ??= new Map()).set(field, index);
    return index;
  }

  /** O(log n) to find it, and one move of memory, here and in each index. */
  remove(row: Row): void {
    this.#takeOut(row);
    this.#writableTombstones().set(this.#key(row.id), { order: row.order, seq: row.seq, value: row.value });
  }

  #takeOut(row: Row): void {
    this.#isOther = true;
    row.alive = false;
    if (this.#unplaced > 0 && this.#ordered.last === row) this.#unplaced--;
    else this.#rows().delete(this.#key(row.id));
    this.#ordered.remove(row);
    if (this.#indexes !== null) for (const [field, index] of this.#indexes) leave(index, row.value[field] ?? null, row);
  }

  /** Removes a row as if it had never existed. In a copy only after everything was read. */
  forget(row: Row, tombstone: Tombstone | undefined): void {
    this.#takeOut(row);
    if (tombstone !== undefined) this.#writableTombstones().set(this.#key(row.id), tombstone);
  }

  /**
   * Replaces the value of a row and updates the indexes. O(1), unless its position in the list or in an index changes.
   * @param names the fields that may differ; all by default
   */
  replace(row: Row, value: JsonObject, names?: readonly string[]): void {
    const old = row.value;
    const order = this.config.order === undefined ? row.order : this.orderOf(value);
    this.#moments?.note(row);
    if (order !== row.order) {
      this.remove(row);
      row.value = value;
      row.order = order;
      row.unshow();
      this.insert(row);
      return;
    }
    for (const [field, index] of this.#indexes ?? NO_INDEXES) {
      if (names !== undefined && !names.includes(field)) continue;
      const from = old[field] ?? null;
      const to = value[field] ?? null;
      if (from === to) continue;
      leave(index, from, row);
      enter(index, to, row);
    }
    row.value = value;
    row.unshow();
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
