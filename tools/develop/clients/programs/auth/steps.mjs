import { stripe as payments } from '@better-auth/stripe';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import Stripe from 'stripe';
import { address, call, control, equal, key, receiver, step } from './kit.mjs';

const BASE = 'http://localhost:3000';
const hook = await receiver();
const client = new Stripe(key, { ...address(), httpClient: Stripe.createFetchHttpClient() });
const product = await call('POST', '/v1/products', { name: 'Pro' });
const priceOf = (unit_amount) =>
  call('POST', '/v1/prices', { product: product.id, currency: 'usd', unit_amount, 'recurring[interval]': 'month' });
const [basic, pro] = [await priceOf(1000), await priceOf(3000)];
const db = { user: [], session: [], account: [], verification: [], subscription: [] };
const auth = betterAuth({
  baseURL: BASE,
  secret: 'a secret that is long enough to be one',
  database: memoryAdapter(db),
  emailAndPassword: { enabled: true },
  plugins: [
    payments({
      stripeClient: client,
      stripeWebhookSecret: hook.secret,
      createCustomerOnSignUp: true,
      subscription: {
        enabled: true,
        plans: [
          { name: 'basic', priceId: basic.id },
          { name: 'pro', priceId: pro.id },
        ],
      },
    }),
  ],
});

let cookie = '';
async function ask(method, path, body) {
  const headers = { 'content-type': 'application/json', origin: BASE, cookie };
  const response = await auth.handler(
    new Request(`${BASE}/api/auth${path}`, { method, headers, body: body && JSON.stringify(body) }),
  );
  const set = response.headers.getSetCookie().map((each) => each.split(';')[0]);
  if (set.length > 0) cookie = set.join('; ');
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

let taken = 0;
async function webhooks() {
  await hook.flush();
  for (const { body, headers } of hook.received.slice(taken)) {
    taken++;
    const request = new Request(`${BASE}/api/auth/stripe/webhook`, { method: 'POST', headers, body });
    const response = await auth.handler(request);
    if (!response.ok) throw new Error(`${JSON.parse(body).type}: ${response.status} ${await response.text()}`);
  }
}

await step('signing up makes a customer', async () => {
  await ask('POST', '/sign-up/email', { email: 'ann@example.com', password: 'a long password', name: 'Ann' });
  const { data } = await call('GET', '/v1/customers?email=ann%40example.com');
  equal(data.length, 1, 'customers');
  equal(db.user[0].stripeCustomerId, data[0].id, 'the id that is kept');
});
await step('choosing a plan opens a checkout', async () => {
  const { url } = await ask('POST', '/subscription/upgrade', {
    plan: 'basic',
    successUrl: '/done',
    cancelUrl: '/back',
  });
  if (!/^http/.test(url)) throw new Error(`no address: ${url}`);
});
await step('paying it makes the subscription active, by webhooks', async () => {
  const { data } = await call('GET', '/v1/checkout/sessions');
  await control('POST', '/world/events', {
    cause: 'checkout.session.completed',
    params: { checkout_session_id: data[0].id },
  });
  await webhooks();
  equal(db.subscription[0].status, 'active', 'status');
});
await step('the period that is kept has dates', () => {
  const { periodStart, periodEnd } = db.subscription[0];
  const days = (new Date(periodEnd) - new Date(periodStart)) / 86_400_000;
  if (!(days >= 28 && days <= 31)) throw new Error(`it lasts ${days} days: ${periodStart} to ${periodEnd}`);
});
await step('the plan is listed', async () => {
  const listed = await ask('GET', '/subscription/list');
  equal(
    listed.map(({ plan, status }) => [plan, status]),
    [['basic', 'active']],
  );
});
await step('canceling opens the portal', async () => {
  const { url } = await ask('POST', '/subscription/cancel', { returnUrl: '/account' });
  if (!/^http/.test(url)) throw new Error(`no address: ${url}`);
});
await step('what is canceled for the end of the period is told by a webhook', async () => {
  const [{ id }] = (await call('GET', '/v1/subscriptions')).data;
  await call('POST', `/v1/subscriptions/${id}`, { cancel_at_period_end: true });
  await webhooks();
  equal(db.subscription[0].cancelAtPeriodEnd, true, 'cancelAtPeriodEnd');
});
await step('restoring takes that back', async () => {
  await ask('POST', '/subscription/restore', {});
  const [{ cancel_at_period_end: ends }] = (await call('GET', '/v1/subscriptions')).data;
  equal(ends, false, 'cancel_at_period_end');
});
await step('the end of a subscription is told by a webhook', async () => {
  const [{ id }] = (await call('GET', '/v1/subscriptions')).data;
  await call('DELETE', `/v1/subscriptions/${id}`);
  await webhooks();
  equal(db.subscription[0].status, 'canceled', 'status');
});
hook.close();
process.exit(0);
