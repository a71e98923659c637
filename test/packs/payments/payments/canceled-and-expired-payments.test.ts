import type Stripe from 'stripe';
import { idOf, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

const authorise = (): Promise<Stripe.PaymentIntent> =>
  stripe().paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    confirm: true,
    capture_method: 'manual',
    payment_method: 'pm_card_visa',
    payment_method_types: ['card'],
  });

describe('an authorisation that was refunded in part', () => {
  test('is canceled for what is left', async () => {
    const { id, latest_charge } = await authorise();
    await stripe().refunds.create({ charge: idOf(latest_charge), amount: 300 });
    expect(await stripe().paymentIntents.retrieve(id)).toMatchObject({ amount_capturable: 700 });
    await stripe().paymentIntents.cancel(id);
    expect(await stripe().charges.retrieve(idOf(latest_charge))).toMatchObject({
      amount_refunded: 1000,
      refunded: true,
    });
  });

  test('expires for what is left', async () => {
    const { latest_charge } = await authorise();
    await stripe().refunds.create({ charge: idOf(latest_charge), amount: 300 });
    await payments.control.advance('8d');
    expect(await stripe().charges.retrieve(idOf(latest_charge))).toMatchObject({
      amount_refunded: 1000,
      refunded: true,
    });
  });

  test('and of which nothing is left is canceled', async () => {
    const { id, latest_charge } = await authorise();
    await stripe().refunds.create({ charge: idOf(latest_charge) });
    expect(await stripe().paymentIntents.retrieve(id)).toMatchObject({ status: 'canceled', amount_capturable: 0 });
  });
});

test('a debit that is canceled while it is processing is not captured', async () => {
  const { id, latest_charge } = await stripe().paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_usBankAccount_success',
    payment_method_types: ['us_bank_account'],
    mandate_data: { customer_acceptance: { type: 'offline' } },
  });
  await stripe().paymentIntents.cancel(id);
  expect(await stripe().charges.retrieve(idOf(latest_charge))).toMatchObject({
    status: 'failed',
    captured: false,
    amount_captured: 0,
  });
});

test('a refund for fraud is noted at its charge', async () => {
  const { latest_charge } = await stripe().paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    payment_method_types: ['card'],
  });
  await stripe().refunds.create({ charge: idOf(latest_charge), amount: 10, reason: 'fraudulent' });
  expect(await stripe().charges.retrieve(idOf(latest_charge))).toMatchObject({
    fraud_details: { user_report: 'fraudulent' },
  });
});

test.each([
  ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', '6975'],
  ['pm_card_visa_chargeDeclinedLostCard', '9987'],
  ['pm_card_mastercard_chargeDeclinedLostCard', '4444'],
])('%s ends in %s', async (id, last4) => {
  expect((await stripe().paymentMethods.retrieve(id)).card).toMatchObject({ last4 });
});
