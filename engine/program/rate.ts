import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, Wait } from '../model/index.js';
import type { RateRule } from '../world/index.js';

/** The state of a caller's rate limit, for headers and errors. */
export interface RateFacts {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** End of the window, in the pack's time format. */
  readonly reset: Json;
  /** Whole seconds until the current window ends. */
  readonly reset_in: number;
  /** Number of units that the call uses. */
  readonly cost: number;
  /** Whole seconds until the limit allows another call; null: it allows one now, or never. */
  readonly retry_after: number | null;
  /** Length of the limit's window, in whole seconds. */
  readonly window: number;
}

/** A limit on the number of calls in a span of simulated time. */
export interface RateLimit {
  readonly name: string;
  readonly kind: RateRule['kind'];
  readonly window: Wait;
  readonly burst: number | null;
  /** Name of the error for calls that exceed the limit. */
  readonly error: string;
  /** Keys of the operations to which the limit applies. */
  readonly operations: ReadonlySet<string>;
  /** Compiles the expressions of the limit on first use. */
  readonly parts: () => {
    readonly limit: (host: Host, request: RequestInfo) => Json;
    /** Condition for counting a call; null: the limit counts every call. */
    readonly when: OfCall | null;
    /** Computes the key by which the limit groups calls, such as the caller. */
    readonly per: OfCall;
    /** Computes the number of units that a call uses; null: 1. */
    readonly cost: OfCall | null;
    /** Computes the number of units actually used from the JSON of a successful response; null: the cost stays. */
    readonly spent: ((host: Host, request: RequestInfo, params: JsonObject, response: Json) => Json) | null;
    readonly headers: (host: Host, request: RequestInfo, facts: RateFacts) => JsonObject;
  };
}

/** Computes a value from a call. @param params path, query and body of the call, unchecked */
export type OfCall = (host: Host, request: RequestInfo, params: JsonObject) => Json;
