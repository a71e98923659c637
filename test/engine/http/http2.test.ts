import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { get } from 'node:https';
import { TestSandbox } from '../../support/start-sandbox.js';
import { certificateOf } from '../../../tools/command/tls.js';

/** Over TLS a client chooses HTTP/2 or HTTP/1.1, and gets the same. */

const THINGS = {
  'resources/thing.yaml': `resource: thing
collection: things
path: /things
id: { prefix: th_ }
fields: { name: string? }
operations:
  create: { params: { name: string } }
  retrieve: {}
  counted: { kind: action, route: POST /counted, stream: { events: "[{'n': 1}, {'n': 2}]", done: "[DONE]" } }
`,
};
let sandbox: TestSandbox;
let session: ClientHttp2Session;
let ca: string | undefined;

beforeAll(async () => {
  const tls = await certificateOf({ host: '127.0.0.1', tls: true });
  sandbox = await new TestSandbox(THINGS, { tls }).open();
  ca = tls?.cert;
  session = connect(sandbox.url, { ca });
  session.on('error', () => undefined);
});
afterAll(async () => {
  session.destroy();
  await sandbox.close();
});

interface Heard {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function ask(line: string, body?: string): Promise<Heard> {
  const [method, path] = line.split(' ');
  const stream = session.request({
    ':method': method,
    ':path': path,
    authorization: `Bearer ${sandbox.key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  });
  stream.end(body);
  return new Promise((resolve, reject) => {
    let headers: IncomingHttpHeaders = {};
    let text = '';
    stream.setEncoding('utf8');
    stream.on('response', (got) => (headers = got));
    stream.on('data', (part: string) => (text += part));
    stream.on('end', () => resolve({ headers, text }));
    stream.on('error', reject);
  });
}

test('calls go over one session, many at once', async () => {
  const made = await Promise.all([1, 2, 3].map((n) => ask('POST /things', JSON.stringify({ name: `n${n}` }))));
  expect(made.map(({ headers }) => headers[':status'])).toEqual([200, 200, 200]);
  expect(made.map(({ text }) => (JSON.parse(text) as { name: string }).name)).toEqual(['n1', 'n2', 'n3']);
  const missing = await ask('GET /things/th_none');
  expect(missing.headers).toMatchObject({ ':status': 404, 'content-type': 'application/json' });
  expect(missing.headers).not.toHaveProperty('connection');
});

test('events arrive as they do over HTTP/1.1', async () => {
  expect((await ask('POST /counted', '{}')).text).toContain('data: [DONE]');
});

test('a connection that a fault resets is a stream that breaks', async () => {
  await sandbox.control.fault({ resource: 'things', operation: 'retrieve', kind: 'reset', count: 1 });
  await expect(ask('GET /things/th_1')).rejects.toThrow();
  expect((await ask('GET /things/th_1')).headers[':status']).toBe(404);
});

test('HTTP/1.1 is still there', async () => {
  const headers = { authorization: `Bearer ${sandbox.key}` };
  const status = await new Promise((resolve, reject) =>
    get(`${sandbox.url}/things/th_none`, { ca, headers }, (res) => resolve(res.resume().statusCode)).on(
      'error',
      reject,
    ),
  );
  expect(status).toBe(404);
});

test('a stream that asks for a tunnel is rejected', async () => {
  const stream = session.request({ ':method': 'CONNECT', ':authority': 'a:443' });
  const status = await new Promise((resolve, reject) => {
    stream.on('response', (headers) => resolve(headers[':status'])).on('error', reject);
  });
  expect(status).toBe(405);
  expect((await ask('GET /things/th_none')).headers[':status']).toBe(404);
});
