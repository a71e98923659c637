import { Ferry, load, Receiver } from './ferry.js';

const MINUTE = 60_000;
const pack = load();
let ferry: Ferry;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await Receiver.start();
  ferry = new Ferry(pack);
});

afterEach(async () => {
  await ferry.outbox.close();
  await receiver.stop();
});

test('an event is posted once to every endpoint that wants it', async () => {
  const all = ferry.hook({ url: `${receiver.url}/all` });
  ferry.hook({ url: `${receiver.url}/arrivals`, events: ['vessel.arrived'] });
  ferry.hook({ url: `${receiver.url}/glob`, events: ['vessel.*'] });
  ferry.hook({ url: `${receiver.url}/off`, status: 'off' });
  const [event] = ferry.vessels('Aurora');
  await ferry.outbox.flush();
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/all', '/glob']);
  expect(JSON.parse(receiver.received[0].body)).toMatchObject({
    id: event,
    type: 'vessel.created',
    about: { name: 'Aurora' },
  });
  const [delivery] = ferry.outbox.list({ endpoint: all });
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
  expect(ferry.outbox.deliveriesOf(event)).toHaveLength(2);
  expect(ferry.outbox.list({ event, limit: 1 })).toHaveLength(1);
  expect(ferry.defects).toEqual([]);
});

test('first attempts of an endpoint arrive in order, one after another, on one connection', async () => {
  ferry.hook({ url: receiver.url });
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
  ferry.vessels(...names);
  expect(receiver.received).toEqual([]);
  await ferry.outbox.flush();
  expect(receiver.names).toEqual(names);
  expect(most).toBe(1);
  expect(receiver.connections).toBe(1);
  expect(ferry.outbox.list({ limit: 1 })[0].attempts[0].request.body).toContain('Ship 199');
});

test('a slow endpoint does not hold up another', async () => {
  const answers: (() => void)[] = [];
  receiver.reply = (response, { path }) => {
    if (path === '/slow') answers.push(() => response.end());
    else response.end();
  };
  ferry.hook({ url: `${receiver.url}/slow` });
  const fast = ferry.hook({ url: `${receiver.url}/fast` });
  ferry.vessels('a', 'b', 'c');
  while (receiver.received.length < 4) await new Promise((resolve) => setImmediate(resolve));
  while (ferry.outbox.list({ endpoint: fast })[0].status === 'pending')
    await new Promise((resolve) => setImmediate(resolve));
  expect(receiver.received.filter(({ path }) => path === '/slow')).toHaveLength(1);
  receiver.reply = (response) => response.end();
  answers[0]();
  await ferry.outbox.flush();
  expect(receiver.received).toHaveLength(6);
});

test('a failed delivery is repeated when the clock gets there, and does not hold up later ones', async () => {
  ferry.hook({ url: receiver.url });
  receiver.answer(500, 200, 200);
  ferry.vessels('first', 'second');
  await ferry.outbox.flush();
  expect(receiver.names).toEqual(['first', 'second']);
  const [second, first] = ferry.outbox.list();
  expect(second.status).toBe('delivered');
  expect(first).toMatchObject({
    status: 'pending',
    next_attempt_at: 1_700_000_060,
    attempts: [{ status: 500, response: { body: 'answer 500' } }],
  });
  ferry.advance(MINUTE - 1);
  await ferry.outbox.flush();
  expect(receiver.received).toHaveLength(2);
  ferry.advance(1);
  await ferry.outbox.flush();
  expect(receiver.names).toEqual(['first', 'second', 'first']);
  expect(ferry.outbox.list()[1]).toMatchObject({
    status: 'delivered',
    next_attempt_at: null,
    attempts: [{ status: 500 }, { status: 200, world_time: 1_700_000_060 }],
  });
  expect(receiver.received[2].body).toBe(receiver.received[0].body);
});

test('one long move of the clock makes every attempt that falls into it, at its own world time', async () => {
  const hook = ferry.hook({ url: receiver.url });
  receiver.answer(503);
  ferry.vessels('Aurora');
  await ferry.outbox.flush();
  ferry.advance(60 * MINUTE);
  await ferry.outbox.flush();
  const [delivery] = ferry.outbox.list({ endpoint: hook });
  expect(delivery.attempts.map((each) => each.world_time)).toEqual([1_700_000_000, 1_700_000_060, 1_700_000_360]);
  expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
  ferry.advance(600 * MINUTE);
  await ferry.outbox.flush();
  expect(receiver.received).toHaveLength(3);
});

test('events of timers are delivered too', async () => {
  ferry.hook({ url: receiver.url });
  ferry.engine.seed({ vessels: [{ id: 'ves_0000000000', name: 'Old', status: 'crossing' }] });
  ferry.advance(20 * MINUTE);
  await ferry.outbox.flush();
  expect(ferry.outbox.list().map(({ type }) => type)).toEqual(['vessel.arrived']);
});

