import { join } from 'node:path';
import { MemoryStore } from '../support/memory-store.js';
import { ControlClient as Client } from '../../engine/control/client.cjs';
import { openFile } from '../support/file-store.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { made, refused, type MadeWorld, useSandboxes } from '../support/start-sandbox.js';
import { call, form } from '../support/http.js';
import { until } from '../support/waiting.js';

/** Several worlds in one server: each is an origin of its own. */

const folder = scratchFolder();
const { serve: start, stop } = useSandboxes({ packs: ['packs/task-automation'] });

type World = Pick<MadeWorld, 'url' | 'key'>;

async function create(world: World, name: string): Promise<{ status: number; id: string }> {
  const { status, body } = await call<{ id: string }>(world, 'POST /v1/customers', form({ name }));
  return { status, id: body.id };
}

async function names(world: World): Promise<string[]> {
  const { body } = await call<{ data: { name: string }[] }>(world, 'GET /v1/customers?limit=100');
  return body.data.map(({ name }) => name).sort();
}

test('worlds used at the same time do not mix, each with its own key, ids, clock and pack', async () => {
  const host = await start();
  const worlds = await Promise.all(Array.from({ length: 6 }, () => made(host.control)));
  const all: World[] = [host, ...worlds];
  const ids = await Promise.all(
    all.flatMap((world, index) => Array.from({ length: 5 }, (_, n) => create(world, `${index}-${n}`))),
  );
  expect(new Set(ids.map(({ id }) => id)).size).toBe(all.length * 5);
  for (const [index, world] of all.entries())
    expect(await names(world)).toEqual(Array.from({ length: 5 }, (_, n) => `${index}-${n}`));
  expect((await create({ url: worlds[0].url, key: worlds[1].key }, 'foreign')).status).toBe(401);
  await new Client(worlds[0].url, worlds[0].key).advance('3d');
  await new Client(worlds[1].url, worlds[1].key).reset();
  expect(await names(worlds[1])).toEqual([]);
  const { data } = (await host.control.call('GET', '/worlds')) as { data: { name: string; now: number }[] };
  expect(data.map(({ name, now }) => [name, now - 1_736_942_400])).toEqual([
    ['main', 0],
    ['world-2', 3 * 86_400],
    ...[3, 4, 5, 6, 7].map((n) => [`world-${n}`, 0]),
  ]);
  const other = await made(host.control, { pack: 'task-automation', name: 'robots', seed: 'x', t0: '2025-02-01' });
  expect(other).toMatchObject({ name: 'robots', pack: 'task-automation' });
  const about = await new Client(other.url, other.key).call('GET', '/');
  expect(about).toMatchObject({ pack: { name: 'task-automation' }, world: { seed: 'x' } });
});

test('the same seed makes the same world', async () => {
  const host = await start();
  const twins = [await made(host.control, { seed: 'same' }), await made(host.control, { seed: 'same' })];
  const [one, two] = await Promise.all(twins.map((world) => create(world, 'Ada')));
  expect(two).toEqual(one);
});

test('several worlds are made at once, all of them or none', async () => {
  const host = await start();
  await create(host, 'Ada');
  const { data } = await host.control.createWorlds(3, { from: {} });
  expect(data.map(({ name, from }) => [name, from])).toEqual(
    ['world-2', 'world-3', 'world-4'].map((name) => [name, { world: 'w1', entry: host.engine.world.ledger.count }]),
  );
  const forks = data.map(({ url, key }) => ({ url: String(url), key: String(key) }));
  const made = await Promise.all(forks.map((fork) => create(fork, fork.key)));
  expect(new Set(made.map(({ id }) => id)).size).toBe(3);
  for (const fork of forks) expect(await names(fork)).toEqual(['Ada', fork.key].sort());
  expect(await names(host)).toEqual(['Ada']);
  expect(await refused(host.control.createWorlds(2, { pack: 'nobody' }))).toEqual([404, 'unknown_pack']);
  for (const body of [{ count: 0 }, { count: 1001 }, { count: 2, name: 'one' }])
    expect(await refused(host.control.call('POST', '/worlds', body))).toEqual([400, 'invalid_value']);
  expect((await host.control.call('GET', '/worlds'))['data']).toHaveLength(4);
  expect((await host.control.createWorlds(1)).data).toHaveLength(1);
});

