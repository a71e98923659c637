import Stripe from 'stripe';
import { call, form } from '../../../support/http.js';
import { refused } from '../served-payments.js';
import { at, customerWith, priceOf, useTestAccount } from '../test-account.js';

const T0 = '2025-01-01T00:00:00Z';
const SHOP = {
  success_url: 'https://shop.example/done?s={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://shop.example/cart',
};

type Params = Stripe.Checkout.SessionCreateParams;
type Session = Stripe.Checkout.Session;

const account = useTestAccount(T0);

/** A shirt, sold once. */
async function shirt(amount = 2000, more: Partial<Stripe.PriceCreateParams> = {}): Promise<Stripe.Price> {
  const product = await account.stripe.products.create({ name: 'Shirt' });
  return account.stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: amount, ...more });
}

/** A session for two shirts, unless it says otherwise. */
async function open(more: Partial<Params> = {}): Promise<Session> {
  const line_items = more.line_items ?? [{ price: (await shirt()).id, quantity: 2 }];
  const session = await account.stripe.checkout.sessions.create({ ...SHOP, mode: 'payment', line_items, ...more });
  await account.news();
  return session;
}

/** A session for a subscription at $10.00 a month. */
async function openMonthly(more: Partial<Params> = {}): Promise<Session> {
  return open({
    mode: 'subscription',
    line_items: [{ price: (await priceOf(account, 1000)).id, quantity: 1 }],
    ...more,
  });
}

/** A session that saves a way to pay. */
async function openSetup(more: Partial<Params> = {}): Promise<Session> {
  const session = await account.stripe.checkout.sessions.create({ ...SHOP, mode: 'setup', currency: 'usd', ...more });
  await account.news();
  return session;
}

/** Lets a cause happen to a session; gives the types of the events that follow. */
function happen(cause: string, { id }: { id: string }, params: object = {}): Promise<string[]> {
  return account.fire(`checkout.session.${cause}`, { checkout_session_id: id, ...params });
}

const read = ({ id }: { id: string }, expand: string[] = []) =>
  account.stripe.checkout.sessions.retrieve(id, { expand });

/** An object that was expanded. */
function whole<T extends { id: string }>(value: string | T | null): T {
  if (value === null || typeof value === 'string') throw new Error(`${String(value)} is not expanded`);
  return value;
}

test.each(['12 / 30', '12/2030', '1230', '12-30'])('an expiry is typed as people do: %s', async (card_expiry) => {
  const session = await open();
  await happen('completed', session, { card_expiry });
  expect(await read(session)).toMatchObject({ status: 'complete' });
});

