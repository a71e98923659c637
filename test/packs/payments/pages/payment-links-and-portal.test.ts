import Stripe from 'stripe';
import { refused } from '../served-payments.js';
import { customerWith, invoiceOf, priceOf, useTestAccount } from '../test-account.js';
import { press } from '../../../support/page-forms.js';

const T0 = '2025-01-01T00:00:00Z';

const account = useTestAccount(T0);

/** A cause; gives the types of the events that follow. */
async function happen(cause: string, params: Record<string, unknown>): Promise<string[]> {
  await account.news();
  await account.sandbox.control.event(cause, params);
  return account.news();
}

async function page(url: string | null | undefined): Promise<string> {
  if (!url) throw new Error('there is no URL');
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

describe('payment links', () => {
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
    expect(await page(link.url)).toContain('Sold out');
    await expect(happen('payment_link.opened', { payment_link_id: link.id })).rejects.toThrow('cannot happen now');
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
    expect(await page(link.url)).toContain('Mug');
    const opened = await press(link.url, 'Continue');
    const [session] = (await account.stripe.checkout.sessions.list({ payment_link: link.id })).data;
    expect(opened.headers.get('location')).toBe(session.url);
    expect(session).toMatchObject({ amount_total: 900, currency: 'eur', metadata: { from: 'link' }, mode: 'payment' });
    await press(String(session.url), 'Pay', { email: 'a@b.example', name: 'Ann', card_number: '4242424242424242' });
    expect(await account.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
    });
    expect(await page(session.url)).toContain('See you &lt;soon&gt;');
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
});

