import fc from 'fast-check';
import type { Sandbox } from '../../engine/index.js';
import { send } from './http.js';

/** The response to a call of the vendor API or control API. */
export interface Answered {
  readonly call: string;
  readonly status: number | string;
  /** Ids of the request and its trace, from the response headers. */
  readonly ids: readonly (string | null)[];
  readonly text: string;
}

/** Address and key of a served world. */
export type World = Pick<Sandbox, 'url' | 'key'>;

/** Calls a world, and remembers the ids in its responses for later calls. */
export class Caller {
  readonly #ids: Map<string, string[]>;

  constructor(
    readonly sandbox: World,
    readonly receiver: string,
    ids: ReadonlyMap<string, readonly string[]> = new Map(),
  ) {
    this.#ids = new Map([...ids].map(([kind, known]) => [kind, [...known]]));
  }

  /** Creates a caller with the same ids for another sandbox that serves the same world. */
  at(sandbox: World): Caller {
    return new Caller(sandbox, this.receiver, this.#ids);
  }

  pick(kind: string, n: number): string {
    const known = this.#ids.get(kind) ?? [];
    return known.length === 0 ? `${kind}_none` : known[n % known.length];
  }

  /** Header that makes a call in a connected account. @param n selects the account */
  as(n: number): Readonly<Record<string, string>> {
    return { 'Stripe-Account': this.pick('acct', n) };
  }

  vendor(method: string, path: string, form?: Readonly<Record<string, string>>, headers = {}): Promise<Answered> {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = form && new URLSearchParams(form).toString();
    return this.#send(method, path, body, { ...(form && type), ...headers });
  }

  json(method: string, path: string, body?: unknown): Promise<Answered> {
    const type = { 'Content-Type': 'application/json' };
    return this.#send(method, path, body === undefined ? undefined : JSON.stringify(body), type);
  }

  control(method: string, path: string, body?: unknown): Promise<Answered> {
    return this.json(method, `/__admin__${path}`, body);
  }

  async #send(
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<Answered> {
    const { url, key } = this.sandbox;
    const call = `${method} ${path} ${body ?? ''}`;
    try {
      const response = await send(this.sandbox, `${method} ${path}`, body, headers);
      // Masks the address and the key, which aren't part of the world.
      const masked = new RegExp(`\\*+${key.slice(-4)}`, 'g');
      const text = (await response.text()).replaceAll(url, 'http://sandbox').replace(masked, '**');
      for (const [, id, kind] of text.matchAll(/"id":\s*"(([a-z]+)_[^"]+)"/g)) this.#note(kind, id);
      const ids = ['request-id', 'x-request-id', 'x-mock-resolution-trace'].map((name) => response.headers.get(name));
      return { call, status: response.status, ids, text };
    } catch {
      return { call, status: 'broken off', ids: [], text: '' };
    }
  }

  #note(kind: string, id: string): void {
    const known = this.#ids.get(kind) ?? [];
    if (!known.includes(id)) this.#ids.set(kind, [...known, id]);
  }
}

/** Packs for which random calls can be generated. */
export type PackName = 'payments' | 'task-automation';

/** A random call. Its arguments depend on the ids in earlier responses. */
export interface Move {
  readonly pack: PackName;
  readonly name: string;
  readonly pick: number;
  readonly value: number;
}

type Run = (caller: Caller, pick: number, value: number) => Promise<Answered>;

const CARDS = ['pm_card_visa', 'pm_card_chargeDeclined', 'pm_card_threeDSecure2Required', 'pm_card_createDispute'];
const PATHS = ['ok', 'fail', 'down', 'moody'];
const card = (value: number): string => CARDS[value % CARDS.length];

