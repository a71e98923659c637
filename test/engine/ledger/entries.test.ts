import { createSandbox, type StoredWorld, LedgerMismatch, PackCache } from '../../../engine/index.js';
import { foldLedger, type StoredEntry } from '../../../engine/world/index.js';
import { Caller } from '../../support/calls.js';
import { Kept, portrait } from '../../support/world.js';
import { type TestSandbox, useSandboxes } from '../../support/start-sandbox.js';

/** What one entry of the ledger says: who did what and why, all of a command, and of each object only its last state. */

let sandbox: TestSandbox;
let caller: Caller;
let kept: Kept;

const { serve } = useSandboxes({ seed: 'entries', onDefect: () => undefined });
beforeEach(async () => {
  kept = new Kept();
  sandbox = await serve({ keeper: kept });
  caller = new Caller(sandbox, 'http://127.0.0.1:1');
});

/** The entries that something makes. */
async function entriesOf(run: () => Promise<unknown>): Promise<StoredEntry[]> {
  const before = kept.entries.length;
  await run();
  return kept.entries.slice(before);
}

const PAY = { amount: '500', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa' };
const keys = (entry: StoredEntry, register: string): string[] =>
  entry.changes.flatMap((change) => (change.op === 'set' && change.register === register ? [change.key] : []));

test('a call says who it was, what it asked for and where the streams stand', async () => {
  const [entry, ...more] = await entriesOf(() => caller.vendor('POST', '/v1/customers', { name: 'Jenny' }));
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    n: kept.entries.length,
    at: 1_736_942_400_000,
    command: 'customers.create',
    origin: 'call',
    request: expect.stringMatching(/^req_/) as string,
    trace: expect.stringMatching(/^trc_/) as string,
    args: { method: 'POST', path: '/v1/customers', idempotency_key: null, params: { name: 'Jenny' } },
    after: sandbox.engine.world.positions,
  });
  const [trace] = kept.journal.filter((record) => record.kind === 'trace');
  expect(trace).toMatchObject({ trace: { id: entry.trace, request: { id: entry.request } } });
});

test('the control API says its route and body, a timer its object', async () => {
  await caller.vendor('POST', '/v1/payment_intents', { ...PAY, capture_method: 'manual' });
  const [armed] = await entriesOf(() =>
    caller.control('POST', '/exogenous/pins', { resource: 'payment_intents', branch: 'declined' }),
  );
  expect(armed).toMatchObject({
    command: 'arm pin',
    origin: 'control',
    args: { route: 'POST /exogenous/pins', body: { resource: 'payment_intents', branch: 'declined' } },
  });
  expect(armed.changes).toMatchObject([{ op: 'set', register: 'pins', value: { collection: 'payment_intents' } }]);
  const moved = await entriesOf(() => caller.control('POST', '/clock/advance', { duration: '8d' }));
  const timer = moved.find(({ command }) => command === 'timer');
  expect(timer).toMatchObject({ origin: 'clock', args: { object: expect.any(String) as string } });
  expect(moved[0]).toMatchObject({ command: 'clock', args: { route: 'POST /clock/advance' } });
});

test('of an object only the last state is kept, where its first change stood', async () => {
  const [entry] = await entriesOf(() => caller.vendor('POST', '/v1/payment_intents', PAY));
  const puts = entry.changes.flatMap((change) => (change.op === 'put' ? [`${change.collection} ${change.id}`] : []));
  expect(puts.length).toBeGreaterThan(5);
  expect(new Set(puts).size).toBe(puts.length);
});

test('a command and its idempotency record are one entry, also when it is refused', async () => {
  for (const method of ['pm_card_visa', 'pm_card_chargeDeclined']) {
    const made = await entriesOf(() =>
      caller.vendor('POST', '/v1/payment_intents', { ...PAY, payment_method: method }, { 'Idempotency-Key': method }),
    );
    expect(made).toHaveLength(1);
    expect(keys(made[0], 'idempotency')).toEqual([method]);
  }
  const refused = await entriesOf(() =>
    caller.vendor('POST', '/v1/customers/cus_none', { name: 'x' }, { 'Idempotency-Key': 'nobody' }),
  );
  expect(refused.flatMap((entry) => entry.changes).every((change) => change.op === 'set')).toBe(true);
});

test('a call that moves the clock keeps its key before the clock moves, and its answer after', async () => {
  const { text } = await caller.vendor('POST', '/v1/test_helpers/test_clocks', { frozen_time: '1736942400' });
  const { id } = JSON.parse(text) as { id: string };
  const path = `/v1/test_helpers/test_clocks/${id}/advance`;
  const form = { frozen_time: '1737028800' };
  let answer = '';
  const made = await entriesOf(async () => {
    answer = (await caller.vendor('POST', path, form, { 'Idempotency-Key': 'tick' })).text;
  });
  const [first, last] = [made[0], made.at(-1)];
  expect(keys(first, 'idempotency')).toEqual(['tick']);
  expect(last).toMatchObject({ command: 'idempotency', request: first.request, trace: first.trace });
  expect(made.findIndex(({ command }) => command === 'clock')).toBeGreaterThan(0);
  const again = await entriesOf(async () => {
    expect((await caller.vendor('POST', path, form, { 'Idempotency-Key': 'tick' })).text).toBe(answer);
  });
  expect(again).toEqual([]);
  // Whoever dies while the clock moves comes back knowing the key: the call is not run a second time.
  const { config } = sandbox.engine.world;
  const torn = foldLedger(
    kept.entries.filter(({ n }) => n <= first.n),
    config,
  );
  expect(torn.idempotency.get('tick')).toMatchObject({ request: first.request, status: 200 });
});