describe('opening a session', () => {
  test('a payment: amounts, URL on this sandbox, a day to pay', async () => {
    const session = await open({
      metadata: { order: '7' },
      client_reference_id: 'cart-1',
      customer_email: 'jenny@example.com',
    });
    expect(session).toMatchObject({
      amount_subtotal: 4000,
      amount_total: 4000,
      client_reference_id: 'cart-1',
      currency: 'usd',
      customer: null,
      customer_creation: 'if_required',
      customer_details: { email: 'jenny@example.com', name: null, tax_exempt: 'none', tax_ids: null },
      expires_at: at(T0) + 86_400,
      metadata: { order: '7' },
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      ui_mode: 'hosted',
      url: `${account.sandbox.url}/c/pay/${session.id}`,
    });
    expect(session.id).toMatch(/^cs_test_a1[0-9A-Za-z]{56}$/);
    expect(session).not.toHaveProperty('line_items');
    const { data } = await account.stripe.checkout.sessions.listLineItems(session.id);
    expect(data).toMatchObject([
      {
        object: 'item',
        amount_subtotal: 4000,
        amount_total: 4000,
        description: 'Shirt',
        quantity: 2,
        price: { unit_amount: 2000 },
      },
    ]);
    expect((await read(session, ['line_items'])).line_items?.data).toEqual(data);
  });

  test('embedded: a client secret and no URL', async () => {
    const line_items = [{ price: (await shirt()).id, quantity: 1 }];
    const session = await account.stripe.checkout.sessions.create({
      ui_mode: 'embedded',
      mode: 'payment',
      line_items,
      return_url: 'https://shop.example/back?s={CHECKOUT_SESSION_ID}',
    });
    expect(session).toMatchObject({ url: null, success_url: null, redirect_on_completion: 'always' });
    expect(session.client_secret).toMatch(new RegExp(`^${session.id}_secret_`));
    expect(session.return_url).toBe('https://shop.example/back?s={CHECKOUT_SESSION_ID}');
  });

  test('a setup: its setup intent is there at once', async () => {
    const session = await openSetup({ setup_intent_data: { metadata: { a: 'b' } } });
    expect(session).toMatchObject({ amount_total: null, payment_status: 'no_payment_required', total_details: null });
    const intent = await account.stripe.setupIntents.retrieve(String(session.setup_intent));
    expect(intent).toMatchObject({ status: 'requires_payment_method', usage: 'off_session', metadata: { a: 'b' } });
  });

  test('inline prices, discounts, taxes and shipping add up', async () => {
    const rate = await account.stripe.taxRates.create({ display_name: 'VAT', percentage: 10, inclusive: false });
    const coupon = await account.stripe.coupons.create({ percent_off: 25, duration: 'once' });
    const session = await open({
      line_items: [
        {
          price_data: { currency: 'usd', unit_amount: 1000, product_data: { name: 'Cup' } },
          quantity: 3,
          tax_rates: [rate.id],
        },
        { price: (await shirt(500)).id, quantity: 2 },
      ],
      discounts: [{ coupon: coupon.id }],
      shipping_options: [
        {
          shipping_rate_data: {
            display_name: 'Slow',
            type: 'fixed_amount',
            fixed_amount: { amount: 300, currency: 'usd' },
          },
        },
        {
          shipping_rate_data: {
            display_name: 'Fast',
            type: 'fixed_amount',
            fixed_amount: { amount: 900, currency: 'usd' },
          },
        },
      ],
      expand: ['line_items.data.taxes', 'line_items.data.discounts', 'total_details.breakdown'],
    });
    // 3 cups less a quarter: 22.50, taxed 2.25; 2 shirts less a quarter: 7.50; slow shipping 3.00
    expect(session).toMatchObject({
      amount_subtotal: 4000,
      amount_total: 3525,
      shipping_cost: { amount_total: 300 },
      total_details: { amount_discount: 1000, amount_shipping: 300, amount_tax: 225 },
    });
    expect(session.total_details?.breakdown).toMatchObject({
      discounts: [{ amount: 1000, discount: { coupon: { id: coupon.id } } }],
      taxes: [{ amount: 225, rate: { id: rate.id }, taxable_amount: 2250 }],
    });
    expect(session.line_items?.data).toMatchObject([
      {
        description: 'Cup',
        amount_discount: 750,
        amount_subtotal: 3000,
        amount_tax: 225,
        amount_total: 2475,
        taxes: [{ amount: 225 }],
      },
      {
        description: 'Shirt',
        amount_discount: 250,
        amount_subtotal: 1000,
        amount_tax: 0,
        amount_total: 750,
        discounts: [{ amount: 250 }],
      },
    ]);
    const fast = session.shipping_options[1].shipping_rate;
    expect(await happen('shipping_chosen', session, { shipping_rate: fast })).toEqual([]);
    expect(await read(session)).toMatchObject({ amount_total: 4125, shipping_cost: { shipping_rate: fast } });
    await happen('completed', session, { email: 'a@b.example' });
    const done = await read(session, ['payment_intent']);
    expect(whole(done.payment_intent)).toMatchObject({ amount: 4125, amount_received: 4125 });
    expect(await account.stripe.coupons.retrieve(coupon.id)).toMatchObject({ times_redeemed: 1 });
  });

  test('promotion codes are typed in on the page', async () => {
    const coupon = await account.stripe.coupons.create({ amount_off: 500, currency: 'usd', duration: 'once' });
    await account.stripe.promotionCodes.create({ coupon: coupon.id, code: 'SPRING' });
    const session = await open({ allow_promotion_codes: true });
    await expect(happen('discounted', session, { code: 'WINTER' })).rejects.toThrow("'WINTER' is invalid");
    await happen('discounted', session, { code: 'spring' });
    expect(await read(session)).toMatchObject({ amount_total: 3500, total_details: { amount_discount: 500 } });
    const closed = await open();
    await expect(happen('discounted', closed, { code: 'spring' })).rejects.toThrow('cannot happen now');
  });

  test('quantities that can be adjusted', async () => {
    const price = (await shirt()).id;
    const adjustable_quantity = { enabled: true, minimum: 1, maximum: 5 };
    const line_items = [
      { price, quantity: 2, adjustable_quantity },
      { price: (await shirt(500)).id, quantity: 1 },
    ];
    const session = await open({ line_items });
    const [shirts, fixed] = (await account.stripe.checkout.sessions.listLineItems(session.id)).data;
    await happen('quantity_changed', session, { line_item: shirts.id, quantity: 4 });
    expect(await read(session, ['line_items'])).toMatchObject({
      amount_total: 8500,
      line_items: { data: [{ quantity: 4, amount_total: 8000 }, { quantity: 1 }] },
    });
    await expect(happen('quantity_changed', session, { line_item: shirts.id, quantity: 6 })).rejects.toThrow(
      'from 1 to 5',
    );
    await expect(happen('quantity_changed', session, { line_item: fixed.id, quantity: 2 })).rejects.toThrow(
      'cannot happen now',
    );
  });

  test('an item is taken off by a quantity of none, unless it is the only one', async () => {
    const adjustable_quantity = { enabled: true };
    const items = await Promise.all([2000, 300].map(async (amount) => ({ price: (await shirt(amount)).id, quantity: 2 })));
    const cap = (await shirt(500)).id;
    const optional_items = [{ price: cap, quantity: 1 }];
    const line_items = items.map((item) => ({ ...item, adjustable_quantity }));
    const session = await open({ line_items, optional_items } as Partial<Params>);
    const lines = async () => (await account.stripe.checkout.sessions.listLineItems(session.id)).data;
    const [first, second] = await lines();
    await happen('quantity_changed', session, { line_item: first.id, quantity: 0 });
    await happen('optional_item_changed', session, { price: cap });
    await happen('optional_item_changed', session, { price: cap });
    expect((await lines()).map(({ price, quantity }) => [price?.id, quantity])).toEqual([
      [items[1].price, 2],
      [cap, 1],
    ]);
    expect(await read(session)).toMatchObject({ amount_total: 1100 });
    await happen('optional_item_changed', session, { price: cap, quantity: 0 });
    await expect(happen('quantity_changed', session, { line_item: second.id, quantity: 0 })).rejects.toThrow(
      'The only item cannot be taken off.',
    );
    await happen('completed', session, { email: 'a@b.example' });
    expect(await read(session)).toMatchObject({ payment_status: 'paid', amount_total: 600 });
  });

  test('elements in a page of the application show and change the session', async () => {
    const { id: coupon } = await account.stripe.coupons.create({ percent_off: 50, duration: 'once' });
    await account.stripe.promotionCodes.create({ coupon, code: 'HALF' });
    const shipping = [0, 700].map((amount) => ({
      shipping_rate_data: {
        display_name: `For ${amount}`,
        type: 'fixed_amount' as const,
        fixed_amount: { amount, currency: 'usd' },
      },
    }));
    const line_items = [
      { price: (await shirt()).id, quantity: 2, adjustable_quantity: { enabled: true, maximum: 9 } },
      { price: (await shirt(500)).id, quantity: 1 },
    ];
    const session = await open({ line_items, shipping_options: shipping });
    const subscribing = await openMonthly();
    type View = {
      readonly lineItems: readonly { readonly id: string }[];
      readonly shippingOptions: readonly { readonly id: string }[];
      readonly total: object;
    };
    /** What the vendor's library for browsers does, whose answers no client has types of. */
    const change = async (params: Readonly<Record<string, string>>, { id } = session): Promise<View> => {
      const { status, body } = await call(account.sandbox, `POST /v1/payment_pages/${id}/elements`, form(params));
      if (status !== 200) throw new Error((body['error'] as { message: string }).message);
      return body as unknown as View;
    };
    const view = await change({});
    expect(view.lineItems).toMatchObject([
      {
        adjustableQuantity: { minimum: 0, maximum: 9 },
        isRemovable: true,
        priceId: line_items[0].price,
        quantity: 2,
        unitAmount: { minorUnitsAmount: 2000 },
      },
      { adjustableQuantity: null, isRemovable: false },
    ]);
    const [first, second] = view.lineItems.map((item) => item.id);
    const total = (minorUnitsAmount: number) => ({ total: { total: { minorUnitsAmount } } });
    expect(await change({ line_item: first, quantity: '3' })).toMatchObject(total(6500));
    expect(await change({ shipping_rate: view.shippingOptions[1].id })).toMatchObject(total(7200));
    for (const [params, message] of [
      [{ line_item: first, quantity: '10' }, 'from 0 to 9'],
      [{ line_item: second, quantity: '2' }, 'cannot be adjusted'],
      [{ line_item: 'US', quantity: '1' }, 'No such item'],
      [{ promotion_code: 'HALF' }, 'takes no promotion codes'],
      [{ shipping_rate: 'shr_none' }, 'does not offer'],
    ] as const)
      await expect(change(params)).rejects.toThrow(message);
    await expect(change({ line_item: first, quantity: '1' }, subscribing)).rejects.toThrow('cannot be adjusted');
    expect(await change({ line_item: first, quantity: '0' })).toMatchObject({ ...total(1200), lineItems: [{ id: second }] });
    const [{ recurring }] = (await change({}, subscribing)).lineItems as unknown as [{ recurring: object }];
    expect(recurring).toEqual({ interval: "month", intervalCount: 1, usageType: "licensed" });
  });

  test('a trial is free today', async () => {
    const session = await openMonthly({ subscription_data: { trial_period_days: 14 } });
    expect(session).toMatchObject({ amount_subtotal: 0, amount_total: 0, payment_method_collection: 'always' });
  });
});

