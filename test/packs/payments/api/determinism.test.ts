import fc from 'fast-check';
import type { StoredEntry } from '../../../../engine/world/index.js';
import { CAUSES, Payments, T0 } from '../served-payments.js';
import { call } from '../../../support/http.js';

/** A call of either plane, put together from what earlier calls made. */
interface Move {
  readonly name: string;
  readonly run: (memory: Memory) => Promise<Seen>;
}

type Seen = { readonly status: number; readonly id: string };

/** Ids that a run has seen, by kind; picks one of them. */
class Memory {
  readonly ids = new Map<string, string[]>();
  constructor(readonly payments: Payments) {}

  note(kind: string, id: string): void {
    if (id !== '') this.ids.set(kind, [...(this.ids.get(kind) ?? []), id]);
  }

  pick(kind: string, n: number): string {
    const known = this.ids.get(kind) ?? [];
    return known.length === 0 ? `${kind}_none` : known[n % known.length];
  }

  async vendor(method: string, path: string, params: Record<string, string>, kind?: string): Promise<Seen> {
    const { status, body } = await this.payments.call(`${method} ${path}`, method === 'GET' ? undefined : params);
    const id = typeof body['id'] === 'string' ? body['id'] : '';
    if (kind !== undefined && status === 200) this.note(kind, id);
    if (typeof body['latest_charge'] === 'string') this.note('ch', body['latest_charge']);
    return { status, id };
  }

  async control(method: string, path: string, given: Record<string, unknown>): Promise<Seen> {
    const { status, body } = await call(this.payments.sandbox, `${method} /__admin__${path}`, given);
    return { status, id: typeof body['id'] === 'string' ? body['id'] : '' };
  }
}

const METHODS = [
  'pm_card_visa',
  'pm_card_amex',
  'pm_card_chargeDeclined',
  'pm_card_threeDSecure2Required',
  'pm_card_createDispute',
  'pm_card_refundFail',
  'pm_card_nonsense',
];
const n = fc.nat(7);
const amount = fc.constantFrom('49', '50', '1999', '2000', '5000');
const method = fc.constantFrom(...METHODS);
const move = (name: string, run: Move['run']): Move => ({ name, run });

