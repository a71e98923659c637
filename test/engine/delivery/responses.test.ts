import { type Bug, replayBug } from '../../../engine/index.js';
import { problemsOf } from '../../support/pack-world.js';
import { packFolder } from '../../support/sample-pack.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** What a receiver returned decides: a freight exchange asks carriers for their prices. */

const PACK = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
events: { resource: event, with: { type: "\${type}", freight: "\${snapshot.id}" } }
delivery:
  endpoint:
    resource: carrier
    active: "true"
    events: "['*']"
    register: { url: "\${url}" }
  transports:
    ask:
      url: endpoint.url
      body: "\${rest(event)}"
      headers: { X-Attempt: "\${attempt}", X-Why: "\${failure == null ? null : string(default(failure.status, failure.error))}" }
      retries: [10s]
      gives_up: "response.headers['x-no-retry'] == '1'"
      on_response:
        - let: { said: from_json(response.body) }
        - set: get(freight, event.freight)
          to: { price: "\${said.price}", carrier: "\${endpoint.id}", note: "\${response.headers['x-note']}" }
      on_failure:
        - { set: "get(freight, event.freight)", to: { note: "\${response.status == null ? 'silent' : 'said ' + string(response.status)}" } }
`,
  'resources/carrier.yaml': `resource: carrier
collection: carriers
path: /carriers
id: { prefix: car_, format: short }
fields: { url: string }
operations: { create: {} }
`,
  'resources/event.yaml': `resource: event
collection: events
path: /events
id: { prefix: evt_, format: short }
fields: { type: string, freight: string }
operations: { list: {} }
`,
  'resources/freight.yaml': `resource: freight
collection: freights
path: /freights
id: { prefix: fre_, format: short }
fields: { tons: integer, price: integer?, carrier: string?, note: string? }
operations: { create: { params: { tons: integer } }, retrieve: {} }
events: { freight.asked: { on: created } }
`,
};

const folder = packFolder(PACK);
const sandbox = startSandbox(folder, { each: 'test', seed: 's', t0: '2026-01-01T00:00:00Z' });
const { receiver, body: ask } = sandbox;
beforeEach(() => ask('POST /carriers', { url: receiver.url }));

async function offered(): Promise<string> {
  return String((await ask('POST /freights', { tons: 3 }))['id']);
}
const flush = () => sandbox.control.call('POST', '/webhooks/flush');
const priced = (): void => {
  receiver.reply = (response) => response.writeHead(200, { 'X-Note': 'by rail' }).end(JSON.stringify({ price: 900 }));
};

test('steps see status, headers and body of a response once the world learns of it', async () => {
  priced();
  const id = await offered();
  await flush();
  expect(await ask(`GET /freights/${id}`)).toMatchObject({ price: 900, note: 'by rail' });
  const { ledger } = sandbox.engine.world;
  expect(ledger.since(0).filter(({ origin }) => origin === 'outside')).toMatchObject([
    { command: 'delivery ended', args: { status: 200, error: null } },
  ]);
});

test('steps come once, however often the world learns of deliveries', async () => {
  priced();
  await offered();
  await flush();
  const { count } = sandbox.engine.world.ledger;
  await flush();
  expect(sandbox.engine.world.ledger.count).toBe(count);
});

test('the last failure has steps of its own, after the waits of its transport', async () => {
  receiver.answer(500);
  const id = await offered();
  await flush();
  expect(await ask(`GET /freights/${id}`)).toMatchObject({ note: null });
  await sandbox.control.call('POST', '/clock/advance', { duration: '10s' });
  await flush();
  expect(await ask(`GET /freights/${id}`)).toMatchObject({ price: null, note: 'said 500' });
});

test('headers say which attempt it is, and what came of the one before', async () => {
  receiver.answer(503, 200);
  await offered();
  await flush();
  await sandbox.control.call('POST', '/clock/advance', { duration: '10s' });
  await flush();
  expect(receiver.received.map(({ headers }) => [headers['x-attempt'], headers['x-why']])).toEqual([
    ['1', undefined],
    ['2', '503'],
  ]);
});

test('a receiver may end the attempts', async () => {
  receiver.reply = (response) => response.writeHead(500, { 'X-No-Retry': '1' }).end();
  const id = await offered();
  await flush();
  expect(await ask(`GET /freights/${id}`)).toMatchObject({ note: 'said 500' });
  await sandbox.control.call('POST', '/clock/advance', { duration: '1d' });
  await flush();
  expect(receiver.received).toHaveLength(1);
});

test('a delivery that is sent again by hand, and taken, counts at the next flush', async () => {
  receiver.answer(500);
  const id = await offered();
  await flush();
  await sandbox.control.call('POST', '/clock/advance', { duration: '10s' });
  await flush();
  priced();
  const { data } = (await sandbox.control.call('GET', '/webhooks/deliveries')) as { data: { id: string }[] };
  await sandbox.control.call('POST', `/webhooks/deliveries/${data[0].id}/replay`);
  await flush();
  expect(await ask(`GET /freights/${id}`)).toMatchObject({ price: 900 });
});

test('a replay takes what was returned from the journal, and asks nobody', async () => {
  priced();
  await offered();
  await flush();
  receiver.answer(500);
  await offered();
  await flush();
  await sandbox.control.call('POST', '/clock/advance', { duration: '10s' });
  await flush();
  const asked = receiver.received.length;
  const bug = (await sandbox.control.export()) as unknown as Bug;
  const { sandbox: again, unlike } = await replayBug(bug, { pack: folder });
  expect([unlike, receiver.received.length]).toEqual([null, asked]);
  expect(again.engine.world.ledger.since(0)).toEqual(sandbox.engine.world.ledger.since(0));
  await again.close();
});

test.each([
  ['on_response: [{ set: "get(freight, event.freight)", to: { prise: 1 } }]', "unknown field 'prise'"],
  ['on_response: [{ let: { a: response.bdy } }]', "no field 'bdy'"],
  ['on_failure: [{ let: { a: respnse.body } }]', "unknown name 'respnse'"],
  ['gives_up: response.stats == 500', "no field 'stats'"],
  ['gives_up: response.status', 'this must be true or false, it is a number'],
  ['headers: { X-A: "${atempt}" }', "unknown name 'atempt'"],
])('a mistake in a transport is reported at its line: %s', (line, message) => {
  const pack = PACK['pack.yaml'].replace(/ {6}headers:[^]*$/, `      ${line}\n`);
  const problems = problemsOf({ ...PACK, 'pack.yaml': pack });
  expect(problems.join('\n')).toContain(message);
  expect(problems.join('\n')).toMatch(/pack\.yaml:\d\d/);
});

test('what is recorded has no response', () => {
  const pack = PACK['pack.yaml'].replace(
    / {6}url: endpoint[^]*$/,
    '      record: "${event.id}"\n      on_response: [{ let: { a: 1 } }]\n',
  );
  expect(problemsOf({ ...PACK, 'pack.yaml': pack }).join('\n')).toContain(
    'a recorded event has no receiver that could respond',
  );
});
