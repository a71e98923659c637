import { T0, DAY } from '../served-payments.js';
import { type RecordedError, serveRecorded } from '../recorded-calls.js';

/** What the vendor's test mode returned for subscriptions in September 2026. */

const vendor = serveRecorded();
let customer: string;
let price: string;
beforeEach(async () => {
  customer = await vendor.customer();
  price = await vendor.price();
});

interface Subscription {
  readonly id: string;
  readonly status: string;
  readonly latest_invoice: string;
  readonly items: { readonly data: readonly { readonly id: string; readonly current_period_end: number }[] };
  readonly [name: string]: unknown;
}

const fields = (more: Record<string, string> = {}): Record<string, string> => ({ customer, 'items[0][price]': price, ...more });
const subscribe = (more?: Record<string, string>): Promise<Subscription> =>
  vendor.made<Subscription>('POST /v1/subscriptions', fields(more));
const invoiceOf = ({ latest_invoice: id }: Subscription): Promise<Record<string, unknown>> =>
  vendor.made<Record<string, unknown>>(`GET /v1/invoices/${id}`);

const NO_METHOD: RecordedError = [
  400,
  'resource_missing',
  null,
  'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
];
const TRIAL_END = String(T0 + 14 * DAY);

describe('creating', () => {
  test.each<[string, Record<string, string>, RecordedError]>([
    [
      'a trial that ended',
      { trial_end: '1000' },
      [
        400,
        null,
        'trial_end',
        'The parameter `trial_end` expects a unix timestamp representing a date and time in the future. You specified the value `1000` which is in the past.',
      ],
    ],
    ['an unknown customer', { customer: 'cus_nope' }, [404, 'resource_missing', 'customer', "No such customer: 'cus_nope'"]],
    [
      'an unknown price',
      { 'items[0][price]': 'price_nope' },
      [400, 'resource_missing', 'items[0][price]', "No such price: 'price_nope'"],
    ],
  ])('%s', async (_name, more, error) => {
    expect(await vendor.error('POST /v1/subscriptions', fields(more))).toEqual(error);
  });

  test('one price twice', async () => {
    expect(await vendor.error('POST /v1/subscriptions', fields({ 'items[1][price]': price }))).toEqual([
      400,
      null,
      'plan',
      `Cannot create a Subscription with multiple Subscription Items with the same Price: ${price}`,
    ]);
  });

  test('without a way to pay, nothing is written', async () => {
    customer = await vendor.customer(null);
    expect(await vendor.error('POST /v1/subscriptions', fields())).toEqual(NO_METHOD);
    expect(await vendor.made('GET /v1/subscriptions', { customer, status: 'all' })).toMatchObject({ data: [] });
  });

  test('a card that asks: the try does not count yet', async () => {
    customer = await vendor.customer('pm_card_threeDSecure2Required');
    const made = await subscribe();
    expect(made.status).toBe('incomplete');
    expect(await invoiceOf(made)).toMatchObject({ status: 'open', attempted: true, attempt_count: 0, next_payment_attempt: null });
    const [status, code] = await vendor.error('POST /v1/subscriptions', fields({ payment_behavior: 'error_if_incomplete' }));
    expect([status, code]).toEqual([402, 'subscription_payment_intent_requires_action']);
  });

  test('a sent invoice is due days after it was made', async () => {
    const made = await subscribe({ collection_method: 'send_invoice', days_until_due: '30' });
    expect(await invoiceOf(made)).toMatchObject({ status: 'draft', auto_advance: true, due_date: T0 + 30 * DAY, attempted: false });
  });

  test('fields of the newest version', async () => {
    const made = await subscribe();
    expect(made).toMatchObject({
      trial_settings: { end_behavior: { billing_cycle_anchor: 'now', missing_payment_method: 'create_invoice' } },
      items: { data: [{ current_trial: null }] },
    });
  });
});

