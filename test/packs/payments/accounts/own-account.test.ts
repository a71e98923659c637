import { type Body, servePayments } from '../served-payments.js';

/** An account like one's own: `account:` of a seed, and variables `account.*`. */

const CANADIAN = {
  'account.country': 'CA',
  'account.payout_delay': '7',
  'account.percent': '2',
  'account.fixed': '30',
  'account.statement_descriptor': 'MAPLE',
  'account.decline_on_cvc': 'true',
};
const plain = servePayments();
const own = servePayments({ vars: CANADIAN });

type Served = typeof plain;
const account = async (of: Served): Promise<Body> => (await of.call('GET /v1/account')).body;
const pay = (of: Served, currency: string, payment_method = 'pm_card_visa') =>
  of.post('/v1/payment_intents', {
    amount: '1000',
    currency,
    confirm: 'true',
    payment_method,
    'expand[0]': 'latest_charge.balance_transaction',
  });
const invoiceOf = async (of: Served) =>
  (await of.post('/v1/invoices', { customer: String((await of.post('/v1/customers')).body['id']) })).body;
const instant = (text: string): number => Date.parse(text) / 1000;

test('variables decide country, currency, rates, descriptor and when funds are available', async () => {
  expect(await account(own)).toMatchObject({
    country: 'CA',
    default_currency: 'cad',
    settings: { payments: { statement_descriptor: 'MAPLE' }, payouts: { schedule: { delay_days: 7 } } },
  });
  expect((await own.call('GET /v1/balance')).body).toMatchObject({ available: [{ amount: 0, currency: 'cad' }] });
  expect((await pay(own, 'cad', 'pm_card_ca')).body).toMatchObject({
    latest_charge: {
      calculated_statement_descriptor: 'MAPLE',
      balance_transaction: { fee: 50, net: 950, available_on: instant('2025-01-22T00:00:00Z') },
    },
  });
  // A card of another country costs more.
  expect((await pay(own, 'cad')).body).toMatchObject({ latest_charge: { balance_transaction: { fee: 65 } } });
  expect(await invoiceOf(own)).toMatchObject({ account_country: 'CA', account_name: 'Sandbox', currency: 'cad' });
});

test('an account that declines failing security codes does so though the issuer approves', async () => {
  expect((await pay(own, 'cad', 'pm_card_cvcCheckFail')).body).toMatchObject({
    error: { code: 'card_declined', decline_code: 'incorrect_cvc' },
  });
  expect((await pay(plain, 'usd', 'pm_card_cvcCheckFail')).status).toBe(200);
});

test('a seed has the account beside its objects, and the cheapest of its rates counts', async () => {
  const seeded = await plain.control.seed({
    account: {
      country: 'DE',
      business_profile: { name: 'Onetime' },
      settings: {
        card_payments: { statement_descriptor_prefix: 'ONE' },
        payments: { statement_descriptor: 'ONETIME' },
        payouts: { schedule: { interval: 'daily', delay_days: 5 } },
      },
      rates: [
        { percent: 2, fixed: 30 },
        { percent: 5, fixed: 5 },
      ],
      foreign_percent: 0,
      page_size: 'a4',
    },
    resources: { customers: [{ id: 'cus_AAAAAAAAAAAAAA' }] },
  });
  expect(seeded).toEqual({ seeded: { accounts: 1, customers: 1 } });
  expect(await account(plain)).toMatchObject({ country: 'DE', default_currency: 'eur', business_profile: { name: 'Onetime' } });
  expect((await pay(plain, 'eur')).body).toMatchObject({
    latest_charge: { calculated_statement_descriptor: 'ONETIME', balance_transaction: { fee: 50 } },
  });
  const small = { amount: '500', currency: 'eur', confirm: 'true', payment_method: 'pm_card_visa' };
  const { body } = await plain.post('/v1/payment_intents', {
    ...small,
    statement_descriptor_suffix: 'May',
    'expand[0]': 'latest_charge.balance_transaction',
  });
  expect(body).toMatchObject({
    latest_charge: { calculated_statement_descriptor: 'ONE* MAY', balance_transaction: { fee: 30 } },
  });
  const invoice = await invoiceOf(plain);
  expect(invoice).toMatchObject({ account_country: 'DE', account_name: 'Onetime', currency: 'eur' });
  const final = await plain.post(`/v1/invoices/${String(invoice['id'])}/finalize`);
  expect(final.body).toMatchObject({ rendering: { pdf: { page_size: 'a4' } } });
});

test('the fee of a dispute, what follows the last retry, and tax ids of invoices', async () => {
  expect(await account(plain)).not.toHaveProperty('dispute_fee');
  await plain.control.seed({
    account: { dispute_fee: 2000, after_retries: 'unpaid', settings: { invoices: { default_account_tax_ids: ['txi_1Own'] } } },
  });
  const { body } = await pay(plain, 'usd', 'pm_card_createDispute');
  const { body: list } = await plain.get(`/v1/disputes?payment_intent=${String(body['id'])}`);
  expect(list).toMatchObject({ data: [{ balance_transactions: [{ fee: 2000, net: -3000 }] }] });

  const invoice = await invoiceOf(plain);
  expect(invoice['account_tax_ids']).toBeNull();
  expect((await plain.post(`/v1/invoices/${String(invoice['id'])}/finalize`)).body).toMatchObject({ account_tax_ids: ['txi_1Own'] });

  const customer = String((await plain.post('/v1/customers')).body['id']);
  const attach = async (name: string) => String((await plain.post(`/v1/payment_methods/${name}/attach`, { customer })).body['id']);
  const { stripe } = plain;
  const price = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 900,
    recurring: { interval: 'month' },
    product_data: { name: 'Gold' },
  });
  const { id } = await stripe.subscriptions.create({
    customer,
    default_payment_method: await attach('pm_card_visa'),
    items: [{ price: price.id }],
  });
  await stripe.subscriptions.update(id, { default_payment_method: await attach('pm_card_chargeCustomerFail') });
  await plain.control.advance('60d');
  expect((await plain.get(`/v1/subscriptions/${id}`)).body).toMatchObject({ status: 'unpaid' });
});

test('an account whose capability for cards is not active charges nobody', async () => {
  await plain.control.seed({ account: { capabilities: { card_payments: 'inactive', transfers: 'active' } } });
  expect(await account(plain)).toMatchObject({ charges_enabled: false, capabilities: { card_payments: 'inactive' } });
  expect(await pay(plain, 'usd')).toMatchObject({
    status: 400,
    body: { error: { message: 'Your account cannot currently make charges.' } },
  });
});

test.each([
  [{ country: 'XX' }, 'accounts[0].country'],
  [{ default_currency: 'xxq' }, 'accounts[0].default_currency'],
  [{ settings: { payouts: { schedule: { interval: 'hourly' } } } }, 'accounts[0].settings.payouts.schedule.interval'],
  [{ settings: { payouts: { schedule: { weekly_anchor: 'noday' } } } }, 'accounts[0].settings.payouts.schedule.weekly_anchor'],
  [{ after_retries: 'forgive' }, 'accounts[0].after_retries'],
  [{ shoe_size: 4 }, 'accounts[0].shoe_size'],
])('the account %j is rejected', async (given, path) => {
  await expect(plain.control.seed({ account: given })).rejects.toMatchObject({
    status: 422,
    body: { error: { path } },
  });
});
