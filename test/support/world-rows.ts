import type { RowOwner } from '../../engine/world/rows.js';

/** Whose rows are: of the first collection, without tenants. */
export const OWNER: RowOwner = { resource: 0, tenant: null };