describe('trials', () => {
  test('the first invoice is of nothing, and paid', async () => {
    const made = await subscribe({ trial_end: TRIAL_END });
    expect(await invoiceOf(made)).toMatchObject({
      status: 'paid',
      total: 0,
      lines: { data: [{ amount: 0, description: 'Free trial for 1 × Gold', period: { start: T0, end: T0 + 14 * DAY } }] },
    });
  });

  test('ended by a call, the new period is billed', async () => {
    const { id } = await subscribe({ trial_end: TRIAL_END });
    const ended = await vendor.made<Subscription>(`POST /v1/subscriptions/${id}`, { trial_end: 'now' });
    expect(ended.status).toBe('active');
    expect(await invoiceOf(ended)).toMatchObject({ billing_reason: 'subscription_update', status: 'paid', total: 2000 });
  });

  test('ended by a call without a way to pay, by what it says', async () => {
    customer = await vendor.customer(null);
    const trial = async (way?: string): Promise<Subscription> =>
      subscribe({
        trial_end: TRIAL_END,
        ...(way === undefined ? {} : { 'trial_settings[end_behavior][missing_payment_method]': way }),
      });
    const end = { trial_end: 'now' };
    const billed = await trial();
    expect(await vendor.error(`POST /v1/subscriptions/${billed.id}`, end)).toEqual(NO_METHOD);
    expect(await vendor.made(`GET /v1/subscriptions/${billed.id}`)).toMatchObject({ status: 'trialing' });
    const paused = await vendor.made<Subscription>(`POST /v1/subscriptions/${(await trial('pause')).id}`, end);
    expect(paused.status).toBe('paused');
    const canceled = await vendor.made<Subscription>(`POST /v1/subscriptions/${(await trial('cancel')).id}`, end);
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'cancellation_requested' } });
  });

  test('begun while it is active: the rest is given back', async () => {
    const { id } = await subscribe();
    const made = await vendor.made<Subscription>(`POST /v1/subscriptions/${id}`, { trial_end: String(T0 + 40 * DAY) });
    expect(made).toMatchObject({ status: 'trialing', trial_start: T0 });
    expect(await invoiceOf(made)).toMatchObject({
      billing_reason: 'subscription_update',
      status: 'paid',
      attempt_count: 0,
      lines: {
        data: [
          { amount: -2000, description: 'Unused time on Gold after 15 Jan 2025' },
          { amount: 0, description: 'Free trial for 1 × Gold' },
        ],
      },
    });
  });
});

describe('what a subscription refuses', () => {
  const GONE = (id: string, param: string): RecordedError => [404, 'resource_missing', param, `No such subscription: '${id}'`];

  test('resuming one that is not paused', async () => {
    const { id } = await subscribe();
    expect(await vendor.error(`POST /v1/subscriptions/${id}/resume`)).toEqual([
      400,
      null,
      null,
      'You can only resume a subscription if it is `paused`.',
    ]);
  });

  test('anything but its notes once it is canceled', async () => {
    const { id, items } = await subscribe();
    await vendor.made(`DELETE /v1/subscriptions/${id}`);
    for (const change of [{ description: 'x' }, { cancel_at_period_end: 'true' }, { 'items[0][price]': price }] as Record<string, string>[])
      expect(await vendor.error(`POST /v1/subscriptions/${id}`, change)).toEqual([
        400,
        'invalid_canceled_subscription_fields',
        null,
        'A canceled subscription can only update its cancellation_details and metadata.',
      ]);
    await vendor.made(`POST /v1/subscriptions/${id}`, { 'metadata[a]': 'b' });
    expect(await vendor.error(`DELETE /v1/subscriptions/${id}`)).toEqual(GONE(id, 'id'));
    expect(await vendor.error(`POST /v1/subscriptions/${id}/resume`)).toEqual(GONE(id, 'id'));
    expect(await vendor.error('POST /v1/subscription_items', { subscription: id, price })).toEqual(GONE(id, 'subscription'));
    expect(items.data).toHaveLength(1);
  });

  test('all but notes and payment while it is incomplete', async () => {
    customer = await vendor.customer('pm_card_threeDSecure2Required');
    const { id } = await subscribe();
    for (const change of [{ description: 'x' }, { 'metadata[a]': 'b' }, { default_payment_method: '' }] as Record<string, string>[])
      await vendor.made(`POST /v1/subscriptions/${id}`, change);
    const [status, code] = await vendor.error(`POST /v1/subscriptions/${id}`, { cancel_at_period_end: 'true' });
    expect([status, code]).toEqual([400, 'status_transition_invalid']);
  });
});

test('the period of an item that is added later begins then', async () => {
  const { id, items } = await subscribe();
  await vendor.payments.control.advance('5d');
  const added = await vendor.made('POST /v1/subscription_items', {
    subscription: id,
    price: await vendor.price({ unit_amount: '500' }),
  });
  expect(added).toMatchObject({ current_period_start: T0 + 5 * DAY, current_period_end: items.data[0].current_period_end });
});