test.each<[string, (receiver: Receiver) => void, RegExp]>([
  ['no answer in time', (each) => (each.reply = () => undefined), /no answer within 300 ms/],
  [
    'a body that never ends',
    (each) => (each.reply = (response) => void response.write('...')),
    /no answer within 300 ms/,
  ],
  ['a connection that breaks', (each) => (each.reply = (response) => response.destroy()), /hang up|ECONNRESET|closed/],
  [
    'an answer that breaks off',
    (each) => (each.reply = (response) => response.write('...', () => response.destroy())),
    /broke off/,
  ],
])('%s is a failed attempt', async (_, prepare, expected) => {
  ferry.hook({ url: receiver.url });
  prepare(receiver);
  ferry.vessels('Aurora');
  await ferry.outbox.flush();
  const [{ status, attempts }] = ferry.outbox.list();
  expect(status).toBe('pending');
  expect(attempts[0].error).toMatch(expected);
  receiver.answer(200);
  ferry.advance(MINUTE);
  await ferry.outbox.flush();
  expect(ferry.outbox.list()[0].status).toBe('delivered');
});

test.each([
  ['ftp://example.test/x', /not an http/],
  ['file:///etc/hosts', /not an http/],
  ['nowhere', /not an http/],
  ['', /no address/],
  ['http://127.0.0.1:1/', /ECONNREFUSED/],
])('the address %j fails as data', async (url, expected) => {
  ferry.hook({ url });
  ferry.vessels('Aurora');
  await ferry.outbox.flush();
  expect(ferry.outbox.list()[0]).toMatchObject({ status: 'pending', attempts: [{ status: null, response: null }] });
  expect(ferry.outbox.list()[0].attempts[0].error).toMatch(expected);
  expect(ferry.defects).toEqual([]);
});

test('redirects are not followed and count as failures', async () => {
  ferry.hook({ url: receiver.url });
  receiver.reply = (response) => response.writeHead(307, { Location: `${receiver.url}/elsewhere` }).end();
  ferry.vessels('Aurora');
  await ferry.outbox.flush();
  expect(receiver.received).toHaveLength(1);
  expect(ferry.outbox.list()[0].attempts[0]).toMatchObject({
    status: 307,
    response: { headers: { Location: `${receiver.url}/elsewhere` } },
  });
});

