import { type Host, isList, type Json, type TextPattern } from '../expression/index.js';
import { glob, type ResourceDef } from '../model/index.js';
import type { EndpointPlan } from '../program/index.js';
import type { Row, World } from '../world/index.js';

const NONE: readonly string[] = [];

/** The objects of a world that receive events. */
export class Endpoints {
  /** Versions of the API that events are written in too, though no endpoint wants them: for who compares versions. */
  readonly alsoIn = new Set<string>();
  readonly #patterns = new Map<string, TextPattern>();

  constructor(
    readonly plan: EndpointPlan,
    private readonly world: World,
    private readonly host: Host,
    private readonly accountVersion: string | null = null,
  ) {}

  get resource(): ResourceDef {
    return this.plan.resource;
  }

  /** Every endpoint, of whatever tenant: those of none first, oldest first. */
  all(): readonly Row[] {
    return this.world.tenants.rows(this.resource.index);
  }

  /**
   * Endpoints that receive events of a type now, oldest first.
   * @param tenant whose events they are; null: those of no tenant
   */
  receivers(type: string, tenant: string | null): Row[] {
    return this.#of(tenant).filter((row) => this.isActive(row) && this.#wants(row, type));
  }

  /** The endpoints that listen to a tenant: its own, and those of none that listen to tenants. */
  #of(tenant: string | null): readonly Row[] {
    const { tenants, resource } = this.plan;
    const of = (owner: string | null): readonly Row[] =>
      this.world.tenants.collection(owner, resource.index).ordered().all();
    const own = of(null);
    if (tenants === null) return tenant === null ? own : of(tenant);
    const heard = own.filter((row) => {
      const whose = tenants(this.host, row);
      return whose === 'all' || whose === (tenant === null ? 'none' : 'only');
    });
    if (tenant === null) return heard;
    return [...heard, ...of(tenant)];
  }

  /** Those of them that an event is for. */
  receiversOf(type: string, event: Row): Row[] {
    const { when } = this.plan;
    const all = this.receivers(type, event.tenant);
    return when === null ? all : all.filter((row) => when(this.host, event, row) === true);
  }

  /** The versions of the API, other than the account's, that endpoints want events of a type in. */
  otherVersions(type: string, tenant: string | null): readonly string[] {
    const { version } = this.plan;
    if (version === null) return NONE;
    const listening = this.#of(tenant);
    if (listening.length === 0 && this.alsoIn.size === 0) return NONE;
    const found = new Set(this.alsoIn);
    if (this.accountVersion !== null) found.delete(this.accountVersion);
    for (const row of listening) {
      const own = version(this.host, row);
      if (typeof own !== 'string' || own === this.accountVersion || found.has(own)) continue;
      if (this.isActive(row) && this.#wants(row, type)) found.add(own);
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

  #wants(row: Row, type: string): boolean {
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
