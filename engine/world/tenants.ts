import type { Json, JsonObject } from '../values/index.js';
import { Collection, type CollectionConfig } from './collection.js';
import { OrderedRows, type Row } from './rows.js';
import type { Tombstone } from './standing.js';

/** What a tenant sees of the tenants: itself. */
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
 * The collections of a world's tenants. What has no tenant lies in the world's own collections, which cost nothing more for it;
 * a tenant's are made when they are first asked for. Those of shared resources are the world's own for everybody, but of the
 * tenants a tenant sees itself alone.
 */
export class Tenants {
  readonly #all = new Map<string, Collection[]>();
  readonly #itself = new Map<string, Itself>();
  /** As `ids`, until another one is asked for. */
  #ids: readonly string[] | null = null;
  /** As `everywhere`, by the numbers of resources, until a tenant's collection of one is made: a world may have thousands of tenants. */
  readonly #everywhere: (readonly Collection[] | undefined)[] = [];

  /** @param own the world's own collections, by the numbers of their resources */
  constructor(
    private readonly configs: readonly CollectionConfig[],
    private readonly own: readonly Collection[],
  ) {}

  /** The objects of a resource that a tenant has. @param tenant null: those that have none */
  collection(tenant: string | null, resource: number): Collection {
    return this.known(tenant, resource) ?? this.#make(tenant as string, resource);
  }

  /** As `collection`, for those who only look: undefined where nothing was asked for yet, or there is no such tenant. */
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

  /** Those that have collections, in order of their ids: the one that was used first is not the same in every process. */
  get ids(): readonly string[] {
    return (this.#ids ??= [...this.#all.keys()].sort());
  }

  /** The collections of a tenant that were asked for, in order of their resources. */
  of(tenant: string): readonly Collection[] {
    return (this.#all.get(tenant) ?? []).filter(Boolean);
  }

  /** The collections of every tenant. */
  collections(): readonly Collection[] {
    return this.ids.flatMap((tenant) => this.of(tenant));
  }

  /** The objects of a resource, of everybody who was asked for some: the world's own first. */
  everywhere(resource: number): readonly Collection[] {
    return (this.#everywhere[resource] ??= [
      this.own[resource],
      ...this.ids.flatMap((tenant) => this.#all.get(tenant)?.[resource] ?? []),
    ]);
  }

  /** Whether there is no object of a resource, of whatever tenant. */
  isEmpty(resource: number): boolean {
    return this.everywhere(resource).every(({ size }) => size === 0);
  }

  /** The rows of `everywhere`, of each collection the oldest first. */
  rows(resource: number): readonly Row[] {
    if (this.#all.size === 0) return this.own[resource].ordered().all();
    const [own, ...others] = this.everywhere(resource);
    const rows = own.ordered().all();
    return others.length === 0 ? rows : [...rows, ...others.flatMap((each) => each.ordered().all())];
  }

  /** An object, whosever it is. */
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
