/**
 * What software that nobody here wrote ran into: each finding's reproduction with its new answer. `B` rows are those that the vendor's
 * own command and browsers showed.
 */
import type Stripe from 'stripe';
import { createSandbox } from '../../../../engine/index.js';
import { press, readPage } from '../../../support/page-forms.js';
import { expanded, idOf, KEY, refused, servePayments, T0, DAY } from '../served-payments.js';

const payments = servePayments();
const stripe = () => payments.stripe;
const PUBLISHABLE = KEY.replace('sk_test_', 'pk_test_');

describe('P1 booleans of older clients in other languages', () => {
  it.each(['True', 'TRUE'])('confirm=%s confirms', async (confirm) => {
    const answer = await payments.post('/v1/payment_intents', {
      amount: '100',
      currency: 'usd',
      payment_method: 'pm_card_visa',
      confirm,
      off_session: 'False',
    });
    expect(answer.body).toMatchObject({ status: 'succeeded' });
  });

  it('another word is still no boolean', async () => {
    expect((await payments.post('/v1/products', { name: 'x', active: 'Yes' })).body).toMatchObject({
      error: { message: 'Invalid boolean: Yes', param: 'active' },
    });
  });
});

test('P2 off_session=false without confirm', async () => {
  const answer = await payments.post('/v1/payment_intents', { amount: '100', currency: 'usd', off_session: 'false' });
  expect(answer.status).toBe(200);
});

describe('P5 a card that is detached is gone', () => {
  it('from the sources too, and the next one is the default', async () => {
    const customer = await stripe().customers.create({ source: 'tok_visa' } as Stripe.CustomerCreateParams);
    await stripe().customers.createSource(customer.id, { source: 'tok_mastercard' });
    const [first, second] = (await stripe().customers.listSources(customer.id)).data.toReversed();
    const types = await payments.typesOf(() => stripe().paymentMethods.detach(first.id));
    expect(types).toEqual(['payment_method.detached', 'customer.source.deleted']);
    expect((await stripe().customers.listSources(customer.id)).data).toMatchObject([{ id: second.id }]);
    expect(await stripe().customers.retrieve(customer.id)).toMatchObject({ default_source: second.id });
    await stripe().paymentMethods.detach(second.id);
    expect((await stripe().customers.listSources(customer.id)).data).toEqual([]);
    expect(await stripe().customers.retrieve(customer.id)).toMatchObject({ default_source: null });
  });
});

describe('cards by older words', () => {
  const card = { 'source[object]': 'card', 'source[number]': '4242424242424242', 'source[exp_month]': '12' };

  it.each([
    ['/v1/customers', { ...card, 'source[exp_year]': '2034' }],
    ['/v1/customers', { card: 'tok_visa' }],
  ])('%s takes %j', async (path, params) => {
    const { body } = await payments.post(path, params);
    expect(body).toMatchObject({ default_source: expect.stringMatching(/^card_/) as string });
  });

  it('a charge of a card that is written out', async () => {
    const params = { amount: '500', currency: 'usd', ...card, 'source[exp_year]': '2034' };
    expect((await payments.post('/v1/charges', params)).body).toMatchObject({ status: 'succeeded' });
    const declined = await payments.post('/v1/charges', { ...params, 'source[number]': '4000000000000002' });
    expect(declined.status).toBe(402);
  });

  it('/cards is /sources', async () => {
    const { id } = await stripe().customers.create();
    const made = await payments.post(`/v1/customers/${id}/cards`, { card: 'tok_visa' });
    const card = String(made.body['id']);
    expect((await payments.get(`/v1/customers/${id}/cards/${card}`)).body).toMatchObject({ id: card, object: 'card' });
    expect((await payments.get(`/v1/customers/${id}/cards`)).body).toMatchObject({
      data: [{ id: card }],
      url: `/v1/customers/${id}/cards`,
    });
    const gone = await payments.call('DELETE', `/v1/customers/${id}/cards/${card}`);
    expect(gone.body).toMatchObject({ deleted: true });
  });

  it('an unknown token is said to be one', async () => {
    expect((await payments.post('/v1/customers', { source: 'tok_1LkdIwHu7ixNothing000000' })).body).toMatchObject({
      error: { code: 'resource_missing', param: 'source' },
    });
  });
});

