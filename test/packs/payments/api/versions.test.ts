import Stripe from 'stripe';
import type Newest from 'stripe-newest';
import { ConformanceRecorder } from '../../../../tools/develop/conformance/index.js';
import { WebhookReceiver } from '../../../support/webhook-receiver.js';
import { newest, newestClient } from '../newest-client.js';
import { DAY, type Payments, servePayments, T0, VERSION } from '../served-payments.js';

/** A date as applications make it; a missing one would be an invalid date. */
function day(seconds: number | undefined): string {
  return new Date((seconds ?? NaN) * 1000).toISOString().slice(0, 10);
}

describe('the newest client in its own version', () => {
  const payments = servePayments({ vars: { vendor: 'stripe' } });
  const recorder = new ConformanceRecorder({ vendorWord: 'stripe' }, newest);
  const client = (): Newest => newestClient(payments, recorder);
  afterAll(() => recorder.assertClean());

  async function customer(stripe: Newest) {
    return stripe.customers.create({
      email: 'jenny@example.com',
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    });
  }

  it('bills: a subscription is paid by the secret of its invoice, renewed, and its dates are dates', async () => {
    const stripe = client();
    const { id } = await customer(stripe);
    const price = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 1500,
      recurring: { interval: 'month' },
      product_data: { name: 'Gold' },
    });
    expect(price.unit_amount_decimal?.toString()).toBe('1500');
    const made = await stripe.subscriptions.create({
      customer: id,
      items: [{ price: price.id }],
      payment_behavior: 'default_incomplete',
      expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
    });
    expect([made.items.data[0].current_period_start, made.items.data[0].current_period_end].map(day)).toEqual([
      '2025-01-15',
      '2025-02-15',
    ]);
    const invoice = made.latest_invoice as Newest.Invoice;
    expect(invoice.parent?.subscription_details?.subscription).toBe(made.id);
    expect(invoice.lines.data[0].pricing?.price_details?.price).toBe(price.id);
    const secret = invoice.confirmation_secret?.client_secret ?? '';
    const [payment] = invoice.payments?.data ?? [];
    const intent = payment.payment.payment_intent as string;
    expect(secret.startsWith(`${intent}_secret_`)).toBe(true);
    expect(payment).toMatchObject({ status: 'open', amount_requested: 1500, is_default: true });
    await stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    const found = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intent },
      expand: ['data.payment.payment_intent'],
    });
    expect(found.data).toMatchObject([
      {
        id: payment.id,
        invoice: invoice.id,
        status: 'paid',
        payment: { payment_intent: { id: intent, status: 'succeeded' } },
      },
    ]);
    await payments.control.advance('32d');
    const renewed = await stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice'] });
    expect(day(renewed.items.data[0].current_period_end)).toBe('2025-03-15');
    expect((renewed.latest_invoice as Newest.Invoice).status).toBe('paid');
  });

  it('takes payments, refuses what its version refuses, and shows discounts in its shape', async () => {
    const stripe = client();
    const { id } = await customer(stripe);
    const paid = await stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      customer: id,
      payment_method: 'pm_card_visa',
      confirm: true,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      capture_method: 'automatic',
      expand: ['latest_charge.balance_transaction'],
    });
    expect(paid).toMatchObject({
      status: 'succeeded',
      latest_charge: { balance_transaction: { balance_type: 'payments' } },
    });
    expect(paid).not.toHaveProperty('invoice');
    const refund = await stripe.refunds.create({ payment_intent: paid.id });
    expect(refund.customer).toBe(id);
    const coupon = await stripe.coupons.create({ percent_off: 25, duration: 'forever' });
    const code = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id } });
    expect(code.promotion).toEqual({ type: 'coupon', coupon: coupon.id });
    const old = { coupon: coupon.id } as unknown as Newest.PromotionCodeCreateParams;
    await expect(stripe.promotionCodes.create(old)).rejects.toMatchObject({
      code: 'parameter_unknown',
      param: 'coupon',
    });
    const types = { amount: 100, currency: 'usd', payment_method_types: ['card'] } as Newest.PaymentIntentCreateParams;
    await expect(stripe.paymentIntents.create(types)).rejects.toMatchObject({
      code: 'payment_method_types_no_longer_supported',
    });
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      ui_mode: 'hosted_page',
      success_url: 'https://example.com/done',
      line_items: [{ price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'T' } }, quantity: 1 }],
    });
    expect(session.ui_mode).toBe('hosted_page');
  });

  it('the same object in two versions', async () => {
    const stripe = client();
    const price = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 1500,
      recurring: { interval: 'month' },
      product_data: { name: 'Gold' },
    });
    const { id } = await stripe.subscriptions.create({
      customer: (await customer(stripe)).id,
      items: [{ price: price.id }],
    });
    const now = await stripe.subscriptions.retrieve(id);
    const before = await payments.stripe.subscriptions.retrieve(id);
    expect(before.current_period_end).toBe(now.items.data[0].current_period_end);
    expect(now).not.toHaveProperty('current_period_end');
    expect(before.items.data[0]).not.toHaveProperty('current_period_end');
  });
});