test('only the first world’s key makes, lists and deletes worlds', async () => {
  const host = await start();
  const world = await made(host.control, { name: 'one' });
  const own = new Client(world.url, world.key);
  expect(await refused(own.createWorld())).toEqual([403, 'not_the_host']);
  expect(await refused(own.call('GET', '/worlds'))).toEqual([403, 'not_the_host']);
  expect(await refused(host.control.createWorld({ name: 'one' }))).toEqual([409, 'name_taken']);
  expect(await refused(host.control.createWorld({ name: 'main' }))).toEqual([409, 'name_taken']);
  expect(await refused(host.control.createWorld({ name: 'no spaces' }))).toEqual([400, 'invalid_value']);
  expect(await refused(host.control.createWorld({ pack: 'nobody' }))).toEqual([404, 'unknown_pack']);
  for (const expires of ['soon', '0s', '99999999999999999999d', '3600000d'])
    expect(await refused(host.control.createWorld({ expires }))).toEqual([400, 'invalid_value']);
  expect(await host.worlds.list()).toHaveLength(2);
  expect(await refused(host.control.call('DELETE', '/worlds/main'))).toEqual([409, 'first_world']);
  expect(await refused(host.control.call('GET', '/worlds/none'))).toEqual([404, 'unknown_world']);
  expect(await host.control.call('GET', '/worlds/one')).toMatchObject({ id: world.id, url: world.url });
  expect(await host.control.call('DELETE', `/worlds/${world.id}`)).toEqual({ id: world.id, deleted: true });
  expect(await refused(host.control.call('DELETE', '/worlds/one'))).toEqual([404, 'unknown_world']);
  await expect(create(world, 'late')).rejects.toThrow();
  expect((await made(host.control, { name: 'one' })).id).not.toBe(world.id);
});

test('a name is never the id of a world, of this one or of one to come', async () => {
  const host = await start();
  const world = await made(host.control, { name: 'victim' });
  for (const name of ['w1', world.id, 'w3', 'w999'])
    expect(await refused(host.control.createWorld({ name }))).toEqual([400, 'invalid_value']);
  await expect(host.worlds.create({ name: 'w4' })).rejects.toMatchObject({ status: 400, details: { path: 'name' } });
  for (const name of ['w', 'W2', 'w2x', 'w-2'])
    expect(await host.control.createWorld({ name })).toMatchObject({ name });
  expect(await host.control.call('DELETE', `/worlds/${world.id}`)).toEqual({ id: world.id, deleted: true });
  expect(await refused(host.control.call('GET', '/worlds/victim'))).toEqual([404, 'unknown_world']);
});

test('a world whose time is over is gone', async () => {
  const host = await start();
  const { id } = await host.worlds.create({ expires: 20 });
  await until(async () => (await host.worlds.get(id)) === undefined);
  expect(await host.worlds.get(id)).toBeUndefined();
});

test('a kept world ends in time although nobody asks for it', async () => {
  const store = new MemoryStore();
  const host = await start({ store });
  const { id } = await host.worlds.create({ expires: 300, name: 'brief' });
  const later = await host.worlds.create({ expires: 3_600_000 });
  expect(Date.parse(String(later.expires))).toBeGreaterThan(Date.now() + 3_500_000);
  await stop();
  const again = await start({ store });
  const ids = async (): Promise<string[]> => (await store.worlds()).map((world) => world.id);
  await until(async () => !(await ids()).includes(id));
  expect(await ids()).toEqual(['w1', later.id]);
  expect(await again.worlds.create({ name: 'brief' })).toMatchObject({ name: 'brief' });
});

test.each(['memory', 'file'])('worlds in a store (%s) go on when they are asked for', async (kind) => {
  const file = join(folder, 'worlds.db');
  const memory = new MemoryStore();
  const store = () => (kind === 'memory' ? Promise.resolve(memory) : openFile(file));
  let kept = await store();
  const host = await start({ store: kept });
  const world = await made(host.control, { name: 'kept', pack: 'payments' });
  await create(world, 'Ada');
  await create(host, 'Bea');
  await stop();
  if (kind === 'file') await kept.close();
  kept = await store();
  const again = await start({ store: kept });
  expect(again.key).toBe(host.key);
  expect(await again.worlds.list()).toMatchObject([{ name: 'main' }, { name: 'kept', url: null }]);
  const [back, same] = await Promise.all([again.worlds.get('kept'), again.worlds.get(world.id)]);
  expect(same?.url).toBe(back?.url);
  expect(await names({ url: String(back?.url), key: world.key })).toEqual(['Ada']);
  expect(await names(again)).toEqual(['Bea']);
  expect(await again.worlds.delete('kept')).toBe(true);
  expect(await kept.worlds()).toHaveLength(1);
  await stop();
  await kept.close();
});

test('what cannot be kept is not answered, nor shown by anybody after', async () => {
  const store = await openFile(join(folder, 'small.db'), 256 * 1024);
  const defects: string[] = [];
  const host = await start({ store, packs: [], onDefect: (error) => defects.push(String(error)) });
  const answered: string[] = [];
  for (let n = 0; ; n++) {
    const noise = Array.from({ length: 40 }, () => Math.random().toString(36).slice(2)).join('');
    const { status, id } = await create(host, noise.slice(0, 250));
    if (status !== 200) {
      expect(status).toBe(503);
      break;
    }
    answered.push(id);
  }
  expect((await create(host, 'after')).status).toBe(503);
  expect(await refused(host.control.state())).toEqual([503, 'store_failed']);
  expect(defects).toEqual([expect.stringContaining('full')]);
  await stop();
  await store.close();
  const again = await openFile(join(folder, 'small.db'));
  const back = await start({ store: again, packs: [] });
  const { resources } = await back.control.state('customers');
  expect(resources['customers'].map(({ id }) => id).sort()).toEqual(answered.sort());
  await stop();
  await again.close();
});
