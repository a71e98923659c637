import type Stripe from 'stripe';
import { refused } from '../served-payments.js';
import { customerWith, priceOf, useTestAccount } from '../test-account.js';

/** Customers who are billed in several currencies: single invoices in any, subscriptions in one at a time. */

const account = useTestAccount('2025-03-03T10:00:00Z');

async function invoiceIn(customer: string, currency: string, amount: number): Promise<Stripe.Invoice> {
  const { stripe } = account;
  const draft = await stripe.invoices.create({ customer, currency, collection_method: 'send_invoice', days_until_due: 30 });
  await stripe.invoiceItems.create({ customer, invoice: draft.id, currency, amount });
  return stripe.invoices.finalizeInvoice(draft.id);
}

test('single invoices are in any currency, and take up the items of theirs', async () => {
  const { stripe } = account;
  const { id: customer } = await customerWith(account);
  expect(await invoiceIn(customer, 'eur', 700)).toMatchObject({ currency: 'eur', total: 700, status: 'open' });
  expect(await invoiceIn(customer, 'gbp', 300)).toMatchObject({ currency: 'gbp', total: 300, status: 'open' });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ currency: 'eur' });
  await stripe.invoiceItems.create({ customer, currency: 'usd', amount: 100 });
  await stripe.invoiceItems.create({ customer, currency: 'cad', amount: 200 });
  const cad = await stripe.invoices.create({ customer, currency: 'cad', pending_invoice_items_behavior: 'include' });
  expect(cad).toMatchObject({ currency: 'cad', total: 200 });
  expect((await stripe.invoices.createPreview({ customer, currency: 'usd' })).total).toBe(100);
});

test('an item takes the currency of what bills it where its price has it, and is rejected in another one', async () => {
  const { stripe } = account;
  const { id: customer } = await customerWith(account);
  const draft = await stripe.invoices.create({ customer, currency: 'gbp' });
  const { id: product } = await stripe.products.create({ name: 'Hike' });
  const both = { product, currency: 'eur', unit_amount: 900, currency_options: { gbp: { unit_amount: 800 } } };
  const price = await stripe.prices.create(both);
  expect(await stripe.invoiceItems.create({ customer, invoice: draft.id, price: price.id })).toMatchObject({
    currency: 'gbp',
    amount: 800,
  });
  const { message } = await refused(stripe.invoiceItems.create({ customer, invoice: draft.id, currency: 'usd', amount: 1 }));
  expect(message).toBe("An invoice item in `usd` can't be billed by an invoice or a subscription in `gbp`.");
});

test('a balance is of one currency, and invoices in others leave it alone', async () => {
  const { stripe } = account;
  const { id: customer } = await customerWith(account);
  const balance = async (): Promise<unknown> => {
    const found = (await stripe.customers.retrieve(customer, { expand: ['invoice_credit_balance'] })) as Stripe.Customer;
    return [found.currency, found.balance, found.invoice_credit_balance];
  };
  await stripe.customers.createBalanceTransaction(customer, { amount: -500, currency: 'usd' });
  const credit = await stripe.customers.createBalanceTransaction(customer, { amount: -400, currency: 'cad' });
  expect(credit).toMatchObject({ currency: 'cad', ending_balance: -400 });
  expect(await balance()).toEqual(['usd', -500, { usd: -500, cad: -400 }]);
  expect(await invoiceIn(customer, 'eur', 700)).toMatchObject({ amount_due: 700, starting_balance: 0, ending_balance: 0 });
  const cad = await invoiceIn(customer, 'cad', 700);
  expect(cad).toMatchObject({ amount_due: 300, starting_balance: -400, ending_balance: 0 });
  expect(await balance()).toEqual(['usd', -500, { usd: -500 }]);
  await stripe.invoices.voidInvoice(cad.id);
  expect(await balance()).toEqual(['usd', -500, { usd: -500, cad: -400 }]);
});

test('subscriptions have one currency at a time; the next one, with nothing of the first going on, changes the customer', async () => {
  const { stripe } = account;
  const { id: customer } = await customerWith(account);
  const [dollars, euros] = [await priceOf(account, 1000), await priceOf(account, 900, 'month', 'Euro', { currency: 'eur' })];
  const first = await stripe.subscriptions.create({ customer, items: [{ price: dollars.id }] });
  const subscribe = () => stripe.subscriptions.create({ customer, items: [{ price: euros.id }] });
  expect((await refused(subscribe())).message).toMatch(/^You cannot combine currencies .* with currency usd\.$/);
  await stripe.subscriptions.cancel(first.id);
  const item = await stripe.invoiceItems.create({ customer, currency: 'usd', amount: 100 });
  expect((await refused(subscribe())).message).toContain('currency usd');
  await stripe.invoiceItems.del(item.id);
  await stripe.customers.createBalanceTransaction(customer, { amount: -500, currency: 'usd' });
  expect(await subscribe()).toMatchObject({ currency: 'eur', status: 'active' });
  expect(await stripe.customers.retrieve(customer, { expand: ['invoice_credit_balance'] })).toMatchObject({
    currency: 'eur',
    balance: 0,
    invoice_credit_balance: { usd: -500 },
  });
});
