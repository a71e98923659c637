import { customerWith, type TestAccount, openTestAccount, priceOf } from '../test-account.js';

/** Calls whose parts are right and do not go together. `$name` is an id. */
let account: TestAccount;
const ids: Record<string, string> = {};

beforeAll(async () => {
  account = await openTestAccount('2025-01-01T00:00:00Z');
  const { stripe } = account;
  ids['customer'] = (await customerWith(account)).id;
  const gold = await priceOf(account, 1000);
  ids['gold'] = gold.id;
  ids['product'] = gold.product as string;
  ids['once'] = (await stripe.prices.create({ product: ids['product'], currency: 'usd', unit_amount: 5 })).id;
  const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'once' });
  ids['promo'] = (await stripe.promotionCodes.create({ coupon: coupon.id })).id;
  ids['sub'] = (await stripe.subscriptions.create({ customer: ids['customer'], items: [{ price: gold.id }] })).id;
  const over = await stripe.subscriptions.create({ customer: ids['customer'], items: [{ price: gold.id }] });
  ids['over'] = (await stripe.subscriptions.cancel(over.id)).id;
  const draft = await stripe.invoices.create({ customer: ids['customer'] });
  await stripe.invoiceItems.create({ customer: ids['customer'], invoice: draft.id, amount: 500, currency: 'usd' });
  ids['unpaid'] = (await stripe.invoices.pay(draft.id, { paid_out_of_band: true })).id;
});
afterAll(async () => {
  await account.close();
  account.recorder.assertClean();
});

test.each([
  ['schedules without anything', 'POST', 'subscription_schedules', '', 'customer'],
  [
    'a schedule of a one-time price',
    'POST',
    'subscription_schedules',
    'customer=$customer&phases[0][items][0][price]=$once',
    'phases[0][items][0][price]',
  ],
  [
    'a schedule of nothing',
    'POST',
    'subscription_schedules',
    'customer=$customer&phases[0][items][0][quantity]=2',
    'phases[0][items][0][price]',
  ],
  ['a schedule around what is over', 'POST', 'subscription_schedules', 'from_subscription=$over', undefined],
  [
    'a preview of an item without an amount',
    'GET',
    'invoices/upcoming',
    'subscription=$sub&invoice_items[0][description]=x',
    'amount',
  ],
  [
    'a preview with a tax rate that is none',
    'GET',
    'invoices/upcoming',
    'subscription=$sub&subscription_default_tax_rates[0]=x',
    'subscription_default_tax_rates[0]',
  ],
  ['an extra item without a price', 'POST', 'subscriptions/$sub', 'add_invoice_items[0][quantity]=1', 'add_invoice_items[0][price]'],
  [
    'shipping without an amount',
    'POST',
    'invoices',
    'customer=$customer&shipping_cost[shipping_rate_data][display_name]=Post',
    'shipping_cost[shipping_rate_data][fixed_amount]',
  ],
  ['a shipping rate without an amount', 'POST', 'shipping_rates', 'display_name=Post', 'fixed_amount'],
  ['a plan without a product', 'POST', 'plans', 'currency=usd&interval=month&amount=1', 'product'],
  [
    'an option of a currency that is none',
    'POST',
    'promotion_codes/$promo',
    'restrictions[currency_options][eur]=',
    'restrictions[currency_options][eur]',
  ],
  ['a quote of nothing', 'POST', 'quotes', 'customer=$customer&line_items[0][quantity]=1', 'line_items[0][price]'],
  [
    'a refund of what no charge paid',
    'POST',
    'credit_notes',
    'invoice=$unpaid&amount=1&refund_amount=1',
    'refund_amount',
  ],
])('%s: %s %s %s', async (_what, method, path, form, param) => {
  const filled = (text: string) => text.replace(/\$(\w+)/g, (_all, name: string) => ids[name]);
  const query = method === 'GET' ? `?${filled(form)}` : '';
  const line = `${method} /v1/${filled(path)}${query}`;
  const fields = method === 'POST' ? filled(form) : undefined;
  const response = await account.sandbox.call<{ error?: { param?: string } }>(line, fields);
  const { error } = response.body;
  expect({ status: response.status, param: error?.param }).toEqual({ status: 400, param });
});

test('a deleted plan stays what its subscriptions bill', async () => {
  const { stripe } = account;
  const customer = await customerWith(account);
  const plan = await stripe.plans.create({ currency: 'usd', interval: 'month', amount: 700, product: ids['product'] });
  const { id } = await stripe.subscriptions.create({ customer: customer.id, items: [{ plan: plan.id }] });
  await stripe.plans.del(plan.id);
  await expect(stripe.prices.retrieve(plan.id)).rejects.toMatchObject({ statusCode: 404 });
  expect((await stripe.prices.list({ limit: 100 })).data.map((price) => price.id)).not.toContain(plan.id);
  await account.advance('32d');
  const { data } = await stripe.invoices.list({ subscription: id });
  expect(data.map(({ total, status }) => [total, status])).toEqual([
    [700, 'paid'],
    [700, 'paid'],
  ]);
});
