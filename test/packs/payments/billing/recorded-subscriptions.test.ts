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

describe('parts of a period', () => {
  const FLEXIBLE = { 'billing_mode[type]': 'flexible' };
  /** 1/400 of a month of 30 days: half a cent of 1000 and of 1800. */
  const PART = 6480;
  interface Line {
    readonly amount: number;
    readonly description: string;
  }
  interface Bill {
    readonly lines: { readonly data: readonly Line[] };
    readonly [name: string]: unknown;
  }
  let prices: Readonly<Record<number, string>>;
  beforeEach(async () => {
    const amounts = [1000, 1800, 2000];
    prices = Object.fromEntries(
      await Promise.all(amounts.map(async (amount) => [amount, await vendor.price({ unit_amount: String(amount) })] as const)),
    );
  });

  const part = (of: Subscription, seconds: number): Record<string, string> => ({
    'items[0][id]': of.items.data[0].id,
    proration_date: String(of.items.data[0].current_period_end - seconds),
  });
  const lines = async (of: Subscription): Promise<readonly unknown[]> =>
    ((await invoiceOf(of)) as unknown as Bill).lines.data.map(({ amount, description }) => [amount, description.replace(/ after .*/, '')]);
  const pending = async (): Promise<readonly Record<string, unknown>[]> =>
    (await vendor.made<{ data: Record<string, unknown>[] }>('GET /v1/invoiceitems', { customer, pending: 'true' })).data;
  /** A subscription whose period has 30 days. */
  const monthly = async (amount: number, more = FLEXIBLE): Promise<Subscription> => {
    await vendor.payments.control.advance('76d'); // the 1st of April
    return subscribe({ 'items[0][price]': prices[amount], ...more });
  };

  test.each([
    ['another price', { 'items[0][price]': 1800 }, PART, [[-3, 'Unused time on Gold'], [4, 'Remaining time on Gold']], 1],
    ['another quantity', { 'items[0][quantity]': 3 }, PART, [[-3, 'Unused time on Gold'], [7, 'Remaining time on 3 × Gold']], 4],
  ] as const)('half a cent goes down: %s', async (_title, change, seconds, expected, owed) => {
    const made = await monthly(1000);
    const [[name, value]] = Object.entries(change);
    const sent = { [name]: name.endsWith('[price]') ? prices[value] : String(value), proration_behavior: 'always_invoice' };
    const changed = await vendor.made<Subscription>(`POST /v1/subscriptions/${made.id}`, { ...part(made, seconds), ...sent });
    expect(await lines(changed)).toEqual(expected);
    // Too little to collect: the customer owes it.
    expect(await invoiceOf(changed)).toMatchObject({
      status: 'paid',
      attempted: true,
      attempt_count: 0,
      amount_due: 0,
      total: owed,
      ending_balance: owed,
    });
  });

  test('a third of a month less is credit', async () => {
    const made = await monthly(2000);
    const sent = { 'items[0][price]': prices[1000], proration_behavior: 'always_invoice' };
    const changed = await vendor.made<Subscription>(`POST /v1/subscriptions/${made.id}`, { ...part(made, 10 * DAY), ...sent });
    expect(await lines(changed)).toEqual([
      [-667, 'Unused time on Gold'],
      [333, 'Remaining time on Gold'],
    ]);
    expect(await vendor.made(`GET /v1/customers/${customer}`)).toMatchObject({ balance: -334 });
    const { data } = await vendor.made<{ data: unknown[] }>(`GET /v1/customers/${customer}/balance_transactions`);
    expect(data).toMatchObject([{ amount: -334, ending_balance: -334, type: 'applied_to_invoice' }]);
  });

  test('what waits: the credit first, and what it is of', async () => {
    const made = await monthly(1000);
    await vendor.made(`POST /v1/subscriptions/${made.id}`, { ...part(made, PART), 'items[0][price]': prices[1800] });
    const pricing = { unit_amount_decimal: null };
    expect(await pending()).toMatchObject([
      {
        amount: -3,
        net_amount: -3,
        pricing,
        proration_details: {
          credited_items: { type: 'invoice_line_items', invoice_line_item_details: { invoice: made.latest_invoice } },
          discount_amounts: [],
        },
      },
      { amount: 4, net_amount: 4, pricing, proration_details: { credited_items: null, discount_amounts: [] } },
    ]);
    const { id: item } = made.items.data[0];
    await vendor.made(`POST /v1/subscriptions/${made.id}`, { 'items[0][id]': item, 'items[0][quantity]': '5', proration_behavior: 'none' });
    expect(await pending()).toHaveLength(2);
  });

  test('canceled with a last invoice, which waits for an hour', async () => {
    const made = await monthly(1000);
    const ended = await vendor.made<Subscription>(`DELETE /v1/subscriptions/${made.id}?prorate=true&invoice_now=true`);
    expect(ended.status).toBe('canceled');
    expect(await lines(ended)).toEqual([[-1000, 'Unused time on Gold']]);
    expect(await invoiceOf(ended)).toMatchObject({
      billing_reason: 'subscription_cycle',
      status: 'draft',
      auto_advance: true,
      attempted: false,
      amount_due: 0,
      total: -1000,
      number: null,
    });
    await vendor.payments.control.advance('2h');
    expect(await vendor.made(`GET /v1/customers/${customer}`)).toMatchObject({ balance: -1000 });
  });

  test('a credit without an invoice belongs to no subscription any more', async () => {
    const made = await monthly(1000);
    await vendor.made(`DELETE /v1/subscriptions/${made.id}?prorate=true`);
    const [credit, ...others] = await pending();
    expect([credit['amount'], credit['net_amount'], credit['parent'], 'proration_details' in credit]).toEqual([-1000, -1000, null, false]);
    expect(others).toEqual([]);
  });

  test('a cycle that begins anew takes along what was billed', async () => {
    const made = await monthly(1000);
    await vendor.payments.control.advance('10d');
    const moved = await vendor.made<Subscription>(`POST /v1/subscriptions/${made.id}`, { billing_cycle_anchor: 'now' });
    expect(moved.latest_invoice).toBe(made.latest_invoice);
    const [item, ...others] = await pending();
    expect([item['description'], item['period'], others]).toEqual([
      expect.stringMatching(/^Remaining time on Gold after /),
      { start: made.items.data[0].current_period_end, end: moved.items.data[0].current_period_end },
      [],
    ]);
    expect(item['amount']).toBe(Math.round(10_000 / 30));
    // Canceled, both parts are given back.
    await vendor.made(`DELETE /v1/subscriptions/${made.id}?prorate=true`);
    expect((await pending()).map(({ amount }) => amount).toSorted((a, b) => Number(a) - Number(b))).toEqual([-667, -333, 333]);
  });
});
