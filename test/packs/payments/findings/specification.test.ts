/**
 * Sentences of SPEC.md that did not hold, and hostile input that broke the pack: each finding's reproduction with its new answer.
 */
import type Stripe from 'stripe';
import { DAY, idOf, refused, servePayments, T0, type Body } from '../served-payments.js';

const payments = servePayments();
const stripe = () => payments.stripe;

const pay = (payment_method: string, more: Readonly<Record<string, string>> = {}, options = {}) =>
  payments.post(
    '/v1/payment_intents',
    { amount: '1000', currency: 'usd', confirm: 'true', payment_method, ...more },
    options,
  );
const errorOf = (body: Body): Body => (body['error'] as Body | undefined) ?? {};

describe('F7 a magic value of the request comes before pins', () => {
  const pin = (path: string, value: string) => payments.control.pin({ resource: 'payment_intents', path, value });

  it.each([
    ['declined', 'pm_card_visa', 200],
    ['approved', 'pm_card_chargeDeclined', 402],
    ['requires_action', 'pm_card_visa', 200],
  ])('branch %s, %s', async (branch, method, status) => {
    await pin('branch', branch);
    const answer = await pay(method);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toMatchObject({ status: 'succeeded' });
    expect(await payments.trace(answer)).toMatchObject({ outcome: 'magic_value' });
  });

  it.each([
    ['pm_card_visa', { path: 'branch', value: 'declined' }],
    ['pm_card_chargeDeclined', { path: 'branch', value: 'approved' }],
    ['pm_card_chargeDeclined', { path: 'last_payment_error.decline_code', value: 'lost_card' }],
  ])('the trace of %s names the pin that stood back: %j', async (method, given) => {
    const { id } = (await pin(given.path, given.value)) as { id: string };
    const told = await payments.trace(await pay(method));
    expect(told['stood_back']).toEqual([
      { pin: id, resource: 'payment_intents', id: expect.stringMatching(/^pi_/) as string, ...given },
    ]);
  });

  it('pins that decide, or concern another state, did not stand back', async () => {
    await payments.control.pin({ resource: 'charges', path: 'outcome.risk_level', value: 'elevated' });
    await pin('last_payment_error.decline_code', 'lost_card');
    expect(await payments.trace(await pay('pm_card_visa'))).toMatchObject({ stood_back: [] });
    const method = await stripe().paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    await pin('branch', 'declined');
    expect(await payments.trace(await pay(method.id))).toMatchObject({ stood_back: [] });
  });

  it('the decline code is the magic value’s', async () => {
    await pin('last_payment_error.decline_code', 'lost_card');
    expect(errorOf((await pay('pm_card_chargeDeclinedInsufficientFunds')).body)['decline_code']).toBe(
      'insufficient_funds',
    );
  });

  it('a token inside the call counts as much', async () => {
    await pin('branch', 'declined');
    const answer = await payments.post('/v1/payment_intents', {
      amount: '1000',
      currency: 'usd',
      confirm: 'true',
      'payment_method_data[type]': 'card',
      'payment_method_data[card][token]': 'tok_visa',
    });
    expect(answer.body).toMatchObject({ status: 'succeeded' });
  });

  it.each([
    [
      'made before',
      async () => (await stripe().paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })).id,
    ],
    ['looked at before', async () => (await stripe().paymentMethods.retrieve('pm_card_visa')).id],
  ])('a method that was %s is nothing magic: pins decide', async (_when, make) => {
    const method = await make();
    await pin('branch', 'declined');
    expect((await pay(method)).status).toBe(402);
  });

  it('an intent that was made with one before is confirmed as pinned', async () => {
    const { body } = await pay('pm_card_visa', { confirm: 'false' });
    await payments.control.pin({ resource: 'payment_intents', id: String(body['id']), branch: 'declined' });
    expect((await payments.post(`/v1/payment_intents/${String(body['id'])}/confirm`)).status).toBe(402);
  });

  it('a scenario comes before both', async () => {
    await pin('branch', 'approved');
    const answer = await pay('pm_card_visa', {}, { headers: { 'X-Mock-Scenario': 'declined_lost_card' } });
    expect(errorOf(answer.body)['decline_code']).toBe('lost_card');
  });
});

describe('F8 test clocks are handles on the one clock', () => {
  it('read the world’s time, whoever moved it', async () => {
    const first = await stripe().testHelpers.testClocks.create({ frozen_time: T0 });
    await payments.control.advance('5d');
    expect(await stripe().testHelpers.testClocks.retrieve(first.id)).toMatchObject({ frozen_time: T0 + 5 * DAY });
    const second = await stripe().testHelpers.testClocks.create({ frozen_time: T0 + 6 * DAY });
    await stripe().testHelpers.testClocks.advance(second.id, { frozen_time: T0 + 9 * DAY });
    expect(await stripe().testHelpers.testClocks.retrieve(first.id)).toMatchObject({
      frozen_time: T0 + 9 * DAY,
      status: 'ready',
    });
  });
});

