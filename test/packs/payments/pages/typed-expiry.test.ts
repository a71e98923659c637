import { press } from '../../../support/page-forms.js';
import { customerWith, useTestAccount } from '../test-account.js';

/** Dates of expiry on hosted pages, typed as people type them. */

const account = useTestAccount('2025-01-01T00:00:00Z');
const CARD = { card_number: '5555 5555 5555 4444', card_cvc: '123' };

/** Opens each page with a card to type, types it, and gives the months and years of what was paid or saved with. */
const PAGES: Record<string, (card: Record<string, string>) => Promise<unknown>> = {
  'a checkout session': async (card) => {
    const price_data = { currency: 'usd', unit_amount: 500, product_data: { name: 'Tea' } };
    const { id, url } = await account.stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price_data, quantity: 1 }],
      success_url: 'https://shop.example/done',
    });
    await press(String(url), 'Pay', { ...card, email: 'jenny@example.com', name: 'Jenny Rosen' });
    expect(await account.stripe.checkout.sessions.retrieve(id)).toMatchObject({ payment_status: 'paid' });
    return (await account.stripe.charges.list()).data[0].payment_method_details?.card;
  },
  'an invoice': async (card) => {
    const customer = (await account.stripe.customers.create()).id;
    await account.stripe.invoiceItems.create({ customer, amount: 500, currency: 'usd' });
    const { id } = await account.stripe.invoices.create({
      customer,
      collection_method: 'send_invoice',
      days_until_due: 7,
      pending_invoice_items_behavior: 'include',
    });
    const { hosted_invoice_url: url } = await account.stripe.invoices.finalizeInvoice(id);
    await press(String(url), 'Pay', card);
    expect(await account.stripe.invoices.retrieve(id)).toMatchObject({ status: 'paid' });
    return (await account.stripe.charges.list()).data[0].payment_method_details?.card;
  },
  'the billing portal': async (card) => {
    const { id } = await customerWith(account);
    const { url } = await account.stripe.billingPortal.sessions.create({ customer: id });
    await press(url, 'Save card', card);
    const { data } = await account.stripe.customers.listPaymentMethods(id, { type: 'card' });
    return data.find(({ card: saved }) => saved?.last4 === '4444')?.card;
  },
};

describe.each(Object.keys(PAGES))('on the page of %s', (page) => {
  test.each(['12 / 33', '12 /33', '12/33', '12/2033', '1233', '122033', '12-33', ' 12 / 2033 '])('%p', async (typed) => {
    expect(await PAGES[page]({ ...CARD, card_expiry: typed })).toMatchObject({ exp_month: 12, exp_year: 2033 });
  });
});

test.each(['1 / 33', '01/33'])('a month of one digit: %s', async (typed) => {
  expect(await PAGES['an invoice']({ ...CARD, card_expiry: typed })).toMatchObject({ exp_month: 1, exp_year: 2033 });
});

test.each([
  ['13 / 33', "Your card's expiration month is invalid."],
  ['12 / 20', "Your card's expiration year is invalid."],
  ['soon', "Your card's expiration month is invalid."],
])('no date of a card: %s', async (card_expiry, message) => {
  const customer = await customerWith(account);
  const { url } = await account.stripe.billingPortal.sessions.create({ customer: customer.id });
  const response = await press(url, 'Save card', { ...CARD, card_expiry });
  expect((await response.text()).replaceAll('&#39;', "'")).toContain(message);
});
