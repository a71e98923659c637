import type Stripe from 'stripe';
import { readFileSync } from 'node:fs';
import { ROOT } from '../../../support/root.js';
import { chargeOf, idOf, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;
const pay = payments.pay;

const subscribed = payments.subscribed;
describe('total_count of embedded lists', () => {
  it.each([
    ['charge.refunds', async () => (await pay({ expand: ['latest_charge.refunds'] })).latest_charge, 'refunds', 0],
    ['subscription.items', () => subscribed(2), 'items', 2],
    ['invoice.lines', async () => (await subscribed()).latest_invoice, 'lines', 1],
    [
      'customer.sources',
      () => stripe().customers.create({ source: 'tok_visa', expand: ['sources'] } as Stripe.CustomerCreateParams),
      'sources',
      1,
    ],
    ['customer.subscriptions', () => stripe().customers.create({ expand: ['subscriptions'] }), 'subscriptions', 0],
    ['customer.tax_ids', () => stripe().customers.create({ expand: ['tax_ids'] }), 'tax_ids', 0],
  ] as const)('%s', async (_name, make, field, total) => {
    expect(await make()).toMatchObject({ [field]: { object: 'list', total_count: total } });
  });

  it('transfer.reversals', async () => {
    const charge = chargeOf(await pay({ transfer_data: { destination: 'acct_1PgafTB7WZ01zgMW' } }));
    const transfer = await stripe().transfers.retrieve(idOf(charge.transfer));
    expect(transfer.reversals).toMatchObject({ total_count: 0 });
  });

  it('a list of its own has none, as the vendor’s', async () => {
    expect(await stripe().charges.list()).not.toHaveProperty('total_count');
  });
});

test('a customer’s tax and invoice credit balance can be expanded', async () => {
  const customer = await stripe().customers.create({
    address: { country: 'DE' },
    tax: { ip_address: '203.0.113.5' },
    expand: ['tax', 'invoice_credit_balance'],
  });
  expect(customer).toMatchObject({
    invoice_credit_balance: {},
    tax: { automatic_tax: 'not_collecting', ip_address: '203.0.113.5', location: { country: 'DE' } },
  });
});

/** Fields of the client's types that may be an id or an object: the vendor expands each of them. */
function expandable(declared: string, name: string): string[] {
  const text = readFileSync(`${ROOT}/node_modules/stripe/types/${declared}.d.ts`, 'utf8');
  const start = text.indexOf(`interface ${name} {`);
  const body = text.slice(start, text.indexOf('\n    }\n', start));
  return [...body.matchAll(/^ {6}(\w+)\??:([^;{]*);/gm)]
    .filter(([, , type]) => /\bstring\b/.test(type) && /Stripe\.(?!\w+\.)\w+/.test(type))
    .map(([, field]) => field);
}

describe('every field that the vendor expands may be named', () => {
  const transferred = () => pay({ transfer_data: { destination: 'acct_1PgafTB7WZ01zgMW' } });
  it.each([
    ['Charges', 'Charge', async () => `/v1/charges/${idOf((await pay()).latest_charge)}`],
    ['PaymentIntents', 'PaymentIntent', async () => `/v1/payment_intents/${(await pay()).id}`],
    ['SetupIntents', 'SetupIntent', async () => `/v1/setup_intents/${(await stripe().setupIntents.create()).id}`],
    ['Subscriptions', 'Subscription', async () => `/v1/subscriptions/${(await subscribed()).id}`],
    ['Invoices', 'Invoice', async () => `/v1/invoices/${idOf((await subscribed()).latest_invoice)}`],
    ['Customers', 'Customer', async () => `/v1/customers/${(await stripe().customers.create()).id}`],
    ['Products', 'Product', async () => `/v1/products/${(await stripe().products.create({ name: 'x' })).id}`],
    ['Transfers', 'Transfer', async () => `/v1/transfers/${idOf(chargeOf(await transferred()).transfer as string)}`],
    [
      'Refunds',
      'Refund',
      async () => `/v1/refunds/${(await stripe().refunds.create({ payment_intent: (await pay()).id })).id}`,
    ],
  ])('%s', async (declared, name, make) => {
    const fields = expandable(declared, name);
    expect(fields.length).toBeGreaterThan(0);
    const path = await make();
    for (const field of fields) {
      const answer = await payments.get(`${path}?expand[]=${field}`);
      expect([field, answer.status]).toEqual([field, 200]);
    }
  });

  it('what is left out stays as it is, whatever is asked for below it', async () => {
    const charge = idOf((await transferred()).latest_charge);
    const answer = await payments.get(
      `/v1/charges/${charge}?expand[]=transfer.reversals.data&expand[]=application_fee.account&expand[]=destination`,
    );
    expect(answer.body).toMatchObject({ application_fee: null, transfer: { object: 'transfer' } });
  });
});
