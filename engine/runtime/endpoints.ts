import { isList, type Json, type TextPattern } from '../values/index.js';
import { type Host } from '../expression/index.js';
import { glob, type ResourceDef } from '../model/index.js';
import type { EndpointPlan, EventKind } from '../program/index.js';
import type { Row, World } from '../world/index.js';

const NONE: readonly string[] = [];

/** The webhook endpoints of a world: finds them, and selects the receivers of an event. */
export class Endpoints {
  /** Further API versions in which every event is written, even if no endpoint uses them, for comparisons of versions. */
  readonly alsoIn = new Set<string>();
  readonly #patterns = new Map<string, TextPattern>();
  /** Names of kinds of events, by the number of the resource that stores them. */
  readonly #kinds: ReadonlyMap<number, string>;

  /** @param planned compiles the endpoint plan; called once the first endpoint exists */
  constructor(
    readonly resources: readonly ResourceDef[],
    private readonly planned: () => EndpointPlan,
    private readonly world: World,
    private readonly host: Host,
    private readonly accountVersion: string | null = null,
    kinds: ReadonlyMap<string, EventKind> = new Map(),
  ) {
    this.#kinds = new Map([...kinds.values()].map(({ name, maker }) => [maker.resource.index, name]));
  }

  get plan(): EndpointPlan {
    return this.planned();
  }

  /** Whether the world has no endpoint. */
  isEmpty(): boolean {
    return this.resources.every(({ index }) => this.world.tenants.isEmpty(index));
  }

  /** Returns the resource of an endpoint; undefined if the object isn't an endpoint. */
  resourceOf({ resource }: Pick<Row, 'resource'>): ResourceDef | undefined {
    return this.resources.find(({ index }) => index === resource);
  }

  /** Lists the endpoints of all tenants: for each resource first those without a tenant, oldest first. */
  all(): readonly Row[] {
    return this.#each(({ index }) => this.world.tenants.rows(index));
  }

  /** Lists the endpoints without a tenant, oldest first. */
  own(): readonly Row[] {
    return this.#each(({ index }) => this.world.collections[index].ordered().all());
  }

  /** Finds the endpoint with an id, of any tenant. */
  find(id: string): Row | undefined {
    for (const { index } of this.resources) {
      const row = this.world.tenants.find(index, id);
      if (row) return row;
    }
    return undefined;
  }

  /** Whether an endpoint without a tenant has this id, or had it before its deletion. */
  isKnown(id: string): boolean {
    return this.resources.some(({ index }) => this.world.collections[index].placeOf(id) !== undefined);
  }

  /** The number of endpoints without a tenant. */
  get size(): number {
    return this.resources.reduce((sum, { index }) => sum + this.world.collections[index].size, 0);
  }

  #each(rows: (resource: ResourceDef) => Iterable<Row>): readonly Row[] {
    return this.resources.flatMap((resource) => [...rows(resource)]);
  }

  /**
   * Endpoints that currently receive events of a type, oldest first.
   * @param tenant of the events; null: none
   * @param kind of the events; null: ordinary ones
   */
  receivers(type: string, tenant: string | null, kind: string | null = null): Row[] {
    if (this.isEmpty()) return [];
    return this.#of(tenant).filter((row) => this.#accepts(row, type) && this.#isOf(row, kind) && this.isActive(row));
  }

  /** Whether any endpoint currently receives events of a type. */
  isWanted(type: string, tenant: string | null, kind: string): boolean {
    if (this.isEmpty() || (tenant === null && this.size === 0)) return false;
    return this.#of(tenant).some((row) => this.#accepts(row, type) && this.#isOf(row, kind) && this.isActive(row));
  }

  /** Whether an endpoint receives events of a kind; null: ordinary events. */
  #isOf(row: Row, kind: string | null): boolean {
    return this.plan.kind === null || this.plan.kind(this.host, row) === kind;
  }

  /** Lists the endpoints for a tenant's events: its own, and those without a tenant that receive tenants' events. */
  #of(tenant: string | null): readonly Row[] {
    const { tenants, resources } = this.plan;
    const rows = (owner: string | null, { index }: ResourceDef): readonly Row[] =>
      this.world.tenants.known(owner, index)?.ordered().all() ?? [];
    const of = (owner: string | null): readonly Row[] => {
      let found = rows(owner, resources[0]);
      for (let at = 1; at < resources.length; at++) {
        const more = rows(owner, resources[at]);
        if (more.length > 0) found = found.length === 0 ? more : [...found, ...more];
      }
      return found;
    };
    const own = of(null);
    if (tenants === null) return tenant === null ? own : of(tenant);
    const matching = own.filter((row) => {
      const whose = tenants(this.host, row);
      return whose === 'all' || whose === (tenant === null ? 'none' : 'only');
    });
    if (tenant === null) return matching;
    return [...matching, ...of(tenant)];
  }

  /** Lists the endpoints that receive an event, including the pack's condition for deliveries. */
  receiversOf(type: string, event: Row): Row[] {
    if (this.isEmpty()) return [];
    const { when } = this.plan;
    const all = this.receivers(type, event.tenant, this.#kinds.get(event.resource) ?? null);
    return when === null ? all : all.filter((row) => when(this.host, event, row) === true);
  }

  /** Lists the versions, other than the account's, in which endpoints receive events of a type. */
  otherVersions(type: string, tenant: string | null): readonly string[] {
    if (this.alsoIn.size === 0 && this.isEmpty()) return NONE;
    const { version } = this.plan;
    if (version === null) return NONE;
    const listening = this.#of(tenant);
    if (listening.length === 0 && this.alsoIn.size === 0) return NONE;
    const found = new Set(this.alsoIn);
    if (this.accountVersion !== null) found.delete(this.accountVersion);
    for (const row of listening) {
      const own = version(this.host, row);
      if (typeof own !== 'string' || own === this.accountVersion || found.has(own)) continue;
      if (this.#accepts(row, type) && this.#isOf(row, null) && this.isActive(row)) found.add(own);
    }
    return found.size === 0 ? NONE : [...found];
  }

  count(type: string, tenant: string | null): number {
    return this.receivers(type, tenant).length;
  }

  /** Computes the event types that an endpoint subscribes to. */
  eventsOf(row: Row): Json {
    return this.plan.events(this.host, row);
  }

  /** Returns the current signing secret of an endpoint, the first of several; null if nothing is signed. */
  secretOf(row: Row): Json {
    return this.plan.secrets(this.host, row)[0] ?? null;
  }

  /** Computes an endpoint's URL; null if its transport isn't HTTP. */
  urlOf(row: Row): Json {
    return this.plan.url(this.host, row);
  }

  isActive(row: Row): boolean {
    return this.plan.active(this.host, row);
  }

  #accepts(row: Row, type: string): boolean {
    const events = this.eventsOf(row);
    if (!isList(events)) return false;
    return events.some(
      (name) =>
        name === type ||
        name === '*' ||
        (typeof name === 'string' && name.includes('*') && this.#pattern(name).test(type)),
    );
  }

  #pattern(name: string): TextPattern {
    let pattern = this.#patterns.get(name);
    if (pattern === undefined) this.#patterns.set(name, (pattern = glob(name)));
    return pattern;
  }
}
