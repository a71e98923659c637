import type Stripe from 'stripe';
import { expanded, idOf, refused, servePayments } from '../served-payments.js';

const payments = servePayments();

async function paid(): Promise<{ customer: string; intent: string; charge: string }> {
  const customer = await payments.stripe.customers.create({ email: 'jenny@example.com' });
  const intent = await payments.stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    customer: customer.id,
    confirm: true,
    payment_method: 'pm_card_visa',
  });
  return { customer: customer.id, intent: intent.id, charge: idOf(intent.latest_charge) };
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((place, key) => Reflect.get(Object(place), key) as unknown, value);
}

describe('expanding', () => {
  const paths: [string, string][] = [
    ['customer', 'customer'],
    ['latest_charge', 'charge'],
    ['payment_method', 'payment_method'],
    ['latest_charge.balance_transaction', 'balance_transaction'],
    ['latest_charge.payment_intent.customer', 'customer'],
    ['latest_charge.payment_intent.latest_charge.balance_transaction', 'balance_transaction'],
  ];

  it.each(paths)('%s', async (path, object) => {
    const { intent } = await paid();
    const found = await payments.stripe.paymentIntents.retrieve(intent, { expand: [path] });
    expect(at(found, path)).toMatchObject({ object });
  });

  it('several paths at once, in a list', async () => {
    const { customer, charge } = await paid();
    const { data } = await payments.stripe.paymentIntents.list({
      expand: ['data.customer', 'data.latest_charge.balance_transaction'],
    });
    expect(expanded(data[0].customer)).toMatchObject({ id: customer, email: 'jenny@example.com' });
    expect(at(data[0], 'latest_charge.balance_transaction.source')).toBe(charge);
  });

  it('what is null stays null', async () => {
    const { id } = await payments.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      expand: ['customer', 'latest_charge'],
    });
    const intent = await payments.stripe.paymentIntents.retrieve(id, { expand: ['customer.default_source'] });
    expect([intent.customer, intent.latest_charge]).toEqual([null, null]);
  });

  it('a deleted object is its tombstone', async () => {
    const { customer, intent } = await paid();
    await payments.stripe.customers.del(customer);
    const found = await payments.stripe.paymentIntents.retrieve(intent, { expand: ['customer'] });
    expect(found.customer).toEqual({ id: customer, object: 'customer', deleted: true });
  });

  it('some fields are only there when they are asked for', async () => {
    const { charge } = await paid();
    await payments.stripe.refunds.create({ charge, amount: 100 });
    expect(await payments.stripe.charges.retrieve(charge)).not.toHaveProperty('refunds');
    const { refunds } = await payments.stripe.charges.retrieve(charge, { expand: ['refunds'] });
    expect(refunds).toMatchObject({
      object: 'list',
      has_more: false,
      url: `/v1/charges/${charge}/refunds`,
      data: [{ amount: 100 }],
    });
  });

  it('on a call that changes something', async () => {
    const { intent } = await paid();
    const refund = await payments.stripe.refunds.create({
      payment_intent: intent,
      expand: ['charge', 'payment_intent'],
    });
    expect(expanded(refund.charge).refunded).toBe(true);
    expect(expanded(refund.payment_intent).id).toBe(intent);
  });

  it('events never carry expanded objects', async () => {
    await payments.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
      expand: ['latest_charge', 'payment_method'],
    });
    const objects = (await payments.events()).map(({ data }) => data.object) as unknown as Record<string, unknown>[];
    expect(objects.map((object) => typeof (object['latest_charge'] ?? ''))).not.toContain('object');
  });

  const wrong: [string, string, string][] = [
    ['an unknown path', 'nonsense', 'This property cannot be expanded (nonsense).'],
    ['a plain value', 'amount', 'This property cannot be expanded (amount).'],
    ['an unknown path below', 'latest_charge.nonsense', 'This property cannot be expanded'],
    [
      'five levels',
      'latest_charge.payment_intent.latest_charge.payment_intent.customer',
      'You cannot expand more than 4 levels of a property.',
    ],
  ];

  it.each(wrong)('%s is refused', async (_name, path, message) => {
    const { intent } = await paid();
    const error = await refused(payments.stripe.paymentIntents.retrieve(intent, { expand: [path] }));
    expect(error).toMatchObject({
      statusCode: 400,
      type: 'StripeInvalidRequestError',
      message: expect.stringContaining(message) as unknown,
    });
  });

  it('a creation whose expansion is refused creates nothing', async () => {
    const before = payments.commits;
    const error = await refused(payments.stripe.customers.create({ expand: ['nonsense'] }));
    expect(error.statusCode).toBe(400);
    expect(payments.commits).toBe(before);
  });
});

