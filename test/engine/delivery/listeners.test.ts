import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import type { Sandbox } from '../../../engine/index.js';
import { samplePack } from '../../support/sample-pack.js';
import { useSandboxes } from '../../support/start-sandbox.js';
import { call as callWorld } from '../../support/http.js';
import { until } from '../../support/waiting.js';

/** Who connects, and what came over the connection. */
interface Radio {
  readonly socket: WebSocket;
  readonly heard: Said[];
  /** Says something of a message. */
  say(of: Said, what: object): void;
  /** The message of this number, once it is there. */
  message(number: number): Promise<Said>;
}

interface Said {
  readonly id: string;
  readonly ear: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly said: string;
  readonly at: number;
  readonly type: string;
}

interface Seen {
  readonly endpoint: string;
  readonly transport: string;
  readonly status: string;
  readonly attempts: readonly {
    readonly status: number | null;
    readonly error: string | null;
    readonly response: unknown;
  }[];
}

const KEY = 'key_radio';
const radio = samplePack('radio');
const { serve } = useSandboxes({ pack: 'test/samples/radio', key: KEY });
const open: WebSocket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate();
});

const call = async <T = Readonly<Record<string, string>>>(
  { url }: { readonly url: string },
  line: string,
  body?: object,
  key = KEY,
): Promise<T> => (await callWorld<T>({ url, key }, line, body)).body;

function dial(url: string, options: { protocol?: string; headers?: Record<string, string> } = {}): WebSocket {
  const { protocol = 'radio-v1', headers } = options;
  const socket = new WebSocket(url, protocol === '' ? [] : protocol, { headers });
  socket.on('error', () => undefined);
  open.push(socket);
  return socket;
}

async function tuneIn(sandbox: { readonly url: string }, set: string): Promise<Radio> {
  const socket = dial(`${sandbox.url.replace('http', 'ws')}/v1/air/${set}`);
  const heard: Said[] = [];
  let told = (): void => undefined;
  socket.on('message', (data) => {
    heard.push(JSON.parse((data as Buffer).toString()) as Said);
    told();
  });
  await once(socket, 'open');
  return {
    socket,
    heard,
    say: ({ id }, what) => socket.send(JSON.stringify({ id, ...what })),
    message: async (number) => {
      while (heard.length < number) await new Promise<void>((resolve) => (told = resolve));
      return heard[number - 1];
    },
  };
}

/** Status and body of an answer to someone who wanted to connect. */
function refused(socket: WebSocket): Promise<[status: number | undefined, body: unknown]> {
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve([response.statusCode, text === '' ? null : JSON.parse(text)]));
    });
  });
}

async function deliveries(sandbox: Sandbox): Promise<Seen[]> {
  const { data } = await call<{ data: Seen[] }>(sandbox, 'GET /__admin__/webhooks/deliveries');
  return data;
}

const flush = (sandbox: Sandbox): Promise<unknown> => call(sandbox, 'POST /__admin__/webhooks/flush');
const play = (sandbox: Sandbox, title = 'x'): Promise<unknown> => call(sandbox, 'POST /v1/songs', { title });
const status = async (sandbox: Sandbox, id: string): Promise<string> =>
  (await call(sandbox, `GET /v1/ears/${id}`)).status;

test('a listener gets the events of its endpoints, signed, and what it says of them is what became of the delivery', async () => {
  const sandbox = await serve();
  const ear = await call(sandbox, 'POST /v1/ears', { set: 'kitchen' });
  expect(ear.status).toBe('shut');
  await play(sandbox, 'before');
  const radio = await tuneIn(sandbox, 'kitchen');
  expect([radio.socket.protocol, await status(sandbox, ear.id)]).toEqual(['radio-v1', 'open']);
  await play(sandbox);
  const first = await radio.message(1);
  expect(first).toMatchObject({ ear: ear.id, type: 'song.played', headers: { 'X-Ear': ear.id } });
  expect(JSON.parse(first.said)).toMatchObject({ type: 'song.played', about: { title: 'x' } });
  const signature = createHmac('sha256', 'rosebud').update(`${first.at}.${first.said}`).digest('hex');
  expect(first.headers['X-Signature']).toBe(signature);
  expect(first.headers).not.toHaveProperty('Content-Length');
  radio.say(first, { kind: 'heard' });
  radio.say(first, { kind: 'over', status: 202, headers: { 'x-a': 'b' }, body: 'thanks' });
  await flush(sandbox);
  await play(sandbox);
  radio.say(await radio.message(2), { kind: 'over', status: 500, body: 'no' });
  await flush(sandbox);
  const [second, one, ...more] = await deliveries(sandbox);
  expect(one).toMatchObject({
    transport: 'air',
    status: 'delivered',
    attempts: [{ status: 202, error: null, response: { headers: { 'x-a': 'b' }, body: 'thanks' } }],
  });
  // A listener is told once, whatever it says.
  expect(second).toMatchObject({ status: 'failed', next_attempt_at: null, attempts: [{ status: 500, error: null }] });
  expect(more).toEqual([]);
});

