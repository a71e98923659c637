import type Stripe from 'stripe';
import { servePayments, type Body } from '../served-payments.js';

/** Cards as the older calls name them: tokens, sources, and cards below a customer. */


const payments = servePayments();
const stripe = () => payments.stripe;

describe('a card that is detached is gone', () => {
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

describe('cards by their older names', () => {
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
    const gone = await payments.call(`DELETE /v1/customers/${id}/cards/${card}`);
    expect(gone.body).toMatchObject({ deleted: true });
  });

  it('the security code of a token for tests is checked when it pays', async () => {
    const { body } = await payments.post('/v1/charges', { amount: '500', currency: 'usd', source: 'tok_visa' });
    expect(body).toMatchObject({
      outcome: { advice_code: null, network_advice_code: null },
      payment_method_details: { card: { checks: { cvc_check: 'pass' } } },
      source: { cvc_check: 'pass' },
    });
  });

  it('an unknown token is said to be one', async () => {
    expect((await payments.post('/v1/customers', { source: 'tok_1LkdIwHu7ixNothing000000' })).body).toMatchObject({
      error: { code: 'resource_missing', param: 'source' },
    });
  });
});

describe('tokens', () => {
const pay = (payment_method: string, more: Readonly<Record<string, string>> = {}, options = {}) =>
  payments.post(
    '/v1/payment_intents',
    { amount: '1000', currency: 'usd', confirm: 'true', payment_method, ...more },
    options,
  );
const errorOf = (body: Body): Body => (body['error'] as Body | undefined) ?? {};

it.each(['tok_visa', 'tok_amex', 'tok_mastercard'])('the token %s confirms a payment', async (token) => {
  expect((await pay(token)).body).toMatchObject({ status: 'succeeded' });
});

it('a token that declines, and one that does not exist', async () => {
  expect((await pay('tok_chargeDeclined')).status).toBe(402);
  expect(errorOf((await pay('tok_zzz')).body)['message']).toContain("Unrecognized test value: 'tok_zzz'");
});
});
