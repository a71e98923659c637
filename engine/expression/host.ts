import type { Json, JsonObject } from '../values/index.js';

/** What an expression may ask of the world while it runs. Implemented by `Reader` in runtime/. */
export interface Host {
  /** The simulated time in milliseconds. */
  readonly nowMs: number;
  /** The simulated time in the pack's representation. */
  readonly now: Json;
  /** Where callers reach the world: what `base_url` and `socket_url` become for them. Empty: it is not served yet. */
  readonly baseUrl: string;
  /** What keys carry that the world makes, where one address serves several worlds; else empty. */
  readonly worldTag: string;
  lookupObject(resource: number, id: string): JsonObject | undefined;
  findObjects(resource: number, where: readonly (readonly [string, Json])[], limit: number): readonly JsonObject[];
  countObjects(resource: number, where: readonly (readonly [string, Json])[]): number;
  /** The object as the vendor's API returns it. */
  answer(resource: number, object: JsonObject, shape?: string): Json;
  /** How many endpoints would receive an event of this type. */
  subscribers(type: string): number;
  /** What time it is for an object that has a time of its own, else for the world. */
  timeOf(id: string): Json;
  /** How many endpoints have not taken an event yet. */
  undelivered(eventId: string): number;
  /** What was sent to an endpoint, newest first: `{id, event, type, status, attempts, made_at, done_at}`. */
  deliveries(endpointId: string): readonly JsonObject[];
  randomInt(low: number, high: number): number;
  randomString(length: number): string;
  /** A new id: a prefix, and what an id format of the pack says. */
  newIdOf(prefix: string, format: string): string;
  /** Runs what only reads: what it draws changes nothing in the world. */
  withRequestRandom<T>(run: () => T): T;
  hash(text: string, length: number): string;
  /** A named duration in milliseconds; null when it never ends. */
  durationMs(name: string): number | null;
  pinned(resource: number, id: string | null, path: string): Json;
  /** Values that pins decide at a path of an object and below it, outer ones first. */
  pinsWithin(
    resource: number,
    id: string | null,
    path: string,
  ): readonly { readonly keys: readonly string[]; readonly value: Json }[];
  scenarioValue(name: string): Json;
  /** Notes that the call asks for something that the pack doesn't emulate. @throws Rejection where the world is strict */
  unsupported(kind: 'qualifier' | 'parameter' | 'case', name: string): void;
  /** What the caller has left of a rate limit of the pack; null outside of calls. */
  rateLimit(name: string): Json;
  /** Whether the version of what runs has a switch. */
  hasSwitch(name: string): boolean;
  /** Counts steps of a flow that an expression calls. @throws BudgetExceeded */
  spend(steps: number): void;
  /** What runs until `leave` lies one level deeper. @throws BudgetExceeded */
  enter(): void;
  leave(): void;
  /** The row of an object, or a holder of its value when it is in no collection. */
  holder(resource: number, value: Json): { readonly value: JsonObject } | null;
  /** Who calls, as the object is now; null: no object of the pack. */
  readonly actor: Json;
  /** Whether the token of the call has a scope; what comes with no token may do everything. */
  hasScope(name: Json): boolean;
  /** The tenant in which it runs; null: none. */
  readonly tenant: string | null;
  /** Runs something in a tenant; null: in none. @throws ExpressionFailure when there is no such tenant */
  within<T>(tenant: Json, run: () => T): T;
  /** Runs something in the simulated time of an object. */
  inTimeOf<T>(
    object: {
      readonly resource: number;
      readonly id: string;
      readonly tenant: string | null;
      readonly value: JsonObject;
    },
    run: () => T,
  ): T;
}

/** How a version of the vendor's API shows objects: what `rest()` gives in the version's own file. */
export interface Shaped {
  /** An object of a resource as the version returns it. */
  answer(x: Host, resource: number, object: JsonObject): Json;
  /** A value that was returned in the shape of the base, with the objects that are whole in it as the version returns them. */
  embed(x: Host, value: Json): Json;
}
