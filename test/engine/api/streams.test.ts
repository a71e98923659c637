import { join } from 'node:path';
import { exportDocument } from '../../../tools/openapi/export.js';
import { type Bug, loadPack, replayBug, type SandboxOptions } from '../../../engine/index.js';
import type { Store } from '../../../engine/store/index.js';
import { openFile } from '../../support/file-store.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { problemsOf } from '../../support/pack-world.js';
import { packFolder } from '../../support/sample-pack.js';
import { startSandbox, TestSandbox } from '../../support/start-sandbox.js';
import { type CallHeaders } from '../../support/http.js';

/** Responses that come event by event: a kitchen that says how an order gets on. */

const PACK = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
idempotency: { header: Idempotency-Key, methods: [POST], retention: 24h, replayed_header: Idempotent-Replayed }
answers: { etag: strong }
`,
  'resources/order.yaml': `resource: order
collection: orders
path: /orders
id: { prefix: ord_, format: short }
fields: { dish: string, steps: { type: array, items: string }, heard: { type: integer, nullable: true } }
operations:
  create:
    params: { dish: { type: string, required: true }, steps: { type: array, items: string }, watch: boolean }
    headers: { X-Dish: "\${self.dish}" }
    stream:
      when: params.watch == true
      events: "self.steps.map(s, {'event': 'step', 'id': s, 'data': {'order': self.id, 'step': s}})"
      done: served
      broken: { sorry: "\${error.message}" }
  slow:
    route: POST /orders/{id}/slow
    stream:
      events: "['one', 'two\\\\nlines', {'three': 3}]"
      every: 1m
      closed: [{ set: self, to: { heard: "\${sent}" } }]
  quick:
    route: POST /orders/{id}/quick
    stream:
      events: "['one', 'two\\\\nlines', {'three': 3}]"
      every: 1ms
      closed: [{ set: self, to: { heard: "\${sent}" } }]
  update: { params: { steps: { type: array, items: string }, dish: string } }
  delete: {}
  watch:
    route: GET /orders/{id}/watch
    stream:
      events: "self.steps.map(s, {'id': s, 'data': s})"
      until: "self.dish == 'served'"
      done: bye
      ping: 1s
      closed: [{ set: self, to: { heard: "\${sent}" } }]
  retrieve: {}
  menu:
    kind: action
    route: GET /menu
    stream: { events: "['soup', 'bread']" }
