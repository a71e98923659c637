import { rulesOf, type Schema } from '../../../../engine/model/index.js';
import type { Operation } from '../../../../engine/program/index.js';
import { createSandbox, type Sandbox } from '../../../../engine/hosting/sandbox.js';
import { PackCache } from '../../../../engine/pack/index.js';
import { conformanceOf } from '../../../clients/conformance.js';
import { ROOT } from '../../../support/root.js';

/** Random calls of billing: parameters of declared types mixed with wrong ones, between moves of the clock. */
const KEY = 'sk_test_fuzz';
const T0 = Date.parse('2025-01-31T10:00:00Z') / 1000;
const DAY = 86_400;

/** Resources whose operations are called. */
const BILLING = new Set([
  ...[
    'subscription',
    'subscription_item',
    'subscription_schedule',
    'usage_record',
    'invoice',
    'invoiceitem',
    'line_item',
  ],
  ...['product', 'price', 'plan', 'coupon', 'promotion_code', 'discount', 'tax_rate', 'tax_id', 'shipping_rate'],
  ...['customer', 'customer_balance_transaction', 'credit_note', 'credit_note_line', 'quote', 'test_clock'],
]);
const WRONG = [
  '',
  'x',
  '-1',
  '0',
  '1.5',
  '9007199254740993',
  '99999999999',
  'true',
  'null',
  '🐢'.repeat(200),
  'cus_000',
];
const METHODS = ['pm_card_visa', 'pm_card_visa', 'pm_card_chargeCustomerFail', 'pm_card_authenticationRequired'];
const MOVES = ['1h', '12h', '1d', '3d', '8d', '20d', '33d'];
const FIXED: Readonly<Record<string, readonly string[]>> = {
  currency: ['usd', 'usd', 'usd', 'usd', 'eur', 'jpy'],
  interval: ['month', 'month', 'month', 'week', 'year', 'day'],
  amount: ['0', '1', '30', '1000', '1999', '-700', '250000'],
  unit_amount: ['0', '1', '30', '1000', '1999', '5000'],
  unit_amount_decimal: ['0.5', '12.5', '1000', '0.0001', '99999.99'],
  quantity: ['0', '1', '1', '2', '3', '12', '250'],
  percent_off: ['1', '10', '25', '33.33', '50', '99.99', '100'],
  percentage: ['0', '5', '8.25', '19', '20', '100'],
  up_to: ['5', '10', '20', 'inf'],
  interval_count: ['1', '1', '1', '2', '3'],
  duration_in_months: ['1', '3', '12'],
  trial_period_days: ['0', '1', '2', '7', '14', '30'],
  iterations: ['1', '2', '3'],
  days_until_due: ['0', '1', '10', '30'],
  frozen_time: ['never'],
  country: ['US', 'DE', 'FR'],
  limit: ['0', '1', '3', '100', '500'],
  query: ['created>0', "metadata['k']:'v'", "name~'old'", "status:'active' AND created<99999999999", "-currency:'usd'"],
};

const OVER = new Set(['canceled', 'incomplete_expired', 'void', 'paid', 'completed', 'released', 'accepted']);
/** How often operations are called in comparison; 4 unless told. */
const WEIGHTS: Readonly<Record<string, number>> = { retrieve: 1, list: 1, search: 2, delete: 1 };
const WEIGHTS_OF: Readonly<Record<string, number>> = {
  'subscriptions.create': 20,
  'subscriptions.update': 30,
  'subscription_schedules.create': 20,
  'subscription_schedules.update': 12,
  'invoices.create_preview': 12,
  'invoices.upcoming': 12,
  'invoices.update': 8,
  'invoices.create': 10,
  'invoices.pay': 8,
  'invoiceitems.create': 10,
  'credit_notes.create': 8,
  'subscriptions.cancel': 2,
  'subscription_schedules.cancel': 2,
  'subscription_schedules.release': 2,
  'quotes.create': 8,
};

/** Something that must not happen, with the call that made it. */
export interface Finding {
  readonly seed: number;
  readonly step: number;
  readonly call: string;
  readonly problem: string;
}

export class Fuzz {
  readonly defects: string[] = [];
  readonly findings: Finding[] = [];
  /** Answers by status, which shows whether stories get anywhere. */
  readonly statuses = new Map<number, number>();
  #sandbox: Sandbox | undefined;
  #operations: readonly Operation[] = [];
  #state = 0;
  #seed = 0;
  #step = 0;
  /** Ids are of objects that are not over yet. */
  #alive = false;

