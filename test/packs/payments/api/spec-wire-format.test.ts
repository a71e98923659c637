import type Stripe from 'stripe';
import { FINGERPRINT, idOf, KEY, refused, said, servePayments, T0, VERSION, type Body } from '../served-payments.js';

/** Tables of SPEC.md: fields, ids, status moves, authentication, versions, limits. */
const payments = servePayments();

const pay = (params: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  payments.stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    ...params,
  });

/** One object of each resource, made by ordinary calls. */
async function world(): Promise<Record<string, Body>> {
  const { stripe } = payments;
  const customer = await stripe.customers.create({ email: 'jenny@example.com', name: 'Jenny Rosen' });
  const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const intent = await pay({ customer: customer.id, payment_method: id });
  const charge = await stripe.charges.retrieve(idOf(intent.latest_charge));
  const refund = await stripe.refunds.create({ charge: charge.id, amount: 100 });
  const found: Record<string, unknown> = {
    payment_intent: intent,
    charge,
    customer,
    refund,
    payment_method: await stripe.paymentMethods.retrieve(id),
    balance_transaction: await stripe.balanceTransactions.retrieve(idOf(charge.balance_transaction)),
    setup_intent: await stripe.setupIntents.create(),
    event: (await payments.events())[0],
  };
  return found as Record<string, Body>;
}

describe('fields', () => {
  type Kind = 'string' | 'integer' | 'boolean' | 'object' | 'null';
  const kindOf = (value: unknown): Kind =>
    value === null ? 'null' : Number.isInteger(value) ? 'integer' : (typeof value as 'string' | 'boolean' | 'object');
  const tables: Record<string, Record<string, readonly Kind[]>> = {
    payment_intent: {
      id: ['string'],
      object: ['string'],
      amount: ['integer'],
      currency: ['string'],
      status: ['string'],
      customer: ['string', 'null'],
      payment_method: ['string', 'null'],
      latest_charge: ['string', 'object', 'null'],
      client_secret: ['string'],
      next_action: ['object', 'null'],
      last_payment_error: ['object', 'null'],
      amount_received: ['integer'],
      capture_method: ['string'],
      created: ['integer'],
      livemode: ['boolean'],
      metadata: ['object'],
    },
    charge: {
      id: ['string'],
      object: ['string'],
      amount: ['integer'],
      amount_captured: ['integer'],
      amount_refunded: ['integer'],
      status: ['string'],
      paid: ['boolean'],
      captured: ['boolean'],
      refunded: ['boolean'],
      disputed: ['boolean'],
      payment_intent: ['string', 'null'],
      balance_transaction: ['string', 'null'],
      payment_method_details: ['object'],
      outcome: ['object'],
      failure_code: ['string', 'null'],
      failure_message: ['string', 'null'],
      receipt_url: ['string'],
    },
    customer: {
      id: ['string'],
      object: ['string'],
      email: ['string', 'null'],
      name: ['string', 'null'],
      balance: ['integer'],
      currency: ['string', 'null'],
      delinquent: ['boolean'],
      invoice_prefix: ['string'],
      next_invoice_sequence: ['integer'],
      invoice_settings: ['object'],
      test_clock: ['null'],
      created: ['integer'],
      livemode: ['boolean'],
      metadata: ['object'],
    },
    event: {
      id: ['string'],
      object: ['string'],
      type: ['string'],
      api_version: ['string'],
      created: ['integer'],
      livemode: ['boolean'],
      pending_webhooks: ['integer'],
      request: ['object'],
      data: ['object'],
    },
  };

  it.each(Object.entries(tables))('%s', async (name, fields) => {
    const object = (await world())[name];
    expect(object['object']).toBe(name);
    for (const [field, kinds] of Object.entries(fields)) {
      expect(object).toHaveProperty(field);
      expect({ field, kind: kinds.includes(kindOf(object[field])) ? 'fits' : kindOf(object[field]) }).toEqual({
        field,
        kind: 'fits',
      });
    }
  });

  it('nested fields that SPEC.md names', async () => {
    const { charge, customer, event } = await world();
    expect(charge['payment_method_details']).toMatchObject({
      card: { brand: 'visa', last4: '4242', fingerprint: expect.any(String) as unknown },
    });
    const outcome = ['network_status', 'type', 'risk_level', 'risk_score', 'seller_message'];
    for (const field of outcome) expect(charge['outcome']).toHaveProperty(field);
    expect(customer['invoice_settings']).toHaveProperty('default_payment_method');
    expect(Object.keys(event['request'] as object)).toEqual(['id', 'idempotency_key']);
  });
});

