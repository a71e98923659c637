import type Stripe from 'stripe';
import { customerWith, useTestAccount } from '../test-account.js';

const START = '2025-03-03T10:00:00Z';
const BACK = { return_url: 'https://example.com/back' };

describe('legacy sources', () => {
  const account = useTestAccount(START);

  test.each([
    ['alipay', 'redirect', 'pending', 'single_use'],
    ['bancontact', 'redirect', 'pending', 'single_use'],
    ['eps', 'redirect', 'pending', 'single_use'],
    ['giropay', 'redirect', 'pending', 'single_use'],
    ['ideal', 'redirect', 'pending', 'single_use'],
    ['klarna', 'redirect', 'pending', 'single_use'],
    ['p24', 'redirect', 'pending', 'single_use'],
    ['sofort', 'redirect', 'pending', 'single_use'],
    ['multibanco', 'receiver', 'pending', 'single_use'],
    ['ach_credit_transfer', 'receiver', 'pending', 'reusable'],
    ['sepa_credit_transfer', 'receiver', 'pending', 'reusable'],
    ['sepa_debit', 'none', 'chargeable', 'reusable'],
    ['ach_debit', 'none', 'chargeable', 'reusable'],
    ['acss_debit', 'none', 'chargeable', 'reusable'],
    ['au_becs_debit', 'none', 'chargeable', 'reusable'],
    ['wechat', 'none', 'chargeable', 'single_use'],
  ])('a source of type %s', async (type, flow, status, usage) => {
    const source = await account.stripe.sources.create({
      type,
      amount: 1000,
      currency: 'eur',
      owner: { email: 'jenny@example.com' },
      ...(flow === 'redirect' ? { redirect: BACK } : {}),
    });
    expect(source).toMatchObject({ type, flow, status, usage, currency: 'eur', owner: { email: 'jenny@example.com' } });
    expect(source).toHaveProperty(type);
    expect(await account.news()).toEqual(status === 'chargeable' ? ['source.chargeable'] : []);
    expect(await account.stripe.sources.retrieve(source.id)).toEqual(source);
  });

  test('a redirect source is authorised, charged once, consumed', async () => {
    const { stripe } = account;
    const params = { type: 'ideal', amount: 1000, currency: 'eur', redirect: BACK };
    const source = await stripe.sources.create(params);
    expect(source.redirect).toMatchObject({ status: 'pending', return_url: BACK.return_url, failure_reason: null });
    const pay = { amount: 1000, currency: 'eur', source: source.id };
    await expect(stripe.charges.create(pay)).rejects.toThrow('must be chargeable');
    expect(await account.fire('source.authorized', { source_id: source.id })).toEqual(['source.chargeable']);
    expect(await stripe.sources.retrieve(source.id)).toMatchObject({
      status: 'chargeable',
      redirect: { status: 'succeeded' },
    });
    const charge = await stripe.charges.create(pay);
    expect(charge).toMatchObject({ status: 'succeeded', payment_method_details: { type: 'ideal' } });
    expect(charge.source).toMatchObject({ id: source.id, object: 'source', status: 'chargeable' });
    expect((await stripe.sources.retrieve(source.id)).status).toBe('consumed');
    await expect(stripe.charges.create(pay)).rejects.toThrow('must be chargeable');
    const refusedByCustomer = await stripe.sources.create(params);
    expect(await account.fire('source.refused', { source_id: refusedByCustomer.id })).toEqual(['source.failed']);
    await expect(account.fire('source.authorized', { source_id: refusedByCustomer.id })).rejects.toMatchObject({
      status: 409,
    });
    const forgotten = await stripe.sources.create(params);
    expect(await account.advance('6h')).toEqual(['source.canceled']);
    expect((await stripe.sources.retrieve(forgotten.id)).status).toBe('canceled');
  });

  test('a card source is kept by a customer', async () => {
    const { stripe } = account;
    const source = await stripe.sources.create({ type: 'card', token: 'tok_visa', metadata: { a: 'b' } });
    expect(source).toMatchObject({ type: 'card', status: 'chargeable', card: { brand: 'Visa', last4: '4242' } });
    const customer = await stripe.customers.create();
    expect(await stripe.customers.createSource(customer.id, { source: source.id })).toMatchObject({
      id: source.id,
      customer: customer.id,
    });
    await expect(stripe.charges.create({ amount: 500, currency: 'usd', source: source.id })).rejects.toThrow(
      'No such source',
    );
    const charge = await stripe.charges.create({ amount: 500, currency: 'usd', customer: customer.id });
    expect(charge).toMatchObject({ status: 'succeeded', payment_method: source.id, source: { id: source.id } });
    const other = await customerWith(account);
    await expect(stripe.customers.createSource(other.id, { source: source.id })).rejects.toThrow('another customer');
    expect((await stripe.customers.listSources(customer.id)).data.map(({ id }) => id)).toEqual([source.id]);
    expect((await stripe.customers.listSources(customer.id, { object: 'card' })).data).toEqual([]);
    expect(await stripe.customers.retrieveSource(customer.id, source.id)).toMatchObject({ id: source.id });
    await stripe.customers.updateSource(customer.id, source.id, { metadata: { c: 'd' } });
    expect((await stripe.sources.retrieve(source.id)).metadata).toEqual({ a: 'b', c: 'd' });
    await account.news();
    const gone = (await stripe.customers.deleteSource(customer.id, source.id)) as Stripe.CustomerSource;
    expect(gone).toMatchObject({ object: 'source', status: 'consumed' });
    expect(await account.news()).toEqual(['customer.source.deleted']);
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ default_source: null });
    const declined = await stripe.sources.create({ token: 'tok_chargeDeclined' });
    await expect(stripe.charges.create({ amount: 500, currency: 'usd', source: declined.id })).rejects.toMatchObject({
      code: 'card_declined',
    });
  });

  test('a source of 3D Secure stands for a card', async () => {
    const { stripe } = account;
    const card = await stripe.sources.create({ token: 'tok_threeDSecure2Required' });
    const params: Record<string, unknown> = { three_d_secure: { card: card.id } };
    const source = await stripe.sources.create({
      type: 'three_d_secure',
      amount: 1000,
      currency: 'usd',
      redirect: BACK,
      ...params,
    });
    expect(source).toMatchObject({ status: 'pending', three_d_secure: { card: card.id, brand: 'visa' } });
    await account.fire('source.authorized', { source_id: source.id });
    const charge = await stripe.charges.create({ amount: 1000, currency: 'usd', source: source.id });
    expect(charge.status).toBe('succeeded');
  });

  test('money comes in for a receiver', async () => {
    const { stripe } = account;
    const source = await stripe.sources.create({ type: 'ach_credit_transfer', currency: 'usd' });
    expect(source.receiver).toMatchObject({ amount_received: 0, refund_attributes_status: 'missing' });
    expect(await account.fire('source.funded', { source_id: source.id, amount: 700 })).toEqual([
      'source.transaction.created',
      'source.chargeable',
    ]);
    await account.fire('source.funded', { source_id: source.id, amount: 300 });
    expect(await stripe.sources.retrieve(source.id)).toMatchObject({
      amount: 1000,
      status: 'chargeable',
      receiver: { amount_received: 1000 },
    });
    const { data } = await stripe.sources.listSourceTransactions(source.id);
    expect(data.map(({ amount, source: of }) => [amount, of])).toEqual([
      [300, source.id],
      [700, source.id],
    ]);
    await stripe.charges.create({ amount: 1000, currency: 'usd', source: source.id });
    expect((await stripe.sources.retrieve(source.id)).receiver?.amount_charged).toBe(1000);
  });

  test('a source that waits for a code', async () => {
    const { stripe } = account;
    const params = { type: 'sofort', amount: 1000, currency: 'eur', flow: 'code_verification' as const };
    const source = await stripe.sources.create(params);
    expect(source.code_verification).toEqual({ attempts_remaining: 5, status: 'pending' });
    await expect(stripe.sources.verify(source.id, { values: ['1'] })).rejects.toMatchObject({ param: 'values' });
    expect(await stripe.sources.verify(source.id, { values: ['32', '45'] })).toMatchObject({
      status: 'chargeable',
      code_verification: { attempts_remaining: 4, status: 'succeeded' },
    });
    await expect(stripe.sources.verify(source.id, { values: ['32', '45'] })).rejects.toThrow('does not wait');
    const other = await stripe.sources.create(params);
    for (let i = 0; i < 5; i++) {
      await expect(stripe.sources.verify(other.id, { values: ['1'] })).rejects.toMatchObject({ param: 'values' });
    }
    expect(await stripe.sources.retrieve(other.id)).toMatchObject({
      status: 'failed',
      code_verification: { attempts_remaining: 0, status: 'failed' },
    });
  });

  test('what it is for can be told and changed', async () => {
    const { stripe } = account;
    const source = await stripe.sources.create({
      type: 'klarna',
      amount: 1000,
      currency: 'eur',
      redirect: BACK,
      source_order: {
        items: [{ type: 'sku', amount: 1000, currency: 'eur', quantity: 2, description: 'Hat' }],
        shipping: { address: { line1: 'Main 1' }, name: 'Jenny' },
      },
    });
    expect(source.source_order).toMatchObject({
      amount: 1000,
      items: [{ type: 'sku', quantity: 2, parent: null }],
      shipping: { name: 'Jenny', address: { line1: 'Main 1', city: null } },
    });
    const changed = await stripe.sources.update(source.id, {
      amount: 1200,
      owner: { name: 'Jenny' },
      metadata: { order: '7' },
      source_order: { items: [{ type: 'tax', amount: 1200 }] },
    });
    expect(changed).toMatchObject({
      amount: 1200,
      owner: { name: 'Jenny', email: null },
      metadata: { order: '7' },
      source_order: { amount: 1200, items: [{ type: 'tax', amount: 1200, currency: null }] },
    });
  });

  test.each([
    ['no type', {}, 'type'],
    ['an unknown type', { type: 'gold' }, 'type'],
    ['a card without data', { type: 'card' }, 'token'],
    ['nowhere to come back to', { type: 'ideal', amount: 1, currency: 'eur' }, 'redirect[return_url]'],
    ['no currency', { type: 'sepa_debit' }, 'currency'],
    ['no amount', { type: 'ideal', currency: 'eur', redirect: BACK }, 'amount'],
  ])('a source is refused: %s', async (_, params, param) => {
    await expect(account.stripe.sources.create(params)).rejects.toMatchObject({ statusCode: 400, param });
  });
});
