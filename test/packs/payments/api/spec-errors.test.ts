import { said, servePayments, type Called, type Body } from '../served-payments.js';

/** SPEC.md's tables of errors, and of values that can be pinned. */
const payments = servePayments();

const intent = { amount: '2000', currency: 'usd' };
const confirmed = { ...intent, confirm: 'true' };

describe('a call fails', () => {
  type Row = [string, () => Promise<Called>, Body];
  const none = undefined;
  const rows: Row[] = [
    [
      'no key',
      () => payments.get('/v1/balance', { authorization: undefined }),
      { status: 401, type: 'invalid_request_error', code: none },
    ],
    [
      'invalid key',
      () => payments.get('/v1/balance', { authorization: 'Bearer sk_test_no' }),
      { status: 401, type: 'invalid_request_error', code: none },
    ],
    [
      'missing parameter',
      () => payments.post('/v1/payment_intents', { currency: 'usd' }),
      { status: 400, type: 'invalid_request_error', code: 'parameter_missing', param: 'amount' },
    ],
    [
      'missing parameter, again',
      () => payments.post('/v1/payment_intents', { amount: '2000' }),
      { status: 400, type: 'invalid_request_error', code: 'parameter_missing', param: 'currency' },
    ],
    [
      'unknown parameter',
      () => payments.post('/v1/payment_intents', { ...intent, custmer: 'x' }),
      { status: 400, type: 'invalid_request_error', code: 'parameter_unknown', param: 'custmer' },
    ],
    [
      'invalid enum',
      () => payments.post('/v1/payment_intents', { ...intent, capture_method: 'later' }),
      { status: 400, type: 'invalid_request_error', code: none, param: 'capture_method' },
    ],
    [
      'state-machine violation',
      async () => {
        const { id } = await payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd' });
        return payments.post(`/v1/payment_intents/${id}/capture`);
      },
      { status: 400, type: 'invalid_request_error', code: none, param: none },
    ],
    [
      'bad version header',
      () => payments.get('/v1/balance', { 'Vendor-Version': 'x' }),
      { status: 400, type: 'invalid_request_error', code: none, param: none },
    ],
    [
      'same key, other parameters',
      async () => {
        const headers = { 'Idempotency-Key': 'k' };
        await payments.post('/v1/customers', { name: 'a' }, headers);
        return payments.post('/v1/customers', { name: 'b' }, headers);
      },
      { status: 400, type: 'idempotency_error', code: none },
    ],
    [
      'unknown id',
      () => payments.get('/v1/customers/cus_00000000000000'),
      { status: 404, type: 'invalid_request_error', code: 'resource_missing', param: 'id' },
    ],
    [
      'unknown route',
      () => payments.get('/v1/nonsense'),
      { status: 404, type: 'invalid_request_error', code: none, param: none },
    ],
    [
      'declined payment',
      () => payments.post('/v1/payment_intents', { ...confirmed, payment_method: 'pm_card_chargeDeclined' }),
      { status: 402, type: 'card_error', code: 'card_declined' },
    ],
    [
      'armed fault',
      async () => {
        await payments.control.fault({
          resource: 'customers',
          operation: 'list',
          status: 429,
          error: { type: 'rate_limit_error' },
          count: 1,
        });
        return payments.get('/v1/customers');
      },
      { status: 429, type: 'rate_limit_error' },
    ],
  ];

  it.each(rows)('%s', async (_name, call, error) => {
    const answer = await call();
    expect(said(answer)).toMatchObject(error);
    for (const [key, value] of Object.entries(error))
      if (value === undefined) expect(said(answer)[key]).toBeUndefined();
    const { error: body } = answer.body as { error: { message: string; code?: string; doc_url?: string } };
    expect(body.message.length).toBeGreaterThan(5);
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(body.doc_url === undefined).toBe(body.code === undefined);
    expect(answer.headers.get('x-mock-resolution-trace')).toBeTruthy();
  });

  const ids: [string, string][] = [
    ['customers', 'cus_00000000000000'],
    ['payment_intents', 'pi_3AAAAALkdIwHu7ix00000000'],
    ['charges', 'ch_3AAAAALkdIwHu7ix00000000'],
    ['refunds', 're_3AAAAALkdIwHu7ix00000000'],
    ['payment_methods', 'pm_1AAAAALkdIwHu7ix00000000'],
    ['setup_intents', 'seti_1AAAAALkdIwHu7ix00000000'],
    ['disputes', 'dp_1AAAAALkdIwHu7ix00000000'],
    ['balance_transactions', 'txn_3AAAAALkdIwHu7ix00000000'],
    ['events', 'evt_1AAAAALkdIwHu7ix00000000'],
    ['tokens', 'tok_1AAAAALkdIwHu7ix00000000'],
    ['webhook_endpoints', 'we_1AAAAALkdIwHu7ix00000000'],
  ];

  it.each(ids)('an unknown id among the %s is named', async (collection, id) => {
    const answer = await payments.get(`/v1/${collection}/${id}`);
    expect(said(answer)).toEqual({ status: 404, type: 'invalid_request_error', code: 'resource_missing', param: 'id' });
    expect(answer.text).toContain(`'${id}'`);
  });

  it('messages name what is wrong and what would be right', async () => {
    const message = async (params: Record<string, string>) =>
      ((await payments.post('/v1/payment_intents', { ...intent, ...params })).body as { error: { message: string } })
        .error.message;
    expect(await message({ custmer: 'x' })).toBe('Received unknown parameter: custmer. Did you mean customer?');
    expect(await message({ capture_method: 'later' })).toBe(
      'Invalid capture_method: must be one of automatic, automatic_async, or manual',
    );
    expect(await message({ amount: 'abc' })).toBe('Invalid integer: abc');
    expect(await message({ amount: '10' })).toBe('Amount must be at least $0.50 usd');
    expect(await message({ currency: 'xxx' })).toMatch(
      /^Invalid currency: xxx\. .* supports these currencies: usd, aed/,
    );
  });
});