const moves: fc.Arbitrary<Move> = fc.oneof(
  amount.map((value) =>
    move(`intent ${value}`, (m) => m.vendor('POST', '/v1/payment_intents', { amount: value, currency: 'usd' }, 'pi')),
  ),
  fc
    .tuple(amount, method)
    .map(([value, payment_method]) =>
      move(`pay ${value} ${payment_method}`, (m) =>
        m.vendor(
          'POST',
          '/v1/payment_intents',
          { amount: value, currency: 'usd', confirm: 'true', payment_method },
          'pi',
        ),
      ),
    ),
  fc
    .tuple(amount, method)
    .map(([value, payment_method]) =>
      move(`authorize ${value}`, (m) =>
        m.vendor(
          'POST',
          '/v1/payment_intents',
          { amount: value, currency: 'usd', confirm: 'true', payment_method, capture_method: 'manual' },
          'pi',
        ),
      ),
    ),
  fc
    .tuple(n, method)
    .map(([i, payment_method]) =>
      move(`confirm ${i}`, (m) =>
        m.vendor('POST', `/v1/payment_intents/${m.pick('pi', i)}/confirm`, { payment_method }),
      ),
    ),
  fc
    .tuple(n, fc.constantFrom('capture', 'cancel'))
    .map(([i, call]) =>
      move(`${call} ${i}`, (m) => m.vendor('POST', `/v1/payment_intents/${m.pick('pi', i)}/${call}`, {})),
    ),
  n.map((i) =>
    move(`customer ${i}`, (m) =>
      m.vendor('POST', '/v1/customers', { name: `Customer ${i}`, 'metadata[i]': String(i) }, 'cus'),
    ),
  ),
  n.map((i) =>
    move(`rename ${i}`, (m) =>
      m.vendor('POST', `/v1/customers/${m.pick('cus', i)}`, { name: 'new', 'metadata[i]': '' }),
    ),
  ),
  n.map((i) => move(`forget ${i}`, (m) => m.vendor('DELETE', `/v1/customers/${m.pick('cus', i)}`, {}))),
  fc
    .tuple(n, method)
    .map(([i, pm]) =>
      move(`attach ${i}`, (m) =>
        m.vendor('POST', `/v1/payment_methods/${pm}/attach`, { customer: m.pick('cus', i) }, 'pm'),
      ),
    ),
  fc
    .tuple(n, amount)
    .map(([i, value]) =>
      move(`refund ${i}`, (m) => m.vendor('POST', '/v1/refunds', { charge: m.pick('ch', i), amount: value }, 're')),
    ),
  method.map((payment_method) =>
    move('set up', (m) => m.vendor('POST', '/v1/setup_intents', { payment_method, confirm: 'true' }, 'seti')),
  ),
  fc.constant(move('read', (m) => m.vendor('GET', '/v1/payment_intents', {}))),
  fc
    .constantFrom('1h', '3d', '40d')
    .map((duration) => move(`advance ${duration}`, (m) => m.control('POST', '/clock/advance', { duration }))),
  fc
    .tuple(n, fc.constantFrom('payment.declined', CAUSES.challengeCompleted, CAUSES.challengeFailed))
    .map(([i, cause]) =>
      move(cause, (m) => m.control('POST', '/world/events', { cause, payment_intent_id: m.pick('pi', i) })),
    ),
  n.map((i) =>
    move('dispute', (m) =>
      m.control('POST', '/world/events', { cause: CAUSES.disputeOpened, charge_id: m.pick('ch', i) }),
    ),
  ),
  n.map((i) =>
    move('refund fails', (m) =>
      m.control('POST', '/world/events', { cause: CAUSES.refundFailed, refund_id: m.pick('re', i) }),
    ),
  ),
  fc
    .constantFrom('declined', 'requires_action', 'nonsense')
    .map((branch) =>
      move(`branch ${branch}`, (m) => m.control('POST', '/exogenous/pins', { resource: 'payment_intents', branch })),
    ),
  fc.constant(
    move('fault', (m) =>
      m.control('POST', '/faults', {
        resource: 'customers',
        operation: 'create',
        status: 500,
        error: { type: 'api_error' },
        count: 1,
      }),
    ),
  ),
  fc.constant(move('unpin all', (m) => m.control('DELETE', '/faults', {}))),
);

const one = new Payments();
const two = new Payments();

beforeAll(() => Promise.all([one.open(), two.open()]), 30_000);
afterAll(() => Promise.all([one.close(), two.close()]));

async function play(payments: Payments, sequence: readonly Move[]): Promise<Seen[]> {
  await payments.control.reset({ t0: T0 });
  const memory = new Memory(payments);
  const seen: Seen[] = [];
  for (const { run } of sequence) seen.push(await run(memory));
  return seen;
}

/** The entries since the last reset. Numbers go on over resets, so they are counted from there. */
function entries({ sandbox }: Payments): readonly StoredEntry[] {
  const all = sandbox.engine.world.ledger.entries();
  const begin = all.findLastIndex(({ changes }) => changes[0].op === 'reset');
  return all.slice(begin).map((entry, index) => ({ ...entry, n: index + 1 }));
}