describe('P7 browsers', () => {
  const origin = { Origin: 'http://shop.test' };
  const asked = { ...origin, 'Access-Control-Request-Method': 'GET' };
  const intent = () => stripe().paymentIntents.create({ amount: 100, currency: 'usd' });

  it('a page may ask for an intent with the publishable key, in the header or as a parameter', async () => {
    const { id, client_secret } = await intent();
    const path = `/v1/payment_intents/${id}?client_secret=${client_secret ?? ''}`;
    const preflight = await payments.call('OPTIONS', path, undefined, { headers: asked, auth: null });
    expect(preflight.status).toBe(200);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET');
    expect(preflight.headers.get('x-mock-resolution-trace')).toMatch(/^trc_/);
    for (const [url, auth] of [
      [path, `Bearer ${PUBLISHABLE}`],
      [`${path}&key=${PUBLISHABLE}`, null],
    ] as const) {
      const answer = await payments.get(url, { headers: origin, auth });
      expect(answer.body).toMatchObject({ id });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it('a body may carry the key', async () => {
    const params = {
      key: PUBLISHABLE,
      'card[number]': '4242424242424242',
      'card[exp_month]': '12',
      'card[exp_year]': '2034',
    };
    const answer = await payments.post('/v1/tokens', params, { headers: origin, auth: null });
    expect(answer.body).toMatchObject({ object: 'token' });
  });

  it('the secret key is for no browser, and no parameter', async () => {
    const { id } = await intent();
    const answer = await payments.get(`/v1/payment_intents/${id}`, { headers: origin });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect((await payments.get(`/v1/payment_intents/${id}?key=${KEY}`, { auth: null })).status).toBe(401);
    expect((await payments.call('OPTIONS', '/v1/customers', undefined, { headers: asked, auth: null })).status).toBe(
      401,
    );
  });

  it('an error can be read too', async () => {
    const answer = await payments.get('/v1/payment_intents/pi_x', { headers: origin, auth: 'Bearer pk_test_wrong' });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
  });
});

describe('B3 accounts that do not exist', () => {
  it.each(['Stripe-Account', 'Vendor-Account'])('%s is refused, nothing happens', async (header) => {
    const before = payments.commits;
    const answer = await payments.post('/v1/customers', {}, { headers: { [header]: 'acct_nonexistent' } });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ error: { type: 'invalid_request_error', code: 'account_invalid' } });
    expect(payments.commits).toBe(before);
  });

  it('the own one is known', async () => {
    const { id } = await stripe().accounts.retrieve();
    expect(await stripe().customers.create({}, { stripeAccount: id })).toMatchObject({ object: 'customer' });
  });
});

async function session(params: Partial<Stripe.Checkout.SessionCreateParams> = {}): Promise<Stripe.Checkout.Session> {
  return stripe().checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://shop.test/done',
    line_items: [{ price_data: { currency: 'usd', unit_amount: 1500, product_data: { name: 'Shirt' } }, quantity: 2 }],
    ...params,
  });
}

test('P10 a session without an email address can be completed', async () => {
  const { id } = await session();
  await payments.control.event('checkout.session.completed', { checkout_session_id: id });
  expect(await stripe().checkout.sessions.retrieve(id)).toMatchObject({
    status: 'complete',
    customer_details: { email: 'customer@example.com' },
  });
});

