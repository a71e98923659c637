import type Stripe from 'stripe';
import { FINGERPRINT, refused, servePayments, T0 } from '../served-payments.js';

const payments = servePayments();

const card = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' };

async function attached(method = 'pm_card_visa'): Promise<{ customer: string; method: Stripe.PaymentMethod }> {
  const customer = await payments.stripe.customers.create();
  return {
    customer: customer.id,
    method: await payments.stripe.paymentMethods.attach(method, { customer: customer.id }),
  };
}

describe('creating', () => {
  it('from a card number', async () => {
    const method = await payments.stripe.paymentMethods.create({
      type: 'card',
      card,
      billing_details: { email: 'j@example.com' },
    });
    expect(method).toMatchObject({
      object: 'payment_method',
      allow_redisplay: 'unspecified',
      billing_details: { address: { city: null, country: null }, email: 'j@example.com', name: null, phone: null },
      card: {
        brand: 'visa',
        checks: { cvc_check: 'unchecked' }, // until the issuer is asked
        country: 'US',
        exp_month: 12,
        exp_year: 2030,
        fingerprint: expect.stringMatching(/^[0-9A-Za-z]{16}$/) as unknown,
        funding: 'credit',
        last4: '4242',
        networks: { available: ['visa'], preferred: null },
        three_d_secure_usage: { supported: true },
        wallet: null,
      },
      created: T0,
      customer: null,
      livemode: false,
      metadata: {},
      type: 'card',
    });
    expect(method.id).toMatch(new RegExp(`^pm_1[0-9A-Za-z]{5}${FINGERPRINT}[0-9A-Za-z]{8}$`));
  });

  it('the same number has the same fingerprint, another number another', async () => {
    const numbers = [card.number, card.number, '5555555555554444'];
    const prints: (string | null | undefined)[] = [];
    for (const number of numbers)
      prints.push(
        (await payments.stripe.paymentMethods.create({ type: 'card', card: { ...card, number } })).card?.fingerprint,
      );
    expect(prints[0]).toBe(prints[1]);
    expect(prints[0]).not.toBe(prints[2]);
  });

  it('from a token, once', async () => {
    const token = await payments.stripe.tokens.create({
      card: { number: card.number, exp_month: '12', exp_year: '2030', cvc: '123' },
    });
    expect(token).toMatchObject({ object: 'token', type: 'card', used: false });
    const method = await payments.stripe.paymentMethods.create({ type: 'card', card: { token: token.id } });
    expect(method.card?.last4).toBe('4242');
    expect((await payments.stripe.tokens.retrieve(token.id)).used).toBe(true);
    const again = payments.stripe.paymentMethods.create({ type: 'card', card: { token: token.id } });
    expect(await refused(again)).toMatchObject({ statusCode: 400, code: 'token_already_used' });
  });

  it('a bank account shows its end only', async () => {
    const method = await payments.stripe.paymentMethods.create({
      type: 'us_bank_account',
      us_bank_account: {
        account_holder_type: 'individual',
        routing_number: '110000000',
        account_number: '000123456789',
      },
      billing_details: { name: 'Jenny Rosen' },
    });
    expect(method).toMatchObject({
      type: 'us_bank_account',
      us_bank_account: { last4: '6789', routing_number: '110000000' },
    });
    expect(JSON.stringify(method)).not.toContain('000123456789');
  });

  const wrong: [string, Partial<typeof card>, string][] = [
    ['a wrong check digit', { number: '4242424242424241' }, 'incorrect_number'],
    ['no number', { number: 'hello' }, 'invalid_number'],
    ['a thirteenth month', { exp_month: 13 }, 'invalid_expiry_month'],
    ['a year that is over', { exp_year: 1999 }, 'invalid_expiry_year'],
    ['a short security code', { cvc: '99' }, 'invalid_cvc'],
    ['a card that is no test card', { number: '4111111111111111' }, 'card_declined'],
  ];

  it.each(wrong)('%s is a card error', async (_name, change, code) => {
    const error = await refused(payments.stripe.paymentMethods.create({ type: 'card', card: { ...card, ...change } }));
    expect(error).toMatchObject({ statusCode: 402, type: 'StripeCardError', code });
  });

  it('without a type is refused', async () => {
    const error = await refused(payments.stripe.paymentMethods.create({}));
    expect(error).toMatchObject({ statusCode: 400, code: 'parameter_missing', param: 'type' });
  });
});

