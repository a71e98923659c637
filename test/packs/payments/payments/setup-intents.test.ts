import type Stripe from 'stripe';
import { CAUSES, idOf, refused, servePayments } from '../served-payments.js';

const payments = servePayments();

type Create = Stripe.SetupIntentCreateParams;

function create(params: Create = {}): Promise<Stripe.SetupIntent> {
  return payments.stripe.setupIntents.create({
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    ...params,
  });
}

const starts: [string, Create, Stripe.SetupIntent.Status][] = [
  ['without a method', {}, 'requires_payment_method'],
  ['with a method', { payment_method: 'pm_card_visa' }, 'requires_confirmation'],
  ['confirmed', { payment_method: 'pm_card_visa', confirm: true }, 'succeeded'],
  ['confirmed, 3DS', { payment_method: 'pm_card_threeDSecure2Required', confirm: true }, 'requires_action'],
];

it.each(starts)('%s starts in the right status', async (_name, params, status) => {
  expect(await create(params)).toMatchObject({ object: 'setup_intent', status, usage: 'off_session', livemode: false });
});

it('saves the method to the customer', async () => {
  const customer = await payments.stripe.customers.create();
  const { id } = await create({ customer: customer.id });
  const intent = await payments.stripe.setupIntents.confirm(id, {
    payment_method: 'pm_card_visa',
    expand: ['latest_attempt'],
  });
  expect(intent.status).toBe('succeeded');
  expect(intent.latest_attempt).toMatchObject({ object: 'setup_attempt', status: 'succeeded', setup_intent: id });
  const method = await payments.stripe.paymentMethods.retrieve(idOf(intent.payment_method));
  expect(method.customer).toBe(customer.id);
  const attempts = await payments.stripe.setupAttempts.list({ setup_intent: id });
  expect(attempts.data.map(({ status }) => status)).toEqual(['succeeded']);
});

it('a declined card leaves the intent open, with the reason', async () => {
  const { id } = await create();
  const error = await refused(payments.stripe.setupIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }));
  expect(error).toMatchObject({
    statusCode: 402,
    type: 'StripeCardError',
    code: 'card_declined',
    decline_code: 'generic_decline',
  });
  expect(error.setup_intent?.id).toBe(id);
  const intent = await payments.stripe.setupIntents.retrieve(id);
  expect(intent).toMatchObject({ status: 'requires_payment_method', payment_method: null });
  expect(intent.last_setup_error).toMatchObject({ code: 'card_declined', type: 'card_error' });
  expect(
    (await payments.stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' })).last_setup_error,
  ).toBeNull();
});

const challenges: [string, string, Stripe.SetupIntent.Status][] = [
  ['passed', CAUSES.setupChallengeCompleted, 'succeeded'],
  ['failed', CAUSES.setupChallengeFailed, 'requires_payment_method'],
];

it.each(challenges)('a challenge that is %s ends in the right status', async (_name, cause, status) => {
  const { id, next_action } = await create({ payment_method: 'pm_card_threeDSecure2Required', confirm: true });
  expect(next_action?.type).toBe('use_vendor_sdk');
  await payments.control.event(cause, { setup_intent_id: id });
  expect(await payments.stripe.setupIntents.retrieve(id)).toMatchObject({ status, next_action: null });
});

it('micro-deposits verify a bank account', async () => {
  const { stripe } = payments;
  const customer = await stripe.customers.create();
  const method = await stripe.paymentMethods.create({
    type: 'us_bank_account',
    us_bank_account: { account_holder_type: 'individual', routing_number: '110000000', account_number: '000123456789' },
    billing_details: { name: 'Jenny Rosen' },
  });
  expect(method.us_bank_account?.networks).toEqual({ preferred: 'ach', supported: ['ach'] });
  const intent = await stripe.setupIntents.create({
    customer: customer.id,
    payment_method: method.id,
    payment_method_types: ['us_bank_account'],
    payment_method_options: { us_bank_account: { verification_method: 'microdeposits' } },
    mandate_data: { customer_acceptance: { type: 'offline' } },
    confirm: true,
  });
  expect(intent).toMatchObject({ status: 'requires_action', next_action: { type: 'verify_with_microdeposits' } });
  const mandate = await stripe.mandates.retrieve(String(intent.mandate));
  expect(mandate).toMatchObject({ payment_method: method.id, type: 'multi_use' });
  const wrong = await refused(stripe.setupIntents.verifyMicrodeposits(intent.id, { amounts: [1, 2] }));
  expect(wrong.statusCode).toBe(400);
  expect((await stripe.setupIntents.verifyMicrodeposits(intent.id, { amounts: [32, 45] }))).toMatchObject({
    status: 'succeeded',
    mandate: mandate.id,
  });
});

it.each(['abandoned', 'duplicate', 'requested_by_customer'] as const)('cancels: %s', async (cancellation_reason) => {
  const { id } = await create();
  const intent = await payments.stripe.setupIntents.cancel(id, { cancellation_reason });
  expect(intent).toMatchObject({ status: 'canceled', cancellation_reason });
});

const terminal: [string, () => Promise<Stripe.SetupIntent>][] = [
  ['succeeded', () => create({ payment_method: 'pm_card_visa', confirm: true })],
  ['canceled', async () => payments.stripe.setupIntents.cancel((await create()).id)],
];

it.each(terminal)('nothing moves an intent that is %s', async (status, make) => {
  const { id } = await make();
  const calls = [
    () => payments.stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' }),
    () => payments.stripe.setupIntents.cancel(id),
  ];
  for (const call of calls)
    expect(await refused(call())).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
  expect((await payments.stripe.setupIntents.retrieve(id)).status).toBe(status);
});

it('lists by customer, newest first', async () => {
  const customer = await payments.stripe.customers.create();
  const made = [await create({ customer: customer.id }), await create(), await create({ customer: customer.id })];
  const { data } = await payments.stripe.setupIntents.list({ customer: customer.id });
  expect(data.map(({ id }) => id)).toEqual([made[2].id, made[0].id]);
});

it('an update changes what it names', async () => {
  const { id } = await create({ metadata: { a: '1', b: '2' }, description: 'first' });
  const intent = await payments.stripe.setupIntents.update(id, { metadata: { b: '', c: '3' }, description: 'second' });
  expect(intent).toMatchObject({ metadata: { a: '1', c: '3' }, description: 'second' });
  expect(intent.metadata).not.toHaveProperty('b');
});

describe('a setup intent that is over is rejected with its status', () => {
  it('canceled already', async () => {
    const { id } = await payments.stripe.setupIntents.create();
    await payments.stripe.setupIntents.cancel(id);
    expect((await refused(payments.stripe.setupIntents.cancel(id))).message).toBe(
      'You cannot cancel this SetupIntent because it it already canceled.',
    );
  });

  it('succeeded', async () => {
    const { id } = await payments.stripe.setupIntents.create({ payment_method: 'pm_card_visa', confirm: true });
    expect((await refused(payments.stripe.setupIntents.cancel(id))).message).toContain(
      'may be canceled: `requires_payment_method`, `requires_confirmation`, or `requires_action`.',
    );
  });
});
