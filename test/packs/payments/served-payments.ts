import Stripe from 'stripe';
import { ConformanceRecorder } from '../../../tools/develop/conformance/index.js';
import type { ConformanceRelease } from '../../../tools/develop/conformance/releases.js';
import { orderedReport } from '../../clients/versions/report.js';
import { type Body, call, type Called, type CallHeaders, form } from '../../support/http.js';
import { checkedClient } from './checked-client.js';
import { forTests, type StartOptions, TestSandbox } from '../../support/start-sandbox.js';

export const KEY = 'sk_test_of_the_tests';
/** 15 January 2025, 12:00:00 UTC, in Unix seconds. */
export const T0 = 1_736_942_400;
export const DAY = 86_400;
/** The account's fingerprint, which stands inside numbered ids. */
export const FINGERPRINT = 'LkdIwHu7ix';
export const VERSION = '2024-12-18.acacia';

/** Of every world that tests fill; asked for by the environment. */
const report = orderedReport();

export type { Body, Called };

/** A served payments sandbox with the official client on it. Checks the shape of everything that it answers. */
export class Payments extends TestSandbox {
  readonly recorder: ConformanceRecorder;
  #stripe: Stripe | undefined;

  /** @param release whose declarations responses are checked against; the pinned client's unless given */
  constructor(options: StartOptions = {}, release?: ConformanceRelease) {
    super('packs/payments', { key: KEY, seed: 'payments tests', t0: T0, ...options });
    this.recorder = new ConformanceRecorder({ vendorWord: options.vars?.['vendor'] ?? 'vendor' }, release);
  }

  override async open(): Promise<this> {
    await super.open();
    this.#stripe = this.clientOf(this.key);
    report?.follow(this.engine);
    return this;
  }

