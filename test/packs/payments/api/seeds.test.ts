/**
 * Seeds that were taken and dead, or faked: each row of the finding with its new answer.
 */
import { ControlError } from '../../../../engine/control/client.cjs';
import { DAY, type Body, servePayments, T0 } from '../served-payments.js';

const payments = servePayments();
const stripe = () => payments.stripe;

type Objects = Readonly<Record<string, readonly object[]>>;

const PRODUCT = 'prod_AAAAAAAAAAAAAA';
const CUSTOMER = 'cus_AAAAAAAAAAAAAA';
const id = (prefix: string, n = 1): string => `${prefix}_1${String(n).repeat(5)}LkdIwHu7ixAAAAAAAA`;
const paid = (prefix: string, n = 1): string => `${prefix}_3${String(n).repeat(5)}LkdIwHu7ixAAAAAAAA`;
const PRICE = id('price');
const METHOD = id('pm');

/** A catalogue and a customer with a card, with as little said as possible. */
const BASE: Objects = {
  products: [{ id: PRODUCT, name: 'Gold' }],
  prices: [
    {
      id: PRICE,
      product: PRODUCT,
      currency: 'usd',
      unit_amount: 1500,
      type: 'recurring',
      recurring: { interval: 'month' },
    },
  ],
  payment_methods: [{ id: METHOD, type: 'card', customer: CUSTOMER }],
  customers: [{ id: CUSTOMER, invoice_settings: { default_payment_method: METHOD } }],
};

const seed = (resources: Objects): Promise<Body> => payments.control.seed({ resources: { ...BASE, ...resources } });

async function refusal(resources: Objects): Promise<object> {
  try {
    await seed(resources);
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    return { status: error.status, ...(error.body as { readonly error: object }).error };
  }
  throw new Error('the seed was taken');
}

describe('a seeded price has what it costs', () => {
  it('a minimal one is billed in full', async () => {
    await seed({});
    const subscription = await stripe().subscriptions.create({ customer: CUSTOMER, items: [{ price: PRICE }] });
    expect(await stripe().invoices.retrieve(String(subscription.latest_invoice))).toMatchObject({
      total: 1500,
      status: 'paid',
    });
    const item = await stripe()
      .invoiceItems.create({ customer: CUSTOMER, price: PRICE })
      .catch(() => null);
    expect(item === null || item.amount === 1500).toBe(true);
    await payments.control.advance('33d');
    expect((await stripe().invoices.list({ customer: CUSTOMER })).data.map(({ total }) => total)).toEqual([1500, 1500]);
  });

  it('is a plan too', async () => {
    await seed({});
    expect(await stripe().plans.retrieve(PRICE)).toMatchObject({ amount: 1500, interval: 'month', interval_count: 1 });
  });

  it.each([
    [{ unit_amount: undefined }, 'unit_amount'],
    [{ unit_amount: 1500, unit_amount_decimal: '1501' }, 'unit_amount'],
    [{ currency: 'xxx' }, 'currency'],
    [{ currency: undefined }, 'currency'],
    [{ product: undefined }, 'product'],
    [{ type: 'one_time' }, 'type'],
    [{ recurring: { interval: 'month', interval_count: null } }, 'recurring.interval_count'],
  ])('%j is refused', async (change, path) => {
    const prices = [{ ...BASE['prices'][0], ...change }];
    expect(await refusal({ prices })).toMatchObject({ status: 422, path: `prices[0].${path}` });
  });
});

