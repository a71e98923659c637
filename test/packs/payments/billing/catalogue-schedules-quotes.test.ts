import type Stripe from 'stripe';
import { at, customerWith, invoiceOf, priceOf, useTestAccount } from '../test-account.js';

describe('catalogue, clocks, schedules, quotes', () => {
  const account = useTestAccount('2025-01-01T00:00:00Z');

  test('products, prices and plans', async () => {
    const { stripe } = account;
    const product = await stripe.products.create({
      name: 'Gold',
      default_price_data: { currency: 'usd', unit_amount: 900, recurring: { interval: 'year' } },
      expand: ['default_price'],
    });
    expect(product.default_price).toMatchObject({ unit_amount: 900, recurring: { interval: 'year' } });
    expect(await account.news()).toEqual(['product.created', 'price.created', 'plan.created']);
    // Keys of the vendor's responses that the client's types do not have yet, in every version.
    expect(product).toMatchObject({ attributes: [], tax_details: null });
    const price = await stripe.prices.create({
      product: product.id,
      currency: 'USD',
      unit_amount_decimal: '12.5',
      lookup_key: 'k',
      recurring: { interval: 'month' },
      currency_options: { eur: { unit_amount: 11 } },
      expand: ['currency_options'],
    });
    expect(price).toMatchObject({
      unit_amount: null,
      unit_amount_decimal: '12.5',
      currency: 'usd',
      currency_options: { eur: { unit_amount: 11 } },
    });
    const plan = await stripe.plans.retrieve(price.id);
    expect(plan).toMatchObject({ amount: null, amount_decimal: '12.5', interval: 'month', product: product.id });
    await expect(
      stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 1, lookup_key: 'k' }),
    ).rejects.toThrow('already uses that lookup key');
    const taken = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 1,
      lookup_key: 'k',
      transfer_lookup_key: true,
    });
    expect((await stripe.prices.list({ lookup_keys: ['k'] })).data.map((each) => each.id)).toEqual([taken.id]);
    await account.news();
    await stripe.prices.update(price.id, { active: false, nickname: 'old' });
    expect(await account.news()).toEqual(['price.updated', 'plan.updated']);
    expect((await stripe.prices.list({ active: true, product: product.id })).data).toHaveLength(2);
    await expect(stripe.products.del(product.id)).rejects.toThrow('user-created prices');
    const made = await stripe.plans.create({
      currency: 'usd',
      interval: 'week',
      amount: 300,
      product: { name: 'Weekly' },
      id: 'weekly',
    });
    expect(made.id).toBe('weekly');
    expect((await stripe.prices.retrieve('weekly')).unit_amount).toBe(300);
    expect((await stripe.plans.del('weekly')).deleted).toBe(true);
    await expect(stripe.prices.create({ product: product.id, currency: 'usd' })).rejects.toThrow('unit_amount');
    await expect(stripe.prices.create({ product: product.id, currency: 'xxx', unit_amount: 1 })).rejects.toThrow(
      'Invalid currency',
    );
    const found = await stripe.products.search({ query: "name:'Gold'" });
    expect(found.data).toHaveLength(1);
  });

  test('coupons and promotion codes', async () => {
    const { stripe } = account;
    const coupon = await stripe.coupons.create({
      id: 'SPRING',
      percent_off: 20,
      duration: 'repeating',
      duration_in_months: 3,
      max_redemptions: 1,
    });
    const code = await stripe.promotionCodes.create({ coupon: coupon.id, code: 'SAVE20' });
    expect((await stripe.promotionCodes.list({ code: 'save20' })).data).toHaveLength(1);
    await expect(stripe.promotionCodes.create({ coupon: coupon.id, code: 'save20' })).rejects.toThrow('already exists');
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      discounts: [{ promotion_code: code.id }],
      expand: ['latest_invoice', 'discounts'],
    });
    expect(invoiceOf(subscription).total).toBe(800);
    expect(subscription.discounts[0]).toMatchObject({ promotion_code: code.id, end: at('2025-04-01T00:00:00Z') });
    const second = await customerWith(account);
    await expect(
      stripe.subscriptions.create({ customer: second.id, items: [{ price: price.id }], coupon: 'SPRING' }),
    ).rejects.toMatchObject({ code: 'coupon_expired' });
    await account.advance(at('2025-05-02T00:00:00Z'));
    const totals = (await stripe.invoices.list({ subscription: subscription.id })).data.map((invoice) => invoice.total);
    expect(totals).toEqual([1000, 1000, 800, 800, 800]);
    const discounted = await stripe.customers.update(second.id, {
      coupon: (await stripe.coupons.create({ amount_off: 100, currency: 'usd', duration: 'forever' })).id,
    });
    expect(discounted.discount?.coupon.amount_off).toBe(100);
    expect(await account.news()).toContain('customer.discount.created');
    expect(await stripe.customers.deleteDiscount(second.id)).toMatchObject({ object: 'discount', deleted: true });
  });

  test('tax ids and balance transactions', async () => {
    const { stripe } = account;
    const customer = await stripe.customers.create({ tax_id_data: [{ type: 'eu_vat', value: 'DE123456789' }] });
    const [id] = (await stripe.customers.listTaxIds(customer.id)).data;
    expect(id).toMatchObject({ country: 'DE', verification: { status: 'verified' } });
    expect(await stripe.customers.deleteTaxId(customer.id, id.id)).toMatchObject({ deleted: true });
    const transaction = await stripe.customers.createBalanceTransaction(customer.id, {
      amount: -250,
      currency: 'usd',
      description: 'gift',
    });
    expect(transaction).toMatchObject({ ending_balance: -250, type: 'adjustment' });
    await stripe.customers.update(customer.id, { balance: -100 });
    const all = await stripe.customers.listBalanceTransactions(customer.id);
    expect(all.data.map((each) => each.amount)).toEqual([150, -250]);
    expect((await stripe.customers.retrieveBalanceTransaction(customer.id, transaction.id)).id).toBe(transaction.id);
  });

  test('test clocks', async () => {
    const { stripe } = account;
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: at('2025-01-05T00:00:00Z'), name: 'c' });
    expect(clock).toMatchObject({
      status: 'ready',
      frozen_time: at('2025-01-05T00:00:00Z'),
      deletes_after: at('2025-02-04T00:00:00Z'),
    });
    const customer = await customerWith(account, 'pm_card_visa', { test_clock: clock.id });
    const price = await priceOf(account, 1000);
    const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] });
    expect(subscription).toMatchObject({ test_clock: clock.id, created: clock.frozen_time });
    expect((await stripe.customers.list()).data).toEqual([]);
    expect((await stripe.customers.list({ test_clock: clock.id })).data).toHaveLength(1);
    await account.news();
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: at('2025-02-06T00:00:00Z') });
    expect(await stripe.testHelpers.testClocks.retrieve(clock.id)).toMatchObject({
      status: 'ready',
      frozen_time: at('2025-02-06T00:00:00Z'),
    });
    const events = await account.news();
    expect(events[0]).toBe('test_helpers.test_clock.advancing');
    expect(events.at(-1)).toBe('test_helpers.test_clock.ready');
    expect(events).toContain('invoice.upcoming');
    expect(events).toContain('invoice.paid');
    await expect(
      stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: at('2025-01-01T00:00:00Z') }),
    ).rejects.toThrow('in the future');
    expect(await stripe.testHelpers.testClocks.del(clock.id)).toMatchObject({ deleted: true });
    await expect(stripe.subscriptions.retrieve(subscription.id)).resolves.toMatchObject({ status: 'canceled' });
  });

  test('invoice.upcoming has no id', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    await account.stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] });
    await account.news();
    await account.sandbox.control.advance('25d');
    const [event] = (await account.events()).filter((each) => each.type === 'invoice.upcoming');
    expect(event.created).toBe(at('2025-01-25T00:00:00Z'));
    expect(event.data.object).toMatchObject({ id: null, total: 1000, billing_reason: 'upcoming' });
  });

  test('a schedule that starts now for a customer without a payment method is taken', async () => {
    const { stripe } = account;
    const customer = await stripe.customers.create({ email: 'ann@example.com' });
    const price = await priceOf(account, 500, 'month', 'Bare');
    const schedule = await stripe.subscriptionSchedules.create({
      customer: customer.id,
      start_date: 'now',
      phases: [{ items: [{ price: price.id, quantity: 1 }], iterations: 1 }],
    });
    expect(schedule).toMatchObject({ status: 'active', current_phase: { start_date: account.now() } });
    const subscription = await stripe.subscriptions.retrieve(schedule.subscription as string);
    expect(subscription).toMatchObject({ customer: customer.id, default_payment_method: null });
  });

  test('a schedule with two phases', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    const intro = await priceOf(account, 500, 'month', 'Intro');
    const full = await priceOf(account, 1500, 'month', 'Full');
    const schedule = await stripe.subscriptionSchedules.create({
      customer: customer.id,
      start_date: 'now',
      end_behavior: 'cancel',
      phases: [
        { items: [{ price: intro.id, quantity: 1 }], iterations: 2 },
        { items: [{ price: full.id, quantity: 2 }], iterations: 1 },
      ],
    });
    expect(schedule).toMatchObject({
      status: 'active',
      current_phase: { start_date: at('2025-01-01T00:00:00Z'), end_date: at('2025-03-01T00:00:00Z') },
    });
    const id = schedule.subscription as string;
    await account.advance(at('2025-03-15T00:00:00Z'));
    const moved = await stripe.subscriptionSchedules.retrieve(schedule.id);
    expect(moved.current_phase).toEqual({
      start_date: at('2025-03-01T00:00:00Z'),
      end_date: at('2025-04-01T00:00:00Z'),
    });
    expect((await stripe.invoices.list({ subscription: id })).data.map((invoice) => invoice.total)).toEqual([
      3000, 500, 500,
    ]);
    const fired = await account.advance(at('2025-04-02T00:00:00Z'));
    expect(fired).toContain('subscription_schedule.expiring');
    expect(fired).toContain('subscription_schedule.completed');
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled');
    const later = await stripe.subscriptionSchedules.create({
      customer: customer.id,
      start_date: account.now() + 86400,
      phases: [{ items: [{ price: full.id }] }],
    });
    expect(later.status).toBe('not_started');
    await account.advance('1d');
    const started = await stripe.subscriptionSchedules.retrieve(later.id, { expand: ['subscription'] });
    expect(started).toMatchObject({ status: 'active', subscription: { status: 'active' } });
    expect(await stripe.subscriptionSchedules.release(later.id)).toMatchObject({
      status: 'released',
      subscription: null,
    });
    const running = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: intro.id }] });
    const around = await stripe.subscriptionSchedules.create({ from_subscription: running.id });
    expect(around).toMatchObject({ status: 'active', subscription: running.id });
    const phases = [
      {
        items: [{ price: intro.id, quantity: 1 }],
        start_date: around.phases[0].start_date,
        end_date: around.phases[0].end_date,
      },
      { items: [{ price: full.id, quantity: 1 }], iterations: 1 },
    ];
    const planned = await stripe.subscriptionSchedules.update(around.id, { phases });
    expect(planned.phases).toHaveLength(2);
    await account.advance('32d');
    expect((await stripe.subscriptions.retrieve(running.id)).items.data[0].price.id).toBe(full.id);
    expect(await stripe.subscriptionSchedules.cancel(around.id)).toMatchObject({ status: 'canceled' });
  });

  test('quotes become subscriptions and invoices', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const setup = await stripe.prices.create({ product: price.product as string, currency: 'usd', unit_amount: 5000 });
    const quote = await stripe.quotes.create({
      customer: customer.id,
      line_items: [{ price: price.id, quantity: 2 }, { price: setup.id }],
    });
    expect(quote).toMatchObject({
      status: 'draft',
      amount_total: 7000,
      computed: { recurring: { amount_total: 2000 } },
    });
    const open = await stripe.quotes.finalizeQuote(quote.id);
    expect(open).toMatchObject({ status: 'open' });
    expect((await stripe.quotes.listLineItems(quote.id)).data).toHaveLength(2);
    const accepted = await stripe.quotes.accept(quote.id);
    expect(accepted.status).toBe('accepted');
    expect(
      (await stripe.subscriptions.retrieve(accepted.subscription as string, { expand: ['latest_invoice'] }))
        .latest_invoice,
    ).toMatchObject({ total: 7000, status: 'paid' });
    const once = await stripe.quotes.create({ customer: customer.id, line_items: [{ price: setup.id }] });
    await stripe.quotes.finalizeQuote(once.id);
    const done = await stripe.quotes.accept(once.id, { expand: ['invoice'] });
    expect(done.invoice as Stripe.Invoice).toMatchObject({
      status: 'draft',
      total: 5000,
      billing_reason: 'quote_accept',
    });
    const other = await stripe.quotes.create({ customer: customer.id, line_items: [{ price: price.id }] });
    expect((await stripe.quotes.cancel(other.id)).status).toBe('canceled');
    await expect(stripe.quotes.accept(other.id)).rejects.toThrow('canceled');
  });
});
