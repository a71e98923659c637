import type { Json } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { Row } from '../world/index.js';

/** Whose objects calls are about: the objects of a resource are tenants, each with objects of its own. */
export interface TenantPlan {
  /** Number of the resource. */
  readonly resource: number;
  /** The id that stands for no tenant; null: none does. */
  readonly home: string | null;
  /** Headers that name one, in lower case. */
  readonly headers: readonly string[];
  /** The header that responses name it in; null: none. */
  readonly echo: string | null;
  /** Names in routes that name one. */
  readonly pathNames: ReadonlySet<string>;
  /** The field of a tenant that holds its key; null: tenants have none. */
  readonly keyField: string | null;
  /** The field of a token that names its tenant; null: tokens name none. */
  readonly tokenField: string | null;
  /** Whether calls may act in one; null: as long as it is there. */
  readonly admits: ((host: Host, self: Row) => Json) | null;
}
