import type Stripe from 'stripe';
import { at, useTestAccount } from '../test-account.js';

/** Payouts by a schedule: of the own account, which a seed gives one, and of connected accounts, which a call does. */

// A Wednesday.
const account = useTestAccount('2025-01-15T12:00:00Z');

const schedule = (given: object) => account.sandbox.control.seed({ account: { settings: { payouts: { schedule: given } } } });
const pay = (payment_method: string, amount: number, more: Partial<Stripe.PaymentIntentCreateParams> = {}, options?: Stripe.RequestOptions) =>
  account.stripe.paymentIntents.create(
    { amount, currency: 'usd', confirm: true, payment_method, payment_method_types: ['card'], ...more },
    options,
  );
const payouts = async (options?: Stripe.RequestOptions) =>
  (await account.stripe.payouts.list({}, options)).data.toReversed().map(({ amount, created }) => [amount, created]);
const available = async (options?: Stripe.RequestOptions) => (await account.stripe.balance.retrieve(options)).available[0].amount;

test('without one nothing leaves the balance', async () => {
  await pay('pm_card_bypassPending', 10_000);
  await account.advance('90d');
  expect(await payouts()).toEqual([]);
  expect(await available()).toBe(9680);
});

test('daily: all that is available an hour after midnight, in one payout that says what it holds', async () => {
  await schedule({ interval: 'daily' });
  await pay('pm_card_visa', 10_000);
  await pay('pm_card_mastercard', 20_000);
  await pay('pm_card_bypassPending', 1000);
  // What was available at once goes on the next day, the rest on the day that it is.
  expect(await account.advance('40h')).toEqual(expect.arrayContaining(['balance.available', 'payout.created']));
  expect(await payouts()).toEqual([
    [941, at('2025-01-16T01:00:00Z')],
    [29_070, at('2025-01-17T01:00:00Z')],
  ]);
  expect(await available()).toBe(0);
  const [newest] = (await account.stripe.payouts.list()).data;
  expect(newest).toMatchObject({ automatic: true, currency: 'usd', reconciliation_status: 'in_progress' });
  const held = await account.stripe.balanceTransactions.list({ payout: newest.id, type: 'charge' });
  expect(held.data.map(({ net }) => net)).toEqual([19_390, 9680]);
  expect(await account.advance('3d')).toEqual(expect.arrayContaining(['payout.paid', 'payout.reconciliation_completed']));
  expect(await payouts()).toHaveLength(2);
});

test.each([
  ['weekly on Fridays', { interval: 'weekly', weekly_anchor: 'friday' }, ['2025-01-17', '2025-01-24']],
  ['weekly, Mondays unless it says otherwise', { interval: 'weekly' }, ['2025-01-20', '2025-01-27']],
  ['monthly', { interval: 'monthly', monthly_anchor: 20 }, ['2025-01-20', '2025-02-20']],
  ['monthly on the last day', { interval: 'monthly', monthly_anchor: 31 }, ['2025-01-31', '2025-02-28']],
])('%s', async (_, given, days) => {
  await schedule(given);
  for (const day of days) {
    await pay('pm_card_bypassPending', 1000);
    await account.advance(at(`${day}T01:00:00Z`));
  }
  expect(await payouts()).toEqual(days.map((day) => [941, at(`${day}T01:00:00Z`)]));
});

test('a balance below zero is not paid out, what a payout brought back waits for more', async () => {
  await schedule({ interval: 'daily' });
  const { id } = await pay('pm_card_bypassPending', 1000);
  await account.stripe.refunds.create({ payment_intent: id });
  await account.advance('3d');
  expect(await payouts()).toEqual([]);
  await pay('pm_card_bypassPending', 10_000);
  await account.advance('1d');
  const [payout] = (await account.stripe.payouts.list()).data;
  expect(payout.amount).toBe(9680 - 59);
  await account.fire('payout.failed', { payout_id: payout.id });
  await account.advance('9d');
  expect(await payouts()).toHaveLength(1);
  await pay('pm_card_bypassPending', 1000);
  await account.advance('1d');
  expect((await payouts())[1]?.[0]).toBe(9680 - 59 + 941);
});

test("a connected account's: from the call on that gives it one, until it becomes manual", async () => {
  const { stripe } = account;
  const { id } = await stripe.accounts.create({
    type: 'custom',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  });
  const there = { stripeAccount: id };
  await account.fire('account.onboarded', { account_id: id });
  await account.advance('10s');
  const earn = (amount: number) => pay('pm_card_bypassPending', amount, {}, there);
  await earn(1000);
  await account.advance('9d');
  expect(await payouts(there)).toEqual([]);
  const updated = await stripe.accounts.update(id, {
    settings: { payouts: { schedule: { interval: 'weekly', weekly_anchor: 'tuesday', delay_days: 4 } } },
  });
  expect(updated.settings?.payouts?.schedule).toEqual({ delay_days: 4, interval: 'weekly', weekly_anchor: 'tuesday' });
  // With the next money all leaves; what a card brings is available after four days.
  await earn(1000);
  await pay('pm_card_visa', 500, {}, there);
  await account.advance('20d');
  expect(await payouts(there)).toEqual([
    [1882 + 455, at('2025-01-28T01:00:00Z')],
  ]);
  await stripe.accounts.update(id, { settings: { payouts: { schedule: { interval: 'manual' } } } });
  await earn(1000);
  await account.advance('20d');
  expect(await payouts(there)).toHaveLength(1);
  expect(await payouts()).toEqual([]);
});

test('a state that is seeded goes on', async () => {
  await schedule({ interval: 'daily' });
  await pay('pm_card_visa', 10_000);
  const state = await account.sandbox.control.state();
  await account.advance('3d');
  const there = await payouts();
  await account.reset('2025-01-15T12:00:00Z');
  await account.sandbox.control.seed(state);
  await account.advance('3d');
  expect(await payouts()).toEqual(there);
  expect(there).toEqual([[9680, at('2025-01-17T01:00:00Z')]]);
});
