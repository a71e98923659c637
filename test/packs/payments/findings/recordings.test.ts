/**
 * What recordings of the real vendor's test mode showed to be otherwise here: each finding's reproduction with its new answer.
 */
import type Stripe from 'stripe';
import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
import { ROOT } from '../../../support/root.js';
import { expanded, idOf, refused, servePayments } from '../served-payments.js';

const payments = servePayments();
const stripe = () => payments.stripe;

const pay = (params: Partial<Stripe.PaymentIntentCreateParams> = {}): Promise<Stripe.PaymentIntent> =>
  stripe().paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    expand: ['latest_charge'],
    ...params,
  });
const chargeOf = (intent: Stripe.PaymentIntent): Stripe.Charge => expanded(intent.latest_charge);

async function subscribed(items = 1): Promise<Stripe.Subscription> {
  const customer = await stripe().customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  });
  const prices = [];
  for (let i = 0; i < items; i++) {
    prices.push(
      await stripe().prices.create({
        currency: 'usd',
        unit_amount: 1500,
        recurring: { interval: 'month' },
        product_data: { name: `Plan ${i}` },
      }),
    );
  }
  return stripe().subscriptions.create({
    customer: customer.id,
    items: prices.map(({ id }) => ({ price: id, quantity: 2 })),
    expand: ['latest_invoice'],
  });
}

describe('A1 legacy fields', () => {
  it('a charge tells destination, dispute and order', async () => {
    expect(chargeOf(await pay())).toMatchObject({ destination: null, dispute: null, order: null });
  });

  it('a disputed charge names its dispute, and the dispute its transaction', async () => {
    const intent = await pay({ payment_method: 'pm_card_createDispute' });
    const charge = await stripe().charges.retrieve(idOf(intent.latest_charge), { expand: ['dispute'] });
    const [dispute] = (await stripe().disputes.list({ charge: charge.id })).data;
    expect(charge).toMatchObject({ dispute: { id: dispute.id, object: 'dispute' } });
    expect(dispute).toMatchObject({ balance_transaction: dispute.balance_transactions[0].id });
  });

  it('legacy cards tell their wallet', async () => {
    const token = await stripe().tokens.create({
      card: { number: '4242424242424242', exp_month: '12', exp_year: '2034' },
    } as Stripe.TokenCreateParams);
    expect(token.card).toMatchObject({ wallet: null });
  });
});

describe('A2 total_count of embedded lists', () => {
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

describe('A2b plan and quantity of a subscription', () => {
  it('are those of its only item', async () => {
    const subscription = await subscribed();
    expect(subscription).toMatchObject({ plan: { object: 'plan', amount: 1500 }, quantity: 2 });
  });

  it('are null when there are several, and come back with the last but one', async () => {
    const subscription = await subscribed(2);
    expect(subscription).toMatchObject({ plan: null, quantity: null });
    const [item] = subscription.items.data;
    await stripe().subscriptionItems.del(item.id);
    const [left] = (await stripe().subscriptions.retrieve(subscription.id)).items.data;
    expect(await stripe().subscriptions.retrieve(subscription.id)).toMatchObject({
      plan: { id: left.plan.id },
      quantity: 2,
    });
  });
});

describe('A3 destination charges', () => {
  const destination = 'acct_1PgafTB7WZ01zgMW';

  it('group what they pay, and pay it', async () => {
    const intent = await pay({ transfer_data: { destination } });
    const charge = chargeOf(intent);
    expect(intent.transfer_group).toBe(`group_${intent.id}`);
    expect(charge).toMatchObject({ transfer_group: `group_${intent.id}`, destination });
    expect(await stripe().transfers.retrieve(idOf(charge.transfer as string))).toMatchObject({
      amount: 1000,
      destination,
      source_transaction: charge.id,
      transfer_group: `group_${intent.id}`,
    });
    const { pending } = await stripe().balance.retrieve();
    expect(pending[0].amount).toBe(-59);
  });

  it('an application fee comes back, a refund can take the transfer back', async () => {
    const intent = await pay({ transfer_data: { destination }, application_fee_amount: 100 });
    expect((await stripe().balance.retrieve()).pending[0].amount).toBe(41);
    const refund = await stripe().refunds.create({
      payment_intent: intent.id,
      amount: 500,
      reverse_transfer: true,
      expand: ['transfer_reversal'],
    });
    expect(refund.transfer_reversal).toMatchObject({ amount: 500, source_refund: refund.id });
    expect(await stripe().transfers.retrieve(idOf(chargeOf(intent).transfer as string))).toMatchObject({
      amount_reversed: 500,
      reversed: false,
    });
  });

  it.each([
    ['transfer_data[destination]', () => pay({ transfer_data: { destination: '000000002' } })],
    ['destination', () => stripe().transfers.create({ amount: 1, currency: 'usd', destination: '000000002' })],
  ])('%s that is no account is unknown', async (param, call) => {
    expect(await refused(call())).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param,
      message: "No such destination: '000000002'",
    });
  });
});

