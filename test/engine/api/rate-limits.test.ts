import fc from 'fast-check';
import { countedAt, type RateCount, type RateRule, standingAt } from '../../../engine/world/index.js';
import { problemsOf } from '../../support/pack-world.js';
import { minimal } from '../../support/sample-pack.js';
import { startSandbox } from '../../support/start-sandbox.js';

const LIMITS = `durations: { rush: 1m }
request_headers: { shop: X-Shop }
auth: { schemes: [bearer], others: { guest: { prefix: guest_ } } }
rate_limits:
  baking:
    limit: 2
    window: rush
    operations: [cakes.*]
    except: [cakes.retrieve]
    headers:
      X-Limit: "\${limit}"
      X-Remaining: "\${remaining}"
      X-Reset: "\${reset}"
      Retry-After: "\${retry_after}"
  shops:
    kind: clock
    limit: "\${request.headers.shop == 'small' ? 1 : 100}"
    window: 1h
    operations: [pies.list]
    when: request.headers.shop != null
    per: request.headers.shop
    error: shop_busy
    headers: { X-Shop-Left: "\${remaining}/\${limit};w=\${window}" }
  sizes: { limit: 1, window: 1h, operations: [tarts.*], when: params.size != 7, per: params.size, error: shop_busy }
  flour:
    limit: 100
    window: 1m
    operations: [rolls.*]
    cost: params.flour
    spent: response.flour - response.waste
    error: shop_busy
    headers: { X-Flour: "\${remaining}", Retry-After: "\${retry_after}" }
  scones: { limit: 3, window: 1h, operations: [scones.*], headers: { X-Scones: "\${remaining}" } }
  slow: { kind: bucket, limit: 60, window: 1m, burst: 2, operations: [pies.create], headers: { X-Left: "\${remaining}" } }
`;
const CAKE = `resource: cake
collection: cakes
path: /cakes
id: { prefix: "", format: short }
fields: { size: integer }
operations: { create: { keys: [guest], params: { size: { type: integer, required: true } } }, list: {}, retrieve: {} }
`;
const PIE = `resource: pie
collection: pies
path: /pies
id: { prefix: "", format: short }
fields: { size: { type: integer, default: 1 } }
operations: { create: { params: {} }, list: {} }
`;
const ROLL = `resource: roll
collection: rolls
path: /rolls
id: { prefix: "", format: short }
fields: { flour: integer, waste: integer }
operations: { create: { params: { flour: { type: integer, required: true }, waste: { type: integer, min: 0 } } } }
`;
const TART = `resource: tart
collection: tarts
path: /tarts
id: { prefix: "", format: short }
fields: { size: { type: any, nullable: true } }
operations: { create: { params: { size: any } }, retrieve: { params: { size: any } } }
`;
const SCONE = `resource: scone
collection: scones
path: /scones
id: { pattern: '[a-z]+' }
fields: { size: { type: integer, default: 1 } }
tag: { weak: true }
operations:
  create: { params: { name: string }, do: [{ create: scone, id: =params.name }] }
  retrieve: {}
`;
const SHOWN = `resource: limits
collection: limits
singleton: true
fields: { note: string? }
operations:
  show:
    kind: action
    keys: [guest]
    route: GET /limits
    return: { baking: =rate_limit('baking'), shops: =rate_limit('shops') }
`;
const ERRORS = `  rate_limited: { status: 429, args: { retry_after: integer, name: string }, body: { code: slow_down, wait: "\${retry_after}", limit: "\${name}" } }
  shop_busy: { status: 420, body: { code: busy } }
  precondition_failed: { status: 412 }
`;
const FILES = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }\n${LIMITS}`,
  'resources/cake.yaml': CAKE,
  'resources/pie.yaml': PIE,
  'resources/roll.yaml': ROLL,
  'resources/tart.yaml': TART,
  'resources/scone.yaml': SCONE,
  'resources/limits.yaml': SHOWN,
};

describe('rate limits', () => {
  const options = { errors: ERRORS, key: 'key_a', t0: '2026-01-01T00:00:30Z' };
  const sandbox = startSandbox(FILES, { each: 'test', ...options });

  async function ask(line: string, { json, ...headers }: Record<string, string> = {}) {
    const body = json ?? (line.startsWith('POST') ? {} : undefined);
    const response = await sandbox.call(line, body, headers);
    return { ...response, header: (name: string): string | null => response.headers.get(name) };
  }

  test('a window begins with its first call, and ends by the clock', async () => {
    const first = await ask('GET /cakes');
    expect([first.header('x-limit'), first.header('x-remaining')]).toEqual(['2', '1']);
    expect(first.header('retry-after')).toBeNull();
    await sandbox.control.advance('20s');
    // What is refused for another reason counts too, and says how much is left.
    const wrong = await ask('POST /cakes');
    expect([wrong.status, wrong.header('x-remaining'), wrong.header('retry-after')]).toEqual([400, '0', '40']);
    const over = await ask('GET /cakes');
    expect([over.status, over.header('retry-after'), over.header('x-remaining')]).toEqual([429, '40', '0']);
    expect(over.body).toMatchObject({ code: 'slow_down', wait: 40, limit: 'baking' });
    expect((await ask('GET /cakes/unknown')).status).toBe(404);
    expect((await ask('GET /pies')).header('x-limit')).toBeNull();
    await sandbox.control.advance('40s');
    expect((await ask('GET /cakes')).header('x-remaining')).toBe('1');
  });

  test('calls are counted by what they bring, wherever it stands and however long it is', async () => {
    const statuses: number[] = [];
    const post = async (size: unknown) =>
      statuses.push((await ask('POST /tarts', { json: JSON.stringify({ size }) })).status);
    for (const size of ['a', 'b', 'a', 7, 7, 'a'.repeat(900), `${'a'.repeat(900)}b`, 'a'.repeat(900), null])
      await post(size);
    expect(statuses).toEqual([200, 200, 420, 200, 200, 200, 200, 420, 200]);
    expect((await ask('GET /tarts/none?size=b')).status).toBe(420);
    expect((await ask('POST /tarts', { json: 'nonsense' })).status).toBe(420);
    await sandbox.control.advance('1h');
    expect((await ask('GET /tarts/none?size=b')).status).toBe(404);
  });

  test('every key is counted by itself', async () => {
    const guest = { authorization: 'Bearer guest_a' };
    await ask('GET /cakes');
    await ask('GET /cakes');
    expect((await ask('GET /cakes')).status).toBe(429);
    const other = await ask('POST /cakes', { ...guest, json: '{"size":1}' });
    expect([other.status, other.header('x-remaining')]).toEqual([200, '1']);
  });

  test('whose calls count together, which count, and the limit are expressions', async () => {
    expect((await ask('GET /pies')).header('x-shop-left')).toBeNull();
    expect((await ask('GET /pies', { 'x-shop': 'small' })).header('x-shop-left')).toBe('0/1;w=3600');
    expect((await ask('GET /pies', { 'x-shop': 'big' })).header('x-shop-left')).toBe('99/100;w=3600');
    const over = await ask('GET /pies', { 'x-shop': 'small' });
    expect([over.status, over.body]).toEqual([420, { code: 'busy' }]);
    // Windows of the clock begin at the full hour.
    await sandbox.control.advance('59m30s');
    expect((await ask('GET /pies', { 'x-shop': 'small' })).status).toBe(200);
  });

  test('resets are in real time, as Date is and as clients wait', async () => {
    for (const response of [await ask('GET /cakes'), await ask('GET /cakes'), await ask('GET /cakes')]) {
      const ms = Date.parse(response.header('x-reset') ?? '') - Date.parse(response.header('date') ?? '');
      expect([60_000, 61_000]).toContain(ms);
    }
  });

  test('a frozen world lets a call in once a client has waited in real time', async () => {
    const { now } = Date;
    const beganMs = now();
    const after = (ms: number): void => {
      Date.now = () => beganMs + ms;
    };
    try {
      const statuses = async (line: string, times: number) => {
        const all: number[] = [];
        while (all.length < times) all.push((await ask(line)).status);
        return all;
      };
      after(0);
      expect(await statuses('GET /cakes', 3)).toEqual([200, 200, 429]);
      after(59_000);
      expect(await statuses('GET /cakes', 1)).toEqual([429]);
      after(60_000);
      expect(await statuses('GET /cakes', 3)).toEqual([200, 200, 429]);
      // The world's clock counts as before; both together are not counted twice.
      await sandbox.control.advance('30s');
      after(90_000);
      expect(await statuses('GET /cakes', 1)).toEqual([429]);
      await sandbox.control.advance('30s');
      expect(await statuses('GET /cakes', 3)).toEqual([200, 200, 429]);
      // A bucket gives one back a second.
      after(91_000);
      expect(await statuses('POST /pies', 3)).toEqual([200, 200, 429]);
      after(92_000);
      expect(await statuses('POST /pies', 2)).toEqual([200, 429]);
    } finally {
      Date.now = now;
    }
  });

  test('a response that says that nothing has changed is free', async () => {
    const { body } = await ask('POST /cakes', { json: '{"size":1}' });
    const left = async (headers: Record<string, string>) => {
      const response = await ask('GET /scones/one', headers);
      return [response.status, response.header('x-scones')];
    };
    expect(body).toMatchObject({ size: 1 });
    await ask('POST /scones', { json: '{"name":"one"}' });
    const tag = (await ask('GET /scones/one')).header('etag') ?? '';
    expect(await left({ 'if-none-match': tag })).toEqual([304, '1']);
    expect(await left({ 'if-none-match': '"another"' })).toEqual([200, '0']);
    expect(await left({ 'if-none-match': tag })).toEqual([429, '0']);
  });

  test('an operation can show what its caller has left', async () => {
    await ask('GET /cakes');
    const { body } = await ask('GET /limits');
    expect(body).toMatchObject({
      baking: { limit: 2, used: 1, remaining: 1, reset_in: 60, retry_after: null },
      shops: null,
    });
    await ask('GET /cakes');
    expect((await ask('GET /limits')).body).toMatchObject({ baking: { remaining: 0, retry_after: 60 } });
    expect((await ask('GET /limits', { authorization: 'Bearer guest_a' })).body).toMatchObject({ baking: { used: 0 } });
  });

  test('a bucket gives calls back one by one', async () => {
    expect((await ask('POST /pies')).header('x-left')).toBe('1');
    expect((await ask('POST /pies')).header('x-left')).toBe('0');
    expect((await ask('POST /pies')).status).toBe(429);
    await sandbox.control.advance('1s');
    expect((await ask('POST /pies')).header('x-left')).toBe('0');
  });

  test('a call uses up what it asks for, and in the end what its response says', async () => {
    const bake = async (flour: unknown, waste = 0) => {
      const { status, header, body } = await ask('POST /rolls', { json: JSON.stringify({ flour, waste }) });
      return [status, header('x-flour'), header('retry-after'), status === 420 ? body : null];
    };
    expect(await bake(6)).toEqual([200, '94', null, null]);
    // Half of what was asked for is left over: what the response says counts.
    expect(await bake(50, 25)).toEqual([200, '69', null, null]);
    // Beyond the limit by what it asks; another one still has room.
    await sandbox.control.advance('15s');
    expect(await bake(70)).toEqual([420, '69', '45', { code: 'busy' }]);
    expect(await bake(60)).toEqual([200, '9', null, null]);
    // What is rejected uses up what it asked for, what is no number 1, and what never has room no wait.
    expect(await bake(2, -1)).toEqual([400, '7', null, null]);
    expect(await bake('much')).toEqual([400, '6', null, null]);
    expect(await bake(101)).toEqual([420, '6', null, { code: 'busy' }]);
    await sandbox.control.advance('45s');
    expect(await bake(100)).toEqual([200, '0', '60', null]);
  });

  test('counts are state: a rewind takes them back, a reset forgets them, a duration changes the window', async () => {
    await ask('GET /cakes');
    await sandbox.control.saveMoment('one call');
    await ask('GET /cakes');
    expect((await ask('GET /cakes')).status).toBe(429);
    await sandbox.control.rewind('one call');
    expect((await ask('GET /cakes')).header('x-remaining')).toBe('0');
    await sandbox.control.durations({ rush: '10s' });
    await sandbox.control.advance('10s');
    expect((await ask('GET /cakes')).header('x-remaining')).toBe('1');
    await sandbox.control.reset();
    expect((await ask('GET /cakes')).header('x-remaining')).toBe('1');
  });
});

const HEAD = FILES['pack.yaml'].split('rate_limits:')[0];
/** Where the limits of a test stand. */
const LINE = `${minimal.files['pack.yaml']}${HEAD}`.split('\n').length + 1;

test.each([
  ['limit: 0, window: 1m', "'limit' must be at least 1"],
  ['limit: 1, window: 0s', 'a window cannot be of no length'],
  ['limit: 1, window: soon', "unknown duration 'soon'"],
  ['limit: 1, window: 1m, burst: 3', '`burst` is of limits with `kind: bucket`'],
  ['limit: 1, window: 1m, headers: { "X Y": 1 }', "'X Y' cannot be the name of a header"],
  ['limit: 1, window: 1m, operations: [cake.list]', "unknown operation 'cake.list'"],
  ['limit: 1, window: 1m, error: nonsense', "unknown error 'nonsense'"],
  ['limit: 1, window: 1m', "unknown error 'rate_limited'"],
  ['limit: 1, window: 1m, error: not_found, when: request.nothing', "'nothing'"],
  ['limit: 1, window: 1m, error: not_found, when: request.path', 'this must be true or false'],
  ['limit: "${request.path}", window: 1m, error: not_found', 'a limit is a number'],
  ['limit: 1, window: 1m, error: not_found, cost: request.path', 'what a call costs is a number'],
  ['limit: 1, window: 1m, error: not_found, cost: response.x', "unknown name 'response'"],
  ['limit: 1, window: 1m, error: not_found, spent: respnse.x', "unknown name 'respnse'"],
  ['limit: 1, window: 1m, error: not_found, headers: { X-A: "${left}" }', "'left'"],
])('{ %s } is told at its place', (limit, told) => {
  const problems = problemsOf({ ...FILES, 'pack.yaml': `${HEAD}rate_limits:\n  a: { ${limit} }\n` });
  expect(problems.filter((each) => each.includes(` pack.yaml:${LINE} `)).join('\n')).toContain(told);
});

const rule = fc.record({
  kind: fc.constantFrom<RateRule['kind'][]>('fixed', 'clock', 'sliding', 'bucket'),
  limit: fc.integer({ min: 1, max: 7 }),
  windowMs: fc.integer({ min: 1, max: 5000 }),
  burst: fc.integer({ min: 1, max: 9 }),
});

const costly = fc.record({ after: fc.integer({ min: 0, max: 4000 }), cost: fc.integer({ min: 1, max: 10 }) });

test('a call is free exactly when there is no wait, and after the wait there is one', () => {
  fc.assert(
    fc.property(rule, fc.array(costly, { maxLength: 40 }), (each, calls) => {
      let [count, now]: [RateCount | undefined, number] = [undefined, 1_000_000];
      for (const { after, cost } of calls) {
        now += after;
        const standing = standingAt(each, count, now, cost);
        expect(standing.remaining >= cost).toBe(standing.waitMs <= 0);
        expect(standing.remaining).toBeGreaterThanOrEqual(0);
        expect(standing.waitMs === Infinity).toBe(cost > standing.limit);
        if (standing.waitMs === Infinity) continue;
        if (standing.waitMs > 0) {
          expect(standingAt(each, count, now + standing.waitMs).remaining).toBeGreaterThanOrEqual(cost);
          expect(standingAt(each, count, now + standing.waitMs - 1).remaining).toBeLessThan(cost);
          continue;
        }
        count = countedAt(each, count, now, cost);
        expect(standingAt(each, count, now).remaining).toBe(standing.remaining - cost);
      }
    }),
  );
});