describe('ids', () => {
  const numbered = (prefix: string) => new RegExp(`^${prefix}_[13][0-9A-Za-z]{5}${FINGERPRINT}[0-9A-Za-z]{8}$`);
  const short = (prefix: string) => new RegExp(`^${prefix}_[0-9A-Za-z]{14}$`);
  const patterns: [string, RegExp][] = [
    ['payment_intent', numbered('pi')],
    ['charge', numbered('ch')],
    ['event', numbered('evt')],
    ['payment_method', numbered('pm')],
    ['balance_transaction', numbered('txn')],
    ['refund', numbered('re')],
    ['setup_intent', numbered('seti')],
    ['customer', short('cus')],
  ];

  it.each(patterns)('of a %s', async (name, pattern) => {
    expect(String((await world())[name]['id'])).toMatch(pattern);
  });

  it('of requests, and secrets of intents', async () => {
    const { headers, body } = await payments.post('/v1/payment_intents', { amount: '2000', currency: 'usd' });
    expect(headers.get('request-id')).toMatch(short('req'));
    expect(body['client_secret']).toMatch(new RegExp(`^${String(body['id'])}_secret_[0-9A-Za-z]{25}$`));
  });

  it('timestamps are whole Unix seconds', async () => {
    for (const { created } of Object.values(await world())) expect(created).toBe(T0);
  });
});

describe('moves', () => {
  const moves: [string, string, number, string][] = [
    ['an approving method', 'pm_card_visa', 200, 'succeeded'],
    ['a declining method', 'pm_card_chargeDeclined', 402, 'requires_payment_method'],
    ['a 3DS-requiring method', 'pm_card_threeDSecure2Required', 200, 'requires_action'],
  ];

  it.each(moves)('confirm with %s', async (_name, payment_method, status, state) => {
    const { id } = await payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd' });
    const answer = await payments.post(`/v1/payment_intents/${id}/confirm`, { payment_method });
    const intent = await payments.stripe.paymentIntents.retrieve(id);
    expect([answer.status, intent.status]).toEqual([status, state]);
    if (state === 'requires_action') expect(intent.next_action?.type).toBe('use_vendor_sdk');
    if (status === 402) {
      const { error } = answer.body as { error: Body };
      expect(error).toMatchObject({ type: 'card_error', code: 'card_declined', charge: intent.latest_charge });
      const charge = await payments.stripe.charges.retrieve(idOf(intent.latest_charge));
      expect(charge).toMatchObject({
        status: 'failed',
        failure_code: 'card_declined',
        outcome: { type: 'issuer_declined' },
      });
    }
  });

  it('a refund changes flags, not the status, of a charge', async () => {
    const { id } = await payments.stripe.charges.retrieve(idOf((await pay()).latest_charge));
    await payments.stripe.refunds.create({ charge: id });
    expect(await payments.stripe.charges.retrieve(id)).toMatchObject({
      status: 'succeeded',
      refunded: true,
      amount_refunded: 2000,
    });
  });
});