test('what is lost is said, and not sent again', async () => {
  const sandbox = await serve();
  const { id } = await call(sandbox, 'POST /v1/ears', { set: 'attic' });
  const radio = await tuneIn(sandbox, 'attic');
  await play(sandbox);
  await radio.message(1);
  await flush(sandbox);
  await play(sandbox);
  radio.say(await radio.message(2), { kind: 'heard' });
  await flush(sandbox);
  await play(sandbox);
  await radio.message(3);
  radio.socket.terminate();
  await flush(sandbox);
  await until(async () => (await status(sandbox, id)) === 'shut');
  const errors = (await deliveries(sandbox)).map(({ attempts }) => attempts.map(({ error }) => error));
  expect(errors).toEqual([
    ['the listener has gone'],
    ['no response within 500 ms, though it has arrived'],
    ['no response within 500 ms'],
  ]);
  // Who is said to listen and does not: the world's own event opened the endpoint, nobody has connected.
  await call(sandbox, 'POST /__admin__/world/events', { cause: 'set.on', params: { listener: 'attic' } });
  await play(sandbox);
  await flush(sandbox);
  await call(sandbox, 'POST /__admin__/clock/advance', { duration: '1h' });
  expect((await deliveries(sandbox))[0]).toMatchObject({
    status: 'failed',
    attempts: [{ error: 'no listener is connected' }],
  });
});

test('a delivery that a listener loses is given up at once, so that the pack may close the endpoint', async () => {
  const sandbox = await serve();
  const { id } = await call(sandbox, 'POST /v1/ears', { set: 'cellar', strict: true });
  const radio = await tuneIn(sandbox, 'cellar');
  await play(sandbox);
  radio.say(await radio.message(1), { kind: 'over', status: 410 });
  await flush(sandbox);
  expect(await status(sandbox, id)).toBe('shut');
});

test('an acknowledgement is enough where no answer comes, and for the endpoints that a listener passes over', async () => {
  const sandbox = await serve();
  await call(sandbox, 'POST /v1/ears', { set: 'mute', talks: false });
  const mute = await tuneIn(sandbox, 'mute');
  await play(sandbox);
  mute.say(await mute.message(1), { kind: 'heard' });
  await flush(sandbox);
  expect(await deliveries(sandbox)).toMatchObject([
    { status: 'delivered', attempts: [{ status: null, response: null }] },
  ]);
  mute.socket.terminate();

  const left = await call(sandbox, 'POST /v1/ears', { set: 'stereo' });
  const right = await call(sandbox, 'POST /v1/ears', { set: 'stereo' });
  const stereo = await tuneIn(sandbox, 'stereo');
  for (const round of [1, 2]) {
    await play(sandbox);
    const both = [await stereo.message(round * 2 - 1), await stereo.message(round * 2)];
    for (const each of both) stereo.say(each, { kind: 'heard' });
    const chosen = both.find(({ ear }) => ear === right.id);
    if (chosen) stereo.say(chosen, { kind: 'over', status: 200 });
    await flush(sandbox);
  }
  const seen = (await deliveries(sandbox)).filter(({ endpoint }) => [left.id, right.id].includes(endpoint));
  expect(seen.map((each) => [each.endpoint, each.status, each.attempts[0].status])).toEqual(
    expect.arrayContaining([
      [left.id, 'delivered', null],
      [right.id, 'delivered', 200],
    ]),
  );
  expect(seen.filter((each) => each.status === 'delivered')).toHaveLength(4);
});

