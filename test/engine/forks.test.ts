import { ControlClient, type Sandbox } from '../../engine/index.js';
import { MemoryStore } from '../support/memory-store.js';
import { Caller } from '../support/calls.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { made, refused, type MadeWorld, useSandboxes } from '../support/start-sandbox.js';

/** Forks as worlds of the same server: what they have of their world, and what of their own. */

const { serve: start, stop } = useSandboxes();

const forkOf = (host: Sandbox, from = {}, more = {}): Promise<MadeWorld> => made(host.control, { from, ...more });

/** Names of the customers, and ids of the calls that made them. */
async function customers({ url, key }: { url: string; key: string }): Promise<string[]> {
  const { resources } = await new ControlClient(url, key).state('customers');
  return resources['customers'].map(({ name }) => String(name));
}

test('a fork begins at a moment, however it is asked for, and goes its own way', async () => {
  const host = await start();
  const caller = new Caller(host, '');
  const first = await caller.vendor('POST', '/v1/customers', { name: 'Ada' });
  const entry = Number((await host.control.saveMoment('one'))['entry']);
  await host.control.advance('1d');
  await caller.vendor('POST', '/v1/customers', { name: 'Bea' });
  const [request, , trace] = first.ids;
  const moments = ['one', entry, String(entry), '2025-01-15T12:00:00Z', request, trace];
  for (const at of moments) {
    const fork = await forkOf(host, { at });
    expect(fork).toMatchObject({ head: entry, from: { world: 'w1', entry }, now: 1_736_942_400 });
    expect(await customers(fork)).toEqual(['Ada']);
  }
  const fork = await forkOf(host, {}, { name: 'branch', expires: '1h' });
  expect(fork).toMatchObject({ name: 'branch', now: 1_736_942_400 + 86_400 });
  expect(fork.key).not.toBe(host.key);
  await caller.at(fork).vendor('POST', '/v1/customers', { name: 'Cleo' });
  await caller.vendor('POST', '/v1/customers', { name: 'Dora' });
  expect(await customers(fork)).toEqual(['Ada', 'Bea', 'Cleo']);
  expect(await customers(host)).toEqual(['Ada', 'Bea', 'Dora']);
  // What led to the fork is its history too, names of moments included.
  const control = new ControlClient(fork.url, fork.key);
  expect((await control.state('customers', 'one'))['resources']).toEqual(
    (await host.control.state('customers', 'one'))['resources'],
  );
  await control.rewind('one');
  expect(await customers(fork)).toEqual(['Ada']);
  expect(await customers(host)).toEqual(['Ada', 'Bea', 'Dora']);
});