test('of a long answer the first 4 KiB are kept', async () => {
  ferry.hook({ url: receiver.url });
  receiver.reply = (response) => response.end('é'.repeat(1_000_000));
  ferry.vessels('Aurora', 'Borealis');
  await ferry.outbox.flush();
  expect(ferry.outbox.list().map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  expect(ferry.outbox.list()[0].attempts[0].response?.body).toBe('é'.repeat(2048));
});

test('a replay sends the same again and is told with the delivery', async () => {
  ferry.hook({ url: receiver.url });
  ferry.vessels('Aurora');
  await ferry.outbox.flush();
  const [{ id }] = ferry.outbox.list();
  const replayed = await ferry.outbox.replay(id);
  expect(replayed).toMatchObject({ id, status: 'delivered', attempts: [{ status: 200 }, { status: 200 }] });
  expect(receiver.received[1].body).toBe(receiver.received[0].body);
  expect(await ferry.outbox.replay('dlv_unknown')).toBeUndefined();
});

test('a replay that works ends the retries, one that fails leaves them', async () => {
  ferry.hook({ url: receiver.url });
  receiver.answer(500);
  ferry.vessels('Aurora');
  await ferry.outbox.flush();
  const [{ id }] = ferry.outbox.list();
  expect(await ferry.outbox.replay(id)).toMatchObject({ status: 'pending', next_attempt_at: 1_700_000_060 });
  receiver.answer(204);
  expect(await ferry.outbox.replay(id)).toMatchObject({ status: 'delivered', next_attempt_at: null });
  ferry.advance(60 * MINUTE);
  await ferry.outbox.flush();
  expect(receiver.received).toHaveLength(3);
});

test('a given-up delivery runs the steps of the pack, and what queued behind it is not sent', async () => {
  ferry.hook({ url: receiver.url, strict: true });
  receiver.answer(410);
  ferry.vessels('a', 'b', 'c');
  await ferry.outbox.flush();
  expect(receiver.names).toEqual(['a']);
  expect(ferry.outbox.list().map(({ status, attempts }) => [status, attempts.length])).toEqual([
    ['failed', 0],
    ['failed', 0],
    ['failed', 1],
  ]);
  expect(ferry.row('hooks')[0].value['status']).toBe('off');
  ferry.vessels('d');
  ferry.advance(60 * MINUTE);
  await ferry.outbox.flush();
  expect(receiver.names).toEqual(['a']);
  expect(ferry.defects).toEqual([]);
});

test('the steps also run after the last attempt failed', async () => {
  ferry.hook({ url: receiver.url, strict: true });
  receiver.answer(500);
  ferry.vessels('a');
  await ferry.outbox.flush();
  ferry.advance(MINUTE);
  await ferry.outbox.flush();
  expect(ferry.row('hooks')[0].value['status']).toBe('on');
  ferry.advance(5 * MINUTE);
  await ferry.outbox.flush();
  expect(ferry.row('hooks')[0].value['status']).toBe('off');
});

test('an endpoint that is gone or inactive gets no retries', async () => {
  const hook = ferry.hook({ url: receiver.url });
  receiver.answer(500);
  ferry.vessels('Aurora');
  await ferry.outbox.flush();
  ferry.engine.command('stop', 'control', (command) => {
    const row = ferry.row('hooks').find(({ id }) => id === hook);
    if (row) command.remove(row);
  });
  ferry.advance(60 * MINUTE);
  await ferry.outbox.flush();
  expect(receiver.received).toHaveLength(1);
  expect(ferry.outbox.list()[0]).toMatchObject({ status: 'failed', next_attempt_at: null });
});

test('a transport without a network records its message', async () => {
  const hook = ferry.hook({ kind: 'queue', url: 'queue-1' });
  const [event] = ferry.vessels('Aurora');
  await ferry.outbox.flush();
  const [delivery] = ferry.outbox.list({ endpoint: hook });
  expect(delivery).toMatchObject({ event, transport: 'queue', url: null, status: 'recorded', next_attempt_at: null });
  expect(delivery.message).toMatchObject({ queue: 'queue-1', body: { id: event, about: { name: 'Aurora' } } });
  expect(JSON.parse(delivery.attempts[0].request.body)).toEqual(delivery.message);
});

test('another transport can take the place of the pack’s', async () => {
  const published: unknown[] = [];
  const own = new Ferry(pack, {
    transports: new Map([
      [
        'queue',
        {
          send: (message) => {
            published.push(message.event.value['type']);
            const request = { headers: {}, body: 'x' };
            return Promise.resolve({
              outcome: 'delivered',
              gone: false,
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
  const broken = new Ferry(pack, {
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
  const hook = ferry.hook({ url: receiver.url, events: [], status: 'off' });
  const row = ferry.row('hooks').find(({ id }) => id === hook);
  if (row) ferry.outbox.send({ id: 'not_test', type: 'vessel.arrived', about: { name: 'Nobody' }, created: 5 }, row);
  await ferry.outbox.flush();
  expect(receiver.names).toEqual(['Nobody']);
  expect(ferry.outbox.deliveriesOf('not_test')).toMatchObject([
    { type: 'vessel.arrived', endpoint: hook, status: 'delivered' },
  ]);
});

test('a reset forgets everything and breaks off what is under way', async () => {
  ferry.hook({ url: receiver.url });
  receiver.reply = () => undefined;
  const [event] = ferry.vessels('a', 'b');
  while (receiver.received.length < 1) await new Promise((resolve) => setImmediate(resolve));
  const ids = ferry.outbox.list().map(({ id }) => id);
  ferry.engine.reset(undefined);
  ferry.outbox.reset();
  await ferry.outbox.flush();
  expect(ferry.outbox.list()).toEqual([]);
  expect(ferry.outbox.deliveriesOf(event)).toEqual([]);
  receiver.answer(200);
  ferry.hook({ url: receiver.url });
  expect(ferry.vessels('a', 'b')[0]).toBe(event);
  await ferry.outbox.flush();
  expect(ferry.outbox.list().map(({ id }) => id)).toEqual(ids);
  expect(receiver.names).toEqual(['a', 'a', 'b']);
});

test('the newest deliveries are kept, and those beyond are delivered all the same', async () => {
  const small = new Ferry(pack, { limit: 3 });
  small.hook({ url: receiver.url });
  const events = small.vessels('a', 'b', 'c', 'd', 'e');
  await small.outbox.flush();
  expect(receiver.names).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(small.outbox.list().map(({ event }) => event)).toEqual(events.slice(2).reverse());
  expect(small.outbox.deliveriesOf(events[0])).toEqual([]);
  await small.outbox.close();
});

test('a pack can tell what was sent to an endpoint, newest first', async () => {
  const taken = ferry.hook({ url: `${receiver.url}/taken` });
  const refused = ferry.hook({ url: `${receiver.url}/refused` });
  const recorded = ferry.hook({ url: receiver.url, kind: 'queue' });
  receiver.reply = (response, { path }) => void response.writeHead(path === '/taken' ? 200 : 503).end();
  const [first, second] = ferry.vessels('Aurora', 'Boreas');
  await ferry.outbox.flush();
  const at = { type: 'vessel.created', made_at: 1_700_000_000 };
  const over = { ...at, attempts: 1, done_at: 1_700_000_000 };
  expect(ferry.log(taken)).toMatchObject([
    { ...over, event: second, status: 'delivered' },
    { ...over, event: first, status: 'delivered' },
  ]);
  expect(ferry.log(recorded)).toMatchObject([{ status: 'recorded' }, { status: 'recorded' }]);
  expect(ferry.log(refused)).toMatchObject([
    { ...at, event: second, status: 'pending', attempts: 1, done_at: null },
    { event: first, status: 'pending' },
  ]);
  ferry.advance(7 * 24 * 60 * MINUTE);
  await ferry.outbox.flush();
  expect(ferry.log(refused)).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
  expect(ferry.defects).toEqual([]);
});
