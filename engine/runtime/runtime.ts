import { equal, ExpressionFailure, isObject, type Json, type JsonObject, spendTurns } from '../values/index.js';
import { type Host, worldTag } from '../expression/index.js';
import { endpointNames, type Model, NO_REQUEST, type ResourceDef, type Wait } from '../model/index.js';
import type {
  DeliveryPlan,
  EndpointPlan,
  EventMaker,
  Program,
  ResourceProgram,
  VersionShape,
} from '../program/index.js';
import type { Collection, Pinned, Row, World } from '../world/index.js';
import { responseOfObject } from './response.js';
import { keysBelow, pathsWithin } from './pins.js';
import { Endpoints } from './endpoints.js';
import { type Dated, TimeOwners } from './time-owners.js';
import { within } from './within.js';

/** A compiled pack over a world: what every command works with, and the reading side of expressions. */
export class Runtime implements Host {
  readonly model: Model;
  readonly resources: readonly ResourceProgram[];
  readonly maker: EventMaker | null;
  readonly endpoints: Endpoints | null;
  /** How the account's version shows objects: events are written so. Null: as they are declared. */
  readonly shape: VersionShape | null;
  /** Number of the resource whose objects are tenants; -1: there are none. */
  readonly tenantResource: number;
  /** The tenant in which something is read now; null: none. */
  tenant: string | null = null;
  /** The time owner in whose time something is read now; null: the world's. */
  #line: string | null = null;
  readonly times: TimeOwners;
  /** Where the sandbox listens; known once it does. */
  origin = '';
  /** How many deliveries of an event were not taken yet; set by whoever delivers. */
  undeliveredOf: (eventId: string) => number = () => 0;
  /** What was sent to an endpoint, newest first; set by whoever delivers. */
  deliveriesTo: (endpointId: string) => readonly JsonObject[] = () => [];

  constructor(
    readonly pack: Program,
    readonly world: World,
  ) {
    this.model = pack.model;
    this.resources = pack.resources;
    this.maker = pack.eventMaker;
    this.shape = pack.versions?.current.shape ?? null;
    this.tenantResource = pack.tenants?.resource ?? -1;
    this.times = new TimeOwners(pack.times, world);
    const receiving = endpointsOf(pack);
    const plan = (): EndpointPlan => (pack.delivery as DeliveryPlan).endpoint;
    this.endpoints =
      receiving && new Endpoints(receiving, plan, world, this, pack.model.settings.versions?.current, pack.eventKinds);
  }

  readonly request = NO_REQUEST;

  /* What flows ask that expressions call: what is read outside of commands changes nothing, so values hold. */

  spend(steps: number): void {
    spendTurns(steps);
  }

  enter(): void {
    spendTurns(1);
  }

  leave(): void {
    return;
  }

  holder(_resource: number, value: Json): { readonly value: JsonObject } | null {
    return isObject(value) ? { value } : null;
  }

  get worldTag(): string {
    return worldTag(this.origin);
  }

  timeOf(id: string): Json {
    return this.#timeIn(this.times.nameOf(id, this.tenant));
  }

