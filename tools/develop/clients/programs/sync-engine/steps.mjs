import { createRequire } from 'node:module';
import pg from 'pg';
import Stripe from 'stripe';
import { address, call, control, database, equal, key, receiver, step } from './kit.mjs';

// Requires the CommonJS module, which searches its migrations beside itself; the ES module searches the working directory.
const { runMigrations, StripeSync } = createRequire(import.meta.url)('@supabase/stripe-sync-engine');

/** Matches the message for events that this version of the engine doesn't handle. */
const NOT_TAKEN = /Unhandled webhook event/;
const TABLES = [
  'customers',
  'products',
  'prices',
  'subscriptions',
  'invoices',
  'charges',
  'payment_intents',
  'refunds',
];

const hook = await receiver();
const sync = new StripeSync({
  poolConfig: { connectionString: database, max: 4 },
  stripeSecretKey: key,
  stripeWebhookSecret: hook.secret,
  backfillRelatedEntities: true,
  // Of several events in one second, the sync engine only processes the first, so it must read these objects from the API.
  revalidateObjectsViaStripeApi: [
    'charge',
    'customer',
    'invoice',
    'payment_intent',
    'product',
    'refund',
    'subscription',
  ],
});
// In an account with the oldest API version, calls use version 2020-08-27; otherwise the client's own version.
const { versions } = await control('GET', '/pack');
const isNewest = versions.current !== versions.all[0].name;
sync.stripe = new Stripe(key, { ...address(), ...(isNewest ? {} : { apiVersion: '2020-08-27' }) });

await step('its migrations run', () => runMigrations({ databaseUrl: database, schema: 'stripe' }));
await step('a business makes a world', async () => {
  const product = await call('POST', '/v1/products', { name: 'Gold' });
  const price = await call('POST', '/v1/prices', {
    product: product.id,
    currency: 'usd',
    unit_amount: 1999,
    'recurring[interval]': 'month',
  });
  const customer = await call('POST', '/v1/customers', {
    email: 'ann@example.com',
    payment_method: 'pm_card_visa',
    'invoice_settings[default_payment_method]': 'pm_card_visa',
  });
  await call('POST', '/v1/subscriptions', { customer: customer.id, 'items[0][price]': price.id });
  const paid = await call('POST', '/v1/payment_intents', {
    amount: 2500,
    currency: 'usd',
    customer: customer.id,
    confirm: true,
    payment_method: customer.invoice_settings.default_payment_method,
    return_url: 'https://shop.example/done',
  });
  await control('POST', '/clock/advance', { duration: '5s' });
  await call('POST', '/v1/refunds', { payment_intent: paid.id, amount: 500 });
  await control('POST', '/clock/advance', { duration: '33d' });
  await hook.flush();
});
await step('its webhook takes every signed event that it knows', async () => {
  const failed = [];
  // Excludes upcoming invoices, which have no id and therefore no row.
  const events = hook.received.filter(({ body }) => JSON.parse(body).type !== 'invoice.upcoming');
  for (const { body, headers } of events) {
    try {
      await sync.processWebhook(body, headers['stripe-signature']);
    } catch (error) {
      if (!NOT_TAKEN.test(error.message)) failed.push(`${JSON.parse(body).type}: ${error.message}`);
    }
  }
  equal(failed, [], 'what failed');
  if (hook.received.length < 20) throw new Error(`only ${hook.received.length} events came`);
});

const db = new pg.Client({ connectionString: database });
await db.connect();
const rows = async (table) => (await db.query(`select * from stripe.${table}`)).rows;
for (const table of TABLES) {
  await step(`the table ${table} holds what the API lists`, async () => {
    const { data } = await call('GET', `/v1/${table}?limit=100${table === 'subscriptions' ? '&status=all' : ''}`);
    const kept = new Map((await rows(table)).map((row) => [row.id, row]));
    equal([...kept.keys()].sort(), data.map(({ id }) => id).sort(), 'ids');
    for (const object of data) {
      for (const field of ['amount', 'status', 'currency', 'total', 'amount_refunded', 'email', 'unit_amount'])
        if (kept.get(object.id)[field] !== undefined && object[field] !== undefined && object[field] !== null)
          equal(String(kept.get(object.id)[field]), String(object[field]), `${object.id} ${field}`);
    }
  });
}
/** Converts a row's time to Unix seconds. */
const seconds = (value) => Math.floor(value instanceof Date ? value.getTime() / 1000 : Number(value));
/** Returns start and end of a subscription's period in Unix seconds, from columns of the row, or in newer versions from its items. */
const periodOf = ({ current_period_start: start, current_period_end: end, items }) => {
  const { data } = typeof items === 'string' ? JSON.parse(items) : items;
  return [start ?? data[0].current_period_start, end ?? data[0].current_period_end].map(seconds);
};
const datesAreRight = async () => {
  for (const [table, ...fields] of [
    ['customers', 'created'],
    ['subscriptions', 'created', 'start_date', 'billing_cycle_anchor'],
    ['invoices', 'created', 'period_start', 'period_end'],
    ['charges', 'created'],
    ['payment_intents', 'created'],
  ]) {
    const { data } = await call('GET', `/v1/${table}?limit=100${table === 'subscriptions' ? '&status=all' : ''}`);
    const kept = new Map((await rows(table)).map((row) => [row.id, row]));
    for (const object of data) {
      for (const field of fields) equal(seconds(kept.get(object.id)[field]), object[field], `${object.id} ${field}`);
      if (table === 'subscriptions') equal(periodOf(kept.get(object.id)), periodOf(object), `${object.id} period`);
    }
  }
};
await step('dates and periods are those of the API', datesAreRight);
await step('emptied and filled again by its backfill', async () => {
  await db.query(`truncate ${TABLES.map((table) => `stripe.${table}`).join(', ')} cascade`);
  await sync.syncBackfill({ object: 'all' });
  for (const table of ['customers', 'products', 'prices', 'subscriptions', 'invoices', 'charges', 'payment_intents']) {
    const { data } = await call('GET', `/v1/${table}?limit=100${table === 'subscriptions' ? '&status=all' : ''}`);
    equal((await rows(table)).length, data.length, table);
  }
});
await step('so they are after the backfill', datesAreRight);
await step('single objects by their ids', async () => {
  for (const table of ['customers', 'products', 'prices', 'subscriptions', 'invoices', 'charges', 'payment_intents']) {
    const { data } = await call('GET', `/v1/${table}?limit=1`);
    await sync.syncSingleEntity(data[0].id);
  }
});
await db.end();
hook.close();
process.exit(0);