  get stripe(): Stripe {
    if (!this.#stripe) throw new Error('the sandbox was not started');
    return this.#stripe;
  }

  /** World time in Unix seconds. */
  get now(): number {
    return Math.floor(this.engine.world.nowMs / 1000);
  }

  /** Ledger entries so far. */
  get commits(): number {
    return this.engine.world.ledger.count;
  }

  clientOf(key: string, config: Partial<Stripe.StripeConfig> = {}): Stripe {
    const { hostname, port } = new URL(this.url);
    return new Stripe(key, {
      host: hostname,
      port,
      protocol: 'http',
      telemetry: false,
      maxNetworkRetries: 0,
      httpClient: checkedClient(Stripe.createNodeHttpClient(), (...received) => this.#check(...received)),
      ...config,
    });
  }

  /** A paid intent, with its charge. */
  readonly pay = (params: Partial<Stripe.PaymentIntentCreateParams> = {}): Promise<Stripe.PaymentIntent> =>
    this.stripe.paymentIntents.create({
      amount: 1000,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
      expand: ['latest_charge'],
      ...params,
    });

  /** A monthly subscription of a new customer, with its first invoice. @param items two of each, of a product of their own */
  readonly subscribed = async (items = 1): Promise<Stripe.Subscription> => {
    const customer = await this.stripe.customers.create({
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    });
    const prices: Stripe.Price[] = [];
    for (let i = 0; i < items; i++)
      prices.push(
        await this.stripe.prices.create({
          currency: 'usd',
          unit_amount: 1500,
          recurring: { interval: 'month' },
          product_data: { name: `Plan ${i}` },
        }),
      );
    return this.stripe.subscriptions.create({
      customer: customer.id,
      items: prices.map(({ id }) => ({ price: id, quantity: 2 })),
      expand: ['latest_invoice'],
    });
  };

  /** A call without the client: a body is the fields of a form, or the text or bytes of one. */
  override readonly call = async <T = Body>(
    line: string,
    body?: unknown,
    headers?: CallHeaders,
  ): Promise<Called<T>> => {
    const isWritten = typeof body === 'string' || body instanceof Uint8Array;
    const sent = body === undefined || isWritten ? body : form(body as Readonly<Record<string, string>>);
    const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const called = await call<T>(this, line, sent, { ...type, ...headers });
    this.#check(line.split('?')[0], called.text, called.headers);
    return called;
  };

  get(path: string, headers?: CallHeaders): Promise<Called> {
    return this.call(`GET ${path}`, undefined, headers);
  }

  post(path: string, fields: Readonly<Record<string, string>> = {}, headers?: CallHeaders): Promise<Called> {
    return this.call(`POST ${path}`, fields, headers);
  }

  /** Every event of the world, oldest first. */
  async events(): Promise<Stripe.Event[]> {
    const found: Stripe.Event[] = [];
    for await (const event of this.stripe.events.list({ limit: 100 })) found.push(event);
    return found.reverse();
  }

  /** The events that something causes, in order. */
  async eventsOf(run: () => Promise<unknown>): Promise<Stripe.Event[]> {
    const before = (await this.events()).length;
    await run();
    return (await this.events()).slice(before);
  }

  /** The types of the events that something causes, in order. */
  async typesOf(run: () => Promise<unknown>): Promise<string[]> {
    return (await this.eventsOf(run)).map(({ type }) => type);
  }

  /** The trace of a response. */
  trace(answer: Called): Promise<Body> {
    return this.control.trace(answer.headers.get('x-mock-resolution-trace') ?? 'none');
  }

  /** Empties the world after its events were read (and checked). */
  async reset(): Promise<void> {
    await this.events();
    await this.restart(T0);
  }

  /** Empties the world and starts it again at a date. */
  async restart(t0: string | number): Promise<void> {
    report?.check(this.engine);
    await this.control.reset({ t0 });
  }

  /** Ends the sandbox. @throws when a body did not conform, or something went wrong inside */
  override async close(): Promise<void> {
    report?.check(this.engine);
    await super.close();
    this.recorder.assertClean();
  }

  #check(label: string, text: string, headers: Headers): void {
    if (text === '' || label.includes('/__admin__')) return;
    const body = JSON.parse(text) as Body;
    const error = (body as { error?: { code?: unknown } } | null)?.error;
    // The test's own mistake is not answered in the vendor's words.
    if (error?.code === 'unknown_scenario') return;
    const withoutId = /\/(create_preview|upcoming|preview)$/.test(label);
    this.recorder.check(label, body, { withoutId });
    report?.answered(this.engine, label, text, headers.get(`${this.recorder.options.vendorWord}-version`), withoutId);
  }
}

/** One sandbox for the tests of a file; each starts in an empty world. */
export function servePayments(options: StartOptions = {}, release?: ConformanceRelease): Payments {
  const payments = forTests(new Payments(options, release));
  afterEach(() => payments.reset());
  return payments;
}

export type RefusedCall = InstanceType<typeof Stripe.errors.StripeError>;

/** The error that the client throws. */
export async function refused(call: Promise<unknown>): Promise<RefusedCall> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('the call was not refused');
}

/** What the answer to a failed call says, without what differs from call to call. */
export function said(answer: Called): Body {
  const { error } = answer.body as { error?: Body };
  return { status: answer.status, type: error?.['type'], code: error?.['code'], param: error?.['param'] };
}

/** The id of what may be expanded. */
export function idOf(value: string | { readonly id: string } | null | undefined): string {
  if (value === null || value === undefined) throw new Error('there is no reference');
  return typeof value === 'string' ? value : value.id;
}

/** The expanded object of what may be an id. */
export function expanded<T extends { readonly id: string }>(value: string | T | null | undefined): T {
  if (value === null || value === undefined || typeof value === 'string')
    throw new Error(`${String(value)} is not expanded`);
  return value;
}

/** The expanded charge of an intent. */
export function chargeOf(intent: Stripe.PaymentIntent): Stripe.Charge {
  return expanded(intent.latest_charge);
}

/** World events of the pack. */
export const CAUSES = {
  challengeCompleted: 'payment_intent.challenge_completed',
  challengeFailed: 'payment_intent.challenge_failed',
  setupChallengeCompleted: 'setup_intent.challenge_completed',
  setupChallengeFailed: 'setup_intent.challenge_failed',
  debitSettled: 'bank_debit.settled',
  debitReturned: 'bank_debit.returned',
  disputeOpened: 'dispute.opened',
  disputeWon: 'dispute.won',
  disputeLost: 'dispute.lost',
  refundFailed: 'refund.failed',
} as const;