describe('A4 off_session without confirm', () => {
  it('false says nothing', async () => {
    const intent = await stripe().paymentIntents.create({ amount: 100, currency: 'usd', off_session: false });
    expect(intent.status).toBe('requires_payment_method');
  });

  it('true is refused', async () => {
    expect(
      await refused(stripe().paymentIntents.create({ amount: 100, currency: 'usd', off_session: true })),
    ).toMatchObject({ statusCode: 400, param: 'off_session' });
  });
});

test.each([
  ['4000000000000002', 'pass'],
  ['4000000000009995', 'pass'],
  ['4000000000000127', 'fail'],
  ['4100000000000019', 'unavailable'],
])('A5 what the issuer said of the code of %s stays with the declined method: %s', async (number, cvc_check) => {
  const method = await stripe().paymentMethods.create({
    type: 'card',
    card: { number, exp_month: 12, exp_year: 2034, cvc: '123' },
  });
  const error = await refused(pay({ payment_method: method.id }));
  const checks = { card: { checks: { cvc_check } } };
  expect(error.raw).toMatchObject({
    payment_method: checks,
    payment_intent: { last_payment_error: { payment_method: checks } },
  });
  expect(await stripe().paymentMethods.retrieve(method.id)).toMatchObject(checks);
});

test('A6 a customer’s tax and invoice credit balance can be expanded', async () => {
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

describe('A7 every field that the vendor expands may be named', () => {
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

describe('A8, A9 test cards', () => {
  interface Row {
    readonly number: string;
    readonly country?: string;
  }
  const { rows } = parse(readFileSync(`${ROOT}/packs/payments/tables/test_cards.yaml`, 'utf8')) as {
    rows: readonly Row[];
  };
  const NUMERIC: Readonly<Record<string, string>> = {
    '000': 'US',
    '040': 'AT',
    '250': 'FR',
    '276': 'DE',
    '356': 'IN',
    '372': 'IE',
    '380': 'IT',
    '826': 'GB',
    '840': 'US',
  };

  it('the number tells the country', () => {
    for (const { number, country = 'US' } of rows) {
      const told = /^4000\d\d(\d{3})/.exec(number)?.[1] ?? '';
      if (told in NUMERIC) expect([number, country]).toEqual([number, NUMERIC[told]]);
    }
  });

  it.each([
    ['4000002500003155', 'FR'],
    ['4000003800000446', 'IT'],
    ['4000002760003184', 'DE'],
    ['4000003560000123', 'IN'],
    ['4000003560000263', 'IN'],
    ['4012888888881881', 'US'],
    ['30569309025904', 'US'],
    ['38520000023237', 'US'],
  ])('%s is of %s', async (number, country) => {
    const method = await stripe().paymentMethods.create({
      type: 'card',
      card: { number, exp_month: 12, exp_year: 2034 },
    });
    expect(method.card).toMatchObject({ country, last4: number.slice(-4) });
  });

  it.each([
    ['pm_card_discover', '9424', 'discover'],
    ['pm_card_amex', '8431', 'american_express'],
    ['pm_card_diners', '0004', 'diners_club'],
    ['pm_card_unionpay', '0005', 'union_pay'],
  ])('%s ends in %s and is shown as %s', async (id, last4, display_brand) => {
    expect((await stripe().paymentMethods.retrieve(id)).card).toMatchObject({ last4, display_brand });
  });

  it('a mandate that was canceled pays once, not again without its owner', async () => {
    const customer = (await stripe().customers.create()).id;
    const method = await stripe().paymentMethods.create({
      type: 'card',
      card: { number: '4000003560000263', exp_month: 12, exp_year: 2034 },
    });
    await pay({ customer, payment_method: method.id, setup_future_usage: 'off_session' });
    expect(await refused(pay({ customer, payment_method: method.id, off_session: true }))).toMatchObject({
      code: 'india_recurring_payment_mandate_canceled',
      message: 'The provided mandate has been canceled by the card holder.',
    });
  });
});

describe('A10, A12, A13 invoices', () => {
  it('a paid invoice does not advance any more', async () => {
    expect((await subscribed()).latest_invoice).toMatchObject({ status: 'paid', auto_advance: false });
  });

  it('an amount has a price of its own, which no list shows', async () => {
    const customer = (await stripe().customers.create()).id;
    const item = await stripe().invoiceItems.create({ customer, amount: 1000, currency: 'usd', description: 'Work' });
    expect(item.price).toMatchObject({ active: false, type: 'one_time', unit_amount: 1000 });
    const invoice = await stripe().invoices.create({ customer, pending_invoice_items_behavior: 'include' });
    expect(invoice.lines.data[0].price).toEqual(item.price);
    expect(await stripe().products.retrieve(String(item.price?.product))).toMatchObject({
      name: 'Work',
      active: false,
    });
    expect((await stripe().prices.list()).data).toEqual([]);
  });

  it('rendering and credits before tax are told', async () => {
    const { latest_invoice } = await subscribed();
    expect(latest_invoice).toMatchObject({
      rendering: { amount_tax_display: null, pdf: { page_size: 'letter' }, template: null, template_version: null },
      total_pretax_credit_amounts: [],
      lines: { data: [{ pretax_credit_amounts: [] }] },
    });
  });

  it('discounts are credits before tax', async () => {
    const customer = (await stripe().customers.create()).id;
    const coupon = (await stripe().coupons.create({ percent_off: 10 })).id;
    await stripe().invoiceItems.create({ customer, amount: 1000, currency: 'usd' });
    const invoice = await stripe().invoices.create({
      customer,
      discounts: [{ coupon }],
      pending_invoice_items_behavior: 'include',
    });
    const credit = { amount: 100, discount: invoice.discounts[0], type: 'discount' };
    expect(invoice).toMatchObject({
      total_pretax_credit_amounts: [credit],
      lines: { data: [{ pretax_credit_amounts: [credit] }] },
    });
  });
});

test('A14 a declined method may not be used again', async () => {
  const method = await stripe().paymentMethods.create({
    type: 'card',
    card: { number: '4000000000000002', exp_month: 12, exp_year: 2034 },
  });
  await refused(pay({ payment_method: method.id }));
  const again = await refused(pay({ payment_method: method.id, confirm: false }));
  expect(again.statusCode).toBe(400);
  expect(again.message).toMatch(
    /^The provided PaymentMethod was previously used with a PaymentIntent without Customer/,
  );
});

describe('A15 messages of setup intents', () => {
  it('canceled already', async () => {
    const { id } = await stripe().setupIntents.create();
    await stripe().setupIntents.cancel(id);
    expect((await refused(stripe().setupIntents.cancel(id))).message).toBe(
      'You cannot cancel this SetupIntent because it it already canceled.',
    );
  });

  it('succeeded', async () => {
    const { id } = await stripe().setupIntents.create({ payment_method: 'pm_card_visa', confirm: true });
    expect((await refused(stripe().setupIntents.cancel(id))).message).toContain(
      'may be canceled: `requires_payment_method`, `requires_confirmation`, or `requires_action`.',
    );
  });
});

test('A16 evidence is under review before it is decided; a won dispute can be refunded', async () => {
  const { id } = await pay({ payment_method: 'pm_card_createDispute' });
  const [dispute] = (await stripe().disputes.list({ payment_intent: id })).data;
  const sent = await stripe().disputes.update(dispute.id, { evidence: { uncategorized_text: 'winning_evidence' } });
  expect(sent).toMatchObject({ status: 'under_review', is_charge_refundable: false });
  expect(await stripe().disputes.retrieve(dispute.id)).toMatchObject({ status: 'won', is_charge_refundable: true });
});

test.each([
  ['FR1420041010050500013M02606', '20041', '01005'],
  ['BE68539007547034', '539', ''],
  ['DE89370400440532013000', '37040044', ''],
  ['FI2112345600000785', '123456', ''],
  ['HR1210010051863000160', '1001005', ''],
  ['DK5000400440116243', '0040', ''],
  ['IT60X0542811101000000123456', '05428', '11101'],
  ['GB29NWBK60161331926819', 'NWBK', '601613'],
])('A17 %s is of bank %s, branch %s', async (iban, bank_code, branch_code) => {
  const method = await stripe().paymentMethods.create({
    type: 'sepa_debit',
    sepa_debit: { iban },
    billing_details: { name: 'Jenny Rosen', email: 'jenny@example.com' },
  });
  expect(method.sepa_debit).toMatchObject({ bank_code, branch_code, country: iban.slice(0, 2) });
});

describe('A18 smaller ones', () => {
  it('a payment of nothing', async () => {
    const error = await refused(stripe().paymentIntents.create({ amount: 0, currency: 'usd' }));
    expect(error).toMatchObject({ code: 'parameter_invalid_integer', param: 'amount' });
    expect(error.message).toMatch(/^The amount must be greater than or equal to the minimum charge amount allowed/);
  });

  it.each([
    [undefined, 'Refund amount ($11.00) is greater than charge amount ($10.00)'],
    [100, 'Refund amount ($11.00) is greater than unrefunded amount on charge ($9.00)'],
  ])('too large a refund after one of %s', async (first, message) => {
    const payment_intent = (await pay()).id;
    if (first !== undefined) await stripe().refunds.create({ payment_intent, amount: first });
    expect((await refused(stripe().refunds.create({ payment_intent, amount: 1100 }))).message).toBe(message);
  });

  it.each([
    ['a new customer', () => stripe().customers.create({ payment_method: 'pm_card_chargeDeclined' })],
    [
      'an old one',
      async () => {
        const customer = (await stripe().customers.create()).id;
        return stripe().paymentMethods.attach('pm_card_chargeDeclined', { customer });
      },
    ],
  ])('a card that is declined while it is attached to %s has an empty param', async (_who, call) => {
    expect(await refused(call())).toMatchObject({ statusCode: 402, param: '' });
  });

  it('currencies of tokens', async () => {
    const card = { number: '4000056655665556', exp_month: '12', exp_year: '2034', currency: 'usd' };
    expect((await stripe().tokens.create({ card })).card).toMatchObject({ currency: 'usd' });
    const bank = { country: 'US', currency: 'USD', account_number: '000123456789', routing_number: '110000000' };
    expect((await stripe().tokens.create({ bank_account: bank })).bank_account).toMatchObject({ currency: 'usd' });
  });

  it.each(['True', 'TRUE', 'true', 'False', 'FALSE'])('%s is a boolean', async (word) => {
    const answer = await payments.post('/v1/products', { name: 'x', active: word });
    expect(answer.body).toMatchObject({ active: word.toLowerCase() === 'true' });
    expect((await payments.get(`/v1/products?active=${word}`)).body).toMatchObject({ data: [{ name: 'x' }] });
  });
});

describe('with the vendor’s own word', () => {
  const own = servePayments({ vars: { vendor: 'stripe' } });

  it.each([
    [
      'payment_intent_unexpected_state',
      async () => {
        const { id } = await own.stripe.paymentIntents.create({ amount: 100, currency: 'usd' });
        await own.stripe.paymentIntents.cancel(id);
        return own.stripe.paymentIntents.cancel(id);
      },
    ],
    [
      'payment_intent_unexpected_state',
      async () => {
        const { id } = await own.stripe.paymentIntents.create({ amount: 100, currency: 'usd' });
        return own.stripe.paymentIntents.capture(id);
      },
    ],
    [
      'setup_intent_unexpected_state',
      async () => {
        const { id } = await own.stripe.setupIntents.create();
        await own.stripe.setupIntents.cancel(id);
        return own.stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' });
      },
    ],
  ])('A15 state errors carry %s', async (code, call) => {
    const error = await refused(call());
    expect(error).toMatchObject({ statusCode: 400, code, type: 'StripeInvalidRequestError' });
    expect(error.doc_url).toContain(code.replaceAll('_', '-'));
  });
});

test('A15 without it they carry none, as SPEC.md has it', async () => {
  const { id } = await stripe().paymentIntents.create({ amount: 100, currency: 'usd' });
  const error = await refused(stripe().paymentIntents.capture(id));
  expect(error.code).toBeUndefined();
});

test.each(['0', '1', '2', '3'])('A19 ids of older accounts are ids: those that begin with %s', async (digit) => {
  const id = `price_${digit}AbCdEFgHiJkLmNoPqRsTuVw`;
  const product = { id: 'prod_AbCdEfGhIjKlMn', name: 'Gold' };
  const price = {
    id,
    product: product.id,
    currency: 'usd',
    unit_amount: 900,
    unit_amount_decimal: '900',
    type: 'one_time',
    billing_scheme: 'per_unit',
  };
  await payments.control.seed({ resources: { products: [product], prices: [price] } });
  expect(await stripe().prices.retrieve(id)).toMatchObject({ id, unit_amount: 900 });
});

test('A11 a customer’s card, the old word for source', async () => {
  const answer = await payments.post('/v1/customers', { card: 'tok_visa' });
  expect(answer.status).toBe(200);
  expect(answer.body['default_source']).toMatch(/^card_/);
});
