import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo, Wait } from '../model/index.js';
import type { RateRule } from '../world/index.js';

/** What a caller has left, as headers and errors show it. */
export interface RateFacts {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** In the pack's representation of time. */
  readonly reset: Json;
  /** Whole seconds until then. */
  readonly reset_in: number;
  /** How much the call uses up. */
  readonly cost: number;
  /** Whole seconds until a call has room; null: it has now, or it never will. */
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
  /** The error of calls beyond it. */
  readonly error: string;
  /** Keys of the operations that it counts. */
  readonly operations: ReadonlySet<string>;
  /** Compiled when first needed. */
  readonly parts: () => {
    readonly limit: (host: Host, request: RequestInfo) => Json;
    /** Whether it counts a call. */
    readonly when: OfCall | null;
    /** Whose calls are counted together. */
    readonly per: OfCall;
    /** How much a call uses up; null: 1. */
    readonly cost: OfCall | null;
    /** What it really used up, by the JSON of a response that is a success; null: its cost. */
    readonly spent: ((host: Host, request: RequestInfo, params: JsonObject, response: Json) => Json) | null;
    readonly headers: (host: Host, request: RequestInfo, facts: RateFacts) => JsonObject;
  };
}

/** @param params what the call brings in path, query and body, before it is checked */
export type OfCall = (host: Host, request: RequestInfo, params: JsonObject) => Json;