describe('what is refused', () => {
  const once = { price: 'once', quantity: 1 };
  const monthly = { price: 'monthly', quantity: 1 };
  type Refused = [what: string, params: Partial<Params>, message: string, param?: string];
  const REFUSED: Refused[] = [
    ['no mode', { mode: undefined, line_items: [once] }, 'Missing required param: mode.', 'mode'],
    ['no line items', { mode: 'payment' }, 'Missing required param: line_items.', 'line_items'],
    [
      'no success URL',
      { mode: 'payment', line_items: [once], success_url: undefined },
      'Missing required param: success_url.',
      'success_url',
    ],
    [
      'a success URL that is none',
      { mode: 'payment', line_items: [once], success_url: 'shop' },
      'Not a valid URL',
      'success_url',
    ],
    ['no currency of a setup', { mode: 'setup' }, 'Missing required param: currency.', 'currency'],
    [
      'a recurring price in a payment',
      { mode: 'payment', line_items: [monthly] },
      'You specified `payment` mode but passed a recurring price',
    ],
    [
      'one-time prices alone in a subscription',
      { mode: 'subscription', line_items: [once] },
      'at least one recurring price in `subscription` mode',
    ],
    [
      'no quantity',
      { mode: 'payment', line_items: [{ price: 'once' }] },
      'Missing required param: line_items[0][quantity].',
    ],
    [
      'neither price nor price_data',
      { mode: 'payment', line_items: [{ quantity: 1 }] },
      'Missing required param: line_items[0][price].',
    ],
    [
      'line items of a setup',
      { mode: 'setup', currency: 'usd', line_items: [once] },
      'You can not pass `line_items` in `setup` mode.',
    ],
    [
      'subscription data of a payment',
      { mode: 'payment', line_items: [once], subscription_data: { trial_period_days: 3 } },
      'You can not pass `subscription_data` in `payment` mode.',
      'subscription_data',
    ],
    [
      'payment data of a subscription',
      { mode: 'subscription', line_items: [monthly], payment_intent_data: { description: 'x' } },
      'You can not pass `payment_intent_data` in `subscription` mode.',
    ],
    [
      'customer_creation of a subscription',
      { mode: 'subscription', line_items: [monthly], customer_creation: 'always' },
      'You can not pass `customer_creation` in `subscription` mode.',
    ],
    [
      'a return URL of a hosted page',
      { mode: 'payment', line_items: [once], return_url: 'https://shop.example' },
      'You can not pass `return_url` if `ui_mode` is `hosted`.',
    ],
    [
      'a success URL of an embedded page',
      { mode: 'payment', line_items: [once], ui_mode: 'embedded', return_url: 'https://shop.example' },
      'You can not pass `success_url` if `ui_mode` is `embedded`.',
    ],
    [
      'both discounts and promotion codes',
      { mode: 'payment', line_items: [once], allow_promotion_codes: true, discounts: [{ coupon: 'half' }] },
      'You may only specify one of these parameters: discounts, allow_promotion_codes.',
    ],
    [
      'customer_update without a customer',
      { mode: 'payment', line_items: [once], customer_update: { name: 'auto' } },
      '`customer_update` can only be used with `customer`.',
    ],
    ['too early an end', { mode: 'payment', line_items: [once], expires_at: at(T0) + 60 }, 'at least 30 minutes'],
    ['too late an end', { mode: 'payment', line_items: [once], expires_at: at(T0) + 90_000 }, 'less than 24 hours'],
    [
      'too small an amount',
      {
        mode: 'payment',
        line_items: [{ price_data: { currency: 'usd', unit_amount: 20, product_data: { name: 'Nail' } }, quantity: 1 }],
      },
      'total amount due must add up to at least $0.50 USD',
    ],
    [
      'an unknown price',
      { mode: 'payment', line_items: [{ price: 'price_none', quantity: 1 }] },
      "No such price: 'price_none'",
    ],
    [
      'four custom fields',
      {
        mode: 'payment',
        line_items: [once],
        custom_fields: [1, 2, 3, 4].map((n) => ({
          key: `f${n}`,
          type: 'text' as const,
          label: { custom: 'F', type: 'custom' as const },
        })),
      },
      'at most 3 custom fields',
    ],
  ];
  test.each(REFUSED.map(([what, ...rest]) => [what, rest] as const))('%s', async (_what, [params, message, param]) => {
    const ids: Record<string, string> = { once: (await shirt()).id, monthly: (await priceOf(account, 1000)).id };
    await account.stripe.coupons.create({ id: 'half', percent_off: 50, duration: 'once' });
    const line_items = params.line_items?.map((item) =>
      item.price ? { ...item, price: ids[item.price] ?? item.price } : item,
    );
    const given = Object.fromEntries(
      Object.entries({ ...SHOP, ...params, ...(line_items && { line_items }) }).filter(
        ([, value]) => value !== undefined,
      ),
    ) as Params;
    const error = await refused(account.stripe.checkout.sessions.create(given));
    expect(error.message).toContain(message);
    if (param) expect(error.param).toBe(param);
    expect((await account.stripe.checkout.sessions.list()).data).toEqual([]);
  });
});

