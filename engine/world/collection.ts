import type { Json, JsonObject } from '../values/index.js';
import { Difference, Differences, type Layout } from './difference.js';
import { type HeldValue, LateRow, OrderedRows, type Provenance, Row, writtenOf } from './rows.js';
import { CollectionStanding, Moments, type Tombstone } from './standing.js';

/** How the objects of a resource are stored: order, retention, indexes. */
export interface CollectionConfig {
  readonly name: string;
  /** Computes an object's sort key in whole seconds, which need no heap object; absent: objects are in creation order. */
  readonly order?: (value: JsonObject) => number;
  /** Number of seconds after which an object expires, counted from its sort key. */
  readonly retentionSeconds?: number;
  /** Names of fields with an index. */
  readonly indexes: readonly string[];
  /** Whether objects of the collection belong to all tenants. */
  readonly shared?: boolean;
  /** Whether objects of the collection are tenants; a tenant can't see the others. */
  readonly isTenant?: boolean;
  /** Whether ids of the collection are case-insensitive. */
  readonly foldsIds?: boolean;
  /** Returns the layout of the collection's objects, for storing them as differences; absent: each object is stored whole. */
  readonly layout?: () => Layout;
}

/** Rows by the value of a field; most values have only one row, which needs no list. */
type Index = Map<Json, Row | OrderedRows>;

const NO_ROWS = new OrderedRows();
/** Number of random bits from which on ids of one random stream never repeat. */
const ENOUGH_BITS = 64;
const NO_INDEXES: ReadonlyMap<string, Index> = new Map();

/**
 * All objects of one resource: found by id in O(1), in list order, and by indexed field in O(1). Objects that are only created
 * and listed aren't in the map of ids or in indexes: they are added when an id or field is first looked up. Changed by
 * transactions only.
 */
export class Collection {
  /** Rows by id. Lacks the last `#unplaced` rows; in a copy, also the rows of objects that weren't read yet. */
  readonly #byId = new Map<string, Row>();
  /** Number of newest rows that the map of ids lacks; they are added at the next look-up of an id. */
  #unplaced = 0;
  /** The id that this world drew last. */
  #drawn: string | null = null;
  /** Whether this world drew all ids of the collection, so that a newly drawn id can't equal one of them. */
  #allDrawn = true;
  #ordered = new OrderedRows();
  readonly #differences = new Differences();
  /** Indexes for the fields that were looked up so far, by field; null: none. */
  #indexes: Map<string, Index> | null = null;
  /** Tombstones of deleted objects, by key; null: those of the original, if any. */
  #tombstones: Map<string, Tombstone> | null = null;
  /** For a copy, the original at the moment of copying, until all its objects have rows here; otherwise null. */
  #base: CollectionStanding | null = null;
  /** Number of objects in the original (`#base`) that have no row here yet. */
  #unseen = 0;
  /** For each field, the values for which all objects of the original have rows here; null: none. */
  #seen: Map<string, Set<Json>> | null = null;
  #onRow: ((row: Row) => void) | null = null;
  /** The state that `standing` returned last; valid while nothing has changed. */
  #standing: CollectionStanding | null = null;
  /** The moments at which `standing` was called; null: none. */
  #moments: Moments | null = null;
  /** Whether rows were added or removed since `standing` was called. */
  #isOther = false;

  constructor(
    readonly resource: number,
    readonly config: CollectionConfig,
    /** The tenant to which the collection's objects belong; null: none. */
    readonly tenant: string | null = null,
  ) {}

