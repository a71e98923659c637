import type { Json, JsonObject } from '../values/index.js';
import { Collection, type CollectionConfig } from './collection.js';
import { OrderedRows, type Row } from './rows.js';
import type { Tombstone } from './standing.js';

/** The collection of tenants that a tenant sees: it contains only the tenant itself. */
class Itself extends Collection {
  constructor(
    private readonly all: Collection,
    private readonly id: string,
  ) {
    super(all.resource, all.config);
  }

  override get(id: string): Row | undefined {
    const row = this.all.get(id);
    return row?.id === this.id ? row : undefined;
  }

  override get size(): number {
    return this.get(this.id) === undefined ? 0 : 1;
  }

  override ordered(field?: string, value: Json = null): OrderedRows {
    const row = this.get(this.id);
    const isMeant = row !== undefined && (field === undefined || (row.value[field] ?? null) === value);
    return isMeant ? OrderedRows.of(row) : new OrderedRows();
  }

  override placeOf(id: string): Tombstone | undefined {
    return id === this.id ? this.all.placeOf(id) : undefined;
  }

  override deleted(id: string): JsonObject | undefined {
    return id === this.id ? this.all.deleted(id) : undefined;
  }
}

/**
 * The collections of a world's tenants. Objects without a tenant are in the world's own collections; a tenant's collections are
 * created on first use. Shared resources have only the world's collections. Of the tenants, a tenant sees only itself.
 */
export class Tenants {
  readonly #all = new Map<string, Collection[]>();
  readonly #itself = new Map<string, Itself>();
  /** Cached result of `ids`, until another tenant is added; null: none. */
  #ids: readonly string[] | null = null;
  /** Cached results of `everywhere` by resource number, until a collection is created: tenants may be thousands. */
  readonly #everywhere: (readonly Collection[] | undefined)[] = [];

  /** @param own the world's own collections, by resource number */
  constructor(
    private readonly configs: readonly CollectionConfig[],
    private readonly own: readonly Collection[],
  ) {}

  /** Returns the collection of one tenant's objects of a resource. @param tenant null: objects without a tenant */
  collection(tenant: string | null, resource: number): Collection {
    return this.known(tenant, resource) ?? this.#make(tenant as string, resource);
  }

  /** Finds the collection of one tenant's objects of a resource; undefined: the collection doesn't exist yet. */
  known(tenant: string | null, resource: number): Collection | undefined {
    const { shared, isTenant } = this.configs[resource];
    if (tenant !== null && isTenant === true) return this.#itselfOf(tenant, resource);
    if (tenant === null || shared === true) return this.own[resource];
    return this.#all.get(tenant)?.[resource];
  }

  #itselfOf(tenant: string, resource: number): Collection {
    const known = this.#itself.get(tenant);
    if (known !== undefined) return known;
    const made = new Itself(this.own[resource], tenant);
    this.#itself.set(tenant, made);
    return made;
  }

  #make(tenant: string, resource: number): Collection {
    let collections = this.#all.get(tenant);
    if (collections === undefined) {
      this.#all.set(tenant, (collections = []));
      this.#ids = null;
    }
    this.#everywhere[resource] = undefined;
    return (collections[resource] = new Collection(resource, this.configs[resource], tenant));
  }

  /** Ids of tenants with collections, sorted, since the order of creation differs between processes. */
  get ids(): readonly string[] {
    return (this.#ids ??= [...this.#all.keys()].sort());
  }

  /** Returns a tenant's existing collections, in the order of resource numbers. */
  of(tenant: string): readonly Collection[] {
    return (this.#all.get(tenant) ?? []).filter(Boolean);
  }

  /** Returns all collections of every tenant. */
  collections(): readonly Collection[] {
    return this.ids.flatMap((tenant) => this.of(tenant));
  }

  /** Returns a resource's collections of all tenants, after the world's own. */
  everywhere(resource: number): readonly Collection[] {
    return (this.#everywhere[resource] ??= [
      this.own[resource],
      ...this.ids.flatMap((tenant) => this.#all.get(tenant)?.[resource] ?? []),
    ]);
  }

  /** Whether no tenant has an object of a resource, counting objects without a tenant too. */
  isEmpty(resource: number): boolean {
    return this.everywhere(resource).every(({ size }) => size === 0);
  }

  /** Returns the rows of a resource in all collections of `everywhere`, oldest first within each. */
  rows(resource: number): readonly Row[] {
    if (this.#all.size === 0) return this.own[resource].ordered().all();
    const [own, ...others] = this.everywhere(resource);
    const rows = own.ordered().all();
    return others.length === 0 ? rows : [...rows, ...others.flatMap((each) => each.ordered().all())];
  }

  /** Finds the object with an id in the collections of all tenants. */
  find(resource: number, id: string): Row | undefined {
    const row = this.own[resource].get(id);
    if (row !== undefined || this.#all.size === 0) return row;
    for (const collection of this.everywhere(resource)) {
      const found = collection.get(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
