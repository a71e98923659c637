import type { Json } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';
import type { Row } from '../world/index.js';

/** Who calls: an object of a resource. */
export interface ActorPlan {
  /** Number of the resource. */
  readonly resource: number;
  /** The id of who makes a call; null: an anonymous caller. */
  readonly id: (host: Host, request: RequestInfo) => Json;
}

/** Keys that are made while the world runs: objects of a resource. */
export interface TokenPlan {
  /** Number of the resource. */
  readonly resource: number;
  /** The field that holds the key. */
  readonly field: string;
  /** Whether one still opens anything; null: as long as it is there. */
  readonly when: ((host: Host, self: Row) => Json) | null;
  /** Scopes that come with another one. */
  readonly implies: Readonly<Record<string, readonly string[]>>;
  /** Its scopes, as a list of texts or as words of one; null: it has every scope. */
  readonly scopes: ((host: Host, self: Row) => Json) | null;
}
