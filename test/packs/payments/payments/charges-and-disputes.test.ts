import type Stripe from 'stripe';
import { chargeOf, idOf, refused, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;
const pay = payments.pay;

describe('charges and transactions have the fields of older versions', () => {
  it('a charge tells destination, dispute and order', async () => {
    expect(chargeOf(await pay())).toMatchObject({ destination: null, dispute: null, order: null });
  });

  it('a disputed charge names its dispute, and the dispute its transaction', async () => {
    const intent = await pay({ payment_method: 'pm_card_createDispute' });
    const charge = await stripe().charges.retrieve(idOf(intent.latest_charge), { expand: ['dispute'] });
    const [dispute] = (await stripe().disputes.list({ charge: charge.id })).data;
    expect(charge).toMatchObject({ dispute: { id: dispute.id, object: 'dispute' } });
    expect(dispute).toMatchObject({ balance_transaction: dispute.balance_transactions[0].id });
  });

  it('legacy cards tell their wallet', async () => {
    const token = await stripe().tokens.create({
      card: { number: '4242424242424242', exp_month: '12', exp_year: '2034' },
    } as Stripe.TokenCreateParams);
    expect(token.card).toMatchObject({ wallet: null });
  });
});

test.each([
  ['4000000000000002', 'pass'],
  ['4000000000009995', 'pass'],
  ['4000000000000127', 'fail'],
  ['4100000000000019', 'unavailable'],
])('what the issuer checked of the code of %s stays with the declined method: %s', async (number, cvc_check) => {
  const method = await stripe().paymentMethods.create({
    type: 'card',
    card: { number, exp_month: 12, exp_year: 2034, cvc: '123' },
  });
  const error = await refused(pay({ payment_method: method.id }));
  const checks = { card: { checks: { cvc_check } } };
  expect(error.raw).toMatchObject({
    payment_method: checks,
    payment_intent: { last_payment_error: { payment_method: checks } },
  });
  expect(await stripe().paymentMethods.retrieve(method.id)).toMatchObject(checks);
});

test('a declined method may not be used again', async () => {
  const method = await stripe().paymentMethods.create({
    type: 'card',
    card: { number: '4000000000000002', exp_month: 12, exp_year: 2034 },
  });
  await refused(pay({ payment_method: method.id }));
  const again = await refused(pay({ payment_method: method.id, confirm: false }));
  expect(again.statusCode).toBe(400);
  expect(again.message).toMatch(
    /^The provided PaymentMethod was previously used with a PaymentIntent without Customer/,
  );
});

test('evidence is under review before it is decided; a won dispute can be refunded', async () => {
  const { id } = await pay({ payment_method: 'pm_card_createDispute' });
  const [dispute] = (await stripe().disputes.list({ payment_intent: id })).data;
  const sent = await stripe().disputes.update(dispute.id, { evidence: { uncategorized_text: 'winning_evidence' } });
  expect(sent).toMatchObject({ status: 'under_review', is_charge_refundable: false });
  expect(await stripe().disputes.retrieve(dispute.id)).toMatchObject({ status: 'won', is_charge_refundable: true });
});

it('a payment of nothing succeeds without a charge', async () => {
  const error = await refused(stripe().paymentIntents.create({ amount: 0, currency: 'usd' }));
  expect(error).toMatchObject({ code: 'parameter_invalid_integer', param: 'amount' });
  expect(error.message).toMatch(/^The amount must be greater than or equal to the minimum charge amount allowed/);
});

it.each([
  [undefined, 'Refund amount ($11.00) is greater than charge amount ($10.00)'],
  [100, 'Refund amount ($11.00) is greater than unrefunded amount on charge ($9.00)'],
])('a refund of more than is left is rejected after one of %s', async (first, message) => {
  const payment_intent = (await pay()).id;
  if (first !== undefined) await stripe().refunds.create({ payment_intent, amount: first });
  expect((await refused(stripe().refunds.create({ payment_intent, amount: 1100 }))).message).toBe(message);
});
