import type { Json } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';
import type { Row } from '../world/index.js';

/** Actors: objects of a resource that make calls. */
export interface ActorPlan {
  /** Number of the resource whose objects are actors. */
  readonly resource: number;
  /** The id of a call's actor; null: anonymous. */
  readonly id: (host: Host, request: RequestInfo) => Json;
}

/** Keys that the world issues: objects of a resource. */
export interface TokenPlan {
  /** Number of the resource whose objects are tokens. */
  readonly resource: number;
  /** The field that holds the key. */
  readonly field: string;
  /** Whether a key is valid; null: while it exists. */
  readonly when: ((host: Host, self: Row) => Json) | null;
  /** Scopes that are implied by another one. */
  readonly implies: Readonly<Record<string, readonly string[]>>;
  /** The scopes of a token, as a list or as words of a text; null: each token has all scopes. */
  readonly scopes: ((host: Host, self: Row) => Json) | null;
}
