import { equal, type Json, type JsonObject } from '../values/index.js';
import { type Host } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';
import type { CallPin, Version } from '../program/index.js';
import type { Collection, Origin, Provenance, RandomStream, Row, Transaction, World } from '../world/index.js';
import { responseOfObject } from './response.js';
import { keysBelow, pathsWithin } from './pins.js';
import type { Runtime } from './runtime.js';
import type { Dated } from './time-owners.js';
import { within } from './within.js';

export interface CommandOptions {
  readonly name: string;
  /** Decides where exogenous values are said to come from, and where ids are drawn from. */
  readonly origin: Origin;
  readonly request: RequestInfo;
  /** The version that the call asked for; the account's unless given. */
  readonly version?: Version;
  readonly pins?: readonly CallPin[];
  readonly scenarioValues?: JsonObject;
  /** The tenant in which it begins; none unless given. */
  readonly tenant?: string | null;
}

/** The world as a running command sees it: what expressions ask, and which values from outside were decided. */
export abstract class ReadContext implements Host {
  readonly world: World;
  readonly transaction: Transaction;
  nowMs: number;
  now: Json;
  /** The time owner in whose time it acts now; null: the world's. */
  line: string | null = null;
  /** The tenant in which it acts now; null: none. */
  tenant: string | null;
  /** Exogenous values that were decided in this command, with the object they belong to. */
  readonly exogenous: { readonly row: Row | null; readonly resource: number; readonly value: Provenance }[] = [];
  /** Where ids are drawn from: what follows from outside has a stream of its own. */
  readonly ids: RandomStream;
  /** Where random values are drawn from. */
  #drawn: RandomStream;

  constructor(
    readonly runtime: Runtime,
    readonly options: CommandOptions,
  ) {
    this.world = runtime.world;
    this.nowMs = this.world.nowMs;
    this.now = this.world.now;
    this.transaction = this.world.begin();
    this.tenant = options.tenant ?? null;
    this.ids = options.origin === 'outside' ? this.world.outsideStream : this.world.random;
    this.#drawn = this.ids;
  }

  abstract spend(steps: number): void;
  abstract enter(): void;
  abstract leave(): void;
  abstract holder(resource: number, value: Json): { readonly value: JsonObject } | null;

  /** From now on `now` is that of a time owner. */
  enterLine(line: string | null): void {
    const ms = line === null ? undefined : this.world.clocks.get(line);
    this.line = ms === undefined ? null : line;
    this.nowMs = ms ?? this.world.nowMs;
    this.now = ms === undefined ? this.world.now : this.runtime.model.env.fromMs(ms);
  }

  /** Runs something in the time of an owner; null: in the world's. */
  inLine<T>(line: string | null, run: () => T): T {
    if (line === this.line) return run();
    const { line: before, nowMs, now } = this;
    this.enterLine(line);
    try {
      return run();
    } finally {
      [this.line, this.nowMs, this.now] = [before, nowMs, now];
    }
  }

  inTimeOf<T>(object: Dated, run: () => T): T {
    return this.inLine(this.runtime.times.of(object), run);
  }

  timeOf(id: string): Json {
    const { times, model } = this.runtime;
    return model.env.fromMs(times.msOf(times.nameOf(id, this.tenant)));
  }

  get request(): RequestInfo {
    return this.options.request;
  }

  get actor(): Json {
    const { actor } = this.runtime.pack;
    const id = actor === null ? null : actor.id(this, this.options.request);
    return actor !== null && typeof id === 'string' ? (this.lookupObject(actor.resource, id) ?? null) : null;
  }

  /** Objects of a resource that are there for the tenant in which it acts. */
  collection(resource: number): Collection {
    return this.world.tenants.collection(this.tenant, resource);
  }

  row(resource: number, id: string): Row | undefined {
    return this.collection(resource).get(id);
  }

  enterTenant(tenant: Json): string | null {
    const before = this.tenant;
    this.tenant = this.runtime.tenantNamed(tenant);
    return before;
  }

  leaveTenant(before: string | null): void {
    this.tenant = before;
  }

