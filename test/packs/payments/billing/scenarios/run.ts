import Stripe from 'stripe';
import { at, type TestAccount } from '../../test-account.js';
import type {
  InvoiceSummary,
  StepParams,
  BillingScenario,
  ScenarioStep,
} from '../../../../../tools/develop/generate/billing-scenarios.js';

/** What a step came to. */
export interface StepOutcome {
  readonly answer: unknown;
  readonly error: unknown;
  /** The step's `then` and `fails`, with values for what they refer to. */
  readonly then: unknown;
  readonly fails: unknown;
  readonly statuses: Readonly<Record<string, string>>;
  readonly events: readonly string[];
}

export interface Outcome {
  readonly steps: readonly StepOutcome[];
  readonly invoices: readonly InvoiceSummary[];
}

/** Events that have nothing to do with billing. */
const QUIET = new Set(['balance.available']);

/** Lives a scenario in an empty world. */
export async function run(account: TestAccount, scenario: BillingScenario): Promise<Outcome> {
  await account.reset(scenario.start ?? '2025-01-01T00:00:00Z');
  const story = new Story(account);
  await story.arrange(scenario);
  const steps: StepOutcome[] = [];
  for (const step of scenario.steps) steps.push(await story.take(step));
  return { steps, invoices: await story.invoices() };
}

class Story {
  readonly #known = new Map<string, unknown>();
  readonly #statuses = new Map<string, string>();

  constructor(private readonly account: TestAccount) {}

  async arrange({ given = {} }: BillingScenario): Promise<void> {
    const { stripe } = this.account;
    const { card = 'pm_card_visa', customer = {}, prices = {}, coupons = {}, taxes = {} } = given;
    const method = card === null ? {} : { payment_method: card, invoice_settings: { default_payment_method: card } };
    this.#known.set('customer', await stripe.customers.create({ ...method, ...(this.#filled(customer) as object) }));
    for (const [name, price] of Object.entries(prices)) {
      const product = await stripe.products.create({ name: name.charAt(0).toUpperCase() + name.slice(1) });
      const own = typeof price === 'number' ? { unit_amount: price } : price;
      const whole = { currency: 'usd', recurring: { interval: 'month' as const }, product: product.id, ...own };
      const params = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== null));
      this.#known.set(name, await stripe.prices.create(params as unknown as Stripe.PriceCreateParams));
    }
    for (const [name, coupon] of Object.entries(coupons))
      this.#known.set(name, await stripe.coupons.create({ name, ...coupon }));
    for (const [name, tax] of Object.entries(taxes)) {
      const params = { display_name: name, inclusive: false, percentage: 0, ...tax };
      this.#known.set(name, await stripe.taxRates.create(params));
    }
    await this.account.news();
  }

  async take(step: ScenarioStep): Promise<StepOutcome> {
    let answer: unknown;
    let error: unknown;
    try {
      answer = await this.#act(step);
    } catch (thrown) {
      if (!(thrown instanceof Stripe.errors.StripeError)) throw thrown;
      const { statusCode, code, param, message, decline_code } = thrown;
      error = { status: statusCode, code, param, message, decline_code };
    }
    if (step.as !== undefined) this.#known.set(step.as, answer);
    const events = (await this.account.events()).filter(({ type }) => !QUIET.has(type));
    const wanted = { then: this.#filled(step.then), fails: this.#filled(step.fails) };
    return { answer, error, ...wanted, statuses: await this.#news(), events: moments(events) };
  }

  /** All invoices, oldest first. */
  async invoices(): Promise<InvoiceSummary[]> {
    const { engine } = this.account.sandbox;
    const resource = engine.model.resources.find(({ name }) => name === 'invoice');
    if (!resource) throw new Error('there are no invoices');
    const ids = engine.world.objects(resource.index).map((row) => String(row['id']));
    return Promise.all(ids.map(async (id) => summary(await this.account.stripe.invoices.retrieve(id))));
  }

  async #act(step: ScenarioStep): Promise<unknown> {
    const params = this.#filled(step.with ?? {}) as StepParams;
    if (step.move !== undefined) return this.#move(step.move);
    if (step.cause !== undefined) return this.account.sandbox.control.event(step.cause, params);
    if (step.pin) {
      const id = String(this.#filled(step.pin.id));
      return this.account.sandbox.control.pin({
        resource: 'subscriptions',
        id,
        path: step.pin.path,
        value: step.pin.value,
      });
    }
    const ids = step.id === undefined ? [] : [step.id].flat().map((id) => this.#filled(id));
    const sent = step.with === undefined ? [] : [params];
    return this.#method(step.call ?? 'nothing')(...ids, ...sent);
  }

  async #move(to: string): Promise<void> {
    const instant = /^\d{4}-/.test(to) ? { to: at(to) } : to;
    await this.account.sandbox.control.advance(instant);
  }

  #method(path: string): (...args: unknown[]) => Promise<unknown> {
    const names = path.split('.');
    const owner = names
      .slice(0, -1)
      .reduce<object>((from, name) => Reflect.get(from, name) as object, this.account.stripe);
    const found: unknown = Reflect.get(owner, names.at(-1) ?? '');
    if (typeof found !== 'function') throw new Error(`the client has no method ${path}`);
    return (...args) => Reflect.apply(found, owner, args) as Promise<unknown>;
  }

  /** Statuses of the known subscriptions that are not what they were. */
  async #news(): Promise<Record<string, string>> {
    const news: Record<string, string> = {};
    for (const [name, object] of this.#known) {
      const { id, object: kind } = (object ?? {}) as { id?: string; object?: string };
      if (kind !== 'subscription' || id === undefined) continue;
      const { status } = await this.account.stripe.subscriptions.retrieve(id);
      if (this.#statuses.get(name) !== status) news[name] = status;
      this.#statuses.set(name, status);
    }
    return news;
  }

  #filled(value: unknown): unknown {
    if (typeof value === 'string' && /^@\d{4}-/.test(value)) return at(value.slice(1));
    if (typeof value === 'string' && value.startsWith('$')) return this.#found(value.slice(1));
    if (Array.isArray(value)) return value.map((each) => this.#filled(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#filled(each)]));
  }

  /** `name` is the id of the object, `name.a.0.b` a part of it. */
  #found(path: string): unknown {
    const [name, ...rest] = path.split('.');
    if (!this.#known.has(name)) throw new Error(`nothing is called ${name}`);
    const parts = rest.length === 0 ? ['id'] : rest;
    return parts.reduce<unknown>((from, key) => Reflect.get(from as object, key), this.#known.get(name));
  }
}

/** `<time> <types>` for each moment of the events. */
function moments(events: readonly Stripe.Event[]): string[] {
  const lines: string[] = [];
  let last = -1;
  for (const { created, type } of events) {
    if (created === last) lines.push(`${lines.pop() ?? ''} ${type}`);
    else lines.push(`${new Date(created * 1000).toISOString().slice(0, 16)} ${type}`);
    last = created;
  }
  return lines;
}

function summary(invoice: Stripe.Invoice): InvoiceSummary {
  const discount = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const { total, amount_due: due, amount_paid: paid, tax } = invoice;
  return {
    reason: invoice.billing_reason,
    status: invoice.status,
    total,
    ...(due === total ? {} : { due }),
    ...(paid === due ? {} : { paid }),
    ...(discount === 0 ? {} : { discount }),
    ...(tax === null ? {} : { tax }),
    lines: invoice.lines.data.map(({ amount, description }) => [amount, description] as const),
  };
}