describe('seeded subscriptions with their items', () => {
  const SUBSCRIPTION = id('sub');
  const ITEM = 'si_AAAAAAAAAAAAAA';
  const bare = { id: SUBSCRIPTION, customer: CUSTOMER, status: 'active' };

  it.each<[string, () => Objects]>([
    [
      'beside it, the price by its id',
      () => ({
        subscriptions: [bare],
        subscription_items: [{ id: ITEM, subscription: SUBSCRIPTION, price: PRICE }],
      }),
    ],
    [
      'inside of it, the price by its id',
      () => ({ subscriptions: [{ ...bare, items: { data: [{ id: ITEM, price: PRICE }] } }] }),
    ],
    [
      'inside of it, the price as an object',
      () => ({ subscriptions: [{ ...bare, items: { object: 'list', data: [{ id: ITEM, price: { id: PRICE } }] } }] }),
    ],
  ])('%s: it renews, and can be changed', async (_shape, objects) => {
    await seed(objects());
    const made = await stripe().subscriptions.retrieve(SUBSCRIPTION);
    expect(made).toMatchObject({
      currency: 'usd',
      current_period_start: T0,
      items: { data: [{ id: ITEM, quantity: 1, price: { id: PRICE, unit_amount: 1500 } }], has_more: false },
    });
    expect(made.current_period_end).toBeGreaterThan(T0 + 27 * DAY);
    await stripe().subscriptions.update(SUBSCRIPTION, {
      items: [{ id: ITEM, quantity: 3 }],
      proration_behavior: 'none',
    });
    await payments.control.advance('45d');
    const invoices = await stripe().invoices.list({ customer: CUSTOMER });
    expect(invoices.data).toMatchObject([{ status: 'paid', total: 4500, billing_reason: 'subscription_cycle' }]);
  });

  it('copies of what was answered live on', async () => {
    await seed({});
    const { id: subscription } = await stripe().subscriptions.create({ customer: CUSTOMER, items: [{ price: PRICE }] });
    const copied = JSON.parse(JSON.stringify(await stripe().subscriptions.retrieve(subscription))) as Body;
    await payments.control.reset();
    await seed({ subscriptions: [{ ...copied, latest_invoice: null }] });
    await payments.control.advance('45d');
    expect((await stripe().invoices.list({ customer: CUSTOMER })).data).toMatchObject([
      { status: 'paid', total: 1500 },
    ]);
  });

  it('a trial ends and is billed', async () => {
    await seed({
      subscriptions: [{ ...bare, status: 'trialing', trial_end: T0 + 5 * DAY, items: { data: [{ price: PRICE }] } }],
    });
    await payments.control.advance('6d');
    expect(await stripe().subscriptions.retrieve(SUBSCRIPTION)).toMatchObject({ status: 'active' });
    expect((await stripe().invoices.list({ customer: CUSTOMER })).data[0]).toMatchObject({ total: 1500 });
  });

  it.each([
    [bare, 'items'],
    [{ ...bare, status: 'trialing', items: { data: [{ price: PRICE }] } }, 'trial_end'],
    [{ ...bare, items: { data: [{ price: PRICE }], has_more: true } }, 'items.has_more'],
  ])('%j is refused', async (subscription, path) => {
    expect(await refusal({ subscriptions: [subscription] })).toMatchObject({
      status: 422,
      path: `subscriptions[0].${path}`,
    });
  });
});

