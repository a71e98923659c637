import type Stripe from 'stripe';
import { idOf, refused, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

describe('the payment of an open invoice', () => {
  async function open(): Promise<Stripe.Invoice> {
    const { id: customer } = await stripe().customers.create();
    await stripe().invoiceItems.create({ customer, amount: 1000, currency: 'usd' });
    const { id } = await stripe().invoices.create({ customer, pending_invoice_items_behavior: 'include' });
    return stripe().invoices.finalizeInvoice(id);
  }

  test('is not canceled by itself, and is when the invoice is void', async () => {
    const { id, payment_intent } = await open();
    const error = await refused(stripe().paymentIntents.cancel(idOf(payment_intent)));
    expect(error.message).toBe(
      `This PaymentIntent belongs to the invoice ${id} and cannot be canceled. Void the invoice instead.`,
    );
    await stripe().invoices.voidInvoice(id);
    expect(await stripe().paymentIntents.retrieve(idOf(payment_intent))).toMatchObject({ status: 'canceled' });
  });

  test('is not changed by itself', async () => {
    const { payment_intent } = await open();
    const error = await refused(stripe().paymentIntents.update(idOf(payment_intent), { amount: 900 }));
    expect(error.message).toContain('cannot be changed');
    const same = await stripe().paymentIntents.update(idOf(payment_intent), { amount: 1000, description: 'Thanks' });
    expect(same).toMatchObject({ amount: 1000, description: 'Thanks' });
  });
});

test('an invoice of a deleted customer falls due', async () => {
  const { id: customer } = await stripe().customers.create();
  await stripe().invoiceItems.create({ customer, amount: 1000, currency: 'usd' });
  const { id } = await stripe().invoices.create({
    customer,
    pending_invoice_items_behavior: 'include',
    collection_method: 'send_invoice',
    days_until_due: 1,
  });
  await stripe().invoices.finalizeInvoice(id);
  await stripe().customers.del(customer);
  expect(await payments.control.advance('3d')).not.toHaveProperty('failed');
  const { data } = await stripe().events.list({ type: 'invoice.overdue' });
  expect(data.map(({ data: { object } }) => (object as Stripe.Invoice).id)).toEqual([id]);
});
