import { DeliveryWorld, load } from '../../support/delivery-world.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const MINUTE = 60_000;
const pack = load();
let world: DeliveryWorld;
let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  world = new DeliveryWorld(pack);
});

afterEach(async () => {
  await world.outbox.close();
  await receiver.stop();
});

test('an event is posted once to every endpoint that wants it', async () => {
  const all = world.hook({ url: `${receiver.url}/all` });
  world.hook({ url: `${receiver.url}/arrivals`, events: ['vessel.arrived'] });
  world.hook({ url: `${receiver.url}/glob`, events: ['vessel.*'] });
  world.hook({ url: `${receiver.url}/off`, status: 'off' });
  const [event] = world.vessels('Aurora');
  await world.outbox.flush();
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/all', '/glob']);
  expect(JSON.parse(receiver.received[0].body)).toMatchObject({
    id: event,
    type: 'vessel.created',
    about: { name: 'Aurora' },
  });
  const [delivery] = world.outbox.list({ endpoint: all });
  expect(delivery).toMatchObject({
    event,
    type: 'vessel.created',
    endpoint: all,
    transport: 'http',
    url: `${receiver.url}/all`,
    status: 'delivered',
    next_attempt_at: null,
    attempts: [
      {
        status: 200,
        error: null,
        world_time: 1_700_000_000,
        response: { body: 'ok' },
        request: { body: receiver.received[0].body },
      },
    ],
  });
  expect(world.outbox.deliveriesOf(event)).toHaveLength(2);
  expect(world.outbox.list({ event, limit: 1 })).toHaveLength(1);
  expect(world.defects).toEqual([]);
});

test('first attempts of an endpoint arrive in order, one after another, on one connection', async () => {
  world.hook({ url: receiver.url });
  const names = Array.from({ length: 200 }, (_, i) => `Ship ${i}`);
  let open = 0;
  let most = 0;
  receiver.reply = (response) => {
    most = Math.max(most, ++open);
    setImmediate(() => {
      open--;
      response.end();
    });
  };
  world.vessels(...names);
  expect(receiver.received).toEqual([]);
  await world.outbox.flush();
  expect(receiver.names).toEqual(names);
  expect(most).toBe(1);
  expect(receiver.connections).toBe(1);
  expect(world.outbox.list({ limit: 1 })[0].attempts[0].request.body).toContain('Ship 199');
});

test('a slow endpoint does not hold up another', async () => {
  const answers: (() => void)[] = [];
  receiver.reply = (response, { path }) => {
    if (path === '/slow') answers.push(() => response.end());
    else response.end();
  };
  world.hook({ url: `${receiver.url}/slow` });
  const fast = world.hook({ url: `${receiver.url}/fast` });
  world.vessels('a', 'b', 'c');
  while (receiver.received.length < 4) await new Promise((resolve) => setImmediate(resolve));
  while (world.outbox.list({ endpoint: fast })[0].status === 'pending')
    await new Promise((resolve) => setImmediate(resolve));
  expect(receiver.received.filter(({ path }) => path === '/slow')).toHaveLength(1);
  receiver.reply = (response) => response.end();
  answers[0]();
  await world.outbox.flush();
  expect(receiver.received).toHaveLength(6);
});

test('a failed delivery is repeated when the clock gets there, and does not hold up later ones', async () => {
  world.hook({ url: receiver.url });
  receiver.answer(500, 200, 200);
  world.vessels('first', 'second');
  await world.outbox.flush();
  expect(receiver.names).toEqual(['first', 'second']);
  const [second, first] = world.outbox.list();
  expect(second.status).toBe('delivered');
  expect(first).toMatchObject({
    status: 'pending',
    next_attempt_at: 1_700_000_060,
    attempts: [{ status: 500, response: { body: 'answer 500' } }],
  });
  world.advance(MINUTE - 1);
  await world.outbox.flush();
  expect(receiver.received).toHaveLength(2);
  world.advance(1);
  await world.outbox.flush();
  expect(receiver.names).toEqual(['first', 'second', 'first']);
  expect(world.outbox.list()[1]).toMatchObject({
    status: 'delivered',
    next_attempt_at: null,
    attempts: [{ status: 500 }, { status: 200, world_time: 1_700_000_060 }],
  });
  expect(receiver.received[2].body).toBe(receiver.received[0].body);
});

