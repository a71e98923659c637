import type { RowOwner } from '../../engine/world/rows.js';

/** Owner of test rows: the first collection, without a tenant. */
export const OWNER: RowOwner = { resource: 0, tenant: null };
