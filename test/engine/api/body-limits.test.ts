import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { startSandbox } from '../../support/start-sandbox.js';

/** Largest bodies: each operation has its own, and a body beyond it is 413 in the vendor's form, whatever else is wrong with the call. */

const PACK = {
  'pack.yaml': `encoding: { requests: [json, form], max_body: 2kB }
auth: { key: { prefix: key_ }, others: { web: { prefix: web_, parameter: key } } }
`,
  'resources/note.yaml': `resource: note
collection: notes
path: /notes
id: { prefix: nt_ }
fields: { text: string? }
operations:
  create: { params: { text: string }, keys: [web] }
  long: { kind: create, route: POST /notes/long, max_body: 3MB, params: { text: string } }
  short: { kind: create, route: POST /notes/short, max_body: 100B, open: true, params: { text: string } }
`,
};
const own = startSandbox(PACK, {
  errors: `  body_too_large: { status: 413, args: { limit: integer }, body: { code: too_big, most: "\${limit}" } }
`,
});
const plain = startSandbox(PACK);

const body = (bytes: number, more: object = {}): string => {
  const empty = JSON.stringify({ ...more, text: '' });
  return JSON.stringify({ ...more, text: 'x'.repeat(bytes - empty.length) });
};

test.each([
  ['of the pack', 'POST /notes', 2000, {}],
  ['of the operation', 'POST /notes/long', 3_000_000, {}],
  ['of an operation that needs no key', 'POST /notes/short', 100, { authorization: undefined }],
])('the limit %s holds to the byte', async (_, line, most, headers) => {
  const json = { 'content-type': 'application/json', ...headers };
  expect((await own.result(line, body(most), json))[0]).toBe(200);
  expect(await own.result(line, body(most + 1), json)).toEqual([413, { code: 'too_big', most }]);
});

test('a body that is compressed counts as what it is decompressed', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  expect((await own.result('POST /notes', gzipSync(body(2000)), headers))[0]).toBe(200);
  expect((await own.result('POST /notes', gzipSync(body(2001)), headers))[0]).toBe(413);
});

test('a body that is too large to look for its key in is 413, not 401', async () => {
  const headers = { 'content-type': 'application/json', authorization: undefined };
  const key = own.key.replace('key_', 'web_');
  expect((await own.result('POST /notes', body(2000, { key }), headers))[0]).toBe(200);
  expect((await own.result('POST /notes', body(2001, { key }), headers))[0]).toBe(413);
  expect((await own.result('POST /notes', body(2000), headers))[0]).toBe(401);
  expect((await own.result('POST /notes/long', body(4_000_000), headers))[0]).toBe(401);
});

test('a pack without the error responds with its error for faults: 413, never a body that is malformed', async () => {
  const headers = { 'content-type': 'application/json' };
  expect((await plain.result('POST /notes', body(2001), headers))[0]).toBe(413);
});

test.each([
  ['JSON', 'application/json', 2001],
  ['a form', 'application/x-www-form-urlencoded', 2001],
  ['parts', 'multipart/form-data; boundary=x', 70_000],
])('a body that says itself that it is too large is 413 before it is sent: %s', async (_, type, length) => {
  const { hostname, port } = new URL(own.url);
  const socket = connect(Number(port), hostname);
  const head = ['POST /notes HTTP/1.1', 'host: x', `authorization: Bearer ${own.key}`, `content-type: ${type}`];
  socket.write([...head, `content-length: ${length}`, '', ''].join('\r\n'));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /);
});
