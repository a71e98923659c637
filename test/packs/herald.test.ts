import { loadPack } from '../../engine/index.js';
import { startSandbox } from '../support/start-sandbox.js';
import { type Body, form } from '../support/http.js';
import { packIn } from '../support/sample-pack.js';

/** Events of several kinds, and endpoints of several resources: `test/packs/herald`. */

const pack = packIn('test/packs/herald');

const sandbox = startSandbox(pack.folder, { each: 'test', t0: 1_736_942_400 });
const { receiver } = sandbox;

async function call(path: string, body?: Body, type = 'application/x-www-form-urlencoded'): Promise<Body> {
  const sent = body === undefined || type.includes('json') ? body : form(body as Record<string, string>);
  const line = `${body === undefined ? 'GET' : 'POST'} ${path}`;
  return sandbox.body(line, sent, body && { 'content-type': type });
}

/** What came at a path of the receiver, in order. */
async function came(path: string): Promise<Body[]> {
  await sandbox.control.flush();
  return receiver.received.filter((each) => each.path === path).map(({ body }) => JSON.parse(body) as Body);
}

/** Registers an endpoint over the control API; gives its id. */
async function listen(path: string, ...events: string[]): Promise<string> {
  const made = await sandbox.control.endpoint({ url: `${receiver.url}${path}`, events });
  return String(made.id);
}

test('an event is told in two kinds, each to the endpoints that get it', async () => {
  await listen('/whole', '*');
  await listen('/brief', 'brief.boat.made', 'brief.boat.changed');
  const boat = await call('/boats', { name: 'Gull', berth: 'b1' });
  const whole = await came('/whole');
  expect(whole.map(({ type, readers }) => [type, readers])).toEqual([['boat.made', 1]]);
  const [brief] = await came('/brief');
  const look = `/berths/b1/boats/${String(boat.id)}`;
  expect(brief).toEqual({ notice: 'brief.boat.made', look, id: expect.stringMatching(/^no_/) });
  const notice = await call(`/notices/${String(brief.id)}`);
  expect([notice.event, notice.detail, notice.changed]).toEqual([whole[0].id, null, []]);
  expect(await call(look)).toMatchObject({ id: boat.id, name: 'Gull' });
});

test('what nobody wants, and what is excepted, is told in one kind only', async () => {
  await listen('/brief', 'brief.boat.made');
  const { id } = await call('/boats', { name: 'Gull' });
  await call(`/boats/${String(id)}/paint`, {});
  const { items } = (await call('/notices')) as { items: Body[] };
  expect(items.map(({ type, about }) => [type, about])).toEqual([['brief.boat.made', null]]);
  expect(((await call('/events')) as { items: Body[] }).items.map(({ type }) => type).sort()).toEqual([
    'boat.made',
    'boat.painted',
  ]);
});

test('a declared event of another kind is always stored, and told in that kind alone', async () => {
  await listen('/whole', '*');
  await listen('/horn', 'horn.*');
  const { id } = await call('/boats', { name: 'Gull' });
  const { sounded } = await call(`/boats/${String(id)}/sound`, {});
  expect(await came('/horn')).toEqual([{ notice: 'horn.sounded', look: null, id: sounded }]);
  expect(await call(`/notices/${String(sounded)}`)).toMatchObject({ detail: { loud: 'Gull' }, event: null });
  expect((await came('/whole')).map(({ type }) => type)).toEqual(['boat.made']);
});

test('a stored event for one endpoint goes to it alone, whatever it subscribed to, and is there afterwards', async () => {
  await listen('/other', 'horn.sounded');
  const listener = await listen('/mine', 'brief.boat.made');
  const { id } = await call('/boats', { name: 'Gull' });
  const horn = await call(`/boats/${String(id)}/whisper`, { listener });
  expect(await came('/other')).toEqual([]);
  expect((await came('/mine')).map(({ notice }) => notice)).toEqual(['brief.boat.made', 'horn.sounded']);
  expect(await call(`/notices/${String(horn.id)}`)).toEqual(horn);
});

test('the control API knows endpoints of every resource', async () => {
  const webhook = await listen('/whole', 'boat.made');
  const listener = await listen('/brief', 'brief.*');
  const { data } = (await sandbox.admin<{ data: Body[] }>('GET /webhooks/endpoints')).body;
  expect(data.map(({ id, url }) => [id, url])).toEqual([
    [webhook, `${receiver.url}/whole`],
    [listener, `${receiver.url}/brief`],
  ]);
  await expect(listen('/x', 'boat.made', 'brief.boat.made')).rejects.toThrow('must be of one kind');
  await expect(listen('/x', 'brief.boat.painted')).rejects.toThrow('unknown_event');
  await sandbox.control.deliveryFault({ kind: 'drop', event: 'brief.boat.made', endpoint: listener });
  await call('/boats', { name: 'Gull' });
  expect([(await came('/whole')).length, (await came('/brief')).length]).toEqual([1, 0]);
});

test('an endpoint that is off, of whichever resource, gets no retry', async () => {
  receiver.answer(500);
  const listener = await listen('/brief', 'brief.boat.made');
  await call('/boats', { name: 'Gull' });
  await came('/brief');
  await call(`/listeners/${listener}/stop`, {}, 'application/json');
  await sandbox.control.advance('5m');
  expect((await came('/brief')).length).toBe(1);
  receiver.answer(200);
});

test('bodies of a resource are what it says, of others what the pack says', async () => {
  const fields = { url: `${receiver.url}/json`, events: ['horn.sounded'], brief: true };
  expect(await call('/listeners', fields, 'application/json')).toMatchObject({ brief: true, status: 'open' });
  expect(await call('/listeners', { url: 'x' })).toEqual({ code: 'wrong_type' });
  expect(await call('/boats', { name: 'Gull' }, 'application/json')).toEqual({ code: 'wrong_type' });
});

/** What is wrong with the pack after a change to one of its files. */
function mistakes(file: string, from: string, to: string): readonly (readonly [string, string])[] {
  const changed = pack.patched(file, [from, to]);
  const { problems } = loadPack(pack.write(changed));
  return problems.map(({ code, line }) => [code, changed[file].split('\n')[line - 1].trim()] as const);
}

test.each([
  ['pack.yaml', 'resource: [webhook, listener]', 'resource: [webhook, listner]', 'unknown-resource'],
  ['pack.yaml', 'active: endpoint.status', 'active: endpoint.statu', 'expression'],
  ['pack.yaml', 'brief: { events: notice', 'brief: { events: notices', 'unknown-event-kind'],
  [
    'pack.yaml',
    "with: { url, events, brief: true }",
    "with: { url, events, short: true }",
    'unknown-field',
  ],
  ['pack.yaml', "type: =type\n        about", 'type: brief\n        about', 'no-event-type'],
  ['resources/boat.yaml', 'kind: notice', 'kind: notce', 'unknown-event-kind'],
  ['resources/boat.yaml', ', stored: true', '', 'not-stored'],
  ['resources/boat.yaml', ', only_to: "get(listener, params.listener)"', '', 'missing-key'],
])('%s: %s -> %s is a mistake', (file, from, to, code) => {
  expect(mistakes(file, from, to).map(([found]) => found)).toContain(code);
});
