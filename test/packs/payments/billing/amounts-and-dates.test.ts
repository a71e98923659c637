import type Stripe from 'stripe';
import { at, customerWith, invoiceOf, type TestAccount, openTestAccount, priceOf } from '../test-account.js';

describe('amounts and dates of billing', () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await openTestAccount('2024-01-31T10:00:00Z');
  });
  beforeEach(async () => {
    await account.reset('2024-05-01T00:00:00Z');
  });
  afterAll(async () => {
    await account.close();
    account.recorder.assertClean();
  });

  const subscribe = (
    customer: string,
    price: string,
    quantity = 1,
    more: Partial<Stripe.SubscriptionCreateParams> = {},
  ) =>
    account.stripe.subscriptions.create({
      customer,
      items: [{ price, quantity }],
      expand: ['latest_invoice'],
      ...more,
    });

  test('an upgrade in mid-month is a credit and a charge on the next invoice', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    const small = await priceOf(account, 10000);
    const big = await priceOf(account, 20000, 'month', 'Platinum');
    const subscription = await subscribe(customer.id, small.id);
    await account.advance(at('2024-05-15T00:00:00Z'));
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0].id, price: big.id }],
    });
    const items = await stripe.invoiceItems.list({ customer: customer.id, pending: true });
    expect(items.data.map((item) => item.amount).sort((a, b) => a - b)).toEqual([-5484, 10968]);
    const preview = await stripe.invoices.retrieveUpcoming({ subscription: subscription.id });
    expect(preview.total).toBe(25484);
    await account.advance(at('2024-06-01T01:00:00Z'));
    const [invoice] = (await stripe.invoices.list({ subscription: subscription.id })).data;
    expect(invoice.total).toBe(25484);
    expect(invoice.lines.data.map((line) => [line.amount, line.description])).toEqual([
      [-5484, 'Unused time on Gold after 15 May 2024'],
      [10968, 'Remaining time on Platinum after 15 May 2024'],
      [20000, '1 × Platinum (at $200.00 / month)'],
    ]);
    expect(invoice.status).toBe('paid');
  });

  test('a quantity change prorates the full old and the full new quantity', async () => {
    const { stripe } = account;
    await account.advance(at('2024-06-01T00:00:00Z'));
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await subscribe(customer.id, price.id);
    await account.advance(at('2024-06-16T00:00:00Z'));
    await stripe.subscriptions.update(subscription.id, { items: [{ id: subscription.items.data[0].id, quantity: 3 }] });
    const items = await stripe.invoiceItems.list({ customer: customer.id, pending: true });
    expect(items.data.map((item) => [item.amount, item.description])).toEqual([
      [-500, 'Unused time on Gold after 16 Jun 2024'],
      [1500, 'Remaining time on 3 × Gold after 16 Jun 2024'],
    ]);
    const [event] = (await account.events()).filter((each) => each.type === 'customer.subscription.updated');
    expect(event.data.previous_attributes).toMatchObject({ items: { data: [{ quantity: 1 }] } });
  });

  test('a downgrade invoiced at once leaves credit on the customer', async () => {
    const { stripe } = account;
    await account.advance(at('2024-06-01T00:00:00Z'));
    const customer = await customerWith(account);
    const big = await priceOf(account, 2000);
    const small = await priceOf(account, 1000, 'month', 'Silver');
    const subscription = await subscribe(customer.id, big.id);
    await account.advance(at('2024-06-16T00:00:00Z'));
    const changed = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0].id, price: small.id }],
      proration_behavior: 'always_invoice',
      expand: ['latest_invoice'],
    });
    const invoice = invoiceOf(changed);
    expect(invoice).toMatchObject({
      total: -500,
      amount_due: 0,
      status: 'paid',
      billing_reason: 'subscription_update',
      ending_balance: -500,
    });
    expect((await stripe.customers.retrieve(customer.id)) as Stripe.Customer).toMatchObject({ balance: -500 });
    await account.advance(at('2024-07-01T01:00:00Z'));
    const [next] = (await stripe.invoices.list({ subscription: subscription.id })).data;
    expect(next).toMatchObject({
      total: 1000,
      starting_balance: -500,
      amount_due: 500,
      amount_paid: 500,
      ending_balance: 0,
    });
  });

  test('from month to year in mid-period bills the year at once', async () => {
    const { stripe } = account;
    await account.advance(at('2024-06-01T00:00:00Z'));
    const customer = await customerWith(account);
    const month = await priceOf(account, 1000);
    const year = await priceOf(account, 10000, 'year', 'Gold yearly');
    const subscription = await subscribe(customer.id, month.id);
    await account.advance(at('2024-06-16T00:00:00Z'));
    const changed = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0].id, price: year.id }],
      expand: ['latest_invoice'],
    });
    expect(invoiceOf(changed)).toMatchObject({ total: 9500, status: 'paid' });
    expect(changed).toMatchObject({
      billing_cycle_anchor: at('2024-06-16T00:00:00Z'),
      current_period_end: at('2025-06-16T00:00:00Z'),
    });
  });

  test('monthly renewals keep the anchor of the 31st', async () => {
    const { stripe } = account;
    await account.reset('2024-01-31T10:00:00Z');
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await subscribe(customer.id, price.id);
    const ends = [subscription.current_period_end];
    for (let i = 0; i < 4; i++) {
      await account.advance(ends[i]);
      ends.push((await stripe.subscriptions.retrieve(subscription.id)).current_period_end);
    }
    expect(ends.map((end) => new Date(end * 1000).toISOString().slice(0, 10))).toEqual([
      '2024-02-29',
      '2024-03-31',
      '2024-04-30',
      '2024-05-31',
      '2024-06-30',
    ]);
  });

  test('a yearly anchor of 29 February comes back in leap years', async () => {
    const { stripe } = account;
    await account.reset('2024-02-29T00:00:00Z');
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000, 'year');
    const subscription = await subscribe(customer.id, price.id);
    const ends = [subscription.current_period_end];
    for (let i = 0; i < 3; i++) {
      await account.advance(ends[i]);
      ends.push((await stripe.subscriptions.retrieve(subscription.id)).current_period_end);
    }
    expect(ends.map((end) => new Date(end * 1000).toISOString().slice(0, 10))).toEqual([
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  test('coupons round half up and never go below zero', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    const price = await priceOf(account, 1999);
    const quarter = await stripe.coupons.create({ percent_off: 25, duration: 'once' });
    const first = await subscribe(customer.id, price.id, 1, { coupon: quarter.id });
    expect(invoiceOf(first)).toMatchObject({ subtotal: 1999, total: 1499, status: 'paid' });
    expect(invoiceOf(first).total_discount_amounts?.[0].amount).toBe(500);
    const cheap = await priceOf(account, 1000, 'month', 'Bronze');
    const flat = await stripe.coupons.create({ amount_off: 2000, currency: 'usd', duration: 'once' });
    const second = await subscribe(customer.id, cheap.id, 1, { discounts: [{ coupon: flat.id }] });
    expect(invoiceOf(second)).toMatchObject({ total: 0, status: 'paid', payment_intent: null });
    await account.advance(at('2024-06-01T01:00:00Z'));
    const invoices = await stripe.invoices.list({ subscription: first.id });
    expect(invoices.data[0].total).toBe(1999);
    expect((await stripe.coupons.retrieve(quarter.id)).times_redeemed).toBe(1);
  });

  test('taxes: exclusive after a discount, inclusive inside the price', async () => {
    const { stripe } = account;
    const customer = await customerWith(account);
    const sales = await stripe.taxRates.create({ display_name: 'Sales tax', percentage: 8.25, inclusive: false });
    const vat = await stripe.taxRates.create({ display_name: 'VAT', percentage: 20, inclusive: true });
    const price = await priceOf(account, 1999);
    const off = await stripe.coupons.create({ percent_off: 25, duration: 'forever' });
    const first = await subscribe(customer.id, price.id, 1, { coupon: off.id, default_tax_rates: [sales.id] });
    expect(invoiceOf(first)).toMatchObject({ total: 1623, tax: 124, total_excluding_tax: 1499 });
    expect(invoiceOf(first).total_tax_amounts).toMatchObject([
      { amount: 124, taxable_amount: 1499, tax_rate: sales.id },
    ]);
    const inclusive = await priceOf(account, 1200, 'month', 'Silver');
    const second = await account.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: inclusive.id, tax_rates: [vat.id] }],
      expand: ['latest_invoice'],
    });
    expect(invoiceOf(second)).toMatchObject({ total: 1200, tax: 200, total_excluding_tax: 1000 });
  });

  test('the customer balance is used first', async () => {
    const { stripe } = account;
    const customer = await customerWith(account, 'pm_card_visa', { balance: -300 });
    const price = await priceOf(account, 1000);
    const first = await subscribe(customer.id, price.id);
    expect(invoiceOf(first)).toMatchObject({
      total: 1000,
      amount_due: 700,
      starting_balance: -300,
      ending_balance: 0,
      amount_paid: 700,
    });
    const [transaction] = (await stripe.customers.listBalanceTransactions(customer.id)).data;
    expect(transaction).toMatchObject({ amount: 300, type: 'applied_to_invoice', ending_balance: 0 });
    const rich = await customerWith(account, 'pm_card_visa', { balance: -1500 });
    const second = await subscribe(rich.id, price.id);
    expect(invoiceOf(second)).toMatchObject({
      amount_due: 0,
      status: 'paid',
      ending_balance: -500,
      payment_intent: null,
    });
  });

  test('what is too small to charge is owed', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 30);
    const first = await subscribe(customer.id, price.id);
    expect(invoiceOf(first)).toMatchObject({ total: 30, amount_due: 0, status: 'paid', ending_balance: 30 });
    const [transaction] = (await account.stripe.customers.listBalanceTransactions(customer.id)).data;
    expect(transaction).toMatchObject({ amount: 30, type: 'invoice_too_small' });
  });

  test('graduated and volume tiers', async () => {
    const customer = await customerWith(account);
    const tiers = [
      { up_to: 10, unit_amount: 500 },
      { up_to: 'inf' as const, unit_amount: 400 },
    ];
    const graduated = await priceOf(account, 0, 'month', 'Seats', {
      unit_amount: undefined,
      billing_scheme: 'tiered',
      tiers_mode: 'graduated',
      tiers,
    });
    const volume = await priceOf(account, 0, 'month', 'Desks', {
      unit_amount: undefined,
      billing_scheme: 'tiered',
      tiers_mode: 'volume',
      tiers,
    });
    expect(invoiceOf(await subscribe(customer.id, graduated.id, 12)).total).toBe(5800);
    expect(invoiceOf(await subscribe(customer.id, volume.id, 12)).total).toBe(4800);
  });
});
