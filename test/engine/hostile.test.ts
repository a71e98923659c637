import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { ActivityBoard } from '../../engine/runtime/activity.js';
import { LIMITS } from '../../engine/limits.js';
import { glob } from '../../engine/model/index.js';
import { ClockControl } from '../../engine/runtime/index.js';
import { Watchdog } from '../../tools/command/watchdog.js';
import { PackWorld } from '../support/pack-world.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { processorTime } from '../support/processor-time.js';
import { type Called } from '../support/http.js';
import { turns, until } from '../support/waiting.js';
import { startSandbox, TestSandbox } from '../support/start-sandbox.js';

/** What hostile input did to the sandbox, each with what it is answered now. Letters are those of the finding. */
const options = { key: 'k', t0: '2025-03-01T08:00:00Z', seed: 's', reset: {} };
const sandbox = startSandbox('test/packs/parcels', options);
const call = (line: string, body?: unknown): Promise<Called> => sandbox.call(line, body, { connection: 'close' });

const PARCEL = { to: { street: 'Dam 1', town: 'Amsterdam' }, weight: 5 };
const HOUR = 3_600_000;

test('the table of limits in the documents is that of the code', () => {
  const text = readFileSync('docs/reference/limits.md', 'utf8');
  const rows = Object.entries(LIMITS).map(
    ([name, { value, unit, what, beyond }]) =>
      `| ${what} | ${value.toLocaleString('en')} ${unit} | ${beyond} | \`${name}\` |`,
  );
  expect(text.split('\n').filter((line) => /^\| .*\| `\w+` \|$/.test(line))).toEqual(rows);
});

describe('the clock', () => {
  function clockOf(options: object): ClockControl {
    return new ClockControl(sandbox.engine, null, options);
  }

  async function seed(count: number): Promise<void> {
    const objects = Array.from({ length: count }, (_, n) => ({ ...PARCEL, id: `par_000000000${n}` }));
    await call('POST /__admin__/seed', { resource: 'parcels', objects });
  }

  test.each([
    [3, 'budget', 'events'],
    [4, null, null],
    [5, null, null],
  ])('an advance may cause %i events, and four are due', async (eventBudget, stopped, exceeded) => {
    await seed(2);
    expect(await clockOf({ eventBudget }).advanceBy(48 * HOUR)).toMatchObject({ stopped, exceeded });
  });

  test('an advance ends when memory is short, and goes on from there', async () => {
    const objects = Array.from({ length: 3000 }, (_, n) => ({ ...PARCEL, id: `par_${String(n).padStart(10, '0')}` }));
    await call('POST /__admin__/seed', { resource: 'parcels', objects });
    const first = await clockOf({ isMemoryShort: () => true }).advanceBy(48 * HOUR);
    expect(first).toMatchObject({ stopped: 'budget', exceeded: 'memory' });
    const rest = await clockOf({}).advanceBy(48 * HOUR);
    expect([rest.stopped, first.fired + rest.fired]).toEqual([null, 6000]);
  });

  test('advances that were asked for together do not lead beyond the calendar', async () => {
    const many = await Promise.all(
      Array.from({ length: 5 }, () => call('POST /__admin__/clock/advance', { duration: '1000000d' })),
    );
    expect(many.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400]);
    expect((await call('GET /__admin__/clock')).status).toBe(200);
  });

  test.each([
    [LIMITS.latest.value / 1000 - 1, 200],
    [LIMITS.latest.value / 1000, 200],
    [LIMITS.latest.value / 1000 + 1, 400],
    [8_639_999_999_999, 400],
  ])('B8: /reset to %i', async (t0, status) => {
    expect((await call('POST /__admin__/reset', { t0 })).status).toBe(status);
    expect((await call('GET /__admin__/clock')).status).toBe(200);
    const { status: made } = await call('POST /api/parcels', PARCEL);
    expect([made, (await call('GET /__admin__/clock')).status]).toEqual([201, 200]);
  });

  test.each([
    [3_649_999, 200],
    [3_650_000, 200],
    [3_650_001, 400],
  ])('B9: a duration of %i days', async (days, status) => {
    const durations = { pickup_time: `${days}d` };
    expect((await call('POST /__admin__/clock/durations', { durations })).status).toBe(status);
    if (status === 200)
      expect((await call('GET /__admin__/clock/durations')).body).toMatchObject({
        durations: { pickup_time: { value: `${days}d` } },
      });
    await call('POST /__admin__/clock/durations', { durations: { pickup_time: null } });
  });
});

