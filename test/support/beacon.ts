import { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { CONTROL_ROUTES } from '../../engine/control/routes/index.js';
import { ORIGIN } from '../../engine/expression/origin.js';
import { call, type Served } from './http.js';
import { press } from './page-forms.js';
import { useReceiver } from './start-sandbox.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** A sample pack that puts its own address into everything that leaves a world, so that tests can search for leaked placeholders. */
export const BEACON = 'test/samples/beacon';
const receiver = new WebhookReceiver();

/** All bytes that sockets of this process have sent, by socket: from servers, deliveries and the tests' own calls. */
const sent = new Map<Socket, Buffer[]>();
interface Internals {
  _write: (this: Socket, chunk: unknown, encoding: BufferEncoding, done: () => void) => void;
  _writev: (this: Socket, chunks: readonly { chunk: unknown; encoding: BufferEncoding }[], done: () => void) => void;
}

const own = Socket.prototype as unknown as Internals;
const { _write: write, _writev: writev } = own;

function note(socket: Socket, chunk: unknown, encoding: BufferEncoding): void {
  const all = sent.get(socket) ?? [];
  sent.set(socket, all);
  all.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk as Uint8Array));
}

/** Records what all sockets of the process send while the tests of a file run. */
export function watchSockets(): void {
  useReceiver(receiver);
  beforeAll(() => {
    own._write = function (chunk, encoding, done) {
      note(this, chunk, encoding);
      write.call(this, chunk, encoding, done);
    };
    own._writev = function (chunks, done) {
      for (const { chunk, encoding } of chunks) note(this, chunk, encoding);
      writev.call(this, chunks, done);
    };
  });
  afterAll(() => Object.assign(own, { _write: write, _writev: writev }));
  beforeEach(() => sent.clear());
}

/** The placeholder of the sandbox's address in all encodings in which it could leak: plain, upper case, hexadecimal, base64. */
const FORMS = (() => {
  const host = ORIGIN.slice('http://'.length);
  const base64 = ['', 'x', 'xx'].map((before) =>
    Buffer.from(`${before}${host}`)
      .toString('base64')
      .slice(before === '' ? 0 : 4, -4),
  );
  return [host, host.toUpperCase(), Buffer.from(host).toString('hex'), ...base64];
})();

/**
 * Finds the placeholder in the sent bytes, and returns the text around each occurrence. @param except port of a database, which stores the
 * placeholder
 */
export function leaks(except?: number): string[] {
  expect(sent.size).toBeGreaterThan(3);
  return [...sent].flatMap(([socket, chunks]) => {
    if (except !== undefined && socket.remotePort === except) return [];
    const text = Buffer.concat(chunks).toString('latin1');
    return FORMS.flatMap((each) => {
      const at = text.indexOf(each);
      return at < 0 ? [] : [text.slice(Math.max(0, at - 200), at + 100)];
    });
  });
}

/**
 * Uses every feature by which data leaves a world: responses, deliveries, streams, pages, control calls. @returns the responses of the vendor API as
 * text
 */