describe('F10, F11 calls that reach no operation', () => {
  it.each([
    ['OPTIONS', '/v1/customers'],
    ['PUT', '/v1/customers'],
    ['GET', '/v1/nothing'],
    ['HEAD', '/v1/nothing'],
    ['DELETE', '/v1/payment_intents'],
    ['GET', '/v1/files'],
  ])('%s %s wants the key and leaves a trace that names it', async (method, path) => {
    expect((await payments.call(method, path, undefined, { auth: null })).status).toBe(401);
    const answer = await payments.call(method, path);
    expect(answer.status).toBe(404);
    expect(await payments.trace(answer)).toMatchObject({ operation: `${method} ${path}` });
  });
});

describe('F12, F13 idempotency keys', () => {
  const keyed = { headers: { 'Idempotency-Key': 'once' } };

  it('a call that a fault delays holds its key', async () => {
    await payments.control.fault({
      resource: 'customers',
      operation: 'create',
      kind: 'delay',
      delay_ms: 300,
      count: 1,
    });
    const slow = payments.post('/v1/customers', {}, keyed);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await payments.post('/v1/customers', {}, keyed);
    expect([second.status, errorOf(second.body)['code']]).toEqual([409, 'idempotency_key_in_use']);
    expect((await slow).status).toBe(200);
    expect((await stripe().customers.list()).data).toHaveLength(1);
  });

  it('the message names both endpoints', async () => {
    await payments.post('/v1/customers', {}, keyed);
    const { body } = await payments.post('/v1/products', { name: 'x' }, keyed);
    expect(errorOf(body)['message']).toContain("('/v1/customers' vs '/v1/products')");
  });
});

describe('F14 to F17', () => {
  it.each(['tok_visa', 'tok_amex', 'tok_mastercard'])('%s confirms', async (token) => {
    expect((await pay(token)).body).toMatchObject({ status: 'succeeded' });
  });

  it('a token that declines, and one that nobody knows', async () => {
    expect((await pay('tok_chargeDeclined')).status).toBe(402);
    expect(errorOf((await pay('tok_zzz')).body)['message']).toContain("Unrecognized test value: 'tok_zzz'");
  });

  it.each(['/v1/invoices/in_x/lines', '/v1/customers/cus_x/payment_methods', '/v1/charges/ch_x'])(
    'an unknown id in %s is `id`',
    async (path) => {
      const answer = await payments.get(path);
      expect([answer.status, errorOf(answer.body)['param']]).toEqual([404, 'id']);
    },
  );

  it.each([
    ['charges', 'outcome.risk_level', 'hihgest'],
    ['charges', 'outcome.type', 'zzz'],
    ['charges', 'outcome.network_status', 'zzz'],
    ['payment_methods', 'card.brand', 'zzz'],
    ['payment_methods', 'card.last4', 'zzz'],
  ])('%s.%s cannot be pinned to %s', async (resource, path, value) => {
    await expect(payments.control.pin({ resource, path, value })).rejects.toMatchObject({ status: 422 });
  });
});

describe('F15 versions', () => {
  it.each([
    '2024-02-31',
    '2023-02-29',
    '2099-01-01',
    '2024-12-17.acacia',
    '2024-12-18.foo',
    '2024-12-18',
    '2025-03-31.acacia',
    'abc',
    '',
    '2024-12-18.acacia; beta',
  ])('%j is none', async (version) => {
    const answer = await payments.get('/v1/customers', { headers: { 'Vendor-Version': version } });
    expect(answer.status).toBe(400);
    expect(Object.keys(errorOf(answer.body))).not.toContain('code');
  });

  it.each([
    '2020-08-27',
    '2016-02-29',
    '2024-06-20',
    '2024-12-18.acacia',
    '2025-01-27.acacia; custom_checkout_beta=v1',
    '2025-03-31.basil;one_beta=v1;other_beta=v2',
    '2026-10-28.endive',
  ])('%j is one', async (version) => {
    const answer = await payments.get('/v1/customers', { headers: { 'Vendor-Version': version } });
    expect(answer.status).toBe(200);
  });
});

