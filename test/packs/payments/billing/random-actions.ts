import * as fc from 'fast-check';
import Stripe from 'stripe';
import { customerWith, type TestAccount, priceOf } from '../test-account.js';

/** One thing that a merchant or time does; numbers choose among what there is. */
export type Deed =
  | { readonly kind: 'subscribe'; readonly price: number; readonly quantity: number; readonly extra: number }
  | {
      readonly kind: 'change';
      readonly of: number;
      readonly price: number;
      readonly quantity: number;
      readonly how: number;
    }
  | { readonly kind: 'cancel'; readonly of: number; readonly how: number }
  | { readonly kind: 'item'; readonly amount: number }
  | { readonly kind: 'invoice'; readonly how: number }
  | { readonly kind: 'credit'; readonly of: number; readonly share: number; readonly how: number }
  | { readonly kind: 'balance'; readonly amount: number }
  | { readonly kind: 'decline'; readonly of: number }
  | { readonly kind: 'wait'; readonly hours: number };

const small = fc.nat(9);

/** Deeds of a random life. */
export const deeds: fc.Arbitrary<readonly Deed[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('subscribe' as const),
        price: small,
        quantity: fc.integer({ min: 1, max: 7 }),
        extra: small,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('change' as const),
        of: small,
        price: small,
        quantity: fc.integer({ min: 1, max: 7 }),
        how: small,
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), of: small, how: small }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('item' as const), amount: fc.integer({ min: -900, max: 5000 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('invoice' as const), how: small }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('credit' as const),
        of: small,
        share: fc.integer({ min: 1, max: 100 }),
        how: small,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('balance' as const), amount: fc.integer({ min: -3000, max: 3000 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('decline' as const), of: small }) },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 24 * 50 }) }),
    },
  ),
  { minLength: 3, maxLength: 14 },
);

const BEHAVIORS = ['create_prorations', 'always_invoice', 'none'] as const;

/** What deeds are done to: a customer, and prices, coupons and taxes to choose from. */
export class Life {
  readonly #subscriptions: string[] = [];

  private constructor(
    private readonly account: TestAccount,
    readonly customer: string,
    private readonly prices: readonly string[],
    private readonly coupons: readonly string[],
    private readonly taxes: readonly string[],
  ) {}

  static async begin(account: TestAccount, t0: string): Promise<Life> {
    await account.reset(t0);
    const { stripe } = account;
    const customer = await customerWith(account);
    const prices = [
      await priceOf(account, 1999, 'month', 'Gold'),
      await priceOf(account, 333, 'month', 'Silver'),
      await priceOf(account, 12_345, 'year', 'Platinum'),
    ];
    const coupons = [
      await stripe.coupons.create({ percent_off: 33.33, duration: 'repeating', duration_in_months: 2 }),
      await stripe.coupons.create({ amount_off: 450, currency: 'usd', duration: 'once' }),
    ];
    const taxes = [
      await stripe.taxRates.create({ display_name: 'Sales', percentage: 8.25, inclusive: false }),
      await stripe.taxRates.create({ display_name: 'VAT', percentage: 19, inclusive: true }),
    ];
    const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id);
    return new Life(account, customer.id, ids(prices), ids(coupons), ids(taxes));
  }

  /** Does one thing; a refusal by the vendor is a fact of life. */
  async live(deed: Deed): Promise<void> {
    try {
      await this.#do(deed);
    } catch (error) {
      if (error instanceof NothingThere) return;
      if (!(error instanceof Stripe.errors.StripeError) || (error.statusCode ?? 500) >= 500) throw error;
    }
  }

  async #do(deed: Deed): Promise<unknown> {
    const { stripe, sandbox } = this.account;
    const { customer } = this;
    switch (deed.kind) {
      case 'subscribe': {
        const discounts = deed.extra % 3 === 0 ? [{ coupon: pick(this.coupons, deed.extra) }] : undefined;
        const made = await stripe.subscriptions.create({
          customer,
          items: [{ price: pick(this.prices, deed.price), quantity: deed.quantity }],
          ...(discounts ? { discounts } : {}),
          ...(deed.extra % 4 === 1 ? { default_tax_rates: [pick(this.taxes, deed.extra)] } : {}),
          ...(deed.extra === 5 ? { trial_period_days: 10 } : {}),
          ...(deed.extra === 7 ? { collection_method: 'send_invoice', days_until_due: 20 } : {}),
        });
        return this.#subscriptions.push(made.id);
      }
      case 'change': {
        const id = pick(this.#subscriptions, deed.of);
        const { items } = await stripe.subscriptions.retrieve(id);
        return stripe.subscriptions.update(id, {
          items: [{ id: items.data[0].id, price: pick(this.prices, deed.price), quantity: deed.quantity }],
          proration_behavior: pick(BEHAVIORS, deed.how),
        });
      }
      case 'cancel': {
        const id = pick(this.#subscriptions, deed.of);
        if (deed.how % 3 === 0) return stripe.subscriptions.update(id, { cancel_at_period_end: true });
        return stripe.subscriptions.cancel(id, { prorate: deed.how % 3 === 1, invoice_now: deed.how % 2 === 0 });
      }
      case 'item':
        return stripe.invoiceItems.create({ customer, amount: deed.amount, currency: 'usd' });
      case 'invoice': {
        const draft = await stripe.invoices.create({
          customer,
          pending_invoice_items_behavior: 'include',
          ...(deed.how % 4 === 0 ? { discounts: [{ coupon: pick(this.coupons, deed.how) }] } : {}),
          ...(deed.how % 3 === 0 ? { default_tax_rates: [...this.taxes] } : {}),
        });
        await stripe.invoices.finalizeInvoice(draft.id);
        if (deed.how < 5) return stripe.invoices.pay(draft.id);
        if (deed.how < 7) return stripe.invoices.voidInvoice(draft.id);
        return deed.how === 7 ? stripe.invoices.markUncollectible(draft.id) : undefined;
      }
      case 'credit': {
        const { data } = await stripe.invoices.list({ customer, limit: 10 });
        const invoice = pick(data, deed.of);
        const amount = Math.max(1, Math.round((invoice.total * deed.share) / 100));
        const way = pick(['refund_amount', 'credit_amount', 'out_of_band_amount'] as const, deed.how);
        return stripe.creditNotes.create({ invoice: invoice.id, amount, ...(invoice.paid ? { [way]: amount } : {}) });
      }
      case 'balance':
        return stripe.customers.createBalanceTransaction(customer, { amount: deed.amount, currency: 'usd' });
      case 'decline': {
        const subscription_id = pick(this.#subscriptions, deed.of);
        const { status } = await stripe.subscriptions.retrieve(subscription_id);
        if (!['active', 'trialing', 'past_due', 'unpaid'].includes(status)) return undefined;
        return sandbox.control.event('payment.declined', { subscription_id, at: 'next_renewal' });
      }
      case 'wait':
        return sandbox.control.advance(`${deed.hours}h`);
    }
  }
}

/** A deed that has nothing to be done to. */
class NothingThere extends Error {}

/** @throws NothingThere when there is nothing to choose from */
function pick<T>(from: readonly T[], n: number): T {
  if (from.length === 0) throw new NothingThere();
  return from[n % from.length];
}