  within<T>(tenant: Json, run: () => T): T {
    return within(this, this.runtime.tenantNamed(tenant), run);
  }

  lookupObject(resource: number, id: string): JsonObject | undefined {
    return this.collection(resource).get(id)?.value;
  }

  get worldTag(): string {
    return this.runtime.worldTag;
  }

  findObjects(resource: number, where: readonly (readonly [string, Json])[], limit: number): readonly JsonObject[] {
    return this.runtime.findIn(this.collection(resource), where, limit);
  }

  countObjects(resource: number, where: readonly (readonly [string, Json])[]): number {
    return this.runtime.findIn(this.collection(resource), where, Infinity).length;
  }

  answer(resource: number, object: JsonObject): Json {
    return responseOfObject(this, this.collection(resource), this.runtime.resources[resource], object);
  }

  subscribers(type: string): number {
    return this.runtime.subscribers(type, this.tenant);
  }

  undelivered(eventId: string): number {
    return this.runtime.undelivered(eventId);
  }

  deliveries(endpointId: string): readonly JsonObject[] {
    return this.runtime.deliveries(endpointId);
  }

  randomInt(low: number, high: number): number {
    return this.#drawn.integer(low, high);
  }

  randomString(length: number): string {
    return this.#drawn.text(length);
  }

  /** Runs something that only answers: what it draws comes from the stream of requests and changes nothing in the world. */
  withRequestRandom<T>(run: () => T): T {
    const drawn = this.#drawn;
    this.#drawn = this.world.requestStream;
    try {
      return run();
    } finally {
      this.#drawn = drawn;
    }
  }

  hash(text: string, length: number): string {
    return this.world.stableText(text, length);
  }

  durationMs(name: string): number | null {
    return this.runtime.durationMs(name);
  }

  pinned(resource: number, id: string | null, path: string): Json {
    return this.pinFor(resource, id, path)?.value ?? null;
  }

  /** The pin that decides a path now, of this call or armed; its value may be null. */
  pinFor(resource: number, id: string | null, path: string): { readonly value: Json } | undefined {
    const { pins } = this.options;
    const called = pins?.find((pin) => pin.resource === resource && pin.path === path);
    const row = id === null ? null : (this.row(resource, id) ?? null);
    if (called) {
      this.decided(row, resource, { path, source: 'scenario', value: called.value });
      return called;
    }
    if (this.world.pins.size === 0) return undefined;
    const pin = this.world.pins.find(row ?? { resource, id, tenant: this.tenant, value: undefined }, path);
    if (pin === undefined) return undefined;
    this.decided(row, resource, { path, source: 'pin', value: pin.value });
    if (pin.once) this.transaction.write(this.world.pins, pin.id, undefined);
    return pin;
  }

  pinsWithin(resource: number, id: string | null, path: string): { keys: string[]; value: Json }[] {
    const { pins } = this.world;
    const called = (this.options.pins ?? []).filter((pin) => pin.resource === resource);
    if (pins.size === 0 && called.length === 0) return [];
    return pathsWithin([...pins.of(resource), ...called], path).flatMap((each) => {
      const pin = this.pinFor(resource, id, each);
      return pin ? [{ keys: keysBelow(path, each), value: pin.value }] : [];
    });
  }

  scenarioValue(name: string): Json {
    return this.options.scenarioValues?.[name] ?? null;
  }

  hasSwitch(name: string): boolean {
    const { version } = this.options;
    return version === undefined ? this.runtime.hasSwitch(name) : version.switches.has(name);
  }

  /** Remembers where a value from outside came from, for traces. What the object says already changes nothing. */
  decided(row: Row | null, resource: number, value: Provenance): void {
    this.exogenous.push({ row, resource, value });
    if (row === null || row.provenance?.some((each) => isSame(each, value))) return;
    const others = (row.provenance ?? []).filter((each) => each.path !== value.path);
    this.transaction.explain(row, [...others, value]);
  }
}

function isSame(a: Provenance, b: Provenance): boolean {
  return a.path === b.path && a.source === b.source && equal(a.value, b.value);
}
