import type Stripe from 'stripe';
import { at, customerWith, type TestAccount, openTestAccount, priceOf } from '../test-account.js';

const T0 = '2025-01-01T00:00:00Z';
let account: TestAccount;
/** Ids by the names that the tables give them. */
const names = new Map<string, string>();

const name = <T extends { readonly id: string }>(as: string, object: T): T => {
  names.set(object.id, as);
  return object;
};
const named = (found: readonly { readonly id: string }[]) => found.map(({ id }) => names.get(id) ?? id);

/** Two of each, a day apart; `second` is the newer one. */
beforeAll(async () => {
  account = await openTestAccount(T0);
  const { stripe } = account;
  const [jenny] = [
    name('first', await customerWith(account, 'pm_card_visa', { name: 'Jenny Rosen', metadata: { k: 'one' } })),
  ];
  const gold = await priceOf(account, 1000, 'month', 'Gold', { lookup_key: 'gold', metadata: { k: 'one' } });
  name('first', gold);
  name(
    'first',
    await stripe.products.update(gold.product as string, { url: 'https://example.com/gold', metadata: { k: 'one' } }),
  );
  const sub = name(
    'first',
    await stripe.subscriptions.create({ customer: jenny.id, items: [{ price: gold.id }], metadata: { k: 'one' } }),
  );
  const invoice = name('first', await stripe.invoices.update(sub.latest_invoice as string, { metadata: { k: 'one' } }));
  name('first', await stripe.charges.update(invoice.charge as string, { metadata: { k: 'one' } }));
  name('first', await stripe.paymentIntents.update(invoice.payment_intent as string, { metadata: { k: 'one' } }));
  await account.advance('1d');
  const omar = name(
    'second',
    await customerWith(account, 'pm_card_mastercard', {
      name: 'Omar',
      email: 'omar@example.org',
      phone: '+15555550100',
    }),
  );
  const silver = await stripe.products.create({ name: 'Silver', description: 'A cheaper plan', shippable: true });
  name('second', await stripe.products.update(silver.id, { active: false }));
  const euro = await stripe.prices.create({ product: silver.id, currency: 'eur', unit_amount: 900 });
  name('second', await stripe.prices.update(euro.id, { active: false }));
  const draft = await stripe.invoices.create({ customer: omar.id, currency: 'eur' });
  const item = await stripe.invoiceItems.create({
    customer: omar.id,
    invoice: draft.id,
    amount: 4500,
    currency: 'eur',
  });
  // An amount is a price of its own: no list shows it, a search finds it.
  names.set(item.price?.id ?? '', 'amount');
  names.set(String(item.price?.product), 'amount');
  name('second', await stripe.invoices.finalizeInvoice(draft.id));
  const paid = await stripe.invoices.pay(draft.id);
  name('second', await stripe.charges.retrieve(paid.charge as string));
  name('second', await stripe.paymentIntents.retrieve(paid.payment_intent as string));
  const other = await priceOf(account, 5, 'month', 'Other', { currency: 'eur' });
  const over = await stripe.subscriptions.create({
    customer: omar.id,
    items: [{ price: other.id }],
    trial_period_days: 9,
  });
  name('second', await stripe.subscriptions.cancel(over.id));
  names.set(over.latest_invoice as string, 'trial');
  names.set(other.id, 'other');
  names.set(other.product as string, 'other');
});
afterAll(async () => {
  await account.close();
  account.recorder.assertClean();
});

const DAY1 = at('2025-01-01T12:00:00Z');

type Searched = 'charges' | 'customers' | 'invoices' | 'paymentIntents' | 'prices' | 'products' | 'subscriptions';

/** Every field that the vendor lets search (reference, section 6), with the operators that fit it. */
const QUERIES: readonly (readonly [Searched, string, readonly string[]])[] = [
  ['customers', `created<${DAY1}`, ['first']],
  ['customers', 'email:"OMAR@example.org"', ['second']],
  ['customers', 'email~"example"', ['second', 'first']],
  ['customers', 'metadata["k"]:"one"', ['first']],
  ['customers', 'name~"rosen"', ['first']],
  ['customers', '-name~"rosen"', ['second']],
  ['customers', 'phone:"+15555550100"', ['second']],
  ['charges', 'amount>1000', ['second']],
  ['charges', 'amount>=1000 AND amount<=1000', ['first']],
  ['charges', `created>${DAY1}`, ['second']],
  ['charges', 'currency:"eur"', ['second']],
  ['charges', 'customer:"$first"', ['first']],
  ['charges', 'disputed:"true"', []],
  ['charges', 'metadata["k"]:"one"', ['first']],
  ['charges', 'payment_method_details.card.brand:"mastercard"', ['second']],
  ['charges', 'payment_method_details.card.last4:"4242"', ['first']],
  ['charges', 'payment_method_details.card.exp_year>2000', ['second', 'first']],
  ['charges', 'refunded:"false"', ['second', 'first']],
  ['charges', 'status:"succeeded"', ['second', 'first']],
  ['paymentIntents', 'amount:4500', ['second']],
  ['paymentIntents', `created<${DAY1}`, ['first']],
  ['paymentIntents', 'currency:"usd"', ['first']],
  ['paymentIntents', 'customer:"$second"', ['second']],
  ['paymentIntents', 'metadata["k"]:"one"', ['first']],
  ['paymentIntents', 'status:"succeeded" OR status:"canceled"', ['second', 'first']],
  ['invoices', `created>${DAY1} AND total>0`, ['second']],
  ['invoices', 'currency:"usd"', ['first']],
  ['invoices', 'customer:"$first"', ['first']],
  ['invoices', 'last_finalization_error_code:null AND currency:"usd"', ['first']],
  ['invoices', '-last_finalization_error_type:null', []],
  ['invoices', 'metadata["k"]:"one"', ['first']],
  ['invoices', 'number~"-0001"', ['second', 'first']],
  ['invoices', 'receipt_number:null AND currency:"usd"', ['first']],
  ['invoices', '-subscription:null AND total>500', ['first']],
  ['invoices', 'total<1', ['trial']],
  ['subscriptions', `created<${DAY1}`, ['first']],
  ['subscriptions', 'metadata["k"]:"one"', ['first']],
  ['subscriptions', '-metadata["k"]:null', ['first']],
  ['subscriptions', 'status:"active"', ['first']],
  ['subscriptions', 'status:"canceled"', ['second']],
  ['subscriptions', `canceled_at>${DAY1}`, ['second']],
  ['prices', 'active:"true" AND currency:"usd"', ['first']],
  ['prices', 'active:"false"', ['amount', 'second']],
  ['prices', 'currency:"eur" AND -type:"recurring"', ['amount', 'second']],
  ['prices', 'lookup_key:"gold"', ['first']],
  ['prices', 'metadata["k"]:"one"', ['first']],
  ['prices', 'product:"$gold"', ['first']],
  ['prices', 'type:"one_time"', ['amount', 'second']],
  ['products', 'active:"false"', ['amount', 'second']],
  ['products', `created<${DAY1}`, ['first']],
  ['products', 'description~"cheaper"', ['second']],
  ['products', 'metadata["k"]:"one"', ['first']],
  ['products', 'name:"gold"', ['first']],
  ['products', 'shippable:"true"', ['second']],
  ['products', 'url~"example.com"', ['first']],
];

