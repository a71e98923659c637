import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, Wait } from '../model/index.js';
import type { RateRule } from '../world/index.js';

/** What a caller has left, for headers and errors. */
export interface RateFacts {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** In the pack's time format. */
  readonly reset: Json;
  /** Whole seconds until then. */
  readonly reset_in: number;
  /** How much the call uses. */
  readonly cost: number;
  /** Whole seconds until a call is possible; null: now, or never. */
  readonly retry_after: number | null;
  /** Whole seconds. */
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
  /** Compiled on first use. */
  readonly parts: () => {
    readonly limit: (host: Host, request: RequestInfo) => Json;
    /** Whether it counts a call; null: always. */
    readonly when: OfCall | null;
    /** The key under which calls are counted together. */
    readonly per: OfCall;
    /** How much a call uses; null: 1. */
    readonly cost: OfCall | null;
    /** What a call actually used, from the JSON of a successful response; null: its cost. */
    readonly spent: ((host: Host, request: RequestInfo, params: JsonObject, response: Json) => Json) | null;
    readonly headers: (host: Host, request: RequestInfo, facts: RateFacts) => JsonObject;
  };
}

/** @param params path, query and body of the call, unchecked */
export type OfCall = (host: Host, request: RequestInfo, params: JsonObject) => Json;
