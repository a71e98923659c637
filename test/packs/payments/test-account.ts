import Stripe from 'stripe';
import { createSandbox, type Sandbox } from '../../../engine/index.js';
import { ConformanceRecorder } from '../../../tools/develop/conformance/index.js';
import { orderedReport } from '../../clients/versions/report.js';

/** Of every world that tests fill; asked for by the environment. */
const report = orderedReport();

/** A merchant's account in a payments sandbox, with the official client; every body that the client receives is checked against its types. */
export interface TestAccount {
  readonly sandbox: Sandbox;
  readonly stripe: Stripe;
  readonly recorder: ConformanceRecorder;
  /** Advances the clock by a duration or to an instant (Unix seconds); gives the types of the events that fired. */
  advance(to: string | number): Promise<string[]>;
  /** Types of the events since the last time this was asked. */
  news(): Promise<string[]>;
  /** As `news`, whole. */
  events(): Promise<Stripe.Event[]>;
  /** Fires a world event; gives the types of the events that follow. */
  fire(cause: string, params: object): Promise<string[]>;
  now(): number;
  /** Empties the world and starts it again at an ISO date. */
  reset(t0: string): Promise<void>;
  close(): Promise<void>;
}

export async function openTestAccount(t0: string): Promise<TestAccount> {
  const sandbox = await createSandbox({
    pack: 'packs/payments',
    key: 'sk_test_lab',
    t0,
    seed: 'lab',
    onDefect: (error, what) => {
      throw new Error(`defect in ${what}`, { cause: error });
    },
  });
  report?.follow(sandbox.engine);
  const recorder = new ConformanceRecorder();
  const url = new URL(sandbox.url);
  const recording = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    const text = await response.text();
    const path = new URL(input instanceof Request ? input.url : String(input)).pathname;
    const withoutId = /\/invoices\/(upcoming|create_preview)$/.test(path);
    const label = `${init?.method ?? 'GET'} ${path}`;
    recorder.check(label, JSON.parse(text), { withoutId });
    report?.answered(sandbox.engine, label, text, null, withoutId);
    return new Response(text, { status: response.status, headers: response.headers });
  };
  const stripe = new Stripe('sk_test_lab', {
    host: url.hostname,
    port: url.port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(recording),
  });
  let seen: string | undefined;
  const events = async (): Promise<Stripe.Event[]> => {
    const fresh: Stripe.Event[] = [];
    if (seen === undefined) {
      for await (const event of stripe.events.list({ limit: 100 })) fresh.unshift(event);
    } else {
      // A page before a cursor is the one next to it: the oldest of what is new.
      let page = await stripe.events.list({ limit: 100, ending_before: seen });
      while (page.data.length > 0) {
        fresh.push(...page.data.toReversed());
        page = await stripe.events.list({ limit: 100, ending_before: page.data[0].id });
      }
    }
    seen = fresh.at(-1)?.id ?? seen;
    return fresh;
  };
  const news = async () => (await events()).map((event) => event.type as string);
  return {
    sandbox,
    stripe,
    recorder,
    events,
    news,
    advance: async (to) => {
      await news();
      await sandbox.control.advance(typeof to === 'string' ? to : { to });
      return news();
    },
    fire: async (cause, params) => {
      await news();
      await sandbox.control.event(cause, { ...params });
      return news();
    },
    now: () => sandbox.engine.world.nowMs / 1000,
    reset: async (t0) => {
      seen = undefined;
      report?.check(sandbox.engine);
      await sandbox.control.reset({ t0 });
    },
    close: () => {
      report?.check(sandbox.engine);
      return sandbox.close();
    },
  };
}

/**
 * An account for the tests of a file or a block: each begins in an empty world at an ISO date. At the end every body that the client
 * received must have been of the client's types.
 */
export function useTestAccount(t0: string): TestAccount {
  let account: TestAccount | undefined;
  const opened = (): TestAccount => {
    if (!account) throw new Error('the account opens before the first test');
    return account;
  };
  beforeAll(async () => {
    account = await openTestAccount(t0);
  });
  beforeEach(() => opened().reset(t0));
  afterAll(async () => {
    await opened().close();
    opened().recorder.assertClean();
  });
  return {
    get sandbox() {
      return opened().sandbox;
    },
    get stripe() {
      return opened().stripe;
    },
    get recorder() {
      return opened().recorder;
    },
    advance: (to) => opened().advance(to),
    news: () => opened().news(),
    events: () => opened().events(),
    fire: (cause, params) => opened().fire(cause, params),
    now: () => opened().now(),
    reset: (start) => opened().reset(start),
    close: () => opened().close(),
  };
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
