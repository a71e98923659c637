import { equal, type Json, type JsonObject, useByteStore, isObject } from '../values/index.js';
import { ANONYMOUS_KEY, type RequestInfo } from '../model/index.js';
import type { CallPin, Version, TokenPlan } from '../program/index.js';
import type { EntryOrigin, Provenance, RandomStream, Row, Transaction } from '../world/index.js';
import { Reader } from './reader.js';
import type { Runtime } from './runtime.js';
import type { Dated, Host } from '../expression/index.js';

/** The state of the caller's rate limits, for expressions. */
export interface RateView {
  /** Returns limit, remaining calls and end of the window of a rate limit; null: the limit doesn't count the call. */
  of(name: string, request: RequestInfo): Json;
}

export interface CommandOptions {
  readonly name: string;
  /** Origin of the command, which selects the random stream of ids and the recorded origin of values from outside. */
  readonly origin: EntryOrigin;
  readonly request: RequestInfo;
  /** The API version that the call requests; the account's by default. */
  readonly version?: Version;
  readonly pins?: readonly CallPin[];
  readonly scenarioValues?: JsonObject;
  readonly rates?: RateView | null;
  /** The tenant in which the command begins; none by default. */
  readonly tenant?: string | null;
}

/** The world for expressions of a running command. Also records the values from outside that the command decides. */
export abstract class ReadContext extends Reader {
  declare readonly runtime: Runtime;
  readonly transaction: Transaction;
  nowMs: number;
  now: Json;
  /** The time owner whose clock `now` reads; null: the world's clock. */
  line: string | null = null;
  /** The request of an operation that a step is calling; null: none. */
  protected inner: RequestInfo | null = null;
  /** Values from outside that this command decided, each with the object that contains it. */
  readonly exogenous: { readonly row: Row | null; readonly resource: number; readonly value: Provenance }[] = [];
  /** The random stream of ids. Commands that follow from actions outside of the world have a separate one. */
  readonly ids: RandomStream;
  /** The random stream of values in expressions. */
  protected drawn: RandomStream;

  constructor(
    runtime: Runtime,
    readonly options: CommandOptions,
  ) {
    super(runtime);
    useByteStore(runtime.surroundings.files);
    this.nowMs = this.world.nowMs;
    this.now = this.world.now;
    this.transaction = this.world.begin();
    this.tenant = options.tenant ?? null;
    this.ids = options.origin === 'outside' ? this.world.outsideStream : this.world.random;
    this.drawn = this.ids;
  }

  /** Makes `now` read the clock of a time owner; null: the world's clock. */
  enterLine(line: string | null): void {
    const ms = line === null ? undefined : this.world.clocks.get(line);
    this.line = ms === undefined ? null : line;
    this.nowMs = ms ?? this.world.nowMs;
    this.now = ms === undefined ? this.world.now : this.runtime.model.env.fromMs(ms);
  }

  /** Runs a function in which `now` reads the clock of a time owner; null: the world's clock. */
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

  get request(): RequestInfo {
    return this.inner ?? this.options.request;
  }

  get actor(): Json {
    const { actor } = this.runtime.pack;
    const id = actor === null ? null : actor.id(this, this.options.request);
    return actor !== null && typeof id === 'string' ? (this.lookupObject(actor.resource, id) ?? null) : null;
  }

  hasScope(name: Json): boolean {
    const { key, token } = this.options.request;
    const { tokens } = this.runtime.pack;
    if (token === null || tokens === null) return key !== ANONYMOUS_KEY;
    for (const collection of this.world.tenants.everywhere(tokens.resource)) {
      const row = collection.get(token);
      if (row !== undefined) return scopesOf(tokens, this, row)?.has(String(name)) ?? true;
    }
    return false;
  }

  enterTenant(tenant: Json): string | null {
    const before = this.tenant;
    this.tenant = this.tenantNamed(tenant);
    return before;
  }

  leaveTenant(before: string | null): void {
    this.tenant = before;
  }

  /** Runs a function that only reads, with the random stream of request ids, so that the world's stream doesn't advance. */
  withRequestRandom<T>(run: () => T): T {
    const { drawn } = this;
    this.drawn = this.world.requestStream;
    try {
      return run();
    } finally {
      this.drawn = drawn;
    }
  }

  /** Finds the pin that overrides a path now: one of the call's own, or an active one of the world. Its value may be null. */
  override pinFor(resource: number, id: string | null, path: string): { readonly value: Json } | undefined {
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

  protected override pinsOf(resource: number): readonly { readonly path: string }[] {
    const called = this.options.pins?.filter((pin) => pin.resource === resource) ?? [];
    return called.length === 0 ? super.pinsOf(resource) : [...super.pinsOf(resource), ...called];
  }

  override rateLimit(name: string): Json {
    return this.options.rates?.of(name, this.options.request) ?? null;
  }

  override scenarioValue(name: string): Json {
    return this.options.scenarioValues?.[name] ?? null;
  }

  override hasSwitch(name: string): boolean {
    const { version } = this.options;
    return version === undefined ? super.hasSwitch(name) : version.switches.has(name);
  }

  /** Records the origin of a value from outside, for traces. Does nothing if the object has the same origin already. */
  decided(row: Row | null, resource: number, value: Provenance): void {
    this.exogenous.push({ row, resource, value });
    if (row === null || row.provenance?.some((each) => isSame(each, value))) return;
    const others = (row.provenance ?? []).filter((each) => each.path !== value.path);
    const sources = others.length === 0 ? this.runtime.onlySource(value) : [...others, value];
    this.transaction.explain(this.world.collectionOf(row), row, sources);
  }
}

function isSame(a: Provenance, b: Provenance): boolean {
  return a.path === b.path && a.source === b.source && equal(a.value, b.value);
}

/** Returns the scopes of a token, including implied ones; null: the token has all scopes. */
export function scopesOf({ scopes, implies }: TokenPlan, host: Host, token: Row): ReadonlySet<string> | null {
  if (scopes === null) return null;
  const has = new Set(words(scopes(host, token)));
  // The iteration includes scopes that the loop adds, so implied scopes of implied ones are added too.
  for (const scope of has) for (const each of implies[scope] ?? []) has.add(each);
  return has;
}

function words(value: Json): ReadonlySet<string> {
  if (typeof value === 'string') return new Set(value.split(/[\s,]+/));
  return new Set(Array.isArray(value) || isObject(value) ? Object.values(value).map(String) : []);
}
