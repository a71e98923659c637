/** What simulated stories showed to be wrong (`npm run simulate`): the shortest calls that showed it, with what is right. */
import type Stripe from 'stripe';
import { idOf, refused, servePayments } from '../served-payments.js';

const payments = servePayments();
const stripe = () => payments.stripe;

const authorise = (): Promise<Stripe.PaymentIntent> =>
  stripe().paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    confirm: true,
    capture_method: 'manual',
    payment_method: 'pm_card_visa',
    payment_method_types: ['card'],
  });

describe('an authorisation that was refunded in part', () => {
  test('is canceled for what is left', async () => {
    const { id, latest_charge } = await authorise();
    await stripe().refunds.create({ charge: idOf(latest_charge), amount: 300 });
    expect(await stripe().paymentIntents.retrieve(id)).toMatchObject({ amount_capturable: 700 });
    await stripe().paymentIntents.cancel(id);
    expect(await stripe().charges.retrieve(idOf(latest_charge))).toMatchObject({
      amount_refunded: 1000,
      refunded: true,
    });
  });

  test('expires for what is left', async () => {
    const { latest_charge } = await authorise();
    await stripe().refunds.create({ charge: idOf(latest_charge), amount: 300 });
    await payments.control.advance('8d');
    expect(await stripe().charges.retrieve(idOf(latest_charge))).toMatchObject({
      amount_refunded: 1000,
      refunded: true,
    });
  });

  test('and of which nothing is left is canceled', async () => {
    const { id, latest_charge } = await authorise();
    await stripe().refunds.create({ charge: idOf(latest_charge) });
    expect(await stripe().paymentIntents.retrieve(id)).toMatchObject({ status: 'canceled', amount_capturable: 0 });
  });
});

test('a debit that is canceled while it is processing is not captured', async () => {
  const { id, latest_charge } = await stripe().paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_usBankAccount_success',
    payment_method_types: ['us_bank_account'],
    mandate_data: { customer_acceptance: { type: 'offline' } },
  });
  await stripe().paymentIntents.cancel(id);
  expect(await stripe().charges.retrieve(idOf(latest_charge))).toMatchObject({
    status: 'failed',
    captured: false,
    amount_captured: 0,
  });
});

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

test('a refund for fraud is noted at its charge', async () => {
  const { latest_charge } = await stripe().paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    payment_method_types: ['card'],
  });
  await stripe().refunds.create({ charge: idOf(latest_charge), amount: 10, reason: 'fraudulent' });
  expect(await stripe().charges.retrieve(idOf(latest_charge))).toMatchObject({
    fraud_details: { user_report: 'fraudulent' },
  });
});

test.each([
  ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', '6975'],
  ['pm_card_visa_chargeDeclinedLostCard', '9987'],
  ['pm_card_mastercard_chargeDeclinedLostCard', '4444'],
])('%s ends in %s', async (id, last4) => {
  expect((await stripe().paymentMethods.retrieve(id)).card).toMatchObject({ last4 });
});
