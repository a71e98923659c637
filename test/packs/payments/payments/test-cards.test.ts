import { parse } from 'yaml';
import { readFileSync } from 'node:fs';
import { ROOT } from '../../../support/root.js';
import { refused, servePayments } from '../served-payments.js';


const payments = servePayments();
const stripe = () => payments.stripe;
const pay = payments.pay;

describe('test cards', () => {
  interface Row {
    readonly name: string;
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
    for (const { name, number, country = 'US' } of rows) {
      if (name === 'threeDSecure2Required') continue; // of Ireland all the same, as recorded
      const told = /^4000\d\d(\d{3})/.exec(number)?.[1] ?? '';
      if (told in NUMERIC) expect([number, country]).toEqual([number, NUMERIC[told]]);
    }
  });

  it.each([
    ['4000002500003155', 'FR'],
    ['4000003800000446', 'IT'],
    ['4000002760003184', 'DE'],
    ['4000000000003220', 'IE'],
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

test.each([
  ['FR1420041010050500013M02606', '20041', '01005'],
  ['BE68539007547034', '539', ''],
  ['DE89370400440532013000', '37040044', ''],
  ['FI2112345600000785', '123456', ''],
  ['HR1210010051863000160', '1001005', ''],
  ['DK5000400440116243', '0040', ''],
  ['IT60X0542811101000000123456', '05428', '11101'],
  ['GB29NWBK60161331926819', 'NWBK', '601613'],
])('%s is of bank %s, branch %s', async (iban, bank_code, branch_code) => {
  const method = await stripe().paymentMethods.create({
    type: 'sepa_debit',
    sepa_debit: { iban },
    billing_details: { name: 'Jenny Rosen', email: 'jenny@example.com' },
  });
  expect(method.sepa_debit).toMatchObject({ bank_code, branch_code, country: iban.slice(0, 2) });
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

it('tokens have the currency of their bank account or card', async () => {
  const card = { number: '4000056655665556', exp_month: '12', exp_year: '2034', currency: 'usd' };
  expect((await stripe().tokens.create({ card })).card).toMatchObject({ currency: 'usd' });
  const bank = { country: 'US', currency: 'USD', account_number: '000123456789', routing_number: '110000000' };
  expect((await stripe().tokens.create({ bank_account: bank })).bank_account).toMatchObject({ currency: 'usd' });
});
