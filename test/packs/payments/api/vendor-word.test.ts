import type Stripe from 'stripe';
import { refused, servePayments } from '../served-payments.js';

/** Types and headers with the vendor’s own word, and without it. */


const payments = servePayments();
const stripe = () => payments.stripe;

describe('with the vendor’s own word', () => {
  const own = servePayments({ vars: { vendor: 'stripe' } });

  it.each([
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', '54', 'confirm_card_data'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'N7', 'confirm_card_data'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', '51', 'try_again_later'],
  ])('the decline of %s has the code %s, the network’s code and an advice', async (payment_method, code, network, advice) => {
    const error = await refused(
      own.stripe.paymentIntents.create({ amount: 100, currency: 'usd', confirm: true, payment_method }),
    );
    expect(error.raw).toMatchObject({ code, network_decline_code: network, advice_code: advice });
    expect(error.raw).toMatchObject({ payment_intent: { last_payment_error: { network_decline_code: network } } });
  });

  it('the money of an automatic_async payment is booked after the response, with charge.updated', async () => {
    const pay = (capture_method: 'automatic' | 'automatic_async'): Promise<Stripe.PaymentIntent> =>
      own.stripe.paymentIntents.create({
        amount: 1000,
        currency: 'usd',
        confirm: true,
        payment_method: 'pm_card_visa',
        capture_method,
        expand: ['latest_charge'],
      });
    const atOnce = await pay('automatic');
    expect(atOnce.latest_charge).toMatchObject({ balance_transaction: expect.stringMatching(/^txn_/) as string });
    const later = await pay('automatic_async');
    expect(later.latest_charge).toMatchObject({ balance_transaction: null, paid: true });
    const { id } = later.latest_charge as Stripe.Charge;
    const { data } = await own.stripe.events.list({ type: 'charge.updated' });
    expect(data).toMatchObject([{ data: { object: { id }, previous_attributes: { balance_transaction: null } } }]);
    const charge = await own.stripe.charges.retrieve(id, { expand: ['balance_transaction'] });
    expect(charge.balance_transaction).toMatchObject({ amount: 1000, fee: 59, source: id });
  });

  it('a duration lets tests see a payment whose money is not booked yet', async () => {
    await own.control.durations({ async_booking: '1m' });
    const intent = await own.stripe.paymentIntents.create({
      amount: 1000,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    const charge = (): Promise<Stripe.Charge> => own.stripe.charges.retrieve(String(intent.latest_charge));
    expect(await charge()).toMatchObject({ balance_transaction: null });
    await own.control.advance('1m');
    expect(await charge()).toMatchObject({ balance_transaction: expect.stringMatching(/^txn_/) as string });
    await own.control.durations({ async_booking: '0s' });
  });

  it.each([
    [
      'payment_intent_unexpected_state',
      async () => {
        const { id } = await own.stripe.paymentIntents.create({ amount: 100, currency: 'usd' });
        await own.stripe.paymentIntents.cancel(id);
        return own.stripe.paymentIntents.cancel(id);
      },
    ],
    [
      'payment_intent_unexpected_state',
      async () => {
        const { id } = await own.stripe.paymentIntents.create({ amount: 100, currency: 'usd' });
        return own.stripe.paymentIntents.capture(id);
      },
    ],
    [
      'setup_intent_unexpected_state',
      async () => {
        const { id } = await own.stripe.setupIntents.create();
        await own.stripe.setupIntents.cancel(id);
        return own.stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' });
      },
    ],
  ])('A15 state errors carry %s', async (code, call) => {
    const error = await refused(call());
    expect(error).toMatchObject({ statusCode: 400, code, type: 'StripeInvalidRequestError' });
    expect(error.doc_url).toContain(code.replaceAll('_', '-'));
  });
});

test('without the vendor’s own word they carry none', async () => {
  const { id } = await stripe().paymentIntents.create({ amount: 100, currency: 'usd' });
  const error = await refused(stripe().paymentIntents.capture(id));
  expect(error.code).toBeUndefined();
});