describe('a payment fails', () => {
  it('the body holds the charge, the method, and the whole intent after the bounce', async () => {
    const answer = await payments.post('/v1/payment_intents', {
      ...confirmed,
      payment_method: 'pm_card_chargeDeclinedInsufficientFunds',
    });
    expect(answer.status).toBe(402);
    const { error } = answer.body as { error: Body & { payment_intent: Body; charge: string; payment_method: Body } };
    expect(error).toMatchObject({
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
      charge: expect.stringMatching(/^ch_3/) as unknown,
      payment_method: { object: 'payment_method', card: { last4: '9995' } },
      payment_intent: { object: 'payment_intent', status: 'requires_payment_method', payment_method: null },
    });
    const { payment_intent, request_log_url: _url, ...rest } = error as Body;
    expect((payment_intent as Body)['last_payment_error']).toEqual(rest);
    expect(await payments.stripe.paymentIntents.retrieve(String((payment_intent as Body)['id']))).toEqual(
      payment_intent,
    );
    expect(await payments.stripe.charges.retrieve(error.charge)).toMatchObject({
      status: 'failed',
      failure_code: 'card_declined',
      failure_message: 'Your card has insufficient funds.',
      outcome: {
        network_status: 'declined_by_network',
        reason: 'insufficient_funds',
        type: 'issuer_declined',
        seller_message: 'The bank returned the decline code `insufficient_funds`.',
      },
      balance_transaction: null,
    });
  });
});