describe('completing a payment', () => {
  test('a guest pays: events in order, no customer', async () => {
    const session = await open();
    expect(
      await happen('completed', session, { email: 'guest@example.com', name: 'Gus Guest', country: 'DE' }),
    ).toEqual([
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'checkout.session.completed',
      'charge.updated',
    ]);
    const done = await read(session, ['payment_intent.latest_charge']);
    expect(done).toMatchObject({
      customer: null,
      customer_details: { email: 'guest@example.com', name: 'Gus Guest', address: { country: 'DE' }, tax_ids: [] },
      payment_status: 'paid',
      status: 'complete',
      url: null,
    });
    expect(whole(whole(done.payment_intent).latest_charge)).toMatchObject({
      amount: 4000,
      billing_details: { email: 'guest@example.com', name: 'Gus Guest' },
      paid: true,
    });
  });

  test('customer_creation always makes a customer; a saved way to pay is attached', async () => {
    const session = await open({
      customer_creation: 'always',
      payment_intent_data: { setup_future_usage: 'off_session', metadata: { n: '1' } },
    });
    expect(await happen('completed', session, { email: 'new@example.com' })).toEqual([
      'payment_intent.created',
      'customer.created',
      'payment_method.attached',
      'charge.succeeded',
      'payment_intent.succeeded',
      'checkout.session.completed',
      'charge.updated',
    ]);
    const done = await read(session, ['customer', 'payment_intent']);
    const customer = whole(done.customer as Stripe.Customer);
    expect(customer.email).toBe('new@example.com');
    expect(whole(done.payment_intent)).toMatchObject({ customer: customer.id, metadata: { n: '1' } });
    expect((await account.stripe.paymentMethods.list({ customer: customer.id })).data).toHaveLength(1);
  });

  test('a decline leaves it open; the same payment is tried again', async () => {
    const session = await open();
    expect(await happen('declined', session, { decline_code: 'insufficient_funds' })).toEqual([
      'payment_intent.created',
      'charge.failed',
      'payment_intent.payment_failed',
    ]);
    expect(await read(session)).toMatchObject({ status: 'open', payment_intent: null, payment_status: 'unpaid' });
    const [intent] = (await account.stripe.paymentIntents.list()).data;
    expect(intent.last_payment_error).toMatchObject({ decline_code: 'insufficient_funds' });
    const message = (await refused(account.stripe.paymentIntents.cancel(intent.id))).message;
    expect(message).toContain(`belongs to the open Checkout Session ${session.id}`);
    await happen('completed', session);
    expect(await read(session)).toMatchObject({
      payment_intent: intent.id,
      payment_status: 'paid',
      status: 'complete',
    });
    await expect(happen('completed', session)).rejects.toThrow('cannot happen now');
  });

  test('3D Secure: the session waits for the customer', async () => {
    const session = await open();
    expect(await happen('completed', session, { card_number: '4000000000003220', email: 'a@b.example' })).toEqual([
      'payment_intent.created',
      'payment_intent.requires_action',
    ]);
    const [intent] = (await account.stripe.paymentIntents.list()).data;
    expect((await read(session)).status).toBe('open');
    await account.sandbox.control.event('payment_intent.challenge_completed', { payment_intent_id: intent.id });
    expect(await account.news()).toEqual([
      'charge.succeeded',
      'payment_intent.succeeded',
      'checkout.session.completed',
      'charge.updated',
    ]);
  });

  test.each([
    ['000123456789', 'checkout.session.async_payment_succeeded', 'paid'],
    ['000222222227', 'checkout.session.async_payment_failed', 'unpaid'],
  ])('a bank debit from %s completes it unpaid, days later %s', async (account_number, last, status) => {
    const session = await open({ payment_method_types: ['card', 'us_bank_account'] });
    expect(await happen('completed', session, { account_number, email: 'a@b.example' })).toEqual([
      'payment_intent.created',
      'payment_intent.processing',
      'charge.pending',
      'checkout.session.completed',
    ]);
    expect(await read(session)).toMatchObject({ payment_status: 'unpaid', status: 'complete' });
    expect((await account.advance('5d')).at(-1)).toBe(last);
    expect((await read(session)).payment_status).toBe(status);
  });

  test('manual capture: unpaid until the money is taken', async () => {
    const session = await open({ payment_intent_data: { capture_method: 'manual' } });
    await happen('completed', session, { email: 'a@b.example' });
    const done = await read(session);
    expect(done).toMatchObject({ payment_status: 'unpaid', status: 'complete' });
    await account.stripe.paymentIntents.capture(String(done.payment_intent));
    expect((await read(session)).payment_status).toBe('paid');
  });

  test('nothing to pay: no payment', async () => {
    const coupon = await account.stripe.coupons.create({ percent_off: 100, duration: 'once' });
    const session = await open({ discounts: [{ coupon: coupon.id }] });
    expect(session.amount_total).toBe(0);
    expect(await happen('completed', session, { email: 'a@b.example' })).toEqual(['checkout.session.completed']);
    expect(await read(session)).toMatchObject({ payment_intent: null, payment_status: 'no_payment_required' });
  });

  test('with an invoice', async () => {
    const session = await open({
      invoice_creation: { enabled: true, invoice_data: { footer: 'Thanks', metadata: { i: 'v' } } },
    });
    const events = await happen('completed', session, { email: 'a@b.example' });
    expect(events.filter((type) => /^(invoice|customer|checkout)/.test(type))).toEqual([
      'customer.created',
      'invoice.created',
      'invoice.finalized',
      'invoice.updated',
      'invoice.paid',
      'invoice.payment_succeeded',
      'invoice_payment.paid',
      'checkout.session.completed',
    ]);
    const done = await read(session, ['invoice']);
    expect(whole(done.invoice)).toMatchObject({
      amount_paid: 4000,
      customer: done.customer,
      footer: 'Thanks',
      metadata: { i: 'v' },
      payment_intent: done.payment_intent,
      status: 'paid',
    });
  });

  test('what the customer fills in: address, phone, fields, consent', async () => {
    const customer = await customerWith(account);
    const session = await open({
      customer: customer.id,
      customer_update: { address: 'auto', name: 'auto', shipping: 'auto' },
      phone_number_collection: { enabled: true },
      billing_address_collection: 'required',
      shipping_address_collection: { allowed_countries: ['US', 'DE'] },
      consent_collection: { terms_of_service: 'required', promotions: 'auto' },
      custom_text: { submit: { message: 'Hello' } },
      custom_fields: [
        { key: 'engraving', type: 'text', label: { type: 'custom', custom: 'Engraving' }, optional: true },
        {
          key: 'size',
          type: 'dropdown',
          label: { type: 'custom', custom: 'Size' },
          dropdown: { options: [{ label: 'Small', value: 's' }] },
        },
        { key: 'count', type: 'numeric', label: { type: 'custom', custom: 'Count' } },
      ],
    });
    const filled = {
      name: 'Jenny Rosen',
      phone: '+49301',
      line1: 'Weg 1',
      city: 'Berlin',
      country: 'DE',
      promotions_accepted: true,
    };
    await expect(
      happen('completed', session, { ...filled, custom_fields: { size: 'xl', count: '3' } }),
    ).rejects.toThrow("has no choice 'xl'");
    await expect(happen('completed', session, { ...filled, custom_fields: { size: 's' } })).rejects.toThrow(
      "'Count' must be filled in",
    );
    await happen('completed', session, { ...filled, custom_fields: { size: 's', count: '3' } });
    const done = await read(session);
    expect(done).toMatchObject({
      consent: { promotions: 'opt_in', terms_of_service: 'accepted' },
      customer: customer.id,
      customer_creation: null,
      customer_details: {
        email: 'jenny@example.com',
        phone: '+49301',
        address: { city: 'Berlin', country: 'DE', line1: 'Weg 1' },
      },
      shipping_details: { name: 'Jenny Rosen', address: { city: 'Berlin' } },
    });
    expect(
      done.custom_fields.map(({ key, text, dropdown, numeric }) => [key, (text ?? dropdown ?? numeric)?.value]),
    ).toEqual([
      ['engraving', null],
      ['size', 's'],
      ['count', '3'],
    ]);
    expect(await account.stripe.customers.retrieve(customer.id)).toMatchObject({
      name: 'Jenny Rosen',
      address: { city: 'Berlin' },
      shipping: { name: 'Jenny Rosen' },
    });
  });
});

