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

async function onePrice(unit_amount: number): Promise<string> {
  return (await stripe.prices.create({ currency: 'usd', unit_amount, product_data: { name: 'Extra' } })).id;
}

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

test('the parts of an amount have to come to it, unless the call says that they need not', async () => {
  const goods = { product_name: 'Shirt', quantity: 2, unit_cost: 700, tax: { total_tax_amount: 100 } };
  const amount_details = { line_items: [goods], shipping: { amount: 500, to_postal_code: '10115' } };
  const expand = ['amount_details.line_items'];
  const intent = await stripe.paymentIntents.create({ amount: 2000, currency: 'usd', amount_details, expand });
  expect(intent.amount_details).toMatchObject({ shipping: { amount: 500 }, tip: {}, line_items: { data: [goods] } });
  const { data: lines } = await stripe.paymentIntents.listAmountDetailsLineItems(intent.id);
  expect(lines).toEqual(intent.amount_details?.line_items?.data);
  const create = (amount: number, more: object) =>
    stripe.paymentIntents.create({ amount, currency: 'usd', amount_details: { ...amount_details, ...more } });
  await expect(create(1999, {})).rejects.toMatchObject({ code: 'amount_details_amount_mismatch' });
  expect((await create(1999, { enforce_arithmetic_validation: false })).amount_details?.error?.code).toBe('amount_details_amount_mismatch');
  await expect(create(2000, { tax: { total_tax_amount: 100 } })).rejects.toMatchObject({ message: expect.stringContaining('only specify one') as string });
  await expect(create(400, { line_items: '' })).rejects.toMatchObject({ code: 'amount_details_tax_shipping_discount_greater_than_amount' });
  // What a call leaves out stays; an empty value takes it away.
  const discounted = await stripe.paymentIntents.update(intent.id, { amount: 1900, amount_details: { discount_amount: 100 }, expand });
  expect(discounted.amount_details).toMatchObject({ discount_amount: 100, shipping: { amount: 500 }, line_items: { data: [goods] } });
  expect((await stripe.paymentIntents.update(intent.id, { amount_details: '' })).amount_details).toEqual({ tip: {} });
  const paid = await stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_visa',
    return_url: 'https://example.com',
    amount_details: { tax: { total_tax_amount: 200 } },
  });
  expect(paid).toMatchObject({ status: 'succeeded', amount_details: { tax: { total_tax_amount: 200 } } });
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
  const [shirt, fixed, adjustable] = [await onePrice(2000), await onePrice(500), await onePrice(100)];
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

