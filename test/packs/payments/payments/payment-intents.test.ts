import type Stripe from 'stripe';
import { DAY, expanded, idOf, refused, servePayments, T0 } from '../served-payments.js';

const payments = servePayments();

type Create = Stripe.PaymentIntentCreateParams;

function create(params: Partial<Create> = {}): Promise<Stripe.PaymentIntent> {
  return payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd', ...params });
}

function paid(params: Partial<Create> = {}): Promise<Stripe.PaymentIntent> {
  return create({ confirm: true, payment_method: 'pm_card_visa', ...params });
}

function chargeOf(intent: Stripe.PaymentIntent): Promise<Stripe.Charge> {
  return payments.stripe.charges.retrieve(idOf(intent.latest_charge));
}

describe('creating', () => {
  const starts: [string, Partial<Create>, Stripe.PaymentIntent.Status][] = [
    ['without a method', {}, 'requires_payment_method'],
    ['with a method', { payment_method: 'pm_card_visa' }, 'requires_confirmation'],
    ['confirmed', { payment_method: 'pm_card_visa', confirm: true }, 'succeeded'],
    [
      'confirmed, manual',
      { payment_method: 'pm_card_visa', confirm: true, capture_method: 'manual' },
      'requires_capture',
    ],
    ['confirmed, 3DS', { payment_method: 'pm_card_threeDSecure2Required', confirm: true }, 'requires_action'],
    [
      'confirmed, bank debit',
      {
        payment_method: 'pm_usBankAccount_success',
        payment_method_types: ['us_bank_account'],
        confirm: true,
        mandate_data: { customer_acceptance: { type: 'offline' } },
      },
      'processing',
    ],
  ];

  it.each(starts)('%s starts in the right status', async (_name, params, status) => {
    expect((await create(params)).status).toBe(status);
  });

  it('gives the defaults of the account', async () => {
    expect(await create()).toMatchObject({
      amount: 2000,
      amount_capturable: 0,
      amount_details: { tip: {} },
      amount_received: 0,
      automatic_payment_methods: { allow_redirects: 'always', enabled: true },
      canceled_at: null,
      capture_method: 'automatic_async',
      confirmation_method: 'automatic',
      created: T0,
      currency: 'usd',
      customer: null,
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      metadata: {},
      next_action: null,
      payment_method: null,
      payment_method_types: expect.arrayContaining(['card']) as unknown,
      setup_future_usage: null,
    });
  });

  it('a declined creation keeps the intent, which can be paid with another method', async () => {
    const error = await refused(paid({ payment_method: 'pm_card_chargeDeclined' }));
    const bounced = await payments.stripe.paymentIntents.retrieve(error.payment_intent?.id ?? '');
    expect(bounced).toMatchObject({ status: 'requires_payment_method', payment_method: null });
    expect(bounced.last_payment_error).toMatchObject({ code: 'card_declined', decline_code: 'generic_decline' });
    const again = await payments.stripe.paymentIntents.confirm(bounced.id, { payment_method: 'pm_card_visa' });
    expect(again).toMatchObject({ status: 'succeeded', last_payment_error: null, amount_received: 2000 });
    const charges = await payments.stripe.charges.list({ payment_intent: bounced.id });
    expect(charges.data.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  });

  const refusals: [string, Partial<Create>, string | undefined, string | undefined][] = [
    ['too little', { amount: 49 }, 'amount_too_small', 'amount'],
    ['too little in yen', { amount: 49, currency: 'jpy' }, 'amount_too_small', 'amount'],
    ['too much', { amount: 100_000_000 }, 'amount_too_large', 'amount'],
    ['nothing', { amount: 0 }, 'parameter_invalid_integer', 'amount'],
    ['a method of another currency', { payment_method_types: ['ideal'] }, undefined, 'payment_method_types'],
    ['a debit of another currency', { currency: 'eur', payment_method_types: ['card', 'us_bank_account'] }, undefined, 'payment_method_types'],
    ['an unknown currency', { currency: 'xxq' }, undefined, 'currency'],
    ['an unknown customer', { customer: 'cus_00000000000000' }, 'resource_missing', 'customer'],
    ['an unknown method', { payment_method: 'pm_1AAAAALkdIwHu7ix00000000' }, 'resource_missing', 'payment_method'],
  ];

  it.each(refusals)('%s is refused', async (_name, params, code, param) => {
    const before = payments.commits;
    const error = await refused(create(params));
    expect(error).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError', code, param });
    expect(payments.commits).toBe(before);
  });
});

describe('confirming', () => {
  it('charges the card and tells what happened', async () => {
    const intent = await payments.stripe.paymentIntents.confirm((await create()).id, {
      payment_method: 'pm_card_mastercard',
      expand: ['latest_charge.balance_transaction', 'payment_method'],
    });
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 2000, next_action: null });
    const charge = expanded(intent.latest_charge);
    expect(charge).toMatchObject({
      amount: 2000,
      amount_captured: 2000,
      amount_refunded: 0,
      captured: true,
      paid: true,
      refunded: false,
      disputed: false,
      status: 'succeeded',
      payment_intent: intent.id,
      failure_code: null,
      failure_message: null,
      outcome: { network_status: 'approved_by_network', type: 'authorized', risk_level: 'normal' },
      payment_method_details: { type: 'card', card: { brand: 'mastercard', last4: '4444' } },
    });
    expect(charge.payment_method).toBe(expanded(intent.payment_method).id);
    expect(expanded(charge.balance_transaction)).toMatchObject({ amount: 2000, fee: 88, net: 1912, source: charge.id });
  });

  it('with off_session a challenge is a decline', async () => {
    const error = await refused(paid({ payment_method: 'pm_card_authenticationRequired', off_session: true }));
    expect(error).toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
      decline_code: 'authentication_required',
    });
    expect(error.payment_intent?.status).toBe('requires_payment_method');
  });

  it('with error_on_requires_action a challenge is a decline, too', async () => {
    const error = await refused(
      paid({ payment_method: 'pm_card_threeDSecure2Required', error_on_requires_action: true }),
    );
    expect(error.statusCode).toBe(402);
    expect(error.payment_intent?.status).toBe('requires_payment_method');
  });

  it('saves the method to the customer when it shall be used again', async () => {
    const customer = await payments.stripe.customers.create();
    const intent = await paid({ customer: customer.id, setup_future_usage: 'off_session' });
    const methods = await payments.stripe.customers.listPaymentMethods(customer.id);
    expect(methods.data.map(({ id }) => id)).toEqual([idOf(intent.payment_method)]);
    const again = await paid({ customer: customer.id, payment_method: methods.data[0].id, off_session: true });
    expect(again.status).toBe('succeeded');
  });

  it('a method without customer pays once', async () => {
    const method = await payments.stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    expect((await paid({ payment_method: method.id })).status).toBe('succeeded');
    const error = await refused(paid({ payment_method: method.id }));
    expect(error.message).toMatch(/may not be used again/);
  });

  it('a method of another customer is refused', async () => {
    const [owner, other] = await Promise.all([payments.stripe.customers.create(), payments.stripe.customers.create()]);
    const method = await payments.stripe.paymentMethods.attach('pm_card_visa', { customer: owner.id });
    const error = await refused(paid({ customer: other.id, payment_method: method.id }));
    expect(error).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
  });
});

