import type Newest from 'stripe-newest';
import { ConformanceRecorder } from '../../../../tools/develop/conformance/index.js';
import { newest, newestClient } from '../newest-client.js';
import { servePayments } from '../served-payments.js';

/** What came with newer versions of the API, through the newest client in its own version. */

const payments = servePayments({ vars: { vendor: 'stripe' } });
const recorder = new ConformanceRecorder({ vendorWord: 'stripe' }, newest);
afterAll(() => recorder.assertClean());

let stripe: Newest;
let customer: string;
let price: string;
beforeEach(async () => {
  stripe = newestClient(payments, recorder);
  customer = (
    await stripe.customers.create({
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    })
  ).id;
  price = (
    await stripe.prices.create({
      currency: 'usd',
      unit_amount: 3000,
      recurring: { interval: 'month' },
      product_data: { name: 'Gold' },
    })
  ).id;
});

const FLEXIBLE = { flexible: { proration_discounts: 'included' }, type: 'flexible' };

test('subscriptions are billed flexibly unless told otherwise, and can become so', async () => {
  const items = [{ price }];
  expect((await stripe.subscriptions.create({ customer, items })).billing_mode).toMatchObject(FLEXIBLE);
  const classic = await stripe.subscriptions.create({ customer, items, billing_mode: { type: 'classic' } });
  expect(classic.billing_mode).toEqual({ flexible: null, type: 'classic' });
  await expect(stripe.subscriptions.pause(classic.id)).rejects.toMatchObject({ type: 'StripeInvalidRequestError' });
  const migrated = await stripe.subscriptions.migrate(classic.id, { billing_mode: { type: 'flexible' } });
  expect(migrated.billing_mode).toEqual({ ...FLEXIBLE, updated_at: payments.now });
  // What an older version made stays classic, whoever reads it.
  const old = await payments.stripe.subscriptions.create({ customer, items });
  expect((await stripe.subscriptions.retrieve(old.id)).billing_mode.type).toBe('classic');
});

test('a subscription is paused with a credit, is not renewed, and is resumed with an invoice that counts it', async () => {
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price }] });
  await payments.control.advance('10d');
  const paused = await stripe.subscriptions.pause(id);
  expect(paused).toMatchObject({
    status: 'paused',
    status_details: { paused: { subscription: { type: 'pause_requested' }, transitioned_at: payments.now } },
  });
  const [credit] = (await stripe.invoiceItems.list({ customer })).data;
  // 21 of 31 days.
  expect(credit).toMatchObject({
    amount: -2032,
    proration: true,
    parent: { subscription_details: { subscription: id } },
  });
  await payments.control.advance('40d');
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('paused');
  const resumed = await stripe.subscriptions.resume(id, {
    billing_cycle_anchor: { type: 'now' },
    expand: ['latest_invoice'],
  });
  expect(resumed).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', total: 3000 - 2032 } });
  expect(resumed).not.toHaveProperty('status_details');
});

test('what a call changes is in its answer, also of an object that was just read', async () => {
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price }] });
  await stripe.subscriptions.retrieve(id);
  expect((await stripe.subscriptions.update(id, { description: 'mine' })).description).toBe('mine');
  await stripe.customers.retrieve(customer);
  expect((await stripe.customers.update(customer, { name: 'Jenny' })).name).toBe('Jenny');
});

test('phases of schedules last as long as their duration, and their subscription is billed as they are', async () => {
  const duration = { interval: 'month', interval_count: 3 } as const;
  const schedule = await stripe.subscriptionSchedules.create({
    customer,
    start_date: 'now',
    phases: [{ items: [{ price }], duration }],
  });
  const [phase] = schedule.phases;
  expect((phase.end_date - phase.start_date) / 86_400).toBe(31 + 28 + 31);
  expect(schedule.billing_mode).toEqual(FLEXIBLE);
  const subscription = await stripe.subscriptions.retrieve(schedule.subscription as string);
  expect(subscription.billing_mode).toMatchObject(FLEXIBLE);
  const phases = [{ items: [{ price }], iterations: 3 }] as unknown as Newest.SubscriptionScheduleCreateParams.Phase[];
  await expect(stripe.subscriptionSchedules.create({ customer, start_date: 'now', phases })).rejects.toMatchObject({
    code: 'parameter_unknown',
  });
});

test.each(['elements', 'form', 'embedded_page'] as const)('Checkout inside of a page: %s', async (ui_mode) => {
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    ui_mode,
    return_url: 'https://example.com/done',
    subscription_data: { billing_mode: { type: 'flexible' } },
    line_items: [{ price, quantity: 1 }],
  });
  expect(session).toMatchObject({ ui_mode, url: null });
  expect(session.client_secret).toMatch(/^cs_test_.+_secret_/);
});

