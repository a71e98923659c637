import type { Json } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { Row } from '../world/index.js';

/** Keys that are made while the world runs: objects of a resource. */
export interface TokenPlan {
  /** Number of the resource. */
  readonly resource: number;
  /** The field that holds the key. */
  readonly field: string;
  /** Whether one still opens anything; null: as long as it is there. */
  readonly when: ((host: Host, self: Row) => Json) | null;
  /** Its scopes, as a list of texts or as words of one; null: it has every scope. */
  readonly scopes: ((host: Host, self: Row) => Json) | null;
}
