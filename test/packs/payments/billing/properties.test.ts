import * as fc from 'fast-check';
import type Stripe from 'stripe';
import { at, customerWith, type TestAccount, openTestAccount, priceOf } from '../test-account.js';
import { type Deed, deeds, Life } from './random-actions.js';

/** More of them: `LAW_RUNS=200`. */
const RUNS = Number(process.env['LAW_RUNS'] ?? 8);
const T0 = '2025-01-31T10:00:00Z';

let account: TestAccount;
beforeAll(async () => {
  account = await openTestAccount(T0);
});
afterAll(async () => {
  await account.close();
  account.recorder.assertClean();
});

async function all<T extends { readonly id: string }>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of list) found.push(each);
  return found;
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Each line of an invoice, also behind the first ten. */
async function linesOf(invoice: Stripe.Invoice): Promise<Stripe.InvoiceLineItem[]> {
  return invoice.lines.has_more
    ? all(account.stripe.invoices.listLineItems(invoice.id, { limit: 100 }))
    : [...invoice.lines.data];
}

/** Gives how many invoices there are. */
async function expectSums(customer: string): Promise<number> {
  const { stripe } = account;
  const invoices = await all(stripe.invoices.list({ customer, limit: 100 }));
  for (const invoice of invoices) {
    const lines = await linesOf(invoice);
    const discount = sum((invoice.total_discount_amounts ?? []).map(({ amount }) => amount));
    const onTop = sum(invoice.total_tax_amounts.filter(({ inclusive }) => !inclusive).map(({ amount }) => amount));
    const { total, subtotal, amount_due, amount_paid, amount_remaining, tax, total_excluding_tax } = invoice;
    expect({ id: invoice.id, total }).toEqual({
      id: invoice.id,
      total: sum(lines.map(({ amount }) => amount)) - discount + onTop + invoice.amount_shipping,
    });
    expect({ id: invoice.id, subtotal }).toEqual({
      id: invoice.id,
      subtotal: total - onTop + invoiceLevel(invoice, lines),
    });
    expect(sum(invoice.total_tax_amounts.map(({ amount }) => amount))).toBe(tax ?? 0);
    expect(total_excluding_tax).toBe(total - (tax ?? 0));
    expect({ id: invoice.id, amount_due }).toEqual({ id: invoice.id, amount_due: amount_paid + amount_remaining });
    for (const part of ['discount_amounts', 'tax_amounts'] as const)
      expect(sum(lines.flatMap((line) => (line[part] ?? []).map(({ amount }) => amount)))).toBe(
        part === 'tax_amounts' ? (tax ?? 0) : discount,
      );
  }
  return invoices.length;
}

/** What discounts of the invoice (not of single lines) take off. */
function invoiceLevel(invoice: Stripe.Invoice, lines: readonly Stripe.InvoiceLineItem[]): number {
  const own = new Set(
    lines.flatMap(({ discounts }) => discounts.map((each) => (typeof each === 'string' ? each : each.id))),
  );
  return sum(
    (invoice.total_discount_amounts ?? [])
      .filter(({ discount }) => !own.has(String(discount)))
      .map(({ amount }) => amount),
  );
}

async function expectBalance(customer: string): Promise<void> {
  const { stripe } = account;
  const transactions = (await all(stripe.customers.listBalanceTransactions(customer, { limit: 100 }))).reverse();
  let balance = 0;
  for (const { amount, ending_balance } of transactions) {
    balance += amount;
    expect(ending_balance).toBe(balance);
  }
  expect((await stripe.customers.retrieve(customer)) as Stripe.Customer).toMatchObject({ balance });
}

const FIRST: Readonly<Record<string, string>> = {
  invoice: 'invoice.created',
  subscription: 'customer.subscription.created',
  invoiceitem: 'invoiceitem.created',
  payment_intent: 'payment_intent.created',
  refund: 'refund.created',
  credit_note: 'credit_note.created',
};

