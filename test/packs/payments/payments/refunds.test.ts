import type Stripe from 'stripe';
import { CAUSES, expanded, idOf, refused, servePayments } from '../served-payments.js';

const payments = servePayments();

async function charged(
  params: Partial<Stripe.PaymentIntentCreateParams> = {},
): Promise<{ intent: string; charge: string }> {
  const intent = await payments.stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    ...params,
  });
  return { intent: intent.id, charge: idOf(intent.latest_charge) };
}

const ways: [string, (made: { intent: string; charge: string }) => Stripe.RefundCreateParams][] = [
  ['its charge', ({ charge }) => ({ charge })],
  ['its payment intent', ({ intent }) => ({ payment_intent: intent })],
];

it.each(ways)('refunds a payment by %s', async (_name, by) => {
  const made = await charged();
  const refund = await payments.stripe.refunds.create(by(made));
  expect(refund).toMatchObject({
    object: 'refund',
    amount: 2000,
    charge: made.charge,
    payment_intent: made.intent,
    currency: 'usd',
    status: 'succeeded',
    reason: null,
    destination_details: { type: 'card' },
  });
  const charge = await payments.stripe.charges.retrieve(made.charge);
  expect(charge).toMatchObject({ status: 'succeeded', amount_refunded: 2000, refunded: true });
  expect((await payments.stripe.paymentIntents.retrieve(made.intent)).status).toBe('succeeded');
});

it('refunds in parts: `refunded` only when nothing is left', async () => {
  const { charge } = await charged();
  const seen: [number, boolean][] = [];
  for (const amount of [500, 1000, 500]) {
    await payments.stripe.refunds.create({ charge, amount });
    const { amount_refunded, refunded, status } = await payments.stripe.charges.retrieve(charge);
    expect(status).toBe('succeeded');
    seen.push([amount_refunded, refunded]);
  }
  expect(seen).toEqual([
    [500, false],
    [1500, false],
    [2000, true],
  ]);
});

describe('what cannot be refunded', () => {
  type Case = [string, () => Promise<Stripe.RefundCreateParams>, Record<string, unknown>];
  const partly = async (amount: number) => {
    const { charge } = await charged();
    await payments.stripe.refunds.create({ charge, amount });
    return charge;
  };
  const disputed = async () => ({ charge: (await charged({ payment_method: 'pm_card_createDispute' })).charge });
  const unpaid = async () => {
    const { id } = await payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd' });
    return { payment_intent: id };
  };
  const failed = async () => {
    const error = await refused(charged({ payment_method: 'pm_card_chargeDeclined' }));
    return { charge: error.charge ?? '' };
  };
  const cases: Case[] = [
    [
      'more than was paid',
      async () => ({ ...(await charged()), amount: 2001 }),
      { param: 'amount', message: 'Refund amount ($20.01) is greater than charge amount ($20.00)' },
    ],
    [
      'more than is left',
      async () => ({ charge: await partly(1500), amount: 600 }),
      { param: 'amount', message: 'Refund amount ($6.00) is greater than unrefunded amount on charge ($5.00)' },
    ],
    ['what was refunded', async () => ({ charge: await partly(2000) }), { code: 'charge_already_refunded' }],
    ['what was charged back', disputed, { code: 'charge_disputed' }],
    ['an unpaid intent', unpaid, {}],
    ['a failed charge', failed, {}],
    [
      'nothing at all',
      () => Promise.resolve({}),
      { message: 'One of the following params should be provided for this request: payment_intent or charge.' },
    ],
    [
      'an unknown charge',
      () => Promise.resolve({ charge: 'ch_3AAAAALkdIwHu7ix00000000' }),
      { code: 'resource_missing', param: 'charge' },
    ],
    ['a wrong reason', async () => ({ ...(await charged()), reason: 'whim' as 'duplicate' }), { param: 'reason' }],
  ];

  it.each(cases)('%s', async (_name, make, error) => {
    const { intent: _intent, ...params } = (await make()) as Stripe.RefundCreateParams & { intent?: string };
    const before = payments.commits;
    expect(await refused(payments.stripe.refunds.create(params))).toMatchObject({
      statusCode: 400,
      type: 'StripeInvalidRequestError',
      ...error,
    });
    expect(payments.commits).toBe(before);
  });
});

it('takes the money back, without the fee', async () => {
  const { charge } = await charged();
  const refund = await payments.stripe.refunds.create({ charge, amount: 500, expand: ['balance_transaction'] });
  expect(expanded(refund.balance_transaction)).toMatchObject({
    amount: -500,
    fee: 0,
    net: -500,
    type: 'refund',
    reporting_category: 'refund',
    source: refund.id,
  });
});

it.each(['duplicate', 'fraudulent', 'requested_by_customer'] as const)('keeps the reason %s', async (reason) => {
  expect(
    (await payments.stripe.refunds.create({ ...(await charged().then(({ charge }) => ({ charge }))), reason })).reason,
  ).toBe(reason);
});

it('a refund to a slow bank is pending until the clock gets there', async () => {
  const { charge } = await charged({ payment_method: 'pm_card_pendingRefund' });
  const { id, status } = await payments.stripe.refunds.create({ charge });
  expect(status).toBe('pending');
  await payments.control.advance('10d');
  expect((await payments.stripe.refunds.retrieve(id)).status).toBe('succeeded');
});

it('a refund that the bank rejects puts the money back', async () => {
  const { charge } = await charged({ payment_method: 'pm_card_refundFail' });
  const { id, status } = await payments.stripe.refunds.create({ charge });
  expect(status).toBe('succeeded');
  await payments.control.advance('10d');
  const refund = await payments.stripe.refunds.retrieve(id, { expand: ['failure_balance_transaction'] });
  expect(refund.status).toBe('failed');
  expect(refund.failure_reason).toEqual(expect.any(String));
  expect(refund.failure_balance_transaction).toMatchObject({ amount: 2000, fee: 0, net: 2000, type: 'refund_failure' });
  expect(await payments.stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 0, refunded: false });
});

it('the world can reject any refund', async () => {
  const { charge } = await charged();
  const { id } = await payments.stripe.refunds.create({ charge, amount: 700 });
  await payments.control.event(CAUSES.refundFailed, { refund_id: id });
  expect((await payments.stripe.refunds.retrieve(id)).status).toBe('failed');
  expect((await payments.stripe.charges.retrieve(charge)).amount_refunded).toBe(0);
  await expect(payments.control.event(CAUSES.refundFailed, { refund_id: id })).rejects.toMatchObject({ status: 409 });
});

it('lists by charge and by payment intent; metadata can be changed', async () => {
  const one = await charged();
  const two = await charged();
  const refund = await payments.stripe.refunds.create({ charge: one.charge, amount: 100 });
  await payments.stripe.refunds.create({ charge: two.charge });
  const byCharge = await payments.stripe.refunds.list({ charge: one.charge });
  const byIntent = await payments.stripe.refunds.list({ payment_intent: one.intent });
  expect([byCharge.data, byIntent.data].map((data) => data.map(({ id }) => id))).toEqual([[refund.id], [refund.id]]);
  expect((await payments.stripe.refunds.list()).data).toHaveLength(2);
  const updated = await payments.stripe.refunds.update(refund.id, { metadata: { order: '6735' } });
  expect(updated.metadata).toEqual({ order: '6735' });
  expect((await refused(payments.stripe.refunds.cancel(refund.id))).statusCode).toBe(400);
});
