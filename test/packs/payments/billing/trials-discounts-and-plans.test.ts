import type Stripe from 'stripe';
import { type Body, refused, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

it('trial_end=now pauses a subscription that nothing pays', async () => {
  const customer = (await stripe().customers.create()).id;
  const { id } = await stripe().subscriptions.create({
    customer,
    items: [
      {
        price: (
          await stripe().prices.create({
            currency: 'usd',
            unit_amount: 1500,
            recurring: { interval: 'month' },
            product_data: { name: 'Gold' },
          })
        ).id,
      },
    ],
    trial_period_days: 7,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  });
  const types = await payments.typesOf(() => stripe().subscriptions.update(id, { trial_end: 'now' }));
  expect(types).toEqual(['customer.subscription.updated', 'customer.subscription.paused']);
  expect(await stripe().subscriptions.retrieve(id)).toMatchObject({ status: 'paused' });
});

it('another coupon of a customer is an updated discount', async () => {
  const [first, second] = [
    await stripe().coupons.create({ percent_off: 10 }),
    await stripe().coupons.create({ percent_off: 20 }),
  ];
  const customer = await stripe().customers.create({ coupon: first.id });
  const events = await payments.eventsOf(() => stripe().customers.update(customer.id, { coupon: second.id }));
  const [told] = events.filter(({ type }) => type === 'customer.discount.updated');
  expect(told.data.object).toMatchObject({ object: 'discount', coupon: { id: second.id } });
  expect(told.data.previous_attributes).toMatchObject({ coupon: { id: first.id } });
  expect((await stripe().customers.retrieve(customer.id)) as Stripe.Customer).toMatchObject({
    discount: { coupon: { id: second.id } },
  });
});

it('a plan needs a product that exists', async () => {
  const params = { product: 'prod_nope', amount: '1', currency: 'usd', interval: 'month' };
  expect((await payments.post('/v1/plans', params)).body).toMatchObject({
    error: { code: 'resource_missing', message: "No such product: 'prod_nope'", param: 'product' },
  });
});

it.each([
  [1, 400],
  [5, 200],
])('a promotion code with a minimum amount and %i pieces: %i', async (quantity, status) => {
  const { id: customer } = await stripe().customers.create({ payment_method: 'pm_card_visa' });
  const { id: price } = await stripe().prices.create({
    currency: 'usd',
    unit_amount: 1000,
    recurring: { interval: 'month' },
    product_data: { name: 'a' },
  });
  const { id: coupon } = await stripe().coupons.create({ percent_off: 10, duration: 'once' });
  const { id: promotion_code } = await stripe().promotionCodes.create({
    coupon,
    restrictions: { minimum_amount: 5000, minimum_amount_currency: 'usd' },
  });
  const items = { 'items[0][price]': price, 'items[0][quantity]': String(quantity) };
  const discount = { 'discounts[0][promotion_code]': promotion_code };
  const calls: [string, Record<string, string>][] = [
    ['/v1/invoices/create_preview', {
      customer,
      'subscription_details[items][0][price]': price,
      'subscription_details[items][0][quantity]': String(quantity),
    }],
    ['/v1/checkout/sessions', {
      mode: 'subscription',
      success_url: 'https://example.com',
      'line_items[0][price]': price,
      'line_items[0][quantity]': String(quantity),
    }],
    ['/v1/subscriptions', { customer, payment_behavior: 'default_incomplete', ...items }],
  ];
  for (const [path, params] of calls) {
    const { status: returned, body } = await payments.post(path, { ...params, ...discount });
    expect([path, returned, (body['error'] as Body | undefined)?.['param']]).toEqual([
      path,
      status,
      status === 400 ? 'promotion_code' : undefined,
    ]);
  }
});

it('a coupon of an amount in another currency is rejected, and a renewal has no rendering', async () => {
  const { id: customer } = await stripe().customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  });
  const price = await stripe().prices.create({
    currency: 'usd',
    unit_amount: 1000,
    recurring: { interval: 'month' },
    product_data: { name: 'a' },
  });
  const { id: coupon } = await stripe().coupons.create({ amount_off: 200, currency: 'eur', duration: 'once' });
  const items = [{ price: price.id }];
  const refusal = await refused(stripe().subscriptions.create({ customer, items, discounts: [{ coupon }] }));
  expect(refusal).toMatchObject({ statusCode: 400, param: 'coupon' });
  const { latest_invoice } = await stripe().subscriptions.create({ customer, items, expand: ['latest_invoice'] });
  expect(latest_invoice).toMatchObject({ rendering: null, amount_paid: 1000 });
  const draft = await stripe().invoices.create({ customer });
  expect(draft.rendering?.pdf).toEqual({ page_size: 'auto' });
  expect((await stripe().invoices.finalizeInvoice(draft.id)).rendering?.pdf).toEqual({ page_size: 'letter' });
});