/** Told in the order of time, what happens to an object after its making, a payment before what it pays. */
function expectCauses(events: readonly Stripe.Event[]): void {
  const told = new Set<string>();
  let last = 0;
  for (const event of events) {
    const object = event.data.object as unknown as Readonly<Record<string, unknown>>;
    const about = `${event.type} ${String(object['id'])}`;
    const when = (known: boolean) => ({ about, known });
    expect({ about, created: event.created >= last }).toEqual({ about, created: true });
    last = event.created;
    const first = FIRST[String(object['object'])];
    const made = typeof object['id'] === 'string' && first !== undefined && event.type !== 'invoice.upcoming';
    if (made && event.type !== first) expect(when(told.has(`${first} ${String(object['id'])}`))).toEqual(when(true));
    if (event.type === 'charge.succeeded' || event.type === 'charge.failed')
      expect(when(told.has(`payment_intent.created ${String(object['payment_intent'])}`))).toEqual(when(true));
    if (event.type === 'invoice.paid' && typeof object['charge'] === 'string') {
      expect(when(told.has(`charge.succeeded ${object['charge']}`))).toEqual(when(true));
      expect(when(told.has(`payment_intent.succeeded ${String(object['payment_intent'])}`))).toEqual(when(true));
    }
    if (
      event.type.startsWith('invoice.') &&
      !['invoice.created', 'invoice.deleted', 'invoice.upcoming', 'invoice.updated'].includes(event.type)
    )
      expect(when(event.type === 'invoice.finalized' || told.has(`invoice.finalized ${String(object['id'])}`))).toEqual(
        when(true),
      );
    told.add(about);
  }
}

test('whatever happens: sums are sums, balances are what moved them, and no event precedes its cause', async () => {
  let invoices = 0;
  const run = async (life: readonly Deed[]): Promise<void> => {
    const { customer, live } = await begun();
    for (const deed of life) await live(deed);
    invoices += await expectSums(customer);
    await expectBalance(customer);
    expectCauses(await account.events());
  };
  await fc.assert(fc.asyncProperty(deeds, run), { numRuns: RUNS, seed: 2025 });
  expect(invoices).toBeGreaterThan(2 * RUNS);
});

async function begun(): Promise<{ customer: string; live: (deed: Deed) => Promise<void> }> {
  const life = await Life.begin(account, T0);
  return { customer: life.customer, live: (deed) => life.live(deed) };
}

test('one advance or many: the same world', async () => {
  const world = async (life: readonly Deed[], steps: readonly number[]): Promise<string> => {
    const { live } = await begun();
    for (const deed of life) await live(deed);
    for (const hours of steps) await account.sandbox.control.advance(`${hours}h`);
    return JSON.stringify(await account.sandbox.control.state());
  };
  const steps = fc.array(fc.integer({ min: 1, max: 24 * 30 }), { minLength: 2, maxLength: 8 });
  const run = async (life: readonly Deed[], parts: readonly number[]): Promise<void> => {
    const whole = [parts.reduce((a, b) => a + b, 0)];
    expect(await world(life, whole)).toBe(await world(life, parts));
  };
  await fc.assert(fc.asyncProperty(deeds, steps, run), { numRuns: Math.ceil(RUNS / 2), seed: 2026 });
});

test('a change and its reversal in the same second cancel each other', async () => {
  const cases = fc.record({
    price: fc.integer({ min: 1, max: 99_999 }),
    other: fc.integer({ min: 1, max: 99_999 }),
    from: fc.integer({ min: 1, max: 20 }),
    to: fc.integer({ min: 1, max: 20 }),
    after: fc.integer({ min: 0, max: 31 * 86_400 - 1 }),
    off: fc.option(fc.integer({ min: 1, max: 99 })),
    interval: fc.constantFrom('month' as const, 'year' as const),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ price, other, from, to, after, off, interval }) => {
      await account.reset('2025-01-01T00:00:00Z');
      const { stripe } = account;
      const customer = await customerWith(account);
      const one = await priceOf(account, price, interval, 'Gold');
      const two = await priceOf(account, other, interval, 'Silver');
      const coupon = off === null ? null : await stripe.coupons.create({ percent_off: off, duration: 'forever' });
      const { id, items } = await stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: one.id, quantity: from }],
        ...(coupon ? { discounts: [{ coupon: coupon.id }] } : {}),
      });
      await account.sandbox.control.advance({ to: at('2025-01-01T00:00:00Z') + after + 1 });
      const item = items.data[0].id;
      await stripe.subscriptions.update(id, { items: [{ id: item, price: two.id, quantity: to }] });
      await stripe.subscriptions.update(id, { items: [{ id: item, price: one.id, quantity: from }] });
      const pending = await stripe.invoiceItems.list({ customer: customer.id, pending: true });
      expect(pending.data.length === 4 || price === other).toBe(true);
      expect(sum(pending.data.map(({ amount }) => amount))).toBe(0);
    }),
    { numRuns: RUNS, seed: 2027 },
  );
});
