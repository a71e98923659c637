import type Stripe from 'stripe';
import { DAY, expanded, servePayments, T0 } from '../served-payments.js';

const payments = servePayments();

async function pay(amount: number, params: Partial<Stripe.PaymentIntentCreateParams> = {}): Promise<Stripe.Charge> {
  const intent = await payments.stripe.paymentIntents.create({
    amount,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    ...params,
  });
  const { data } = await payments.stripe.charges.list({
    payment_intent: intent.id,
    expand: ['data.balance_transaction'],
  });
  return data[0];
}

async function amounts(): Promise<{ available: number; pending: number }> {
  const balance = await payments.stripe.balance.retrieve();
  const of = (list: Stripe.Balance.Available[]) => list.find(({ currency }) => currency === 'usd')?.amount ?? NaN;
  return { available: of(balance.available), pending: of(balance.pending) };
}

it('is empty in the beginning, in the currency of the account', async () => {
  expect(await payments.stripe.balance.retrieve()).toMatchObject({
    object: 'balance',
    available: [{ amount: 0, currency: 'usd' }],
    pending: [{ amount: 0, currency: 'usd' }],
    livemode: false,
  });
});

const fees: [number, number][] = [
  [1000, 59],
  [2000, 88],
  [5000, 175],
  [10000, 320],
  [50, 31], // 1.45 + 30
  [999, 59], // 28.971 + 30
  [1050, 60], // 30.45 + 30
  [1500, 74], // 43.5 + 30, half up
];

it.each(fees)('a card charge of %d costs %d', async (amount, fee) => {
  const charge = await pay(amount);
  expect(expanded(charge.balance_transaction)).toMatchObject({
    amount,
    fee,
    net: amount - fee,
    currency: 'usd',
    exchange_rate: null,
    fee_details: [{ amount: fee, application: null, currency: 'usd' }],
    reporting_category: 'charge',
    source: charge.id,
    status: 'pending',
    type: 'charge',
    created: T0,
  });
});

it('money is pending, then available at midnight, and the day is told beforehand', async () => {
  const transaction = expanded((await pay(2000)).balance_transaction);
  expect(await amounts()).toEqual({ available: 0, pending: 1912 });
  expect(transaction.available_on % DAY).toBe(0);
  expect(transaction.available_on).toBeGreaterThan(T0);
  await payments.control.advance({ to: transaction.available_on - 1 });
  expect(await amounts()).toEqual({ available: 0, pending: 1912 });
  const { events } = await payments.control.advance('1s');
  expect(await amounts()).toEqual({ available: 1912, pending: 0 });
  expect(events.map(({ type }) => type)).toContain('balance.available');
  expect((await payments.stripe.balanceTransactions.retrieve(transaction.id)).status).toBe('available');
});

it('a card that bypasses the wait is available at once', async () => {
  const charge = await pay(2000, { payment_method: 'pm_card_bypassPending' });
  expect(expanded(charge.balance_transaction)).toMatchObject({ status: 'available', available_on: T0 });
  expect(await amounts()).toEqual({ available: 1912, pending: 0 });
});

it('what is authorised counts when it is captured', async () => {
  const charge = await pay(2000, { capture_method: 'manual' });
  expect(await amounts()).toEqual({ available: 0, pending: 0 });
  await payments.stripe.paymentIntents.capture(String(charge.payment_intent), { amount_to_capture: 1000 });
  expect(await amounts()).toEqual({ available: 0, pending: 941 });
});

it('the sum of the transactions is the balance, whatever happened', async () => {
  const first = await pay(2000);
  await pay(5000, { payment_method: 'pm_card_bypassPending' });
  await pay(3000, { payment_method: 'pm_card_createDispute' });
  await payments.stripe.refunds.create({ charge: first.id, amount: 500 });
  const refund = await payments.stripe.refunds.create({
    charge: (await pay(1000, { payment_method: 'pm_card_refundFail' })).id,
  });
  await payments.control.advance('10d');
  expect((await payments.stripe.refunds.retrieve(refund.id)).status).toBe('failed');
  const all: Stripe.BalanceTransaction[] = [];
  for await (const each of payments.stripe.balanceTransactions.list({ limit: 100 })) all.push(each);
  const { available, pending } = await amounts();
  expect(available + pending).toBe(all.reduce((sum, { net }) => sum + net, 0));
  expect(all.every(({ amount, fee, net }) => net === amount - fee)).toBe(true);
});

it('each currency has its own entry', async () => {
  await pay(2000);
  await pay(3000, { currency: 'eur' });
  const { pending } = await payments.stripe.balance.retrieve();
  expect(pending.map(({ currency }) => currency).sort()).toEqual(['eur', 'usd']);
});

it('transactions are listed by type, source and time', async () => {
  const charge = await pay(2000);
  await payments.control.advance('1h');
  const refund = await payments.stripe.refunds.create({ charge: charge.id });
  const list = async (params: Stripe.BalanceTransactionListParams) =>
    (await payments.stripe.balanceTransactions.list(params)).data.map(({ source }) => source);
  expect(await list({})).toEqual([refund.id, charge.id]);
  expect(await list({ type: 'refund' })).toEqual([refund.id]);
  expect(await list({ source: charge.id })).toEqual([charge.id]);
  expect(await list({ created: { gt: T0 } })).toEqual([refund.id]);
  expect(await list({ currency: 'eur' })).toEqual([]);
});

it('opening balances are pinned at the seed; what moves later is computed', async () => {
  const opening = [{ amount: 100_000, currency: 'usd', source_types: { card: 100_000 } }];
  await payments.control.pin({ resource: 'balance', path: 'balance.available', value: opening });
  await payments.control.reset({ t0: T0 }); // a reset forgets pins
  expect((await amounts()).available).toBe(0);
  await payments.control.seed({ resource: 'balances', objects: [{ id: 'balance', available: opening }] });
  expect(await amounts()).toEqual({ available: 100_000, pending: 0 });
  await pay(2000);
  expect(await amounts()).toEqual({ available: 100_000, pending: 1912 });
});

it('what was only authorised is released at once: a pinned failure of refunds does not bring it back', async () => {
  const intent = await payments.stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    capture_method: 'manual',
  });
  await payments.control.pin({ resource: 'refunds', branch: 'failed' });
  const refund = await payments.stripe.refunds.create({ payment_intent: intent.id, amount: 99 });
  await payments.control.advance('4d');
  expect(await payments.stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'succeeded' });
  expect(await payments.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ amount_capturable: 1901 });
});
