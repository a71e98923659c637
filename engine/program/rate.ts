import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, Wait } from '../model/index.js';
import type { RateRule } from '../world/index.js';

/** The caller's remaining calls, for headers and errors. */
export interface RateFacts {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** When the window ends, in the pack's time format. */
  readonly reset: Json;
  /** Whole seconds until the window ends. */
  readonly reset_in: number;
  /** By how much the call reduces what is left. */
  readonly cost: number;
  /** Whole seconds until a call is possible; null: now, or never. */
  readonly retry_after: number | null;
  /** Length of the limit's window, in whole seconds. */
  readonly window: number;
}

/** A limit of calls in a span of simulated time. */
export interface RateLimit {
  readonly name: string;
  readonly kind: RateRule['kind'];
  readonly window: Wait;
  readonly burst: number | null;
  /** The error for calls above it. */
  readonly error: string;
  /** Keys of the operations that it counts. */
  readonly operations: ReadonlySet<string>;
  /** The expressions of the limit, compiled on first use. */
  readonly parts: () => {
    readonly limit: (host: Host, request: RequestInfo) => Json;
    /** Whether the limit counts a call; null: always. */
    readonly when: OfCall | null;
    /** The key under which calls are counted together. */
    readonly per: OfCall;
    /** By how much a call reduces what is left; null: by 1. */
    readonly cost: OfCall | null;
    /** The actual cost of a call, from the JSON of a successful response; null: its cost. */
    readonly spent: ((host: Host, request: RequestInfo, params: JsonObject, response: Json) => Json) | null;
    readonly headers: (host: Host, request: RequestInfo, facts: RateFacts) => JsonObject;
  };
}

/** Computes a value from a call. @param params path, query and body of the call, unchecked */
export type OfCall = (host: Host, request: RequestInfo, params: JsonObject) => Json;