describe('B1 the vendor’s command', () => {
  it('completes a session by its page', async () => {
    const { id } = await session();
    const page = await payments.get(`/v1/payment_pages/${id}`);
    const method = await stripe().paymentMethods.create({
      type: 'card',
      card: { token: 'tok_visa' },
      billing_details: { email: 'stripe@example.com' },
    });
    const confirm = () =>
      payments.post(`/v1/payment_pages/${String(page.body['id'])}/confirm`, { payment_method: method.id });
    const types = await payments.typesOf(confirm);
    expect(types).toContain('checkout.session.completed');
    expect(await stripe().checkout.sessions.retrieve(id)).toMatchObject({
      payment_status: 'paid',
      customer_details: { email: 'stripe@example.com' },
    });
    expect((await confirm()).status).toBe(400);
  });

  it('trial_end=now pauses a subscription that nothing pays', async () => {
    const customer = (await stripe().customers.create()).id;
    const { id } = await stripe().subscriptions.create({
      customer,
      items: [
        {
          price: (
            await stripe().prices.create({
              currency: 'usd',
              unit_amount: 1500,
              recurring: { interval: 'month' },
              product_data: { name: 'Gold' },
            })
          ).id,
        },
      ],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
    });
    const types = await payments.typesOf(() => stripe().subscriptions.update(id, { trial_end: 'now' }));
    expect(types).toEqual(['customer.subscription.updated', 'customer.subscription.paused']);
    expect(await stripe().subscriptions.retrieve(id)).toMatchObject({ status: 'paused' });
  });

  it('another coupon of a customer is an updated discount', async () => {
    const [first, second] = [
      await stripe().coupons.create({ percent_off: 10 }),
      await stripe().coupons.create({ percent_off: 20 }),
    ];
    const customer = await stripe().customers.create({ coupon: first.id });
    const events = await payments.eventsOf(() => stripe().customers.update(customer.id, { coupon: second.id }));
    const [told] = events.filter(({ type }) => type === 'customer.discount.updated');
    expect(told.data.object).toMatchObject({ object: 'discount', coupon: { id: second.id } });
    expect(told.data.previous_attributes).toMatchObject({ coupon: { id: first.id } });
    expect((await stripe().customers.retrieve(customer.id)) as Stripe.Customer).toMatchObject({
      discount: { coupon: { id: second.id } },
    });
  });

  it('money that is available at once is told', async () => {
    const types = await payments.typesOf(() =>
      stripe().paymentIntents.create({
        amount: 100,
        currency: 'usd',
        confirm: true,
        payment_method: 'pm_card_bypassPending',
      }),
    );
    expect(types).toContain('balance.available');
  });
});

