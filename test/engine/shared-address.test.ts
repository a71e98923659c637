import { ControlClient, ControlError } from '../../engine/index.js';
import { MemoryStore } from '../support/memory-store.js';
import { Caller } from '../support/calls.js';
import { made, type MadeWorld, useSandboxes } from '../support/start-sandbox.js';
import { call } from '../support/http.js';

/** `serve --worlds key`: one address for all worlds, told apart by the key of the call; pages below `/w/<world>`. */

const { serve: start, stop } = useSandboxes({ packs: ['packs/task-automation'], worlds: 'key' });

const nameOf = async (world: Pick<MadeWorld, 'url' | 'key'>): Promise<unknown> => {
  const { pack } = (await new ControlClient(world.url, world.key).call('GET', '/')) as { pack: { name: string } };
  return pack.name;
};

test('the key selects the world, on both planes and with both schemes', async () => {
  const host = await start();
  const [one, two] = [await made(host.control), await made(host.control)];
  const robots = await made(host.control, { pack: 'task-automation' });
  expect([one.url, two.url, robots.url]).toEqual([host.url, host.url, host.url]);
  expect(await nameOf(robots)).toBe('task-automation');
  const worlds = [host, one, two];
  for (const [index, world] of worlds.entries())
    await new Caller(world, '').vendor('POST', '/v1/customers', { name: `of ${index}` });
  for (const [index, { url, key }] of worlds.entries()) {
    const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    for (const authorization of [`Bearer ${key}`, basic]) {
      const { body } = await call<{ data: { name: string }[] }>({ url, key }, 'GET /v1/customers', undefined, {
        authorization,
      });
      const { data } = body;
      expect(data.map(({ name }) => name)).toEqual([`of ${index}`]);
    }
  }
  await new ControlClient(one.url, one.key).advance('3d');
  const { data } = (await host.control.call('GET', '/worlds')) as { data: { now: number }[] };
  expect(data.map(({ now }) => now - 1_736_942_400)).toEqual([0, 3 * 86_400, 0, expect.any(Number)]);
});

test('an unknown key gets the vendor’s 401, and only the host’s key knows the worlds', async () => {
  const host = await start();
  const world = await made(host.control);
  expect(await host.result('GET /v1/customers', undefined, { authorization: 'Bearer sk_test_nobody' })).toEqual([
    401,
    { error: expect.objectContaining({ type: 'invalid_request_error' }) as object },
  ]);
  expect(await host.status('GET /v1/customers', undefined, { authorization: undefined })).toBe(401);
  expect((await host.admin('GET /state', undefined, { authorization: 'Bearer x' })).status).toBe(401);
  const foreign = new ControlClient(world.url, world.key).call('GET', '/worlds');
  await expect(foreign).rejects.toThrow(ControlError);
  await host.worlds.delete(world.id);
  expect((await new Caller(world, '').vendor('GET', '/v1/customers')).status).toBe(401);
  expect((await new Caller(host, '').vendor('GET', '/v1/customers')).status).toBe(200);
});

test('below /w/<world> it is that world alone, where its pages are', async () => {
  const host = await start();
  const world = await made(host.control, { name: 'shop' });
  const session = await new Caller(world, '').vendor('POST', '/v1/checkout/sessions', {
    mode: 'payment',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '500',
    'line_items[0][price_data][product_data][name]': 'Tea',
    'line_items[0][quantity]': '1',
    success_url: 'https://example.com/done',
  });
  const { url } = JSON.parse(session.text.replaceAll('http://sandbox', host.url)) as { url: string };
  expect(url.startsWith(`${host.url}/w/${world.id}/`)).toBe(true);
  const page = await fetch(url);
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain('Tea');
  expect(/action="([^"]+)"/.exec(html)?.[1]).toBe(new URL(url).pathname);
  // Without its world a page is nowhere.
  expect((await fetch(url.replace(`/w/${world.id}`, ''))).status).toBe(404);
  // The world is whole there, under its name too, for its own key alone.
  for (const name of [world.id, 'shop']) {
    const below = { url: `${host.url}/w/${name}`, key: world.key };
    expect(await nameOf(below)).toBe('payments');
    expect((await new Caller(below, '').vendor('GET', '/v1/customers')).status).toBe(200);
    expect((await new Caller({ ...below, key: host.key }, '').vendor('GET', '/v1/customers')).status).toBe(401);
  }
  expect((await new Caller({ url: `${host.url}/w/nobody`, key: host.key }, '').vendor('GET', '/')).status).toBe(404);
});

test('a kept world starts when its key comes, or its page is asked for', async () => {
  const store = new MemoryStore();
  const host = await start({ store });
  const world = await made(host.control, { name: 'kept' });
  await new Caller(world, '').vendor('POST', '/v1/customers', { name: 'Ada' });
  await stop();
  const again = await start({ store });
  expect(await again.worlds.list()).toMatchObject([{ name: 'main' }, { name: 'kept', url: null }]);
  expect((await new Caller({ ...world, url: again.url }, '').vendor('GET', '/v1/customers')).text).toContain('Ada');
  await stop();
  const third = await start({ store });
  expect(await third.status('GET /w/kept/v1/customers', undefined, { authorization: undefined })).toBe(401);
  expect(await third.worlds.list()).toMatchObject([{ name: 'main' }, { name: 'kept', url: third.url }]);
});
