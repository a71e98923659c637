import type Newest from 'stripe-newest';
import { ConformanceRecorder } from '../../../../tools/develop/conformance/index.js';
import { newest, newestClient } from '../newest-client.js';
import { servePayments } from '../served-payments.js';

/** What only newer clients call: payments that are made elsewhere and attached, methods that are left out. */

const payments = servePayments();
let recorder: ConformanceRecorder;
let client: Newest;
beforeEach(() => {
  recorder = new ConformanceRecorder({ vendorWord: 'vendor' }, newest);
  client = newestClient(payments, recorder);
});
afterEach(() => recorder.assertClean());

/** An open invoice of 20.00 that nobody has tried to collect. */
async function openInvoice(): Promise<Newest.Invoice> {
  const customer = await client.customers.create({ email: 'ann@example.com' });
  await client.invoiceItems.create({ customer: customer.id, amount: 2000, currency: 'usd' });
  const { id } = await client.invoices.create({
    customer: customer.id,
    collection_method: 'send_invoice',
    days_until_due: 30,
    pending_invoice_items_behavior: 'include',
  });
  return client.invoices.finalizeInvoice(id, { expand: ['payments'] });
}

const pay = (more: Partial<Newest.PaymentIntentCreateParams> = {}): Promise<Newest.PaymentIntent> =>
  client.paymentIntents.create({ amount: 2000, currency: 'usd', ...more });

const CONFIRMED = { payment_method: 'pm_card_visa', confirm: true, return_url: 'https://example.com/' };

describe('payments that are attached to an invoice', () => {
  test('one that has succeeded pays it at once, and its own is given up', async () => {
    const invoice = await openInvoice();
    const own = invoice.payments?.data[0].payment.payment_intent;
    const intent = await pay(CONFIRMED);
    const types = await payments.typesOf(async () => {
      const paid = await client.invoices.attachPayment(invoice.id, { payment_intent: intent.id, expand: ['payments'] });
      expect(paid).toMatchObject({ status: 'paid', amount_paid: 2000, amount_remaining: 0 });
      expect(paid.payments?.data).toMatchObject([
        { status: 'paid', is_default: false, amount_paid: 2000, payment: { payment_intent: intent.id } },
      ]);
      const { data } = await client.invoicePayments.list({
        payment: { type: 'payment_intent', payment_intent: intent.id },
      });
      expect(data.map(({ id }) => id)).toEqual(paid.payments?.data.map(({ id }) => id));
    });
    expect(types).toEqual(expect.arrayContaining(['payment_intent.canceled', 'invoice.paid', 'invoice_payment.paid']));
    expect((await client.paymentIntents.retrieve(String(own))).status).toBe('canceled');
    const [event] = (await client.events.list({ type: 'invoice_payment.paid' })).data;
    const [listed] = (await client.invoicePayments.list({ invoice: invoice.id })).data;
    expect((event.data.object as Newest.InvoicePayment).id).toBe(listed.id);
  });

  test('one that succeeds later pays it then', async () => {
    const invoice = await openInvoice();
    const intent = await pay();
    const open = await client.invoices.attachPayment(invoice.id, { payment_intent: intent.id, expand: ['payments'] });
    expect([open.status, open.payments?.data[0].status]).toEqual(['open', 'open']);
    await client.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_visa',
      return_url: 'https://example.com/',
    });
    expect((await client.invoices.retrieve(invoice.id)).status).toBe('paid');
  });

  test('what cannot be attached is refused, and says why', async () => {
    const invoice = await openInvoice();
    const why = async (params: Newest.InvoiceAttachPaymentParams, id = invoice.id): Promise<unknown> => {
      const error = await client.invoices.attachPayment(id, params).catch((each: unknown) => each as Error);
      return (error as Error).message;
    };
    const other = await pay({ currency: 'eur' });
    expect(await why({})).toMatch(/Missing required param: payment_intent/);
    expect(await why({ payment_record: 'pr_1' })).toMatch(/No such payment record: 'pr_1'/);
    expect(await why({ payment_intent: other.id })).toMatch(/its currency is not that of the invoice/);
    expect(await why({ payment_intent: (await pay({ amount: 500 })).id })).toMatch(/the whole rest, 2000/);
    const intent = await pay(CONFIRMED);
    await client.invoices.attachPayment(invoice.id, { payment_intent: intent.id });
    expect(await why({ payment_intent: (await pay()).id })).toMatch(/isn't open/);
    expect(await why({ payment_intent: intent.id }, (await openInvoice()).id)).toMatch(/belongs to the invoice/);
  });
});

describe('methods that are left out', () => {
  test('an intent with automatic methods takes all others', async () => {
    const intent = await pay({ excluded_payment_method_types: ['us_bank_account', 'klarna'] });
    expect(intent.excluded_payment_method_types).toEqual(['us_bank_account', 'klarna']);
    const debit = { return_url: 'https://example.com/', payment_method: 'pm_usBankAccount_success' };
    await expect(client.paymentIntents.confirm(intent.id, debit)).rejects.toThrow(
      /excluded_payment_method_types include/,
    );
    const free = await client.paymentIntents.update(intent.id, { excluded_payment_method_types: '' });
    expect(free.excluded_payment_method_types).toBeNull();
    const confirmed = await client.paymentIntents.confirm(intent.id, { ...CONFIRMED, confirm: undefined } as never);
    expect(confirmed.status).toBe('succeeded');
  });

  test('so do setups and sessions', async () => {
    const setup = await client.setupIntents.create({ excluded_payment_method_types: ['card'] });
    expect([setup.excluded_payment_method_types, setup.payment_method_types]).toEqual([['card'], []]);
    await expect(
      client.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa', return_url: 'https://example.com/' }),
    ).rejects.toThrow(/not allowed for this SetupIntent/);
    const session = await client.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'Book' } }, quantity: 1 }],
      success_url: 'https://example.com/',
      excluded_payment_method_types: ['klarna', 'card'],
    });
    expect(session.excluded_payment_method_types).toEqual(['klarna', 'card']);
    await expect(
      payments.control.event('checkout.session.completed', { checkout_session_id: session.id }),
    ).rejects.toThrow(/excluded_payment_method_types/);
  });
});
