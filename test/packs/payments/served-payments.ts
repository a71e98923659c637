import Stripe from 'stripe';
import { PackCache } from '../../../engine/pack/index.js';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../engine/hosting/sandbox.js';
import { ConformanceRecorder } from '../../../tools/develop/conformance/index.js';
import type { ConformanceRelease } from '../../../tools/develop/conformance/releases.js';
import { orderedReport } from '../../clients/versions/report.js';
import { ROOT } from '../../support/root.js';

export const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
/** 15 January 2025, 12:00:00 UTC, in Unix seconds. */
export const T0 = 1_736_942_400;
export const DAY = 86_400;
/** The account's fingerprint, which stands inside numbered ids. */
export const FINGERPRINT = 'LkdIwHu7ix';
export const VERSION = '2024-12-18.acacia';

/** Of every world that tests fill; asked for by the environment. */
const report = orderedReport();

export type Body = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The `Authorization` header; null leaves it out. The world's key as Bearer unless given. */
  readonly auth?: string | null;
}

/** A served payments sandbox with the official client on it. Checks the shape of everything that it answers. */
export class Payments {
  readonly recorder: ConformanceRecorder;
  readonly defects: string[] = [];
  #sandbox: Sandbox | undefined;
  #stripe: Stripe | undefined;

  /** @param release whose declarations answers are checked against; the pinned client's unless given */
  constructor(
    private readonly options: Partial<SandboxOptions> = {},
    release?: ConformanceRelease,
  ) {
    this.recorder = new ConformanceRecorder({ vendorWord: options.vars?.['vendor'] ?? 'vendor' }, release);
  }

  async start(): Promise<this> {
    const onDefect = (error: unknown, what: string) => void this.defects.push(`${what}: ${String(error)}`);
    this.#sandbox = await createSandbox({
      pack: `${ROOT}/packs/payments`,
      cache: PackCache.ofInstallation(),
      key: KEY,
      seed: 'payments tests',
      t0: T0,
      onDefect,
      ...this.options,
    });
    this.#stripe = this.client(KEY);
    report?.follow(this.#sandbox.engine);
    return this;
  }

  get sandbox(): Sandbox {
    if (!this.#sandbox) throw new Error('the sandbox was not started');
    return this.#sandbox;
  }

  get stripe(): Stripe {
    if (!this.#stripe) throw new Error('the sandbox was not started');
    return this.#stripe;
  }

  get control(): Sandbox['control'] {
    return this.sandbox.control;
  }

  /** World time in Unix seconds. */
  get now(): number {
    return Math.floor(this.sandbox.engine.world.nowMs / 1000);
  }

  /** Ledger entries so far. */
  get commits(): number {
    return this.sandbox.engine.world.ledger.count;
  }

  client(key: string, config: Partial<Stripe.StripeConfig> = {}): Stripe {
    const { hostname, port } = new URL(this.sandbox.url);
    return new Stripe(key, {
      host: hostname,
      port,
      protocol: 'http',
      telemetry: false,
      maxNetworkRetries: 0,
      httpClient: Stripe.createFetchHttpClient((url: string | URL, init: RequestInit) => this.fetch(url, init)),
      ...config,
    });
  }

  /** The fetch that records: every answer is read and checked on its way. */
  async fetch(url: string | URL, init: RequestInit): Promise<Response> {
    const response = await fetch(url, init);
    const text = await response.clone().text();
    const { pathname } = new URL(url);
    this.#check(
      `${init.method ?? 'GET'} ${pathname}`,
      text,
      response.headers.get(`${this.recorder.options.vendorWord}-version`),
    );
    return response;
  }

  /** A call without the client: `params` are form fields, or the body as it is. */
  async call(
    method: string,
    path: string,
    params?: Readonly<Record<string, string>> | string | Uint8Array,
    { headers = {}, auth = `Bearer ${KEY}` }: CallOptions = {},
  ): Promise<Answer> {
    const form = 'application/x-www-form-urlencoded';
    const bytes = typeof params === 'string' || params instanceof Uint8Array;
    const response = await this.fetch(`${this.sandbox.url}${path}`, {
      method,
      headers: {
        ...(auth === null ? {} : { Authorization: auth }),
        ...(params === undefined ? {} : { 'Content-Type': form }),
        ...headers,
      },
      body: params === undefined || bytes ? params : new URLSearchParams(params).toString(),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('GET', path, undefined, options);
  }

  post(path: string, params: Readonly<Record<string, string>> = {}, options?: CallOptions): Promise<Answer> {
    return this.call('POST', path, params, options);
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

  /** The trace of an answer. */
  trace(answer: Answer): Promise<Body> {
    return this.control.trace(answer.headers.get('x-mock-resolution-trace') ?? 'none');
  }

  /** Empties the world after its events were read (and checked). */
  async reset(): Promise<void> {
    await this.events();
    report?.check(this.sandbox.engine);
    await this.control.reset({ t0: T0 });
  }

  /** Ends the sandbox; throws when a body did not conform or something went wrong inside. */
  async stop(): Promise<void> {
    report?.check(this.sandbox.engine);
    await this.sandbox.close();
    this.recorder.assertClean();
    if (this.defects.length > 0) throw new Error(`defects:\n${[...new Set(this.defects)].join('\n')}`);
  }

  /** @param version that the answer says it is in */
  #check(label: string, text: string, version: string | null): void {
    if (text === '' || label.includes('/__admin__')) return;
    const body = parsed(text);
    const error = (body as { error?: { code?: unknown } } | null)?.error;
    // The test's own mistake is not answered in the vendor's words.
    if (error?.code === 'unknown_scenario') return;
    const withoutId = /\/(create_preview|upcoming|preview)$/.test(label);
    this.recorder.check(label, body, { withoutId });
    report?.answered(this.sandbox.engine, label, text, version, withoutId);
  }
}

function parsed(text: string): Body {
  return text === '' ? {} : (JSON.parse(text) as Body);
}

/** One sandbox for the tests of a file; each starts in an empty world. */
export function servePayments(options: Partial<SandboxOptions> = {}, release?: ConformanceRelease): Payments {
  const payments = new Payments(options, release);
  beforeAll(() => payments.start(), 30_000);
  afterEach(() => payments.reset());
  afterAll(() => payments.stop());
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
export function said(answer: Answer): Body {
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
