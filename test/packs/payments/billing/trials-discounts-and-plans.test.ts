import type Stripe from 'stripe';
import { servePayments } from '../served-payments.js';


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
