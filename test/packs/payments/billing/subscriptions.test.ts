import Stripe from 'stripe';
import { at, customerWith, invoiceOf, priceOf, useTestAccount } from '../test-account.js';

describe('subscriptions', () => {
  const account = useTestAccount('2025-01-01T00:00:00Z');
  const create = (customer: string, price: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
    account.stripe.subscriptions.create({
      customer,
      items: [{ price }],
      expand: ['latest_invoice.payment_intent'],
      ...more,
    });
  const PAID = [
    'charge.succeeded',
    'payment_intent.succeeded',
    'invoice.updated',
    'invoice.paid',
    'invoice.payment_succeeded',
    'invoice_payment.paid',
  ];
  const intentOf = (subscription: Stripe.Subscription) =>
    invoiceOf(subscription).payment_intent as Stripe.PaymentIntent;

  test('a working card: active at once, told last', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    await account.news();
    const subscription = await create(customer.id, price.id);
    expect(subscription.status).toBe('active');
    expect(invoiceOf(subscription)).toMatchObject({
      status: 'paid',
      billing_reason: 'subscription_create',
      attempt_count: 1,
      number: `${customer.invoice_prefix}-0001`,
    });
    const events = await account.events();
    expect(events.map((event) => event.type)).toEqual([
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
      ...PAID,
      'customer.subscription.created',
    ]);
    expect(events[0].request?.id).toBeNull();
    expect(events.at(-1)?.request?.id).toMatch(/^req_/);
    expect(events[5].data.previous_attributes).toMatchObject({
      amount_paid: 0,
      amount_remaining: 1000,
      attempt_count: 0,
      attempted: false,
      charge: null,
      paid: false,
      status: 'open',
    });
    const renewal = await account.advance('31d');
    expect(renewal.filter((type) => type !== 'balance.available')).toEqual([
      'invoice.upcoming',
      'customer.subscription.updated',
      'invoice.created',
    ]);
    const [draft] = (await account.stripe.invoices.list({ subscription: subscription.id })).data;
    expect(draft).toMatchObject({
      status: 'draft',
      number: null,
      automatically_finalizes_at: account.now() + 3600,
      next_payment_attempt: account.now() + 3600,
      period_start: at('2025-01-01T00:00:00Z'),
      period_end: at('2025-02-01T00:00:00Z'),
    });
    expect(await account.advance('1h')).toEqual(['invoice.finalized', 'payment_intent.created', ...PAID]);
  });

  test('a declining card: incomplete, told first, expires after 23 hours', async () => {
    const customer = await customerWith(account, 'pm_card_chargeCustomerFail');
    const price = await priceOf(account, 1000);
    await account.news();
    const subscription = await create(customer.id, price.id);
    expect(subscription.status).toBe('incomplete');
    expect(invoiceOf(subscription)).toMatchObject({ status: 'open', attempt_count: 1, next_payment_attempt: null });
    expect(await account.news()).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
      'charge.failed',
      'payment_intent.payment_failed',
      'invoice.updated',
      'invoice.payment_failed',
    ]);
    expect(await account.advance('23h')).toEqual([
      'customer.subscription.updated',
      'payment_intent.canceled',
      'invoice.voided',
      'invoice.updated',
    ]);
    expect(await account.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'incomplete_expired',
    });
  });

  test('default_incomplete waits for the confirm of its intent', async () => {
    const customer = await account.stripe.customers.create({});
    const price = await priceOf(account, 1000);
    await account.news();
    const subscription = await create(customer.id, price.id, {
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
    });
    expect(subscription.status).toBe('incomplete');
    expect(intentOf(subscription).status).toBe('requires_payment_method');
    expect(await account.news()).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
    ]);
    await expect(
      account.stripe.paymentIntents.confirm(intentOf(subscription).id, { payment_method: 'pm_card_chargeDeclined' }),
    ).rejects.toThrow('declined');
    expect(await account.news()).toEqual([
      'charge.failed',
      'payment_intent.payment_failed',
      'invoice.updated',
      'invoice.payment_failed',
    ]);
    await account.stripe.paymentIntents.confirm(intentOf(subscription).id, { payment_method: 'pm_card_visa' });
    expect(await account.news()).toEqual(['payment_method.attached', ...PAID, 'customer.subscription.updated']);
    const active = await account.stripe.subscriptions.retrieve(subscription.id);
    expect(active.status).toBe('active');
    expect(active.default_payment_method).toMatch(/^pm_/);
  });

  test('error_if_incomplete leaves nothing; without any method there is an error', async () => {
    const customer = await customerWith(account, 'pm_card_chargeCustomerFail');
    const price = await priceOf(account, 1000);
    await expect(create(customer.id, price.id, { payment_behavior: 'error_if_incomplete' })).rejects.toMatchObject({
      statusCode: 402,
      code: 'card_declined',
    });
    expect((await account.stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([]);
    const poor = await account.stripe.customers.create({});
    await expect(create(poor.id, price.id)).rejects.toMatchObject({ statusCode: 400, code: 'resource_missing' });
  });

  test('a card that wants authentication', async () => {
    const customer = await customerWith(account, 'pm_card_authenticationRequired');
    const price = await priceOf(account, 1000);
    await account.news();
    const subscription = await create(customer.id, price.id);
    expect(subscription.status).toBe('incomplete');
    expect(intentOf(subscription).status).toBe('requires_action');
    expect(await account.news()).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
      'payment_intent.requires_action',
      'invoice.payment_action_required',
      'invoice.updated',
      'invoice.payment_failed',
    ]);
  });

  test.each([
    ['cancel', 'canceled', 'customer.subscription.deleted'],
    ['unpaid', 'unpaid', 'customer.subscription.updated'],
    ['past_due', 'past_due', 'invoice.payment_failed'],
  ])('a renewal that fails four times: %s', async (way, status, last) => {
    await account.sandbox.control.pin({ resource: 'subscriptions', path: 'after_retries', value: way });
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await create(customer.id, price.id);
    const bad = await account.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id });
    await account.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: bad.id } });
    await account.advance(at('2025-02-01T00:00:00Z'));
    const failed = await account.advance('1h');
    expect(failed).toEqual([
      'invoice.finalized',
      'payment_intent.created',
      'charge.failed',
      'payment_intent.payment_failed',
      'invoice.updated',
      'invoice.payment_failed',
      'customer.subscription.updated',
      'customer.updated',
    ]);
    const latest = async () => (await account.stripe.invoices.list({ subscription: subscription.id })).data[0];
    expect(await latest()).toMatchObject({
      status: 'open',
      attempt_count: 1,
      next_payment_attempt: account.now() + 3 * 86400,
    });
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    expect(await account.advance('3d')).toEqual([
      'charge.failed',
      'payment_intent.payment_failed',
      'invoice.updated',
      'invoice.payment_failed',
    ]);
    expect(await latest()).toMatchObject({ attempt_count: 2, next_payment_attempt: account.now() + 5 * 86400 });
    await account.advance('5d');
    expect(await latest()).toMatchObject({ attempt_count: 3, next_payment_attempt: account.now() + 7 * 86400 });
    const end = await account.advance('7d');
    expect(await latest()).toMatchObject({ attempt_count: 4, next_payment_attempt: null });
    expect(end).toContain(last);
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).status).toBe(status);
  });

  test('a retry that succeeds makes all good again', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await create(customer.id, price.id);
    const good = customer.invoice_settings.default_payment_method as string;
    const bad = await account.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id });
    await account.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: bad.id } });
    await account.advance('31d');
    await account.advance('1h');
    expect((await account.stripe.customers.retrieve(customer.id)) as Stripe.Customer).toMatchObject({
      delinquent: true,
    });
    await account.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: good } });
    expect(await account.advance('3d')).toEqual([...PAID, 'customer.subscription.updated', 'customer.updated']);
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });

  test('a trial: nothing due, a warning three days before, then billing', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    await account.news();
    const subscription = await create(customer.id, price.id, { trial_period_days: 14 });
    expect(subscription).toMatchObject({
      status: 'trialing',
      trial_end: at('2025-01-15T00:00:00Z'),
      current_period_end: at('2025-01-15T00:00:00Z'),
      billing_cycle_anchor: at('2025-01-15T00:00:00Z'),
    });
    expect(invoiceOf(subscription)).toMatchObject({ total: 0, status: 'paid' });
    expect(invoiceOf(subscription).lines.data[0].description).toBe('Trial period for Gold');
    expect(await account.news()).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
    expect(await account.advance('11d')).toEqual(['invoice.upcoming', 'customer.subscription.trial_will_end']);
    const ended = await account.events();
    expect(ended).toEqual([]);
    expect(await account.advance('3d')).toEqual(['customer.subscription.updated', 'invoice.created']);
    expect(await account.advance('1h')).toEqual(['invoice.finalized', 'payment_intent.created', ...PAID]);
    expect(await account.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'active',
      current_period_end: at('2025-02-15T00:00:00Z'),
    });
  });

  test.each([
    ['create_invoice', 'past_due'],
    ['pause', 'paused'],
    ['cancel', 'canceled'],
  ] as const)('a trial without a card: %s', async (behavior, status) => {
    const customer = await account.stripe.customers.create({});
    const price = await priceOf(account, 1000);
    const subscription = await create(customer.id, price.id, {
      trial_period_days: 2,
      trial_settings: { end_behavior: { missing_payment_method: behavior } },
    });
    expect(subscription.pending_setup_intent).toMatch(/^seti_/);
    expect(await account.news()).toContain('customer.subscription.trial_will_end');
    await account.advance('49h');
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).status).toBe(status);
    if (status === 'paused') {
      const method = await account.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
      await account.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
      const resumed = await account.stripe.subscriptions.resume(subscription.id, { billing_cycle_anchor: 'now' });
      expect(resumed).toMatchObject({ status: 'active', current_period_start: account.now() });
    }
  });

  test('cancellation: at period end and undone, at a date, now', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 3100);
    const subscription = await create(customer.id, price.id);
    await account.news();
    const scheduled = await account.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    expect(scheduled).toMatchObject({
      cancel_at: subscription.current_period_end,
      canceled_at: account.now(),
      cancellation_details: { reason: 'cancellation_requested' },
    });
    const [event] = await account.events();
    expect(event.data.previous_attributes).toEqual({
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: { reason: null },
    });
    expect(await account.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })).toMatchObject({
      cancel_at: null,
      canceled_at: null,
    });
    await account.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    const fired = await account.advance('31d');
    expect(fired.filter((type) => type !== 'balance.available')).toEqual(['customer.subscription.deleted']);
    expect(await account.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      ended_at: account.now(),
    });
    const other = await create(customer.id, price.id);
    await account.advance('10d');
    const gone = await account.stripe.subscriptions.cancel(other.id, { prorate: true, invoice_now: true });
    expect(gone).toMatchObject({ status: 'canceled', ended_at: account.now() });
    const [last] = (await account.stripe.invoices.list({ subscription: other.id })).data;
    expect(last.total).toBe(-Math.round((3100 * 18) / 28));
    await expect(account.stripe.subscriptions.cancel(other.id)).rejects.toMatchObject({ statusCode: 404 });
    expect((await account.stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
    expect((await account.stripe.subscriptions.list({ customer: customer.id, status: 'canceled' })).data).toHaveLength(
      2,
    );
  });

  test('collection can be paused', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await create(customer.id, price.id);
    await account.stripe.subscriptions.update(subscription.id, {
      pause_collection: { behavior: 'void', resumes_at: at('2025-02-15T00:00:00Z') },
    });
    await account.advance('32d');
    expect((await account.stripe.invoices.list({ subscription: subscription.id })).data[0].status).toBe('void');
    await account.advance('15d');
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).pause_collection).toBeNull();
    await account.advance('31d');
    expect((await account.stripe.invoices.list({ subscription: subscription.id })).data[0].status).toBe('paid');
  });

  test('send_invoice: open after an hour, past due after its day', async () => {
    const customer = await account.stripe.customers.create({ email: 'a@example.com' });
    const price = await priceOf(account, 1000);
    await account.news();
    const subscription = await create(customer.id, price.id, { collection_method: 'send_invoice', days_until_due: 10 });
    expect(subscription.status).toBe('active');
    expect(invoiceOf(subscription)).toMatchObject({ status: 'draft' });
    expect(await account.news()).toEqual(['customer.subscription.created', 'invoice.created']);
    expect(await account.advance('1h')).toEqual(['invoice.finalized', 'payment_intent.created', 'invoice.sent']);
    const [open] = (await account.stripe.invoices.list({ subscription: subscription.id })).data;
    expect(open).toMatchObject({ status: 'open', due_date: account.now() - 3600 + 10 * 86400, next_payment_attempt: null });
    expect(await account.advance('10d')).toEqual([
      'invoice.overdue',
      'customer.subscription.updated',
      'customer.updated',
    ]);
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    await account.stripe.invoices.pay(open.id, { paid_out_of_band: true });
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });

  test('metered usage is billed when the period is over', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 7, 'month', 'Calls', {
      recurring: { interval: 'month', usage_type: 'metered' },
    });
    const subscription = await create(customer.id, price.id);
    const item = subscription.items.data[0].id;
    await account.stripe.subscriptionItems.createUsageRecord(item, { quantity: 100, timestamp: account.now() });
    await account.advance('10d');
    await account.stripe.subscriptionItems.createUsageRecord(item, { quantity: 50, action: 'increment' });
    expect((await account.stripe.subscriptionItems.listUsageRecordSummaries(item)).data[0].total_usage).toBe(150);
    await account.advance(at('2025-02-01T01:00:00Z'));
    const [invoice] = (await account.stripe.invoices.list({ subscription: subscription.id })).data;
    expect(invoice).toMatchObject({ total: 1050, status: 'paid' });
    expect(invoice.lines.data[0]).toMatchObject({
      quantity: 150,
      period: { start: at('2025-01-01T00:00:00Z'), end: at('2025-02-01T00:00:00Z') },
    });
  });

  test('a change that cannot be paid waits', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const big = await priceOf(account, 9000, 'month', 'Platinum');
    const subscription = await create(customer.id, price.id);
    const good = customer.invoice_settings.default_payment_method as string;
    const bad = await account.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id });
    await account.stripe.subscriptions.update(subscription.id, { default_payment_method: bad.id });
    const held = await account.stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0].id, price: big.id }],
      payment_behavior: 'pending_if_incomplete',
      proration_behavior: 'always_invoice',
    });
    expect(held.items.data[0].price.id).toBe(price.id);
    expect(held.pending_update?.subscription_items?.[0].price.id).toBe(big.id);
    await account.stripe.invoices.pay(held.latest_invoice as string, { payment_method: good });
    const applied = await account.stripe.subscriptions.retrieve(subscription.id);
    expect(applied.items.data[0].price.id).toBe(big.id);
    expect(applied.pending_update).toBeNull();
  });

  test('items are added, changed and removed', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const extra = await priceOf(account, 500, 'month', 'Extra');
    const subscription = await create(customer.id, price.id);
    await account.advance('15d');
    const item = await account.stripe.subscriptionItems.create({
      subscription: subscription.id,
      price: extra.id,
      quantity: 2,
    });
    expect(await account.news()).toEqual(['invoiceitem.created', 'customer.subscription.updated']);
    await account.stripe.subscriptionItems.update(item.id, { quantity: 3, proration_behavior: 'none' });
    expect((await account.stripe.subscriptionItems.list({ subscription: subscription.id })).data).toHaveLength(2);
    expect(await account.stripe.subscriptionItems.del(item.id)).toMatchObject({ deleted: true });
    await expect(
      account.stripe.subscriptions.update(subscription.id, {
        items: [{ id: subscription.items.data[0].id, deleted: true }],
      }),
    ).rejects.toThrow('at least one active plan');
  });

  test('an anchor in the future prorates the first period; a backdated start bills the past', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 3100);
    const subscription = await create(customer.id, price.id, { billing_cycle_anchor: at('2025-01-11T00:00:00Z') });
    expect(subscription.current_period_end).toBe(at('2025-01-11T00:00:00Z'));
    expect(invoiceOf(subscription).total).toBe(1000);
    const free = await create(customer.id, price.id, {
      billing_cycle_anchor: at('2025-01-11T00:00:00Z'),
      proration_behavior: 'none',
    });
    expect(invoiceOf(free).total).toBe(0);
    const configured = await create(customer.id, price.id, { billing_cycle_anchor_config: { day_of_month: 11 } });
    expect(configured.billing_cycle_anchor).toBe(at('2025-01-11T00:00:00Z'));
    const back = await create(customer.id, price.id, { backdate_start_date: at('2024-11-16T00:00:00Z') });
    expect(invoiceOf(back).total).toBe(3100 + 3100 + Math.round((3100 * 15) / 30));
    expect(back.start_date).toBe(at('2024-11-16T00:00:00Z'));
  });

  test.each([
    [{ decline_code: 'insufficient_fund' }, 'decline_code', "did you mean 'insufficient_funds'?"],
    [{ at: 'next_month' }, 'at', 'must be one of next_renewal'],
  ])('the cause payment.declined refuses what means nothing: %j', async (params, path, message) => {
    const customer = await customerWith(account);
    const { id } = await create(customer.id, (await priceOf(account, 1000)).id);
    const refused = account.sandbox.control.event('payment.declined', { subscription_id: id, ...params });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_value', path, message: expect.stringContaining(message) } },
    });
  });

  test('the cause payment.declined arms the next renewal once', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await create(customer.id, price.id);
    await account.sandbox.control.event('payment.declined', {
      subscription_id: subscription.id,
      at: 'next_renewal',
      decline_code: 'insufficient_funds',
    });
    await account.advance(at('2025-02-01T02:00:00Z'));
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    const [charge] = (await account.stripe.charges.list({ customer: customer.id })).data;
    expect(charge).toMatchObject({
      status: 'failed',
      failure_code: 'card_declined',
      outcome: { reason: 'insufficient_funds' },
      invoice: expect.stringMatching(/^in_/),
    });
    await account.advance('3d');
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });
});