describe('the billing portal', () => {
  type Features = Stripe.BillingPortal.ConfigurationCreateParams.Features;
  const CANCELS: Features = { subscription_cancel: { enabled: true, mode: 'immediately' } };

  /** A subscribed customer with the portal open. */
  async function opened(features?: Features, more: Partial<Stripe.BillingPortal.SessionCreateParams> = {}) {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await account.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      expand: ['latest_invoice'],
    });
    const configuration = features && (await account.stripe.billingPortal.configurations.create({ features })).id;
    const session = await account.stripe.billingPortal.sessions.create({
      customer: customer.id,
      configuration,
      return_url: 'https://shop.example/account',
      ...more,
    });
    return { customer, subscription, session, price };
  }

  test('configurations', async () => {
    const { configurations } = account.stripe.billingPortal;
    const price = await priceOf(account, 1000);
    await account.news();
    const made = await configurations.create({
      business_profile: { headline: 'Hello', privacy_policy_url: 'https://shop.example/privacy' },
      default_return_url: 'https://shop.example',
      features: {
        customer_update: { enabled: true, allowed_updates: ['email'] },
        invoice_history: { enabled: true },
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          products: [{ product: String(price.product), prices: [price.id] }],
          proration_behavior: 'none',
        },
      },
      login_page: { enabled: true },
      expand: ['features.subscription_update.products'],
    });
    expect(made).toMatchObject({
      active: true,
      business_profile: { headline: 'Hello', terms_of_service_url: null },
      features: {
        customer_update: { allowed_updates: ['email'], enabled: true },
        payment_method_update: { enabled: false },
        subscription_cancel: {
          enabled: false,
          mode: 'at_period_end',
          cancellation_reason: { enabled: false, options: [] },
        },
        subscription_update: {
          enabled: true,
          products: [{ prices: [price.id] }],
          schedule_at_period_end: { conditions: [] },
        },
      },
      is_default: false,
      login_page: { enabled: true },
    });
    const changed = await configurations.update(made.id, {
      active: false,
      features: { subscription_cancel: { enabled: true, cancellation_reason: { enabled: true, options: ['unused'] } } },
      metadata: { a: 'b' },
    });
    expect(changed).toMatchObject({
      active: false,
      features: {
        invoice_history: { enabled: true },
        subscription_cancel: { cancellation_reason: { options: ['unused'] }, enabled: true },
      },
      metadata: { a: 'b' },
    });
    expect(await account.news()).toEqual([
      'billing_portal.configuration.created',
      'billing_portal.configuration.updated',
    ]);
    expect((await configurations.list({ active: false })).data.map(({ id }) => id)).toEqual([made.id]);
    const customer = await customerWith(account);
    const refusal = await refused(
      account.stripe.billingPortal.sessions.create({ customer: customer.id, configuration: made.id }),
    );
    expect(refusal.param).toBe('configuration');
  });

  test('a session: URL, default configuration, event', async () => {
    const { session, customer } = await opened();
    expect((await account.news()).at(-1)).toBe('billing_portal.session.created');
    expect(session).toMatchObject({
      customer: customer.id,
      flow: null,
      return_url: 'https://shop.example/account',
      url: `${account.sandbox.url}/p/session/${session.id}`,
    });
    const [usual] = (await account.stripe.billingPortal.configurations.list({ is_default: true })).data;
    expect(usual.id).toBe(session.configuration);
    expect(
      (await refused(account.stripe.billingPortal.configurations.update(usual.id, { active: false }))).message,
    ).toContain('default');
    const html = await page(session.url);
    for (const text of ['Gold', '$10.00 / month', 'jenny@example.com', 'visa ending 4242', 'Cancel subscription'])
      expect(html).toContain(text);
  });

  test('cancels at the end of the period, and takes it back', async () => {
    const { session, subscription } = await opened();
    const subject = { billing_portal_session_id: session.id, subscription_id: subscription.id };
    expect(
      await happen('billing_portal.subscription_canceled', { ...subject, feedback: 'unused', comment: 'bye' }),
    ).toEqual(['customer.subscription.updated']);
    expect(await account.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      cancel_at_period_end: true,
      cancellation_details: { comment: 'bye', feedback: 'unused', reason: 'cancellation_requested' },
      status: 'active',
    });
    expect(await page(session.url)).not.toContain('>Cancel subscription<');
    expect((await press(session.url, 'Do not cancel subscription')).status).toBe(303);
    expect(await account.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: null,
    });
    await press(session.url, 'Cancel subscription');
    expect(await account.advance('32d')).toContain('customer.subscription.deleted');
  });

  test('cancels at once where the configuration says so', async () => {
    const { session, subscription } = await opened(CANCELS);
    const subject = { billing_portal_session_id: session.id, subscription_id: subscription.id };
    expect(await happen('billing_portal.subscription_canceled', subject)).toEqual(['customer.subscription.deleted']);
    await expect(happen('billing_portal.subscription_canceled', subject)).rejects.toThrow('cannot happen now');
  });

  test("only the customer's own subscriptions", async () => {
    const { session } = await opened(CANCELS);
    const other = await opened(CANCELS);
    const subject = { billing_portal_session_id: session.id, subscription_id: other.subscription.id };
    await expect(happen('billing_portal.subscription_canceled', subject)).rejects.toThrow('cannot happen now');
    await expect(happen('billing_portal.card_updated', { billing_portal_session_id: session.id })).rejects.toThrow(
      'cannot happen now',
    );
  });

  test('a new card pays from then on', async () => {
    const { session, customer } = await opened();
    const subject = { billing_portal_session_id: session.id };
    expect(await happen('billing_portal.card_updated', { ...subject, card_number: '4000000000000002' })).toEqual([
      'setup_intent.created',
      'setup_intent.setup_failed',
    ]);
    expect(await page(session.url)).toContain('Your card was declined.');
    expect(await happen('billing_portal.card_updated', { ...subject, card_number: '5555555555554444' })).toEqual([
      'setup_intent.created',
      'payment_method.attached',
      'setup_intent.succeeded',
      'customer.updated',
    ]);
    const found = await account.stripe.customers.retrieve(customer.id, {
      expand: ['invoice_settings.default_payment_method'],
    });
    expect(found).toMatchObject({
      invoice_settings: { default_payment_method: { card: { brand: 'mastercard', last4: '4444' } } },
    });
  });

  test('another plan, another address', async () => {
    const dear = await priceOf(account, 3000);
    const { session, subscription, customer } = await opened({
      customer_update: { enabled: true, allowed_updates: ['email'] },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        products: [{ product: String(dear.product), prices: [dear.id] }],
        proration_behavior: 'create_prorations',
      },
    });
    await press(session.url, 'Change to Gold (30.00 / month)');
    const changed = await account.stripe.subscriptions.retrieve(subscription.id);
    expect(changed.items.data.map((item) => item.price.id)).toEqual([dear.id]);
    await press(session.url, 'Save', { email: 'new@example.com' });
    expect(await account.stripe.customers.retrieve(customer.id)).toMatchObject({ email: 'new@example.com' });
    const subject = { billing_portal_session_id: session.id };
    await expect(happen('billing_portal.customer_updated', { ...subject, phone: '1' })).rejects.toThrow(
      "does not let 'phone' be changed",
    );
    const own = { ...subject, subscription_id: subscription.id, quantity: 2 };
    await expect(happen('billing_portal.subscription_updated', own)).rejects.toThrow(
      'does not let quantities be changed',
    );
  });

  test('flows', async () => {
    const { customer, subscription } = await opened();
    const session = await account.stripe.billingPortal.sessions.create({
      customer: customer.id,
      flow_data: {
        type: 'subscription_cancel',
        subscription_cancel: { subscription: subscription.id },
        after_completion: { type: 'redirect', redirect: { return_url: 'https://shop.example/bye' } },
      },
    });
    expect(session.flow).toMatchObject({
      after_completion: {
        type: 'redirect',
        redirect: { return_url: 'https://shop.example/bye' },
        hosted_confirmation: null,
      },
      subscription_cancel: { retention: null, subscription: subscription.id },
      subscription_update: null,
    });
    expect(await page(session.url)).not.toContain('Payment method');
    expect((await press(session.url, 'Cancel subscription')).headers.get('location')).toBe('https://shop.example/bye');
    const create = account.stripe.billingPortal.sessions.create.bind(account.stripe.billingPortal.sessions);
    const other = await customerWith(account);
    expect(
      (
        await refused(
          create({
            customer: other.id,
            flow_data: { type: 'subscription_cancel', subscription_cancel: { subscription: subscription.id } },
          }),
        )
      ).message,
    ).toContain('No such subscription for this customer');
    expect((await refused(create({ customer: customer.id, flow_data: { type: 'subscription_cancel' } }))).param).toBe(
      'flow_data[subscription_cancel]',
    );
    expect(
      (
        await refused(
          create({
            customer: customer.id,
            flow_data: { type: 'subscription_update', subscription_update: { subscription: subscription.id } },
          }),
        )
      ).param,
    ).toBe('flow_data[type]');
  });
});

