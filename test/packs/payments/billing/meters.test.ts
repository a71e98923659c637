import { at, customerWith, useTestAccount } from '../test-account.js';

const START = '2025-03-03T10:00:00Z';

describe('meters', () => {
  const account = useTestAccount(START);

  async function meterOf(formula: 'count' | 'sum' = 'sum', event_name = 'calls') {
    return account.stripe.billing.meters.create({
      display_name: 'Calls',
      event_name,
      default_aggregation: { formula },
    });
  }

  /** Tells of a use now, or at a moment. */
  async function use(customer: string, value: string, timestamp?: number, identifier?: string) {
    return account.stripe.billing.meterEvents.create({
      event_name: 'calls',
      payload: { stripe_customer_id: customer, value },
      ...(timestamp === undefined ? {} : { timestamp }),
      ...(identifier === undefined ? {} : { identifier }),
    });
  }

  test('a meter is made, renamed, switched off and on', async () => {
    const { meters } = account.stripe.billing;
    const meter = await meterOf();
    expect(meter).toMatchObject({
      status: 'active',
      event_time_window: null,
      customer_mapping: { type: 'by_id' },
      value_settings: { event_payload_key: 'value' },
      status_transitions: { deactivated_at: null },
      created: account.now(),
      updated: account.now(),
    });
    await expect(meterOf()).rejects.toMatchObject({ statusCode: 400, param: 'event_name' });
    await account.advance('1h');
    expect(await meters.update(meter.id, { display_name: 'API calls' })).toMatchObject({
      display_name: 'API calls',
      updated: meter.created + 3600,
    });
    expect(await meters.deactivate(meter.id)).toMatchObject({
      status: 'inactive',
      status_transitions: { deactivated_at: account.now() },
    });
    await expect(meters.deactivate(meter.id)).rejects.toThrow('The meter is inactive.');
    expect((await meters.list({ status: 'active' })).data).toEqual([]);
    const customer = await account.stripe.customers.create();
    await expect(use(customer.id, '1')).rejects.toThrow('No active meter found');
    expect(await meters.reactivate(meter.id)).toMatchObject({
      status: 'active',
      status_transitions: { deactivated_at: null },
    });
    expect((await meters.list({ status: 'active' })).data).toEqual([await meters.retrieve(meter.id)]);
    await account.news();
    expect(await use(customer.id, '4', undefined, 'first')).toMatchObject({
      event_name: 'calls',
      identifier: 'first',
      payload: { stripe_customer_id: customer.id, value: '4' },
      timestamp: account.now(),
    });
    expect(await account.news()).toEqual([]);
  });

  test.each([
    ['no customer', { payload: { value: '1' } }, 'must name the customer'],
    ['an unknown customer', { payload: { stripe_customer_id: 'cus_1', value: '1' } }, 'No such customer'],
    ['no value', { payload: { stripe_customer_id: 'CUSTOMER' } }, 'whole number'],
    ['a value that is none', { payload: { stripe_customer_id: 'CUSTOMER', value: 'many' } }, 'whole number'],
    ['an old time', { timestamp: at('2025-01-01T00:00:00Z') }, 'past 35 calendar days'],
    ['a time to come', { timestamp: at('2025-03-03T10:06:00Z') }, 'in the future'],
    ['an unknown name', { event_name: 'texts' }, 'No active meter'],
    ['an identifier again', { identifier: 'first' }, 'already exists'],
  ])('an event is refused: %s', async (_, change, message) => {
    await meterOf();
    const customer = await account.stripe.customers.create();
    await use(customer.id, '1', undefined, 'first');
    const params = { event_name: 'calls', payload: { stripe_customer_id: customer.id, value: '1' }, ...change };
    const payload = Object.fromEntries(
      Object.entries(params.payload).map(([key, value]) => [key, value === 'CUSTOMER' ? customer.id : String(value)]),
    );
    await expect(account.stripe.billing.meterEvents.create({ ...params, payload })).rejects.toThrow(message);
  });

  test('summaries add up the whole time, its hours or its days', async () => {
    const { meters } = account.stripe.billing;
    const meter = await meterOf();
    const customer = await account.stripe.customers.create();
    const other = await account.stripe.customers.create();
    await use(customer.id, '1', at('2025-03-01T08:10:00Z'));
    await use(customer.id, '2', at('2025-03-01T08:50:00Z'));
    await use(customer.id, '4', at('2025-03-01T11:00:00Z'));
    await use(customer.id, '8', at('2025-03-02T00:00:00Z'));
    await use(other.id, '16', at('2025-03-02T00:00:00Z'));
    const span = {
      customer: customer.id,
      start_time: at('2025-03-01T00:00:00Z'),
      end_time: at('2025-03-03T00:00:00Z'),
    };
    const summed = async (value_grouping_window?: 'day' | 'hour') =>
      (await meters.listEventSummaries(meter.id, { ...span, ...(value_grouping_window && { value_grouping_window }) }))
        .data;
    const { start_time, end_time } = span;
    expect(await summed()).toMatchObject([{ aggregated_value: 15, meter: meter.id, start_time, end_time }]);
    expect(await summed('day')).toMatchObject([
      { aggregated_value: 8, start_time: at('2025-03-02T00:00:00Z') },
      { aggregated_value: 7, start_time: at('2025-03-01T00:00:00Z'), end_time: at('2025-03-02T00:00:00Z') },
    ]);
    const hours = await summed('hour');
    expect(hours.map(({ aggregated_value }) => aggregated_value)).toEqual([8, 4, 3]);
    const first = await meters.listEventSummaries(meter.id, { ...span, value_grouping_window: 'hour', limit: 2 });
    expect(first).toMatchObject({ has_more: true, data: hours.slice(0, 2) });
    const next = await meters.listEventSummaries(meter.id, {
      ...span,
      value_grouping_window: 'hour',
      starting_after: hours[1].id,
    });
    expect(next).toMatchObject({ has_more: false, data: hours.slice(2) });
    const before = await meters.listEventSummaries(meter.id, {
      ...span,
      value_grouping_window: 'hour',
      ending_before: hours[2].id,
      limit: 1,
    });
    expect(before).toMatchObject({ has_more: true, data: [hours[1]] });
    const odd = { ...span, start_time: span.start_time + 60 };
    await expect(meters.listEventSummaries(meter.id, { ...odd, value_grouping_window: 'day' })).rejects.toThrow(
      'aligned with day boundaries',
    );
    await expect(meters.listEventSummaries(meter.id, { ...span, end_time: span.start_time })).rejects.toThrow('after');
  });

  test('counting meters need no value', async () => {
    const meter = await meterOf('count');
    const customer = await account.stripe.customers.create();
    for (let i = 0; i < 3; i++) {
      await account.stripe.billing.meterEvents.create({
        event_name: 'calls',
        payload: { stripe_customer_id: customer.id },
      });
    }
    const [summary] = (
      await account.stripe.billing.meters.listEventSummaries(meter.id, {
        customer: customer.id,
        start_time: at('2025-03-03T00:00:00Z'),
        end_time: at('2025-03-04T00:00:00Z'),
      })
    ).data;
    expect(summary.aggregated_value).toBe(3);
  });

  test('a metered price is billed by the events of its meter', async () => {
    const { stripe } = account;
    const meter = await meterOf();
    const product = await stripe.products.create({ name: 'Calls' });
    const recurring = { interval: 'month', usage_type: 'metered', meter: meter.id } as const;
    const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 7, recurring });
    expect(price.recurring).toMatchObject({ meter: meter.id, aggregate_usage: null });
    const customer = await customerWith(account);
    const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] });
    await expect(
      stripe.subscriptionItems.createUsageRecord(subscription.items.data[0].id, { quantity: 1 }),
    ).rejects.toThrow('Create meter events instead');
    await use(customer.id, '100', account.now() - 60);
    await use(customer.id, '30');
    await account.advance('10d');
    await use(customer.id, '5');
    await use(customer.id, '-1');
    const upcoming = await stripe.invoices.retrieveUpcoming({ subscription: subscription.id });
    expect(upcoming.total).toBe(34 * 7);
    await account.advance(at('2025-04-03T11:00:00Z'));
    const [invoice] = (await stripe.invoices.list({ subscription: subscription.id })).data;
    expect(invoice).toMatchObject({ billing_reason: 'subscription_cycle', total: 34 * 7, status: 'paid' });
    expect(invoice.lines.data).toMatchObject([{ quantity: 34, amount: 238 }]);
    await use(customer.id, '2');
    const ended = await stripe.subscriptions.cancel(subscription.id, { invoice_now: true });
    const last = await stripe.invoices.retrieve(ended.latest_invoice as string);
    expect(last.total).toBe(14);
  });

  test.each([
    ['licensed', {}, 'must have `recurring[usage_type]`'],
    ['a meter that is none', { usage_type: 'metered', meter: 'mtr_test_0' }, 'No such meter'],
  ] as const)('a price is refused: %s', async (_, change, message) => {
    const meter = await meterOf();
    const product = await account.stripe.products.create({ name: 'Calls' });
    const recurring = { interval: 'month', meter: meter.id, ...change } as const;
    await expect(
      account.stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 7, recurring }),
    ).rejects.toThrow(message);
  });
});
