import { Collection, type CollectionConfig } from './collection.js';
import type { Row } from './rows.js';

/**
 * The collections of a world's tenants. What has no tenant lies in the world's own collections, which cost nothing more for it;
 * a tenant's are made when they are first asked for. Those of shared resources are the world's own for everybody.
 */
export class Tenants {
  readonly #all = new Map<string, Collection[]>();
  /** As `ids`, until another one is asked for. */
  #ids: readonly string[] | null = null;

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
    if (tenant === null || this.configs[resource].shared === true) return this.own[resource];
    return this.#all.get(tenant)?.[resource];
  }

  #make(tenant: string, resource: number): Collection {
    let collections = this.#all.get(tenant);
    if (collections === undefined) {
      this.#all.set(tenant, (collections = []));
      this.#ids = null;
    }
    return (collections[resource] = new Collection(resource, this.configs[resource], tenant));
  }

  /** Those that have collections, in order of their ids: whoever was asked for first is not the same in every process. */
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

  /** The objects of a resource, of everybody: the world's own first. */
  everywhere(resource: number): readonly Collection[] {
    const others = this.ids.map((tenant) => this.#all.get(tenant)?.[resource]);
    return [this.own[resource], ...others.filter((each) => each !== undefined)];
  }

  /** The rows of `everywhere`, of each collection the oldest first. */
  rows(resource: number): readonly Row[] {
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