test.each(QUERIES)('%s: %s', async (resource, query, found) => {
  const customers = await account.stripe.customers.list();
  const [gold] = (await account.stripe.prices.list({ lookup_keys: ['gold'] })).data;
  const ids = { first: customers.data[1].id, second: customers.data[0].id, gold: String(gold.product) };
  const filled = query.replace(/\$(\w+)/, (_all, key: keyof typeof ids) => ids[key]);
  const answer = await account.stripe[resource].search({ query: filled });
  expect(answer).toMatchObject({ object: 'search_result', has_more: false, next_page: null });
  expect(named(answer.data as readonly { readonly id: string }[])).toEqual(found);
});

const REFUSED: readonly (readonly [Searched, string])[] = [
  ['customers', 'balance>0'],
  ['customers', 'created:"x" AND name:"a" OR name:"b"'],
  ['charges', 'description:"x"'],
  ['invoices', 'amount_due>1'],
  ['subscriptions', 'items:"x"'],
  ['prices', 'unit_amount>5'],
  ['prices', 'currency~"us"x'],
  ['products', 'name~"ab"'],
  ['products', 'images:null'],
  ['paymentIntents', 'amount~"100"'],
];

test.each(REFUSED)('%s: %s is refused', async (resource, query) => {
  await expect(account.stripe[resource].search({ query })).rejects.toMatchObject({ statusCode: 400, param: 'query' });
});

/** Lists of billing that are filtered by when things were made. */
const LISTS = {
  charges: (params: Stripe.ChargeListParams) => account.stripe.charges.list(params),
  customers: (params: Stripe.CustomerListParams) => account.stripe.customers.list(params),
  invoices: (params: Stripe.InvoiceListParams) => account.stripe.invoices.list(params),
  payment_intents: (params: Stripe.PaymentIntentListParams) => account.stripe.paymentIntents.list(params),
  prices: (params: Stripe.PriceListParams) => account.stripe.prices.list(params),
  products: (params: Stripe.ProductListParams) => account.stripe.products.list(params),
  subscriptions: (params: Stripe.SubscriptionListParams) =>
    account.stripe.subscriptions.list({ status: 'all', ...params }),
};

describe.each(Object.entries(LISTS))('%s', (_name, list) => {
  const ids = async (params: { created?: Stripe.RangeQueryParam | number; ending_before?: string; limit?: number }) =>
    (await list(params)).data.map(({ id }) => id);

  test('filters by created', async () => {
    const made = await ids({});
    const [early, late] = [at(T0), at('2025-01-02T00:00:00Z')];
    const old = await ids({ created: early });
    expect(old.map((id) => names.get(id))).toEqual(['first']);
    expect(await ids({ created: { lt: late } })).toEqual(old);
    expect(await ids({ created: { lte: early } })).toEqual(old);
    expect(await ids({ created: { lt: early } })).toEqual([]);
    expect(await ids({ created: { gte: early } })).toEqual(made);
    expect(await ids({ created: { gt: late } })).toEqual([]);
    expect(await ids({ created: { gt: early, lte: late } })).toEqual(made.slice(0, -1));
  });

  test('pages backwards', async () => {
    const made = await ids({});
    expect(made.length).toBeGreaterThan(1);
    expect(await ids({ ending_before: made.at(-1) })).toEqual(made.slice(0, -1));
    expect(await ids({ ending_before: made.at(-1), limit: 1 })).toEqual(made.slice(-2, -1));
    expect(await ids({ ending_before: made[0] })).toEqual([]);
    await expect(list({ ending_before: 'x', limit: 1 })).rejects.toMatchObject({ param: 'ending_before' });
  });
});
