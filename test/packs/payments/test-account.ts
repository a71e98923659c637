import Stripe from 'stripe';
import { forTests } from '../../support/start-sandbox.js';
import { Payments } from './served-payments.js';

/** A merchant's account in a payments sandbox, with the official client; every body that the client receives is checked against its types. */
export class TestAccount {
  #seen: string | undefined;

  constructor(readonly sandbox: Payments) {}

  get stripe(): Stripe {
    return this.sandbox.stripe;
  }

  get recorder(): Payments['recorder'] {
    return this.sandbox.recorder;
  }

  /** Advances the clock by a duration or to an instant (Unix seconds); gives the types of the events that fired. */
  async advance(to: string | number): Promise<string[]> {
    await this.news();
    await this.sandbox.control.advance(typeof to === 'string' ? to : { to });
    return this.news();
  }

  /** Types of the events since the last time this was asked. */
  async news(): Promise<string[]> {
    return (await this.events()).map((event) => event.type as string);
  }

  /** As `news`, whole. */
  async events(): Promise<Stripe.Event[]> {
    const fresh: Stripe.Event[] = [];
    const { events } = this.stripe;
    if (this.#seen === undefined) {
      for await (const event of events.list({ limit: 100 })) fresh.unshift(event);
    } else {
      // A page before a cursor is the one next to it: the oldest of what is new.
      let page = await events.list({ limit: 100, ending_before: this.#seen });
      while (page.data.length > 0) {
        fresh.push(...page.data.toReversed());
        page = await events.list({ limit: 100, ending_before: page.data[0].id });
      }
    }
    this.#seen = fresh.at(-1)?.id ?? this.#seen;
    return fresh;
  }

  /** Fires a world event; gives the types of the events that follow. */
  async fire(cause: string, params: object): Promise<string[]> {
    await this.news();
    await this.sandbox.control.event(cause, { ...params });
    return this.news();
  }

  now(): number {
    return this.sandbox.engine.world.nowMs / 1000;
  }

  /** Empties the world and starts it again at an ISO date. */
  async reset(t0: string): Promise<void> {
    this.#seen = undefined;
    await this.sandbox.restart(t0);
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }
}

const paymentsOf = (t0: string): Payments => new Payments({ key: 'sk_test_lab', seed: 'lab', t0 });

export async function openTestAccount(t0: string): Promise<TestAccount> {
  return new TestAccount(await paymentsOf(t0).open());
}

/**
 * An account for the tests of a file or a block: each begins in an empty world at an ISO date. At the end every body that the client
 * received must have been of the client's types.
 */
export function useTestAccount(t0: string): TestAccount {
  const account = new TestAccount(forTests(paymentsOf(t0)));
  beforeEach(() => account.reset(t0));
  return account;
}

/** Unix seconds of an ISO date. */
export function at(iso: string): number {
  return Date.parse(iso) / 1000;
}

/** A customer whose default method is a test card. */
export async function customerWith(
  account: TestAccount,
  card = 'pm_card_visa',
  more: Stripe.CustomerCreateParams = {},
): Promise<Stripe.Customer> {
  return account.stripe.customers.create({
    email: 'jenny@example.com',
    payment_method: card,
    invoice_settings: { default_payment_method: card },
    ...more,
  });
}

/** A price of a new product. */
export async function priceOf(
  account: TestAccount,
  amount: number,
  interval: Stripe.PriceCreateParams.Recurring.Interval = 'month',
  name = 'Gold',
  more: Partial<Stripe.PriceCreateParams> = {},
): Promise<Stripe.Price> {
  const product = await account.stripe.products.create({ name });
  return account.stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: amount,
    recurring: { interval },
    ...more,
  });
}

/** The invoice that an expanded field holds. */
export function invoiceOf(subscription: Stripe.Subscription): Stripe.Invoice {
  if (typeof subscription.latest_invoice === 'string' || subscription.latest_invoice === null)
    throw new Error('not expanded');
  return subscription.latest_invoice;
}
