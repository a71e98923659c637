import type Stripe from 'stripe';
import { customerWith, useTestAccount } from '../test-account.js';

const START = '2025-03-03T10:00:00Z';

describe('what the world does, and when it cannot', () => {
  const account = useTestAccount(START);

  async function pay(method: string, more: Partial<Stripe.PaymentIntentCreateParams> = {}) {
    return account.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      payment_method: method,
      payment_method_types: ['card', 'us_bank_account'],
      confirm: true,
      ...more,
    });
  }

  async function chargeOf(method: string): Promise<string> {
    return (await pay(method)).latest_charge as string;
  }

  async function disputeOf(charge: string): Promise<Stripe.Dispute> {
    return (await account.stripe.disputes.list({ charge })).data[0];
  }

  test('a card expires, declines, and works again once the network has updated it', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    const card = customer.invoice_settings.default_payment_method as string;
    const params = { customer: customer.id, off_session: true };
    expect((await pay(card, params)).status).toBe('succeeded');
    expect(await account.fire('payment_method.expired', { payment_method_id: card })).toEqual([]);
    expect((await stripe.paymentMethods.retrieve(card)).card).toMatchObject({ exp_month: 2, exp_year: 2025 });
    await expect(pay(card, params)).rejects.toMatchObject({ code: 'card_declined', decline_code: 'expired_card' });
    await expect(account.fire('payment_method.expired', { payment_method_id: card })).rejects.toMatchObject({
      status: 409,
    });
    const news = await account.fire('payment_method.automatically_updated', { payment_method_id: card, last4: '1881' });
    expect(news).toEqual(['payment_method.automatically_updated']);
    expect((await stripe.paymentMethods.retrieve(card)).card).toMatchObject({ exp_year: 2028, last4: '1881' });
    expect((await pay(card, params)).status).toBe('succeeded');
    const { id: loose } = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    await expect(
      account.fire('payment_method.automatically_updated', { payment_method_id: loose }),
    ).rejects.toMatchObject({
      status: 409,
    });
  });

  test('a dispute from inquiry to its end', async () => {
    const charge = await chargeOf('pm_card_visa');
    expect(
      await account.fire('dispute.inquiry_opened', { charge_id: charge, reason: 'product_not_received' }),
    ).toContain('charge.dispute.created');
    const inquiry = await disputeOf(charge);
    expect(inquiry.status).toBe('warning_needs_response');
    await expect(account.fire('dispute.opened', { charge_id: charge })).rejects.toMatchObject({ status: 409 });
    await expect(account.fire('dispute.won', { dispute_id: inquiry.id })).rejects.toMatchObject({ status: 409 });
    expect(await account.fire('dispute.escalated', { dispute_id: inquiry.id })).toContain(
      'charge.dispute.funds_withdrawn',
    );
    await expect(account.fire('dispute.closed', { dispute_id: inquiry.id })).rejects.toMatchObject({ status: 409 });
    expect(await account.fire('dispute.won', { dispute_id: inquiry.id })).toEqual(
      expect.arrayContaining(['charge.dispute.closed', 'charge.dispute.funds_reinstated']),
    );
    expect((await account.stripe.disputes.retrieve(inquiry.id)).status).toBe('won');
    await expect(account.fire('dispute.lost', { dispute_id: inquiry.id })).rejects.toMatchObject({ status: 409 });
  });

  test('a bank returns a debit, but not one that was paid', async () => {
    const intent = await pay('pm_usBankAccount_success', {
      mandate_data: { customer_acceptance: { type: 'offline' } },
    });
    expect(intent.status).toBe('processing');
    expect(await account.fire('bank_debit.returned', { payment_intent_id: intent.id })).toEqual([
      'charge.failed',
      'payment_intent.payment_failed',
    ]);
    await expect(account.fire('bank_debit.returned', { payment_intent_id: intent.id })).rejects.toMatchObject({
      status: 409,
    });
    const other = await pay('pm_usBankAccount_success', { mandate_data: { customer_acceptance: { type: 'offline' } } });
    await account.advance('5d');
    await expect(account.fire('bank_debit.returned', { payment_intent_id: other.id })).rejects.toMatchObject({
      status: 409,
    });
  });

  test.each([
    ['payout.paid', 'payout_id'],
    ['payout.failed', 'payout_id'],
    ['source.authorized', 'source_id'],
    ['source.refused', 'source_id'],
    ['source.funded', 'source_id'],
    ['cash_balance.funded', 'customer_id'],
    ['payment_method.expired', 'payment_method_id'],
    ['payment_method.automatically_updated', 'payment_method_id'],
    ['payment_method.card_declines', 'payment_method_id'],
    ['payment_method.card_approves', 'payment_method_id'],
    ['dispute.opened', 'charge_id'],
    ['dispute.inquiry_opened', 'charge_id'],
    ['dispute.escalated', 'dispute_id'],
    ['dispute.won', 'dispute_id'],
    ['dispute.lost', 'dispute_id'],
    ['dispute.closed', 'dispute_id'],
    ['bank_debit.settled', 'payment_intent_id'],
    ['bank_debit.returned', 'payment_intent_id'],
  ])('%s needs its %s', async (cause, param) => {
    const more = cause === 'cash_balance.funded' ? { amount: 1 } : {};
    await expect(account.fire(cause, { [param]: 'none_1', ...more })).rejects.toMatchObject({ status: 409 });
  });

  test('an authorised legacy charge is let go after seven days', async () => {
    const { stripe } = account;
    const held = await stripe.charges.create({ amount: 1000, currency: 'usd', source: 'tok_visa', capture: false });
    const taken = await stripe.charges.create({ amount: 1000, currency: 'usd', source: 'tok_visa', capture: false });
    await stripe.charges.capture(taken.id);
    expect(await account.advance('6d')).not.toContain('charge.expired');
    expect(await account.advance('1d')).toEqual(['charge.refunded', 'charge.expired']);
    expect(await stripe.charges.retrieve(held.id)).toMatchObject({ refunded: true, captured: false });
    expect(await stripe.charges.retrieve(taken.id)).toMatchObject({ refunded: false, captured: true });
    const [refund] = (await stripe.refunds.list({ charge: held.id })).data;
    expect(refund).toMatchObject({ reason: 'expired_uncaptured_charge', balance_transaction: null });
    await expect(stripe.charges.capture(held.id)).rejects.toMatchObject({ statusCode: 400 });
  });

  test('metadata holds 50 keys, whenever they came', async () => {
    const { stripe } = account;
    const keys = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`k${from + i}`, 'v']));
    const customer = await stripe.customers.create({ metadata: keys(0, 30) });
    await stripe.customers.update(customer.id, { metadata: keys(10, 50) });
    await expect(stripe.customers.update(customer.id, { metadata: { one: 'more' } })).rejects.toThrow(
      'at most 50 keys',
    );
    const swapped = await stripe.customers.update(customer.id, { metadata: { k0: '', one: 'more' } });
    expect(Object.keys(swapped.metadata)).toHaveLength(50);
    await expect(stripe.customers.create({ metadata: keys(0, 51) })).rejects.toThrow('at most 50 keys');
  });

  test('a client secret that is sent has to fit', async () => {
    const { stripe } = account;
    const intent = await stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
    const setup = await stripe.setupIntents.create({});
    const source = await stripe.sources.create({ type: 'card', token: 'tok_visa' });
    const client_secret = 'pi_1_secret_2';
    const wrong = { param: 'client_secret', statusCode: 400 };
    await expect(stripe.paymentIntents.retrieve(intent.id, { client_secret })).rejects.toMatchObject(wrong);
    await expect(stripe.setupIntents.retrieve(setup.id, { client_secret })).rejects.toMatchObject(wrong);
    await expect(stripe.sources.retrieve(source.id, { client_secret })).rejects.toMatchObject(wrong);
    for (const own of [intent, setup, source]) expect(own.client_secret).toMatch(/_secret_/);
    const secret = intent.client_secret ?? '';
    expect(await stripe.paymentIntents.retrieve(intent.id, { client_secret: secret })).toEqual(intent);
    const params: Record<string, string> = { payment_method: 'pm_card_visa', client_secret };
    await expect(stripe.paymentIntents.confirm(intent.id, params)).rejects.toMatchObject(wrong);
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method');
    expect(
      (await stripe.paymentIntents.confirm(intent.id, { ...params, client_secret: secret } as object)).status,
    ).toBe('succeeded');
  });
});
