import type { Json, JsonObject } from '../values/index.js';

/** The interface through which expressions read the world. Implemented by `Reader` in runtime/. */
export interface Host {
  /** The simulated time in milliseconds. */
  readonly nowMs: number;
  /** The simulated time in the pack's format. */
  readonly now: Json;
  /** The real address of the world, for `base_url` and `socket_url`. Empty: it isn't served yet. */
  readonly baseUrl: string;
  /** The part of issued keys that identifies the world if several share one address; else empty. */
  readonly worldTag: string;
  lookupObject(resource: number, id: string): JsonObject | undefined;
  findObjects(resource: number, where: readonly (readonly [string, Json])[], limit: number): readonly JsonObject[];
  countObjects(resource: number, where: readonly (readonly [string, Json])[]): number;
  /** The object as the vendor API returns it. */
  answer(resource: number, object: JsonObject, shape?: string): Json;
  /** The number of endpoints that would receive an event of this type. */
  subscribers(type: string): number;
  /** The time of an object's own clock, else of the world's. */
  timeOf(id: string): Json;
  /** The number of endpoints that haven't accepted an event yet. */
  undelivered(eventId: string): number;
  /** Deliveries to an endpoint, newest first: `{id, event, type, status, attempts, made_at, done_at}`. */
  deliveries(endpointId: string): readonly JsonObject[];
  randomInt(low: number, high: number): number;
  randomString(length: number): string;
  /** A new id with a prefix, in an id format of the pack. */
  newIdOf(prefix: string, format: string): string;
  /** Runs a function read-only: random values that it draws don't change the world. */
  withRequestRandom<T>(run: () => T): T;
  hash(text: string, length: number): string;
  /** A named duration in milliseconds; null if it never ends. */
  durationMs(name: string): number | null;
  pinned(resource: number, id: string | null, path: string): Json;
  /** Pinned values at and below a path of an object, outer ones first. */
  pinsWithin(
    resource: number,
    id: string | null,
    path: string,
  ): readonly { readonly keys: readonly string[]; readonly value: Json }[];
  scenarioValue(name: string): Json;
  /** Records a request that the pack doesn't emulate. @throws Rejection if the world is strict */
  unsupported(kind: 'qualifier' | 'parameter' | 'case', name: string): void;
  /** The caller's remaining calls of a rate limit; null outside of calls. */
  rateLimit(name: string): Json;
  /** Whether the version of the call has a feature switch. */
  hasSwitch(name: string): boolean;
  /** Counts work of a flow that an expression calls. @throws BudgetExceeded */
  spend(steps: number): void;
  /** Enters a flow that an expression calls, until `leave`. @throws BudgetExceeded if flows are nested too deeply */
  enter(): void;
  leave(): void;
  /** Returns the row of an object; a holder of the value if the object isn't in the world. */
  holder(resource: number, value: Json): { readonly value: JsonObject } | null;
  /** The object that makes the call, in its present state; null: none. */
  readonly actor: Json;
  /** Whether the call's token has a scope; calls without a token have all scopes. */
  hasScope(name: Json): boolean;
  /** The current tenant; null: none. */
  readonly tenant: string | null;
  /** Runs a function in a tenant; null: in none. @throws ExpressionFailure if there is no such tenant */
  within<T>(tenant: Json, run: () => T): T;
  /** Runs a function in the simulated time of an object. */
  inTimeOf<T>(object: Dated, run: () => T): T;
}

/** An object's data by which its time owner is found. */
export interface Dated {
  readonly resource: number;
  readonly id: string;
  readonly tenant: string | null;
  readonly value: JsonObject;
}

/** How a version of the vendor API shows objects, for `rest()` in the version's own file. */
export interface Shaped {
  /** An object of a resource in this version. */
  answer(x: Host, resource: number, object: JsonObject): Json;
  /** Converts a value in the base version, including complete objects in it, to this version. */
  embed(x: Host, value: Json): Json;
}