  /** Returns the key under which an id is stored: the id, or in lower case if the collection ignores case. */
  #key(id: string): string {
    return this.config.foldsIds === true ? id.toLowerCase() : id;
  }

  get size(): number {
    return this.#byId.size + this.#unplaced + this.#unseen;
  }

  /** Number of objects that the collection has had, including deleted ones. */
  get ever(): number {
    return this.size + (this.#tombstones?.size ?? this.#base?.tombstones.length ?? 0);
  }

  get(id: string): Row | undefined {
    // Commands usually read the object that they have just created.
    if (this.#unplaced > 0 && this.#ordered.last?.id === id) return this.#ordered.last;
    const key = this.#key(id);
    return this.#rows().get(key) ?? (this.#base === null ? undefined : this.#rowOf(this.#base, key));
  }

  /** Returns the map of rows by id, after adding rows that it lacks. */
  #rows(): Map<string, Row> {
    if (this.#unplaced > 0) {
      const rows = this.#ordered.all();
      for (let at = rows.length - this.#unplaced; at < rows.length; at++)
        this.#byId.set(this.#key(rows[at].id), rows[at]);
      this.#unplaced = 0;
    }
    return this.#byId;
  }

  /** Whether no object has, or had, a newly drawn id. @param bits number of random bits in the id */
  isFree(id: string, bits: number): boolean {
    this.#drawn = id;
    return (this.#allDrawn && bits >= ENOUGH_BITS) || this.placeOf(id) === undefined;
  }

  /** Returns rows, oldest first: all, or those with a value in an indexed field. */
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

  /** Returns objects whose retention has ended, oldest first. O(log n + their number). */
  expired(nowSeconds: number): readonly Row[] {
    const { retentionSeconds } = this.config;
    if (retentionSeconds === undefined) return [];
    const rows = this.ordered();
    return rows.all().slice(0, rows.indexFrom({ order: nowSeconds - retentionSeconds, seq: 0 }));
  }

  /** Returns the position of an object in list order, also of a deleted one. O(1). */
  placeOf(id: string): Tombstone | undefined {
    return this.get(id) ?? this.#tombstoneOf(this.#key(id));
  }

  /** Returns the last value of a deleted object; undefined: none with this id was deleted. */
  deleted(id: string): JsonObject | undefined {
    return this.#tombstoneOf(this.#key(id))?.value;
  }

  #tombstoneOf(key: string): Tombstone | undefined {
    return this.#tombstones === null ? this.#base?.tombstoneOf(key) : this.#tombstones.get(key);
  }

  /** Returns the tombstones of deleted objects, by key. */
  tombstones(): Iterable<readonly [string, Tombstone]> {
    return this.#tombstones ?? this.#base?.tombstones ?? [];
  }

  /** Returns the map of tombstones for changes; creates it, or copies it from the original. */
  #writableTombstones(): Map<string, Tombstone> {
    return (this.#tombstones ??= new Map(this.#base?.tombstones));
  }

  orderOf(value: JsonObject): number {
    return this.config.order === undefined ? 0 : this.config.order(value);
  }

  /**
   * Adds a row whose id no object has. O(1), plus O(1) per index, if the row is the newest.
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

  /** Returns the form in which an object is stored: the object, or its difference from another one. */
  shortened(object: JsonObject): JsonObject | Difference {
    const { layout } = this.config;
    return layout === undefined ? object : this.#differences.of(object, layout);
  }

  /** Replaces the origins of a row's external values. */
  explain(row: Row, provenance: readonly Provenance[] | null): void {
    this.#moments?.note(row);
    row.provenance = provenance;
  }

  /**
   * Returns references to the collection's present state; the same object as last time if nothing has changed. The list of rows
   * is shared with the result, not copied: the collection copies it once, when a later change moves or removes a shared row.
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
   * Makes this empty collection a copy of another one. An object's row is created when the object is read, or all rows when all
   * are read, since most forks read few objects.
   * @param onRow called with each row that is created
   */
  copyLater(standing: CollectionStanding, onRow: ((row: Row) => void) | null = null): void {
    if (standing.isEmpty) return;
    this.#base = standing;
    this.#unseen = standing.count;
    this.#allDrawn = false;
    this.#indexes = null;
    this.#onRow = onRow;
  }

  /** Creates the row of an object in the original, unless it has one here, or doesn't exist there. */
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

  /** Creates all rows that a copy still lacks. */
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

  /** Adds the original's objects with a value in a field to the field's index. */
  #fill(base: CollectionStanding, field: string, value: Json, index: Index): void {
    let seen = (this.#seen ??= new Map<string, Set<Json>>()).get(field);
    if (seen === undefined) this.#seen.set(field, (seen = new Set()));
    if (seen.has(value)) return;
    seen.add(value);
    const own = index.get(value);
    const rows = new Set(own instanceof Row ? [own] : own?.all());
    for (const at of base.bucket(field, value)) {
      const row = this.get(base.row(at).id);
      // The object's value may have changed since the copy was made.
      if (row !== undefined && (row.value[field] ?? null) === value) rows.add(row);
    }
    index.delete(value);
    for (const row of rows) enter(index, value, row);
  }

  /** Builds the index of a field. In a copy, the index contains only rows that exist; `#fill` adds others for a value. */
  #indexBy(field: string): Index {
    const index: Index = new Map();
    const rows = this.#base === null ? this.#ordered.all() : this.#rows().values();
    for (const row of rows) enter(index, row.value[field] ?? null, row);
    (this.#indexes ??= new Map()).set(field, index);
    return index;
  }

  /** Removes a row, and leaves a tombstone. O(log n), and one move of memory, here and in each index. */
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

  /** Removes a row without a tombstone, or restores an earlier one. In a copy, only after all rows were created. */
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
