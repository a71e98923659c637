import { equal, ExpressionFailure, isObject, type Json, type JsonObject, spendTurns } from '../values/index.js';
import { type Dated, type Host, worldTag } from '../expression/index.js';
import { type IdFormat, type Model, NO_REQUEST, type RequestInfo, type Wait } from '../model/index.js';
import type { Program, ResourceProgram } from '../program/index.js';
import type { Collection, RandomStream, Row, UnsupportedKind, World } from '../world/index.js';
import { responseOfObject } from './response.js';
import type { Endpoints } from './endpoints.js';
import type { Surroundings } from './surroundings.js';
import type { TimeOwners } from './time-owners.js';

/** Runs a function with a tenant (null: none) as the host's current one, and then restores the previous tenant. */
function within<T>(host: { tenant: string | null }, tenant: string | null, run: () => T): T {
  const before = host.tenant;
  host.tenant = tenant;
  try {
    return run();
  } finally {
    host.tenant = before;
  }
}

/** Lists the paths of pins at or below a path, outer ones first. */
function pathsWithin(pins: readonly { readonly path: string }[], path: string): string[] {
  const paths = new Set(pins.map((pin) => pin.path).filter((each) => each === path || each.startsWith(`${path}.`)));
  return [...paths].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** Returns the keys that lead from a path to a path below it. */
function keysBelow(path: string, below: string): string[] {
  return below === path
    ? []
    : below
        .slice(path.length + 1)
        .replace(/\[(\d+)\]/g, '.$1')
        .split('.');
}

type Condition = readonly [field: string, value: Json];

/** A pack on a world, as far as expressions read it. */
export interface Readable {
  readonly pack: Program;
  readonly model: Model;
  readonly world: World;
  readonly surroundings: Surroundings;
  readonly resources: readonly ResourceProgram[];
  readonly endpoints: Endpoints | null;
  readonly times: TimeOwners;
  /** Number of the resource whose objects are tenants; -1: none. */
  readonly tenantResource: number;
}

/** Reads a world for expressions, in one tenant; the base of `WorldReader` (outside of commands) and of commands. */
export abstract class Reader implements Host {
  readonly world: World;
  abstract readonly nowMs: number;
  abstract readonly now: Json;
  /** The tenant in which expressions are evaluated now; null: none. */
  tenant: string | null = null;

  constructor(readonly runtime: Readable) {
    this.world = runtime.world;
  }

  /** The random stream from which expressions currently draw. */
  protected abstract get drawn(): RandomStream;
  abstract readonly actor: Json;
  abstract hasScope(name: Json): boolean;
  abstract inTimeOf<T>(object: Dated, run: () => T): T;
  abstract spend(steps: number): void;
  abstract enter(): void;
  abstract leave(): void;
  abstract holder(resource: number, value: Json): { readonly value: JsonObject } | null;
  abstract withRequestRandom<T>(run: () => T): T;

  /** Reports a use of something that the pack doesn't emulate. Does nothing here: only commands report. */
  unsupported(_kind: UnsupportedKind, _name: string): void {}

  get baseUrl(): string {
    return this.runtime.surroundings.address.origin;
  }

  get worldTag(): string {
    return worldTag(this.baseUrl);
  }

  timeOf(id: string): Json {
    const { times, model } = this.runtime;
    return model.env.fromMs(times.msOf(times.nameOf(id, this.tenant)));
  }

  /** Returns the collection of a resource's objects that the current tenant sees. */
  collection(resource: number): Collection {
    return this.world.tenants.collection(this.tenant, resource);
  }

  row(resource: number, id: string): Row | undefined {
    return this.collection(resource).get(id);
  }

  /** Returns the tenant in which an object's own steps run; for a tenant, that tenant itself. */
  tenantOf({ tenant, resource, id }: Row): string | null {
    return resource === this.runtime.tenantResource ? this.tenantNamed(id) : tenant;
  }

  /** Returns the tenant with an id; null for the id that means no tenant. @throws ExpressionFailure for an unknown tenant */
  tenantNamed(id: Json): string | null {
    const { pack, tenantResource } = this.runtime;
    if (id === null || id === pack.tenants?.home) return null;
    if (tenantResource < 0 || typeof id !== 'string') throw new ExpressionFailure('this names no tenant');
    if (this.world.collections[tenantResource].placeOf(id) === undefined)
      throw new ExpressionFailure(`there is no tenant '${id}'`);
    return id;
  }

  within<T>(tenant: Json, run: () => T): T {
    return within(this, this.tenantNamed(tenant), run);
  }

  lookupObject(resource: number, id: string): JsonObject | undefined {
    return this.row(resource, id)?.value;
  }

  findObjects(resource: number, where: readonly Condition[], limit: number): JsonObject[] {
    return this.findIn(this.collection(resource), where, limit);
  }

  /** Objects that meet all conditions, oldest first. O(bucket) with an indexed field, else O(collection). */
  findIn(collection: Collection, where: readonly Condition[], limit: number): JsonObject[] {
    const byId = where.find(([field]) => field === 'id');
    if (byId) {
      const row = typeof byId[1] === 'string' ? collection.get(byId[1]) : undefined;
      return row !== undefined && matches(row.value, where) ? [row.value] : [];
    }
    const indexed = where.find(([field]) => collection.hasIndex(field));
    const rows = indexed ? collection.ordered(indexed[0], indexed[1]) : collection.ordered();
    const found: JsonObject[] = [];
    let seen = 0;
    for (const row of rows.all()) {
      seen++;
      if (!matches(row.value, where)) continue;
      found.push(row.value);
      if (found.length >= limit) break;
    }
    spendTurns(seen);
    return found;
  }

  /** Returns the number of objects that `findObjects` finds; O(log n) for all objects or one indexed field. */
  countObjects(resource: number, where: readonly Condition[]): number {
    const collection = this.collection(resource);
    const [first, ...others] = where;
    if (first === undefined) return collection.size;
    if (others.length === 0 && collection.hasIndex(first[0])) return collection.ordered(...first).size;
    return this.findIn(collection, where, Infinity).length;
  }

  answer(resource: number, object: JsonObject, shape?: string): Json {
    return responseOfObject(this, this.collection(resource), this.runtime.resources[resource], object, shape);
  }

  /** Returns the number of endpoints that currently receive events of a type. */
  subscribers(type: string): number {
    const { endpoints } = this.runtime;
    if (endpoints === null) return 0;
    spendTurns(endpoints.size);
    return endpoints.count(type, this.tenant);
  }

  undelivered(eventId: string): number {
    return this.runtime.surroundings.sent.undelivered(eventId);
  }

  deliveries(endpointId: string): readonly JsonObject[] {
    return this.runtime.surroundings.sent.deliveries(endpointId);
  }

  randomInt(low: number, high: number): number {
    return this.drawn.integer(low, high);
  }

  randomString(length: number): string {
    return this.drawn.text(length);
  }

  newIdOf(prefix: string, format: string): string {
    return this.drawId(this.runtime.model.idFormat(prefix, format));
  }

  protected drawId(format: IdFormat): string {
    return format.make(this.drawn, 0, this.tenant, this.nowMs);
  }

  hash(text: string, length: number): string {
    return this.world.stableText(text, length);
  }

  /** Returns the length of a named duration, in milliseconds: a test's override, else the pack's; null: it never ends. */
  durationMs(name: string): number | null {
    const { durations } = this.runtime.model.settings;
    const ms = this.world.durations.get(name) ?? durations.get(name)?.defaultMs ?? Infinity;
    return ms === Infinity ? null : ms;
  }

  /** Returns the length of a wait in milliseconds; null: it never ends. */
  waitMs(wait: Wait): number | null {
    return typeof wait === 'number' ? wait : this.durationMs(wait.name);
  }

  pinned(resource: number, id: string | null, path: string): Json {
    return this.pinFor(resource, id, path)?.value ?? null;
  }

  /** Finds the active pin that overrides a path of an object now; its value may be null. */
  pinFor(resource: number, id: string | null, path: string): { readonly value: Json } | undefined {
    const { pins } = this.world;
    if (pins.size === 0) return undefined;
    const row = id === null ? undefined : this.row(resource, id);
    return pins.find(row ?? { resource, id, tenant: this.tenant, value: undefined }, path);
  }

  pinsWithin(resource: number, id: string | null, path: string): { keys: string[]; value: Json }[] {
    const pins = this.pinsOf(resource);
    if (pins.length === 0) return [];
    return pathsWithin(pins, path).flatMap((each) => {
      const pin = this.pinFor(resource, id, each);
      return pin ? [{ keys: keysBelow(path, each), value: pin.value }] : [];
    });
  }

  /** Lists the active pins of a resource's objects. */
  protected pinsOf(resource: number): readonly { readonly path: string }[] {
    return this.world.pins.of(resource);
  }

  rateLimit(_name: string): Json {
    return null;
  }

  scenarioValue(_name: string): Json {
    return null;
  }

  hasSwitch(name: string): boolean {
    return this.runtime.pack.versions?.current.switches.has(name) === true;
  }
}

/** Reads a world outside of commands, at its current time, with random values from the stream of request ids. */
export class WorldReader extends Reader {
  /** The time owner whose clock `now` reads; null: the world's clock. */
  #line: string | null = null;

  get nowMs(): number {
    return this.runtime.times.msOf(this.#line);
  }

  get now(): Json {
    const { nowMs } = this;
    return nowMs === this.world.nowMs ? this.world.now : this.runtime.model.env.fromMs(nowMs);
  }

  inTimeOf<T>(object: Dated, run: () => T): T {
    const before = this.#line;
    this.#line = this.runtime.times.of(object);
    try {
      return run();
    } finally {
      this.#line = before;
    }
  }

  protected get drawn(): RandomStream {
    return this.world.requestStream;
  }

  withRequestRandom<T>(run: () => T): T {
    return run();
  }

  #request: RequestInfo = NO_REQUEST;
  readonly actor = null;

  get request(): RequestInfo {
    return this.#request;
  }

  /** Runs a function for a call outside of a command; flows that the function calls can read the request. */
  during<T>(request: RequestInfo, run: () => T): T {
    const before = this.#request;
    this.#request = request;
    try {
      return run();
    } finally {
      this.#request = before;
    }
  }

  hasScope(): boolean {
    return true;
  }

  /** Does nothing: outside of commands, steps of flows aren't counted. */

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
}

function matches(value: JsonObject, where: readonly Condition[]): boolean {
  for (const [field, wanted] of where) if (!equal(value[field] ?? null, wanted)) return false;
  return true;
}
