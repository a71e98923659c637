import { type Bug, replayBug } from '../../../engine/index.js';
import { type Body, call as callWorld } from '../../support/http.js';
import { problemsOf } from '../../support/pack-world.js';
import { packFolder } from '../../support/sample-pack.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** Cards of a library's catalogue: they are changed as their readers know them, or not. */

const ERRORS = `  precondition_failed: { status: 412, args: { id: string }, body: { stale: =id } }
  precondition_required: { status: 428, args: { title: string }, body: { say: "which \${title}" } }
  range_not_satisfiable: { status: 416, args: { size: integer }, body: { size } }
`;
const CARD = `resource: card
collection: cards
title: card
path: /cards
id: { prefix: "", format: short }
tag: { value: self.revision, modified: changed_at, required: [update, tear] }
fields:
  title: string
  revision: { type: integer, default: 1 }
  changed_at: { type: timestamp, default: =now, touch: true }
operations:
  create: { params: { title } }
  retrieve: {}
  update: { params: { title }, do: [{ set: self, from: params }, { set: self, to: { revision: =self.revision + 1 } }] }
  delete: { status: 204 }
  tear: { kind: action }
  list: {}
`;
const LABEL = `resource: label
collection: labels
path: /labels
id: { prefix: "", format: short }
tag: { weak: true }
fields: { text: string }
operations:
  create: { params: { text } }
  update: { params: { text } }
  retrieve: {}
  print: { route: "GET /labels/{id}/print", content: { type: text/plain, text: "\${self.text}", ranges: true } }
  picture: { route: "GET /labels/{id}/picture", content: { type: image/gif, base64: "\${base64(self.text)}", ranges: true } }
`;
const PACK = {
  'pack.yaml': 'ids: { short: { parts: [{ random: 8 }] } }\n',
  'resources/card.yaml': CARD,
  'resources/label.yaml': LABEL,
};

const pack = packFolder(PACK, ERRORS);

const sandbox = startSandbox(pack, { each: 'test', key: 'k', t0: '2026-01-01T00:00:00.250Z' });
async function call(line: string, headers: Record<string, string> = {}, body?: Body) {
  const { status, headers: sent, body: read, text } = await sandbox.call(line, body, headers);
  return { status, body: read as Record<string, string>, text, header: (name: string) => sent.get(name) };
}
const make = async (line: string, body: Body) => (await call(line, {}, body)).body['id'];

test('responses that are one object carry its tag and its date; a reader who knows it gets 304', async () => {
  const id = await make('POST /cards', { title: 'Moby' });
  const read = await call(`GET /cards/${id}`);
  expect([read.header('etag'), read.header('last-modified')]).toEqual(['"1"', 'Thu, 01 Jan 2026 00:00:00 GMT']);
  expect((await call('GET /cards')).header('etag')).toBeNull();
  const known = await call(`GET /cards/${id}`, { 'if-none-match': '"0", W/"1"' });
  expect([known.status, known.text]).toEqual([304, '']);
  const since = (date: string) => call(`GET /cards/${id}`, { 'if-modified-since': date });
  expect((await since('Thu, 01 Jan 2026 00:00:00 GMT')).status).toBe(304);
  expect((await since('Wed, 31 Dec 2025 23:59:59 GMT')).status).toBe(200);
  expect((await since('yesterday')).status).toBe(200);
  // A tag counts before a date.
  const both = { 'if-none-match': '"2"', 'if-modified-since': 'Thu, 01 Jan 2027 00:00:00 GMT' };
  expect((await call(`GET /cards/${id}`, both)).status).toBe(200);
});

test('a change needs the tag that is known, and one that comes too late changes nothing', async () => {
  const id = await make('POST /cards', { title: 'Moby' });
  const change = (title: string, headers: Record<string, string>) => call(`PATCH /cards/${id}`, headers, { title });
  expect(await change('Dick', {})).toMatchObject({ status: 428, body: { say: 'which card' } });
  const changed = await change('Dick', { 'if-match': '"0", "1"' });
  expect([changed.status, changed.header('etag')]).toEqual([200, '"2"']);
  expect(await change('Ahab', { 'if-match': '"1"' })).toMatchObject({ status: 412, body: { stale: id } });
  expect((await call(`GET /cards/${id}`)).body).toMatchObject({ title: 'Dick', revision: 2 });
  expect((await change('Ahab', { 'if-match': '*' })).status).toBe(200);
  // What is wrong with the call itself comes first; what does not need a condition may have one.
  expect((await call(`PATCH /cards/none`, { 'if-match': '"1"' }, {})).status).toBe(404);
  expect((await call(`DELETE /cards/${id}`, { 'if-match': '"1"' })).status).toBe(412);
  expect((await call(`DELETE /cards/${id}`)).status).toBe(204);
});

