import { problemsOf } from '../../support/pack-world.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** Lighthouses report to ships that have proven that they listen: by a question in the address, or one in the body. */

const PACK = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
events: { resource: report, with: { type: "\${type}", about: "\${object.id}" } }
delivery:
  endpoint:
    resource: ship
    active: endpoint.status == 'listening'
    events: "['lamp.*']"
    register: { url: "\${url}" }
    transport: "event.type != 'ship.asked' ? 'tell' : endpoint.by == 'get' ? 'hail' : 'ask'"
  transports:
    tell: { url: endpoint.url, body: "\${rest(event)}" }
    ask:
      method: PUT
      url: endpoint.url
      body: { word: "\${endpoint.word}" }
      retries: []
      on_response: &heard
        - { if: response.body == endpoint.word, then: [{ send: prove, to: endpoint }], else: [{ send: doubt, to: endpoint }] }
      on_failure: [{ send: doubt, to: endpoint }]
    hail:
      method: GET
      url: "endpoint.url + '?' + form({'word': endpoint.word, 'of': event.type})"
      retries: []
      on_response: *heard
      on_failure: [{ send: doubt, to: endpoint }]
`,
  'resources/report.yaml': `resource: report
collection: reports
path: /reports
id: { prefix: rep_, format: short }
fields: { type: string, about: string }
operations: { list: {} }
`,
  'resources/ship.yaml': `resource: ship
collection: ships
path: /ships
id: { prefix: ship_, format: short }
fields:
  url: string
  by: { enum: [get, put], default: put }
  word: { type: string, default: "\${random_string(12)}", hidden: true }
  status: { enum: [asked, listening, deaf], machine: true }
machine: { initial: asked, states: { asked: { on: { prove: listening, doubt: deaf } }, listening: {}, deaf: {} } }
operations:
  create:
    params: { url: { type: string, required: true }, by: { enum: [get, put] } }
    do: [{ create: ship, from: params }, { emit: ship.asked, only_to: ship }]
  retrieve: {}
events: { ship.asked: { emit: true } }
`,
  'resources/lamp.yaml': `resource: lamp
collection: lamps
path: /lamps
id: { prefix: lamp_, format: short }
fields: { colour: { type: string, default: white } }
operations: { create: { params: {} } }
events: { lamp.lit: { on: created } }
`,
};

const sandbox = startSandbox(PACK, { each: 'test', seed: 's' });
const { receiver, body: ask } = sandbox;
const flush = () => sandbox.control.call('POST', '/webhooks/flush');
async function statusOf(by: string): Promise<unknown> {
  const { id, status } = await ask('POST /ships', { url: `${receiver.url}/deck`, by });
  expect(status).toBe('asked');
  await flush();
  return (await ask(`GET /ships/${String(id)}`))['status'];
}
/** Returns the word that a ship is asked for. */
const repeat = (): void => {
  receiver.reply = (response, { path, body }) =>
    response.end(
      path.includes('?')
        ? new URLSearchParams(path.split('?')[1]).get('word')
        : (JSON.parse(body) as { word?: string }).word,
    );
};

test.each(['get', 'put'])('who repeats the word gets events from then on: %s', async (by) => {
  repeat();
  await ask('POST /lamps');
  expect(await statusOf(by)).toBe('listening');
  const [asked] = receiver.received;
  expect([asked.path.split('?')[0], asked.headers['content-type'], asked.headers['content-length']]).toEqual(
    by === 'get' ? ['/deck', undefined, undefined] : ['/deck', 'application/json', '23'],
  );
  expect(receiver.received).toHaveLength(1);
  await ask('POST /lamps');
  await flush();
  expect(receiver.received.map(({ body }) => body).at(-1)).toContain('"type":"lamp.lit"');
});

test.each(['get', 'put'])('who says something else, or nothing, gets none: %s', async (by) => {
  receiver.reply = (response) => response.end('what?');
  expect(await statusOf(by)).toBe('deaf');
  receiver.answer(500);
  expect(await statusOf(by)).toBe('deaf');
  const { length } = receiver.received;
  await ask('POST /lamps');
  await flush();
  expect(receiver.received).toHaveLength(length);
});

test('an address of its own for each event is shown with the delivery, and the endpoint shows that of the others', async () => {
  repeat();
  await statusOf('get');
  const { data } = (await sandbox.control.call('GET', '/webhooks/deliveries')) as {
    data: { url: string; transport: string }[];
  };
  expect(data).toMatchObject([{ transport: 'hail', url: expect.stringMatching(/\/deck\?word=.*&of=ship.asked$/) }]);
  const endpoints = (await sandbox.control.call('GET', '/webhooks/endpoints')) as { data: { url: string }[] };
  expect(endpoints.data).toMatchObject([{ url: `${receiver.url}/deck` }]);
});

test.each([
  [
    "transport: \"event.type != 'ship.asked' ?",
    "transport: \"event.tpe != 'ship.asked' ?",
    "report has no field 'tpe'",
  ],
  ["'of': event.type", "'of': evnt.type", "unknown name 'evnt'"],
  ['method: PUT', 'method: POKE', "'method'"],
])('%s -> %s is a mistake', (from, to, message) => {
  const problems = problemsOf({ ...PACK, 'pack.yaml': PACK['pack.yaml'].replace(from, to) });
  expect(problems.join('\n')).toContain(message);
});