describe('F18, F20', () => {
  it('a branch pinned for charges decides those of payment intents', async () => {
    const method = (await stripe().paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })).id;
    await payments.control.pin({ resource: 'charges', branch: 'declined' });
    expect((await pay(method)).status).toBe(402);
  });

  it('a path below a reference that names nothing is checked', async () => {
    const charge = String(((await pay('pm_card_visa')).body as { latest_charge?: string }).latest_charge);
    expect((await payments.get(`/v1/charges/${charge}?expand[]=invoice.foo`)).status).toBe(400);
    expect((await payments.get(`/v1/charges/${charge}?expand[]=invoice.subscription`)).status).toBe(200);
  });

  it.each([
    ['/v1/customers?expand[]=data.foo', 400],
    ['/v1/customers?expand[]=foo', 400],
    ['/v1/customers?expand[]=total_count', 400],
    ['/v1/customers?expand[]=', 200], // names nothing
    ['/v1/customers?expand[]=data.default_source', 200],
    ["/v1/customers/search?query=name:'x'&expand[]=data.foo", 400],
  ])('%s, while there is nothing, is %i', async (path, status) => {
    expect((await payments.get(path)).status).toBe(status);
  });

  it('a search counts when asked', async () => {
    await stripe().customers.create({ name: 'Ada' });
    const found = await stripe().customers.search({ query: "name:'Ada'", limit: 1, expand: ['total_count'] });
    expect(found).toMatchObject({ object: 'search_result', total_count: 1 });
    const plain = await payments.get("/v1/customers/search?query=name:'Ada'");
    expect(plain.body).not.toHaveProperty('total_count');
  });

  it('endpoints name events that there are', async () => {
    await expect(
      payments.control.endpoint({ url: 'http://127.0.0.1:9/', events: ['custmer.created'] }),
    ).rejects.toThrow(/there is no event/);
  });

  it.each([-5, '1969-12-31T23:59:59Z'])('a world does not begin before 1970: %j', async (t0) => {
    await expect(payments.control.reset({ t0 })).rejects.toMatchObject({ status: 400 });
  });
});

describe('hostile B0 numbers that are too large are refused', () => {
  async function price(): Promise<string> {
    const made = await stripe().prices.create({
      currency: 'usd',
      unit_amount: 1500,
      recurring: { interval: 'month' },
      product_data: { name: 'Gold' },
    });
    return made.id;
  }
  const customer = async () => (await stripe().customers.create({ payment_method: 'pm_card_visa' })).id;

  it.each<[string, (customer: string, price: string) => [string, Record<string, string>]]>([
    [
      'day_of_month',
      (c, p) => [
        '/v1/subscriptions',
        { customer: c, 'items[0][price]': p, 'billing_cycle_anchor_config[day_of_month]': '1000000000' },
      ],
    ],
    [
      'interval_count',
      (c, p) => [
        '/v1/subscriptions',
        {
          customer: c,
          'items[0][price]': p,
          'pending_invoice_item_interval[interval]': 'year',
          'pending_invoice_item_interval[interval_count]': '1000000000',
        },
      ],
    ],
    [
      'quantity',
      (c, p) => ['/v1/subscriptions', { customer: c, 'items[0][price]': p, 'items[0][quantity]': '9007199254740991' }],
    ],
    [
      'iterations',
      (c, p) => [
        '/v1/subscription_schedules',
        { customer: c, start_date: 'now', 'phases[0][items][0][price]': p, 'phases[0][iterations]': '1000000000' },
      ],
    ],
    [
      'unit_amount',
      (c) => ['/v1/invoiceitems', { customer: c, unit_amount: '1000000000', quantity: '1000000000', currency: 'usd' }],
    ],
    ['amount', (c) => [`/v1/customers/${c}/balance_transactions`, { amount: '9007199254740991', currency: 'usd' }]],
  ])('%s', async (_name, call) => {
    const [path, params] = call(await customer(), await price());
    const before = payments.commits;
    const answer = await payments.post(path, params);
    expect([answer.status, errorOf(answer.body)['type']]).toEqual([400, 'invalid_request_error']);
    expect(payments.commits).toBe(before);
  });
});

test('hostile B2 sessions are found by an address that some do not have', async () => {
  await stripe().checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://shop.test/done',
    line_items: [{ price_data: { currency: 'usd', unit_amount: 1500, product_data: { name: 'Shirt' } }, quantity: 1 }],
  });
  const found = await stripe().checkout.sessions.list({ customer_details: { email: 'a@example.com' } });
  expect(found.data).toEqual([]);
});

