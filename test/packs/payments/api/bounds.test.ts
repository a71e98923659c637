import type Stripe from 'stripe';
import { refused, servePayments } from '../served-payments.js';

/**
 * Numbers out of bounds are moved to the bound (part "Errors" of the specification); with the vendor's own word they are rejected. Sizes of pages
 * are always moved: the vendor was recorded to do so in 2026-08-26.dahlia.
 */

const specified = servePayments();
const own = servePayments({ vars: { vendor: 'stripe' } });

const PRICE = { currency: 'usd', unit_amount: 500, product_data: { name: 'Gold' } };
const monthly = (stripe: Stripe, recurring: object) =>
  stripe.prices.create({ ...PRICE, recurring: { interval: 'month', ...recurring } });

async function subscribed(stripe: Stripe, more: object): Promise<Stripe.Subscription> {
  const { id: customer } = await stripe.customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  });
  return stripe.subscriptions.create({ customer, items: [{ price: (await monthly(stripe, {})).id, ...more }] });
}

type Moved = [name: string, call: (stripe: Stripe) => Promise<unknown>, moved: object];

const PAGES: Moved[] = [
  ['no item on a page', (stripe) => stripe.taxCodes.list({ limit: 0 }), { data: { length: 1 } }],
  ['fewer than none on a page', (stripe) => stripe.taxCodes.list({ limit: -1 }), { data: { length: 1 }, has_more: true }],
  ['more than a page', (stripe) => stripe.countrySpecs.list({ limit: 101 }), { object: 'list' }],
  ['more than a page of a search', (stripe) => stripe.charges.search({ query: 'amount>5', limit: 200 }), { object: 'search_result', data: [] }],
  ['no country on a page', (stripe) => stripe.countrySpecs.list({ limit: 0 }), { data: { length: 1 } }],
];

const CALLS: Moved[] = [
  ['an interval of nothing', (stripe) => monthly(stripe, { interval_count: 0 }), { recurring: { interval_count: 1 } }],
  ['fewer than none', (stripe) => subscribed(stripe, { quantity: -3 }), { items: { data: [{ quantity: 0 }] } }],
  [
    'no redemption',
    (stripe) => stripe.coupons.create({ percent_off: 5, max_redemptions: 0 }),
    { max_redemptions: 1 },
  ],
  [
    'no month',
    (stripe) => stripe.coupons.create({ percent_off: 5, duration: 'repeating', duration_in_months: 0 }),
    { duration_in_months: 1 },
  ],
];

test.each(PAGES)('%s is the next size', async (_, call, moved) => {
  expect(await call(specified.stripe)).toMatchObject(moved);
  expect(await call(own.stripe)).toMatchObject(moved);
});

test.each(CALLS)('%s is moved to the bound', async (_, call, moved) => {
  expect(await call(specified.stripe)).toMatchObject(moved);
});

test.each(CALLS)('%s is rejected with the vendor’s own word', async (_, call) => {
  expect(await refused(call(own.stripe))).toMatchObject({ statusCode: 400, code: 'parameter_invalid_integer' });
});

test.each(['specified', 'own'])('money is never moved (%s)', async (name) => {
  const { stripe } = name === 'own' ? own : specified;
  await refused(stripe.prices.create({ ...PRICE, unit_amount: -5 }));
  await refused(stripe.paymentIntents.create({ amount: 0, currency: 'usd' }));
});