test('nobody connects by a name that the world does not know, from a browser or in another protocol', async () => {
  const sandbox = await serve();
  const ear = await call(sandbox, 'POST /v1/ears', { set: 'kitchen' });
  const air = `${sandbox.url.replace('http', 'ws')}/v1/air`;
  expect(await refused(dial(`${air}/none`))).toEqual([410, { error: 'no_such_set' }]);
  const keyless = [401, {}];
  expect(await refused(dial(`${air}/kitchen`, { protocol: 'radio-v2' }))).toEqual(keyless);
  expect(await refused(dial(`${air}/kitchen`, { protocol: '' }))).toEqual(keyless);
  for (const origin of ['https://shop.example', 'http://radio.example', 'https://notradio.example', 'null'])
    expect(await refused(dial(`${air}/kitchen`, { headers: { origin } }))).toEqual(keyless);
  expect(await refused(dial(`${air}/kitchen/more`))).toEqual(keyless);
  expect(await refused(dial(`${sandbox.url.replace('http', 'ws')}/v1/songs`))).toEqual(keyless);
  // What is no handshake is refused by it, and the world is told that nobody has come.
  const wrong = { 'sec-websocket-key': 'x', 'sec-websocket-version': '13', 'sec-websocket-protocol': 'radio-v1' };
  const asked = request(`${sandbox.url}/v1/air/kitchen`, {
    headers: { connection: 'Upgrade', upgrade: 'websocket', ...wrong },
  });
  asked.end();
  expect((await once(asked, 'response'))[0]).toMatchObject({ statusCode: 400 });
  expect(await status(sandbox, ear.id)).toBe('shut');
});

test("a client that sends the vendor's own origin connects", async () => {
  const sandbox = await serve();
  const ear = await call(sandbox, 'POST /v1/ears', { set: 'kitchen' });
  const air = `${sandbox.url.replace('http', 'ws')}/v1/air/kitchen`;
  await once(dial(air, { headers: { origin: 'https://api.radio.example' } }), 'open');
  expect(await status(sandbox, ear.id)).toBe('open');
});

test('a message that the pack cannot write is told, and nothing waits for it', async () => {
  const told: string[] = [];
  const onDefect = (error: unknown, what: string): void => void told.push(`${what}: ${String(error)}`);
  const pack = radio.write(
    radio.patched('pack.yaml', ['awaits_response: endpoint.talks', 'awaits_response: 1 / size(endpoint.url) > 0']),
  );
  const sandbox = await serve({ pack, onDefect });
  const { id } = await call(sandbox, 'POST /v1/ears', { set: 'kitchen' });
  await tuneIn(sandbox, 'kitchen');
  await play(sandbox);
  await flush(sandbox);
  expect(await deliveries(sandbox)).toMatchObject([
    { status: 'failed', attempts: [{ error: expect.stringMatching(/^the message could not be written: /) as string }] },
  ]);
  expect(told).toEqual([expect.stringContaining(`to ${id}: `)]);
});

test('one who connects again takes the place of the first; noise is no reply', async () => {
  const sandbox = await serve();
  const { id } = await call(sandbox, 'POST /v1/ears', { set: 'kitchen' });
  const first = await tuneIn(sandbox, 'kitchen');
  const ended = once(first.socket, 'close');
  const second = await tuneIn(sandbox, 'kitchen');
  expect((await ended)[0]).toBe(1000);
  expect(await status(sandbox, id)).toBe('open');
  await play(sandbox);
  const said = await second.message(1);
  for (const noise of ['{', '[]', '"a"', '{"kind":"over"}', '{"id":"dlv_none","kind":"over"}'])
    second.socket.send(noise);
  second.say(said, { kind: 'something' });
  second.say(said, { kind: 'over', status: 200 });
  await flush(sandbox);
  expect(first.heard).toEqual([]);
  expect((await deliveries(sandbox)).map((each) => each.status)).toEqual(['delivered']);
});

