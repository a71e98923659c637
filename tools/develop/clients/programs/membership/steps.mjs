import { createRequire } from 'node:module';
import { call, equal, key, step } from './kit.mjs';

const StripeAPI = createRequire(import.meta.url)('@tryghost/members-stripe-service/lib/StripeAPI.js');
const ghost = new StripeAPI();
ghost.configure({
  secretKey: key,
  publicKey: key.replace('sk_', 'pk_'),
  enablePromoCodes: true,
  checkoutSessionSuccessUrl: 'https://blog.example.com/welcome',
  checkoutSessionCancelUrl: 'https://blog.example.com',
  checkoutSetupSessionSuccessUrl: 'https://blog.example.com/card',
  checkoutSetupSessionCancelUrl: 'https://blog.example.com',
});

const product = await step('a tier', () => ghost.createProduct({ name: 'Gold' }));
await step('the tier is renamed', async () =>
  equal((await ghost.updateProduct(product.id, { name: 'Gold tier' })).name, 'Gold tier'),
);
const price = await step('its price', () =>
  ghost.createPrice({
    product: product.id,
    active: true,
    nickname: 'Monthly',
    currency: 'usd',
    amount: 500,
    type: 'recurring',
    interval: 'month',
  }),
);
await step('the price is put away and taken out', async () => {
  equal((await ghost.updatePrice(price.id, { active: false })).active, false);
  equal((await ghost.updatePrice(price.id, { active: true })).active, true);
});
const customer = await step('a member', () => ghost.createCustomer({ email: 'ann@example.com' }));
await step('the member has another address', async () =>
  equal((await ghost.updateCustomerEmail(customer.id, 'ann.lee@example.com')).email, 'ann.lee@example.com'),
);
await step('an offer', () => ghost.createCoupon({ name: 'Spring', percent_off: 10, duration: 'once' }));
await step('a page to change the card', async () => {
  const { url, mode } = await ghost.createCheckoutSetupSession({ id: customer.id, email: 'ann.lee@example.com' }, {});
  equal(mode, 'setup');
  equal((await fetch(url)).status, 200, 'status of the page');
});
const card = await step('a card', async () => {
  const { id } = await call('POST', '/v1/payment_methods', { type: 'card', 'card[token]': 'tok_visa' });
  await ghost.attachPaymentMethodToCustomer(customer.id, id);
  return call('GET', `/v1/payment_methods/${id}`);
});
await call('POST', `/v1/customers/${customer.id}`, { 'invoice_settings[default_payment_method]': card.id });
const subscription = await step('a subscription', () => ghost.createSubscription(customer.id, price.id));
await step('it ends with the period, and goes on', async () => {
  equal((await ghost.cancelSubscriptionAtPeriodEnd(subscription.id, 'too dear')).cancel_at_period_end, true);
  equal((await ghost.continueSubscriptionAtPeriodEnd(subscription.id)).cancel_at_period_end, false);
});
await step('the card of the subscription', async () => {
  equal((await ghost.updateSubscriptionDefaultPaymentMethod(subscription.id, card.id)).default_payment_method, card.id);
  equal((await ghost.getCardPaymentMethod(card.id)).card.last4, '4242', 'last4');
});
await step('it is canceled', async () => equal((await ghost.cancelSubscription(subscription.id)).status, 'canceled'));
process.exit(0);