describe('capturing', () => {
  const authorized = () => paid({ capture_method: 'manual' });

  it('an authorised payment waits for its capture, without a balance transaction', async () => {
    const intent = await authorized();
    expect(intent).toMatchObject({ status: 'requires_capture', amount_capturable: 2000, amount_received: 0 });
    expect(await chargeOf(intent)).toMatchObject({
      captured: false,
      paid: true,
      amount_captured: 0,
      balance_transaction: null,
    });
  });

  const captures: [string, number | undefined, number, number][] = [
    ['everything', undefined, 2000, 0],
    ['a part', 1500, 1500, 500],
  ];

  it.each(captures)('captures %s', async (_name, amount, received, released) => {
    const { id } = await authorized();
    const intent = await payments.stripe.paymentIntents.capture(
      id,
      amount === undefined ? {} : { amount_to_capture: amount },
    );
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount: 2000,
      amount_received: received,
      amount_capturable: 0,
    });
    const charge = await payments.stripe.charges.retrieve(idOf(intent.latest_charge), {
      expand: ['balance_transaction'],
    });
    expect(charge).toMatchObject({
      captured: true,
      amount_captured: received,
      amount_refunded: released,
      refunded: false,
    });
    expect(expanded(charge.balance_transaction).amount).toBe(received);
  });

  it('more than was authorised is refused', async () => {
    const { id } = await authorized();
    const error = await refused(payments.stripe.paymentIntents.capture(id, { amount_to_capture: 2001 }));
    expect(error).toMatchObject({ statusCode: 400, code: 'amount_too_large', param: 'amount_to_capture' });
  });

  it('an authorisation lapses after seven days', async () => {
    const { id } = await authorized();
    await payments.control.advance('8d');
    const intent = await payments.stripe.paymentIntents.retrieve(id);
    expect(intent).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'automatic',
      amount_capturable: 0,
      canceled_at: T0 + 7 * DAY,
    });
    expect(await chargeOf(intent)).toMatchObject({ refunded: true, captured: false });
  });
});