describe('values that can be pinned', () => {
  interface Pinned {
    readonly pin: Body;
    readonly params: Record<string, string>;
    readonly see: string;
    readonly field: string;
  }
  const rows: [string, Pinned][] = [
    [
      'last_payment_error.decline_code',
      {
        pin: { resource: 'payment_intents', path: 'last_payment_error.decline_code', value: 'lost_card' },
        // A card by its number: what a magic value decides, no pin decides otherwise.
        params: {
          ...confirmed,
          'payment_method_data[type]': 'card',
          'payment_method_data[card][number]': '4000000000000002',
          'payment_method_data[card][exp_month]': '12',
          'payment_method_data[card][exp_year]': '2034',
        },
        see: '"decline_code":"lost_card"',
        field: 'last_payment_error.decline_code',
      },
    ],
    [
      'charge.outcome.*',
      {
        pin: { resource: 'charges', path: 'charge.outcome.risk_level', value: 'elevated' },
        params: { ...confirmed, payment_method: 'pm_card_visa', 'expand[0]': 'latest_charge' },
        see: '"risk_level":"elevated"',
        field: 'outcome.risk_level',
      },
    ],
    [
      'payment_intent.next_action',
      {
        pin: {
          resource: 'payment_intents',
          path: 'payment_intent.next_action',
          value: {
            type: 'redirect_to_url',
            redirect_to_url: { return_url: null, url: 'https://bank.example.com/3ds' },
          },
        },
        params: { ...confirmed, payment_method: 'pm_card_threeDSecure2Required' },
        see: 'https://bank.example.com/3ds',
        field: 'next_action',
      },
    ],
    [
      'payment_method.card.*',
      {
        pin: { resource: 'payment_methods', path: 'payment_method.card.last4', value: '1234' },
        params: { ...intent, payment_method: 'pm_card_visa', 'expand[0]': 'payment_method' },
        see: '"last4":"1234"',
        field: 'card.last4',
      },
    ],
  ];

  it.each(rows)('%s', async (_path, { pin, params, see, field }) => {
    const { id } = await payments.control.pin(pin);
    const answer = await payments.post('/v1/payment_intents', params);
    expect(answer.text).toContain(see);
    const { exogenous } = (await payments.trace(answer)) as {
      exogenous: { field_path: string; source: string; value: unknown }[];
    };
    const told = exogenous.filter(({ field_path, source }) => field_path.endsWith(field) && source === 'pin');
    expect(told).toMatchObject([{ value: pin['value'] }]);
    await payments.control.unpin(String(id));
    expect((await payments.post('/v1/payment_intents', params)).text).not.toContain(see);
  });

  const refusedPins: [string, Body, number][] = [
    ['a status', { resource: 'payment_intents', path: 'status', value: 'succeeded' }, 422],
    ['an id', { resource: 'payment_intents', path: 'id', value: 'pi_1' }, 422],
    ['a total', { resource: 'charges', path: 'amount_refunded', value: 5 }, 422],
    ['a timestamp', { resource: 'customers', path: 'created', value: 5 }, 422],
    ['an unknown path', { resource: 'charges', path: 'outcome_.risk_level', value: 'x' }, 422],
    ['a value of the wrong type', { resource: 'charges', path: 'outcome.risk_score', value: 'high' }, 422],
    ['an unknown resource', { resource: 'subs', path: 'x', value: 1 }, 404],
    ['no path', { resource: 'charges', value: 1 }, 400],
    ['an unknown key', { resource: 'charges', path: 'outcome.risk_level', value: 'elevated', colour: 1 }, 400],
  ];

  it.each(refusedPins)('%s cannot be pinned', async (_name, pin, status) => {
    const call = payments.control.pin(pin);
    await expect(call).rejects.toMatchObject({ status });
    // A mistake of the test is never told in the vendor's envelope.
    await expect(call).rejects.toMatchObject({
      body: { error: { code: expect.any(String) as unknown, message: expect.any(String) as unknown } },
    });
  });

  it.each(['status', 'latest_charge'])('a seed cannot bring what the engine derives: %s', async (field) => {
    const objects = [{ id: 'pi_3AAAAALkdIwHu7ix00000000', amount: 2000, currency: 'usd', [field]: 'nonsense' }];
    await expect(payments.control.seed({ resource: 'payment_intents', objects })).rejects.toMatchObject({
      status: 422,
    });
  });

  it('opening balances bind at the seed', async () => {
    const available = [{ amount: 5000, currency: 'usd', source_types: { card: 5000 } }];
    await payments.control.pin({ resource: 'balances', path: 'balance.available', value: available });
    expect((await payments.stripe.balance.retrieve()).available).toMatchObject([{ amount: 5000, currency: 'usd' }]);
  });
});