describe('attaching', () => {
  it('a test value becomes a method of its own each time', async () => {
    const [one, two] = [await attached(), await attached()];
    expect(one.method).toMatchObject({ customer: one.customer, card: { brand: 'visa', last4: '4242' } });
    expect(one.method.id).not.toBe(two.method.id);
    expect(one.method.id).not.toContain('pm_card');
  });

  it('again changes nothing, to another customer it is refused', async () => {
    const { customer, method } = await attached();
    expect(await payments.typesOf(() => payments.stripe.paymentMethods.attach(method.id, { customer }))).toEqual([]);
    const other = await payments.stripe.customers.create();
    const error = await refused(payments.stripe.paymentMethods.attach(method.id, { customer: other.id }));
    expect(error).toMatchObject({
      statusCode: 400,
      message: 'The payment method you provided has already been attached to a customer.',
    });
  });

  const checked: [string, string][] = [
    ['pm_card_chargeDeclined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc'],
  ];

  it.each(checked)('%s is declined by the check', async (method, decline_code) => {
    const error = await refused(attached(method));
    expect(error).toMatchObject({ statusCode: 402, type: 'StripeCardError', code: 'card_declined', decline_code });
    expect((await payments.stripe.customers.list()).data).toHaveLength(1);
  });

  it('the card that only fails later attaches', async () => {
    const { customer, method } = await attached('pm_card_chargeCustomerFail');
    const call = payments.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      confirm: true,
      customer,
      payment_method: method.id,
    });
    expect(await refused(call)).toMatchObject({
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
    });
  });
});

describe('detaching', () => {
  it('ends its use for good', async () => {
    const { customer, method } = await attached();
    const detached = await payments.stripe.paymentMethods.detach(method.id);
    expect(detached).toMatchObject({ id: method.id, customer: null });
    expect((await payments.stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
    expect((await refused(payments.stripe.paymentMethods.attach(method.id, { customer }))).message).toMatch(
      /may not be used again/,
    );
  });

  it('what is not attached cannot be detached', async () => {
    const method = await payments.stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    const error = await refused(payments.stripe.paymentMethods.detach(method.id));
    expect(error.message).toBe(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    );
  });

  it('takes the default away', async () => {
    const { customer, method } = await attached();
    await payments.stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });
    await payments.stripe.paymentMethods.detach(method.id);
    const { invoice_settings } = (await payments.stripe.customers.retrieve(customer)) as Stripe.Customer;
    expect(invoice_settings.default_payment_method).toBeNull();
  });
});

it('a default must be attached to the customer', async () => {
  const one = await attached();
  const two = await attached();
  const update = { invoice_settings: { default_payment_method: two.method.id } };
  expect(await refused(payments.stripe.customers.update(one.customer, update))).toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
    param: 'invoice_settings[default_payment_method]',
  });
});

it('updates a saved method', async () => {
  const { method } = await attached();
  const updated = await payments.stripe.paymentMethods.update(method.id, {
    billing_details: { email: 'new@example.com' },
    card: { exp_month: 1, exp_year: 2031 },
    metadata: { a: '1' },
  });
  expect(updated).toMatchObject({
    billing_details: { email: 'new@example.com', name: null },
    card: { exp_month: 1, exp_year: 2031, last4: '4242' },
    metadata: { a: '1' },
  });
});

it('lists the methods of a customer by type, newest first', async () => {
  const { customer, method } = await attached();
  const second = await payments.stripe.paymentMethods.attach('pm_card_amex', { customer });
  const ids = (list: Stripe.ApiList<Stripe.PaymentMethod>) => list.data.map(({ id }) => id);
  expect(ids(await payments.stripe.customers.listPaymentMethods(customer))).toEqual([second.id, method.id]);
  expect(ids(await payments.stripe.paymentMethods.list({ customer, type: 'card' }))).toEqual([second.id, method.id]);
  expect(ids(await payments.stripe.paymentMethods.list({ customer, type: 'us_bank_account' }))).toEqual([]);
  const { id } = await payments.stripe.customers.retrievePaymentMethod(customer, method.id);
  expect(id).toBe(method.id);
});

