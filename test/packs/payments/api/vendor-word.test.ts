import type Stripe from 'stripe';
import { form } from '../../../support/http.js';
import { useSandboxes } from '../../../support/start-sandbox.js';
import { type Body, KEY, refused, servePayments } from '../served-payments.js';

/** Types and headers with the vendor’s own word, and without it. */


const payments = servePayments();
const stripe = () => payments.stripe;
const { serve } = useSandboxes({ key: KEY });
const served = (vars: Readonly<Record<string, string>>) => serve({ vars });

describe('with the vendor’s own word', () => {
  const own = servePayments({ vars: { vendor: 'stripe', return_urls: 'optional' } });

  it.each([
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', '54', 'confirm_card_data'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'N7', 'confirm_card_data'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', '51', 'try_again_later'],
  ])('the decline of %s has the code %s, the network’s code and an advice', async (payment_method, code, network, advice) => {
    const error = await refused(
      own.stripe.paymentIntents.create({ amount: 100, currency: 'usd', confirm: true, payment_method }),
    );
    expect(error.raw).toMatchObject({ code, network_decline_code: network, advice_code: advice });
    expect(error.raw).toMatchObject({ payment_intent: { last_payment_error: { network_decline_code: network } } });
  });

  it('the money of an automatic_async payment is booked after the response, with charge.updated', async () => {
    const pay = (capture_method: 'automatic' | 'automatic_async'): Promise<Stripe.PaymentIntent> =>
      own.stripe.paymentIntents.create({
        amount: 1000,
        currency: 'usd',
        confirm: true,
        payment_method: 'pm_card_visa',
        capture_method,
        expand: ['latest_charge'],
      });
    const atOnce = await pay('automatic');
    expect(atOnce.latest_charge).toMatchObject({ balance_transaction: expect.stringMatching(/^txn_/) as string });
    const later = await pay('automatic_async');
    expect(later.latest_charge).toMatchObject({ balance_transaction: null, paid: true });
    const { id } = later.latest_charge as Stripe.Charge;
    const { data } = await own.stripe.events.list({ type: 'charge.updated' });
    expect(data).toMatchObject([{ data: { object: { id }, previous_attributes: { balance_transaction: null } } }]);
    const charge = await own.stripe.charges.retrieve(id, { expand: ['balance_transaction'] });
    expect(charge.balance_transaction).toMatchObject({ amount: 1000, fee: 59, source: id });
  });

  it('a duration lets tests see a payment whose money is not booked yet', async () => {
    await own.control.durations({ async_booking: '1m' });
    const intent = await own.stripe.paymentIntents.create({
      amount: 1000,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    const charge = (): Promise<Stripe.Charge> => own.stripe.charges.retrieve(String(intent.latest_charge));
    expect(await charge()).toMatchObject({ balance_transaction: null });
    await own.control.advance('1m');
    expect(await charge()).toMatchObject({ balance_transaction: expect.stringMatching(/^txn_/) as string });
    await own.control.durations({ async_booking: '0s' });
  });

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

it('addresses in errors lead to the vendor’s documentation', async () => {
  const own = await served({ vendor: 'stripe' });
  const { body } = await own.call<Body>('GET /v1/nothing');
  expect(body['error']).toMatchObject({
    message:
      'Unrecognized request URL (GET: /v1/nothing). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.',
  });
  const { body: unknown } = await own.call<Body>('GET /v1/charges/ch_x');
  expect(unknown['error']).toMatchObject({ doc_url: 'https://docs.stripe.com/error-codes/resource-missing' });
});

it.each([
  ['GET /v1/payment_intents/pi_x', 'intent'],
  ['GET /v1/setup_intents/seti_x', 'intent'],
  ['POST /v1/payment_methods/pm_x/attach', 'payment_method'],
  ['GET /v1/charges/ch_x', 'id'],
])('%s names the parameter %s', async (line, param) => {
  const own = await served({ vendor: 'stripe' });
  const sent = line.startsWith('POST') ? form(`customer=${String((await own.body('POST /v1/customers'))['id'])}`) : undefined;
  const { status, body } = await own.call<Body>(line, sent);
  expect([status, body['error']]).toMatchObject([404, { code: 'resource_missing', param }]);
});

it('an expired card is refused by its own code where it is saved', async () => {
  const own = await served({ vendor: 'stripe' });
  const { status, body } = await own.call<Body>(
    'POST /v1/customers',
    form('payment_method=pm_card_chargeDeclinedExpiredCard'),
  );
  expect([status, body['error']]).toMatchObject([402, { code: 'expired_card', param: 'exp_month' }]);
  expect(body['error']).not.toHaveProperty('decline_code');
});

it('with page_hosts=vendor, pages are under the vendor’s hosts', async () => {
  const own = await served({ vendor: 'stripe', page_hosts: 'vendor' });
  const made = async (path: string, body: string): Promise<unknown> => (await own.body(`POST ${path}`, form(body)))['url'];
  const { id: customer } = await own.body('POST /v1/customers', form('name=Ann'));
  const { id: price } = await own.body('POST /v1/prices', form('currency=usd&unit_amount=500&product_data[name]=Photo'));
  const lines = `line_items[0][price]=${price}&line_items[0][quantity]=1`;
  expect(await made('/v1/checkout/sessions', `mode=payment&success_url=https://a.example&${lines}`)).toMatch(
    /^https:\/\/checkout\.stripe\.com\/c\/pay\/cs_test_\w+#fid$/,
  );
  expect(await made('/v1/payment_links', lines)).toMatch(/^https:\/\/buy\.stripe\.com\//);
  expect(await made('/v1/billing_portal/sessions', `customer=${customer}&return_url=https://a.example`)).toMatch(
    /^https:\/\/billing\.stripe\.com\/p\/session\//,
  );
});

test('without the vendor’s own word they carry none', async () => {
  const { id } = await stripe().paymentIntents.create({ amount: 100, currency: 'usd' });
  const error = await refused(stripe().paymentIntents.capture(id));
  expect(error.code).toBeUndefined();
});

test.each([
  [{}, 400],
  [{ return_url: 'https://example.com/back' }, 200],
  [{ 'automatic_payment_methods[enabled]': 'true', 'automatic_payment_methods[allow_redirects]': 'never' }, 200],
  [{ 'payment_method_types[0]': 'card' }, 200],
  [{ use_stripe_sdk: 'true' }, 200],
])('a confirmation with %j is answered %i: the vendor asks where customers return to', async (more, status) => {
  const own = await served({ vendor: 'stripe' });
  const fields = { amount: '500', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa', ...more };
  expect((await own.call('POST /v1/payment_intents', form(fields))).status).toBe(status);
});

test('the vendor’s page asks for no address and agrees to a debit by itself, a server doesn’t', async () => {
  const own = await served({ vendor: 'stripe' });
  const confirmed = async (key: string, kind: Record<string, string>, method: Record<string, string>): Promise<number> => {
    const intent = { amount: '500', currency: 'eur', ...kind };
    const { body } = await own.call<{ id: string; client_secret: string }>('POST /v1/payment_intents', form(intent));
    const headers = { authorization: `Bearer ${key}` };
    return (await own.call(`POST /v1/payment_intents/${body.id}/confirm`, form({ client_secret: body.client_secret, ...method }), headers))
      .status;
  };
  const debit = {
    'payment_method_data[type]': 'sepa_debit',
    'payment_method_data[sepa_debit][iban]': 'DE89370400440532013000',
    'payment_method_data[billing_details][name]': 'Ann',
    'payment_method_data[billing_details][email]': 'ann@example.com',
  };
  const page = KEY.replace('sk_', 'pk_');
  const kinds = [
    [{ 'payment_method_types[0]': 'sepa_debit' }, debit],
    [{}, { payment_method: 'pm_card_visa' }],
  ] as const;
  for (const [kind, method] of kinds)
    expect([await confirmed(page, kind, method), await confirmed(KEY, kind, method)]).toEqual([200, 400]);
});
