import { isList } from '../../../../engine/values/index.js';
import { conformanceOf } from '../../conformance/index.js';
import type { Kit } from '../kit.js';
import { kitIn } from '../kit-file.js';
import { ACTIONS } from './actions.js';
import { ACCOUNT_LAWS } from './account-laws.js';
import { ACCOUNTS } from './accounts.js';
import { EVENT_LAWS } from './event-laws.js';
import { USUAL } from './usual.js';

const file = kitIn('payments', USUAL);

/** The payments pack: actions of a business, and invariants of its money. */
export const PAYMENTS: Kit = {
  ...file,
  actions: ACTIONS,
  laws: [...file.laws, ...EVENT_LAWS, ...ACCOUNT_LAWS],
  *shape(path, body) {
    // Only the browser library reads this response; the client declares no type for it.
    if (/^\/v1\/payment_pages\/[^/]+\/elements([/?]|$)/.test(path)) return;
    const withoutId = /\/(create_preview|upcoming|preview)(\?|$)/.test(path);
    for (const { type, at, code, message } of conformanceOf(body, { withoutId }))
      yield `${type}.${at} ${code} ${message}`;
  },
  tenants: ACCOUNTS,
  decides: (path) => path.startsWith('/v1/payment_methods/'),
  receives: ({ status, enabled_events: events }) => status === 'enabled' && isList(events) && events.includes('*'),
};
