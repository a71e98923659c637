import { type Bug, replayBug } from '../../../engine/index.js';
import { problemsOf } from '../../support/pack-world.js';
import { packFolder } from '../../support/sample-pack.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** A kitchen's hatch: waiters stand there until a dish comes, and take it away. */

const PACK = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
base_path: [/v1, /api/v3, ""]
lists: { envelope: { data: =data, next: =next_url }, size: { param: limit, default: 1, max: 9 }, pages: { param: page } }
rate_limits: { looks: { limit: 3, window: 1h, operations: [dishes.*], except: [dishes.create], headers: { X-Left: "\${remaining}" } } }
outside: [{ paths: [/v1/bills], error: not_found }]
`,
  'resources/dish.yaml': `resource: dish
collection: dishes
id: { prefix: dish_, format: short }
indexes: [taken]
fields: { name: string, taken: { type: boolean, default: false } }
operations:
  create: { params: { name } }
  retrieve: { params: { seconds: integer }, wait: { until: self.taken, at_most: "seconds(default(params.seconds, 0))" } }
  list:
    filters: { taken: {}, seconds: { type: integer, where: "true" } }
    wait: { until: total_count > 0, at_most: "seconds(default(params.seconds, 0))" }
  take:
    route: POST /v1/take
    params: { seconds: { type: integer, default: 0 } }
    let: { next: "find(dish, {'taken': false})" }
    do:
      - { create: look, with: { at: =now } }
      - { set: next, to: { taken: true }, when: next != null }
    return: { dish: =next.name, looks: "=count(look, {})" }
    wait: { until: result.dish != null, at_most: seconds(params.seconds) }
`,
  'resources/look.yaml': `resource: look
collection: looks
id: { prefix: look_, format: short }
fields: { at: timestamp }
operations: {}
`,
};

const pack = packFolder(PACK, '  rate_limited: { status: 429 }\n');
const sandbox = startSandbox(pack, { each: 'test', seed: 's', t0: '2026-01-01T00:00:00Z' });
const { call: ask } = sandbox;
const cook = (name: string) => ask('POST /v1/dishes', { name });
/** Waits until a call has reached the sandbox: the next ones are handled behind it. */
const arrived = async () => void (await ask('GET /v1/nothing'));
const isOver = async (call: Promise<unknown>) =>
  (await Promise.race([call, arrived().then(() => 'waiting')])) !== 'waiting';

test('a call that finds nothing responds after the commit that brings something', async () => {
  const waiter = ask('POST /v1/take', { seconds: 600 });
  await arrived();
  const count = sandbox.engine.world.ledger.count;
  expect(await isOver(waiter)).toBe(false);
  // It left nothing so far.
  expect(sandbox.engine.world.ledger.count).toBe(count);
  await cook('soup');
  expect((await waiter).body).toEqual({ dish: 'soup', looks: 1 });
  expect((await ask('POST /v1/take', { seconds: 0 })).body).toEqual({ dish: null, looks: 2 });
});

test('of two who wait one gets it, and the other one goes on', async () => {
  const both = [ask('POST /v1/take', { seconds: 600 }), ask('POST /v1/take', { seconds: 600 })];
  await arrived();
  await cook('soup');
  const first = await Promise.race(both.map(async (each, index) => ({ index, body: (await each).body })));
  expect(first.body).toEqual({ dish: 'soup', looks: 1 });
  const other = both[1 - first.index];
  expect(await isOver(other)).toBe(false);
  await cook('stew');
  expect((await other).body).toEqual({ dish: 'stew', looks: 2 });
});

test('simulated time ends a wait, and a commit that is none of it does not', async () => {
  const waiter = ask('GET /v1/dishes?taken=true&seconds=60');
  await arrived();
  await cook('soup');
  await sandbox.control.advance('59s');
  expect(await isOver(waiter)).toBe(false);
  await sandbox.control.advance('1s');
  expect((await waiter).body).toMatchObject({ data: [] });
});

test('real time ends it too; without a wait it responds at once', async () => {
  expect((await ask('GET /v1/dishes?seconds=1')).body).toMatchObject({ data: [] });
  expect((await ask('GET /v1/dishes')).body).toMatchObject({ data: [] });
});

test('an object is looked at again, and one that goes away meanwhile is not found', async () => {
  const { body } = await cook('soup');
  const waiter = ask(`GET /v1/dishes/${String(body['id'])}?seconds=600`);
  await arrived();
  await ask('POST /v1/take', {});
  expect((await waiter).body).toMatchObject({ taken: true });
});

test('a call counts once, however often it is made again; who has gone leaves nothing', async () => {
  const waiter = ask('POST /v1/take', { seconds: 600 });
  await arrived();
  await sandbox.control.advance('1s');
  await sandbox.control.advance('1s');
  await cook('soup');
  expect((await waiter).headers.get('x-left')).toBe('2');
  const gone = new AbortController();
  const body = { seconds: 600 };
  const left = sandbox.send('POST /v1/take', body, {}, { signal: gone.signal }).catch(() => 'gone');
  await arrived();
  gone.abort();
  expect(await left).toBe('gone');
  await arrived();
  await cook('stew');
  expect((await ask('POST /v1/take', {})).body).toEqual({ dish: 'stew', looks: 2 });
});

test('a reset cuts who waits; a replay gives what was given', async () => {
  const waiter = ask('POST /v1/take', { seconds: 600 });
  await arrived();
  await cook('soup');
  await waiter;
  const bug = (await sandbox.control.export()) as unknown as Bug;
  const again = await replayBug(bug, { pack, onDefect: (error) => expect(error).toBeUndefined() });
  expect(again.unlike).toBeNull();
  await again.sandbox.close();
  const cut = ask('POST /v1/take', { seconds: 600 }).catch(() => 'cut');
  await arrived();
  await sandbox.control.reset();
  expect(await cut).toBe('cut');
});

test('routes are served below every base path, and links stay below the one of their call', async () => {
  await cook('soup');
  await cook('stew');
  for (const base of ['/v1', '/api/v3', '']) {
    const { body } = await ask(`GET ${base}/dishes?taken=false`);
    expect([(body['data'] as object[]).length, body['next']]).toEqual([
      1,
      `${sandbox.url}${base}/dishes?taken=false&page=2`,
    ]);
    await sandbox.control.advance('1h');
    expect((await ask(`GET ${base}/bills/7`)).body).toMatchObject({ error: expect.anything() });
  }
  expect((await ask('POST /api/v3/take', {})).status).toBe(200);
  expect((await ask('GET /api/v4/dishes')).status).toBe(404);
});

test.each([
  [
    'until: self.taken, at_most: "seconds(default(params.seconds, 0))"',
    'until: self.name, at_most: seconds(1)',
    'true or false',
  ],
  [
    'until: self.taken, at_most: "seconds(default(params.seconds, 0))"',
    'until: self.taken, at_most: "5"',
    'a duration',
  ],
  [
    'until: self.taken, at_most: "seconds(default(params.seconds, 0))"',
    'until: self.takn, at_most: seconds(1)',
    "'takn'",
  ],
])('%s -> %s is reported at its place', (from, to, message) => {
  const file = PACK['resources/dish.yaml'];
  const line = file.slice(0, file.indexOf(from)).split('\n').length;
  const problems = problemsOf({ ...PACK, 'resources/dish.yaml': file.replace(from, to) });
  expect(problems.filter((each) => each.includes(`dish.yaml:${line} `)).join('\n')).toContain(message);
});