describe('seeded history can be used', () => {
  const charge = { id: paid('ch'), amount: 2000, currency: 'usd', customer: CUSTOMER };

  it('a charge that succeeded is refunded', async () => {
    await seed({ charges: [{ ...charge, status: 'succeeded' }] });
    expect(await stripe().refunds.create({ charge: charge.id })).toMatchObject({ amount: 2000, status: 'succeeded' });
    expect(await stripe().balanceTransactions.list({ type: 'charge' })).toMatchObject({ data: [{ amount: 2000 }] });
  });

  it.each([['capture'], ['cancel']] as const)('an authorised payment: %s', async (way) => {
    await seed({ payment_intents: [{ id: paid('pi'), amount: 2000, currency: 'usd', status: 'requires_capture' }] });
    const after = await stripe().paymentIntents[way](paid('pi'));
    expect(after.status).toBe(way === 'capture' ? 'succeeded' : 'canceled');
  });

  it('a debit that is processing settles', async () => {
    await seed({ payment_intents: [{ id: paid('pi'), amount: 2000, currency: 'usd', status: 'processing' }] });
    await payments.control.advance('10d');
    expect(await stripe().paymentIntents.retrieve(paid('pi'))).toMatchObject({
      status: 'succeeded',
      amount_received: 2000,
    });
  });

  const line = { id: id('il'), invoice: id('in'), amount: 700 };
  const invoice = { id: id('in'), customer: CUSTOMER, status: 'open' };

  it('an open invoice is paid, with the number that is next', async () => {
    await seed({ invoices: [invoice], line_items: [line] });
    const made = await stripe().invoices.retrieve(invoice.id);
    const { invoice_prefix } = (await stripe().customers.retrieve(CUSTOMER)) as { invoice_prefix: string };
    expect(made).toMatchObject({
      total: 700,
      amount_due: 700,
      amount_remaining: 700,
      number: `${invoice_prefix}-0001`,
    });
    expect(await stripe().invoices.pay(invoice.id)).toMatchObject({ status: 'paid', amount_paid: 700 });
  });

  it('an open invoice is voided', async () => {
    await seed({ invoices: [invoice], line_items: [line] });
    expect(await stripe().invoices.voidInvoice(invoice.id)).toMatchObject({ status: 'void' });
  });

  it('a draft that advances by itself becomes final', async () => {
    await seed({ invoices: [{ ...invoice, status: 'draft', auto_advance: true }], line_items: [line] });
    await payments.control.advance('2h');
    expect(await stripe().invoices.retrieve(invoice.id)).toMatchObject({ status: 'paid', total: 700 });
  });
});

describe('derived values cannot be seeded otherwise', () => {
  it.each<[string, object, string]>([
    ['invoices', { id: id('in'), customer: CUSTOMER, total: 1500 }, 'total'],
    ['invoices', { id: id('in'), customer: CUSTOMER, subtotal: 1500 }, 'subtotal'],
    ['invoices', { id: id('in'), customer: CUSTOMER, amount_due: 1500 }, 'amount_due'],
    ['invoices', { id: id('in'), customer: CUSTOMER, paid: true }, 'paid'],
    ['invoices', { id: id('in'), customer: CUSTOMER, number: 'FAKE-0001' }, 'number'],
    ['invoices', { id: id('in'), customer: CUSTOMER, status: 'paid', number: 'FAKE-0001' }, 'number'],
    ['charges', { id: paid('ch'), amount: 5, currency: 'usd', status: 'succeeded', paid: false }, 'paid'],
    ['charges', { id: paid('ch'), amount: 5, currency: 'usd', status: 'succeeded', refunded: true }, 'refunded'],
    [
      'charges',
      { id: paid('ch'), amount: 5, currency: 'usd', status: 'succeeded', amount_refunded: 5 },
      'amount_refunded',
    ],
    ['payment_intents', { id: paid('pi'), amount: 5, currency: 'usd', amount_received: 5 }, 'amount_received'],
    ['payment_intents', { id: paid('pi'), amount: 5, currency: 'usd', amount_capturable: 5 }, 'amount_capturable'],
  ])('%s %j', async (collection, object, path) => {
    expect(await refusal({ [collection]: [object] })).toMatchObject({ status: 422, path: `${collection}[0].${path}` });
  });

  it('what is derived may be written as it is', async () => {
    await seed({
      invoices: [{ id: id('in'), customer: CUSTOMER, status: 'open', total: 700, amount_due: 700 }],
      line_items: [{ id: id('il'), invoice: id('in'), amount: 700 }],
    });
    expect((await stripe().invoices.retrieve(id('in'))).total).toBe(700);
  });
});

describe('ids that the pack hands out, or takes from callers', () => {
  it.each<[string, object]>([
    ['plans', { id: id('price', 2), product: PRODUCT, currency: 'usd', amount: 5, interval: 'month' }],
    ['plans', { id: 'gold', product: PRODUCT, currency: 'usd', amount: 5, interval: 'month' }],
    ['prices', { id: 'gold', product: PRODUCT, currency: 'usd', unit_amount: 5 }],
    ['coupons', { id: 'SUMMER', percent_off: 10, duration: 'once' }],
  ])('%s %j', async (collection, object) => {
    const objects = collection === 'prices' ? [...BASE['prices'], object] : [object];
    expect(await seed({ [collection]: objects })).toMatchObject({ seeded: { [collection]: objects.length } });
  });

  it('a product by a name of its own', async () => {
    await seed({ products: [...BASE['products'], { id: 'my-prod', name: 'Mine' }] });
    expect(await stripe().products.retrieve('my-prod')).toMatchObject({ name: 'Mine' });
  });
});

