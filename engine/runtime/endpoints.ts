import { isList, type Json, type TextPattern } from '../values/index.js';
import { type Host } from '../expression/index.js';
import { glob, type ResourceDef } from '../model/index.js';
import type { EndpointPlan, EventKind } from '../program/index.js';
import type { Row, World } from '../world/index.js';

const NONE: readonly string[] = [];

/** The objects of a world that receive events. */
export class Endpoints {
  /** Versions of the API that events are written in too, though no endpoint takes them: to compare versions. */
  readonly alsoIn = new Set<string>();
  readonly #patterns = new Map<string, TextPattern>();
  /** Kinds of events by the numbers of their resources. */
  readonly #kinds: ReadonlyMap<number, string>;

  /** @param planned the plan, which is made when there is an endpoint */
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

  /** There is no endpoint. */
  isEmpty(): boolean {
    return this.resources.every(({ index }) => this.world.tenants.isEmpty(index));
  }

  /** The resource of an endpoint. */
  resourceOf({ resource }: Pick<Row, 'resource'>): ResourceDef | undefined {
    return this.resources.find(({ index }) => index === resource);
  }

  /** Every endpoint, of whatever tenant: of each resource those of none first, oldest first. */
  all(): readonly Row[] {
    return this.#each(({ index }) => this.world.tenants.rows(index));
  }

  /** The endpoints of no tenant, oldest first. */
  own(): readonly Row[] {
    return this.#each(({ index }) => this.world.collections[index].ordered().all());
  }

  /** The endpoint with an id, of whatever tenant. */
  find(id: string): Row | undefined {
    for (const { index } of this.resources) {
      const row = this.world.tenants.find(index, id);
      if (row) return row;
    }
    return undefined;
  }

  /** Whether an endpoint of no tenant has this id, or had it. */
  isKnown(id: string): boolean {
    return this.resources.some(({ index }) => this.world.collections[index].placeOf(id) !== undefined);
  }

  /** How many endpoints no tenant has. */
  get size(): number {
    return this.resources.reduce((sum, { index }) => sum + this.world.collections[index].size, 0);
  }

  #each(rows: (resource: ResourceDef) => Iterable<Row>): readonly Row[] {
    return this.resources.flatMap((resource) => [...rows(resource)]);
  }

  /**
   * Endpoints that receive events of a type now, oldest first.
   * @param tenant whose events they are; null: those of no tenant
   * @param kind of the events; null: ordinary ones
   */
  receivers(type: string, tenant: string | null, kind: string | null = null): Row[] {
    if (this.isEmpty()) return [];
    return this.#of(tenant).filter((row) => this.#accepts(row, type) && this.#isOf(row, kind) && this.isActive(row));
  }

  /** Whether an endpoint receives events of a type now. */
  isWanted(type: string, tenant: string | null, kind: string): boolean {
    if (this.isEmpty() || (tenant === null && this.size === 0)) return false;
    return this.#of(tenant).some((row) => this.#accepts(row, type) && this.#isOf(row, kind) && this.isActive(row));
  }

  /** Whether an endpoint gets events of a kind. */
  #isOf(row: Row, kind: string | null): boolean {
    return this.plan.kind === null || this.plan.kind(this.host, row) === kind;
  }

  /** The endpoints that listen to a tenant: its own, and those of none that listen to tenants. */
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

  /** Those of them that an event is for. */
  receiversOf(type: string, event: Row): Row[] {
    if (this.isEmpty()) return [];
    const { when } = this.plan;
    const all = this.receivers(type, event.tenant, this.#kinds.get(event.resource) ?? null);
    return when === null ? all : all.filter((row) => when(this.host, event, row) === true);
  }

  /** The versions of the API, other than the account's, that endpoints take events of a type in. */
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

  /** The event types an endpoint asked for. */
  eventsOf(row: Row): Json {
    return this.plan.events(this.host, row);
  }

  /** What signs for an endpoint now: of several secrets the first; null when nothing is signed. */
  secretOf(row: Row): Json {
    return this.plan.secrets(this.host, row)[0] ?? null;
  }

  /** Where an endpoint's events are sent; null when they are not sent by HTTP. */
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
