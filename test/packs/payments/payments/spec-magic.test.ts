import type Stripe from 'stripe';
import { expanded, refused, servePayments } from '../served-payments.js';

/** SPEC.md's magic values, for every card network. */
const payments = servePayments();

const NETWORKS: readonly [string, string][] = [
  ['visa', '4242'],
  ['mastercard', '4444'],
  ['amex', '8431'],
  ['discover', '9424'],
  ['diners', '0004'],
  ['jcb', '0505'],
  ['unionpay', '0005'],
];
const DECLINES: readonly [string, string, string][] = [
  ['chargeDeclined', 'generic_decline', 'Your card was declined.'],
  ['chargeDeclinedInsufficientFunds', 'insufficient_funds', 'Your card has insufficient funds.'],
  ['chargeDeclinedExpiredCard', 'expired_card', 'Your card has expired.'],
  ['chargeDeclinedIncorrectCvc', 'incorrect_cvc', "Your card's security code is incorrect."],
];

function pay(
  payment_method: string,
  params: Partial<Stripe.PaymentIntentCreateParams> = {},
): Promise<Stripe.PaymentIntent> {
  return payments.stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    confirm: true,
    payment_method,
    expand: ['latest_charge', 'payment_method'],
    ...params,
  });
}

const byToken = async (token: string) =>
  pay((await payments.stripe.paymentMethods.create({ type: 'card', card: { token } })).id);

describe.each(NETWORKS)('%s', (network, last4) => {
  it('the method pays', async () => {
    const intent = await pay(`pm_card_${network}`);
    expect(intent.status).toBe('succeeded');
    expect(expanded(intent.latest_charge).payment_method_details).toMatchObject({
      card: { brand: network, last4, network },
    });
  });

  it('the token pays', async () => {
    const intent = await byToken(`tok_${network}`);
    expect(intent.status).toBe('succeeded');
    expect(expanded(intent.payment_method).card).toMatchObject({ brand: network, last4 });
  });

  it('the token pays inside payment_method_data, too', async () => {
    const { id } = await payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd' });
    const answer = await payments.post(`/v1/payment_intents/${id}/confirm`, {
      'payment_method_data[type]': 'card',
      'payment_method_data[card][token]': `tok_${network}`,
    });
    expect([answer.status, answer.body['status']]).toEqual([200, 'succeeded']);
  });

  it.each(DECLINES)('declines: %s', async (way, decline_code, message) => {
    const error = await refused(pay(`pm_card_${network}_${way}`));
    expect(error).toMatchObject({
      statusCode: 402,
      type: 'StripeCardError',
      code: 'card_declined',
      decline_code,
      message,
    });
    expect(error.payment_intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { decline_code },
    });
    expect(error.payment_method?.card?.brand).toBe(network);
  });
});

it.each(DECLINES)('pm_card_%s declines with %s', async (way, decline_code, message) => {
  const error = await refused(pay(`pm_card_${way}`));
  expect(error).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code, message });
  const charge = await payments.stripe.charges.retrieve(error.charge ?? '');
  expect(charge).toMatchObject({
    status: 'failed',
    paid: false,
    failure_code: 'card_declined',
    failure_message: message,
  });
});

const further: [string, string][] = [
  ['pm_card_visa_chargeDeclinedLostCard', 'lost_card'],
  ['pm_card_visa_chargeDeclinedStolenCard', 'stolen_card'],
  ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_velocity_exceeded'],
  ['pm_card_chargeDeclinedProcessingError', 'processing_error'],
  ['pm_card_chargeDeclinedFraudulent', 'fraudulent'],
  ['pm_card_radarBlock', 'fraudulent'],
];

it.each(further)('%s declines with %s', async (method, decline_code) => {
  expect(await refused(pay(method))).toMatchObject({ statusCode: 402, decline_code });
});

it('a blocked payment never reached the network', async () => {
  const { charge } = await refused(pay('pm_card_radarBlock'));
  const { outcome } = await payments.stripe.charges.retrieve(charge ?? '');
  expect(outcome).toMatchObject({
    network_status: 'not_sent_to_network',
    type: 'blocked',
    risk_level: 'highest',
    reason: 'highest_risk_level',
  });
});

it.each(['pm_card_threeDSecure2Required', 'pm_card_threeDSecureRequired', 'pm_card_authenticationRequired'])(
  '%s needs the customer',
  async (method) => {
    expect(await pay(method)).toMatchObject({ status: 'requires_action', next_action: { type: 'use_vendor_sdk' } });
  },
);

const approved: [string, Record<string, unknown>][] = [
  ['pm_card_riskLevelElevated', { outcome: { risk_level: 'elevated' } }],
  ['pm_card_us', { payment_method_details: { card: { country: 'US' } } }],
  ['pm_card_de', { payment_method_details: { card: { country: 'DE' } } }],
  ['pm_card_visa_debit', { payment_method_details: { card: { funding: 'debit', last4: '5556' } } }],
  ['pm_card_mastercard_prepaid', { payment_method_details: { card: { funding: 'prepaid' } } }],
  ['pm_card_avsFail', { payment_method_details: { card: { checks: { cvc_check: 'pass' } } } }],
  ['pm_card_cvcCheckFail', { payment_method_details: { card: { checks: { cvc_check: 'fail' } } } }],
  ['pm_card_threeDSecureOptional', {}],
];

it.each(approved)('%s pays', async (method, charge) => {
  const intent = await pay(method);
  expect(intent.status).toBe('succeeded');
  expect(expanded(intent.latest_charge)).toMatchObject(charge);
});

const unknown: [string, (value: string) => Promise<unknown>][] = [
  ['pm_card_visa_gold', pay],
  ['pm_card_nonsense', pay],
  ['pm_card_Visa', pay],
  ['pm_card_', pay],
  ['pm_card_visa ', pay],
  ['pm_usBankAccount_nonsense', pay],
  ['tok_nonsense', byToken],
  ['tok_visa_gold', byToken],
];

it.each(unknown)('"%s" fails loudly', async (value, call) => {
  const error = await refused(call(value));
  expect(error).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
  expect(error.message).toMatch(/unrecognized test value/i);
  expect((await payments.stripe.charges.list()).data).toEqual([]);
});

it('an unknown value in a path fails loudly as well', async () => {
  const { id } = await payments.stripe.customers.create();
  expect((await refused(payments.stripe.paymentMethods.attach('pm_card_nonsense', { customer: id }))).message).toMatch(
    /unrecognized test value/i,
  );
});

it('the events are those of the equivalent world event', async () => {
  const { stripe, control } = payments;
  const make = () => stripe.paymentIntents.create({ amount: 2000, currency: 'usd', payment_method: 'pm_card_visa' });
  const [one, two] = [await make(), await make()];
  const byMagic = await payments.eventsOf(() =>
    refused(stripe.paymentIntents.confirm(one.id, { payment_method: 'pm_card_chargeDeclinedInsufficientFunds' })),
  );
  const byCause = await payments.eventsOf(() =>
    control.event('payment.declined', { payment_intent_id: two.id, decline_code: 'insufficient_funds' }),
  );
  expect(byCause.map(({ type }) => type)).toEqual(byMagic.map(({ type }) => type));
  const states = await Promise.all([one, two].map(({ id }) => stripe.paymentIntents.retrieve(id)));
  expect(states.map(({ status, last_payment_error }) => [status, last_payment_error?.decline_code])).toEqual([
    ['requires_payment_method', 'insufficient_funds'],
    ['requires_payment_method', 'insufficient_funds'],
  ]);
});