export async function walk(
  world: Served & { readonly url: string; readonly key: string },
  home = world.url,
): Promise<string[]> {
  const got: string[] = [];
  const ask = async <T = { id: string }>(line: string, body?: unknown, headers = {}): Promise<T> => {
    const called = await call<T>(world, line, body, headers);
    const shown = [...called.headers].filter(([name]) => name !== 'date');
    got.push(`${called.status} ${line} ${JSON.stringify(shown)} ${called.text}`);
    return called.body;
  };
  const admin = (line: string, body?: unknown) => call<{ id: string }>(world, line.replace(' ', ' /__admin__'), body);

  for (const kind of ['http', 'form', 'queue', 'air']) await ask('POST /hooks', { url: receiver.url, kind });
  const { data: hooks } = await ask<{ data: { id: string; kind: string }[] }>('GET /hooks');
  const set = hooks.find(({ kind }) => kind === 'air')?.id;
  const dial = (name = '') => new WebSocket(`${world.url.replace('http', 'ws')}/air/${name}`, ['air']);
  const radio = dial(set);
  radio.on('message', (data) => {
    const { id } = JSON.parse((data as Buffer).toString()) as { id?: string };
    if (id !== undefined) radio.send(JSON.stringify({ id, status: 200, headers: {}, body: '' }));
  });
  // Replicas accept no connections of listeners.
  radio.on('error', () => undefined);
  await new Promise((resolve) => radio.on('open', resolve).on('error', resolve));

  const page = await ask('POST /pages', { link: `${home}/mine` });
  await ask(`POST /pages/${page.id}`, { link: `${home}/other` });
  await ask(`PATCH /pages/${page.id}`, { link: `${home}/other` });
  for (const path of [
    ...['/pages', '/pages?limit=1', '/pages/first', '/pages/none', '/lead', '/text', '/bytes', '/xml', '/later'],
    ...['/fail', '/broken', '/stream', '/wait', '/nowhere', '/pages?limit=x'],
  ])
    await ask(`GET ${path}`, undefined, { referer: `${home}/there` });
  await ask('GET /text', undefined, { range: 'bytes=3-12' });
  await ask('GET /text', undefined, { range: 'bytes=0-30,5-40' });
  await ask('GET /bytes', undefined, { range: 'bytes=0-30' });
  await ask('POST /check', { link: home });
  await ask('POST /check', { [home]: 1, ref: home });
  await ask('GET /pages', undefined, { 'x-mock-scenario': 'at_home' });
  await ask('POST /graphql', { query: '{ page(id: "first") { id link code home } fails { id } }' });
  const rpc = (method: string, params = {}) =>
    ask('POST /mcp', { jsonrpc: '2.0', id: 1, method, params }, { accept: 'application/json, text/event-stream' });
  const { result } = (await rpc('tools/list')) as unknown as { result: { tools: { name: string }[] } };
  expect(result.tools.length).toBeGreaterThan(10);
  for (const { name } of result.tools.filter((tool) => /retrieve|fail|text|bytes|list/.test(tool.name)))
    await rpc('tools/call', { name, arguments: { id: 'first' } });

  const refused = new WebSocket(`${world.url.replace('http', 'ws')}/air/${'x'.repeat(8)}~`, ['air']);
  refused.on('error', () => undefined);
  await new Promise((resolve) => refused.on('close', resolve));
  await admin('POST /faults', {
    resource: 'pages',
    operation: 'text',
    status: 503,
    count: 1,
    body: `at ${home}`,
    headers: { 'X-At': home },
  });
  await ask('GET /text');
  await admin('POST /faults', {
    resource: 'pages',
    operation: 'stream',
    count: 1,
    status: 500,
    kind: 'response',
    after_events: 1,
    error_event: { message: home },
  });
  await ask('GET /stream');

  const follow = fetch(`${world.url}/pages/first/follow`, { headers: { authorization: `Bearer ${world.key}` } });
  const html = await (await fetch(`${world.url}/view/first`)).text();
  expect(html).toContain(`At ${home}`);
  await (await fetch(`${world.url}/view/first/sheet.pdf`)).arrayBuffer();
  await press(`${world.url}/view/first`, 'Bad');
  const pressed = await press(`${world.url}/view/first`, `Off ${home}`);
  expect(pressed.headers.get('location')).toBe(`${home}/gone?to=${encodeURIComponent(home)}`);
  await (await follow).text();
  await ask('POST /pages/first/off');

  const { body: pins } = await admin('PUT /pins', { resource: 'pages', id: 'first', path: 'link', value: home });
  expect(pins).toBeDefined();
  await admin('POST /pins', { collection: 'pages', path: 'link', value: 'bad' });
  await admin('POST /webhooks/flush');
  await admin('POST /world/events', { cause: 'page.bad', page: page.id });
  await admin('POST /seed', { resource: 'pages', objects: [{ id: 'seeded', link: `${home}/seed`, code: home }] });
  await admin('POST /seed', { resource: 'pages', objects: [{ id: 'seeded2', link: `${home}/seed` }] });
  await admin('POST /clock/advance', { duration: '2d' });
  const { body: state } = await admin('GET /state');
  await admin('POST /reset', { seed_data: state });
  const { data: traces } = (await admin('GET /traces')).body as unknown as { data: { id: string }[] };
  const { data: sentOnes } = (await admin('GET /webhooks/deliveries')).body as unknown as { data: { id: string }[] };
  const ids: Record<string, readonly string[]> = {
    traces: traces.map(({ id }) => id),
    deliveries: sentOnes.map(({ id }) => id),
    objects: ['first', page.id],
    ledger: ['1', '2', '5'],
  };
  for (const { method, path } of CONTROL_ROUTES.map(({ method, path }) => ({ method, path })))
    if (method === 'GET' && path !== '/stream' && path !== '/export')
      for (const id of ids[path.split('/').find((part) => ids[part] !== undefined) ?? ''] ?? [page.id])
        await admin(`GET ${path.replaceAll(/\{\w+\}|:\w+/g, id)}`);
  radio.terminate();
  await ask(`DELETE /pages/${page.id}`);
  await admin('POST /webhooks/flush');
  return got;
}
