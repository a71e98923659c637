import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTeams } from '../../tools/command/teams-file.js';
import { startAudit } from '../../tools/observe/audit.js';
import { ControlClient } from '../../engine/control/client.cjs';
import { scratchFolder } from '../support/scratch-folder.js';
import { call, form } from '../support/http.js';
import { made, refused, useSandboxes } from '../support/start-sandbox.js';

/** Teams that share a server: each has a key that makes worlds, and sees its own alone. */

const folder = scratchFolder();
const CHECKOUT = 'sk_team_checkout_0123456789';
const NEXT = 'sk_team_checkout_next_01234';
const SEARCH = 'sk_team_search_0123456789';
const FORMER = 'sk_test_former_key_of_the_host';
const HOUR_MS = 3_600_000;

const { serve } = useSandboxes({
  alsoKeys: [FORMER],
  expiresMs: 48 * HOUR_MS,
  teams: [
    { name: 'checkout', keys: [CHECKOUT, NEXT], maxWorlds: 3, expiresMs: HOUR_MS, longestMs: 24 * HOUR_MS },
    { name: 'search', keys: [SEARCH] },
  ],
});

interface Worlds {
  readonly data: readonly { readonly id: string; readonly name: string }[];
}

test('a team sees, makes and deletes its own worlds, with each of its keys', async () => {
  const host = await serve();
  const checkout = new ControlClient(host.url, CHECKOUT);
  const search = new ControlClient(host.url, SEARCH);
  const namesOf = async (client: ControlClient): Promise<string[]> =>
    ((await client.call('GET', '/worlds')) as unknown as Worlds).data.map(({ name }) => name);
  const preview = await made(checkout, { name: 'preview' });
  await made(new ControlClient(host.url, NEXT));
  const other = await made(search, { name: 'preview' });
  expect(await namesOf(checkout)).toEqual(['checkout.preview', 'checkout.world-2']);
  expect(await namesOf(search)).toEqual(['search.preview']);
  expect(await namesOf(host.control)).toEqual(['main', 'checkout.preview', 'checkout.world-2', 'search.preview']);

  // The world's own key is as good as any; the team's opens nothing in it.
  const { status } = await call(preview, 'POST /v1/customers', form({ name: 'Ada' }));
  expect(status).toBe(200);
  expect((await call({ url: preview.url, key: CHECKOUT }, 'GET /v1/customers')).status).toBe(401);
  expect((await call({ url: host.url, key: CHECKOUT }, 'GET /v1/customers')).status).toBe(401);

  for (const [method, path] of [
    ['GET', `/worlds/${other.id}`],
    ['GET', '/worlds/search.preview'],
    ['DELETE', `/worlds/${other.id}`],
    ['DELETE', '/worlds/w1'],
    ['DELETE', '/worlds/main'],
  ])
    expect(await refused(checkout.call(method, path))).toEqual([404, 'unknown_world']);
  expect(await refused(checkout.call('POST', '/worlds', { from: { world: other.id } }))).toEqual([
    404,
    'unknown_world',
  ]);
  for (const [method, path] of [
    ['GET', '/state'],
    ['POST', '/reset'],
    ['GET', '/export'],
    ['GET', '/'],
  ])
    expect(await refused(checkout.call(method, path))).toEqual([403, 'not_the_host']);
  expect(await checkout.call('GET', '/worlds/preview')).toMatchObject({ id: preview.id });
  await checkout.call('DELETE', '/worlds/preview');
  expect(await namesOf(checkout)).toEqual(['checkout.world-2']);
  expect(await namesOf(search)).toEqual(['search.preview']);
});

test('a team has no more worlds than it may, also when many are asked for at once, and none lasts longer than it may', async () => {
  const host = await serve();
  const checkout = new ControlClient(host.url, CHECKOUT);
  const asked = await Promise.allSettled(Array.from({ length: 8 }, () => made(checkout, { expires: '2h' })));
  expect(asked.filter((each) => each.status === 'fulfilled')).toHaveLength(3);
  expect(await refused(checkout.call('POST', '/worlds', {}))).toEqual([409, 'too_many_worlds']);
  const [first] = ((await checkout.call('GET', '/worlds')) as unknown as Worlds).data;
  await checkout.call('DELETE', `/worlds/${first.id}`);
  expect(await refused(checkout.call('POST', '/worlds', { count: 2 }))).toEqual([409, 'too_many_worlds']);
  const long = await refused(checkout.call('POST', '/worlds', { expires: '25h' }));
  expect(long).toEqual([400, 'invalid_value']);

  const hoursOf = (world: object): number =>
    'expires' in world ? Math.round((Date.parse(String(world.expires)) - Date.now()) / HOUR_MS) : 0;
  expect(hoursOf(await made(checkout))).toBe(1);
  expect(hoursOf(await made(new ControlClient(host.url, SEARCH)))).toBe(48);
  expect(hoursOf(await made(host.control))).toBe(48);
  expect(hoursOf(await made(host.control, { expires: '3h' }))).toBe(3);
});