test('one long move of the clock makes every attempt that falls into it, at its own world time', async () => {
  const hook = world.hook({ url: receiver.url });
  receiver.answer(503);
  world.vessels('Aurora');
  await world.outbox.flush();
  world.advance(60 * MINUTE);
  await world.outbox.flush();
  const [delivery] = world.outbox.list({ endpoint: hook });
  expect(delivery.attempts.map((each) => each.world_time)).toEqual([1_700_000_000, 1_700_000_060, 1_700_000_360]);
  expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
  world.advance(600 * MINUTE);
  await world.outbox.flush();
  expect(receiver.received).toHaveLength(3);
});

test('events of timers are delivered too', async () => {
  world.hook({ url: receiver.url });
  world.engine.seed({ vessels: [{ id: 'ves_0000000000', name: 'Old', status: 'crossing' }] });
  world.advance(20 * MINUTE);
  await world.outbox.flush();
  expect(world.outbox.list().map(({ type }) => type)).toEqual(['vessel.arrived']);
});

test.each<[string, (receiver: WebhookReceiver) => void, RegExp]>([
  ['no answer in time', (each) => (each.reply = () => undefined), /no response within 300 ms/],
  [
    'a body that never ends',
    (each) => (each.reply = (response) => void response.write('...')),
    /no response within 300 ms/,
  ],
  ['a connection that breaks', (each) => (each.reply = (response) => response.destroy()), /hang up|ECONNRESET|closed/],
  [
    'an answer that breaks off',
    (each) => (each.reply = (response) => response.write('...', () => response.destroy())),
    /broke off/,
  ],
])('%s is a failed attempt', async (_, prepare, expected) => {
  world.hook({ url: receiver.url });
  prepare(receiver);
  world.vessels('Aurora');
  await world.outbox.flush();
  const [{ status, attempts }] = world.outbox.list();
  expect(status).toBe('pending');
  expect(attempts[0].error).toMatch(expected);
  receiver.answer(200);
  world.advance(MINUTE);
  await world.outbox.flush();
  expect(world.outbox.list()[0].status).toBe('delivered');
});

test.each([
  ['ftp://example.test/x', /not an http/],
  ['file:///etc/hosts', /not an http/],
  ['nowhere', /not an http/],
  ['', /no address/],
  ['http://127.0.0.1:1/', /ECONNREFUSED/],
])('the address %j fails as data', async (url, expected) => {
  world.hook({ url });
  world.vessels('Aurora');
  await world.outbox.flush();
  expect(world.outbox.list()[0]).toMatchObject({ status: 'pending', attempts: [{ status: null, response: null }] });
  expect(world.outbox.list()[0].attempts[0].error).toMatch(expected);
  expect(world.defects).toEqual([]);
});

test('redirects are not followed and count as failures', async () => {
  world.hook({ url: receiver.url });
  receiver.reply = (response) => response.writeHead(307, { Location: `${receiver.url}/elsewhere` }).end();
  world.vessels('Aurora');
  await world.outbox.flush();
  expect(receiver.received).toHaveLength(1);
  expect(world.outbox.list()[0].attempts[0]).toMatchObject({
    status: 307,
    response: { headers: { Location: `${receiver.url}/elsewhere` } },
  });
});