test('a change may be bound to a date', async () => {
  const id = await make('POST /cards', { title: 'Moby' });
  const change = (date: string) => call(`PATCH /cards/${id}`, { 'if-unmodified-since': date }, { title: 'Dick' });
  await sandbox.control.advance('1h');
  expect((await change('Thu, 01 Jan 2026 00:00:00 GMT')).status).toBe(200);
  expect((await change('Thu, 01 Jan 2026 00:59:59 GMT')).status).toBe(412);
  expect((await change('Thu, 01 Jan 2026 01:00:00 GMT')).status).toBe(200);
});

test('without a value the tag is a digest of what is stored; a replay asks under the same conditions', async () => {
  const id = await make('POST /labels', { text: 'Thé à la menthe' });
  const tag = (await call(`GET /labels/${id}`)).header('etag') ?? '';
  expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
  expect((await call(`PATCH /labels/${id}`, { 'if-match': tag }, { text: 'Café' })).header('etag')).not.toBe(tag);
  expect((await call(`PATCH /labels/${id}`, { 'if-match': tag }, { text: 'Lait' })).status).toBe(412);
  const bug = (await sandbox.control.export()) as unknown as Bug;
  const again = await replayBug(bug, { pack, onDefect: (error) => expect(error).toBeUndefined() });
  expect(again.unlike).toBeNull();
  expect((await callWorld(again.sandbox, `GET /labels/${id}`)).body).toMatchObject({ text: 'Café' });
  await again.sandbox.close();
});

test.each(['print', 'picture'])('a body comes in parts: %s', async (name) => {
  const id = await make('POST /labels', { text: 'Thé à la menthe' });
  const read = (range: string, more = {}) => call(`GET /labels/${id}/${name}`, { range, ...more });
  const whole = await call(`GET /labels/${id}/${name}`);
  expect([whole.status, whole.header('accept-ranges'), whole.header('content-length')]).toEqual([200, 'bytes', '17']);
  const part = await read('bytes=0-3');
  expect([part.status, part.text, part.header('content-range'), part.header('content-length')]).toEqual([
    206,
    'Thé',
    'bytes 0-3/17',
    '4',
  ]);
  expect([(await read('bytes=-6')).text, (await read('bytes=11-99')).header('content-range')]).toEqual([
    'menthe',
    'bytes 11-16/17',
  ]);
  const beyond = await read('bytes=17-');
  expect([beyond.status, beyond.header('content-range'), beyond.body]).toEqual([416, 'bytes */17', { size: 17 }]);
  // What is no range of bytes, and several at once, get all of it; so does who has a part of something else.
  for (const range of ['lines=1-2', 'bytes=x', 'bytes=0-1,5-6']) expect((await read(range)).status).toBe(200);
  expect((await read('bytes=0-3', { 'if-range': 'W/"other"' })).status).toBe(200);
});

const LINE = CARD.slice(0, CARD.indexOf('tag:')).split('\n').length;

test.each([
  ['tag: { value: self.revison }', `card.yaml:${LINE} `, 'revison'],
  ['tag: { modified: changed }', `card.yaml:${LINE} `, "unknown field 'changed'"],
  ['tag: { modified: title }', `card.yaml:${LINE} `, "'title' is not a timestamp"],
  ['tag: { required: [updat] }', `card.yaml:${LINE} `, "unknown operation 'updat'"],
])('%s is reported at its place', (tag, place, message) => {
  const card = CARD.replace(/^tag:.*$/m, tag);
  const problems = problemsOf({ ...PACK, 'resources/card.yaml': card });
  expect(problems.filter((each) => each.includes(place)).join('\n')).toContain(message);
});

test('errors that the pack lacks have defaults', () => {
  expect(problemsOf(PACK).filter((each) => each.startsWith('unknown-error'))).toEqual([]);
});