test('a world that is emptied or closed ends the connections, and they are no events of it', async () => {
  const sandbox = await serve();
  await call(sandbox, 'POST /v1/ears', { set: 'kitchen' });
  const radio = await tuneIn(sandbox, 'kitchen');
  const ended = once(radio.socket, 'close');
  await call(sandbox, 'POST /__admin__/reset', {});
  expect((await ended)[0]).toBe(1012);
  expect(JSON.stringify(sandbox.engine.world.ledger.since(0))).not.toContain('set.off');
  expect(await refused(dial(`${sandbox.url.replace('http', 'ws')}/v1/air/kitchen`))).toEqual([410, expect.anything()]);
  await call(sandbox, 'POST /v1/ears', { set: 'kitchen' });
  const again = await tuneIn(sandbox, 'kitchen');
  const left = once(again.socket, 'close');
  await sandbox.close();
  expect((await left)[0]).toBe(1012);
});

test('behind one address the address of a connection names its world', async () => {
  const sandbox = await serve({ worlds: 'key' });
  const other = await sandbox.worlds.create({ name: 'other' });
  const { air } = await call(sandbox, 'GET /v1/where', undefined, other.key);
  expect(air).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/w\/w2\/v1\/air\/$/);
  await call(sandbox, 'POST /v1/ears', { set: 'kitchen' }, other.key);
  expect(await refused(dial(`${sandbox.url.replace('http', 'ws')}/v1/air/kitchen`))).toEqual([410, expect.anything()]);
  const socket = dial(`${air}kitchen`);
  await once(socket, 'open');
  socket.terminate();
  expect(await refused(dial(`${air.replace('w2', 'w9')}kitchen`))).toEqual([401, {}]);
  expect(await refused(dial(`${air}kitchen/more`))).toEqual([401, {}]);
});

/** A radio whose sets are greeted, share what is sent, and are told when the station closes. */
const station = {
  ...radio.patched(
    'pack.yaml',
    [
      'protocol: radio-v1',
      `protocol: radio-v1
        share: 2
        greeting: { kind: hello, set: "\${listener}", sets: "\${connections}" }
        ends: { when: "event.type == 'song.ended'", say: { kind: bye, why: "\${event.about.title}" } }`,
    ],
    ['type: "${event.type}" }\n', 'type: "${event.type}", attempt: "${attempt}", why: "${failure.error}" }\n'],
    [
      'timeout: 500ms',
      `timeout: 500ms
      retries: [10s]
      on_response: [{ create: song, with: { title: "\${endpoint.set + ' said ' + default(response.body, 'nothing')}" }, silent: true }]`,
    ],
  ),
  ...radio.patched(
    'resources/song.yaml',
    ['list: {} }', 'list: {}, end: { do: [{ emit: song.ended }] } }'],
    ['{ on: created } }', '{ on: created }, song.ended: { emit: true } }'],
  ),
};