test('a former key of the host opens what the key opens, until it is taken away', async () => {
  const host = await serve();
  const former = { url: host.url, key: FORMER };
  expect((await call(former, 'POST /v1/customers', form({ name: 'Ada' }))).status).toBe(200);
  expect((await call(host, 'GET /v1/customers')).body).toMatchObject({ data: [{ name: 'Ada' }] });
  const world = await made(new ControlClient(host.url, FORMER), {});
  expect((await call({ ...world, key: FORMER }, 'GET /v1/customers')).status).toBe(401);
  const without = await serve({ alsoKeys: [] });
  expect((await call({ url: without.url, key: FORMER }, 'GET /v1/customers')).status).toBe(401);
});

let endAudit = (): void => undefined;
afterAll(() => endAudit());

test('the audit log has who did what to worlds, and no key', async () => {
  const file = join(folder, 'audit.jsonl');
  endAudit = startAudit(file);
  const host = await serve();
  const checkout = new ControlClient(host.url, CHECKOUT);
  const world = await made(checkout, { name: 'preview' });
  await new ControlClient(world.url, world.key).call('POST', '/clock/advance', { duration: '1d' });
  await host.control.call('GET', '/worlds');
  await host.control.call('DELETE', `/worlds/${world.id}`);
  await refused(new ControlClient(host.url, 'sk_of_a_stranger').call('POST', '/reset'));
  const text = readFileSync(file, 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const common = { time: expect.any(String), from: expect.any(String) };
  const post = { ...common, method: 'POST' };
  expect(lines).toEqual([
    { ...post, by: 'team checkout', path: '/__admin__/worlds', status: 201, made: [world.id] },
    { ...post, by: 'world', path: '/__admin__/clock/advance', status: 200 },
    { ...common, method: 'DELETE', by: 'host', path: `/__admin__/worlds/${world.id}`, status: 200 },
    { ...post, by: null, path: '/__admin__/reset', status: 401 },
  ]);
  for (const key of [CHECKOUT, host.key, world.key]) expect(text).not.toContain(key);
});

test.each([
  ['- a', 'no list `teams`'],
  ['teams: [{name: a.b, keys: [0123456789012345]}]', '`name`'],
  ['teams: [{name: a, keys: [short]}]', '16 characters'],
  ['teams: [{name: a, keys: [abcdefghijklmnop], max: 3}]', "has no 'max'"],
  ['teams: [{name: a, keys: [abcdefghijklmnop], max_worlds: 0}]', '`max_worlds`'],
  ['teams: [{name: a, keys: [abcdefghijklmnop], expires: soon}]', '`expires`'],
  ['teams: [{name: a, keys: [abcdefghijklmnop], expires: 2d, longest: 1d}]', 'longer than'],
  ['teams: [{name: a, keys: [abcdefghijklmnop]}, {name: a, keys: [abcdefghijklmnoq]}]', "two teams 'a'"],
  ['teams: [{name: a, keys: [abcdefghijklmnop]}, {name: b, keys: [abcdefghijklmnop]}]', 'given twice'],
  ['teams: [', 'Flow sequence'],
])('a file of teams that says %s is rejected', async (text, why) => {
  const file = join(folder, 'teams.yaml');
  writeFileSync(file, text);
  await expect(readTeams(file)).rejects.toThrow(why);
});

test('a file of teams gives each its keys, how many worlds and how long', async () => {
  const file = join(folder, 'teams.yaml');
  writeFileSync(file, 'teams: [{name: a, keys: [abcdefghijklmnop], max_worlds: 5, expires: 12h, longest: 7d}]');
  expect(await readTeams(file)).toEqual([
    { name: 'a', keys: ['abcdefghijklmnop'], maxWorlds: 5, expiresMs: 12 * HOUR_MS, longestMs: 168 * HOUR_MS },
  ]);
});