test('timers of a fork are its own', async () => {
  const host = await start();
  const caller = new Caller(host, '');
  const pay = { amount: '500', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa' };
  const { text } = await caller.vendor('POST', '/v1/payment_intents', { ...pay, capture_method: 'manual' });
  const { id } = JSON.parse(text) as { id: string };
  const fork = await forkOf(host);
  await new ControlClient(fork.url, fork.key).advance('8d');
  const statusIn = async (world: { url: string; key: string }): Promise<unknown> =>
    (JSON.parse((await caller.at(world).vendor('GET', `/v1/payment_intents/${id}`)).text) as { status: string }).status;
  expect([await statusIn(host), await statusIn(fork)]).toEqual(['requires_capture', 'canceled']);
  await host.control.advance('8d');
  expect(await statusIn(host)).toBe('canceled');
});

test('what cannot be branched off from is refused', async () => {
  const host = await start();
  expect(await refused(forkOf(host, { world: 'none' }))).toEqual([404, 'unknown_world']);
  expect(await refused(forkOf(host, { at: 'never' }))).toEqual([404, 'unknown_moment']);
  expect(await refused(forkOf(host, { moment: 1 }))).toEqual([400, 'unknown_key']);
  expect(await refused(forkOf(host, {}, { seed: 'x' }))).toEqual([400, 'invalid_value']);
  expect(await refused(forkOf(host, {}, { pack: 'payments' }))).toEqual([400, 'invalid_value']);
  // A name that was refused is free.
  expect(await refused(forkOf(host, { at: 'never' }, { name: 'later' }))).toEqual([404, 'unknown_moment']);
  expect(await forkOf(host, {}, { name: 'later' })).toMatchObject({ name: 'later' });
});

test('a fork sends no webhooks unless it is told to', async () => {
  const receiver = await WebhookReceiver.start();
  try {
    const host = await start();
    await host.control.endpoint({ url: receiver.url });
    const caller = new Caller(host, '');
    const [silent, loud] = [await forkOf(host), await forkOf(host, { send_webhooks: true })];
    for (const fork of [silent, loud]) {
      const control = new ControlClient(fork.url, fork.key);
      await caller.at(fork).vendor('POST', '/v1/customers', { name: fork.name });
      await control.flush();
    }
    expect(
      receiver.received.map(
        ({ body }) => (JSON.parse(body) as { data: { object: { name: string } } }).data.object.name,
      ),
    ).toEqual([loud.name]);
  } finally {
    await receiver.stop();
  }
});

test('names that nobody chose never clash, also with those of a store', async () => {
  const store = new MemoryStore();
  const host = await start({ store });
  await host.worlds.create({ name: 'world-3' });
  const names = [(await host.worlds.create()).name, (await host.worlds.create()).name];
  expect(new Set([...names, 'world-3']).size).toBe(3);
  await stop();
  const again = await start({ store });
  const more = [(await again.worlds.create()).name, (await again.worlds.create({ from: {} })).name];
  expect(new Set([...names, ...more, 'world-3']).size).toBe(5);
});

test('a fork in a store goes on after a restart, as silent as before', async () => {
  const receiver = await WebhookReceiver.start();
  try {
    const store = new MemoryStore();
    const host = await start({ store });
    await host.control.endpoint({ url: receiver.url });
    const caller = new Caller(host, '');
    await caller.vendor('POST', '/v1/customers', { name: 'Ada' });
    await host.control.flush();
    const fork = await forkOf(host, {}, { name: 'kept' });
    await caller.at(fork).vendor('POST', '/v1/customers', { name: 'Bea' });
    await stop();
    const sent = receiver.received.length;
    const again = await start({ store });
    const back = await again.worlds.get('kept');
    expect(back).toMatchObject({ id: fork.id, key: fork.key, from: fork.from });
    const world = { url: String(back?.url), key: fork.key };
    expect(await customers(world)).toEqual(['Ada', 'Bea']);
    await new Caller(world, '').vendor('POST', '/v1/customers', { name: 'Cleo' });
    await new ControlClient(world.url, world.key).flush();
    expect(receiver.received).toHaveLength(sent);
  } finally {
    await receiver.stop();
  }
});

interface Told {
  readonly objects: readonly { readonly collection: string; readonly id: string; readonly fields: readonly object[] }[];
  readonly objects_total: number;
  readonly entries: readonly { readonly entry: number }[];
  readonly from_entries: readonly { readonly entry: number }[];
}

describe('the difference of two worlds', () => {
  const diff = async (host: Sandbox, from: string, to: string): Promise<Told> => {
    const told = (await host.control.diff(from, to)) as unknown as Told;
    return { ...told, objects: told.objects.filter(({ collection }) => collection !== 'events') };
  };

  test('of a world and its fork is empty, and so is that of twins', async () => {
    const host = await start();
    const caller = new Caller(host, '');
    await caller.vendor('POST', '/v1/customers', { name: 'Ada' });
    const fork = await forkOf(host);
    const empty = { objects: [], objects_total: 0, entries: [], from_entries: [] };
    expect(await diff(host, 'main@', `${fork.id}@`)).toMatchObject(empty);
    const twins = [await host.worlds.create({ seed: 's' }), await host.worlds.create({ seed: 's' })];
    for (const { url, key } of twins)
      await new Caller({ url: String(url), key }, '').vendor('POST', '/v1/customers', { name: 'Bea' });
    expect(await diff(host, `${twins[0].id}@`, `${twins[1].name}@`)).toMatchObject(empty);
  });

  test('tells what each of them did since they were one', async () => {
    const host = await start();
    const caller = new Caller(host, '');
    const { text } = await caller.vendor('POST', '/v1/customers', { name: 'Ada', description: 'old' });
    const { id } = JSON.parse(text) as { id: string };
    const pay = { amount: '500', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa' };
    const intent = await caller.vendor('POST', '/v1/payment_intents', { ...pay, capture_method: 'manual' });
    const pi = (JSON.parse(intent.text) as { id: string }).id;
    const one = await forkOf(host);
    await caller.vendor('POST', '/v1/customers', { name: 'later' });
    const two = await forkOf(host);
    await caller.at(one).vendor('POST', `/v1/customers/${id}`, { description: 'new' });
    const changed = host.engine.world.ledger.count;
    await new ControlClient(two.url, two.key).advance('8d');
    const told = await diff(host, `${one.id}@`, `${two.id}@`);
    const of = (object: string): object | undefined => told.objects.find((each) => each.id === object);
    expect(of(id)).toMatchObject({
      change: 'changed',
      by: null,
      from_by: changed,
      fields: [{ field: 'description', from: 'new', to: 'old', by: null, from_by: changed }],
    });
    const timer = told.entries.find((each) => (each as { command?: string }).command === 'timer');
    expect(of(pi)).toMatchObject({
      by: timer?.entry,
      from_by: null,
      fields: expect.arrayContaining([
        expect.objectContaining({
          field: 'status',
          from: 'requires_capture',
          to: 'canceled',
          by: timer?.entry,
          transition: expect.objectContaining({ to: 'canceled' }) as object,
          from_transition: null,
        }),
      ]) as object,
    });
    expect(told.objects.filter((each) => each.collection === 'customers')).toMatchObject([
      { id },
      { change: 'created', by: changed },
    ]);
    expect(told.from_entries).toMatchObject([{ entry: changed, command: 'customers.update' }]);
    // Moments of earlier are compared as well.
    expect((await diff(host, `${one.id}@${changed - 1}`, `main@${changed - 1}`)).objects_total).toBe(0);
  });

  test('is for the first world’s key, of worlds of one pack', async () => {
    const host = await start({ packs: ['packs/task-automation'] });
    const other = await host.worlds.create({ pack: 'task-automation', name: 'robots' });
    const own = new ControlClient(String(other.url), other.key);
    expect(await refused(own.diff('main@', 1))).toEqual([403, 'not_the_host']);
    expect(await refused(host.control.diff('main@', 'robots@'))).toEqual([409, 'other_pack']);
    expect(await refused(host.control.diff('nobody@', 1))).toEqual([404, 'unknown_world']);
    expect(await refused(host.control.diff('robots@never', 'robots@'))).toEqual([404, 'unknown_moment']);
  });
});
