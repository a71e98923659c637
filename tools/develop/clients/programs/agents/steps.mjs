import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { StripeAgentToolkit } from '@stripe/agent-toolkit/modelcontextprotocol';
import { call, control, equal, key, step } from './kit.mjs';

const all = { create: true, read: true, update: true };
const subjects = [
  'customers',
  'products',
  'prices',
  'paymentLinks',
  'invoices',
  'invoiceItems',
  'balance',
  'coupons',
  'refunds',
];
const more = ['paymentIntents', 'subscriptions', 'disputes'];
const actions = Object.fromEntries([...subjects, ...more].map((name) => [name, all]));
const toolkit = new StripeAgentToolkit({ secretKey: key, configuration: { actions } });
const agent = new Client({ name: 'agent', version: '1' });
const [here, there] = InMemoryTransport.createLinkedPair();
await toolkit.connect(there);
await agent.connect(here);

/** Calls a tool and returns its result; a text that isn't JSON is an error message. */
async function use(name, given = {}) {
  const { content, isError } = await agent.callTool({ name, arguments: given });
  if (isError) throw new Error(content[0].text);
  try {
    return JSON.parse(content[0].text);
  } catch {
    throw new Error(content[0].text);
  }
}

const customer = await step('create_customer', () =>
  use('create_customer', { name: 'Ann Lee', email: 'ann@example.com' }),
);
await step('list_customers', async () =>
  equal((await use('list_customers', { email: 'ann@example.com' }))[0].id, customer.id),
);
const product = await step('create_product', () => use('create_product', { name: 'Tea' }));
await step('list_products', async () => equal((await use('list_products'))[0].id, product.id));
const price = await step('create_price', () =>
  use('create_price', { product: product.id, unit_amount: 500, currency: 'usd' }),
);
await step('list_prices', async () => equal((await use('list_prices', { product: product.id }))[0].id, price.id));
await step('create_payment_link', async () => {
  const { url } = await use('create_payment_link', { price: price.id, quantity: 1 });
  equal((await fetch(url)).status, 200, 'status of the page');
});
const invoice = await step('create_invoice', () =>
  use('create_invoice', { customer: customer.id, days_until_due: 30 }),
);
await step('create_invoice_item', () =>
  use('create_invoice_item', { customer: customer.id, price: price.id, invoice: invoice.id }),
);
await step('finalize_invoice', async () => {
  await use('finalize_invoice', { invoice: invoice.id });
  equal((await call('GET', `/v1/invoices/${invoice.id}`)).amount_due, 500, 'amount_due');
});
await step('list_invoices', async () =>
  equal((await use('list_invoices', { customer: customer.id }))[0].status, 'open'),
);
const intent = await call('POST', '/v1/payment_intents', {
  amount: 2000,
  currency: 'usd',
  customer: customer.id,
  payment_method: 'pm_card_visa',
  confirm: true,
  return_url: 'https://shop.example.com',
});
await step('list_payment_intents', async () =>
  equal((await use('list_payment_intents', { customer: customer.id }))[0].id, intent.id),
);
await step('create_refund', async () =>
  equal((await use('create_refund', { payment_intent: intent.id, amount: 500 })).amount, 500),
);
await step('retrieve_balance', async () => equal((await use('retrieve_balance')).object, 'balance'));
await step('create_coupon', () =>
  use('create_coupon', { name: 'One off', amount_off: 100, currency: 'USD', duration: 'once' }),
);
await step('list_coupons', async () => equal((await use('list_coupons')).length, 1, 'coupons'));
const method = await call('POST', `/v1/payment_methods/pm_card_visa/attach`, { customer: customer.id });
const monthly = await call('POST', '/v1/prices', {
  product: product.id,
  unit_amount: 900,
  currency: 'usd',
  'recurring[interval]': 'month',
});
const subscription = await call('POST', '/v1/subscriptions', {
  customer: customer.id,
  'items[0][price]': monthly.id,
  default_payment_method: method.id,
});
await step('list_subscriptions', async () =>
  equal((await use('list_subscriptions', { customer: customer.id }))[0].id, subscription.id),
);
await step('update_subscription', () =>
  use('update_subscription', {
    subscription: subscription.id,
    items: [{ id: subscription.items.data[0].id, quantity: 2 }],
  }),
);
await step('cancel_subscription', async () => {
  await use('cancel_subscription', { subscription: subscription.id });
  equal((await call('GET', `/v1/subscriptions/${subscription.id}`)).status, 'canceled', 'status');
});
await step('list_disputes and update_dispute', async () => {
  await control('POST', '/world/events', { cause: 'dispute.opened', params: { charge_id: intent.latest_charge } });
  const [dispute] = await use('list_disputes', { payment_intent: intent.id });
  await use('update_dispute', {
    dispute: dispute.id,
    evidence: { uncategorized_text: 'It was bought.' },
    submit: true,
  });
  equal((await call('GET', `/v1/disputes/${dispute.id}`)).status, 'under_review', 'status');
});
process.exit(0);
