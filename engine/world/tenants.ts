import { Collection, type CollectionConfig } from './collection.js';
import type { Row } from './rows.js';

/**
 * The collections of a world's tenants. What has no tenant lies in the world's own collections, which cost nothing more for it;
 * a tenant's are made when they are first asked for. Those of shared resources are the world's own for everybody.
 */
export class Tenants {
  readonly #all = new Map<string, Collection[]>();

  /** @param own the world's own collections, by the numbers of their resources */
  constructor(
    private readonly configs: readonly CollectionConfig[],
    private readonly own: readonly Collection[],
  ) {}

  /** The objects of a resource that a tenant has. @param tenant null: those that have none */
  collection(tenant: string | null, resource: number): Collection {
    if (tenant === null || this.configs[resource].shared === true) return this.own[resource];
    let collections = this.#all.get(tenant);
    if (collections === undefined) this.#all.set(tenant, (collections = []));
    return (collections[resource] ??= new Collection(resource, this.configs[resource], tenant));
  }

  /** Those that have collections, in order of their ids. */
  get ids(): readonly string[] {
    return this.#all.size === 0 ? NONE : [...this.#all.keys()].sort();
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
    if (this.#all.size === 0) return [this.own[resource]];
    return [this.own[resource], ...this.collections().filter((each) => each.resource === resource)];
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

const NONE: readonly string[] = [];
