import { refused } from '../served-payments.js';
import { priceOf, useTestAccount } from '../test-account.js';
import { press, readPage } from '../../../support/page-forms.js';

const T0 = '2025-01-01T00:00:00Z';

const account = useTestAccount(T0);

test('create, change, list, line items', async () => {
  const price = await priceOf(account, 1000);
  await account.news();
  const link = await account.stripe.paymentLinks.create({
    line_items: [{ price: price.id, quantity: 2 }],
    metadata: { a: 'b' },
    subscription_data: { trial_period_days: 3 },
  });
  expect(await account.news()).toEqual(['payment_link.created']);
  expect(link).toMatchObject({
    active: true,
    after_completion: { type: 'hosted_confirmation', hosted_confirmation: { custom_message: null } },
    currency: 'usd',
    customer_creation: 'always',
    payment_method_collection: 'always',
    subscription_data: { trial_period_days: 3, invoice_settings: { issuer: { type: 'self' } } },
    url: `${account.sandbox.url}/buy/${link.id}`,
  });
  const [item] = (await account.stripe.paymentLinks.listLineItems(link.id)).data;
  expect(item).toMatchObject({ amount_total: 2000, description: 'Gold', quantity: 2, price: { id: price.id } });
  const changed = await account.stripe.paymentLinks.update(link.id, {
    active: false,
    after_completion: { type: 'redirect', redirect: { url: 'https://shop.example/thanks' } },
    inactive_message: 'Sold out',
    line_items: [{ id: item.id, quantity: 3 }],
    metadata: { c: 'd' },
    expand: ['line_items'],
  });
  expect(await account.news()).toEqual(['payment_link.updated']);
  expect(changed).toMatchObject({
    after_completion: { type: 'redirect', redirect: { url: 'https://shop.example/thanks' } },
    inactive_message: 'Sold out',
    metadata: { a: 'b', c: 'd' },
  });
  expect(changed.line_items?.data).toMatchObject([{ quantity: 3, amount_total: 3000 }]);
  expect((await account.stripe.paymentLinks.list({ active: true })).data).toEqual([]);
  expect((await account.stripe.paymentLinks.list({ active: false })).data.map(({ id }) => id)).toEqual([link.id]);
  expect(await readPage(link.url)).toContain('Sold out');
  await expect(account.fire('payment_link.opened', { payment_link_id: link.id })).rejects.toThrow('cannot happen now');
});

test('its page opens a session; after so many it is closed', async () => {
  const product = await account.stripe.products.create({ name: 'Mug' });
  const price = await account.stripe.prices.create({ product: product.id, currency: 'eur', unit_amount: 900 });
  const link = await account.stripe.paymentLinks.create({
    line_items: [{ price: price.id, quantity: 1 }],
    after_completion: { type: 'hosted_confirmation', hosted_confirmation: { custom_message: 'See you <soon>' } },
    restrictions: { completed_sessions: { limit: 1 } },
    metadata: { from: 'link' },
  });
  expect(await readPage(link.url)).toContain('Mug');
  const opened = await press(link.url, 'Continue');
  const [session] = (await account.stripe.checkout.sessions.list({ payment_link: link.id })).data;
  expect(opened.headers.get('location')).toBe(session.url);
  expect(session).toMatchObject({ amount_total: 900, currency: 'eur', metadata: { from: 'link' }, mode: 'payment' });
  await press(String(session.url), 'Pay', { email: 'a@b.example', name: 'Ann', card_number: '4242424242424242' });
  expect(await account.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
  });
  expect(await readPage(session.url)).toContain('See you &lt;soon&gt;');
  expect(await account.stripe.paymentLinks.retrieve(link.id)).toMatchObject({
    active: false,
    restrictions: { completed_sessions: { count: 1, limit: 1 } },
  });
});

test('what does not go with its prices is refused', async () => {
  const monthly = { price: (await priceOf(account, 1000)).id, quantity: 1 };
  const create = account.stripe.paymentLinks.create.bind(account.stripe.paymentLinks);
  expect((await refused(create({ line_items: [] }))).message).toContain('line_items');
  expect((await refused(create({ line_items: [monthly], invoice_creation: { enabled: true } }))).param).toBe(
    'invoice_creation',
  );
  expect((await refused(create({ line_items: [{ price: 'price_none', quantity: 1 }] }))).message).toContain(
    'No such price',
  );
});
