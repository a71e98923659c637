import type Stripe from 'stripe';
import { refused, servePayments, T0 } from '../served-payments.js';

const payments = servePayments();

it('gives the defaults of a new customer', async () => {
  const customer = await payments.stripe.customers.create({ email: 'jenny@example.com', name: 'Jenny Rosen' });
  expect(customer).toMatchObject({
    object: 'customer',
    address: null,
    balance: 0,
    created: T0,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: 'jenny@example.com',
    invoice_prefix: expect.stringMatching(/^[0-9A-Z]{8}$/) as unknown,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: 'Jenny Rosen',
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  });
});

const changes: [string, Stripe.CustomerCreateParams, Stripe.CustomerUpdateParams, Record<string, unknown>][] = [
  ['sets a value', {}, { name: 'Jenny' }, { name: 'Jenny' }],
  ['replaces a value', { name: 'Jenny' }, { name: 'Rosen' }, { name: 'Rosen' }],
  ['an empty text unsets', { name: 'Jenny' }, { name: '' }, { name: null }],
  [
    'merges metadata',
    { metadata: { a: '1', b: '2' } },
    { metadata: { b: '3', c: '4' } },
    { metadata: { a: '1', b: '3', c: '4' } },
  ],
  ['an empty value removes a key', { metadata: { a: '1', b: '2' } }, { metadata: { a: '' } }, { metadata: { b: '2' } }],
  ['empty metadata removes all', { metadata: { a: '1' } }, { metadata: '' }, { metadata: {} }],
  ['numbers become text', {}, { metadata: { count: 7 } }, { metadata: { count: '7' } }],
  [
    'addresses are complete',
    {},
    { address: { city: 'Paris', country: 'FR' } },
    { address: { city: 'Paris', country: 'FR', line1: null, line2: null, postal_code: null, state: null } },
  ],
  [
    'shipping',
    {},
    { shipping: { name: 'J', address: { city: 'Rome' } } },
    { shipping: expect.objectContaining({ name: 'J' }) as unknown },
  ],
  ['lists of text', {}, { preferred_locales: ['fr', 'en'] }, { preferred_locales: ['fr', 'en'] }],
  ['unicode', {}, { name: 'Zoë 漢字 🐢' }, { name: 'Zoë 漢字 🐢' }],
  ['a negative balance', {}, { balance: -500 }, { balance: -500 }],
];

it.each(changes)('update: %s', async (_name, before, update, after) => {
  const { id } = await payments.stripe.customers.create(before);
  const updated = await payments.stripe.customers.update(id, update);
  for (const key of Object.keys(after))
    expect({ [key]: updated[key as keyof Stripe.Customer] }).toEqual({ [key]: after[key] });
  expect(await payments.stripe.customers.retrieve(id)).toEqual(updated);
});

it('an event tells what an update changed, and nothing else', async () => {
  const { id } = await payments.stripe.customers.create({ name: 'Jenny', metadata: { a: '1' } });
  const [event, ...more] = await payments.eventsOf(() =>
    payments.stripe.customers.update(id, { email: 'j@example.com', metadata: { b: '2' } }),
  );
  expect(more).toEqual([]);
  expect(event.type).toBe('customer.updated');
  expect(event.data.previous_attributes).toEqual({ email: null, metadata: { b: null } });
  expect(event.data.object).toMatchObject({ id, email: 'j@example.com', metadata: { a: '1', b: '2' } });
});

it('an update that changes nothing is no event', async () => {
  const { id } = await payments.stripe.customers.create({ name: 'Jenny' });
  expect(await payments.typesOf(() => payments.stripe.customers.update(id, { name: 'Jenny' }))).toEqual([]);
});

