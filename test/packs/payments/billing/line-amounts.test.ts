import type Stripe from 'stripe';
import { idOf, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;

const invoiceOf = async (lines: Stripe.InvoiceAddLinesParams.Line[]) => {
  const customer = (await stripe().customers.create()).id;
  const { id } = await stripe().invoices.create({ customer });
  return stripe().invoices.addLines(id, { lines });
};
const tax = (amount: number, inclusive: boolean): Stripe.InvoiceAddLinesParams.Line.TaxAmount => ({
  amount,
  tax_rate_data: { display_name: 'VAT', inclusive, percentage: 20 },
  taxable_amount: 1000,
});

it.each([
  ['exclusive', false, 1200, 1000],
  ['inclusive', true, 1000, 800],
])('tax amounts of lines count: %s', async (_name, inclusive, total, total_excluding_tax) => {
  const invoice = await invoiceOf([{ amount: 1000, tax_amounts: [tax(200, inclusive)] }]);
  expect(invoice).toMatchObject({
    total,
    total_excluding_tax,
    tax: 200,
    total_tax_amounts: [{ amount: 200, inclusive }],
  });
  const [line] = invoice.lines.data;
  const rate = await stripe().taxRates.retrieve(idOf(line.tax_amounts[0].tax_rate));
  expect(rate).toMatchObject({ active: false, display_name: 'VAT', percentage: 20 });
  const without = await stripe().invoices.updateLines(invoice.id, { lines: [{ id: line.id, tax_amounts: '' }] });
  expect(without).toMatchObject({ total: 1000, total_tax_amounts: [] });
});

it('an amount off is shared among prorated items', async () => {
  const customer = (
    await stripe().customers.create({
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    })
  ).id;
  const prices = [];
  for (const unit_amount of [1000, 3000]) {
    prices.push(
      await stripe().prices.create({
        currency: 'usd',
        unit_amount,
        recurring: { interval: 'month' },
        product_data: { name: 'x' },
      }),
    );
  }
  const coupon = await stripe().coupons.create({ amount_off: 800, currency: 'usd', duration: 'forever' });
  const { id, items } = await stripe().subscriptions.create({
    customer,
    items: prices.map((price) => ({ price: price.id })),
    discounts: [{ coupon: coupon.id }],
  });
  await stripe().subscriptions.update(id, { items: [{ id: items.data[1].id, quantity: 2 }] });
  const prorations = (await stripe().invoiceItems.list({ customer })).data.map(({ amount }) => amount);
  // Of 4,000 800 are off: 600 of the 3,000. Of 7,000 it is 686 of the 6,000.
  expect(prorations.toSorted((a, b) => a - b)).toEqual([-2400, 5314]);
});