test('of a long answer the first 4 KiB are kept', async () => {
  world.hook({ url: receiver.url });
  receiver.reply = (response) => response.end('é'.repeat(1_000_000));
  world.vessels('Aurora', 'Borealis');
  await world.outbox.flush();
  expect(world.outbox.list().map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  expect(world.outbox.list()[0].attempts[0].response?.body).toBe('é'.repeat(2048));
});

test('a replay sends the same again and is told with the delivery', async () => {
  world.hook({ url: receiver.url });
  world.vessels('Aurora');
  await world.outbox.flush();
  const [{ id }] = world.outbox.list();
  const replayed = await world.outbox.replay(id);
  expect(replayed).toMatchObject({ id, status: 'delivered', attempts: [{ status: 200 }, { status: 200 }] });
  expect(receiver.received[1].body).toBe(receiver.received[0].body);
  expect(await world.outbox.replay('dlv_unknown')).toBeUndefined();
});

test('a replay that works ends the retries, one that fails leaves them', async () => {
  world.hook({ url: receiver.url });
  receiver.answer(500);
  world.vessels('Aurora');
  await world.outbox.flush();
  const [{ id }] = world.outbox.list();
  expect(await world.outbox.replay(id)).toMatchObject({ status: 'pending', next_attempt_at: 1_700_000_060 });
  receiver.answer(204);
  expect(await world.outbox.replay(id)).toMatchObject({ status: 'delivered', next_attempt_at: null });
  world.advance(60 * MINUTE);
  await world.outbox.flush();
  expect(receiver.received).toHaveLength(3);
});

test('a given-up delivery runs the steps of the pack, and what queued behind it is not sent', async () => {
  world.hook({ url: receiver.url, strict: true });
  receiver.answer(410);
  world.vessels('a', 'b', 'c');
  await world.outbox.flush();
  expect(receiver.names).toEqual(['a']);
  expect(world.outbox.list().map(({ status, attempts }) => [status, attempts.length])).toEqual([
    ['failed', 0],
    ['failed', 0],
    ['failed', 1],
  ]);
  expect(world.rows('hooks')[0].value['status']).toBe('off');
  world.vessels('d');
  world.advance(60 * MINUTE);
  await world.outbox.flush();
  expect(receiver.names).toEqual(['a']);
  expect(world.defects).toEqual([]);
});

test('the steps also run after the last attempt failed', async () => {
  world.hook({ url: receiver.url, strict: true });
  receiver.answer(500);
  world.vessels('a');
  await world.outbox.flush();
  world.advance(MINUTE);
  await world.outbox.flush();
  expect(world.rows('hooks')[0].value['status']).toBe('on');
  world.advance(5 * MINUTE);
  await world.outbox.flush();
  expect(world.rows('hooks')[0].value['status']).toBe('off');
});

test('an endpoint that is gone or inactive gets no retries', async () => {
  const hook = world.hook({ url: receiver.url });
  receiver.answer(500);
  world.vessels('Aurora');
  await world.outbox.flush();
  world.engine.command('stop', 'control', (command) => {
    const row = world.rows('hooks').find(({ id }) => id === hook);
    if (row) command.remove(row);
  });
  world.advance(60 * MINUTE);
  await world.outbox.flush();
  expect(receiver.received).toHaveLength(1);
  expect(world.outbox.list()[0]).toMatchObject({ status: 'failed', next_attempt_at: null });
});

test('a transport without a network records its message', async () => {
  const hook = world.hook({ kind: 'queue', url: 'queue-1' });
  const [event] = world.vessels('Aurora');
  await world.outbox.flush();
  const [delivery] = world.outbox.list({ endpoint: hook });
  expect(delivery).toMatchObject({ event, transport: 'queue', url: null, status: 'recorded', next_attempt_at: null });
  expect(delivery.message).toMatchObject({ queue: 'queue-1', body: { id: event, about: { name: 'Aurora' } } });
  expect(JSON.parse(delivery.attempts[0].request.body)).toEqual(delivery.message);
});

test('another transport can take the place of the pack’s', async () => {
  const published: unknown[] = [];
  const own = new DeliveryWorld(pack, {
    transports: new Map([
      [
        'queue',
        {
          send: (message) => {
            published.push(message.event.value['type']);
            const request = { headers: {}, body: 'x' };
            return Promise.resolve({
              outcome: 'delivered',
              isGone: false,
              url: null,
              status: null,
              error: null,
              request,
              response: null,
              message: null,
            });
          },
        },
      ],
    ]),
  });
  own.hook({ kind: 'queue', url: 'queue-1' });
  own.vessels('Aurora');
  await own.outbox.flush();
  expect(published).toEqual(['vessel.created']);
  expect(own.outbox.list()[0].status).toBe('delivered');
  await own.outbox.close();
});

test('a transport that breaks is a defect and a failed attempt', async () => {
  const broken = new DeliveryWorld(pack, {
    transports: new Map([['queue', { send: () => Promise.reject(new Error('no bus')) }]]),
  });
  broken.hook({ kind: 'queue', url: 'queue-1' });
  broken.vessels('Aurora');
  await broken.outbox.flush();
  expect(broken.outbox.list()[0]).toMatchObject({ status: 'pending', attempts: [{ error: 'the transport failed' }] });
  expect(broken.defects).toEqual(['transport queue: Error: no bus']);
  await broken.outbox.close();
});

test('an addressed event reaches its endpoint, subscribed and active or not', async () => {
  const hook = world.hook({ url: receiver.url, events: [], status: 'off' });
  const row = world.rows('hooks').find(({ id }) => id === hook);
  if (row) world.outbox.send({ id: 'not_test', type: 'vessel.arrived', about: { name: 'Nobody' }, created: 5 }, row);
  await world.outbox.flush();
  expect(receiver.names).toEqual(['Nobody']);
  expect(world.outbox.deliveriesOf('not_test')).toMatchObject([
    { type: 'vessel.arrived', endpoint: hook, status: 'delivered' },
  ]);
});

test('a reset forgets everything and breaks off what is under way', async () => {
  world.hook({ url: receiver.url });
  receiver.reply = () => undefined;
  const [event] = world.vessels('a', 'b');
  while (receiver.received.length < 1) await new Promise((resolve) => setImmediate(resolve));
  const ids = world.outbox.list().map(({ id }) => id);
  world.engine.reset(undefined);
  world.outbox.reset();
  await world.outbox.flush();
  expect(world.outbox.list()).toEqual([]);
  expect(world.outbox.deliveriesOf(event)).toEqual([]);
  receiver.answer(200);
  world.hook({ url: receiver.url });
  expect(world.vessels('a', 'b')[0]).toBe(event);
  await world.outbox.flush();
  expect(world.outbox.list().map(({ id }) => id)).toEqual(ids);
  expect(receiver.names).toEqual(['a', 'a', 'b']);
});

test('the newest deliveries are kept, and those beyond are delivered all the same', async () => {
  const small = new DeliveryWorld(pack, { limit: 3 });
  small.hook({ url: receiver.url });
  const events = small.vessels('a', 'b', 'c', 'd', 'e');
  await small.outbox.flush();
  expect(receiver.names).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(small.outbox.list().map(({ event }) => event)).toEqual(events.slice(2).reverse());
  expect(small.outbox.deliveriesOf(events[0])).toEqual([]);
  await small.outbox.close();
});

test('a pack can tell what was sent to an endpoint, newest first', async () => {
  const taken = world.hook({ url: `${receiver.url}/taken` });
  const refused = world.hook({ url: `${receiver.url}/refused` });
  const recorded = world.hook({ url: receiver.url, kind: 'queue' });
  receiver.reply = (response, { path }) => void response.writeHead(path === '/taken' ? 200 : 503).end();
  const [first, second] = world.vessels('Aurora', 'Boreas');
  await world.outbox.flush();
  const at = { type: 'vessel.created', made_at: 1_700_000_000 };
  const over = { ...at, attempts: 1, done_at: 1_700_000_000 };
  expect(world.log(taken)).toMatchObject([
    { ...over, event: second, status: 'delivered' },
    { ...over, event: first, status: 'delivered' },
  ]);
  expect(world.log(recorded)).toMatchObject([{ status: 'recorded' }, { status: 'recorded' }]);
  expect(world.log(refused)).toMatchObject([
    { ...at, event: second, status: 'pending', attempts: 1, done_at: null },
    { event: first, status: 'pending' },
  ]);
  world.advance(7 * 24 * 60 * MINUTE);
  await world.outbox.flush();
  expect(world.log(refused)).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
  expect(world.defects).toEqual([]);
});

test('a silent outbox sends nothing, keeps what it was given and does not send it again', async () => {
  const url = `${receiver.url}/hook`;
  const value = { id: 'hook_0000000000', secret: 'whsec_plain', url };
  const quiet = new DeliveryWorld(pack, {
    silent: true,
    journal: [
      {
        kind: 'delivery',
        id: 'dlv_before',
        event: { id: 'evt_before', type: 'vessel.created' },
        type: 'vessel.created',
        endpoint: { id: value.id, value },
        transport: 'http',
        addressed: false,
        made: 1_700_000_000_000,
      },
    ],
  });
  quiet.hook({ url });
  quiet.vessels('Aurora');
  expect(await quiet.outbox.replay('dlv_before')).toBeUndefined();
  await quiet.outbox.flush();
  expect(receiver.received).toEqual([]);
  expect(quiet.outbox.list()).toMatchObject([{ id: 'dlv_before', status: 'pending', attempts: [] }]);
  await quiet.outbox.close();
});
