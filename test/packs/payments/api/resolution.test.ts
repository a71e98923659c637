import { refused, servePayments, T0, type Called, type Body } from '../served-payments.js';

/** The order in which a call is resolved (fault, scenario, magic value, normal), and the trace that tells of it. */
const payments = servePayments();

const PAY = { amount: '2000', currency: 'usd', confirm: 'true' };

const scenario = (name: string) => ({ 'X-Mock-Scenario': name });
const pay = (payment_method: string, options = {}) =>
  payments.post('/v1/payment_intents', { ...PAY, payment_method }, options);
const fault = (more: Body = {}) =>
  payments.control.fault({
    resource: 'payment_intents',
    operation: 'create',
    status: 503,
    error: { type: 'api_error', message: 'armed' },
    ...more,
  });

function errorOf({ body }: Called): Body {
  return (body as { error?: Body }).error ?? {};
}

describe('order', () => {
  it('a fault wins over scenario, magic value and normal handling', async () => {
    await fault();
    const answer = await pay('pm_card_chargeDeclined', scenario('declined_lost_card'));
    expect([answer.status, errorOf(answer)['message']]).toEqual([503, 'armed']);
    expect((await payments.trace(answer))['outcome']).toBe('fault');
    expect(await payments.events()).toEqual([]);
  });

  it('a scenario wins over a magic value', async () => {
    const answer = await pay('pm_card_chargeDeclined', scenario('declined_lost_card'));
    expect([answer.status, errorOf(answer)['decline_code']]).toEqual([402, 'lost_card']);
    expect(await payments.trace(answer)).toMatchObject({ outcome: 'scenario', scenario: 'declined_lost_card' });
  });

  it('a scenario wins over normal handling', async () => {
    const { id } = await payments.stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    expect((await pay(id, scenario('requires_action'))).body['status']).toBe('requires_action');
  });

  it('a magic value wins over normal handling', async () => {
    const answer = await pay('pm_card_chargeDeclinedInsufficientFunds');
    expect([answer.status, errorOf(answer)['decline_code']]).toEqual([402, 'insufficient_funds']);
    expect(await payments.trace(answer)).toMatchObject({
      outcome: 'magic_value',
      magic_values: ['pm_card_chargeDeclinedInsufficientFunds'],
    });
  });

  it('otherwise the call is handled normally', async () => {
    const { id } = await payments.stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    const answer = await pay(id);
    expect([answer.status, answer.body['status']]).toEqual([200, 'succeeded']);
    expect(await payments.trace(answer)).toMatchObject({ operation: 'payment_intents.create', outcome: 'normal' });
  });
});

