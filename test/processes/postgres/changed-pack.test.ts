import {
  createReplica,
  createSandbox,
  type MovedWorld,
  type Replica,
  type ReplicaOptions,
} from '../../../engine/index.js';
import { MemoryStore } from '../../support/memory-store.js';
import { describePostgres, postgres } from '../../support/postgres.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { packFolder } from '../../support/sample-pack.js';
import { call as callWorld, type Body, form } from '../../support/http.js';

/** A server is replaced by one whose pack has other files: what becomes of the worlds. */

const KEY = 'sk_test_of_the_host_123456789';

const packOf = (field: string, more: Readonly<Record<string, string>> = {}): string =>
  packFolder({
    'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
auth: { schemes: [bearer] }
`,
    'resources/cake.yaml': `resource: cake
collection: cakes
path: /cakes
id: { prefix: "cake_", format: short }
fields: { size: integer, ${field} }
operations: { create: { params: { size: { type: integer, required: true } } }, retrieve: {}, list: {} }
`,
    ...more,
  });
const TRAY = {
  'resources/tray.yaml': `resource: tray
collection: trays
path: /trays
id: { prefix: "tray_", format: short }
fields: { size: integer }
operations: { create: { params: { size: { type: integer, required: true } } } }
`,
};
async function call(
  { url }: { readonly url: string },
  key: string,
  path: string,
  given?: object,
): Promise<[number, Body]> {
  const { status, text, body } = await callWorld(
    { url, key },
    `${given === undefined ? 'GET' : 'POST'} ${path}`,
    given,
  );
  return [status, text.startsWith('{') ? body : { text }];
}

test('a world in a store is rejected, or moved with what still fits', async () => {
  const store = new MemoryStore();
  const options = { store, key: KEY, port: 0 };
  const before = await createSandbox({ ...options, pack: packOf('icing: { type: string, default: none }', TRAY) });
  const [, cake] = await call(before, KEY, '/cakes', { size: 3 });
  await call(before, KEY, '/trays', { size: 1 });
  const { now } = before.engine.world;
  await before.close();
  const pack = packOf('topping: { type: string, default: cherry }');
  await expect(createSandbox({ ...options, pack })).rejects.toThrow('have changed since the world was created');
  const moved: MovedWorld[] = [];
  const move = { ...options, pack, changedPack: 'move', onMoved: (each: MovedWorld) => moved.push(each) } as const;
  for (let start = 0; start < 2; start++) {
    const after = await createSandbox(move);
    expect(await call(after, KEY, `/cakes/${String(cake['id'])}`)).toEqual([
      200,
      { id: cake['id'], size: 3, topping: 'cherry' },
    ]);
    expect(after.engine.world.now).toEqual(now);
    await after.close();
  }
  // The second start found it moved.
  expect(moved).toEqual([
    {
      id: 'w1',
      name: 'main',
      pack: 'bakery',
      objects: 1,
      timers: 0,
      dropped: ['objects of trays: the collection is gone', "cakes: field 'icing' is gone"],
    },
  ]);
});

test('a webhook that waits for another attempt is delivered by the world that was moved', async () => {
  const receiver = await WebhookReceiver.start();
  receiver.reply = (response) => response.writeHead(500).end();
  try {
    // Another value of a variable is another pack, as other files are.
    const options = { store: new MemoryStore(), pack: 'packs/payments', key: KEY, port: 0 };
    const before = await createSandbox(options);
    await before.control.call('POST', '/webhooks/endpoints', { url: receiver.url, events: ['customer.created'] });
    await callWorld({ url: before.url, key: KEY }, 'POST /v1/customers', form({ name: 'Ada' }));
    await before.control.call('POST', '/webhooks/flush', {});
    expect(receiver.received).toHaveLength(1);
    await before.close();
    receiver.reply = (response) => response.end('ok');
    // The second one finds what the first one has moved.
    for (const advances of [false, true]) {
      const move = { ...options, vars: { configuration: 'pmc_another' }, changedPack: 'move' } as const;
      const after = await createSandbox(move);
      if (advances) {
        await after.control.call('POST', '/clock/advance', { duration: '1d' });
        await after.control.call('POST', '/webhooks/flush', {});
      }
      await after.close();
      expect(receiver.received).toHaveLength(advances ? 2 : 1);
    }
    const [first, second] = receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
    expect(second).toBe(first);
  } finally {
    await receiver.stop();
  }
});

function tests(): void {
  const open: Replica[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close(100)));
  });

  async function start(database: string, pack: string, more: Partial<ReplicaOptions> = {}): Promise<Replica> {
    const replica = await createReplica({ pack, key: KEY, database, onDefect: () => undefined, ...more });
    open.push(replica);
    return replica;
  }

  test('replicas with a changed pack take all worlds over as the old ones leave, the first one too', async () => {
    const database = await postgres.newDatabase();
    const [older, newer] = [
      packOf('icing: { type: string, default: none }'),
      packOf('topping: { type: string, default: cherry }'),
    ];
    const old = [await start(database, older), await start(database, older)];
    const worlds: { id: string; key: string; cake: string }[] = [];
    for (let number = 0; number < 4; number++) {
      const [, { id, key }] = await call(old[number % 2], KEY, '/__admin__/worlds', {});
      const [, cake] = await call(old[(number + 1) % 2], String(key), '/cakes', { size: number });
      worlds.push({ id: String(id), key: String(key), cake: String(cake['id']) });
    }
    const moved: string[] = [];
    const next = await start(database, newer, { onMoved: ({ id }) => moved.push(id) });
    for (const each of old) {
      await each.close();
      for (const { key, cake } of worlds) expect((await call(next, key, `/cakes/${cake}`))[0]).toBe(200);
    }
    for (const [size, { key, cake }] of worlds.entries())
      expect(await call(next, key, `/cakes/${cake}`)).toEqual([200, { id: cake, size, topping: 'cherry' }]);
    expect((await call(next, KEY, '/__admin__/worlds', {}))[0]).toBe(201);
    expect((await call(next, KEY, '/readyz'))[0]).toBe(200);
    expect(moved.sort()).toEqual(['w1', ...worlds.map(({ id }) => id)]);
  });

  test('one that rejects them says so, and is not ready', async () => {
    const database = await postgres.newDatabase();
    const old = await start(database, packOf('icing: string?'));
    const [, { key }] = await call(old, KEY, '/__admin__/worlds', {});
    const defects: string[] = [];
    const next = await start(database, packOf('topping: string?'), {
      changedPack: 'reject',
      onDefect: (error, what) => defects.push(`${what}: ${String(error)}`),
    });
    await old.close();
    for (const each of [KEY, String(key)])
      expect(await call(next, each, '/cakes')).toMatchObject([503, { error: { code: 'world_not_started' } }]);
    expect((await call(next, KEY, '/readyz'))[0]).toBe(503);
    expect((await call(next, KEY, '/healthz'))[0]).toBe(200);
    expect(defects).toContainEqual(expect.stringMatching(/^world w1, .*have changed since the world was created$/));
  });

  test('one that has other packs says which worlds it does not serve, and is not ready', async () => {
    const database = await postgres.newDatabase();
    const old = await start(database, packOf('icing: string?'));
    const defects: string[] = [];
    const next = await start(database, 'packs/bank-data', {
      onDefect: (error, what) => defects.push(`${what}: ${String(error)}`),
    });
    await old.close();
    for (let tries = 0; tries < 2; tries++)
      expect(await call(next, KEY, '/cakes')).toMatchObject([503, { error: { code: 'world_not_started' } }]);
    expect((await call(next, KEY, '/readyz'))[0]).toBe(503);
    expect(defects).toEqual([expect.stringMatching(/^world w1, which does not start here: .*this world is one of/)]);
  });
}

describePostgres('replicas', tests);
