import type { Json } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';
import type { Row } from '../world/index.js';

/** How the actor of a call is found: an object of a resource. */
export interface ActorPlan {
  /** Number of the resource whose objects are actors. */
  readonly resource: number;
  /** Computes the id of a call's actor; null: the call is anonymous. */
  readonly id: (host: Host, request: RequestInfo) => Json;
}

/** How keys that the world issues are stored and checked: as objects of a resource. */
export interface TokenPlan {
  /** Number of the resource whose objects are tokens. */
  readonly resource: number;
  /** Name of the field that contains the key. */
  readonly field: string;
  /** Condition under which a token's key is valid; null: while the token exists. */
  readonly when: ((host: Host, self: Row) => Json) | null;
  /** For each scope, the scopes that it implies. */
  readonly implies: Readonly<Record<string, readonly string[]>>;
  /** The scopes of a token, as a list or as words of a text; null: each token has all scopes. */
  readonly scopes: ((host: Host, self: Row) => Json) | null;
}