describe('a station that greets', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await serve({ pack: radio.write(station) });
  });
  const titles = async (): Promise<string[]> =>
    (await call<{ data: { title: string }[] }>(sandbox, 'GET /v1/songs')).data.map(({ title }) => title);
  const advance = (duration: string) => call(sandbox, 'POST /__admin__/clock/advance', { duration });

  test('connections begin with its greeting, and messages go to each of them in turn', async () => {
    const { id } = await call(sandbox, 'POST /v1/ears', { set: 'kitchen', talks: false });
    const sets = [await tuneIn(sandbox, 'kitchen'), await tuneIn(sandbox, 'kitchen')];
    for (const [index, set] of sets.entries())
      expect(await set.message(1)).toEqual({ kind: 'hello', set: 'kitchen', sets: index + 1 });
    for (const round of [2, 3])
      for (const set of sets) {
        await play(sandbox);
        set.say(await set.message(round), { kind: 'heard' });
        await flush(sandbox);
      }
    expect(sets.map(({ heard }) => heard.length)).toEqual([3, 3]);
    // A third one takes the place of the first; the ear is shut when the last one has gone.
    const ended = once(sets[0].socket, 'close');
    const third = await tuneIn(sandbox, 'kitchen');
    expect([(await ended)[0], await third.message(1)]).toEqual([1000, expect.objectContaining({ sets: 2 })]);
    third.socket.terminate();
    await play(sandbox);
    sets[1].say(await sets[1].message(4), { kind: 'heard' });
    expect(await status(sandbox, id)).toBe('open');
    sets[1].socket.terminate();
    await until(async () => (await status(sandbox, id)) === 'shut');
  });

  test('what is not acknowledged comes again, and what is said of it decides', async () => {
    await call(sandbox, 'POST /v1/ears', { set: 'attic' });
    const set = await tuneIn(sandbox, 'attic');
    await play(sandbox);
    const first = await set.message(2);
    await flush(sandbox);
    expect(await deliveries(sandbox)).toMatchObject([{ status: 'pending' }]);
    await advance('10s');
    const second = await set.message(3);
    expect([first, second]).toMatchObject([
      { attempt: 1, why: null },
      { id: first.id, attempt: 2, why: 'no response within 500 ms' },
    ]);
    set.say(second, { kind: 'over', body: { again: true } });
    await flush(sandbox);
    expect(await deliveries(sandbox)).toMatchObject([{ status: 'delivered', attempts: [{}, { status: null }] }]);
    expect(await titles()).toContain('attic said {"again":true}');
  });

  test('who was not there gets it when it comes back in time', async () => {
    const { id } = await call(sandbox, 'POST /v1/ears', { set: 'cellar' });
    await call(sandbox, 'POST /__admin__/world/events', { cause: 'set.on', params: { listener: 'cellar' } });
    await play(sandbox);
    await flush(sandbox);
    const set = await tuneIn(sandbox, 'cellar');
    await advance('10s');
    const said = await set.message(2);
    expect(said).toMatchObject({ ear: id, attempt: 2, why: 'no listener is connected' });
    set.say(said, { kind: 'over' });
    await flush(sandbox);
    expect(await deliveries(sandbox)).toMatchObject([{ status: 'delivered' }]);
  });

  test('an event ends the connections of its listener with a last message', async () => {
    const { id } = await call(sandbox, 'POST /v1/ears', { set: 'kitchen', talks: false });
    const sets = [await tuneIn(sandbox, 'kitchen'), await tuneIn(sandbox, 'kitchen')];
    const ends = sets.map(({ socket }) => once(socket, 'close'));
    const song = (await play(sandbox, 'Last waltz')) as { id: string };
    const said = await Promise.race(sets.map((set) => set.message(2)));
    for (const set of sets) set.say(said, { kind: 'heard' });
    await flush(sandbox);
    await call(sandbox, `POST /v1/songs/${song.id}/end`);
    for (const [index, end] of ends.entries()) {
      expect((await end)[0]).toBe(1000);
      expect(sets[index].heard.at(-1)).toEqual({ kind: 'bye', why: 'Last waltz' });
    }
    await flush(sandbox);
    expect((await deliveries(sandbox))[0]).toMatchObject({
      status: 'delivered',
      attempts: [{ status: null, error: null }],
    });
    await until(async () => (await status(sandbox, id)) === 'shut');
  });
});

test.each(['port', 'key'] as const)(
  'a request that offers HTTP/2 is answered as if it did not (worlds by %s)',
  async (worlds) => {
    const { url } = await serve({ worlds });
    const body = JSON.stringify({ title: 'from Java' });
    const headers = {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
      connection: 'keep-alive, Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const warnings: string[] = [];
    const warn = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', warn);
    const titles: unknown[] = [];
    // Over one connection, so often that what is left behind would be told of.
    const sockets = new Set<unknown>();
    for (let round = 0; round < 12; round++) {
      const half = round % 2 === 0 ? body.length : 5;
      const asked = request(`${url}/v1/songs`, { method: 'POST', headers, agent });
      asked.write(body.slice(0, half));
      setTimeout(() => asked.end(body.slice(half)), half === body.length ? 0 : 30);
      const [response] = (await once(asked, 'response')) as [AsyncIterable<Buffer> & { readonly statusCode: number }];
      let text = '';
      for await (const chunk of response) text += chunk.toString();
      sockets.add(asked.socket);
      titles.push(response.statusCode, (JSON.parse(text) as { title: string }).title);
    }
    agent.destroy();
    process.off('warning', warn);
    expect(titles).toEqual(Array.from({ length: 12 }, () => [200, 'from Java']).flat());
    expect([warnings, sockets.size]).toEqual([[], 1]);
  },
);