describe('faults', () => {
  it('fires as often as it counts', async () => {
    await fault({ count: 2 });
    const statuses = [
      (await pay('pm_card_visa')).status,
      (await pay('pm_card_visa')).status,
      (await pay('pm_card_visa')).status,
    ];
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('stays until it is cleared', async () => {
    const { id } = await fault();
    for (let i = 0; i < 3; i++) expect((await pay('pm_card_visa')).status).toBe(503);
    await payments.control.clearFaults(String(id));
    expect((await pay('pm_card_visa')).status).toBe(200);
  });

  it('is about one operation', async () => {
    await fault();
    expect((await payments.post('/v1/customers')).status).toBe(200);
    expect((await payments.get('/v1/payment_intents')).status).toBe(200);
  });

  it('fires for calls that match', async () => {
    await fault({ match: { currency: 'eur' } });
    expect((await pay('pm_card_visa')).status).toBe(200);
    expect((await payments.post('/v1/payment_intents', { amount: '2000', currency: 'eur' })).status).toBe(503);
  });

  it('the client sees its own kind of error', async () => {
    await fault({ status: 429, error: { type: 'rate_limit_error', code: 'rate_limit' }, count: 1 });
    const error = await refused(payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd' }));
    expect(error).toMatchObject({ type: 'StripeRateLimitError', statusCode: 429, code: 'rate_limit' });
  });

  it('cuts the connection before anything happens, or after', async () => {
    await payments.control.fault({ resource: 'customers', operation: 'create', kind: 'reset', count: 1 });
    await expect(payments.post('/v1/customers')).rejects.toThrow();
    expect((await payments.get('/v1/customers')).body['data']).toEqual([]);
    await payments.control.fault({ resource: 'customers', operation: 'create', kind: 'lost_response', count: 1 });
    await expect(payments.post('/v1/customers')).rejects.toThrow();
    expect((await payments.get('/v1/customers')).body['data']).toHaveLength(1);
  });

  it('loses the response to an unknown scenario too: a fault comes before it, and the trace says what was lost', async () => {
    await payments.control.fault({ resource: 'customers', operation: 'create', kind: 'lost_response', count: 1 });
    await expect(payments.post('/v1/customers', {}, scenario('rate_limted'))).rejects.toThrow();
    const [trace] = (await payments.control.call('GET', '/traces?limit=1'))['data'] as Body[];
    expect(trace).toMatchObject({ outcome: 'fault', status: 400, error: 'unknown_scenario' });
    expect((await payments.get('/v1/customers')).body['data']).toEqual([]);
    expect((await payments.post('/v1/customers')).status).toBe(200);
  });

  const wrong: [string, Body, number][] = [
    ['an unknown resource', { resource: 'gadgets', operation: 'create', status: 500, error: {} }, 404],
    ['an unknown operation', { resource: 'customers', operation: 'polish', status: 500, error: {} }, 404],
    ['a status that is no error', { resource: 'customers', operation: 'create', status: 200, error: {} }, 400],
    ['an unknown key', { resource: 'customers', operation: 'create', status: 500, error: {}, often: true }, 400],
  ];

  it.each(wrong)('%s is refused', async (_name, body, status) => {
    await expect(payments.control.call('POST', '/faults', body)).rejects.toMatchObject({ status });
  });
});

describe('scenarios', () => {
  it("an unknown one is 400, outside of the vendor's words, and does nothing", async () => {
    const before = payments.commits;
    const answer = await pay('pm_card_visa', scenario('rate_limted'));
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toEqual({
      code: 'unknown_scenario',
      message: "There is no scenario 'rate_limted'; did you mean 'rate_limited'?",
    });
    expect(payments.commits).toBe(before);
  });

  const names: [string, number, Body][] = [
    ['rate_limited', 429, {}],
    ['server_error', 500, { type: 'api_error' }],
    ['declined_generic_decline', 402, { code: 'card_declined', decline_code: 'generic_decline' }],
    ['declined_insufficient_funds', 402, { code: 'card_declined', decline_code: 'insufficient_funds' }],
    ['declined_expired_card', 402, { code: 'card_declined', decline_code: 'expired_card' }],
    ['declined_incorrect_cvc', 402, { code: 'card_declined', decline_code: 'incorrect_cvc' }],
    ['declined_do_not_honor', 402, { code: 'card_declined', decline_code: 'do_not_honor' }],
  ];

  it.each(names)('%s', async (name, status, error) => {
    const answer = await pay('pm_card_visa', scenario(name));
    expect([answer.status, errorOf(answer)]).toMatchObject([status, error]);
    expect((await pay('pm_card_visa')).status).toBe(200); // one call only
  });
});

describe('traces', () => {
  const calls: [string, () => Promise<Called>, number][] = [
    ['a success', () => payments.get('/v1/balance'), 200],
    ['a bad parameter', () => payments.post('/v1/payment_intents', { amount: 'x' }), 400],
    ['no key', () => payments.get('/v1/balance', { authorization: undefined }), 401],
    ['a wrong key', () => payments.get('/v1/balance', { authorization: 'Bearer sk_test_x' }), 401],
    ['a decline', () => pay('pm_card_chargeDeclined'), 402],
    ['an unknown id', () => payments.get('/v1/customers/cus_00000000000000'), 404],
    ['an unknown route', () => payments.get('/v1/nonsense'), 404],
    ['a wrong method', () => payments.call('PUT /v1/customers'), 404],
    ['a large body', () => payments.call('POST /v1/customers', 'x'.repeat(1024 * 1024 + 1)), 413],
    ['an unknown scenario', () => pay('pm_card_visa', scenario('x')), 400],
    [
      'a fault',
      async () => {
        await fault();
        return pay('pm_card_visa');
      },
      503,
    ],
  ];

  it.each(calls)('%s has one', async (_name, call, status) => {
    const answer = await call();
    expect(answer.status).toBe(status);
    expect(await payments.trace(answer)).toMatchObject({ status, request: { method: expect.any(String) as unknown } });
  });

  it('tell events and transitions', async () => {
    const trace = await payments.trace(await pay('pm_card_visa'));
    const { events, transitions } = trace as { events: { type: string }[]; transitions: { to: string }[] };
    expect(events.map(({ type }) => type).slice(0, 3)).toEqual([
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
    ]);
    expect(transitions.map(({ to }) => to)).toContain('succeeded');
  });

  it("an unknown one is 404, in the control API's words", async () => {
    await expect(payments.control.trace('trc_nonsense')).rejects.toMatchObject({
      status: 404,
      body: { error: { code: expect.any(String) as unknown } },
    });
  });

  interface Exogenous {
    readonly field_path: string;
    readonly source: string;
    readonly value: unknown;
  }
  const sources: [string, () => Promise<Called>, Partial<Exogenous>][] = [
    [
      'pin',
      async () => {
        await payments.control.pin({ resource: 'charges', path: 'outcome.risk_score', value: 61 });
        return payments.get(`/v1/charges/${String((await pay('pm_card_visa')).body['latest_charge'])}`);
      },
      { field_path: 'outcome.risk_score', source: 'pin', value: 61 },
    ],
    [
      'cause',
      async () => {
        const { id } = await payments.stripe.paymentIntents.create({
          amount: 2000,
          currency: 'usd',
          payment_method: 'pm_card_visa',
        });
        await payments.control.event('payment.declined', { payment_intent_id: id, decline_code: 'stolen_card' });
        return payments.get(`/v1/payment_intents/${id}`);
      },
      { field_path: 'last_payment_error.decline_code', source: 'cause', value: 'stolen_card' },
    ],
    [
      'magic_value',
      () => pay('pm_card_chargeDeclinedInsufficientFunds'),
      { field_path: 'last_payment_error.decline_code', source: 'magic_value', value: 'insufficient_funds' },
    ],
    [
      'default',
      async () => {
        const { id } = await payments.stripe.paymentMethods.create({
          type: 'card',
          card: { number: '4242424242424242', exp_month: 1, exp_year: 2030 },
        });
        return payments.get(`/v1/payment_methods/${id}`);
      },
      { field_path: 'card.last4', source: 'default', value: '4242' },
    ],
  ];

  it.each(sources)('tell that a value came from a %s', async (_source, call, expected) => {
    const { exogenous } = (await payments.trace(await call())) as unknown as { exogenous: Exogenous[] };
    const found = exogenous.filter(({ field_path }) => field_path.endsWith(expected.field_path ?? ''));
    expect(found).toEqual(
      expect.arrayContaining([expect.objectContaining({ source: expected.source, value: expected.value })]),
    );
  });
});

describe('a pin of one object wins over one of its collection, and a branch decides the way', () => {
  it('branch', async () => {
    const { id } = await payments.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      payment_method: 'pm_card_visa',
    });
    await payments.control.pin({ resource: 'payment_intents', id, branch: 'declined' });
    expect((await payments.post(`/v1/payment_intents/${id}/confirm`)).status).toBe(402);
    expect((await pay('pm_card_visa')).status).toBe(200);
  });

  it('the nearer pin', async () => {
    const { id } = await payments.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      payment_method: 'pm_card_chargeDeclined',
    });
    const path = 'last_payment_error.decline_code';
    await payments.control.pin({ resource: 'payment_intents', path, value: 'lost_card' });
    await payments.control.pin({ resource: 'payment_intents', id, path, value: 'stolen_card' });
    expect(errorOf(await payments.post(`/v1/payment_intents/${id}/confirm`))['decline_code']).toBe('stolen_card');
    // What a magic value of the request decides, no pin decides otherwise; a method that was made before is none.
    expect(errorOf(await pay('pm_card_chargeDeclined'))['decline_code']).toBe('generic_decline');
    const card = { number: '4000000000000002', exp_month: 12, exp_year: 2034 };
    const method = await payments.stripe.paymentMethods.create({ type: 'card', card });
    expect(errorOf(await pay(method.id))['decline_code']).toBe('lost_card');
  });
});

it('seeded history is silent, and lives on', async () => {
  const id = 'pi_3AAAAALkdIwHu7ix00000000';
  await payments.control.seed({
    resource: 'payment_intents',
    objects: [{ id, amount: 2000, currency: 'usd', created: T0 - 60 }],
  });
  expect(await payments.events()).toEqual([]);
  const intent = await payments.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
  expect(intent).toMatchObject({ id, status: 'succeeded', created: T0 - 60 });
});

it.each(['pi_1', 'cus_AAAAAAAAAAAAAA', 'nonsense', 'pi_3AAAAALkdIwHu7ix0000000!'])(
  'the id %s cannot be seeded as an intent',
  async (id) => {
    const call = payments.control.seed({
      resource: 'payment_intents',
      objects: [{ id, amount: 2000, currency: 'usd' }],
    });
    await expect(call).rejects.toMatchObject({ status: 422 });
  },
);
