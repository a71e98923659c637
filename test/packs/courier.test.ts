import twilio from 'twilio';
import { startSandbox } from '../support/start-sandbox.js';

/** The vendor's own client against `test/packs/courier`, which is YAML alone: only where its calls go is changed. */

const ACCOUNT = 'AC0123456789abcdef0123456789abcdef';
const T0 = '2025-01-01T00:00:00Z';

const sandbox = startSandbox('test/packs/courier', { t0: T0, reset: { t0: T0 } });
const { receiver } = sandbox;

/** Sends what the client asks of the vendor's host to the sandbox. */
class Redirected extends twilio.RequestClient {
  override request: twilio.RequestClient['request'] = (options) =>
    super.request({ ...options, uri: options.uri.replace('https://api.twilio.com', sandbox.url) });
}

let token: string;
const clientOf = (key: string) => twilio(ACCOUNT, key, { httpClient: new Redirected() });
beforeAll(async () => {
  token = (await clientOf(sandbox.key).api.v2010.accounts(ACCOUNT).fetch()).authToken;
});

const hello = { from: '+15005550006', to: '+15005550001', body: 'Hello' };

test('a message goes its way, and its callbacks are forms that the client verifies', async () => {
  const client = clientOf(token);
  const statusCallback = `${receiver.url}/status?of=hello`;
  const sent = await client.messages.create({ ...hello, statusCallback });
  expect([sent.status, sent.dateCreated, sent.numSegments]).toEqual(['queued', new Date(T0), '1']);
  await sandbox.control.advance('1m');
  await sandbox.control.flush();
  expect((await client.messages(sent.sid).fetch()).status).toBe('delivered');
  const told = receiver.received.map(({ headers, body }) => {
    const params = Object.fromEntries(new URLSearchParams(body));
    const signature = String(headers['x-twilio-signature']);
    expect(twilio.validateRequest(token, signature, statusCallback, params)).toBe(true);
    expect(twilio.validateRequest(token, signature, statusCallback, { ...params, MessageStatus: 'failed' })).toBe(
      false,
    );
    return [params['MessageSid'], params['MessageStatus']];
  });
  expect(told).toEqual(['queued', 'sent', 'delivered'].map((status) => [sent.sid, status]));
});

test('a message that does not arrive says why', async () => {
  const client = clientOf(token);
  const { sid } = await client.messages.create({ ...hello, to: '+15005550009' });
  await sandbox.control.advance('1m');
  expect(await client.messages(sid).fetch()).toMatchObject({ status: 'undelivered', errorCode: 30003 });
});

test('the client pages through all messages by their tokens', async () => {
  const client = clientOf(token);
  for (let n = 1; n <= 5; n++) await client.messages.create({ ...hello, body: `message ${n}` });
  const all = await client.messages.list({ pageSize: 2 });
  expect(all.map(({ body }) => body)).toEqual([5, 4, 3, 2, 1].map((n) => `message ${n}`));
  expect(await client.messages.list({ to: '+15005550002' })).toEqual([]);
});

test('media belong to their message and go with it', async () => {
  const client = clientOf(token);
  const { sid, numMedia } = await client.messages.create({ ...hello, mediaUrl: ['https://example.com/a.jpg'] });
  expect(numMedia).toBe('1');
  const [media] = await client.messages(sid).media.list();
  expect((await client.messages(sid).media(media.sid).fetch()).contentType).toBe('image/jpeg');
  expect(await client.messages(sid).remove()).toBe(true);
  await expect(client.messages(sid).fetch()).rejects.toMatchObject({ status: 404, code: 20404 });
  expect(Object.values((await sandbox.control.state('media_list')) as object).flat()).not.toContainEqual(
    expect.objectContaining({ id: media.sid }),
  );
});

test('what is wrong is told by number', async () => {
  const client = clientOf(token);
  await expect(client.messages.create({ ...hello, to: 'nobody' })).rejects.toMatchObject({ status: 400, code: 21211 });
  await expect(client.messages.create({ ...hello, body: '' })).rejects.toMatchObject({ status: 400, code: 21602 });
  await expect(clientOf('wrong').messages.list()).rejects.toMatchObject({ status: 401, code: 20003 });
});
