import * as fc from 'fast-check';
import { at, customerWith, type TestAccount, openTestAccount, priceOf } from '../test-account.js';

/** More of them: `LAW_RUNS=200`. */
const RUNS = Number(process.env['LAW_RUNS'] ?? 8);
const T0 = '2025-01-31T10:00:00Z';

let account: TestAccount;
beforeAll(async () => {
  account = await openTestAccount(T0);
});
afterAll(async () => {
  await account.close();
  account.recorder.assertClean();
});

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

test('a change and its reversal in the same second cancel each other', async () => {
  const cases = fc.record({
    price: fc.integer({ min: 1, max: 99_999 }),
    other: fc.integer({ min: 1, max: 99_999 }),
    from: fc.integer({ min: 1, max: 20 }),
    to: fc.integer({ min: 1, max: 20 }),
    after: fc.integer({ min: 0, max: 31 * 86_400 - 1 }),
    off: fc.option(fc.integer({ min: 1, max: 99 })),
    interval: fc.constantFrom('month' as const, 'year' as const),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ price, other, from, to, after, off, interval }) => {
      await account.reset('2025-01-01T00:00:00Z');
      const { stripe } = account;
      const customer = await customerWith(account);
      const one = await priceOf(account, price, interval, 'Gold');
      const two = await priceOf(account, other, interval, 'Silver');
      const coupon = off === null ? null : await stripe.coupons.create({ percent_off: off, duration: 'forever' });
      const { id, items } = await stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: one.id, quantity: from }],
        ...(coupon ? { discounts: [{ coupon: coupon.id }] } : {}),
      });
      await account.sandbox.control.advance({ to: at('2025-01-01T00:00:00Z') + after + 1 });
      const item = items.data[0].id;
      await stripe.subscriptions.update(id, { items: [{ id: item, price: two.id, quantity: to }] });
      await stripe.subscriptions.update(id, { items: [{ id: item, price: one.id, quantity: from }] });
      const pending = await stripe.invoiceItems.list({ customer: customer.id, pending: true });
      expect(pending.data.length === 4 || price === other).toBe(true);
      expect(sum(pending.data.map(({ amount }) => amount))).toBe(0);
    }),
    { numRuns: RUNS, seed: 2027 },
  );
});