describe('packs that never end', () => {
  const LOOP = {
    'pack.yaml': 'durations: { w: { default: 1h } }\n',
    'resources/thing.yaml': `resource: thing
collection: things
path: /things
id: { prefix: thg_ }
fields: { status: { enum: [a, b], machine: true }, names: { type: array, items: string } }
machine:
  initial: a
  states:
    a: { after: { w: b } }
    b: { after: { w: a } }
operations:
  create: {}
  slow:
    kind: action
    route: POST /slow
    let: { tens: "range(10)" }
    return: { n: "\${size(tens.map(a, tens.map(b, tens.map(c, tens.map(d, tens.map(e, tens.map(f, tens.map(g, tens.map(h, 1)))))))))}" }
`,
  };

  test('a cycle of waits that have no length is a defect that names the machine', () => {
    const world = new PackWorld(LOOP);
    expect(world.call('things.create').status).toBe(200);
    world.engine.command('durations', 'control', ({ transaction }) =>
      transaction.write(world.engine.world.durations, 'w', 0),
    );
    expect(world.call('things.create').status).toBe(500);
    expect(world.defects).toEqual([expect.stringMatching(/thing thg_\w+ never ends without time passing/)]);
    expect(world.rows('things')).toHaveLength(1);
    // The clock goes on: what cannot end is a timer that failed.
    const to = world.engine.world.nowMs + HOUR;
    expect(world.engine.fireNext(to)).toMatchObject({ events: [], failure: { collection: 'things' } });
    expect(world.engine.fireNext(to)).toBeUndefined();
  });

  test('loops inside loops end', async () => {
    const world = new PackWorld(LOOP);
    expect(await processorTime(() => expect(world.call('things.slow').status).toBe(500))).toBeLessThan(5000);
    expect(world.defects).toEqual([expect.stringMatching(/turns/)]);
  });

  test.each([
    ['rows that are scanned', "range(10000).map(i, count(thing, {'names': [string(i)]}))"],
    ['rows that are found late', "range(10000).map(i, find(thing, {'names': [string(i)]}))"],
    ['items that are looked for', 'range(10000).filter(i, (i + 10001) in range(10000))'],
    ['items that are added up', 'range(10000).map(i, sum(range(10000)))'],
    ['lists that grow', 'range(10000).map(i, size(append(range(10000), i)))'],
    ['lists that are equal', 'range(10000).map(i, range(10000) == range(10000))'],
    ['keys of maps', "range(10000).map(i, size(merge(group(all(thing), 'id', 'id'), {'a': i})))"],
    ['long texts', "range(10000).map(i, size(join(range(10000), 'abcdefghijklmnopqrstuvwxyz')))"],
    ['patterns', "range(10000).map(i, matches(json(range(10000)), 'x(y|z)w'))"],
    ['JSON', 'range(10000).map(i, size(json(range(10000))))'],
    ['schemas', "range(10000).map(i, size(schema_problems({'items': {'type': 'string'}}, range(1000), '')))"],
    ['made up values', "range(10000).map(i, synthesize({'type': 'array', 'minItems': 100}, string(i), {}))"],
  ])('%s count like turns', async (_what, expression) => {
    const made = `size(${expression})`;
    const slow = LOOP['resources/thing.yaml'].replace(/n: "\$\{size.*\}"/, `n: "\${${made}}"`);
    const world = new PackWorld({ ...LOOP, 'resources/thing.yaml': slow });
    for (let n = 0; n < 1000; n++) world.call('things.create');
    // Without the bound it would go on for minutes.
    expect(await processorTime(() => expect(world.call('things.slow').status).toBe(500))).toBeLessThan(30_000);
    expect(world.defects).toEqual([expect.stringMatching(/turns/)]);
  });

  test('with a large call, it is the call that takes too much', () => {
    const looking = `operations:
  create: { params: { names } }
  slow:
    kind: action
    route: POST /slow
    params: { names: { type: array, items: string, } }
    return: { n: "\${size(params.names.map(a, params.names.filter(b, a == b + 'x')))}" }
`;
    const text = LOOP['resources/thing.yaml'];
    const world = new PackWorld({
      ...LOOP,
      'resources/thing.yaml': text.slice(0, text.indexOf('operations:')) + looking,
    });
    const names = Array.from({ length: 3000 }, (_, n) => `name ${n}`);
    expect(world.call('things.slow', { names })).toMatchObject({ status: 400 });
    expect(world.defects).toEqual([]);
  });

  test('a list without what it holds twice is made in one go', () => {
    const made = "size(unique(concat(range(10000), range(10000).map(i, {'n': i % 5, 'same': true}))))";
    const quick = LOOP['resources/thing.yaml'].replace(/n: "\$\{size.*\}"/, `n: "\${${made}}"`);
    const world = new PackWorld({ ...LOOP, 'resources/thing.yaml': quick });
    expect(world.call('things.slow')).toMatchObject({ status: 200, body: '{"n":10005}' });
  });

  test('names with many stars are compared with little work', async () => {
    const pattern = glob('*a'.repeat(500) + '*b');
    expect(await processorTime(() => expect(pattern.test('a'.repeat(5000))).toBe(false))).toBeLessThan(1000);
    expect(['a.b', 'a.x.b', 'a', 'ab', 'a.b.c'].map((text) => glob('a.*b').test(text))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('bodies and connections', () => {
  test('a body that nests 30 million levels is refused before it is parsed', async () => {
    const rejected = async (): Promise<void> => {
      const body = '['.repeat(30_000_000);
      expect((await sandbox.admin('POST /seed', body)).status).toBe(400);
    };
    expect(await processorTime(rejected)).toBeLessThan(5000);
  });

  test.each([
    [63, 200],
    [64, 200],
    [65, 400],
  ])('%i levels of a body', async (levels, status) => {
    const inner = `${'['.repeat(levels - 3)}${']'.repeat(levels - 3)}`;
    const objects = `[{"id":"par_0000000001","weight":5,"to":{"street":"a","town":"b"},"mood":${inner}}]`;
    const response = await sandbox.admin('POST /seed', `{"resource":"parcels","objects":${objects}}`);
    // Deep enough to be read, it is refused for what it says.
    expect(response.status === 422 ? 200 : response.status).toBe(status);
  });

  test('who has no key is answered before the body is read', async () => {
    const answered = await new Promise<number>((resolve, reject) => {
      const headers = { 'content-length': 900_000, 'content-type': 'application/json' };
      const req = request(`${sandbox.url}/api/parcels`, { method: 'POST', headers }, (res) => {
        resolve(res.statusCode ?? 0);
        req.destroy();
      });
      req.on('error', reject);
      req.write('{');
    });
    expect(answered).toBe(401);
  });

  test('garbage on the socket is answered or cut, and others are served', async () => {
    const { port, hostname } = new URL(sandbox.url);
    for (const bytes of [
      '\0\0\0',
      'GET /\r\n\r\n',
      'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n',
      `GET / HTTP/1.1\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(bytes));
        socket.on('data', () => socket.destroy());
        socket.on('error', () => resolve());
        socket.on('close', () => resolve());
      });
    }
    expect((await call('GET /api/parcels')).status).toBe(200);
  });
});

test('the code, type and message of a fault are text', async () => {
  for (const error of [{ code: 123 }, { type: true }, { message: {} }, { code: [1] }]) {
    const { status, body } = await call('POST /__admin__/faults', {
      resource: 'parcels',
      operation: 'list',
      status: 429,
      error,
    });
    expect([status, body]).toMatchObject([400, { error: { path: `error.${Object.keys(error)[0]}` } }]);
  }
  expect((await call('GET /api/parcels')).status).toBe(200);
});

describe('calls and deliveries in flight', () => {
  test('a flush says after a while that receivers have not answered', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.reply = () => undefined;
    await call('POST /__admin__/webhooks/endpoints', { url: receiver.url });
    await call('POST /api/parcels', PARCEL);
    const { status, body } = await call('POST /__admin__/webhooks/flush', {});
    expect([status, [true, false]]).toEqual([200, expect.arrayContaining([body['flushed']])]);
    await receiver.stop();
  });

  test('a call that is under way when the sandbox closes is answered', async () => {
    const other = await new TestSandbox('test/packs/parcels', { key: 'k', seed: 's' }).open();
    const fault = { resource: 'parcels', operation: 'list', kind: 'delay', delay_ms: 1500, count: 1 };
    await other.admin('POST /faults', fault);
    const slow = other.call('GET /api/parcels');
    await turns();
    // Closing waits for the call and for nothing else, which would outlast this test.
    await other.close(10 * 60_000);
    expect((await slow).status).toBe(200);
  });
});

test('a stall is reported from outside, with what began last', async () => {
  const board = new ActivityBoard();
  const lines: string[] = [];
  const watchdog = new Watchdog(board, (line) => lines.push(line), 300);
  const freed = new Int32Array(new SharedArrayBuffer(4));
  const source = `const { workerData: { memory, freed } } = require('node:worker_threads');
    const head = new Int32Array(memory, 0, 2), text = new Uint16Array(memory, 8, 160);
    const what = 'POST /x'; for (let i = 0; i < what.length; i++) text[i] = what.charCodeAt(i);
    Atomics.store(head, 1, what.length); Atomics.add(head, 0, 1);
    while (Atomics.load(freed, 0) === 0);
    setInterval(() => Atomics.add(head, 0, 1), 50);`;
  const worker = new Worker(source, { eval: true, workerData: { memory: board.memory, freed } });
  await until(() => lines.length === 1);
  Atomics.store(freed, 0, 1);
  await until(() => lines.length === 2);
  expect(lines).toEqual([
    expect.stringMatching(/^stalled for .* POST \/x$/),
    expect.stringMatching(/^stall over after /),
  ]);
  watchdog.close();
  await worker.terminate();
});
