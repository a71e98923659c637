import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { DeliveryWorld, load } from '../../support/delivery-world.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const pack = load();
const key = (text: string): string => `whsec_${Buffer.from(text).toString('base64')}`;
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

test('the official client of a vendor accepts what arrives', async () => {
  const client = new Stripe('sk_test_x');
  world.hook({ url: receiver.url, secret: 'whsec_plain' });
  const [event] = world.vessels('Åland — ⛴');
  await world.outbox.flush();
  const [{ headers, body }] = receiver.received;
  const signature = String(headers['ferry-signature']);
  expect(headers['content-type']).toBe('application/json');
  expect(client.webhooks.constructEvent(body, signature, 'whsec_plain')).toMatchObject({ id: event });
  expect(() => client.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow();
});

test('a retry is signed anew, with the wall time of the attempt', async () => {
  let wall = Date.now() - 3_600_000;
  const own = new DeliveryWorld(pack, { wallMs: () => wall });
  own.hook({ url: receiver.url });
  receiver.answer(500, 200);
  own.vessels('Aurora');
  await own.outbox.flush();
  wall = Date.now();
  own.advance(60_000);
  await own.outbox.flush();
  const client = new Stripe('sk_test_x');
  const [first, second] = receiver.received.map(({ headers }) => String(headers['ferry-signature']));
  expect(second).not.toBe(first);
  expect(() => client.webhooks.constructEvent(receiver.received[0].body, first, 'whsec_plain')).toThrow(/tolerance/);
  expect(client.webhooks.constructEvent(receiver.received[1].body, second, 'whsec_plain')).toBeDefined();
  await own.outbox.close();
});

test('standard webhooks: both secrets of an endpoint sign while receivers change over', async () => {
  world.hook({ url: receiver.url, kind: 'standard', secret: key('new'), old_secret: key('old') });
  world.vessels('Aurora');
  await world.outbox.flush();
  const [{ headers, body }] = receiver.received;
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  expect(sent['webhook-signature'].split(' ')).toHaveLength(2);
  for (const secret of [key('new'), key('old')])
    expect(new Webhook(secret).verify(body, sent)).toMatchObject({ type: 'vessel.created' });
  expect(() => new Webhook(key('third')).verify(body, sent)).toThrow();
});

test('secrets are not shown: only signatures made with them', async () => {
  const secret = key('very secret');
  const extra = { 'x-token': 'tok-123', Accept: 'text/plain' };
  world.hook({ url: receiver.url.replace('//', '//user:pass@'), kind: 'standard', secret, extra });
  world.hook({ url: receiver.url, access: 'let-me-in' });
  world.vessels('Aurora');
  await world.outbox.flush();
  const sent = receiver.received.find(({ headers }) => headers['x-token'] !== undefined);
  expect(sent?.headers).toMatchObject({
    'x-token': 'tok-123',
    'x-key': secret,
    authorization: expect.stringMatching(/^Basic /),
  });
  const shown = world.outbox.list();
  const text = JSON.stringify(shown);
  for (const hidden of [secret, 'whsec_plain', 'tok-123', 'let-me-in', 'user:pass']) expect(text).not.toContain(hidden);
  const headers = shown[1].attempts[0].request.headers;
  expect(headers).toMatchObject({
    'x-token': '***',
    'x-key': '***',
    'webhook-signature': sent?.headers['webhook-signature'],
  });
  expect(shown[1].url).toContain('//***@');
});

test.each([
  [{ 'x-note': 'a\r\nx-injected: 1' }],
  [{ 'x-note': 'a\nb' }],
  [{ 'x-note': 'a\u0000b' }],
  [{ 'x note': 'a' }],
  [{ 'x-note:': 'a' }],
  [{ 'x\r\nx-injected': 'a' }],
  [{ 'x-note': '⛴' }],
])('the header %j is not sent', async (extra) => {
  world.hook({ url: receiver.url, kind: 'standard', secret: key('k'), extra });
  world.vessels('Aurora');
  await world.outbox.flush();
  expect(receiver.received).toEqual([]);
  expect(world.outbox.list()[0]).toMatchObject({
    status: 'pending',
    attempts: [{ status: null, error: expect.stringMatching(/cannot be sent/) }],
  });
});

test('headers of the connection are the sandbox’s own, and a name counts once in any spelling', async () => {
  const extra = {
    'content-length': '1',
    'Transfer-Encoding': 'chunked',
    HOST: 'elsewhere',
    Connection: 'close',
    'content-type': 'a/b',
    'X-Key': 'mine',
  };
  world.hook({ url: receiver.url, kind: 'standard', secret: key('k'), extra });
  world.vessels('Aurora', 'Borealis');
  await world.outbox.flush();
  const [{ headers, body }] = receiver.received;
  expect(headers).toMatchObject({
    'content-length': String(Buffer.byteLength(body)),
    'content-type': 'a/b',
    'x-key': key('k'),
  });
  expect(headers.host).toBe(receiver.url.slice('http://'.length));
  expect(headers['transfer-encoding']).toBeUndefined();
  expect(receiver.connections).toBe(1);
});
