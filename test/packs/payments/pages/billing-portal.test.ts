import Stripe from 'stripe';
import { refused } from '../served-payments.js';
import { customerWith, priceOf, useTestAccount } from '../test-account.js';
import { press, readPage } from '../../../support/page-forms.js';

const T0 = '2025-01-01T00:00:00Z';

const account = useTestAccount(T0);

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
      payment_method_update: { enabled: true },
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
      payment_method_update: { enabled: true },
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
  const html = await readPage(session.url);
  for (const text of ['Gold', '$10.00 / month', 'jenny@example.com', 'visa ending 4242', 'Cancel subscription'])
    expect(html).toContain(text);
});

test('cancels at the end of the period, and takes it back', async () => {
  const { session, subscription } = await opened();
  const subject = { billing_portal_session_id: session.id, subscription_id: subscription.id };
  expect(
    await account.fire('billing_portal.subscription_canceled', { ...subject, feedback: 'unused', comment: 'bye' }),
  ).toEqual(['customer.subscription.updated']);
  expect(await account.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
    cancel_at_period_end: true,
    cancellation_details: { comment: 'bye', feedback: 'unused', reason: 'cancellation_requested' },
    status: 'active',
  });
  expect(await readPage(session.url)).not.toContain('>Cancel subscription<');
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
  expect(await account.fire('billing_portal.subscription_canceled', subject)).toEqual([
    'customer.subscription.deleted',
  ]);
  await expect(account.fire('billing_portal.subscription_canceled', subject)).rejects.toThrow('cannot happen now');
});

test("only the customer's own subscriptions", async () => {
  const { session } = await opened(CANCELS);
  const other = await opened(CANCELS);
  const subject = { billing_portal_session_id: session.id, subscription_id: other.subscription.id };
  await expect(account.fire('billing_portal.subscription_canceled', subject)).rejects.toThrow('cannot happen now');
  await expect(account.fire('billing_portal.card_updated', { billing_portal_session_id: session.id })).rejects.toThrow(
    'cannot happen now',
  );
});

test('a new card pays from then on', async () => {
  const { session, customer } = await opened();
  const subject = { billing_portal_session_id: session.id };
  expect(await account.fire('billing_portal.card_updated', { ...subject, card_number: '4000000000000002' })).toEqual([
    'setup_intent.created',
    'setup_intent.setup_failed',
  ]);
  expect(await readPage(session.url)).toContain('Your card was declined.');
  expect(await account.fire('billing_portal.card_updated', { ...subject, card_number: '5555555555554444' })).toEqual([
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
    payment_method_update: { enabled: true },
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
  await expect(account.fire('billing_portal.customer_updated', { ...subject, phone: '1' })).rejects.toThrow(
    "does not let 'phone' be changed",
  );
  const own = { ...subject, subscription_id: subscription.id, quantity: 2 };
  await expect(account.fire('billing_portal.subscription_updated', own)).rejects.toThrow(
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
  expect(await readPage(session.url)).not.toContain('Payment method');
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