/** Vendor API and control API calls for the payments pack, by name. */
const RUNS: Readonly<Record<string, Run>> = {
  customer: (c, _, v) => c.vendor('POST', '/v1/customers', { email: `c${v}@example.com`, 'metadata[v]': String(v) }),
  rename: (c, p, v) => c.vendor('POST', `/v1/customers/${c.pick('cus', p)}`, { name: `N${v}` }),
  forget: (c, p) => c.vendor('DELETE', `/v1/customers/${c.pick('cus', p)}`),
  keyed: (c, p, v) => c.vendor('POST', '/v1/customers', { name: `K${v % 3}` }, { 'Idempotency-Key': `key ${p % 4}` }),
  intent: (c, p, v) =>
    c.vendor('POST', '/v1/payment_intents', { amount: String(v + 100), currency: 'usd', customer: c.pick('cus', p) }),
  pay: (c, p, v) =>
    c.vendor(
      'POST',
      '/v1/payment_intents',
      { amount: String(v + 100), currency: 'usd', confirm: 'true', payment_method: card(v) },
      { 'Idempotency-Key': `pay ${p % 6}` },
    ),
  confirm: (c, p, v) => c.vendor('POST', `/v1/payment_intents/${c.pick('pi', p)}/confirm`, { payment_method: card(v) }),
  cancel: (c, p) => c.vendor('POST', `/v1/payment_intents/${c.pick('pi', p)}/cancel`, {}),
  refund: (c, p, v) => c.vendor('POST', '/v1/refunds', { charge: c.pick('ch', p), amount: String((v % 90) + 1) }),
  setup: (c, _, v) => c.vendor('POST', '/v1/setup_intents', { payment_method: card(v), confirm: 'true' }),
  hook: (c, p) =>
    c.vendor('POST', '/v1/webhook_endpoints', {
      url: `${c.receiver}/${PATHS[p % PATHS.length]}`,
      'enabled_events[]': '*',
    }),
  unhook: (c, p) => c.vendor('DELETE', `/v1/webhook_endpoints/${c.pick('we', p)}`),
  event: (c, p) => c.vendor('GET', `/v1/events/${c.pick('evt', p)}`),
  events: (c) => c.vendor('GET', '/v1/events?limit=5'),
  undelivered: (c) => c.vendor('GET', '/v1/events?delivery_success=false&limit=50'),
  list: (c) => c.vendor('GET', '/v1/payment_intents?limit=4'),
  balance: (c) => c.vendor('GET', '/v1/balance'),
  clock: (c) => c.vendor('POST', '/v1/test_helpers/test_clocks', { frozen_time: '1736942400' }),
  nonsense: (c, p) => c.vendor('POST', '/v1/payment_intents', { amount: 'many', currency: String(p) }),
  advance: (c, _, v) => c.control('POST', '/clock/advance', { duration: ['1m', '2h', '3d', '40d'][v % 4] }),
  flush: (c) => c.control('POST', '/webhooks/flush', {}),
  register: (c, p) => c.control('POST', '/webhooks/endpoints', { url: `${c.receiver}/${PATHS[p % PATHS.length]}` }),
  fault: (c, p, v) =>
    c.control('POST', '/faults', {
      resource: ['customers', 'payment_intents'][p % 2],
      operation: 'create',
      ...(v % 2 === 0 ? { status: 500, error: { type: 'api_error' } } : { kind: 'lost_response' }),
      count: (v % 3) + 1,
    }),
  'no faults': (c) => c.control('DELETE', '/faults'),
  branch: (c, p) =>
    c.control('POST', '/exogenous/pins', {
      resource: 'payment_intents',
      branch: ['declined', 'requires_action', 'nonsense'][p % 3],
    }),
  unpin: (c, p) => c.control('DELETE', `/exogenous/pins/${c.pick('pin', p)}`),
  wait: (c, p) =>
    c.control('POST', '/clock/durations', { durations: { refund_settlement: ['none', '2h', null][p % 3] } }),
  cause: (c, p) =>
    c.control('POST', '/world/events', { cause: 'payment.declined', payment_intent_id: c.pick('pi', p) }),
  seed: (c, p) =>
    c.control('POST', '/seed', { resource: 'customers', objects: [{ id: `cus_${String(p).padEnd(14, 'A')}` }] }),
  reset: (c, p) => c.control('POST', '/reset', p % 2 === 0 ? {} : { keep: ['endpoints', 'durations'] }),
  state: (c) => c.control('GET', '/state'),
  account: (c) => c.vendor('POST', '/v1/accounts', { type: 'custom', 'capabilities[transfers][requested]': 'true' }),
  onboard: (c, p) => c.control('POST', '/world/events', { cause: 'account.onboarded', account_id: c.pick('acct', p) }),
  'forget account': (c, p) =>
    p % 5 === 0 ? c.vendor('DELETE', `/v1/accounts/${c.pick('acct', p)}`) : c.vendor('GET', '/v1/accounts'),
  'customer there': (c, p, v) => c.vendor('POST', '/v1/customers', { name: `T${v}` }, c.as(p)),
  'forget there': (c, p, v) => c.vendor('DELETE', `/v1/customers/${c.pick('cus', v)}`, undefined, c.as(p)),
  'pay there': (c, p, v) =>
    c.vendor(
      'POST',
      '/v1/payment_intents',
      {
        amount: String(v + 100),
        currency: 'usd',
        confirm: 'true',
        payment_method: card(v),
        application_fee_amount: '7',
      },
      { ...c.as(p), 'Idempotency-Key': `pay ${v % 6}` },
    ),
  'pay for': (c, p, v) =>
    c.vendor('POST', '/v1/payment_intents', {
      amount: String(v + 100),
      currency: 'usd',
      confirm: 'true',
      payment_method: card(v),
      'transfer_data[destination]': c.pick('acct', p),
    }),
  'hook there': (c, p, v) =>
    c.vendor(
      'POST',
      '/v1/webhook_endpoints',
      { url: `${c.receiver}/${PATHS[v % PATHS.length]}`, 'enabled_events[]': '*', connect: String(v % 3 === 0) },
      v % 3 === 0 ? {} : c.as(p),
    ),
};