  async start(): Promise<this> {
    this.#sandbox = await createSandbox({
      pack: `${ROOT}/packs/payments`,
      cache: PackCache.ofInstallation(),
      key: KEY,
      seed: 'fuzz',
      t0: T0,
      traceLimit: 10,
      ledgerLimit: 10,
      onDefect: (error, what) => void this.defects.push(`${what}: ${described(error)}`),
    });
    this.#operations = this.#sandbox.engine.pack.operations
      .filter(({ resource }) => BILLING.has(resource.name))
      .flatMap((operation) => {
        const weight = WEIGHTS_OF[operation.key] ?? WEIGHTS[operation.kind] ?? 4;
        return Array.from({ length: weight }, () => operation);
      });
    return this;
  }

  get sandbox(): Sandbox {
    if (!this.#sandbox) throw new Error('not started');
    return this.#sandbox;
  }

  /** Lives one story in an empty world. */
  async story(seed: number, steps: number): Promise<void> {
    this.#seed = seed;
    this.#step = 0;
    this.#state = Math.imul(seed + 1, 0x9e3779b1);
    await this.sandbox.control.reset({ t0: T0 });
    await this.#arrange();
    for (let i = 0; i < steps; i++) {
      this.#step = i;
      if (this.#chance(0.12)) await this.#advance();
      else await this.#operate(this.#pick(this.#operations));
    }
    await this.#readAll();
  }

  async close(): Promise<void> {
    await this.sandbox.close();
  }

  async #arrange(): Promise<void> {
    for (const card of METHODS.slice(1)) {
      await this.call(
        'POST',
        '/v1/customers',
        `payment_method=${card}&invoice_settings[default_payment_method]=${card}`,
      );
    }
    await this.call('POST', '/v1/customers', 'email=bare@example.com');
    const products = ['Gold', 'Silver', 'Calls'];
    for (const name of products) await this.call('POST', '/v1/products', `name=${name}`);
    const [calls, silver, gold] = this.#ids('product');
    for (const price of [
      `product=${gold}&currency=usd&unit_amount=1999&recurring[interval]=month`,
      `product=${silver}&currency=usd&unit_amount=1000&recurring[interval]=month`,
      `product=${gold}&currency=usd&unit_amount=20000&recurring[interval]=year`,
      `product=${calls}&currency=usd&unit_amount=7&recurring[interval]=month&recurring[usage_type]=metered`,
      `product=${calls}&currency=usd&recurring[interval]=month&billing_scheme=tiered&tiers_mode=graduated&tiers[0][up_to]=5&tiers[0][unit_amount]=500&tiers[1][up_to]=inf&tiers[1][unit_amount]=400`,
      `product=${silver}&currency=usd&unit_amount=300`,
    ])
      await this.call('POST', '/v1/prices', price);
    await this.call('POST', '/v1/coupons', 'percent_off=25&duration=repeating&duration_in_months=3');
    await this.call('POST', '/v1/coupons', 'amount_off=500&currency=usd&duration=once');
    await this.call('POST', '/v1/tax_rates', 'display_name=VAT&percentage=19&inclusive=false');
    await this.call('POST', '/v1/tax_rates', 'display_name=Tax&percentage=8.25&inclusive=true');
    for (const customer of this.#ids('customer').slice(1)) {
      const [, , , , second] = this.#ids('price');
      await this.call('POST', '/v1/subscriptions', `customer=${customer}&items[0][price]=${second}`);
    }
    const [bare, , , customer] = this.#ids('customer');
    const [price] = this.#ids('price');
    const [coupon] = this.#ids('coupon');
    for (const [path, form] of [
      ['invoiceitems', `customer=${customer}&amount=700&currency=usd`],
      ['invoices', `customer=${customer}&pending_invoice_items_behavior=include`],
      ['invoiceitems', `customer=${customer}&price=${price}`],
      ['promotion_codes', `coupon=${coupon}&code=SAVE`],
      ['quotes', `customer=${customer}&line_items[0][price]=${price}`],
      ['shipping_rates', 'display_name=Post&type=fixed_amount&fixed_amount[amount]=300&fixed_amount[currency]=usd'],
      [
        'subscription_schedules',
        `customer=${customer}&start_date=now&phases[0][items][0][price]=${this.#ids('price')[4]}`,
      ],
      [`customers/${bare}`, `coupon=${coupon}`],
      [`customers/${bare}/tax_ids`, 'type=eu_vat&value=DE123456789'],
      [`customers/${customer}/balance_transactions`, 'amount=-100&currency=usd'],
      ['credit_notes', `invoice=${this.#ids('invoice').at(-1)}&amount=100&credit_amount=100`],
    ])
      await this.call('POST', `/v1/${path}`, form);
  }

  async #advance(): Promise<void> {
    const move = this.#pick(MOVES);
    await this.sandbox.control.advance(move);
    this.#report(`advance ${move}`, this.defects.splice(0));
  }

  async #operate(operation: Operation): Promise<void> {
    if (operation.kind === 'delete' && this.#chance(0.6)) return;
    const [route] = operation.routes;
    const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
      const param = operation.params.get(name);
      return this.#id(name === 'id' ? [operation.resource.name] : param?.kind === 'ref' ? param.refs : []);
    });
    const open = [...operation.params].filter(([name]) => !route.names.includes(name));
    const share = this.#pick([0, 0.1, 0.15, 0.3, 0.6]);
    const base = this.#chance(0.8) ? this.#usual(operation.key) : [];
    const taken = new Set(base.map(([name]) => name.replace(/\[.*/, '')));
    const fields = [...base, ...this.#fields(open, share).filter(([name]) => !taken.has(name.replace(/\[.*/, '')))];
    await this.call(route.method, path, new URLSearchParams(fields).toString());
  }

  /** Parameters with which an operation usually succeeds. */
  #usual(key: string): [string, string][] {
    const customer: [string, string] = ['customer', this.#id(['customer'])];
    const amount: [string, string] = ['amount', this.#pick(['1000', '2500', '30', '1'])];
    const usd: [string, string] = ['currency', 'usd'];
    const price = this.#id(['price']);
    const subscription: [string, string] = ['subscription', this.#id(['subscription'])];
    const line = `${this.#pick(['0', '1', '1000'])}`;
    switch (key) {
      case 'subscriptions.create':
        return [customer, ['items[0][price]', price], ...this.#maybe('items[0][quantity]', ['1', '2', '5'])];
      case 'subscription_schedules.create':
        return this.#chance(0.3)
          ? [['from_subscription', this.#id(['subscription'])]]
          : [customer, ...this.#maybe('start_date', ['now', String(this.#now + 5 * DAY)]), ...this.#phases()];
      case 'subscription_schedules.update':
        return this.#phases();
      case 'invoices.create_preview':
      case 'invoices.upcoming':
      case 'invoices.upcoming_lines':
        return this.#chance(0.5) ? [subscription] : [customer];
      case 'invoiceitems.create':
        return [customer, ...(this.#chance(0.6) ? [amount, usd] : [['price', price] as [string, string]])];
      case 'invoices.create':
        return [customer, ['pending_invoice_items_behavior', this.#pick(['include', 'exclude'])]];
      case 'invoices.add_lines':
        return [
          ['lines[0][amount]', line],
          ['lines[0][description]', 'More'],
        ];
      case 'invoices.update_lines':
        return [
          ['lines[0][id]', this.#id(['line_item'])],
          ['lines[0][amount]', line],
        ];
      case 'invoices.remove_lines':
        return [
          ['lines[0][id]', this.#id(['line_item'])],
          ['lines[0][behavior]', this.#pick(['delete', 'unassign'])],
        ];
      case 'coupons.create':
        return [
          this.#pick([
            ['percent_off', '10'],
            ['amount_off', '500'],
          ] as const).slice() as [string, string],
          usd,
          ['duration', 'once'],
        ];
      case 'prices.create':
      case 'plans.create':
        return [
          ['product', this.#id(['product'])],
          usd,
          [key === 'plans.create' ? 'amount' : 'unit_amount', '1500'],
          ...(key === 'plans.create'
            ? [['interval', 'month'] as [string, string]]
            : this.#maybe('recurring[interval]', ['month', 'month', 'year', 'day'])),
        ];
      case 'customer_balance_transactions.create':
        return [amount, usd];
      case 'credit_notes.create':
      case 'credit_notes.preview':
      case 'credit_notes.preview_lines':
        return [
          ['invoice', this.#id(['invoice'])],
          ...(this.#chance(0.5)
            ? [amount]
            : ([
                ['lines[0][type]', 'custom_line_item'],
                ['lines[0][description]', 'x'],
                ['lines[0][quantity]', '1'],
                ['lines[0][unit_amount]', '100'],
              ] as [string, string][])),
          ...this.#maybe(this.#pick(['refund_amount', 'credit_amount', 'out_of_band_amount']), ['1000', '100']),
        ];
      case 'quotes.create':
        return [customer, ['line_items[0][price]', price]];
      case 'shipping_rates.create':
        return [
          ['display_name', 'Post'],
          ['type', 'fixed_amount'],
          ['fixed_amount[amount]', '300'],
          ['fixed_amount[currency]', 'usd'],
        ];
      case 'subscription_items.create':
        return [subscription, ['price', price]];
      case 'test_clocks.create':
        return [['frozen_time', String(this.#now + this.#pick([0, DAY]))]];
      case 'test_clocks.advance':
        return [['frozen_time', String(this.#now + this.#pick([1, 3600, DAY, 20 * DAY]))]];
      case 'customers.create':
        return this.#chance(0.7)
          ? [
              ['payment_method', 'pm_card_visa'],
              ['invoice_settings[default_payment_method]', 'pm_card_visa'],
            ]
          : [];
      default:
        return [];
    }
  }

  #maybe(name: string, values: readonly string[]): [string, string][] {
    return this.#chance(0.5) ? [[name, this.#pick(values)]] : [];
  }

  #phases(): [string, string][] {
    return Array.from({ length: this.#pick([1, 2, 3]) }, (_none, i): [string, string][] => [
      [`phases[${i}][items][0][price]`, this.#id(['price'])],
      ...this.#maybe(`phases[${i}][items][0][quantity]`, ['1', '3']),
      ...this.#maybe(`phases[${i}][iterations]`, ['1', '2']),
      ...this.#maybe(`phases[${i}][proration_behavior]`, ['none', 'always_invoice']),
      ...this.#maybe(`phases[${i}][trial]`, ['true', 'false']),
      ...this.#maybe(`phases[${i}][billing_cycle_anchor]`, ['phase_start', 'automatic']),
    ]).flat();
  }

  /** Calls and judges the answer. */
  async call(method: string, path: string, form: string): Promise<void> {
    const body = method === 'POST' ? form : undefined;
    const response = await fetch(`${this.sandbox.url}${path}${body === undefined && form !== '' ? `?${form}` : ''}`, {
      method,
      headers: {
        Authorization: `Bearer ${KEY}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      body,
    });
    const text = await response.text();
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1);
    const call = `${method} ${path} ${decodeURIComponent(form).slice(0, 900)} -> ${response.status}`;
    const problems = this.defects.splice(0);
    if (response.status >= 500 && problems.length === 0) problems.push('5xx');
    if (response.status === 200 || response.status < 500) problems.push(...this.#misshapen(path, text));
    this.#report(call, problems);
  }

  #misshapen(path: string, text: string): string[] {
    const withoutId = /\/(create_preview|upcoming|preview)$/.test(path);
    if (text === '') return []; // a query too long for HTTP
    return conformanceOf(JSON.parse(text), { withoutId }).map(
      ({ type, at, code, message }) => `${type}.${at} ${code} ${message}`,
    );
  }

  #report(call: string, problems: readonly string[]): void {
    for (const problem of problems) this.findings.push({ seed: this.#seed, step: this.#step, call, problem });
  }

  /** Every object that is left has to be well-shaped too, and every event. */
  async #readAll(): Promise<void> {
    for (const path of ['customers', 'subscriptions?status=all', 'invoices', 'subscription_schedules', 'events']) {
      let after = '';
      for (let page = 0; page < 40; page++) {
        const response = await fetch(
          `${this.sandbox.url}/v1/${path}${path.includes('?') ? '&' : '?'}limit=100${after === '' ? '' : `&starting_after=${after}`}`,
          { headers: { Authorization: `Bearer ${KEY}` } },
        );
        const text = await response.text();
        this.#report(`GET /v1/${path}`, [...this.defects.splice(0), ...this.#misshapen(path, text)]);
        const { data, has_more } = JSON.parse(text) as { data?: { id: string }[]; has_more?: boolean };
        if (!has_more || !data) break;
        after = data.at(-1)?.id ?? '';
      }
    }
  }

  get #now(): number {
    return Math.floor(this.sandbox.engine.world.nowMs / 1000);
  }

  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)];
  }

  /** Ids of a resource's objects, newest first. */
  #ids(resource: string): string[] {
    const { engine } = this.sandbox;
    const def = engine.model.resources.find(({ name }) => name === resource);
    if (!def) return [];
    return engine.world
      .objects(def.index)
      .filter(({ status }) => !this.#alive || !OVER.has(String(status)))
      .map((each) => String(each['id']))
      .reverse();
  }

  #id(refs: readonly string[]): string {
    if (this.#chance(0.03)) return 'x_unknown';
    if (refs.includes('payment_method') && this.#chance(0.5)) return this.#pick(METHODS);
    this.#alive = this.#chance(0.85);
    const alive = refs.flatMap((ref) => this.#ids(ref).slice(0, 8));
    this.#alive = false;
    const ids = alive.length > 0 ? alive : refs.flatMap((ref) => this.#ids(ref).slice(0, 8));
    return ids.length === 0 ? 'x_none' : this.#pick(ids);
  }

  #fields(fields: Iterable<readonly [string, Schema]>, share: number, prefix = ''): [string, string][] {
    return [...fields].flatMap(([name, schema]) => {
      const wanted = schema.required || name === 'items' || name === 'phases' || (name === 'price' && prefix !== '');
      return this.#chance(wanted ? 0.95 : share)
        ? this.#value(schema, name, prefix === '' ? name : `${prefix}[${name}]`, share)
        : [];
    });
  }

  #value(schema: Schema, name: string, at: string, share: number): [string, string][] {
    if (this.#chance(0.015)) return [[at, this.#pick(WRONG)]];
    if (schema.unset && this.#chance(0.1)) return [[at, '']];
    switch (schema.kind) {
      case 'object':
        return this.#fields(schema.fields, share, at);
      case 'array':
        return Array.from({ length: this.#pick([0, 1, 1, 1, 2, 3]) }, (_none, i) =>
          this.#value(schema.items, name, `${at}[${i}]`, share),
        ).flat();
      case 'map':
        return this.#chance(0.2) ? [[`${at}[k]`, '']] : [[`${at}[k]`, 'v']];
      case 'one_of':
        return this.#value(this.#pick(schema.options), name, at, share);
      default:
        return [[at, this.#scalar(schema, name, at)]];
    }
  }

  #scalar(schema: Schema, name: string, at: string): string {
    const fixed = FIXED[name];
    switch (schema.kind) {
      case 'enum':
        return fixed ? this.#pick(fixed) : this.#pick(schema.values);
      case 'const':
        return String(schema.constant);
      case 'boolean':
        return this.#pick(['true', 'false']);
      case 'timestamp':
        return String(this.#now + this.#pick([-40 * DAY, -DAY, 0, 1, 3600, 5 * DAY, 20 * DAY, 33 * DAY, 400 * DAY]));
      case 'ref':
        return this.#id(schema.refs);
      case 'integer':
      case 'number':
        return this.#pick(fixed ?? ['-1', '0', '1', '2', '50', '500', '1000', '2000']);
      default:
        return this.#text(schema, name, at);
    }
  }

  #text(schema: Schema, name: string, at: string): string {
    const { format } = rulesOf(schema);
    const fixed = FIXED[name];
    if (fixed) return this.#pick(fixed);
    if (format?.name === 'email') return 'jenny@example.com';
    if (format?.name === 'url') return 'http://127.0.0.1:9/x';
    if (name === 'id' && /items\[\d\]\[id\]$/.test(at)) return this.#id(['subscription_item']);
    if (name === 'id' && /lines\[\d\]\[id\]$/.test(at)) return this.#id(['line_item']);
    if (/discount$/.test(name)) return this.#id(['discount']);
    if (/tax_rates?$/.test(name)) return this.#id(['tax_rate']);
    if (/subscription$/.test(name)) return this.#id(['subscription']);
    if (/product$/.test(name)) return this.#id(['product']);
    return this.#pick(['text', 'Zoë', 'k', 'very odd\n', "it's"]);
  }
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` <- ${error.cause.message}` : '';
  return `${error.message}${cause}`;
}
