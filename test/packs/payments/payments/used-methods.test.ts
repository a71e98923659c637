import { type RecordedError, serveRecorded } from '../recorded-calls.js';

/** Whose a payment method is, in every operation that takes one. */

const vendor = serveRecorded();
let customer: string;
let other: string;
let price: string;
beforeEach(async () => {
  customer = await vendor.customer();
  other = await vendor.customer(null);
  price = await vendor.price();
});

const CARD = { 'payment_method_types[0]': 'card' };
const USED_TEXT =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.';
const USED: RecordedError = [400, null, 'payment_method', USED_TEXT];

const methods = {
  async detached() {
    const id = await vendor.method('tok_visa', customer);
    await vendor.made(`POST /v1/payment_methods/${id}/detach`);
    return id;
  },
  async used() {
    const id = await vendor.method();
    await vendor.made('POST /v1/payment_intents', { amount: '900', currency: 'usd', ...CARD, payment_method: id, confirm: 'true' });
    return id;
  },
  others: () => vendor.method('tok_visa', other),
  loose: () => vendor.method(),
} as const;
type State = keyof typeof methods;

type Line = readonly [line: string, fields: Record<string, string>];
const intent = async (kind: 'payment' | 'setup'): Promise<string> => {
  const amount: Record<string, string> = kind === 'payment' ? { amount: '900', currency: 'usd' } : {};
  return (await vendor.made(`POST /v1/${kind}_intents`, { ...amount, ...CARD, customer })).id;
};
const invoice = async (action?: string): Promise<string> => {
  const { id } = await vendor.made('POST /v1/invoices', { customer });
  await vendor.made('POST /v1/invoiceitems', { customer, invoice: id, amount: '500', currency: 'usd' });
  if (action !== undefined) await vendor.made(`POST /v1/invoices/${id}/${action}`);
  return id;
};

/** Operations that pay or set up with a method. */
const paying: Record<string, (method: string) => Line | Promise<Line>> = {
  'a payment intent': (payment_method) => ['POST /v1/payment_intents', { amount: '900', currency: 'usd', ...CARD, customer, payment_method }],
  'an update of one': async (payment_method) => [`POST /v1/payment_intents/${await intent('payment')}`, { payment_method }],
  'a confirmation': async (payment_method) => [`POST /v1/payment_intents/${await intent('payment')}/confirm`, { payment_method }],
  'a setup intent': (payment_method) => ['POST /v1/setup_intents', { ...CARD, customer, payment_method }],
  'an update of a setup': async (payment_method) => [`POST /v1/setup_intents/${await intent('setup')}`, { payment_method }],
  'a confirmation of a setup': async (payment_method) => [`POST /v1/setup_intents/${await intent('setup')}/confirm`, { payment_method }],
  'paying an invoice': async (payment_method) => [`POST /v1/invoices/${await invoice('finalize')}/pay`, { payment_method }],
};

/** Operations that keep a method for later: it has to be the customer's. */
const keeping: Record<string, readonly [param: string, line: (method: string) => Line | Promise<Line>]> = {
  'a new customer': [
    'invoice_settings[default_payment_method]',
    (id) => ['POST /v1/customers', { 'invoice_settings[default_payment_method]': id }],
  ],
  'a customer': [
    'invoice_settings[default_payment_method]',
    (id) => [`POST /v1/customers/${customer}`, { 'invoice_settings[default_payment_method]': id }],
  ],
  'a subscription': [
    'default_payment_method',
    (id) => ['POST /v1/subscriptions', { customer, 'items[0][price]': price, default_payment_method: id }],
  ],
  'a schedule': [
    'default_settings[default_payment_method]',
    (id) => [
      'POST /v1/subscription_schedules',
      { customer, start_date: 'now', 'default_settings[default_payment_method]': id, 'phases[0][items][0][price]': price },
    ],
  ],
  'a phase': [
    'phases[0][default_payment_method]',
    (id) => [
      'POST /v1/subscription_schedules',
      { customer, start_date: 'now', 'phases[0][default_payment_method]': id, 'phases[0][items][0][price]': price },
    ],
  ],
  'an invoice': ['default_payment_method', (id) => ['POST /v1/invoices', { customer, default_payment_method: id }]],
  'an update of an invoice': [
    'default_payment_method',
    async (id) => [`POST /v1/invoices/${await invoice()}`, { default_payment_method: id }],
  ],
};