describe('states refuse what does not fit them', () => {
  const made: Record<string, () => Promise<Stripe.PaymentIntent>> = {
    requires_payment_method: () => create(),
    requires_confirmation: () => create({ payment_method: 'pm_card_visa' }),
    requires_action: () => paid({ payment_method: 'pm_card_threeDSecure2Required' }),
    requires_capture: () => paid({ capture_method: 'manual' }),
    succeeded: () => paid(),
    canceled: async () => payments.stripe.paymentIntents.cancel((await create()).id),
  };
  const calls: Record<string, (id: string) => Promise<Stripe.PaymentIntent>> = {
    confirm: (id) => payments.stripe.paymentIntents.confirm(id, {}),
    capture: (id) => payments.stripe.paymentIntents.capture(id),
    cancel: (id) => payments.stripe.paymentIntents.cancel(id),
    'update amount': (id) => payments.stripe.paymentIntents.update(id, { amount: 3000 }),
    'update metadata': (id) => payments.stripe.paymentIntents.update(id, { metadata: { a: '1' } }),
  };
  const allowed: Record<string, readonly string[]> = {
    requires_payment_method: ['cancel', 'update amount', 'update metadata'],
    requires_confirmation: ['confirm', 'cancel', 'update amount', 'update metadata'],
    requires_action: ['confirm', 'cancel', 'update amount', 'update metadata'],
    requires_capture: ['capture', 'cancel', 'update metadata'],
    succeeded: ['update metadata'],
    canceled: ['update metadata'],
  };
  const table = Object.keys(made).flatMap((status) => Object.keys(calls).map((call) => [status, call] as const));

  it.each(table)('%s: %s', async (status, call) => {
    const { id } = await made[status]();
    const before = payments.commits;
    if (allowed[status].includes(call)) {
      expect((await calls[call](id)).id).toBe(id);
      return;
    }
    const error = await refused(calls[call](id));
    // A violation of the state machine carries no code.
    expect(error).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError', code: undefined });
    expect(error.message).toContain(
      status === 'succeeded' && call === 'confirm'
        ? 'already succeeded'
        : call === 'confirm' && status === 'requires_payment_method'
          ? 'missing a payment method'
          : `a status of ${status}`,
    );
    expect(payments.commits).toBe(before);
  });
});

describe('cancelling', () => {
  it('keeps the reason and the time', async () => {
    const intent = await payments.stripe.paymentIntents.cancel((await create()).id, {
      cancellation_reason: 'abandoned',
    });
    expect(intent).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned', canceled_at: T0 });
  });

  it('releases what was authorised', async () => {
    const intent = await payments.stripe.paymentIntents.cancel((await paid({ capture_method: 'manual' })).id);
    expect(intent).toMatchObject({ status: 'canceled', amount_capturable: 0 });
    expect(await chargeOf(intent)).toMatchObject({
      status: 'succeeded',
      captured: false,
      refunded: true,
      amount_refunded: 2000,
    });
    const refunds = await payments.stripe.refunds.list({ payment_intent: intent.id });
    expect(refunds.data).toMatchObject([{ amount: 2000, balance_transaction: null }]);
  });
});

it('an update of another method keeps what is asked for, and clears the last error', async () => {
  const error = await refused(paid({ payment_method: 'pm_card_chargeDeclined' }));
  const id = error.payment_intent?.id ?? '';
  const intent = await payments.stripe.paymentIntents.update(id, { payment_method: 'pm_card_visa' });
  expect(intent).toMatchObject({ status: 'requires_confirmation', last_payment_error: null });
});

describe('off_session without confirm', () => {
  it('false says nothing', async () => {
    const intent = await payments.stripe.paymentIntents.create({ amount: 100, currency: 'usd', off_session: false });
    expect(intent.status).toBe('requires_payment_method');
  });

  it('true is refused', async () => {
    expect(
      await refused(payments.stripe.paymentIntents.create({ amount: 100, currency: 'usd', off_session: true })),
    ).toMatchObject({ statusCode: 400, param: 'off_session' });
  });
});
