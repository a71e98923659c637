import { channel } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ControlClient, type Sandbox, type Store } from '../../engine/index.js';
import { MemoryStore } from '../support/memory-store.js';
import type { IdleClock } from '../../engine/hosting/calls.js';
import { openFile } from '../support/file-store.js';
import { sampleCount } from '../support/sample.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { made, type MadeWorld, useSandboxes } from '../support/start-sandbox.js';
import { call as callWorld, form } from '../support/http.js';
import { until } from '../support/waiting.js';

/** Kept worlds that nobody calls leave memory; whoever calls them again finds them as they were. */

const folder = scratchFolder();
const IDLE = 60;
let count = 0;

/** Time passes when a test says so; then there is a look at each server's worlds. */
class ManualClock implements IdleClock {
  nowMs = 0;
  readonly #looks = new Set<() => void>();

  every(_ms: number, look: () => void): () => void {
    this.#looks.add(look);
    return () => void this.#looks.delete(look);
  }

  advance(ms: number): void {
    this.nowMs += ms;
    for (const look of this.#looks) look();
  }
}

const clock = new ManualClock();
const { serve: start, keep } = useSandboxes({ idleMs: IDLE }, clock);

async function storeOf(kind: string): Promise<Store> {
  const store = kind === 'file' ? await openFile(join(folder, `idle-${(count += 1)}.db`)) : new MemoryStore();
  return keep(store);
}

const call = async (world: Pick<MadeWorld, 'url' | 'key'>, path: string, body?: string): Promise<unknown> =>
  (await callWorld(world, `${body === undefined ? 'GET' : 'POST'} ${path}`, body && form(body))).body;

const create = async (world: Pick<MadeWorld, 'url' | 'key'>, name: string): Promise<string> =>
  ((await call(world, '/v1/customers', `name=${name}`)) as { id: string }).id;

/** Worlds that are in memory. */
async function awake(host: Sandbox): Promise<string[]> {
  return (await host.worlds.list()).filter(({ now }) => now !== null).map(({ id }) => id);
}

/** Time passes until only the first world is in memory: a call is over a little after its client has the response. */
const asleep = (host: Sandbox): Promise<void> =>
  until(async () => {
    clock.advance(IDLE);
    return (await awake(host)).length === 1;
  });

const SEEN = [
  '/',
  '/state',
  '/clock',
  '/ledger',
  '/traces',
  '/faults',
  '/webhooks/deliveries',
  '/moments',
  '/coverage',
];

async function seen(world: MadeWorld): Promise<unknown[]> {
  const control = new ControlClient(world.url, world.key);
  return Promise.all(SEEN.map((path) => control.call('GET', path)));
}

describe.each(['memory', 'file'])('a kept world (%s) that nobody calls', (kind) => {
  test.each(['port', 'key'] as const)('leaves memory and comes back as it was (%s)', async (worlds) => {
    const host = await start({ store: await storeOf(kind), worlds });
    const [world, twin] = [await made(host.control, { seed: 'same' }), await made(host.control, { seed: 'same' })];
    for (const each of [world, twin]) {
      await create(each, 'Ada');
      await call(each, '/v1/payment_intents', 'amount=2000&currency=usd&confirm=true&payment_method=pm_card_visa');
      const control = new ControlClient(each.url, each.key);
      await control.call('POST', '/moments', { name: 'paid' });
      await control.advance('3d');
    }
    const before = await seen(twin);
    await asleep(host);
    expect(await host.worlds.list()).toMatchObject([{ id: 'w1' }, { url: world.url, now: null }, { url: twin.url }]);
    // Whoever calls at once gets the same world.
    const [id] = await Promise.all([
      create(world, 'Bea'),
      ...Array.from({ length: 5 }, () => call(world, '/v1/customers')),
    ]);
    expect(await awake(host)).toEqual(['w1', world.id]);
    await asleep(host);
    expect(await host.worlds.get(twin.id)).toMatchObject({ id: twin.id, url: twin.url });
    expect(await awake(host)).toEqual(['w1', twin.id]);
    expect(await seen(twin)).toEqual(before);
    expect(await create(twin, 'Bea')).toBe(id);
  });
});

const deleted = (host: Sandbox, { id }: MadeWorld): Promise<unknown> => host.control.call('DELETE', `/worlds/${id}`);

test('what is under way keeps a world in memory, what waits for the clock does not', async () => {
  const host = await start({ store: await storeOf('file') });
  const world = await made(host.control);
  const control = new ControlClient(world.url, world.key);
  const answers: (() => void)[] = [];
  let status = 500;
  const receiver = createServer((_req, res) => answers.push(() => res.writeHead(status).end()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  keep({ close: () => new Promise<void>((resolve) => receiver.close(() => resolve())) });
  const { port } = receiver.address() as AddressInfo;
  const url = encodeURIComponent(`http://127.0.0.1:${port}/hook`);
  await call(world, '/v1/webhook_endpoints', `url=${url}&enabled_events[]=customer.created`);
  await create(world, 'Ada');
  await until(() => answers.length === 1);
  clock.advance(IDLE * 3);
  expect(await awake(host)).toContain(world.id);
  answers.pop()?.();
  await asleep(host);
  await control.call('POST', '/faults', {
    resource: 'customers',
    operation: 'list',
    kind: 'delay',
    delay_ms: 200,
  });
  const slow = call(world, '/v1/customers');
  await new Promise<void>((resolve) => {
    const requests = channel('http.server.request.start');
    const begun = (): void => {
      requests.unsubscribe(begun);
      resolve();
    };
    requests.subscribe(begun);
  });
  clock.advance(IDLE * 3);
  expect(await awake(host)).toContain(world.id);
  expect(await slow).toMatchObject({ data: [{ name: 'Ada' }] });
  await asleep(host);
  status = 200;
  const moved = control.advance('1d');
  await until(() => answers.length === 1);
  answers.pop()?.();
  await moved;
  await control.call('POST', '/webhooks/flush');
  expect(await control.call('GET', '/webhooks/deliveries')).toMatchObject({ data: [{ status: 'delivered' }] });
});

test('it can be deleted and ends in time while it rests, and its port with it', async () => {
  const store = await storeOf('file');
  const host = await start({ store });
  const [one, two, three] = [
    await made(host.control),
    await made(host.control, { expires: '400ms' }),
    await made(host.control),
  ];
  await create(one, 'Ada');
  await asleep(host);
  expect(await deleted(host, one)).toEqual({ id: one.id, deleted: true });
  await expect(call(one, '/v1/customers')).rejects.toThrow('ECONNREFUSED');
  await until(async () => (await store.worlds()).length === 2);
  await until(() =>
    call(two, '/v1/customers').then(
      () => false,
      () => true,
    ),
  );
  expect(await create(three, 'Bea')).toMatch(/^cus_/);
  await asleep(host);
});

test('its memory is free', async () => {
  const host = await start({ store: await storeOf('file') });
  const world = await made(host.control);
  await create(world, 'Ada');
  const engine = new WeakRef((await host.worlds.find(world.id))?.engine ?? {});
  await asleep(host);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  await until(async () => {
    collect();
    return engine.deref() === undefined;
  });
});

test.each([
  ['that follow wall time', { clock: 'realtime' as const }, true],
  ['of a server that lets none rest', { idleMs: Infinity }, true],
  ['without a store', {}, false],
])('worlds %s stay', async (_, more, keeps) => {
  const host = await start({ store: keeps ? await storeOf('memory') : undefined, ...more });
  const { id } = await made(host.control);
  clock.advance(IDLE * 3);
  expect(await awake(host)).toEqual(['w1', id]);
});

test.each(['port', 'key'] as const)('of many worlds only those are in memory that are called (%s)', async (worlds) => {
  const host = await start({ store: await storeOf('file'), worlds });
  const all: MadeWorld[] = [];
  let most = 0;
  const count = sampleCount(300, 100);
  for (let n = 0; n < count; n++) {
    all.push(await made(host.control));
    await create(all[n], `of ${n}`);
    clock.advance(IDLE / 10);
    if (n % 50 === 49) most = Math.max(most, (await awake(host)).length);
  }
  expect(most).toBeLessThan(30);
  await asleep(host);
  for (const n of [0, 17, count - 1])
    expect(await call(all[n], '/v1/customers')).toMatchObject({ data: [{ name: `of ${n}` }] });
  await asleep(host);
});