describe('listing', () => {
  const COUNT = 23;
  let ids: string[]; // newest first

  beforeEach(async () => {
    ids = [];
    for (let i = 0; i < COUNT; i++) ids.unshift((await payments.stripe.customers.create()).id);
  });

  async function page(query: string): Promise<{ found: string[]; more: unknown }> {
    const { status, body } = await payments.get(`/v1/customers${query}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'list', url: '/v1/customers' });
    return { found: (body['data'] as { id: string }[]).map(({ id }) => id), more: body['has_more'] };
  }

  const pages: [string, () => string, number, number][] = [
    ['ten by default', () => '', 0, 10],
    ['as many as asked for', () => '?limit=5', 0, 5],
    ['at most 100', () => '?limit=1000', 0, COUNT],
    ['at least one', () => '?limit=0', 0, 1],
    ['at least one, of a negative number', () => '?limit=-7', 0, 1],
    ['after an object', () => `?limit=3&starting_after=${ids[4]}`, 5, 8],
    ['after the last but one', () => `?starting_after=${ids[COUNT - 2]}`, COUNT - 1, COUNT],
    ['after the last', () => `?starting_after=${ids[COUNT - 1]}`, COUNT, COUNT],
    ['before an object', () => `?limit=3&ending_before=${ids[9]}`, 6, 9],
    ['before the second', () => `?ending_before=${ids[1]}`, 0, 1],
  ];

  it.each(pages)('%s', async (_name, query, from, to) => {
    const { found, more } = await page(query());
    expect(found).toEqual(ids.slice(from, to));
    expect(more).toBe(query().includes('ending_before') ? from > 0 : to < COUNT);
  });

  it('the client walks through all pages', async () => {
    const found: string[] = [];
    for await (const { id } of payments.stripe.customers.list({ limit: 4 })) found.push(id);
    expect(found).toEqual(ids);
  });

  it('the client walks backwards', async () => {
    const found: string[] = [];
    for await (const { id } of payments.stripe.customers.list({ limit: 4, ending_before: ids[COUNT - 1] }))
      found.push(id);
    expect(found).toEqual(ids.slice(0, COUNT - 1).reverse());
  });

  it('an object deleted under the cursor does not break the next page', async () => {
    await payments.stripe.customers.del(ids[4]);
    expect((await page(`?limit=3&starting_after=${ids[4]}`)).found).toEqual(ids.slice(5, 8));
  });

  const wrong: [string, Stripe.CustomerListParams, Record<string, unknown>][] = [
    [
      'an unknown cursor',
      { starting_after: 'cus_00000000000000' },
      { code: 'resource_missing', param: 'starting_after' },
    ],
    [
      'a cursor of another type',
      { ending_before: 'pi_3AAAAALkdIwHu7ix00000000' },
      { code: 'resource_missing', param: 'ending_before' },
    ],
    [
      'a limit that is no number',
      { limit: 'many' as unknown as number },
      { code: 'parameter_invalid_integer', param: 'limit' },
    ],
    [
      'an unknown filter',
      { colour: 'red' } as Stripe.CustomerListParams,
      { code: 'parameter_unknown', param: 'colour' },
    ],
  ];

  it.each(wrong)('%s is refused', async (_name, params, error) => {
    expect(await refused(payments.stripe.customers.list(params))).toMatchObject({ statusCode: 400, ...error });
  });

  it('a filter with a test value finds nothing and leaves nothing behind', async () => {
    const before = payments.commits;
    const { body } = await payments.get('/v1/setup_intents?payment_method=pm_card_visa');
    expect(body['data']).toEqual([]);
    expect(payments.commits).toBe(before);
  });

  it('both cursors at once are refused', async () => {
    const error = await refused(payments.stripe.customers.list({ starting_after: ids[3], ending_before: ids[9] }));
    expect(error.statusCode).toBe(400);
  });
});