describe('invoices and quotes', () => {
  test('the hosted page pays an open invoice; the PDF is one', async () => {
    const customer = await account.stripe.customers.create({ name: 'Zoë <Q>', email: 'z@example.com' });
    await account.stripe.invoiceItems.create({
      customer: customer.id,
      amount: 2500,
      currency: 'usd',
      description: 'Work (hourly)',
    });
    const draft = await account.stripe.invoices.create({
      customer: customer.id,
      pending_invoice_items_behavior: 'include',
      collection_method: 'send_invoice',
      days_until_due: 7,
    });
    const invoice = await account.stripe.invoices.finalizeInvoice(draft.id);
    const html = await page(invoice.hosted_invoice_url);
    for (const text of ['Work (hourly)', '$25.00', 'Zoë &lt;Q&gt;', String(invoice.number)])
      expect(html).toContain(text);
    const pdf = await fetch(String(invoice.invoice_pdf));
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    const text = Buffer.from(await pdf.arrayBuffer()).toString('latin1');
    expect(text).toMatch(/^%PDF-1\.4\n/);
    expect(text).toContain('Work \\(hourly\\)');
    await account.news();
    await press(String(invoice.hosted_invoice_url), 'Pay', {
      card_number: '4000000000000002',
      card_expiry: '12/30',
      card_cvc: '123',
    });
    expect(await account.news()).toEqual(expect.arrayContaining(['charge.failed', 'invoice.payment_failed']));
    expect(await page(invoice.hosted_invoice_url)).toContain('Your card was declined.');
    await press(String(invoice.hosted_invoice_url), 'Pay', {
      card_number: '4242 4242 4242 4242',
      card_expiry: '12/30',
      card_cvc: '123',
    });
    expect(await account.stripe.invoices.retrieve(invoice.id)).toMatchObject({ status: 'paid', amount_paid: 2500 });
    expect(await page(invoice.hosted_invoice_url)).not.toContain('>Pay<');
  });

  test('as a cause, for a subscription that waits for its payment', async () => {
    const customer = await customerWith(account, 'pm_card_visa');
    const price = await priceOf(account, 1000);
    const subscription = await account.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      payment_behavior: 'default_incomplete',
      expand: ['latest_invoice'],
    });
    const events = await happen('invoice.paid_on_page', { invoice_id: invoiceOf(subscription).id });
    expect(events).toEqual(expect.arrayContaining(['invoice.paid', 'customer.subscription.updated']));
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });

  test('a quote as a PDF', async () => {
    const customer = await account.stripe.customers.create({ name: 'Quincy' });
    const price = await priceOf(account, 1000);
    const quote = await account.stripe.quotes.create({
      customer: customer.id,
      line_items: [{ price: price.id, quantity: 2 }],
      header: 'For you',
    });
    await account.stripe.quotes.finalizeQuote(quote.id);
    const response = await fetch(`${account.sandbox.url}/v1/quotes/${quote.id}/pdf`, {
      headers: { Authorization: 'Bearer sk_test_lab' },
    });
    expect(response.headers.get('content-type')).toBe('application/pdf');
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    for (const part of ['For you', 'Quincy', '20.00 USD']) expect(text).toContain(part);
  });
});