/** Every operation in a table with every state of a method. */
const rows = <T>(operations: Readonly<Record<string, T>>, states: readonly State[]): [string, State, T][] =>
  Object.entries(operations).flatMap(([name, operation]) => states.map((state): [string, State, T] => [name, state, operation]));

describe('a payment method that was detached, is used up, or is somebody else’s', () => {
  test.each(rows(paying, ['detached', 'used', 'others']))('%s with one that is %s', async (_name, state, line) => {
    const id = await methods[state]();
    const error = await vendor.error(...(await line(id)));
    const message = `The PaymentMethod ${id} does not belong to the Customer you supplied ${customer}. Please use this PaymentMethod with the Customer that it belongs to instead.`;
    expect(error).toEqual(state === 'others' ? [400, null, 'payment_method', message] : USED);
  });

  test.each(rows(keeping, ['detached', 'used', 'others', 'loose']))('%s keeps none that is %s', async (_name, state, [param, line]) => {
    const id = await methods[state]();
    const message = `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`;
    expect(await vendor.error(...(await line(id)))).toEqual([400, 'resource_missing', param, message]);
  });

  test.each(['detached', 'used'] as const)('one that is %s is attached to nobody and in no token', async (state) => {
    const payment_method = await methods[state]();
    const errors = [
      await vendor.error(`POST /v1/payment_methods/${payment_method}/attach`, { customer }),
      await vendor.error('POST /v1/customers', { payment_method }),
      await vendor.error('POST /v1/test_helpers/confirmation_tokens', { payment_method }),
      await vendor.error(`POST /v1/payment_methods/${payment_method}/detach`),
      await vendor.error(`GET /v1/customers/${customer}/payment_methods/${payment_method}`),
    ];
    const NOT_ATTACHED = 'The payment method you provided is not attached to a customer so detachment is impossible.';
    expect(errors).toEqual([USED, USED, USED, [400, null, null, NOT_ATTACHED], [404, null, 'customer', 'Invalid request']]);
  });

  test('another customer’s is attached to nobody else', async () => {
    const payment_method = await methods.others();
    const TAKEN: RecordedError = [400, null, null, 'The payment method you provided has already been attached to a customer.'];
    expect(await vendor.error(`POST /v1/payment_methods/${payment_method}/attach`, { customer })).toEqual(TAKEN);
    expect(await vendor.error('POST /v1/customers', { payment_method })).toEqual(TAKEN);
    expect((await vendor.made(`POST /v1/payment_methods/${payment_method}/attach`, { customer: other }))['customer']).toBe(other);
  });

  test('one that is still fresh pays, is set up and is attached', async () => {
    for (const line of Object.values(paying)) await vendor.made(...(await line(await methods.loose())));
    await vendor.made(`POST /v1/payment_methods/${await methods.loose()}/attach`, { customer });
  });

  test('one that was set up without a customer has to be attached before it pays', async () => {
    const payment_method = await methods.loose();
    const setup = { ...CARD, payment_method, confirm: 'true', return_url: 'https://example.com' };
    expect((await vendor.made('POST /v1/setup_intents', setup))['status']).toBe('succeeded');
    expect(
      await vendor.error('POST /v1/payment_intents', { amount: '900', currency: 'usd', ...CARD, payment_method, confirm: 'true' }),
    ).toEqual([
      400,
      null,
      'payment_method',
      'The provided PaymentMethod cannot be attached. To reuse a PaymentMethod, you must attach it to a Customer first.',
    ]);
    await vendor.made(`POST /v1/payment_methods/${payment_method}/attach`, { customer });
  });

  test('a customer’s method needs its customer', async () => {
    const id = await vendor.method('tok_visa', customer);
    const supplied = `The \`payment_method\` parameter supplied ${id} belongs to the Customer ${customer}. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`;
    const payment = await vendor.made('POST /v1/payment_intents', { amount: '900', currency: 'usd', ...CARD });
    expect(await vendor.error(`POST /v1/payment_intents/${payment.id}/confirm`, { payment_method: id })).toEqual([
      400,
      'parameter_missing',
      'source',
      supplied,
    ]);
    const missing: RecordedError = [
      400,
      null,
      'payment_method',
      `The payment method supplied (${id}) belongs to the Customer ${customer}. Please include the Customer in the \`customer\` parameter on the SetupIntent.`,
    ];
    const setup = await vendor.made('POST /v1/setup_intents', CARD);
    for (const line of ['', `/${setup.id}`, `/${setup.id}/confirm`])
      expect(await vendor.error(`POST /v1/setup_intents${line}`, { payment_method: id })).toEqual(missing);
  });
});