describe('P11 smaller', () => {
  it.each([
    [null, 401],
    [`Bearer ${KEY}`, 404],
  ])('a quote’s PDF below /v1 with key %s', async (auth, status) => {
    const answer = await payments.get('/v1/quotes/qt_wrong/pdf', { auth });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it('a restricted key is the world’s key with another prefix', async () => {
    const restricted = KEY.replace('sk_', 'rk_');
    const basic = `Basic ${Buffer.from(`${restricted}:`).toString('base64')}`;
    for (const auth of [`Bearer ${restricted}`, basic])
      expect((await payments.post('/v1/customers', {}, { auth })).status).toBe(200);
    expect((await payments.get('/v1/customers', { auth: 'Bearer rk_test_another' })).status).toBe(401);
  });

  it('a plan of an unknown product', async () => {
    const params = { product: 'prod_nope', amount: '1', currency: 'usd', interval: 'month' };
    expect((await payments.post('/v1/plans', params)).body).toMatchObject({
      error: { code: 'resource_missing', message: "No such product: 'prod_nope'", param: 'product' },
    });
  });

  it.each<[Stripe.PriceCreateParams.Recurring, string]>([
    [{ interval: 'month' }, '$30.00 USD a month'],
    [{ interval: 'week', interval_count: 2 }, '$30.00 USD every 2 weeks'],
  ])('the page of a subscription says what comes after its trial: %j', async (recurring, price) => {
    const { url } = await session({
      mode: 'subscription',
      line_items: [
        { price_data: { currency: 'usd', unit_amount: 1500, product_data: { name: 'Gold' }, recurring }, quantity: 2 },
      ],
      subscription_data: { trial_period_days: 7 },
    });
    const page = await readPage(url);
    expect(page).toContain('After the trial');
    expect(page).toContain(price);
    expect(await readPage((await session()).url)).not.toContain('After the trial');
  });

  it('the page asks for a tax id where the session wants one', async () => {
    const { id, url } = await session({ tax_id_collection: { enabled: true } });
    const filled = { email: 'a@example.com', name: 'Ada', tax_id_value: 'DE123456789' };
    expect(await (await press(String(url), 'Pay', filled)).text()).toContain('The kind of the tax id must be chosen.');
    await press(String(url), 'Pay', { ...filled, tax_id_type: 'eu_vat' });
    expect(await stripe().checkout.sessions.retrieve(id)).toMatchObject({
      status: 'complete',
      customer_details: { tax_ids: [{ type: 'eu_vat', value: 'DE123456789' }] },
    });
    expect(await readPage((await session()).url)).not.toContain('Tax id');
  });

  it.each(['payment', 'setup'] as const)('the number of a declined card stays: %s', async (mode) => {
    const { url } = await session(mode === 'payment' ? {} : { mode, currency: 'usd', line_items: undefined });
    const button = mode === 'payment' ? 'Pay' : 'Save';
    const number = async () => /name="card_number"[^>]* value="(\d+)"/.exec(await readPage(url))?.[1];
    expect(await number()).toBe('4242424242424242');
    await press(String(url), button, { email: 'a@example.com', name: 'Ada', card_number: '4000000000000002' });
    expect(await number()).toBe('4000000000000002');
  });

  it('receipt_url opens a receipt', async () => {
    const intent = await stripe().paymentIntents.create({
      amount: 1234,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
      description: 'Two shirts',
      expand: ['latest_charge'],
    });
    const { receipt_url } = expanded(intent.latest_charge);
    const page = await fetch(String(receipt_url));
    expect(page.status).toBe(200);
    const text = await page.text();
    for (const word of ['$12.34', 'Two shirts', 'Visa ending in 4242']) expect(text).toContain(word);
    expect((await fetch(`${new URL(String(receipt_url)).origin}/receipts/ch_none`)).status).toBe(404);
  });

  it('a declined charge has no receipt', async () => {
    const error = await refused(
      stripe().paymentIntents.create({
        amount: 100,
        currency: 'usd',
        confirm: true,
        payment_method: 'pm_card_chargeDeclined',
      }),
    );
    const charge = await stripe().charges.retrieve(idOf((error.raw as { charge?: string }).charge));
    expect(charge.receipt_url).toBeNull();
  });

  it.each([false, true])('the first test clock may lie in the past; a catalogue is there: %s', async (catalogue) => {
    if (catalogue) await stripe().products.create({ name: 'Gold' });
    const frozen_time = 1_577_836_800;
    const [clock, [created]] = [
      await stripe().testHelpers.testClocks.create({ frozen_time }),
      (await stripe().events.list({ type: 'test_helpers.test_clock.created' })).data,
    ];
    expect(clock).toMatchObject({ frozen_time, created: frozen_time, deletes_after: frozen_time + 30 * DAY });
    expect(created).toMatchObject({ created: frozen_time, data: { object: { frozen_time } } });
    const customer = await stripe().customers.create({ test_clock: clock.id });
    expect(customer.created).toBe(frozen_time);
    await stripe().testHelpers.testClocks.advance(clock.id, { frozen_time: frozen_time + DAY });
    expect(await stripe().testHelpers.testClocks.retrieve(clock.id)).toMatchObject({ frozen_time: frozen_time + DAY });
    const { message } = await refused(stripe().testHelpers.testClocks.create({ frozen_time }));
    expect(message).toMatch(/--t0/);
  });

  it('the world that follows wall time goes on from where the first test clock lets it begin', async () => {
    const live = await createSandbox({ pack: 'packs/payments', key: KEY, clock: 'realtime' });
    const frozen_time = 1_577_836_800;
    const call = async (path: string, body?: string): Promise<Record<string, unknown>> => {
      const headers = new Headers({ authorization: `Bearer ${KEY}` });
      if (body !== undefined) headers.set('content-type', 'application/x-www-form-urlencoded');
      const answer = await fetch(live.url + path, { method: body === undefined ? 'GET' : 'POST', headers, body });
      return (await answer.json()) as Record<string, unknown>;
    };
    expect(await call('/v1/test_helpers/test_clocks', `frozen_time=${frozen_time}`)).toMatchObject({ frozen_time });
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const { created } = await call('/v1/customers', 'name=Ann');
    expect(created).toBeGreaterThan(frozen_time);
    expect(created).toBeLessThan(frozen_time + 60);
    expect(await call('/__admin__/clock')).toMatchObject({ mode: 'realtime' });
    await live.close();
  });

  it('a test clock in the past of something says what to do', async () => {
    await stripe().customers.create();
    const { message } = await refused(stripe().testHelpers.testClocks.create({ frozen_time: T0 - DAY }));
    expect(message).toMatch(/--t0.*\/__admin__\/reset/);
  });
});