describe('completing a subscription', () => {
  test('events in order; the subscription runs and has its way to pay', async () => {
    const session = await openMonthly({ subscription_data: { metadata: { plan: 'gold' } } });
    expect(session.customer_creation).toBe('always');
    expect(await happen('completed', session, { email: 'sub@example.com' })).toEqual([
      'customer.created',
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
      'payment_method.attached',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.updated',
      'invoice.paid',
      'invoice.payment_succeeded',
      'invoice_payment.paid',
      'checkout.session.completed',
      'customer.subscription.updated',
    ]);
    const done = await read(session, ['subscription', 'invoice']);
    const subscription = whole(done.subscription);
    expect(subscription).toMatchObject({ status: 'active', customer: done.customer, metadata: { plan: 'gold' } });
    expect(subscription.default_payment_method).toMatch(/^pm_/);
    expect(whole(done.invoice)).toMatchObject({
      status: 'paid',
      amount_paid: 1000,
      billing_reason: 'subscription_create',
    });
    expect(done).toMatchObject({ payment_intent: null, payment_status: 'paid' });
    expect(await account.advance('32d')).toContain('invoice.paid');
  });

  test('a declined card, then another: one subscription', async () => {
    const session = await openMonthly();
    expect(await happen('declined', session)).toEqual(
      expect.arrayContaining(['charge.failed', 'invoice.payment_failed']),
    );
    expect(await read(session)).toMatchObject({ status: 'open', subscription: null, customer: null, invoice: null });
    await happen('completed', session);
    expect((await read(session)).status).toBe('complete');
    expect((await account.stripe.subscriptions.list({ status: 'all' })).data.map(({ status }) => status)).toEqual([
      'active',
    ]);
  });

  test('a trial saves a way to pay first', async () => {
    const customer = await account.stripe.customers.create({ email: 'trial@example.com' });
    const session = await openMonthly({ customer: customer.id, subscription_data: { trial_period_days: 7 } });
    await expect(happen('declined', session)).rejects.toThrow('cannot happen now');
    const events = await happen('completed', session);
    expect(events.slice(0, 4)).toEqual([
      'setup_intent.created',
      'payment_method.attached',
      'setup_intent.succeeded',
      'invoice.created',
    ]);
    expect(events.at(-1)).toBe('checkout.session.completed');
    const done = await read(session, ['subscription']);
    expect(done.payment_status).toBe('no_payment_required');
    expect(whole(done.subscription)).toMatchObject({
      status: 'trialing',
      default_payment_method: expect.stringMatching(/^pm_/),
    });
    expect(await account.advance('8d')).toContain('invoice.paid');
  });

  test('a trial without a card', async () => {
    const session = await openMonthly({
      payment_method_collection: 'if_required',
      subscription_data: {
        trial_period_days: 7,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      },
    });
    await happen('completed', session, { email: 'a@b.example' });
    const done = await read(session, ['subscription']);
    expect(whole(done.subscription)).toMatchObject({ status: 'trialing', default_payment_method: null });
    expect(await account.advance('8d')).toContain('customer.subscription.deleted');
  });

  test('one-time items, a promotion code and shipping on the first invoice', async () => {
    const monthly = await priceOf(account, 1000);
    const coupon = await account.stripe.coupons.create({ percent_off: 50, duration: 'once' });
    const session = await open({
      mode: 'subscription',
      line_items: [
        { price: monthly.id, quantity: 2 },
        { price: (await shirt(700)).id, quantity: 1 },
      ],
      discounts: [{ coupon: coupon.id }],
    });
    expect(session).toMatchObject({ amount_subtotal: 2700, amount_total: 1350 });
    await happen('completed', session, { email: 'a@b.example' });
    const done = await read(session, ['invoice', 'line_items']);
    expect(whole(done.invoice)).toMatchObject({ subtotal: 2700, total: 1350, amount_paid: 1350 });
    expect(done.line_items?.data.map((item) => item.amount_total)).toEqual([1000, 350]);
  });

  test('a debit on its way', async () => {
    const session = await openMonthly({ payment_method_types: ['us_bank_account'] });
    await happen('completed', session, { email: 'a@b.example' });
    const done = await read(session, ['subscription']);
    expect([done.status, done.payment_status, whole(done.subscription).status]).toEqual([
      'complete',
      'unpaid',
      'active',
    ]);
    expect(await account.advance('5d')).toEqual(
      expect.arrayContaining(['invoice.paid', 'checkout.session.async_payment_succeeded']),
    );
  });
});