/** Collection -> id -> value, from the ledger alone. */
function fold(ledger: readonly StoredEntry[]): {
  objects: Record<string, Record<string, unknown>>;
  timers: string[];
  now: number;
} {
  const objects: Record<string, Record<string, unknown>> = {};
  const timers = new Map<string, number>();
  let now = 0;
  for (const { at, changes } of ledger) {
    now = at;
    for (const change of changes) {
      switch (change.op) {
        case 'put':
          (objects[change.collection] ??= {})[change.id] = change.value;
          break;
        case 'delete':
          delete objects[change.collection]?.[change.id];
          break;
        case 'arm':
          timers.set(`${change.collection} ${change.id} ${change.trigger}`, change.due);
          break;
        case 'disarm':
          timers.delete(`${change.collection} ${change.id} ${change.trigger}`);
          break;
        case 'clock':
          now = change.now;
          break;
        case 'set':
        case 'reset':
          break;
      }
    }
  }
  return { objects, timers: [...timers].map(([timer, due]) => `${timer} ${due}`).sort(), now };
}

/** The same, from the world itself. */
function state({ sandbox }: Payments): ReturnType<typeof fold> {
  const { world, model } = sandbox.engine;
  const objects: Record<string, Record<string, unknown>> = {};
  for (const { collection, index } of model.resources) {
    for (const value of world.objects(index)) (objects[collection] ??= {})[String(value['id'])] = value;
  }
  const timers = world.timers
    .list()
    .map(({ row, trigger, due }) => `${model.resources[row.resource].collection} ${row.id} ${trigger} ${due}`);
  return { objects, timers: timers.sort(), now: world.nowMs };
}

const sequences = fc.array(moves, { minLength: 1, maxLength: 14 });
const runs = { numRuns: 25, seed: 20_250_115, endOnFailure: true };

it('the same seed and the same calls give the same ids and a byte-identical ledger, and a reset begins anew', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const first = await play(one, sequence);
      const ledger = JSON.stringify(entries(one));
      const second = await play(two, sequence);
      expect(second).toEqual(first);
      expect(JSON.stringify(entries(two))).toBe(ledger);
      expect(await play(one, sequence)).toEqual(first);
      expect(JSON.stringify(entries(one))).toBe(ledger);
    }),
    runs,
  );
});

it('folding the ledger gives the state', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      await play(one, sequence);
      const { objects, timers } = state(one);
      const folded = fold(entries(one));
      expect(
        Object.fromEntries(Object.entries(folded.objects).filter(([, all]) => Object.keys(all).length > 0)),
      ).toEqual(objects);
      expect(folded.timers).toEqual(timers);
    }),
    { ...runs, numRuns: 15 },
  );
});

it('no call answers 500 unless a fault says so, and money adds up', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const seen = await play(
        one,
        sequence.filter(({ name }) => name !== 'fault'),
      );
      expect(seen.filter(({ status }) => status >= 500)).toEqual([]);
      expect(one.defects).toEqual([]);
      const transactions = Object.values(state(one).objects['balance_transactions'] ?? {}) as {
        net: number;
        currency: string;
      }[];
      const [balance] = Object.values(state(one).objects['balances'] ?? {}) as {
        available: { amount: number }[];
        pending: { amount: number }[];
      }[];
      const held = [...balance.available, ...balance.pending].reduce((sum, { amount: each }) => sum + each, 0);
      expect(held).toBe(transactions.reduce((sum, { net }) => sum + net, 0));
    }),
    { ...runs, numRuns: 15 },
  );
});

it('another seed gives other ids', async () => {
  const other = await new Payments({ seed: 'another' }).open();
  const make = [move('customer', (m) => m.vendor('POST', '/v1/customers', {}, 'cus'))];
  const [[mine], [theirs]] = [await play(one, make), await play(other, make)];
  expect(mine.id).not.toBe(theirs.id);
  await other.close();
});

it('reading changes nothing', async () => {
  await play(one, []);
  await one.post('/v1/customers', { name: 'Jenny' });
  const before = one.commits;
  for (const path of ['/v1/customers', '/v1/balance', '/v1/events?limit=3', '/v1/customers/search?query=name:"Jenny"'])
    await one.get(path);
  await one.control.call('GET', '/state');
  await one.control.next();
  expect(one.commits).toBe(before);
});