it('a method is not found at another customer', async () => {
  const { method } = await attached();
  const { customer } = await attached();
  expect(await refused(payments.stripe.customers.retrievePaymentMethod(customer, method.id))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
});

it('a token that stands for a test card has checks that are still to be made, and a paid charge an authorization code', async () => {
  const { paymentMethods, paymentIntents } = payments.stripe;
  const method = await paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
  expect(method.card?.checks?.cvc_check).toBe('unchecked');
  const { latest_charge } = await paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    confirm: true,
    payment_method: method.id,
    expand: ['latest_charge'],
  });
  expect(latest_charge).toMatchObject({
    payment_method_details: {
      card: { authorization_code: expect.stringMatching(/^[0-9A-Z]{6}$/) as string, checks: { cvc_check: 'pass' } },
    },
  });
});

it.each([
  ['off_session', 'requires_action'],
  [undefined, 'succeeded'],
] as const)('the card of India, set up for %s, is %s', async (setup_future_usage, status) => {
  const { id: customer } = await payments.stripe.customers.create();
  const method = await payments.stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4000003560000123', exp_month: 12, exp_year: 2030, cvc: '123' },
  });
  const intent = await payments.stripe.paymentIntents.create({
    amount: 1000,
    currency: 'usd',
    confirm: true,
    customer,
    payment_method: method.id,
    setup_future_usage,
    return_url: 'https://shop.example',
  });
  expect(intent.status).toBe(status);
});

describe('what the issuer says of an address', () => {
  const paid = async (number: string, address: Stripe.AddressParam) => {
    const method = await payments.stripe.paymentMethods.create({
      type: 'card',
      card: { ...card, number },
      billing_details: { address },
    });
    const { latest_charge: charge } = await payments.stripe.paymentIntents.create({
      amount: 1000,
      currency: 'usd',
      payment_method: method.id,
      payment_method_types: ['card'],
      confirm: true,
      expand: ['latest_charge'],
    });
    const { checks } = (charge as Stripe.Charge).payment_method_details?.card ?? {};
    return [checks, (await payments.stripe.paymentMethods.retrieve(method.id)).card?.checks];
  };
  const checks = (line1: string | null, zip: string | null) => ({
    address_line1_check: line1,
    address_postal_code_check: zip,
    cvc_check: 'pass',
  });
  const given = { line1: '1 Main Street', postal_code: '94107' };

  it.each([
    ['4242424242424242', given, checks('pass', 'pass')],
    ['4000000000000010', given, checks('fail', 'fail')],
    ['4000000000000036', given, checks('pass', 'fail')],
    ['4000000000000044', given, checks('unavailable', 'unavailable')],
    ['4000000000000010', { postal_code: '94107' }, checks(null, 'fail')],
    ['4000000000000010', {}, checks(null, null)],
  ])('%s with %j: %j, of the charge and of the method', async (number, address, expected) => {
    expect(await paid(number, address)).toEqual([expected, expected]);
  });
});

it.each([
  [{ type: 'ideal', ideal: { bank: 'abn_amro' } }, { ideal: { bank: 'abn_amro', bic: 'ABNANL2A' } }],
  [{ type: 'fpx', fpx: { bank: 'cimb' } }, { fpx: { account_holder_type: 'individual', bank: 'cimb' } }],
  [
    { type: 'acss_debit', acss_debit: { account_number: '000123456789', institution_number: '000', transit_number: '11000' } },
    { acss_debit: { bank_name: 'VENDOR TEST BANK', institution_number: '000', last4: '6789', transit_number: '11000' } },
  ],
])('what follows from the bank of %j', async (sent, expected) => {
  expect(await payments.stripe.paymentMethods.create(sent as Stripe.PaymentMethodCreateParams)).toMatchObject(expected);
});