describe('hostile B3 a customer that was deleted', () => {
  async function gone(): Promise<{ customer: string; price: Stripe.Price }> {
    const customer = (await stripe().customers.create()).id;
    const price = await stripe().prices.create({
      currency: 'usd',
      unit_amount: 1500,
      recurring: { interval: 'month' },
      product_data: { name: 'Gold' },
    });
    return { customer, price };
  }

  it('accepts no quote', async () => {
    const { customer, price } = await gone();
    const quote = await stripe().quotes.create({ customer, line_items: [{ price: price.id }] });
    await stripe().quotes.finalizeQuote(quote.id);
    await stripe().customers.del(customer);
    expect(await refused(stripe().quotes.accept(quote.id))).toMatchObject({ code: 'resource_missing' });
  });

  it.each([{}, { subscription_details: { billing_cycle_anchor: 'now' as const } }])(
    'has no preview (%j)',
    async (more) => {
      const { customer, price } = await gone();
      const subscription = await stripe().subscriptions.create({
        customer,
        items: [{ price: price.id }],
        trial_period_days: 5,
      });
      await stripe().customers.del(customer);
      const { message, statusCode } = await refused(
        stripe().invoices.createPreview({ subscription: subscription.id, ...more }),
      );
      expect([statusCode, message]).toEqual([400, `No such customer: '${customer}'`]);
    },
  );

  it.each(['billing_portal.card_updated', 'billing_portal.customer_updated'])('%s cannot happen', async (cause) => {
    const { customer } = await gone();
    const session = await stripe().billingPortal.sessions.create({ customer });
    await stripe().customers.del(customer);
    const { causes } = (await payments.control.next()) as { causes: readonly { cause: string }[] };
    expect(causes.map((each) => each.cause)).not.toContain(cause);
    await expect(payments.control.event(cause, { billing_portal_session_id: session.id })).rejects.toMatchObject({
      status: 409,
    });
  });
});

test.each([
  ['code', 123],
  ['type', 5],
  ['message', {}],
])('hostile B4 a fault whose %s is %j is refused when it is armed', async (key, value) => {
  await expect(
    payments.control.fault({ resource: 'customers', operation: 'list', status: 429, error: { [key]: value } }),
  ).rejects.toMatchObject({ status: 400 });
});

describe('left from before', () => {
  const invoiceOf = async (lines: Stripe.InvoiceAddLinesParams.Line[]) => {
    const customer = (await stripe().customers.create()).id;
    const { id } = await stripe().invoices.create({ customer });
    return stripe().invoices.addLines(id, { lines });
  };
  const tax = (amount: number, inclusive: boolean): Stripe.InvoiceAddLinesParams.Line.TaxAmount => ({
    amount,
    tax_rate_data: { display_name: 'VAT', inclusive, percentage: 20 },
    taxable_amount: 1000,
  });

  it.each([
    ['exclusive', false, 1200, 1000],
    ['inclusive', true, 1000, 800],
  ])('tax amounts of lines count: %s', async (_name, inclusive, total, total_excluding_tax) => {
    const invoice = await invoiceOf([{ amount: 1000, tax_amounts: [tax(200, inclusive)] }]);
    expect(invoice).toMatchObject({
      total,
      total_excluding_tax,
      tax: 200,
      total_tax_amounts: [{ amount: 200, inclusive }],
    });
    const [line] = invoice.lines.data;
    const rate = await stripe().taxRates.retrieve(idOf(line.tax_amounts[0].tax_rate));
    expect(rate).toMatchObject({ active: false, display_name: 'VAT', percentage: 20 });
    const without = await stripe().invoices.updateLines(invoice.id, { lines: [{ id: line.id, tax_amounts: '' }] });
    expect(without).toMatchObject({ total: 1000, total_tax_amounts: [] });
  });

  it('an amount off is shared among prorated items', async () => {
    const customer = (
      await stripe().customers.create({
        payment_method: 'pm_card_visa',
        invoice_settings: { default_payment_method: 'pm_card_visa' },
      })
    ).id;
    const prices = [];
    for (const unit_amount of [1000, 3000]) {
      prices.push(
        await stripe().prices.create({
          currency: 'usd',
          unit_amount,
          recurring: { interval: 'month' },
          product_data: { name: 'x' },
        }),
      );
    }
    const coupon = await stripe().coupons.create({ amount_off: 800, currency: 'usd', duration: 'forever' });
    const { id, items } = await stripe().subscriptions.create({
      customer,
      items: prices.map((price) => ({ price: price.id })),
      discounts: [{ coupon: coupon.id }],
    });
    await stripe().subscriptions.update(id, { items: [{ id: items.data[1].id, quantity: 2 }] });
    const prorations = (await stripe().invoiceItems.list({ customer })).data.map(({ amount }) => amount);
    // Of 4,000 800 are off: 600 of the 3,000. Of 7,000 it is 686 of the 6,000.
    expect(prorations.toSorted((a, b) => a - b)).toEqual([-2400, 5314]);
  });
});
