import { customerWith, invoiceOf, priceOf, useTestAccount } from '../test-account.js';
import { press, readPage } from '../../../support/page-forms.js';

const T0 = '2025-01-01T00:00:00Z';

const account = useTestAccount(T0);

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
  const html = await readPage(invoice.hosted_invoice_url);
  for (const text of ['Work (hourly)', '$25.00', 'Zoë &lt;Q&gt;', String(invoice.number)]) expect(html).toContain(text);
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
  expect(await readPage(invoice.hosted_invoice_url)).toContain('Your card was declined.');
  await press(String(invoice.hosted_invoice_url), 'Pay', {
    card_number: '4242 4242 4242 4242',
    card_expiry: '12/30',
    card_cvc: '123',
  });
  expect(await account.stripe.invoices.retrieve(invoice.id)).toMatchObject({ status: 'paid', amount_paid: 2500 });
  expect(await readPage(invoice.hosted_invoice_url)).not.toContain('>Pay<');
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
  const events = await account.fire('invoice.paid_on_page', { invoice_id: invoiceOf(subscription).id });
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
  const response = await account.sandbox.send(`GET /v1/quotes/${quote.id}/pdf`);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
  for (const part of ['For you', 'Quincy', '20.00 USD']) expect(text).toContain(part);
});
