import type Newest from 'stripe-newest';
import { ConformanceRecorder } from '../../../../tools/develop/conformance/index.js';
import { newest, newestClient } from '../newest-client.js';
import { servePayments } from '../served-payments.js';

/** Flexible billing gives back what was asked for; classic billing what the item would cost now. */

const payments = servePayments();
let recorder: ConformanceRecorder;
let client: Newest;
let customer: string;
beforeEach(async () => {
  recorder = new ConformanceRecorder({ vendorWord: 'vendor' }, newest);
  client = newestClient(payments, recorder);
  const made = await client.customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  });
  customer = made.id;
});
afterEach(() => recorder.assertClean());

const price = async (unit_amount: number): Promise<string> =>
  (
    await client.prices.create({
      currency: 'usd',
      unit_amount,
      recurring: { interval: 'month' },
      product_data: { name: `P${unit_amount}` },
    })
  ).id;

const subscribe = async (
  id: string,
  type: 'classic' | 'flexible',
  more: Partial<Newest.SubscriptionCreateParams> = {},
): Promise<{ readonly id: string; readonly item: string }> => {
  const made = await client.subscriptions.create({
    customer,
    items: [{ price: id }],
    billing_mode: { type },
    ...more,
  });
  return { id: made.id, item: made.items.data[0].id };
};

/** Amounts and quantities of what is pending, oldest first. */
const pending = async (): Promise<unknown[]> =>
  (await client.invoiceItems.list({ customer, pending: true })).data
    .map(({ amount, quantity }) => [amount, quantity])
    .reverse();

/** What is left of an amount after some days of a period. */
const left = (amount: number, days: number, of: number): number => Math.round((amount * (of - days)) / of);

let days: number;
const tenDays = async (id: string): Promise<void> => {
  const { current_period_start: start, current_period_end: end } = (await client.subscriptions.retrieve(id)).items
    .data[0];
  days = (end - start) / 86_400;
  await payments.control.advance('10d');
};

test('a change that nothing was asked for is not given back', async () => {
  for (const type of ['classic', 'flexible'] as const) {
    const { id, item } = await subscribe(await price(3000), type);
    await client.subscriptions.update(id, { items: [{ id: item, quantity: 2 }], proration_behavior: 'none' });
    await tenDays(id);
    await client.subscriptions.update(id, { items: [{ id: item, quantity: 3 }] });
    const credit = type === 'classic' ? [-left(6000, 10, days), 2] : [-left(3000, 10, days), 1];
    expect(await pending()).toEqual([[left(9000, 10, days), 3], credit]);
    for (const { id: each } of (await client.invoiceItems.list({ customer, pending: true })).data)
      await client.invoiceItems.del(each);
  }
});

test('each amount is given back once, with what it was for', async () => {
  const [small, large] = [await price(3000), await price(9000)];
  const { id, item } = await subscribe(small, 'flexible');
  await tenDays(id);
  await client.subscriptions.update(id, { items: [{ id: item, price: large }] });
  await payments.control.advance('10d');
  await client.subscriptions.update(id, { items: [{ id: item, price: small }] });
  const asked = left(9000, 10, days);
  expect(await pending()).toEqual([
    [asked, 1],
    [-left(3000, 10, days), 1],
    [left(3000, 20, days), 1],
    [-Math.round((asked * (days - 20)) / (days - 10)), 1],
  ]);
  const [credit] = (await client.invoiceItems.list({ customer, pending: true })).data;
  expect([credit.pricing?.price_details?.price, credit.description]).toEqual([
    large,
    expect.stringMatching(/^Unused time on P9000 after /),
  ]);
  await client.subscriptions.cancel(id, { prorate: true });
  const all = (await pending()).map((each) => (each as number[])[0]);
  expect(all.at(-1)).toBe(-left(3000, 20, days));
  // Nothing is left that could be given back twice.
  expect(all).toHaveLength(5);
});

test('a credit is of what a discount left, and a preview gives nothing back', async () => {
  const [small, large] = [await price(3000), await price(9000)];
  const coupon = await client.coupons.create({ percent_off: 50, duration: 'once' });
  const { id, item } = await subscribe(small, 'flexible', { discounts: [{ coupon: coupon.id }] });
  await tenDays(id);
  const change = { items: [{ id: item, price: large }] };
  for (let n = 0; n < 2; n++) {
    const preview = await client.invoices.createPreview({ subscription: id, subscription_details: change });
    expect(preview.lines.data.map(({ amount }) => amount)).toContain(-left(1500, 10, days));
  }
  await client.subscriptions.update(id, change);
  expect((await pending()).at(-1)).toEqual([-left(1500, 10, days), 1]);
});

test('a second trial begins when it begins, and paying after a free price keeps the cycle', async () => {
  const [free, paid] = [await price(0), await price(3000)];
  const { id, item } = await subscribe(free, 'flexible', { trial_period_days: 3 });
  await payments.control.advance('10d');
  const { billing_cycle_anchor: anchor, trial_start: first } = await client.subscriptions.retrieve(id);
  expect((await client.subscriptions.update(id, { items: [{ id: item, price: paid }] })).billing_cycle_anchor).toBe(
    anchor,
  );
  const again = await client.subscriptions.update(id, {
    trial_end: payments.now + 5 * 86_400,
    proration_behavior: 'none',
  });
  expect([again.trial_start, Number(first) < payments.now]).toEqual([payments.now, true]);
});

test('a subscription says since when it is billed flexibly, and its lines name it in their parent alone', async () => {
  const made = await client.subscriptions.create({
    customer,
    items: [{ price: await price(1000) }],
    expand: ['latest_invoice'],
  });
  expect(made).toMatchObject({
    billing_mode: { type: 'flexible', updated_at: made.created },
    managed_payments: { enabled: false },
  });
  const [line] = (made.latest_invoice as Newest.Invoice).lines.data;
  expect(line).not.toHaveProperty('subscription');
  expect(line).toMatchObject({
    parent: { subscription_item_details: { subscription: made.id } },
    quantity_decimal: '1',
  });
});

test('what is metered makes no line and no invoice before it was used', async () => {
  const meter = await client.billing.meters.create({
    display_name: 'Calls',
    event_name: 'calls',
    default_aggregation: { formula: 'sum' },
  });
  const metered = await client.prices.create({
    currency: 'usd',
    unit_amount: 5,
    recurring: { interval: 'month', usage_type: 'metered', meter: meter.id },
    product_data: { name: 'Calls' },
  });
  const first = async (type: 'classic' | 'flexible', more: readonly string[] = []): Promise<unknown> => {
    const items = [metered.id, ...more].map((each) => ({ price: each }));
    const { status, latest_invoice: invoice } = await client.subscriptions.create({
      customer,
      items,
      billing_mode: { type },
      expand: ['latest_invoice'],
    });
    return [status, (invoice as Newest.Invoice | null)?.lines.data.map(({ amount }) => amount) ?? null];
  };
  expect(await first('classic')).toEqual(['active', [0]]);
  expect(await first('flexible')).toEqual(['active', null]);
  expect(await first('flexible', [await price(3000)])).toEqual(['active', [3000]]);
  await client.billing.meterEvents.create({
    event_name: 'calls',
    payload: { stripe_customer_id: customer, value: '20' },
  });
  await payments.control.advance('32d');
  const { data } = await client.invoices.list({ customer });
  expect(data.map(({ total }) => total).sort((a, b) => a - b)).toEqual([0, 100, 100, 3000, 3100]);
});
