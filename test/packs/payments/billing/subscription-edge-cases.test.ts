import type Stripe from 'stripe';
import { at, customerWith, invoiceOf, priceOf, useTestAccount } from '../test-account.js';

describe('billing, less common', () => {
  const account = useTestAccount('2025-01-01T00:00:00Z');
  const create = (customer: string, price: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
    account.stripe.subscriptions.create({
      customer,
      items: [{ price }],
      expand: ['latest_invoice.payment_intent'],
      ...more,
    });

  test('a trial ended by hand is billed at once', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await create(customer.id, price.id, { trial_period_days: 30 });
    await account.advance('10d');
    const ended = await account.stripe.subscriptions.update(subscription.id, {
      trial_end: 'now',
      expand: ['latest_invoice'],
    });
    expect(ended).toMatchObject({
      status: 'active',
      billing_cycle_anchor: account.now(),
      trial_end: account.now(),
      current_period_end: at('2025-02-11T00:00:00Z'),
    });
    expect(invoiceOf(ended)).toMatchObject({ total: 1000, status: 'paid' });
    const again = await account.stripe.subscriptions.update(subscription.id, {
      trial_end: account.now() + 5 * 86400,
      proration_behavior: 'none',
    });
    expect(again).toMatchObject({ status: 'trialing', current_period_end: account.now() + 5 * 86400 });
  });

  test('a renewal that wants authentication', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await create(customer.id, price.id);
    const method = await account.stripe.paymentMethods.attach('pm_card_authenticationRequired', {
      customer: customer.id,
    });
    await account.stripe.subscriptions.update(subscription.id, { default_payment_method: method.id });
    await account.advance('31d');
    expect(await account.advance('1h')).toEqual([
      'invoice.finalized',
      'payment_intent.created',
      'charge.failed',
      'payment_intent.payment_failed',
      'invoice.payment_action_required',
      'invoice.updated',
      'invoice.payment_failed',
      'customer.subscription.updated',
      'customer.updated',
    ]);
    const retried = await account.advance('3d');
    expect(retried).not.toContain('charge.failed');
    expect((await account.stripe.invoices.list({ subscription: subscription.id })).data[0].attempt_count).toBe(2);
  });

  test('a bank debit: active while it is on its way', async () => {
    const customer = await customerWith(account, 'pm_usBankAccount_success');
    const price = await priceOf(account, 1000);
    const subscription = await create(customer.id, price.id, {
      payment_settings: { payment_method_types: ['us_bank_account', 'card'] },
    });
    expect(subscription.latest_invoice).toMatchObject({ status: 'open', payment_intent: { status: 'processing' } });
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
    await account.advance('5d');
    expect((await account.stripe.invoices.retrieve(invoiceOf(subscription).id)).status).toBe('paid');
  });

  // What the customer's bank says of the first debit, and what became of subscription, invoice and payment before and after it.
  const paid = ['active', 'paid', 'succeeded', 1, false];
  const late = ['past_due', 'open', 'requires_payment_method', 1, true];
  test.each([
    ['pm_usBankAccount_success', 'allow_incomplete', paid],
    ['pm_usBankAccount_success', 'default_incomplete', paid],
    ['pm_usBankAccount_success', 'error_if_incomplete', paid],
    ['pm_usBankAccount_insufficientFunds', 'allow_incomplete', late],
    ['pm_usBankAccount_insufficientFunds', 'default_incomplete', late],
    ['pm_usBankAccount_insufficientFunds', 'error_if_incomplete', late],
    ['pm_sepaDebit_success', 'default_incomplete', paid],
    ['pm_sepaDebit_failure', 'allow_incomplete', late],
    ['pm_sepaDebit_failure', 'default_incomplete', late],
  ] as const)('a first debit of %s with %s', async (bank, payment_behavior, expected) => {
    const { stripe } = account;
    const customer = await customerWith(account, bank);
    const price = await priceOf(account, 1000, 'month', 'Gold', { currency: bank.startsWith('pm_sepa') ? 'eur' : 'usd' });
    const { id, latest_invoice } = await create(customer.id, price.id, { payment_behavior });
    const now = async (): Promise<unknown[]> => {
      const { status, latest_invoice: latest } = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.payment_intent'] });
      const invoice = latest as Stripe.Invoice;
      const intent = invoice.payment_intent as Stripe.PaymentIntent;
      return [status, invoice.status, intent.status, invoice.attempt_count, invoice.next_payment_attempt !== null];
    };
    const { payment_intent } = latest_invoice as Stripe.Invoice;
    if (payment_behavior === 'default_incomplete') {
      expect((await now()).slice(0, 3)).toEqual(['incomplete', 'open', 'requires_confirmation']);
      await stripe.paymentIntents.confirm((payment_intent as Stripe.PaymentIntent).id);
    }
    expect((await now()).slice(0, 3)).toEqual(['active', 'open', 'processing']);
    await account.advance('1d');
    expect((await now()).slice(0, 3)).toEqual(['active', 'open', 'processing']);
    await account.advance('5d');
    expect(await now()).toEqual(expected);
  });

  test('deleting a customer ends what it pays for', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await create(customer.id, price.id);
    await account.news();
    await account.stripe.customers.del(customer.id);
    expect(await account.news()).toEqual(expect.arrayContaining(['customer.subscription.deleted', 'customer.deleted']));
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled');
    expect(await account.advance('40d')).not.toContain('invoice.created');
  });

  test('drafts are kept while collection is paused', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await create(customer.id, price.id);
    await account.stripe.subscriptions.update(subscription.id, { pause_collection: { behavior: 'keep_as_draft' } });
    await account.advance('33d');
    expect((await account.stripe.invoices.list({ subscription: subscription.id })).data[0]).toMatchObject({
      status: 'draft',
      auto_advance: false,
    });
    await account.stripe.subscriptions.update(subscription.id, {
      pause_collection: { behavior: 'mark_uncollectible' },
    });
    await account.advance('31d');
    expect((await account.stripe.invoices.list({ subscription: subscription.id })).data[0].status).toBe(
      'uncollectible',
    );
    await account.stripe.subscriptions.update(subscription.id, { pause_collection: '' });
  });

  test('lists and searches', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await create(customer.id, price.id, { metadata: { plan: 'pro' } });
    const { stripe } = account;
    expect((await stripe.subscriptions.list({ price: price.id, status: 'active' })).data).toHaveLength(1);
    expect((await stripe.subscriptions.list({ status: 'past_due' })).data).toHaveLength(0);
    expect(
      (await stripe.subscriptions.search({ query: "status:'active' AND metadata['plan']:'pro'" })).data,
    ).toHaveLength(1);
    expect((await stripe.invoices.search({ query: `customer:'${customer.id}' AND total>500` })).data).toHaveLength(1);
    expect((await stripe.invoices.list({ status: 'paid', created: { gte: account.now() } })).data).toHaveLength(1);
    expect(
      (await stripe.prices.search({ query: `product:'${String(price.product)}' AND active:'true'` })).data,
    ).toHaveLength(1);
    const [expanded] = (
      await stripe.subscriptions.list({ expand: ['data.items.data.price.product', 'data.latest_invoice.charge'] })
    ).data;
    expect(expanded.items.data[0].price.product).toMatchObject({ name: 'Gold' });
    expect(invoiceOf(expanded).charge).toMatchObject({ paid: true });
    const paid = await stripe.charges.list({ customer: customer.id, expand: ['data.invoice.subscription'] });
    expect(paid.data[0].invoice).toMatchObject({ subscription: { id: subscription.id } });
  });

  test('refusals', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const once = await account.stripe.prices.create({
      product: price.product as string,
      currency: 'usd',
      unit_amount: 5,
    });
    const euro = await priceOf(account, 1000, 'month', 'Euro', { currency: 'eur' });
    const subscription = await create(customer.id, price.id);
    await expect(create(customer.id, once.id)).rejects.toThrow('type=one_time');
    await expect(create(customer.id, euro.id)).rejects.toThrow('cannot combine currencies');
    await expect(
      account.stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }, { price: price.id }] }),
    ).rejects.toThrow('multiple Subscription Items with the same Price');
    await account.stripe.prices.update(price.id, { active: false });
    await expect(create(customer.id, price.id)).rejects.toThrow('inactive');
    await expect(
      account.stripe.subscriptionItems.createUsageRecord(subscription.items.data[0].id, { quantity: 1 }),
    ).rejects.toThrow('licensed');
    await expect(
      account.stripe.invoices.create({ customer: customer.id, collection_method: 'send_invoice' }),
    ).rejects.toThrow('days_until_due');
    await expect(account.stripe.subscriptions.create({ customer: customer.id, items: [] })).rejects.toMatchObject({
      code: 'parameter_missing',
      param: 'items',
    });
  });

  test('coupons for some products, and first-time codes', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const other = await priceOf(account, 500, 'month', 'Other');
    const coupon = await account.stripe.coupons.create({
      percent_off: 50,
      duration: 'forever',
      applies_to: { products: [other.product as string] },
    });
    const subscription = await account.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }, { price: other.id }],
      coupon: coupon.id,
      expand: ['latest_invoice'],
    });
    expect(invoiceOf(subscription)).toMatchObject({ subtotal: 1500, total: 1250 });
    const code = await account.stripe.promotionCodes.create({
      coupon: coupon.id,
      restrictions: { first_time_transaction: true },
    });
    await expect(
      account.stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        promotion_code: code.id,
      }),
    ).rejects.toThrow('cannot be redeemed');
    const item = await account.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: other.id, discounts: [{ coupon: coupon.id }] }],
      expand: ['latest_invoice'],
    });
    expect(invoiceOf(item)).toMatchObject({ total: 250 });
    expect(await account.stripe.subscriptions.deleteDiscount(subscription.id)).toMatchObject({ deleted: true });
  });

  test('one long advance and many short ones tell the same', async () => {
    const story = async (steps: string[]) => {
      await account.reset('2025-01-31T10:00:00Z');
      const customer = await customerWith(account);
      const price = await priceOf(account, 1000);
      await create(customer.id, price.id);
      for (const step of steps) await account.sandbox.control.advance(step);
      return (await account.events()).map((event) => [event.id, event.type, event.created]);
    };
    expect(await story(['100d'])).toEqual(await story(Array.from({ length: 100 }, () => '1d')));
  });
});