/** Calls for the task-automation pack, which disables an endpoint after failed deliveries. */
const STRICT: Readonly<Record<string, Run>> = {
  agent: (c, _, v) => c.json('POST', '/agents', { name: `Agent ${v}` }),
  destination: (c, p) =>
    c.json('POST', '/event-destinations', {
      name: `D${p}`,
      type: 'webhook',
      events: ['agent.created'],
      type_config: { url: `${c.receiver}/${[...PATHS, 'gone'][p % 5]}` },
    }),
  destinations: (c) => c.vendor('GET', '/event-destinations'),
  deliveries: (c, p) => c.vendor('GET', `/event-destinations/${c.pick('evtd', p)}/deliveries`),
  activate: (c, p) => c.vendor('POST', `/event-destinations/${c.pick('evtd', p)}/activate`),
  advance: (c, _, v) => c.control('POST', '/clock/advance', { duration: ['5s', '1m', '10m', '3d'][v % 4] }),
  flush: (c) => c.control('POST', '/webhooks/flush', {}),
  state: (c) => c.control('GET', '/state'),
};

const PACKS: Readonly<Record<PackName, Readonly<Record<string, Run>>>> = { payments: RUNS, 'task-automation': STRICT };

/** Generates random calls; resets are rare. */
export function movesOf(pack: PackName): fc.Arbitrary<Move> {
  const often =
    pack === 'payments'
      ? ['pay', 'advance', 'hook', 'confirm', 'keyed', 'account', 'pay there', 'customer there']
      : ['agent', 'advance', 'destination'];
  const name = fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...Object.keys(PACKS[pack]).filter((each) => each !== 'reset')) },
    { weight: 20, arbitrary: fc.constantFrom(...often) },
    { weight: pack === 'payments' ? 1 : 0, arbitrary: fc.constant('reset') },
  );
  return fc.tuple(name, fc.nat(50), fc.nat(500)).map(([name, pick, value]) => ({ pack, name, pick, value }));
}

/** Makes calls one after another, and returns the responses. */
export async function play(caller: Caller, sequence: readonly Move[]): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const { pack, name, pick, value } of sequence) answered.push(await PACKS[pack][name](caller, pick, value));
  return answered;
}

/** Options of a property test: number of runs and seed; LEDGER_RUNS and LEDGER_SEED override them. @param few default number of runs */
export function runs(few: number): { readonly numRuns: number; readonly seed: number; readonly endOnFailure: true } {
  const { LEDGER_RUNS, LEDGER_SEED } = process.env;
  return { numRuns: Number(LEDGER_RUNS ?? few), seed: Number(LEDGER_SEED ?? 11), endOnFailure: true };
}
