import { servePayments } from '../served-payments.js';
import { type RecordedError, serveRecorded } from '../recorded-calls.js';

/** How the vendor says that an object is not there, or that a list cannot be cut so. */

const vendor = serveRecorded();
const specified = servePayments();

test.each<[string, string, string | null, Record<string, string>]>([
  ['GET /v1/customers/cus_nope', "No such customer: 'cus_nope'", 'id', {}],
  ['GET /v1/payment_intents/pi_nope', "No such payment_intent: 'pi_nope'", 'intent', {}],
  ['POST /v1/payment_intents/pi_nope/confirm', "No such payment_intent: 'pi_nope'", 'intent', {}],
  ['GET /v1/setup_intents/seti_nope', "No such setupintent: 'seti_nope'", 'intent', {}],
  ['GET /v1/payment_methods/pm_nope', "No such PaymentMethod: 'pm_nope'", 'payment_method', {}],
  ['GET /v1/charges/ch_nope', "No such charge: 'ch_nope'", 'id', {}],
  ['GET /v1/prices/price_nope', "No such price: 'price_nope'", 'price', {}],
  ['GET /v1/products/prod_nope', "No such product: 'prod_nope'", 'id', {}],
  ['GET /v1/coupons/nope', "No such coupon: 'nope'", 'coupon', {}],
  ['GET /v1/promotion_codes/promo_nope', "No such promotion code: 'promo_nope'", 'promotion_code', {}],
  ['GET /v1/tax_rates/txr_nope', "No such tax rate: 'txr_nope'", 'tax_rate', {}],
  ['GET /v1/disputes/du_nope', "No such dispute: 'du_nope'", 'dispute', {}],
  ['GET /v1/payouts/po_nope', "No such payout: 'po_nope'", 'payout', {}],
  ['POST /v1/payouts/po_nope/cancel', "No such payout: 'po_nope'", 'payout', {}],
  ['GET /v1/subscriptions/sub_nope', "No such subscription: 'sub_nope'", 'id', {}],
  ['GET /v1/invoiceitems/ii_nope', "No such Invoice Item: 'ii_nope'(livemode=false)", 'id', {}],
  ['GET /v1/invoices/in_nope', "No such invoice: 'in_nope'", 'invoice', {}],
  ['DELETE /v1/invoices/in_nope', "No such invoice: 'in_nope'", 'invoice', {}],
  ['POST /v1/invoices/in_nope/send', "No such invoice: 'in_nope'", 'invoice', {}],
  ['POST /v1/invoices/in_nope/add_lines', "No such invoice: 'in_nope'", 'invoice', { 'lines[0][amount]': '5' }],
  ['POST /v1/invoices/in_nope', "No such invoice: 'in_nope'", 'id', {}],
  ['POST /v1/invoices/in_nope/pay', "No such invoice: 'in_nope'", 'id', {}],
  ['POST /v1/invoices/in_nope/finalize', "No such invoice: 'in_nope'", 'id', {}],
  ['POST /v1/invoices/in_nope/void', "No such invoice: 'in_nope'", 'id', {}],
  ['POST /v1/refunds', "No such charge: 'ch_nope'", 'id', { charge: 'ch_nope' }],
])('%s: "%s" of %s', async (line, message, param, fields) => {
  expect(await vendor.error(line, fields)).toEqual([404, 'resource_missing', param, message]);
});

test('items of subscriptions have neither code nor parameter', async () => {
  const error: RecordedError = [404, null, null, 'Invalid subscription_item id: si_nope'];
  expect(await vendor.error('GET /v1/subscription_items/si_nope')).toEqual(error);
});

test('without the vendor, the parameter is id', async () => {
  for (const path of ['/v1/invoices/in_nope', '/v1/payment_intents/pi_nope', '/v1/subscription_items/si_nope'])
    expect((await specified.get(path)).body).toMatchObject({ error: { code: 'resource_missing', param: 'id' } });
});

test('a page has one cursor', async () => {
  const [a, b] = [await vendor.customer(null), await vendor.customer(null)];
  expect(await vendor.error('GET /v1/customers', { starting_after: a, ending_before: b })).toEqual([
    400,
    null,
    null,
    'Received both starting_after and ending_before parameters. Please pass in only one.',
  ]);
  expect(await vendor.error('GET /v1/customers', { starting_after: 'cus_nope' })).toEqual([
    400,
    'resource_missing',
    'starting_after',
    "No such customer: 'cus_nope'",
  ]);
});

test.each([
  ['GET /v1/invoices', 'status', 'draft, open, void, paid, or uncollectible'],
  [
    'GET /v1/subscriptions',
    'status',
    'active, past_due, unpaid, canceled, incomplete, incomplete_expired, trialing, paused, all, or ended',
  ],
])('%s names the values of %s in the vendor\'s order', async (line, param, values) => {
  expect(await vendor.error(line, { [param]: 'x' })).toEqual([400, null, param, `Invalid ${param}: must be one of ${values}`]);
});
