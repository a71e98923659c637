import { servePayments, type Body } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

const pay = (payment_method: string, more: Readonly<Record<string, string>> = {}, options = {}) =>
  payments.post(
    '/v1/payment_intents',
    { amount: '1000', currency: 'usd', confirm: 'true', payment_method, ...more },
    options,
  );
const errorOf = (body: Body): Body => (body['error'] as Body | undefined) ?? {};

describe('a test value of the request comes before pins', () => {
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
    const answer = await pay('pm_card_visa', {}, { 'X-Mock-Scenario': 'declined_lost_card' });
    expect(errorOf(answer.body)['decline_code']).toBe('lost_card');
  });
});

it.each([
  ['charges', 'outcome.risk_level', 'hihgest'],
  ['charges', 'outcome.type', 'zzz'],
  ['charges', 'outcome.network_status', 'zzz'],
  ['payment_methods', 'card.brand', 'zzz'],
  ['payment_methods', 'card.last4', 'zzz'],
])('%s.%s cannot be pinned to %s', async (resource, path, value) => {
  await expect(payments.control.pin({ resource, path, value })).rejects.toMatchObject({ status: 422 });
});

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