test('that a fault fired is part of the entry of its call', async () => {
  const fault = { resource: 'customers', operation: 'create', kind: 'lost_response', count: 2 };
  await caller.control('POST', '/faults', fault);
  const [lost, ...none] = await entriesOf(() => caller.vendor('POST', '/v1/customers', { name: 'Jenny' }));
  expect(none).toEqual([]);
  expect(lost).toMatchObject({ command: 'customers.create', origin: 'call' });
  expect(keys(lost, 'faults')).toHaveLength(1);
  const [refused] = await entriesOf(() => caller.vendor('POST', '/v1/customers', { email: '', nonsense: '1' }));
  expect(refused.changes).toMatchObject([{ op: 'set', register: 'faults', value: null }]);
  expect(await entriesOf(() => caller.vendor('GET', '/v1/customers'))).toEqual([]);
});

test('a fault for one call strikes one of two that come at once', async () => {
  const fault = { resource: 'customers', operation: 'create', status: 503, delay_ms: 60, count: 1 };
  await caller.control('POST', '/faults', fault);
  const both = await Promise.all(['a', 'b'].map((name) => caller.vendor('POST', '/v1/customers', { name })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 503]);
  expect([...sandbox.engine.world.faults.values()]).toEqual([]);
});

test('numbers go on over resets, and a reset with what every empty world holds is one entry', async () => {
  await caller.vendor('POST', '/v1/customers', { name: 'Jenny' });
  await caller.control('POST', '/clock/durations', { durations: { refund_settlement: 'none' } });
  const before = kept.entries.length;
  const made = await entriesOf(() => caller.control('POST', '/reset', { keep: ['durations'] }));
  expect(made).toHaveLength(1);
  expect(made[0].n).toBe(before + 1);
  expect(made[0].changes[0]).toEqual({ op: 'reset', t0: 1_736_942_400_000, keep: ['durations'] });
  expect(made[0].changes.length).toBeGreaterThan(1);
  const folded = foldLedger(kept.entries, sandbox.engine.world.config);
  expect(folded.durations.get('refund_settlement')).toBe(Infinity);
  expect(portrait(folded)).toEqual({ ...portrait(sandbox.engine.world), traces: [] });
});

test('a timer whose steps fail leaves its disarm', async () => {
  await caller.vendor('POST', '/v1/payment_intents', { ...PAY, capture_method: 'manual' });
  const { engine } = sandbox;
  const [timer] = engine.world.timers.list();
  const fire = engine.command.bind(engine);
  engine.command = (name, ...rest) => {
    if (name === 'timer') throw new Error('a defect');
    return fire(name, ...rest);
  };
  const made = await entriesOf(() => caller.control('POST', '/clock/advance', { duration: '60d' }));
  const failed = made.find(({ command }) => command === 'timer failed');
  expect(failed?.changes).toMatchObject([{ op: 'disarm', id: timer.row.id, trigger: timer.trigger, seq: timer.seq }]);
  expect(foldLedger(kept.entries, engine.world.config).timers.size).toBe(engine.world.timers.size);
});

test('what changes nothing draws nothing', async () => {
  const { world } = sandbox.engine;
  const before = world.positions;
  world.begin();
  world.random.text(20);
  world.nextSeq();
  world.commit({ command: 'nothing', origin: 'call' });
  expect(world.positions).toEqual(before);
});

test('a ledger without its beginning is refused', () => {
  const entry: StoredEntry = {
    n: 7,
    at: 0,
    command: 'x',
    origin: 'call',
    request: null,
    trace: null,
    args: null,
    after: { random: 0, seq: 0, requests: 0, outside: 0 },
    changes: [{ op: 'clock', now: 5 }],
  };
  const { config } = sandbox.engine.world;
  expect(() => foldLedger([entry], config)).toThrow('begins at 7');
  const reset: StoredEntry = { ...entry, changes: [{ op: 'reset', t0: 5, keep: [] }] };
  expect(foldLedger([reset], config).nowMs).toBe(5);
});

test('a pack that is read again goes on numbering, and folds from there', async () => {
  await caller.vendor('POST', '/v1/payment_intents', PAY);
  const before = kept.entries.length;
  await sandbox.reload();
  const { world } = sandbox.engine;
  expect(kept.entries.map(({ n }) => n)).toEqual(kept.entries.map((_, index) => index + 1));
  expect(kept.entries[before].changes[0]).toMatchObject({ op: 'reset', keep: [] });
  const folded = foldLedger(kept.entries, { ...world.config, after: undefined });
  const { ledger: _, graves: __, ...state } = portrait(folded);
  const { ledger: ___, graves: ____, ...wanted } = portrait(world);
  expect(state).toEqual(wanted);
});

test.each<[string, (world: StoredWorld) => StoredWorld, string]>([
  ['another format', (world) => ({ ...world, header: { ...world.header, format: 99 } }), 'format 99'],
  [
    'another pack',
    (world) => ({ ...world, header: { ...world.header, pack: { ...world.header.pack, name: 'parcels' } } }),
    'one of parcels 0.1.0, not of payments 0.1.0',
  ],
  [
    'other files of the pack',
    (world) => ({ ...world, header: { ...world.header, pack: { ...world.header.pack, hash: 'x' } } }),
    'have changed since the world was created',
  ],
])('a world of %s is refused, and nothing starts', async (_name, change, message) => {
  await caller.vendor('POST', '/v1/customers', { name: 'Jenny' });
  const again = createSandbox({ pack: 'packs/payments', cache: PackCache.ofInstallation(), kept: change(kept.world) });
  await expect(again).rejects.toThrow(LedgerMismatch);
  await expect(again).rejects.toThrow(message);
});
