import { isList } from '../../../../engine/values/index.js';
import { conformanceOf } from '../../conformance/index.js';
import type { Kit } from '../kit.js';
import { lawsIn } from '../law-file.js';
import { ACTIONS, BEGINNING } from './actions.js';
import { ACCOUNT_LAWS } from './account-laws.js';
import { ACCOUNTS } from './accounts.js';
import { DECLARED } from './declared.js';
import { EVENT_LAWS } from './event-laws.js';

/** Statuses that an object may have in an event, by event type. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  'payment_intent.succeeded': ['succeeded'],
  'payment_intent.canceled': ['canceled'],
  'payment_intent.processing': ['processing'],
  'payment_intent.requires_action': ['requires_action'],
  'payment_intent.payment_failed': ['requires_payment_method'],
  'payment_intent.amount_capturable_updated': ['requires_capture'],
  'charge.succeeded': ['succeeded'],
  'charge.failed': ['failed'],
  'charge.pending': ['pending'],
  'charge.captured': ['succeeded'],
  'charge.refunded': ['succeeded'],
  'refund.failed': ['failed'],
  'payout.paid': ['paid'],
  'payout.failed': ['failed'],
  'payout.canceled': ['canceled'],
  'invoice.created': ['draft'],
  'invoice.finalized': ['open', 'paid'],
  'invoice.paid': ['paid'],
  'invoice.payment_succeeded': ['paid'],
  // Payment of an uncollectible invoice may also fail.
  'invoice.payment_failed': ['open', 'uncollectible'],
  'invoice.payment_action_required': ['open', 'uncollectible'],
  'invoice.voided': ['void'],
  'invoice.marked_uncollectible': ['uncollectible'],
  'customer.subscription.deleted': ['canceled', 'incomplete_expired'],
  'customer.subscription.paused': ['paused'],
  'customer.subscription.trial_will_end': ['trialing'],
  'charge.dispute.closed': ['won', 'lost', 'warning_closed'],
  'setup_intent.succeeded': ['succeeded'],
  'setup_intent.canceled': ['canceled'],
  'checkout.session.completed': ['complete'],
  'checkout.session.expired': ['expired'],
  'subscription_schedule.canceled': ['canceled'],
  'subscription_schedule.completed': ['completed'],
  'subscription_schedule.released': ['released'],
};

/** The payments pack: actions of a business, and invariants of its money. */
export const PAYMENTS: Kit = {
  pack: 'payments',
  t0: '2025-01-31T10:00:00Z',
  requests: 'form',
  moves: ['1h', '12h', '1d', '1d', '3d', '8d', '20d', '33d'],
  durations: {
    funds_availability: ['0s', '5d'],
    invoice_finalization: ['0s', '2h'],
    payment_retry_1: ['0s', '1h'],
    debit_settlement: ['0s', '1d'],
    refund_settlement: ['0s', '3d'],
    dispute_decision: ['0s', '3d'],
    payout_submission: ['0s', '1d'],
    authorization_hold: ['1d'],
  },
  pins: [
    { resource: 'charges', path: 'branch', values: ['approved', 'declined'] },
    { resource: 'refunds', path: 'branch', values: ['succeeded', 'failed'] },
    { resource: 'payouts', path: 'branch', values: ['paid', 'failed'] },
  ],
  beginning: BEGINNING,
  actions: ACTIONS,
  laws: [...lawsIn('payments/laws.yaml'), ...EVENT_LAWS, ...ACCOUNT_LAWS],
  declared: DECLARED,
  *shape(path, body) {
    // Only the browser library reads this response; the client declares no type for it.
    if (/^\/v1\/payment_pages\/[^/]+\/elements([/?]|$)/.test(path)) return;
    const withoutId = /\/(create_preview|upcoming|preview)(\?|$)/.test(path);
    for (const { type, at, code, message } of conformanceOf(body, { withoutId }))
      yield `${type}.${at} ${code} ${message}`;
  },
  lists: [
    '/v1/customers?',
    '/v1/subscriptions?status=all&',
    '/v1/invoices?',
    '/v1/subscription_schedules?',
    '/v1/events?',
  ],
  tenants: ACCOUNTS,
  silent: [
    'payment_intent.requires_confirmation',
    'setup_intent.requires_confirmation',
    'subscription_schedule.active',
  ],
  keeps: [402],
  decides: (path) => path.startsWith('/v1/payment_methods/'),
  receives: ({ status, enabled_events: events }) => status === 'enabled' && isList(events) && events.includes('*'),
  statusesOf: (type) => STATUSES[type],
};