describe('the version of events', () => {
  const payments = servePayments({ vars: { vendor: 'stripe', api_version: '2026-10-28.endive' } }, newest);
  const recorder = new ConformanceRecorder({ vendorWord: 'stripe' }, newest);
  afterAll(() => recorder.assertClean());
  let receiver: WebhookReceiver;
  beforeEach(async () => (receiver = await WebhookReceiver.start()));
  afterEach(() => receiver.stop());

  it("is the account's, or the endpoint's own; none is written anew for who asks in another one", async () => {
    const stripe = newestClient(payments, recorder);
    const enabled_events = ['customer.subscription.updated' as const];
    await stripe.webhookEndpoints.create({ url: `${receiver.url}/new`, enabled_events });
    await stripe.webhookEndpoints.create({ url: `${receiver.url}/old`, enabled_events, api_version: VERSION });
    const price = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 900,
      recurring: { interval: 'month' },
      product_data: { name: 'Gold' },
    });
    const { id } = await stripe.customers.create({
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    });
    await stripe.subscriptions.create({ customer: id, items: [{ price: price.id }] });
    await payments.control.advance('32d');
    await payments.control.flush();
    const [own, account] = ['/old', '/new'].map((path) => {
      const found = receiver.received
        .filter((each) => each.path === path)
        .map(({ body }) => JSON.parse(body) as Stripe.Event);
      return found[found.length - 1];
    });
    expect([own.api_version, account.api_version]).toEqual([VERSION, '2026-10-28.endive']);
    expect(own.id).toBe(account.id);
    expect(own.data.previous_attributes).toMatchObject({ current_period_end: T0 + 31 * DAY });
    expect(account.data.previous_attributes).toMatchObject({
      items: { data: [{ current_period_end: T0 + 31 * DAY }] },
    });
    expect(account.data.object).not.toHaveProperty('current_period_end');
    const asked = await payments.get(`/v1/events/${own.id}`, { 'Stripe-Version': VERSION });
    expect(asked.body).toMatchObject({ api_version: '2026-10-28.endive', data: account.data });
  });
});

describe('versions that are asked for', () => {
  const strict = servePayments();
  const told: string[] = [];
  const lenient = servePayments({
    lenientVersions: true,
    onNearVersion: (...names) => void told.push(names.join(' as ')),
  });
  const ask = (payments: Payments, version: string) =>
    payments.get('/v1/customers', { 'Vendor-Version': version });

  it.each(['2025-05-01.basil', '2025-03-31.clover', '2027-01-01.fern', '2026-12-31.dahlia'])(
    '%s is refused',
    async (version) => {
      const { status, body } = await ask(strict, version);
      expect([status, body]).toMatchObject([400, { error: { message: `Invalid Vendor API version: ${version}` } }]);
    },
  );

  it.each(['2026-12-16.endive', '2027-02-24.endive'])('%s is newer and changes nothing', async (version) => {
    const { status, headers } = await ask(strict, version);
    expect([status, headers.get('vendor-version'), headers.get('x-mock-version')]).toEqual([200, version, null]);
  });

  it('an older one is answered in the base, and the answer says so', async () => {
    const answer = await ask(strict, '2023-10-16');
    expect([answer.headers.get('vendor-version'), answer.headers.get('x-mock-version')]).toEqual([
      '2023-10-16',
      VERSION,
    ]);
    expect(await strict.trace(answer)).toMatchObject({ version: { asked: '2023-10-16', answered: VERSION } });
  });

  it('on request the nearest one answers, which is told once', async () => {
    for (const version of ['2025-05-01.basil', '2025-05-01.basil', '2027-01-01.fern']) await ask(lenient, version);
    expect(told).toEqual(['2025-05-01.basil as 2025-03-31.basil', '2027-01-01.fern as 2026-09-30.endive']);
    expect((await ask(lenient, 'nonsense')).status).toBe(400);
  });

  it('calls that a version has not got are unknown in it', async () => {
    const gone = await strict.get('/v1/invoice_payments');
    expect([gone.status, (gone.body as { error: { type: string } }).error.type]).toEqual([
      404,
      'invalid_request_error',
    ]);
    const upcoming = { 'Vendor-Version': '2025-03-31.basil' };
    expect((await strict.get('/v1/invoices/upcoming', upcoming)).status).toBe(404);
    expect((await strict.get('/v1/invoice_payments', upcoming)).status).toBe(200);
  });
});
