import { KEY, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;
const PUBLISHABLE = KEY.replace('sk_test_', 'pk_test_');

describe('a page in a browser', () => {
  const origin = { Origin: 'http://shop.test' };
  const asked = { ...origin, 'Access-Control-Request-Method': 'GET' };
  const intent = () => stripe().paymentIntents.create({ amount: 100, currency: 'usd' });

  it('a page may ask for an intent with the publishable key, in the header or as a parameter', async () => {
    const { id, client_secret } = await intent();
    const path = `/v1/payment_intents/${id}?client_secret=${client_secret ?? ''}`;
    const preflight = await payments.call(`OPTIONS ${path}`, undefined, { ...asked, authorization: undefined });
    expect(preflight.status).toBe(200);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET');
    expect(preflight.headers.get('x-mock-resolution-trace')).toMatch(/^trc_/);
    for (const [url, authorization] of [
      [path, `Bearer ${PUBLISHABLE}`],
      [`${path}&key=${PUBLISHABLE}`, undefined],
    ] as const) {
      const answer = await payments.get(url, { ...origin, authorization });
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
    const answer = await payments.post('/v1/tokens', params, { ...origin, authorization: undefined });
    expect(answer.body).toMatchObject({ object: 'token' });
  });

  it('the secret key is for no browser, and no parameter', async () => {
    const { id } = await intent();
    const answer = await payments.get(`/v1/payment_intents/${id}`, origin);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect((await payments.get(`/v1/payment_intents/${id}?key=${KEY}`, { authorization: undefined })).status).toBe(401);
    expect((await payments.call('OPTIONS /v1/customers', undefined, { ...asked, authorization: undefined })).status).toBe(
      401,
    );
  });

  it('an error can be read too', async () => {
    const answer = await payments.get('/v1/payment_intents/pi_x', { ...origin, authorization: 'Bearer pk_test_wrong' });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
  });
});

describe('an account that does not exist', () => {
  it.each(['Stripe-Account', 'Vendor-Account'])('%s is refused, nothing happens', async (header) => {
    const before = payments.commits;
    const answer = await payments.post('/v1/customers', {}, { [header]: 'acct_nonexistent' });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ error: { type: 'invalid_request_error', code: 'account_invalid' } });
    expect(payments.commits).toBe(before);
  });

  it('the own one is known', async () => {
    const { id } = await stripe().accounts.retrieve();
    expect(await stripe().customers.create({}, { stripeAccount: id })).toMatchObject({ object: 'customer' });
  });
});

it('a restricted key is the world’s key with another prefix', async () => {
  const restricted = KEY.replace('sk_', 'rk_');
  const basic = `Basic ${Buffer.from(`${restricted}:`).toString('base64')}`;
  for (const authorization of [`Bearer ${restricted}`, basic])
    expect((await payments.post('/v1/customers', {}, { authorization })).status).toBe(200);
  expect((await payments.get('/v1/customers', { authorization: 'Bearer rk_test_another' })).status).toBe(401);
});
