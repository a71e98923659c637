import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type Stripe from 'stripe';
import { describeInBrowser, openBrowser, PAGE_TIMEOUT_MS } from '../../../support/browser.js';
import { customerWith, type TestAccount, openTestAccount, priceOf } from '../../../packs/payments/test-account.js';

const T0 = '2025-01-01T00:00:00Z';

let account: TestAccount;
let browser: Browser;
let page: Page;
let shop: Server;
let shopUrl: string;
/** What the browser complains of, such as a policy that a page breaks. */
let complaints: string[];

/** Closes what was opened, so that a machine without a browser is left with a failed test and nothing that runs on. */
const closers: (() => Promise<unknown>)[] = [];

describeInBrowser('in a browser', () => {
  beforeAll(async () => {
    browser = await openBrowser();
    closers.push(() => browser.close());
    account = await openTestAccount(T0);
    closers.push(() => account.close().then(() => account.recorder.assertClean()));
    shop = createServer((req, res) => {
      res.setHeader('Content-Type', 'text/html').end(`<title>Shop</title><p>You are at ${req.url}</p>`);
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => shop.close(resolve)));
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  }, 120_000);
  beforeEach(async () => {
    await account.reset(T0);
    complaints = [];
    page = await browser.newPage();
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
    page.on('console', (message) => {
      // A status is no complaint: what a page refuses is answered with one.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterEach(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  /** A session for one shirt, or for what it says. */
  async function open(more: Partial<Stripe.Checkout.SessionCreateParams> = {}): Promise<Stripe.Checkout.Session> {
    const product = await account.stripe.products.create({ name: 'Shirt' });
    const price = await account.stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 2000 });
    const session = await account.stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: `${shopUrl}/done?session={CHECKOUT_SESSION_ID}`,
      cancel_url: `${shopUrl}/cart`,
      ...more,
    });
    await page.goto(String(session.url));
    return session;
  }

  async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  }

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const read = ({ id }: { id: string }) => account.stripe.checkout.sessions.retrieve(id);
  const BUYER = { Email: 'jenny@example.com', Name: 'Jenny Rosen' };

  test('a checkout is completed and leads back to the shop', async () => {
    const session = await open();
    await page.getByText('$20.00 USD').waitFor();
    await fill(BUYER);
    await press('Pay');
    await page.getByText(`You are at /done?session=${session.id}`).waitFor();
    const done = await read(session);
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      customer_details: { name: 'Jenny Rosen' },
    });
    await page.goBack();
    await page.reload();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  });

  test('a declined card is told, another one pays', async () => {
    const session = await open();
    await fill({ ...BUYER, 'Card number': '4000000000009995' });
    await press('Pay');
    expect(await page.getByRole('alert').textContent()).toBe('Your card has insufficient funds.');
    expect((await read(session)).status).toBe('open');
    await fill({ ...BUYER, 'Card number': '5555 5555 5555 4444' });
    await press('Pay');
    await page.waitForURL(`${shopUrl}/done?**`);
    expect((await read(session)).payment_status).toBe('paid');
  });

  test('a wrong card number is told and nothing that was filled in is lost', async () => {
    const session = await open();
    await fill({ ...BUYER, 'Card number': '4242424242424241' });
    await press('Pay');
    expect(await page.getByRole('alert').textContent()).toContain('Your card number is incorrect.');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Jenny Rosen');
    expect((await read(session)).status).toBe('open');
  });

  test('a card that asks for a confirmation', async () => {
    const session = await open({ mode: 'setup', currency: 'usd', line_items: undefined });
    await fill({ ...BUYER, 'Card number': '4000000000003220' });
    await press('Save');
    await press('Fail');
    expect((await read(session)).status).toBe('open');
    await fill({ ...BUYER, 'Card number': '4000000000003220' });
    await press('Save');
    await press('Complete');
    await page.waitForURL(`${shopUrl}/done?**`);
    expect((await read(session)).status).toBe('complete');
  });

  test('abandoned: back to the shop, or for good', async () => {
    const session = await open();
    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await page.getByText('You are at /cart').waitFor();
    expect((await read(session)).status).toBe('open');
    await page.goto(String(session.url));
    await press('Leave for good');
    await page.getByRole('heading', { name: 'This session has expired' }).waitFor();
    expect(await read(session)).toMatchObject({ status: 'expired', url: null });
  });

  test('a subscription with all that a page can ask for', async () => {
    const price = await priceOf(account, 1500);
    const coupon = await account.stripe.coupons.create({ percent_off: 50, duration: 'forever' });
    await account.stripe.promotionCodes.create({ coupon: coupon.id, code: 'HALF' });
    const session = await open({
      mode: 'subscription',
      line_items: [{ price: price.id, quantity: 1 }],
      allow_promotion_codes: true,
      billing_address_collection: 'required',
      consent_collection: { terms_of_service: 'required' },
      custom_fields: [
        {
          key: 'size',
          type: 'dropdown',
          label: { type: 'custom', custom: 'Size' },
          dropdown: { options: [{ label: 'Small', value: 'small' }] },
        },
      ],
      payment_method_types: ['card', 'us_bank_account'],
      phone_number_collection: { enabled: true },
    });
    await fill({ 'Promotion code': 'half' });
    await press('Apply');
    await page.getByText('$7.50 USD').waitFor();
    await fill({ ...BUYER, Phone: '+15555550123', Address: '1 Main St', City: 'Reno', Size: 'small' });
    await page.getByLabel('I accept the terms of service').check();
    await press('Subscribe');
    await page.waitForURL(`${shopUrl}/done?**`);
    expect(await read(session)).toMatchObject({
      amount_total: 750,
      consent: { terms_of_service: 'accepted' },
      custom_fields: [{ dropdown: { value: 'small' } }],
      customer_details: { address: { city: 'Reno' }, phone: '+15555550123' },
      payment_status: 'paid',
    });
    expect((await account.stripe.subscriptions.list()).data).toMatchObject([{ status: 'active' }]);
  });

  test('a payment link', async () => {
    const price = await priceOf(account, 1500);
    const link = await account.stripe.paymentLinks.create({
      line_items: [{ price: price.id, quantity: 1 }],
      after_completion: { type: 'redirect', redirect: { url: `${shopUrl}/thanks` } },
    });
    await page.goto(link.url);
    await press('Continue');
    await page.waitForURL('**/c/pay/**');
    await fill(BUYER);
    await press('Subscribe');
    await page.getByText('You are at /thanks').waitFor();
    expect((await account.stripe.checkout.sessions.list({ payment_link: link.id })).data).toMatchObject([
      { status: 'complete' },
    ]);
  });

  test('a hosted invoice is paid', async () => {
    const customer = await account.stripe.customers.create({ name: 'Ann' });
    await account.stripe.invoiceItems.create({
      customer: customer.id,
      amount: 4200,
      currency: 'usd',
      description: 'Work',
    });
    const draft = await account.stripe.invoices.create({
      customer: customer.id,
      pending_invoice_items_behavior: 'include',
    });
    const invoice = await account.stripe.invoices.finalizeInvoice(draft.id);
    await page.goto(String(invoice.hosted_invoice_url));
    await press('Pay');
    await page.getByText('paid', { exact: true }).waitFor();
    expect((await account.stripe.invoices.retrieve(invoice.id)).status).toBe('paid');
  });

  test('the portal: a subscription is canceled, kept, and paid with another card', async () => {
    const customer = await customerWith(account);
    const price = await priceOf(account, 1000);
    const subscription = await account.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
    });
    const session = await account.stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: `${shopUrl}/account`,
    });
    await page.goto(session.url);
    await page.getByLabel('Why do you cancel?').selectOption('too_expensive');
    await press('Cancel subscription');
    await page.getByText('Ends', { exact: true }).waitFor();
    expect(await account.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      cancel_at_period_end: true,
      cancellation_details: { feedback: 'too_expensive' },
    });
    await press('Do not cancel subscription');
    await page.getByText('Renews', { exact: true }).waitFor();
    await fill({ 'Card number': '5555555555554444' });
    await press('Save card');
    await page.getByText('mastercard ending 4444').waitFor();
    await page.getByRole('link', { name: 'Return' }).click();
    await page.getByText('You are at /account').waitFor();
    expect((await account.stripe.subscriptions.retrieve(subscription.id)).cancel_at_period_end).toBe(false);
  });
});