describe('authentication', () => {
  const basic = (key: string) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const accepted: [string, string][] = [
    ['Bearer', `Bearer ${KEY}`],
    ['a lower-case scheme', `bearer ${KEY}`],
    ['Basic with an empty password', basic(KEY)],
  ];

  it.each(accepted)('%s is accepted', async (_name, authorization) => {
    expect((await payments.get('/v1/balance', { authorization })).status).toBe(200);
  });

  const rejected: [string, string | undefined, RegExp][] = [
    ['no key', undefined, /You did not provide an API key/],
    ['an empty key', 'Bearer ', /You did not provide an API key/],
    ['another key', 'Bearer sk_test_01234567_89abcdef_WXYZ', /Invalid API Key provided: sk_test_\*+WXYZ$/],
    ['another key by Basic', basic('sk_test_01234567_89abcdef_WXYZ'), /Invalid API Key provided: sk_test_\*+WXYZ$/],
    ['a part of the key', `Bearer ${KEY.slice(0, -1)}`, /Invalid API Key provided: sk_test_\*+/],
    ['another scheme', `Digest ${KEY}`, /API key|API Key/],
  ];

  it.each(rejected)('%s is 401 without a code, and nothing leaks', async (_name, authorization, message) => {
    const answer = await payments.get('/v1/balance', { authorization });
    expect(said(answer)).toEqual({ status: 401, type: 'invalid_request_error', code: undefined, param: undefined });
    expect((answer.body as { error: { message: string } }).error.message).toMatch(message);
    expect(answer.text).not.toContain('0123456789abcdefghij');
    expect(answer.headers.get('x-mock-resolution-trace')).toBeTruthy();
  });

  it('the client throws its authentication error', async () => {
    const { hostname, port } = new URL(payments.url);
    expect(hostname).toBe('127.0.0.1');
    expect(Number(port)).toBeGreaterThan(0);
    const error = await refused(payments.clientOf('sk_test_wrong').balance.retrieve());
    expect(error).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
  });

  it('an unknown route needs the key, too', async () => {
    expect((await payments.get('/v1/nonsense', { authorization: undefined })).status).toBe(401);
  });
});

describe('versions', () => {
  const headers: [string, string, number, string | null][] = [
    ['Vendor-Version', '2023-10-16', 200, '2023-10-16'],
    ['Stripe-Version', '2023-10-16', 200, '2023-10-16'],
    ['Vendor-Version', VERSION, 200, VERSION],
    ['Vendor-Version', 'nonsense', 400, null],
    ['Stripe-Version', '2023-13-45', 400, null],
  ];

  it.each(headers)('%s: %s', async (name, version, status, answered) => {
    const answer = await payments.get('/v1/balance', { [name]: version });
    expect(answer.status).toBe(status);
    if (answered !== null) expect(answer.headers.get('vendor-version')).toBe(answered);
    else
      expect(said(answer)).toEqual({ status: 400, type: 'invalid_request_error', code: undefined, param: undefined });
  });

  it("without a header it is the account's", async () => {
    expect((await payments.get('/v1/balance')).headers.get('vendor-version')).toBe(VERSION);
  });

  it('a bad version creates nothing', async () => {
    const before = payments.commits;
    await payments.post('/v1/customers', {}, { 'Vendor-Version': 'x' });
    expect(payments.commits).toBe(before);
  });
});

describe('limits', () => {
  const sizes: [string, number][] = [
    ['100', 100],
    ['101', 100],
    ['99999999999', 100],
    ['1', 1],
    ['0', 1],
    ['-5', 1],
  ];

  it.each(sizes)('limit=%s gives 200 and %d', async (limit, size) => {
    const objects = Array.from({ length: 105 }, (_, i) => ({ id: `cus_${String(i).padStart(14, '0')}` }));
    await payments.control.seed({ resource: 'customers', objects });
    const answer = await payments.get(`/v1/customers?limit=${limit}`);
    expect([answer.status, (answer.body['data'] as unknown[]).length, answer.body['has_more']]).toEqual([
      200,
      size,
      true,
    ]);
  });

  it('a reset rewinds the clock; nothing else moves it backwards', async () => {
    await payments.control.advance('10d');
    for (const body of [{ duration: '-1d' }, { duration: '0s' }, { to: T0 }]) {
      await expect(payments.control.call('POST', '/clock/advance', body)).rejects.toMatchObject({ status: 400 });
    }
    await payments.control.reset();
    expect(payments.now).toBe(T0);
  });
});

it("answers carry the vendor's headers", async () => {
  const { headers } = await payments.get('/v1/balance');
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('request-id')).toMatch(/^req_/);
  expect(headers.get('x-powered-by')).toBeNull();
});
