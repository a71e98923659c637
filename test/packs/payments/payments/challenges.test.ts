import type Stripe from 'stripe';
import { ControlError } from '../../../../engine/control/client.cjs';
import { press } from '../../../support/page-forms.js';
import { CAUSES, DAY, idOf, refused, servePayments, T0 } from '../served-payments.js';

const payments = servePayments();

function challenged(params: Partial<Stripe.PaymentIntentCreateParams> = {}): Promise<Stripe.PaymentIntent> {
  return payments.stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_threeDSecure2Required',
    ...params,
  });
}

function debit(payment_method: string): Promise<Stripe.PaymentIntent> {
  return payments.stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    confirm: true,
    payment_method,
    payment_method_types: ['us_bank_account'],
    mandate_data: { customer_acceptance: { type: 'offline' } },
  });
}

const reread = (id: string) => payments.stripe.paymentIntents.retrieve(id);

describe('3-D Secure', () => {
  it("asks in the vendor's words, and makes no charge yet", async () => {
    const intent = await challenged();
    expect(intent).toMatchObject({ status: 'requires_action', latest_charge: null });
    expect(intent.next_action).toMatchObject({ type: 'use_vendor_sdk', use_vendor_sdk: expect.any(Object) as unknown });
  });

  it('redirects when the caller says where to return', async () => {
    const intent = await challenged({ return_url: 'https://shop.example.com/done' });
    expect(intent.next_action).toMatchObject({
      type: 'redirect_to_url',
      redirect_to_url: {
        return_url: 'https://shop.example.com/done',
        url: `${payments.url}/authenticate/payment/${intent.id}`,
      },
    });
  });

  it.each([
    ['Complete', 'succeeded', 'succeeded'],
    ['Fail', 'requires_payment_method', 'failed'],
  ])('the customer presses %s on the page and returns', async (button, status, redirect_status) => {
    const intent = await challenged({ return_url: 'https://shop.example.com/done?cart=1' });
    const page = intent.next_action?.redirect_to_url?.url ?? '';
    const { headers } = await press(page, button);
    const back = new URL(headers.get('location') ?? '');
    expect(`${back.origin}${back.pathname}`).toBe('https://shop.example.com/done');
    expect(Object.fromEntries(back.searchParams)).toEqual({
      cart: '1',
      payment_intent: intent.id,
      payment_intent_client_secret: intent.client_secret,
      redirect_status,
    });
    expect(await reread(intent.id)).toMatchObject({ status, next_action: null });
  });

  it('a setup is confirmed on its page as well', async () => {
    const intent = await payments.stripe.setupIntents.create({
      confirm: true,
      payment_method: 'pm_card_threeDSecure2Required',
      return_url: 'https://shop.example.com/saved',
    });
    const answer = await press(intent.next_action?.redirect_to_url?.url ?? '', 'Complete');
    expect(answer.headers.get('location')).toBe(
      `https://shop.example.com/saved?setup_intent=${intent.id}&setup_intent_client_secret=${String(intent.client_secret)}&redirect_status=succeeded`,
    );
    expect(await payments.stripe.setupIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' });
  });

  const passes: [string, Partial<Stripe.PaymentIntentCreateParams>, Stripe.PaymentIntent.Status][] = [
    ['pays', {}, 'succeeded'],
    ['authorises a manual capture', { capture_method: 'manual' }, 'requires_capture'],
    ['waits for another confirmation by the server', { confirmation_method: 'manual' }, 'requires_confirmation'],
    [
      'may still be declined',
      { payment_method: 'pm_card_threeDSecureRequiredChargeDeclined' },
      'requires_payment_method',
    ],
  ];

  it.each(passes)('passing the challenge %s', async (_name, params, status) => {
    const { id } = await challenged(params);
    await payments.control.event(CAUSES.challengeCompleted, { payment_intent_id: id });
    expect(await reread(id)).toMatchObject({ status, next_action: null });
  });

  it("the server's second confirmation pays", async () => {
    const { id } = await challenged({ confirmation_method: 'manual' });
    await payments.control.event(CAUSES.challengeCompleted, { payment_intent_id: id });
    expect((await payments.stripe.paymentIntents.confirm(id)).status).toBe('succeeded');
  });

  it('failing the challenge bounces the intent without a charge', async () => {
    const { id } = await challenged();
    await payments.control.event(CAUSES.challengeFailed, { payment_intent_id: id });
    const intent = await reread(id);
    expect(intent).toMatchObject({ status: 'requires_payment_method', latest_charge: null, next_action: null });
    expect(intent.last_payment_error).toMatchObject({
      code: 'payment_intent_authentication_failure',
      type: 'invalid_request_error',
    });
  });

  it('nobody can pass a challenge that is not there', async () => {
    const { id } = await payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd' });
    const call = payments.control.event(CAUSES.challengeCompleted, { payment_intent_id: id });
    await expect(call).rejects.toMatchObject({ status: 409 });
    await expect(call).rejects.toBeInstanceOf(ControlError);
  });

  it('a card that was set up pays off session', async () => {
    const { stripe } = payments;
    const customer = await stripe.customers.create();
    const setup = await stripe.setupIntents.create({
      customer: customer.id,
      confirm: true,
      payment_method: 'pm_card_authenticationRequiredOnSetup',
      usage: 'off_session',
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    });
    expect(setup.status).toBe('requires_action');
    await payments.control.event(CAUSES.setupChallengeCompleted, { setup_intent_id: setup.id });
    const { payment_method } = await stripe.setupIntents.retrieve(setup.id);
    const intent = await challenged({ customer: customer.id, payment_method: idOf(payment_method), off_session: true });
    expect(intent.status).toBe('succeeded');
  });
});

describe('bank debits', () => {
  it('settle after days, when the clock gets there', async () => {
    const intent = await debit('pm_usBankAccount_success');
    expect(intent).toMatchObject({ status: 'processing', amount_received: 0 });
    const charge = await payments.stripe.charges.retrieve(idOf(intent.latest_charge));
    expect(charge.status).toBe('pending');
    expect(charge.id).toMatch(/^py_3/);
    await payments.control.advance('5d');
    expect(await reread(intent.id)).toMatchObject({ status: 'succeeded', amount_received: 2000 });
    expect((await payments.stripe.charges.retrieve(charge.id)).status).toBe('succeeded');
    const settled = (await payments.events()).find(({ type }) => type === 'payment_intent.succeeded');
    expect(settled?.created).toBeGreaterThan(T0);
    expect(settled?.created).toBeLessThanOrEqual(T0 + 5 * DAY);
    expect(settled?.request).toEqual({ id: null, idempotency_key: null });
  });

  const returns: [string, string][] = [
    ['noAccount', 'no_account'],
    ['accountClosed', 'account_closed'],
    ['insufficientFunds', 'insufficient_funds'],
    ['debitNotAuthorized', 'debit_not_authorized'],
    ['invalidCurrency', 'invalid_currency'],
  ];

  it.each(returns)('%s comes back: %s', async (name, reason) => {
    const { id } = await debit(`pm_usBankAccount_${name}`);
    await payments.control.advance('5d');
    const intent = await reread(id);
    expect(intent.status).toBe('requires_payment_method');
    expect(intent.last_payment_error).toMatchObject({ payment_method: { type: 'us_bank_account' } });
    expect([intent.last_payment_error?.code, intent.last_payment_error?.decline_code]).toContain(reason);
    expect(await payments.stripe.charges.retrieve(idOf(intent.latest_charge))).toMatchObject({
      status: 'failed',
      paid: false,
    });
  });

  it('a debit that stays in processing stays there until the world decides', async () => {
    const { id } = await debit('pm_usBankAccount_processing');
    await payments.control.advance('60d');
    expect((await reread(id)).status).toBe('processing');
    await payments.control.event(CAUSES.debitSettled, { payment_intent_id: id });
    expect((await reread(id)).status).toBe('succeeded');
  });

  it('the world may return a debit that would settle', async () => {
    const { id } = await debit('pm_usBankAccount_success');
    await payments.control.event(CAUSES.debitReturned, { payment_intent_id: id });
    expect((await reread(id)).status).toBe('requires_payment_method');
    await payments.control.advance('10d');
    expect((await reread(id)).status).toBe('requires_payment_method');
  });

  it('the wait is a duration that tests collapse', async () => {
    await payments.control.durations({ debit_settlement: '0s' });
    expect((await reread((await debit('pm_usBankAccount_success')).id)).status).toBe('succeeded');
  });

  it('a bank account does not pay an intent of cards only', async () => {
    const call = payments.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      payment_method: 'pm_usBankAccount_success',
      payment_method_types: ['card'],
    });
    expect(await refused(call)).toMatchObject({ statusCode: 400, param: 'payment_method' });
  });
});

