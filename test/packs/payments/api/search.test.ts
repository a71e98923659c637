import type Stripe from 'stripe';
import { refused, servePayments, T0 } from '../served-payments.js';

const payments = servePayments();

describe('payment intents', () => {
  async function some(): Promise<Record<string, string>> {
    const { stripe } = payments;
    const customer = await stripe.customers.create();
    const make = async (params: Partial<Stripe.PaymentIntentCreateParams>) =>
      (await stripe.paymentIntents.create({ amount: 2000, currency: 'usd', ...params })).id;
    return {
      cheap: await make({ amount: 1000, metadata: { order: 'A-1', colour: 'red' } }),
      paid: await make({ confirm: true, payment_method: 'pm_card_visa', metadata: { order: 'A-2' } }),
      euro: await make({ currency: 'eur', customer: customer.id }),
      quoted: await make({ metadata: { note: 'say "hi" \\ bye' } }),
    };
  }

  const queries: [string, string[]][] = [
    ['status:"succeeded"', ['paid']],
    ["status:'succeeded'", ['paid']],
    ['amount<2000', ['cheap']],
    ['amount>=2000 AND currency:"usd"', ['quoted', 'paid']],
    ['currency:"EUR"', ['euro']],
    ['metadata["order"]:"A-1"', ['cheap']],
    ["metadata['order']:'A-1'", ['cheap']],
    ['-metadata["order"]:null', ['paid', 'cheap']],
    ['metadata["order"]:null AND currency:"usd"', ['quoted']],
    ['metadata["order"]:"A-1" OR metadata["order"]:"A-2"', ['paid', 'cheap']],
    ['-currency:"usd"', ['euro']],
    ['-customer:null', ['euro']],
    ['metadata["note"]:"say \\"hi\\" \\\\ bye"', ['quoted']],
    [`created>${T0 - 1}`, ['quoted', 'euro', 'paid', 'cheap']],
    [`created>${T0}`, []],
    ['metadata["order"]:"nothing"', []],
  ];

  it.each(queries)('%s', async (query, names) => {
    const made = await some();
    const found = await payments.stripe.paymentIntents.search({ query });
    expect(found).toMatchObject({
      object: 'search_result',
      url: '/v1/payment_intents/search',
      has_more: false,
      next_page: null,
    });
    expect(found.data.map(({ id }) => Object.keys(made).find((name) => made[name] === id))).toEqual(names);
  });
});

describe('customers', () => {
  const queries: [string, string[]][] = [
    ['email:"jenny@example.com"', ['Jenny']],
    ['email:"JENNY@example.com"', ['Jenny']],
    ['email~"example"', ['Omar', 'Jenny']],
    ['name:"Omar" OR email:"jenny@example.com"', ['Omar', 'Jenny']],
    ['phone:null', ['Jenny']],
    ['phone:"+15555550100"', ['Omar']],
  ];

  it.each(queries)('%s', async (query, names) => {
    await payments.stripe.customers.create({ name: 'Jenny', email: 'jenny@example.com' });
    await payments.stripe.customers.create({ name: 'Omar', email: 'omar@example.com', phone: '+15555550100' });
    const { data } = await payments.stripe.customers.search({ query });
    expect(data.map(({ name }) => name)).toEqual(names);
  });
});

it('charges are found by their card', async () => {
  const pay = (payment_method: string) =>
    payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd', confirm: true, payment_method });
  await pay('pm_card_visa');
  const amex = await pay('pm_card_amex');
  const { data } = await payments.stripe.charges.search({ query: 'payment_method_details.card.brand:"amex"' });
  expect(data.map(({ id }) => id)).toEqual([amex.latest_charge]);
});

it('pages follow next_page', async () => {
  for (let i = 0; i < 7; i++) await payments.stripe.customers.create({ name: 'Jenny', description: String(i) });
  const first = await payments.stripe.customers.search({ query: 'name:"Jenny"', limit: 3 });
  expect(first).toMatchObject({ has_more: true, next_page: expect.any(String) as unknown });
  const found: (string | null)[] = [];
  for await (const each of payments.stripe.customers.search({ query: 'name:"Jenny"', limit: 3 }))
    found.push(each.description);
  expect(found).toEqual(['6', '5', '4', '3', '2', '1', '0']);
});

const wrong: [string, string][] = [
  ['an unknown field', 'shoe_size:"44"'],
  ['a mixture', 'name:"a" AND name:"b" OR name:"c"'],
  ['no operator', 'name'],
  ['an open quote', 'name:"a'],
  ['an operator that does not fit', 'name>5'],
  ['nothing', ''],
];

it.each(wrong)('a query with %s is refused', async (_name, query) => {
  expect(await refused(payments.stripe.customers.search({ query }))).toMatchObject({
    statusCode: 400,
    type: 'StripeInvalidRequestError',
    param: 'query',
  });
});

it('a search without a query is refused', async () => {
  const answer = await payments.get('/v1/customers/search');
  expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'parameter_missing', param: 'query' } }]);
});