it('a deleted customer leaves a tombstone of three fields', async () => {
  const { id } = await payments.stripe.customers.create();
  const tombstone = { id, object: 'customer', deleted: true };
  expect(JSON.parse((await payments.call(`DELETE /v1/customers/${id}`)).text)).toEqual(tombstone);
  const again = await payments.get(`/v1/customers/${id}`);
  expect([again.status, again.body]).toEqual([200, tombstone]);
  expect((await payments.stripe.customers.list()).data).toEqual([]);
  expect(await refused(payments.stripe.customers.update(id, { name: 'x' }))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    param: 'id',
  });
  const charge = payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd', customer: id });
  expect(await refused(charge)).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'customer' });
});

describe('listing', () => {
  it('filters by email, exactly', async () => {
    await payments.stripe.customers.create({ email: 'a@example.com' });
    const { id } = await payments.stripe.customers.create({ email: 'b@example.com' });
    await payments.stripe.customers.create({ email: 'B@example.com' });
    const { data } = await payments.stripe.customers.list({ email: 'b@example.com' });
    expect(data.map((each) => each.id)).toEqual([id]);
  });

  it('filters by time', async () => {
    const made: number[] = [];
    for (let i = 0; i < 4; i++) {
      made.push((await payments.stripe.customers.create()).created);
      await payments.control.advance('1h');
    }
    expect(made).toEqual([0, 1, 2, 3].map((hour) => T0 + hour * 3600));
    const when: [Stripe.RangeQueryParam | number, number[]][] = [
      [{ gte: made[1] }, [made[3], made[2], made[1]]],
      [{ gt: made[1] }, [made[3], made[2]]],
      [{ lt: made[1] }, [made[0]]],
      [{ lte: made[1] }, [made[1], made[0]]],
      [{ gt: made[0], lt: made[3] }, [made[2], made[1]]],
      [made[2], [made[2]]],
    ];
    for (const [created, found] of when) {
      const { data } = await payments.stripe.customers.list({ created });
      expect(data.map((each) => each.created)).toEqual(found);
    }
  });

  it('hides customers of a test clock unless the clock is asked for', async () => {
    const plain = await payments.stripe.customers.create();
    const clock = await payments.stripe.testHelpers.testClocks.create({ frozen_time: T0 });
    const hidden = await payments.stripe.customers.create({ test_clock: clock.id });
    expect(hidden.test_clock).toBe(clock.id);
    expect((await payments.stripe.customers.list()).data.map(({ id }) => id)).toEqual([plain.id]);
    const { data } = await payments.stripe.customers.list({ test_clock: clock.id });
    expect(data.map(({ id }) => id)).toEqual([hidden.id]);
  });
});

it('a method given at creation is attached and can be the default', async () => {
  const method = await payments.stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
  const customer = await payments.stripe.customers.create({
    payment_method: method.id,
    invoice_settings: { default_payment_method: method.id },
  });
  expect(customer.invoice_settings.default_payment_method).toBe(method.id);
  expect((await payments.stripe.paymentMethods.retrieve(method.id)).customer).toBe(customer.id);
});

const bad: [string, Stripe.CustomerCreateParams, Record<string, unknown>][] = [
  ['an email without @', { email: 'nonsense' }, { code: 'email_invalid', param: 'email' }],
  [
    'an unknown enum',
    { tax_exempt: 'maybe' as 'none' },
    { param: 'tax_exempt', message: expect.stringContaining('must be one of none, reverse, or exempt') as unknown },
  ],
  [
    'an unknown parameter',
    { nickname: 'J' } as Stripe.CustomerCreateParams,
    { code: 'parameter_unknown', param: 'nickname' },
  ],
  [
    'an unknown nested parameter',
    { address: { planet: 'Mars' } as Stripe.AddressParam },
    { code: 'parameter_unknown', param: 'address[planet]' },
  ],
  [
    'a default that is not attached',
    { invoice_settings: { default_payment_method: 'pm_1AAAAALkdIwHu7ix00000000' } },
    { code: 'resource_missing' },
  ],
];

it.each(bad)('%s is refused', async (_name, params, error) => {
  expect(await refused(payments.stripe.customers.create(params))).toMatchObject({ statusCode: 400, ...error });
  expect((await payments.stripe.customers.list()).data).toEqual([]);
});