describe('a seeded card is like the test card of its brand', () => {
  it.each([
    [{ brand: 'visa', last4: '4242' }, { funding: 'credit', country: 'US', last4: '4242' }, 'succeeded'],
    [{ brand: 'mastercard', last4: '1234' }, { brand: 'mastercard', last4: '1234' }, 'succeeded'],
    [{ brand: 'visa', last4: '5556', fingerprint: 'abc' }, { funding: 'debit', fingerprint: 'abc' }, 'succeeded'],
    [{ brand: 'amex', last4: '0005', exp_year: 2040 }, { display_brand: 'american_express', exp_year: 2040 }, 'succeeded'],
  ])('%j', async (card, shown, status) => {
    await seed({ payment_methods: [{ id: METHOD, customer: CUSTOMER, card }] });
    const method = await stripe().paymentMethods.retrieve(METHOD);
    expect(method).toMatchObject({ type: 'card', card: { ...shown, exp_month: expect.any(Number) as number } });
    const intent = await stripe().paymentIntents.create({
      amount: 1000,
      currency: 'usd',
      customer: CUSTOMER,
      payment_method: METHOD,
      confirm: true,
    });
    expect(intent.status).toBe(status);
  });
});

describe('seeded credit notes count for their invoices', () => {
  const INVOICE = id('in');
  const NOTE = id('cn');
  const line = { id: id('il'), invoice: INVOICE, amount: 1500, currency: 'usd' };

  it('of an open invoice less is left to pay, and another one takes no more than that', async () => {
    await seed({
      invoices: [{ id: INVOICE, customer: CUSTOMER, status: 'open' }],
      line_items: [line],
      credit_notes: [{ id: NOTE, invoice: INVOICE, amount: 500 }],
    });
    expect(await stripe().invoices.retrieve(INVOICE)).toMatchObject({
      total: 1500,
      pre_payment_credit_notes_amount: 500,
      amount_due: 1000,
      amount_remaining: 1000,
    });
    await expect(stripe().creditNotes.create({ invoice: INVOICE, amount: 1001 })).rejects.toMatchObject({
      statusCode: 400,
    });
    expect(await stripe().invoices.pay(INVOICE)).toMatchObject({ status: 'paid', amount_paid: 1000 });
  });

  it.each([
    ['open', 'pre_payment_credit_notes_amount', 'credit_notes[0].amount'],
    ['paid', 'post_payment_credit_notes_amount', 'invoices[0].post_payment_credit_notes_amount'],
  ])('an invoice that is %s and says less in %s than they do is refused', async (status, field, path) => {
    expect(
      await refusal({
        invoices: [{ id: INVOICE, customer: CUSTOMER, status, [field]: 400 }],
        line_items: [line],
        credit_notes: [{ id: NOTE, invoice: INVOICE, amount: 500 }],
      }),
    ).toMatchObject({ status: 422, path });
  });

  it('one that the world has already takes those of a later seed', async () => {
    await seed({ invoices: [{ id: INVOICE, customer: CUSTOMER, status: 'paid' }], line_items: [line] });
    await payments.control.seed({ resources: { credit_notes: [{ id: NOTE, invoice: INVOICE, amount: 500 }] } });
    expect(await stripe().invoices.retrieve(INVOICE)).toMatchObject({ post_payment_credit_notes_amount: 500 });
    await expect(
      stripe().creditNotes.create({ invoice: INVOICE, amount: 1001, credit_amount: 1001 }),
    ).rejects.toMatchObject({ statusCode: 400 });
  });
});
