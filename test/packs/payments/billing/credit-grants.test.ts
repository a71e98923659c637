import type Stripe from 'stripe';
import { refused } from '../served-payments.js';
import { at, customerWith, useTestAccount } from '../test-account.js';

/** Credit that customers are given: what it pays of metered lines, what is left, and what ends it. */

const account = useTestAccount('2025-03-03T10:00:00Z');
let customer: Stripe.Customer;
let subscription: Stripe.Subscription;

/** Usage is billed at a dollar each; five dollars are billed beside it. */
beforeEach(async () => {
  const { stripe } = account;
  const meter = await stripe.billing.meters.create({
    display_name: 'Calls',
    event_name: 'calls',
    default_aggregation: { formula: 'sum' },
  });
  const { id: product } = await stripe.products.create({ name: 'Calls' });
  const metered = { interval: 'month', usage_type: 'metered', meter: meter.id } as const;
  const usage = await stripe.prices.create({ product, currency: 'usd', unit_amount: 100, recurring: metered });
  const fixed = await stripe.prices.create({ product, currency: 'usd', unit_amount: 500, recurring: { interval: 'month' } });
  customer = await customerWith(account);
  subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: usage.id }, { price: fixed.id }] });
  await stripe.billing.meterEvents.create({ event_name: 'calls', payload: { stripe_customer_id: customer.id, value: '10' } });
});

const grant = (value: number, more: Partial<Stripe.Billing.CreditGrantCreateParams> = {}) =>
  account.stripe.billing.creditGrants.create({
    customer: customer.id,
    amount: { monetary: { currency: 'usd', value }, type: 'monetary' },
    applicability_config: { scope: { price_type: 'metered' } },
    category: 'paid',
    ...more,
  });

/** What the customer has left, in each currency. */
async function left(filter: Stripe.Billing.CreditBalanceSummaryRetrieveParams.Filter = ALL): Promise<unknown> {
  const { balances } = await account.stripe.billing.creditBalanceSummary.retrieve({ customer: customer.id, filter });
  return balances.map(({ available_balance: { monetary } }) => monetary?.value);
}
const ALL = { type: 'applicability_scope', applicability_scope: { price_type: 'metered' } } as const;

const movements = async () => (await account.stripe.billing.creditBalanceTransactions.list({ customer: customer.id })).data;

async function renewal(): Promise<Stripe.Invoice> {
  await account.advance(at('2025-04-03T11:30:00Z'));
  return (await account.stripe.invoices.list({ subscription: subscription.id })).data[0];
}

test('credit pays metered lines only, and a voided invoice gives it back', async () => {
  const made = await grant(300, { name: 'Prepaid' });
  expect(made).toMatchObject({ object: 'billing.credit_grant', effective_at: account.now(), expires_at: null, voided_at: null });
  const invoice = await renewal();
  expect(invoice).toMatchObject({ subtotal: 1500, total: 1200, amount_paid: 1200 });
  const [debit, credit] = await movements();
  expect(invoice.total_pretax_credit_amounts).toEqual([
    { amount: 300, credit_balance_transaction: debit.id, type: 'credit_balance_transaction' },
  ]);
  const [line] = invoice.lines.data.filter(({ pretax_credit_amounts }) => pretax_credit_amounts?.length);
  expect(line.amount).toBe(1000);
  expect(debit.debit).toMatchObject({ type: 'credits_applied', credits_applied: { invoice: invoice.id, invoice_line_item: line.id } });
  expect(credit.credit).toMatchObject({ type: 'credits_granted', amount: { monetary: { value: 300 } } });
  expect(await left({ type: 'credit_grant', credit_grant: made.id })).toEqual([0]);
});

test('a voided invoice gives credit back', async () => {
  await account.stripe.subscriptions.update(subscription.id, { collection_method: 'send_invoice', days_until_due: 30 });
  await grant(300);
  const invoice = await renewal();
  expect(await left()).toEqual([0]);
  await account.stripe.invoices.voidInvoice(invoice.id);
  expect(await left()).toEqual([300]);
  expect((await movements())[0].credit).toMatchObject({
    type: 'credits_application_invoice_voided',
    credits_application_invoice_voided: { invoice: invoice.id },
  });
});

test('credit is used by what ends first, then what was not paid for; tax is of what is left', async () => {
  const rate = await account.stripe.taxRates.create({ display_name: 'Tax', percentage: 10, inclusive: false });
  await account.stripe.subscriptions.update(subscription.id, { default_tax_rates: [rate.id] });
  const paid = await grant(400);
  const promotional = await grant(400, { category: 'promotional' });
  const ending = await grant(400, { expires_at: at('2025-06-01T00:00:00Z') });
  const later = await grant(400, { effective_at: at('2025-05-01T00:00:00Z') });
  const invoice = await renewal();
  expect(invoice).toMatchObject({ subtotal: 1500, tax: 50, total: 550 });
  const order = [];
  for (const { id } of [paid, promotional, ending, later]) order.push(await left({ type: 'credit_grant', credit_grant: id }));
  expect(order).toEqual([[200], [0], [0], [0]]);
});

test('credit ends by time, by a call, or is voided while none of it was used', async () => {
  const { creditGrants } = account.stripe.billing;
  const ending = await grant(100, { expires_at: at('2025-03-10T00:00:00Z') });
  const expired = await grant(200);
  const voided = await grant(400);
  const used = await grant(800);
  expect(await creditGrants.expire(expired.id)).toMatchObject({ expires_at: account.now() });
  expect(await creditGrants.voidGrant(voided.id)).toMatchObject({ voided_at: account.now() });
  expect(await left()).toEqual([900]);
  await creditGrants.update(used.id, { metadata: { batch: '7' } });
  expect(await account.advance(at('2025-03-11T00:00:00Z'))).toContain('billing.credit_balance_transaction.created');
  expect(await left()).toEqual([800]);
  expect((await movements()).map(({ debit }) => debit?.type)).toEqual([
    'credits_expired', 'credits_voided', 'credits_expired', undefined, undefined, undefined, undefined,
  ]);
  for (const id of [ending.id, expired.id, voided.id])
    expect((await refused(creditGrants.voidGrant(id))).message).toContain('cannot be voided');
  await renewal();
  expect((await refused(creditGrants.voidGrant(used.id))).message).toContain('applied to invoices');
  expect(await refused(grant(1, { expires_at: account.now() }))).toMatchObject({ param: 'expires_at' });
  expect((await creditGrants.list({ customer: customer.id })).data.map(({ id }) => id)).toEqual([used.id, voided.id, expired.id, ending.id]);
  expect(await creditGrants.retrieve(used.id)).toMatchObject({ metadata: { batch: '7' } });
});