test('methods of payment are filtered by those that are allowed', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
  });
  expect([intent.payment_method_types, intent.allowed_payment_method_types]).toEqual([['card'], ['card']]);
});

test('optional items of a session are added on its page, taken in another quantity and taken off', async () => {
  const one = async (unit_amount: number): Promise<string> =>
    (await stripe.prices.create({ currency: 'usd', unit_amount, product_data: { name: 'Extra' } })).id;
  const [shirt, fixed, adjustable] = [await one(2000), await one(500), await one(100)];
  const { id, optional_items } = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://shop.example/done',
    line_items: [{ price: shirt, quantity: 1 }],
    optional_items: [
      { price: fixed, quantity: 2 },
      { price: adjustable, quantity: 1, adjustable_quantity: { enabled: true, maximum: 5 } },
    ],
  });
  expect(optional_items).toMatchObject([
    { price: fixed, quantity: 2, adjustable_quantity: null },
    { price: adjustable, quantity: 1, adjustable_quantity: { enabled: true, maximum: 5 } },
  ]);
  const choose = async (params: { price: string; quantity?: number }): Promise<unknown> => {
    const cause = 'checkout.session.optional_item_changed';
    await payments.control.event(cause, { checkout_session_id: id, ...params });
    const session = await stripe.checkout.sessions.retrieve(id, { expand: ['line_items'] });
    return [session.amount_total, session.line_items?.data.map(({ quantity }) => quantity)];
  };
  expect(await choose({ price: fixed })).toEqual([3000, [1, 2]]);
  expect(await choose({ price: adjustable, quantity: 5 })).toEqual([3500, [1, 2, 5]]);
  expect(await choose({ price: adjustable, quantity: 3 })).toEqual([3300, [1, 2, 3]]);
  expect(await choose({ price: fixed, quantity: 0 })).toEqual([2300, [1, 3]]);
  await expect(choose({ price: fixed, quantity: 1 })).rejects.toThrow('from 2 to 2');
  await expect(choose({ price: shirt })).rejects.toThrow('cannot happen now');
  const many = Array.from({ length: 11 }, () => ({ price: fixed, quantity: 1 }));
  await expect(
    stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://shop.example/done',
      line_items: [{ price: shirt, quantity: 1 }],
      optional_items: many,
    }),
  ).rejects.toThrow('10 optional items');
});

test.each<[string, string, string | null]>([
  ['au_becs_debit', 'aud', 'AU'],
  ['fpx', 'myr', 'MY'],
  ['acss_debit', 'usd', null],
  ['ideal', 'eur', null],
])('%s is for accounts of its countries', async (type, currency, home) => {
  const made = payments.stripe.paymentIntents.create({ amount: 1000, currency, payment_method_types: [type] });
  if (home === null) expect((await made).payment_method_types).toEqual([type]);
  else
    await expect(made).rejects.toMatchObject({
      code: 'payment_intent_invalid_parameter',
      message: expect.stringContaining(`accounts in ${home} and your`) as unknown,
    });
});

test('data of a list is no level of an expansion', async () => {
  const { latest_invoice } = await stripe.subscriptions.create({ customer, items: [{ price }] });
  const expand = ['lines.data.pricing.price_details.price'];
  const invoice = await stripe.invoices.retrieve(String(latest_invoice), { expand });
  expect(invoice.lines.data[0].pricing?.price_details?.price).toMatchObject({ id: price });
});

test('what a customer may use follows from what is subscribed to', async () => {
  const product = String((await stripe.prices.retrieve(price)).product);
  const features = await Promise.all(
    ['api', 'support'].map((lookup_key) => stripe.entitlements.features.create({ lookup_key, name: lookup_key })),
  );
  for (const { id } of features) await stripe.products.createFeature(product, { entitlement_feature: id });
  const list = (more = {}) => stripe.entitlements.activeEntitlements.list({ customer, ...more });
  expect((await list()).data).toEqual([]);
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price }] });
  const { data, has_more } = await list();
  expect(data.map(({ lookup_key }) => lookup_key).sort()).toEqual(['api', 'support']);
  expect(data.map(({ feature }) => feature).sort()).toEqual(features.map((each) => each.id).sort());
  expect(has_more).toBe(false);
  expect(await list({ limit: 1 })).toMatchObject({ data: [{ id: data[0].id }], has_more: true });
  expect((await list({ starting_after: data[0].id })).data.map((each) => each.id)).toEqual([data[1].id]);
  expect((await list({ ending_before: data[1].id })).data.map((each) => each.id)).toEqual([data[0].id]);
  expect(await stripe.entitlements.activeEntitlements.retrieve(data[1].id)).toMatchObject({ id: data[1].id });
  await stripe.subscriptions.cancel(id);
  expect((await list()).data).toEqual([]);
  await expect(stripe.entitlements.activeEntitlements.retrieve(data[1].id)).rejects.toMatchObject({ statusCode: 404 });
});