describe('the issuer declines from outside', () => {
  it('payment.declined makes the next confirmation fail', async () => {
    const { stripe, control } = payments;
    const { id } = await stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      payment_method: 'pm_card_visa',
    });
    await control.event('payment.declined', { payment_intent_id: id, decline_code: 'insufficient_funds' });
    const intent = await reread(id);
    expect(intent).toMatchObject({ status: 'requires_payment_method' });
    expect(intent.last_payment_error).toMatchObject({ code: 'card_declined', decline_code: 'insufficient_funds' });
    const [charge] = (await stripe.charges.list({ payment_intent: id })).data;
    expect(charge).toMatchObject({
      status: 'failed',
      failure_code: 'card_declined',
      outcome: { reason: 'insufficient_funds' },
    });
    expect((await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).status).toBe('succeeded');
  });

  it.each(['pi_3AAAAALkdIwHu7ix00000000', 'nonsense'])('of an unknown payment (%s) is 409', async (id) => {
    await expect(payments.control.event('payment.declined', { payment_intent_id: id })).rejects.toMatchObject({
      status: 409,
    });
  });

  it('/world/next lists the causes that could happen, with the parameters that name them', async () => {
    const { id } = await challenged();
    const { causes } = await payments.control.next();
    const here = causes.filter(({ params }) => params['payment_intent_id'] === id).map(({ cause }) => cause);
    expect(here).toEqual(expect.arrayContaining([CAUSES.challengeCompleted, CAUSES.challengeFailed]));
    expect(here).not.toContain(CAUSES.debitSettled);
  });
});
