import module from '@medusajs/payment-stripe';
import { call, equal, key, receiver, step } from './kit.mjs';

const hook = await receiver();
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
const Provider = (module.default ?? module).services.find(({ identifier }) => identifier === 'stripe');
const shop = new Provider({ logger }, { apiKey: key, webhookSecret: hook.secret });
const customer = { id: 'cus_of_the_shop', email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' };

const holder = await step('a customer of the shop gets an account', async () => {
  const { id, data } = await shop.createAccountHolder({ context: { customer, idempotency_key: 'account' } });
  equal((await call('GET', `/v1/customers/${id}`)).email, 'ann@example.com', 'email');
  return { data: data ?? { id } };
});

async function session(amount, name, data = {}) {
  const made = await shop.initiatePayment({
    amount,
    currency_code: 'usd',
    data: { session_id: name, ...data },
    context: { account_holder: holder, idempotency_key: name },
  });
  return made.data;
}

/** Confirms a payment as the shop's page does, with the address to which a bank's page returns. */
const confirm = (id, method) =>
  call('POST', `/v1/payment_intents/${id}/confirm`, {
    payment_method: method,
    return_url: 'https://shop.example/done',
  });

const first = await step('a session is a payment of the amount in cents', async () => {
  const data = await session(29.9, 'one');
  equal([data.amount, data.status], [2990, 'requires_payment_method']);
  return data;
});
await step('another amount changes it', async () => {
  const { data } = await shop.updatePayment({ data: first, currency_code: 'usd', amount: 30.5, context: {} });
  equal(data.amount, 3050, 'amount');
});
await step('a declined card leaves the session open', async () => {
  await confirm(first.id, 'pm_card_chargeDeclined').catch(() => undefined);
  const { status } = await shop.getPaymentStatus({ data: { id: first.id } });
  equal(['error', 'pending', 'requires_more'].includes(status), true, `open, not ${status}`);
});
await step('a good one authorises it', async () => {
  await confirm(first.id, 'pm_card_visa');
  equal((await shop.authorizePayment({ data: { id: first.id } })).status, 'authorized', 'status');
});
await step('capturing takes the money, and once more changes nothing', async () => {
  equal((await shop.capturePayment({ data: { id: first.id }, context: {} })).data.status, 'succeeded', 'status');
  equal((await shop.capturePayment({ data: { id: first.id }, context: {} })).data.status, 'succeeded', 'status');
  equal((await shop.retrievePayment({ data: { id: first.id } })).data.amount, 30.5, 'amount');
});
await step('a refund of a part', async () => {
  await shop.refundPayment({ amount: 10, data: { id: first.id, currency: 'usd' }, context: {} });
  const { data } = await call('GET', `/v1/refunds?payment_intent=${first.id}`);
  equal(
    data.map(({ amount }) => amount),
    [1000],
  );
});
await step('a session that is given up', async () => {
  const { id } = await session(5, 'two');
  await shop.deletePayment({ data: { id }, context: {} });
  equal((await call('GET', `/v1/payment_intents/${id}`)).status, 'canceled', 'status');
  await shop.cancelPayment({ data: { id }, context: {} });
});
await step('webhooks are verified and understood', async () => {
  await hook.flush();
  const actions = [];
  for (const { body, headers } of hook.received) {
    const { type } = JSON.parse(body);
    const { action } = await shop.getWebhookActionAndData({ data: JSON.parse(body), rawData: body, headers });
    if (type.startsWith('payment_intent.')) actions.push(`${type} ${action}`);
  }
  for (const expected of [
    'payment_intent.amount_capturable_updated authorized',
    'payment_intent.succeeded captured',
    'payment_intent.payment_failed failed',
  ])
    if (!actions.includes(expected)) throw new Error(`${expected} is not among ${actions.join(', ')}`);
});
await step('a card is kept, listed and removed', async () => {
  await shop.savePaymentMethod({ context: { account_holder: holder, idempotency_key: 'keep' }, data: {} });
  await call('POST', '/v1/payment_methods/pm_card_visa/attach', { customer: holder.data.id });
  const kept = await shop.listPaymentMethods({ context: { account_holder: holder } });
  equal(
    kept.map(({ data }) => data.card.last4),
    ['4242'],
  );
});
await step('the account of the customer is removed', async () => {
  await shop.deleteAccountHolder({ context: { account_holder: holder } });
  equal((await call('GET', `/v1/customers/${holder.data.id}`)).deleted, true, 'deleted');
});
hook.close();
process.exit(0);
