import { createServer } from 'node:http';
import module from '@activepieces/piece-stripe';
import { call, control, equal, key, step } from './kit.mjs';

/** Received events by the path that the tool registered for the trigger. */
const heard = new Map();
const tool = createServer((req, res) => {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    heard.set(req.url, JSON.parse(Buffer.concat(chunks)));
    res.end('ok');
  });
});
await new Promise((resolve) => tool.listen(0, '127.0.0.1', resolve));
const kept = new Map();
const store = { put: async (name, value) => void kept.set(name, value), get: async (name) => kept.get(name) ?? null };

const pay = (method) =>
  call('POST', '/v1/payment_intents', {
    amount: 2000,
    currency: 'usd',
    payment_method: method,
    confirm: true,
    return_url: 'https://shop.example.com',
  }).catch(() => undefined);
const customer = await call('POST', '/v1/customers', { name: 'Ann Lee', source: 'tok_visa' });
const product = await call('POST', '/v1/products', { name: 'Pro' });
const price = await call('POST', '/v1/prices', {
  product: product.id,
  currency: 'usd',
  unit_amount: 900,
  'recurring[interval]': 'month',
});
const HAPPENS = {
  new_customer: () => call('POST', '/v1/customers', { name: 'Bo' }),
  new_payment: () => pay('pm_card_visa'),
  payment_failed: () => pay('pm_card_chargeDeclined'),
  new_subscription: () => call('POST', '/v1/subscriptions', { customer: customer.id, 'items[0][price]': price.id }),
};
const MEANT = {
  new_customer: 'customer',
  new_payment: 'charge',
  payment_failed: 'charge',
  new_subscription: 'subscription',
};

for (const trigger of Object.values(module.stripe.metadata().triggers)) {
  const path = `/${trigger.name}`;
  const context = {
    webhookUrl: `http://127.0.0.1:${tool.address().port}${path}`,
    propsValue: { api_key: key },
    store,
  };
  await step(`${trigger.name} is switched on`, async () => {
    await trigger.onEnable(context);
    equal((await call('GET', '/v1/webhook_endpoints')).data[0].url, context.webhookUrl, 'url');
  });
  await step(`${trigger.name} runs`, async () => {
    await HAPPENS[trigger.name]();
    await control('POST', '/webhooks/flush', {});
    const [object] = await trigger.run({ ...context, payload: { body: heard.get(path) } });
    equal(object.object, MEANT[trigger.name], 'object');
  });
  await step(`${trigger.name} is switched off`, async () => {
    await trigger.onDisable(context);
    equal((await call('GET', '/v1/webhook_endpoints')).data.length, 0, 'endpoints');
  });
}
process.exit(0);