  #timeIn(line: string | null): Json {
    const ms = this.times.msOf(line);
    return ms === this.world.nowMs ? this.world.now : this.model.env.fromMs(ms);
  }

  inTimeOf<T>(object: Dated, run: () => T): T {
    const before = this.#line;
    this.#line = this.times.of(object);
    try {
      return run();
    } finally {
      this.#line = before;
    }
  }

  get nowMs(): number {
    return this.times.msOf(this.#line);
  }

  get now(): Json {
    return this.#timeIn(this.#line);
  }

  /** Objects of a resource that are there for a tenant; null: for none. */
  collection(resource: number, tenant = this.tenant): Collection {
    return this.world.tenants.collection(tenant, resource);
  }

  /** In which tenant what an object does happens: a tenant's own doings in itself. */
  tenantOf({ tenant, resource, id }: Row): string | null {
    return resource === this.tenantResource ? this.tenantNamed(id) : tenant;
  }

  /**
   * The tenant that an id names; null for the world's own.
   * @throws ExpressionFailure when there never was such a tenant
   */
  tenantNamed(id: Json): string | null {
    if (id === null || id === this.pack.tenants?.home) return null;
    if (this.tenantResource < 0 || typeof id !== 'string') throw new ExpressionFailure('this names no tenant');
    if (this.world.collections[this.tenantResource].placeOf(id) === undefined)
      throw new ExpressionFailure(`there is no tenant '${id}'`);
    return id;
  }

  within<T>(tenant: Json, run: () => T): T {
    return within(this, this.tenantNamed(tenant), run);
  }

  lookupObject(resource: number, id: string): JsonObject | undefined {
    return this.collection(resource).get(id)?.value;
  }

  findObjects(resource: number, where: readonly (readonly [string, Json])[], limit: number): JsonObject[] {
    return this.findIn(this.collection(resource), where, limit);
  }

  /** Objects that meet all conditions, oldest first. An indexed field costs O(its bucket), no indexed field O(collection). */
  findIn(collection: Collection, where: readonly (readonly [string, Json])[], limit: number): JsonObject[] {
    const byId = where.find(([field]) => field === 'id');
    if (byId) {
      const row = typeof byId[1] === 'string' ? collection.get(byId[1]) : undefined;
      return row !== undefined && meets(row.value, where) ? [row.value] : [];
    }
    const indexed = where.find(([field]) => collection.hasIndex(field));
    const rows = indexed ? collection.ordered(indexed[0], indexed[1]) : collection.ordered();
    const found: JsonObject[] = [];
    let seen = 0;
    for (const row of rows.all()) {
      seen++;
      if (!meets(row.value, where)) continue;
      found.push(row.value);
      if (found.length >= limit) break;
    }
    spendTurns(seen);
    return found;
  }

  countObjects(resource: number, where: readonly (readonly [string, Json])[]): number {
    return this.findObjects(resource, where, Infinity).length;
  }

  answer(resource: number, object: JsonObject): Json {
    return responseOfObject(this, this.collection(resource), this.resources[resource], object);
  }

  /** How many endpoints would receive an event of this type now. */
  subscribers(type: string, tenant = this.tenant): number {
    if (this.endpoints === null) return 0;
    spendTurns(this.endpoints.size);
    return this.endpoints.count(type, tenant);
  }

  undelivered(eventId: string): number {
    return this.undeliveredOf(eventId);
  }

  deliveries(endpointId: string): readonly JsonObject[] {
    return this.deliveriesTo(endpointId);
  }

  /** Outside a command only answers draw: from the stream of requests, so that they change nothing in the world. */
  randomInt(low: number, high: number): number {
    return this.world.requestStream.integer(low, high);
  }

  randomString(length: number): string {
    return this.world.requestStream.text(length);
  }

  withRequestRandom<T>(run: () => T): T {
    return run();
  }

  hash(text: string, length: number): string {
    return this.world.stableText(text, length);
  }

  /** A named duration: overridden by the test, else the pack's; null when it never ends. */
  durationMs(name: string): number | null {
    const ms = this.world.durations.get(name) ?? this.model.settings.durations.get(name)?.defaultMs ?? Infinity;
    return ms === Infinity ? null : ms;
  }

  /** A wait in milliseconds; null when it never ends. */
  waitMs(wait: Wait): number | null {
    return typeof wait === 'number' ? wait : this.durationMs(wait.name);
  }

  pinned(resource: number, id: string | null, path: string): Json {
    const { pins } = this.world;
    return pins.size === 0 ? null : (pins.find(this.#pinnable(resource, id), path)?.value ?? null);
  }

  #pinnable(resource: number, id: string | null): Pinned {
    const row = id === null ? undefined : this.collection(resource).get(id);
    return row ?? { resource, id, tenant: this.tenant, value: undefined };
  }

  pinsWithin(resource: number, id: string | null, path: string): { keys: string[]; value: Json }[] {
    const { pins } = this.world;
    const subject = this.#pinnable(resource, id);
    return pathsWithin(pins.of(resource), path).flatMap((each) => {
      const pin = pins.find(subject, each);
      return pin ? [{ keys: keysBelow(path, each), value: pin.value }] : [];
    });
  }

  scenarioValue(): Json {
    return null;
  }

  hasSwitch(name: string): boolean {
    return this.pack.versions?.current.switches.has(name) === true;
  }
}

function meets(value: JsonObject, where: readonly (readonly [string, Json])[]): boolean {
  for (const [field, wanted] of where) if (!equal(value[field] ?? null, wanted)) return false;
  return true;
}

/** The resources of what receives events; null: nothing is delivered. */
function endpointsOf({ model: { settings, byName } }: Program): readonly ResourceDef[] | null {
  if (!settings.delivery) return null;
  return endpointNames(settings.delivery).flatMap((name) => byName.get(name) ?? []);
}