describe('completing a setup', () => {
  test('saves a card of the customer, after a decline', async () => {
    const customer = await account.stripe.customers.create({ email: 'a@b.example' });
    const session = await openSetup({ customer: customer.id });
    expect(await happen('declined', session)).toEqual(['setup_intent.setup_failed']);
    expect(await happen('completed', session)).toEqual([
      'payment_method.attached',
      'setup_intent.succeeded',
      'checkout.session.completed',
    ]);
    expect((await account.stripe.paymentMethods.list({ customer: customer.id })).data).toHaveLength(1);
    expect(await read(session)).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      amount_total: null,
    });
  });
});

describe('the end of a session', () => {
  test('a day passes: it expires, what was tried is canceled', async () => {
    const session = await open();
    await happen('declined', session);
    expect(await account.advance('23h')).toEqual([]);
    expect(await account.advance('2h')).toEqual(['payment_intent.canceled', 'checkout.session.expired']);
    expect(await read(session)).toMatchObject({ status: 'expired', url: null });
  });

  test('expire, abandon, and what is not possible then', async () => {
    const [one, two] = [await open(), await open()];
    expect(await account.stripe.checkout.sessions.expire(one.id)).toMatchObject({ status: 'expired' });
    expect(await account.news()).toEqual(['checkout.session.expired']);
    expect(await happen('abandoned', two)).toEqual(['checkout.session.expired']);
    expect((await refused(account.stripe.checkout.sessions.expire(one.id))).message).toBe(
      'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of `expired`.',
    );
    await expect(happen('completed', one)).rejects.toThrow('cannot happen now');
  });

  test('a recovery page opens a copy', async () => {
    const session = await open({ after_expiration: { recovery: { enabled: true, allow_promotion_codes: true } } });
    await account.stripe.checkout.sessions.expire(session.id);
    const recovery = (await read(session)).after_expiration?.recovery;
    expect(recovery).toMatchObject({
      expires_at: at(T0) + 30 * 86_400,
      url: `${account.sandbox.url}/c/recover/${session.id}`,
    });
    await happen('recovered', session);
    const [copy] = (await account.stripe.checkout.sessions.list()).data;
    expect(copy).toMatchObject({
      recovered_from: session.id,
      status: 'open',
      amount_total: 4000,
      allow_promotion_codes: true,
    });
  });

  test('metadata can be changed, lists filtered', async () => {
    const customer = await customerWith(account);
    const one = await open({ customer: customer.id });
    const two = await open({ customer_email: 'Two@example.com' });
    await happen('completed', one);
    expect(await account.stripe.checkout.sessions.update(two.id, { metadata: { a: 'b' } })).toMatchObject({
      metadata: { a: 'b' },
    });
    const ids = async (params: Stripe.Checkout.SessionListParams) =>
      (await account.stripe.checkout.sessions.list(params)).data.map(({ id }) => id);
    const done = await read(one);
    expect(await ids({})).toEqual([two.id, one.id]);
    expect(await ids({ status: 'open' })).toEqual([two.id]);
    expect(await ids({ customer: customer.id })).toEqual([one.id]);
    expect(await ids({ payment_intent: String(done.payment_intent) })).toEqual([one.id]);
    expect(await ids({ customer_details: { email: 'two@example.com' } })).toEqual([two.id]);
  });
});
