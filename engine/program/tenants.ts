import type { Json } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { Row } from '../world/index.js';

/** How calls select a tenant: an object of one resource that other objects belong to. */
export interface TenantPlan {
  /** Number of the resource whose objects are tenants. */
  readonly resource: number;
  /** The id that means no tenant; null: none. */
  readonly home: string | null;
  /** Headers that name a tenant, in lower case. */
  readonly headers: readonly string[];
  /** The response header that names the tenant; null: none. */
  readonly echo: string | null;
  /** Names in routes whose value is a tenant's id. */
  readonly pathNames: ReadonlySet<string>;
  /** The field of a tenant that holds its key; null: none. */
  readonly keyField: string | null;
  /** The field of a token that names its tenant; null: none. */
  readonly tokenField: string | null;
  /** Condition under which calls may use a tenant; null: every existing tenant may be used. */
  readonly admits: ((host: Host, self: Row) => Json) | null;
}