describe('accounts of the second version', () => {
  const merchant = {
    contact_email: 'shop@example.com',
    display_name: 'Shop',
    dashboard: 'none',
    identity: { country: 'us', entity_type: 'individual' },
    defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
    configuration: {
      merchant: { capabilities: { card_payments: { requested: true } } },
      recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
    },
  } as const;
  const include = ['configuration.merchant', 'configuration.recipient', 'defaults', 'identity', 'requirements'] as const;

  test('a merchant is a connected account, whose capabilities become active once nothing is due', async () => {
    const { accounts } = stripe.v2.core;
    const made = await accounts.create({ ...merchant, include: [...include] });
    expect(made).toMatchObject({
      object: 'v2.core.account',
      applied_configurations: ['merchant', 'recipient'],
      defaults: { responsibilities: { requirements_collector: 'application' } },
      configuration: {
        merchant: { applied: true, capabilities: { card_payments: { status: 'restricted' } } },
        recipient: { capabilities: { stripe_balance: { stripe_transfers: { status: 'restricted' } } } },
      },
      identity: { country: 'us', entity_type: 'individual' },
    });
    const due = made.requirements?.entries?.map(({ description }) => description);
    expect(due).toEqual(expect.arrayContaining(['identity.individual.given_name', 'defaults.profile.business_url', 'external_account']));
    expect(await accounts.retrieve(made.id)).not.toHaveProperty('configuration');

    const updated = await accounts.update(made.id, {
      defaults: { profile: { business_url: 'https://shop.example.com' } },
      identity: {
        attestations: { terms_of_service: { account: { date: '2025-01-15T12:00:00Z', ip: '127.0.0.1' } } },
        individual: {
          given_name: 'Jenny',
          surname: 'Rosen',
          email: 'jenny@example.com',
          phone: '+15555550100',
          date_of_birth: { day: 1, month: 1, year: 1902 },
          address: { city: 'Berlin', country: 'us', line1: 'Street 1', postal_code: '94103', state: 'CA' },
          id_numbers: [{ type: 'us_ssn', value: '000000000' }],
          relationship: { title: 'Owner' },
        },
      },
      include: [...include],
    });
    expect(updated.requirements?.entries?.map(({ description }) => description)).toEqual(['external_account']);
    expect(updated.identity?.individual?.id_numbers).toEqual([{ type: 'us_ssn' }]);
    await payments.stripe.accounts.createExternalAccount(made.id, { external_account: 'btok_us_verified' });
    const ready = await accounts.retrieve(made.id, { include: [...include] });
    expect(ready).toMatchObject({
      configuration: {
        merchant: { capabilities: { card_payments: { status: 'active', status_details: [] } } },
        recipient: { capabilities: { stripe_balance: { stripe_transfers: { status: 'active' } } } },
      },
      requirements: { entries: [] },
    });
    expect(await stripe.accounts.retrieve(made.id)).toMatchObject({ charges_enabled: true, email: 'shop@example.com' });
    const paid = await stripe.paymentIntents.create(
      { amount: 1000, currency: 'usd', payment_method: 'pm_card_visa', confirm: true, return_url: 'https://example.com' },
      { stripeAccount: made.id },
    );
    expect(paid.status).toBe('succeeded');
  });

  test('a link leads to the form; accounts are listed, closed, and refused in their own words', async () => {
    const { accounts, accountLinks } = stripe.v2.core;
    const { id } = await accounts.create({ ...merchant, dashboard: 'express' });
    const buyer = await accounts.create({ display_name: 'Buyer', configuration: { customer: {} } });
    const use = { configurations: ['merchant'], refresh_url: 'https://example.com/again', return_url: 'https://example.com' } as const;
    const asked = { type: 'account_onboarding', account_onboarding: { ...use, configurations: [...use.configurations] } } as const;
    const link = await accountLinks.create({ account: id, use_case: asked });
    expect(link).toMatchObject({ object: 'v2.core.account_link', account: id, use_case: { account_onboarding: { return_url: use.return_url } } });
    expect(await (await fetch(link.url)).text()).toContain('<form');
    await expect(accountLinks.create({ account: buyer.id, use_case: asked })).rejects.toMatchObject({ code: 'invalid_fields' });
    const ids = async (params: object) => (await accounts.list(params)).data.map((each) => each.id);
    expect(await ids({})).toEqual([buyer.id, id]);
    expect(await ids({ applied_configurations: ['customer'] })).toEqual([buyer.id]);
    expect(await accounts.close(id, {})).toMatchObject({ id, closed: true });
    expect([await ids({}), await ids({ closed: true })]).toEqual([[buyer.id], [id]]);
    await expect(accounts.update(id, { display_name: 'x' })).rejects.toMatchObject({ code: 'account_closed' });
    await expect(accounts.retrieve('acct_1NjDKM2FLZw5xvmo')).rejects.toMatchObject({ statusCode: 404, code: 'not_found' });
    await expect(accounts.create({ configuration: { merchant: {} } })).rejects.toMatchObject({ code: 'invalid_fields' });
    await expect(stripe.rawRequest('POST', '/v2/core/accounts', { nickname: 'x' })).rejects.toMatchObject({ code: 'invalid_fields' });
  });
});

test('top-ups, lines of a tax calculation and tax codes have the members that came with newer versions', async () => {
  expect(await stripe.topups.create({ amount: 2000, currency: 'usd' })).toMatchObject({ initiated_by: 'user' });
  expect((await stripe.taxCodes.list({ limit: 1 })).data).toMatchObject([{ requirements: null }]);
  const { id, line_items } = await stripe.tax.calculations.create({
    currency: 'eur',
    customer_details: { address: { country: 'DE', postal_code: '10115' }, address_source: 'billing' },
    line_items: [{ amount: 1000, reference: 'tea', metadata: { box: '7' } }],
    expand: ['line_items'],
  });
  const lines = [{ reference: 'tea', metadata: { box: '7' }, performance_location: null }];
  expect(line_items?.data).toMatchObject(lines);
  expect((await stripe.tax.calculations.listLineItems(String(id))).data).toMatchObject(lines);
  const before = await payments.stripe.tax.calculations.retrieve(String(id), { expand: ['line_items'] });
  for (const name of ['metadata', 'performance_location'])
    expect(before.line_items?.data[0]).not.toHaveProperty(name);
});

test('a session with optional items does not show them in a version before them', async () => {
  const { id } = await stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://shop.example/done',
    line_items: [{ price: await onePrice(2000), quantity: 1 }],
    optional_items: [{ price: await onePrice(500), quantity: 1 }],
  });
  expect((await stripe.checkout.sessions.retrieve(id)).optional_items).toHaveLength(1);
  expect(await payments.stripe.checkout.sessions.retrieve(id)).not.toHaveProperty('optional_items');
});