`,
};

const scratch = scratchFolder();
const stores: Store[] = [];
const folder = packFolder(PACK);
const options = { seed: 's', t0: '2026-01-01T00:00:00Z' };
const sandbox = startSandbox(folder, { ...options, reset: {} });
const others: TestSandbox[] = [];
async function served(more: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const other = await new TestSandbox(folder, options).open(more);
  others.push(other);
  return other;
}
let begun = 0;
beforeEach(() => {
  begun = sandbox.engine.world.ledger.count;
});
afterAll(async () => {
  await Promise.all(others.map((each) => each.close()));
  await Promise.all(stores.map((each) => each.close()));
});

const send = (line: string, body?: object, headers?: CallHeaders, to = sandbox): Promise<Response> =>
  to.send(line, body, headers);

const SOUP = { dish: 'soup', steps: ['wash', 'cut', 'cook'], watch: true };

/** Text of a stream as far as it came, and whether it was cut. */
async function heard(response: Response): Promise<{ readonly text: string; readonly cut: boolean }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const next = await reader?.read();
      if (next === undefined || next.done) return { text, cut: false };
      text += next.value;
    }
  } catch {
    return { text, cut: true };
  }
}

async function make(to = sandbox): Promise<string> {
  const { id } = (await (await send('POST /orders', { ...SOUP, watch: false }, {}, to)).json()) as {
    readonly id: string;
  };
  return id;
}

/** The world's entries of streams that their readers left. */
function left(): unknown[] {
  const { ledger } = sandbox.engine.world;
  return ledger.since(begun).filter(({ command }) => command.startsWith('stream closed'));
}

test('events are named, numbered and end with what the pack says', async () => {
  const response = await send('POST /orders', SOUP);
  expect([response.status, response.headers.get('content-type'), response.headers.get('x-dish')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    'soup',
  ]);
  expect((await heard(response)).text).toMatch(
    /^event: step\nid: wash\ndata: {"order":"ord_\w{8}","step":"wash"}\n\nevent: step\nid: cut\n[^]+\n\ndata: served\n\n$/,
  );
});

test('a call that asks for no stream gets JSON', async () => {
  const response = await send('POST /orders', { ...SOUP, watch: false });
  expect([response.headers.get('content-type'), await response.json()]).toMatchObject([
    'application/json',
    { dish: 'soup' },
  ]);
});

test('lines of text stand on lines of their own', async () => {
  const response = await send(`POST /orders/${await make()}/quick`);
  expect((await heard(response)).text).toBe('data: one\n\ndata: two\ndata: lines\n\ndata: {"three":3}\n\n');
});

test('a stream has no ETag, which its text would have to be known for', async () => {
  const response = await send('GET /menu');
  expect([response.headers.get('etag'), (await heard(response)).text]).toEqual([null, 'data: soup\n\ndata: bread\n\n']);
});

test('a repeated key streams the same bytes, and is marked', async () => {
  const key = { 'idempotency-key': 'once' };
  const first = await heard(await send('POST /orders', SOUP, key));
  const response = await send('POST /orders', SOUP, key);
  expect([response.headers.get('idempotent-replayed'), response.headers.get('content-type')]).toEqual([
    'true',
    'text/event-stream; charset=utf-8',
  ]);
  expect(await heard(response)).toEqual(first);
});

test('two worlds of the same seed stream the same bytes', async () => {
  const other = await served();
  const texts = await Promise.all(
    [sandbox, other].map(async (each) => (await heard(await send('POST /orders', SOUP, {}, each))).text),
  );
  expect(texts[1]).toBe(texts[0]);
});

test('the bodies of a stream can be looked at', async () => {
  const response = await send('POST /orders', SOUP);
  const { text } = await heard(response);
  const trace = response.headers.get('x-mock-resolution-trace');
  expect(await sandbox.control.call('GET', `/trace/${trace}/exchange`)).toMatchObject({ response: { body: text } });
});

describe('a fault in the middle', () => {
  const order = (fault: object) =>
    sandbox.control.call('POST', '/faults', { resource: 'orders', operation: 'create', count: 1, ...fault });

  test('cuts the connection behind so many events', async () => {
    await order({ after_events: 2 });
    const { text, cut } = await heard(await send('POST /orders', SOUP));
    expect([text.split('\n\n').length - 1, cut]).toEqual([2, true]);
  });

  test('ends with an error as the pack writes it, and other headers', async () => {
    await order({ after_events: 1, error_event: { message: 'the oven is cold' }, headers: { 'x-dish': 'none' } });
    const response = await send('POST /orders', SOUP);
    const { text, cut } = await heard(response);
    expect([text.split('\n\n').slice(1), cut, response.headers.get('x-dish')]).toEqual([
      ['data: {"sorry":"the oven is cold"}', ''],
      false,
      'none',
    ]);
  });

  test('means nothing to an operation without a stream', async () => {
    await expect(order({ operation: 'retrieve', after_events: 2 })).rejects.toThrow(
      "'after_events' means nothing to orders.retrieve, which has no stream",
    );
  });
});

/** Reads one event and leaves. */
async function leave(id: string, to = sandbox): Promise<void> {
  const stop = new AbortController();
  const response = await to.send(`POST /orders/${id}/slow`, undefined, {}, { signal: stop.signal });
  await response.body?.getReader().read();
  const did = new Promise<void>((resolve) => {
    const end = to.engine.subscribe(() => {
      end();
      resolve();
    });
  });
  stop.abort();
  await did;
}

describe('a reader who leaves', () => {
  test('makes an entry of what came from outside, and the pack does what it says', async () => {
    const id = await make();
    await leave(id);
    expect(await (await send(`GET /orders/${id}`)).json()).toMatchObject({ heard: 1 });
    expect(left()).toMatchObject([
      { command: 'stream closed orders.slow', origin: 'outside', args: { object: id, sent: 1 } },
    ]);
  });

  test('who has all of it leaves no entry', async () => {
    await heard(await send(`POST /orders/${await make()}/quick`));
    expect(left()).toEqual([]);
  });
});

describe('a stream that stays open', () => {
  const patch = (id: string, change: object) => send(`PATCH /orders/${id}`, change);
  /** Opens it, and reads until so many bytes of a text came. */
  async function watch(id: string, headers: Record<string, string> = {}) {
    const stop = new AbortController();
    const response = await sandbox.send(`GET /orders/${id}/watch`, undefined, headers, { signal: stop.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (wanted: string): Promise<string> => {
      while (!text.includes(wanted)) {
        const next = await reader?.read();
        if (next === undefined || next.done) break;
        text += next.value;
      }
      return text;
    };
    return { until, stop };
  }
  const ended = 'no such text';
  const frame = (text: string): string => `id: ${text}\ndata: ${text}\n\n`;

  test('sends what later commits add, and ends when the pack says', async () => {
    const id = await make();
    const { until } = await watch(id);
    await until('cook');
    await patch(id, { steps: ['wash', 'cut', 'cook', 'plate'] });
    await until('plate');
    await patch(id, { steps: ['wash', 'cut', 'cook', 'plate', 'carry'], dish: 'served' });
    expect(await until(ended)).toBe(
      [...['wash', 'cut', 'cook', 'plate', 'carry'].map(frame), 'data: bye\n\n'].join(''),
    );
  });

  test('is over at once where it is over already', async () => {
    const id = await make();
    await patch(id, { dish: 'served' });
    expect(await (await watch(id)).until(ended)).toBe([...SOUP.steps.map(frame), 'data: bye\n\n'].join(''));
  });

  test('continues behind the last event that a reader had', async () => {
    const id = await make();
    await patch(id, { dish: 'served' });
    const { until } = await watch(id, { 'last-event-id': 'wash' });
    expect(await until(ended)).toBe(`${frame('cut')}${frame('cook')}data: bye\n\n`);
  });

  test('ends with its object, and is kept alive by comments', async () => {
    const id = await make();
    const { until } = await watch(id);
    await until(': ping\n\n');
    await send(`DELETE /orders/${id}`);
    expect(await until(ended)).toMatch(/cook\n\n(?:: ping\n\n)+data: bye\n\n$/);
  });

  test('changes nothing while it is open, and counts what had gone out', async () => {
    const id = await make();
    const { until, stop } = await watch(id);
    await until('cook');
    const { count } = sandbox.engine.world.ledger;
    const did = new Promise<void>((resolve) => {
      const end = sandbox.engine.subscribe(() => {
        end();
        resolve();
      });
    });
    stop.abort();
    await did;
    expect(sandbox.engine.world.ledger.since(count)).toMatchObject([
      { command: 'stream closed orders.watch', args: { object: id, sent: 3 } },
    ]);
  });

  test('is cut by a fault behind so many events, also later ones', async () => {
    await sandbox.control.call('POST', '/faults', {
      resource: 'orders',
      operation: 'watch',
      count: 1,
      after_events: 4,
    });
    const id = await make();
    const response = await send(`GET /orders/${id}/watch`);
    const all = heard(response);
    await patch(id, { steps: ['wash', 'cut', 'cook', 'plate', 'carry'] });
    expect(await all).toEqual({ text: ['wash', 'cut', 'cook', 'plate'].map(frame).join(''), cut: true });
  });
});

test('a replay of the world takes from its own entry when a reader left', async () => {
  const other = await served();
  const id = await make(other);
  await leave(id, other);
  await heard(await send('POST /orders', SOUP, {}, other));
  const bug = (await other.control.export()) as unknown as Bug;
  expect(bug.steps).toContainEqual(expect.objectContaining({ kind: 'stream', object: id, sent: 1 }));
  const { sandbox: again, unlike } = await replayBug(bug, { pack: folder });
  expect(unlike).toBe(null);
  expect(again.engine.world.ledger.since(0)).toEqual(other.engine.world.ledger.since(0));
  await again.close();
});

test('a world in a file streams once its commit is safe', async () => {
  const store = await openFile(join(scratch, 'worlds.db'));
  stores.push(store);
  const other = await served({ store });
  const { text } = await heard(await send('POST /orders', SOUP, {}, other));
  expect(text.split('\n\n')).toHaveLength(5);
  const id = await make(other);
  await leave(id, other);
  expect(await (await send(`GET /orders/${id}`, undefined, {}, other)).json()).toMatchObject({ heard: 1 });
});

test('an exported OpenAPI document names both bodies', () => {
  const { pack } = loadPack(folder);
  const { paths } = (pack === null ? {} : exportDocument(pack)) as {
    paths: Record<string, Record<string, { responses: Record<string, { content: object }> }>>;
  };
  expect(Object.keys(paths['/orders'].post.responses['200'].content)).toEqual([
    'application/json',
    'text/event-stream',
  ]);
  expect(Object.keys(paths['/menu'].get.responses['200'].content)).toEqual(['text/event-stream']);
});

test('a reset and a rewind cut streams, which leaves no entry in the new world', async () => {
  for (const cut of [
    () => sandbox.control.call('POST', '/reset', {}),
    () => sandbox.control.call('POST', '/rewind', { to: begun }),
  ]) {
    const response = await send(`POST /orders/${await make()}/slow`);
    const all = heard(response);
    await cut();
    expect((await all).cut).toBe(true);
    expect(left()).toEqual([]);
  }
});

test('a server that closes waits for no stream', async () => {
  const other = await served();
  others.pop();
  const { id } = (await (await send('POST /orders', { ...SOUP, watch: false }, {}, other)).json()) as { id: string };
  const all = heard(await send(`POST /orders/${id}/slow`, undefined, {}, other));
  await other.close();
  expect((await all).cut).toBe(true);
});

test.each([
  ['events: "\'soup\'"', 'the events of a stream are a list'],
  ['{ events: "[1]", when: "\'yes\'" }', 'this must be true or false, it is a string'],
  ['{ events: "[nothing]" }', "unknown name 'nothing'"],
  ['{ events: "[1]", broken: "${eror.message}" }', "unknown name 'eror'"],
  ['{ events: "[1]", until: "1" }', 'this must be true or false, it is a number'],
  ['{ events: "[1]", ping: 5s }', 'only a stream with `until` stays open'],
  ['{ events: "[1]", until: "true", ping: 5ms }', 'a ping comes at most once a second, not every 5ms'],
  ['{ events: "[1]", every: 2m }', 'a pause is at most 1m of real time, not 2m'],
  [
    '{ events: "[1]", closed: [{ return: null }] }',
    'without `every` or `until` all events are sent immediately: no caller disconnects before the end',
  ],
  ['{ events: "[1]", every: 5ms, closed: [{ set: self, to: { hard: 1 } }] }', "unknown field 'hard'"],
  ['{ events: "[1]" }\n    content: { type: text/plain, text: hi }', '`stream` and `content` exclude each other'],
])('a mistake in a stream is reported at its line: %s', (stream, message) => {
  const file = `resource: order
collection: orders
path: /orders
id: { prefix: ord_ }
fields: { dish: string }
operations:
  retrieve:
    stream: ${stream.startsWith('{') ? stream : `{ ${stream} }`}
`;
  expect(problemsOf({ 'resources/order.yaml': file }).join('\n')).toContain(message);
});
