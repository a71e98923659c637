import twilio from 'twilio';
import { ACCOUNT, AUTH_TOKEN, clientOf, NUMBER, rejection, serveMessaging, T0, verified } from './served.js';

/** Messages, media, numbers and messaging services, by the vendor's own client. */

const sandbox = serveMessaging();
const { receiver } = sandbox;
const hello = { from: NUMBER, to: '+14155550100', body: 'Hello' };
/** A phone number of the account. */
const ownNumber = async () => (await sandbox.client.incomingPhoneNumbers.list())[0];

test('a message goes its way, and its callbacks are forms that the client verifies', async () => {
  const { client } = sandbox;
  const statusCallback = `${receiver.url}/status?of=hello`;
  const sent = await client.messages.create({ ...hello, statusCallback });
  expect([sent.status, sent.dateCreated, sent.numSegments, sent.direction]).toEqual([
    'queued',
    new Date(T0),
    '1',
    'outbound-api',
  ]);
  await sandbox.control.advance('2s');
  expect((await client.messages(sent.sid).fetch()).status).toBe('sent');
  await sandbox.control.advance('1m');
  await sandbox.control.flush();
  expect(await client.messages(sent.sid).fetch()).toMatchObject({ status: 'delivered', errorCode: null });
  const told = receiver.received.map((each) => verified(statusCallback, each));
  expect(told.map(({ MessageSid, MessageStatus }) => [MessageSid, MessageStatus])).toEqual(
    ['queued', 'sent', 'delivered'].map((status) => [sent.sid, status]),
  );
  const [{ headers }] = receiver.received;
  const wrong = { ...told[0], MessageStatus: 'failed' };
  expect(twilio.validateRequest(AUTH_TOKEN, String(headers['x-twilio-signature']), statusCallback, wrong)).toBe(false);
});

test.each([
  ['+15005530003', 'undelivered', 30003],
  ['+15005530007', 'undelivered', 30007],
  ['+15005530001', 'failed', 30001],
])('a message to %s ends %s with the code %d', async (to, status, errorCode) => {
  const { sid } = await sandbox.client.messages.create({ ...hello, to });
  await sandbox.control.advance('1m');
  const { status: ended, errorCode: why, errorMessage } = await sandbox.client.messages(sid).fetch();
  expect([ended, why, errorMessage]).toEqual([status, errorCode, expect.any(String)]);
});

test.each([
  [{ to: '+15005550001' }, 400, 21211],
  [{ to: 'nobody' }, 400, 21211],
  [{ to: '+15005550002' }, 400, 21612],
  [{ to: '+15005550003' }, 400, 21408],
  [{ to: '+15005550004' }, 400, 21610],
  [{ to: '+15005550009' }, 400, 21614],
  [{ from: '+15005550001' }, 400, 21212],
  [{ from: '+15005550007' }, 400, 21606],
  [{ from: '+15005550008' }, 429, 21611],
  [{ from: '+14155559999' }, 400, 21606],
  [{ body: '' }, 400, 21602],
  [{ statusCallback: 'nowhere' }, 400, 21609],
])('a message with %j is rejected with %d and %d', async (other, status, code) => {
  await expect(sandbox.client.messages.create({ ...hello, ...other })).rejects.toMatchObject(rejection(status, code));
});

test('a message of more than 1,600 characters is rejected', async () => {
  const long = sandbox.client.messages.create({ ...hello, body: 'x'.repeat(1601) });
  await expect(long).rejects.toMatchObject(rejection(400, 21617));
});

test('pins and causes decide what becomes of a message', async () => {
  const { client, control } = sandbox;
  const pins = [];
  for (const [path, value] of Object.entries({ outcome: 'undelivered', error_code: 30005 }))
    pins.push(await control.pin({ resource: 'messages', path, value }));
  const pinned = await client.messages.create(hello);
  await control.advance('1m');
  expect(await client.messages(pinned.sid).fetch()).toMatchObject({ status: 'undelivered', errorCode: 30005 });
  for (const { id } of pins) await control.unpin(id);
  const other = await client.messages.create(hello);
  await control.event('message.failed', { sid: other.sid, error_code: 30002 });
  expect(await client.messages(other.sid).fetch()).toMatchObject({ status: 'failed', errorCode: 30002 });
  const read = await client.messages.create(hello);
  await control.event('message.delivered', { sid: read.sid });
  await control.event('message.read', { sid: read.sid });
  expect((await client.messages(read.sid).fetch()).status).toBe('read');
});

test('the client pages through all messages, and finds some by number and time', async () => {
  const { client } = sandbox;
  for (let n = 1; n <= 5; n++) await client.messages.create({ ...hello, body: `message ${n}` });
  const all = await client.messages.list({ pageSize: 2 });
  expect(all.map(({ body }) => body)).toEqual([5, 4, 3, 2, 1].map((n) => `message ${n}`));
  expect(await client.messages.list({ to: '+15005550002' })).toEqual([]);
  await sandbox.control.advance('1d');
  expect(await client.messages.list({ dateSentAfter: new Date('2025-01-02') })).toEqual([]);
  expect(await client.messages.list({ dateSentBefore: new Date('2025-01-02') })).toHaveLength(5);
  expect(await client.messages.list({ dateSent: new Date('2025-01-01') })).toHaveLength(5);
});

test('media belong to their message; its text is cleared, and it is deleted once it has arrived', async () => {
  const { client } = sandbox;
  const { sid, numMedia } = await client.messages.create({ ...hello, mediaUrl: ['https://example.com/a.jpg'] });
  expect([sid.slice(0, 2), numMedia]).toEqual(['MM', '1']);
  await expect(client.messages(sid).remove()).rejects.toMatchObject(rejection(409, 20009));
  await sandbox.control.advance('1m');
  const [media] = await client.messages(sid).media.list();
  expect((await client.messages(sid).media(media.sid).fetch()).contentType).toBe('image/jpeg');
  expect((await client.messages(sid).update({ body: '' })).body).toBe('');
  expect(await client.messages(sid).remove()).toBe(true);
  await expect(client.messages(sid).fetch()).rejects.toMatchObject(rejection(404, 20404));
});

test('a message to a number is told to its URL; the answer is a reply', async () => {
  const { client } = sandbox;
  const url = `${receiver.url}/sms`;
  await client.incomingPhoneNumbers((await ownNumber()).sid).update({ smsUrl: url });
  const answer = '<?xml version="1.0"?><Response><Message>Fish &amp; chips</Message><Message><Body>Bye</Body></Message></Response>';
  receiver.reply = (response) => response.end(answer);
  await sandbox.control.event('message.received', { From: '+14155550100', Body: 'Menu?', MediaUrl: ['https://example.com/a.jpg'] });
  await sandbox.control.flush();
  const told = verified(url, receiver.received[0]);
  expect(told).toMatchObject({ From: '+14155550100', To: NUMBER, Body: 'Menu?', NumMedia: '1', SmsStatus: 'received' });
  expect(told['MediaUrl0']).toContain(`/Messages/${told['MessageSid']}/Media/`);
  const all = await client.messages.list();
  expect(all.map(({ direction, body, to }) => [direction, body, to])).toEqual(
    expect.arrayContaining([
      ['inbound', 'Menu?', NUMBER],
      ['outbound-reply', 'Fish & chips', '+14155550100'],
      ['outbound-reply', 'Bye', '+14155550100'],
    ]),
  );
});

test('where the URL of a number does not answer, its fallback is told why', async () => {
  const { sid } = await ownNumber();
  const [smsUrl, smsFallbackUrl] = [`${receiver.url}/sms`, `${receiver.url}/fallback`];
  await sandbox.client.incomingPhoneNumbers(sid).update({ smsUrl, smsFallbackUrl });
  receiver.reply = (response, { path }) => response.writeHead(path === '/sms' ? 500 : 200).end();
  await sandbox.control.event('message.received', { Body: 'Hello?' });
  await sandbox.control.flush();
  await sandbox.control.flush();
  expect(receiver.received.map(({ path }) => path)).toEqual(['/sms', '/fallback']);
  expect(verified(smsFallbackUrl, receiver.received[1])).toMatchObject({ ErrorCode: '11200', ErrorUrl: smsUrl });
});

test('who writes STOP gets no messages until START', async () => {
  const write = (Body: string) => sandbox.control.event('message.received', { From: hello.to, Body });
  await write('stop');
  await expect(sandbox.client.messages.create(hello)).rejects.toMatchObject(rejection(400, 21610));
  await write('START');
  expect((await sandbox.client.messages.create(hello)).status).toBe('queued');
});

test('a URL without a secret of its own can be told by GET, and a registered one hears the rest', async () => {
  const { control, client } = sandbox;
  await control.endpoint({ url: `${receiver.url}/all`, events: ['message.incoming'] });
  await control.event('message.received', { Body: 'Hi' });
  await control.flush();
  expect(verified(`${receiver.url}/all`, receiver.received[0])).toMatchObject({ Body: 'Hi' });
  receiver.clear();
  await client.incomingPhoneNumbers((await ownNumber()).sid).update({ smsUrl: `${receiver.url}/get`, smsMethod: 'GET' });
  await control.event('message.received', { Body: 'Hi again' });
  await control.flush();
  const [{ path, headers }] = receiver.received;
  expect(new URL(path, receiver.url).searchParams.get('Body')).toBe('Hi again');
  const signature = String(headers['x-twilio-signature']);
  expect(twilio.validateRequest(AUTH_TOKEN, signature, receiver.url + path, {})).toBe(true);
});

test('a messaging service chooses the sender, and sends later', async () => {
  const { client } = sandbox;
  const service = await client.messaging.v1.services.create({ friendlyName: 'Bakery' });
  const { sid: messagingServiceSid } = service;
  const toService = { to: hello.to, body: 'Hello', messagingServiceSid };
  await expect(client.messages.create(toService)).rejects.toMatchObject(rejection(400, 21703));
  const { sid } = await ownNumber();
  await client.messaging.v1.services(messagingServiceSid).phoneNumbers.create({ phoneNumberSid: sid });
  expect((await client.messaging.v1.services(messagingServiceSid).phoneNumbers.list()).map((n) => n.phoneNumber)).toEqual([NUMBER]);
  const sent = await client.messages.create(toService);
  expect([sent.status, sent.from]).toEqual(['accepted', null]);
  await sandbox.control.advance('1m');
  expect(await client.messages(sent.sid).fetch()).toMatchObject({ status: 'delivered', from: NUMBER });
  const sendAt = new Date('2025-01-01T02:00:00Z');
  const later = await client.messages.create({ ...toService, scheduleType: 'fixed', sendAt });
  const never = await client.messages.create({ ...toService, scheduleType: 'fixed', sendAt });
  expect([later.status, (await client.messages(never.sid).update({ status: 'canceled' })).status]).toEqual(['scheduled', 'canceled']);
  await sandbox.control.advance('3h');
  expect((await client.messages(later.sid).fetch()).status).toBe('delivered');
  expect((await client.messages(never.sid).fetch()).status).toBe('canceled');
  const soon = { ...toService, scheduleType: 'fixed' as const, sendAt: new Date('2025-01-01T03:02:00Z') };
  await expect(client.messages.create(soon)).rejects.toMatchObject(rejection(400, 35114));
  expect(await client.messaging.v1.services(messagingServiceSid).phoneNumbers(sid).remove()).toBe(true);
  expect((await client.messaging.v1.services.list()).map(({ friendlyName }) => friendlyName)).toEqual(['Bakery']);
  expect(await client.messaging.v1.services(messagingServiceSid).remove()).toBe(true);
});

test('numbers are found, bought, changed and given back', async () => {
  const { client } = sandbox;
  const [offered] = await client.availablePhoneNumbers('US').local.list({ areaCode: 510, limit: 1 });
  const { sid, phoneNumber, friendlyName } = await client.incomingPhoneNumbers.create({ phoneNumber: offered.phoneNumber });
  expect([phoneNumber, friendlyName]).toEqual([offered.phoneNumber, offered.friendlyName]);
  await expect(client.incomingPhoneNumbers.create({ phoneNumber })).rejects.toMatchObject(rejection(400, 21422));
  await expect(client.incomingPhoneNumbers.create({ areaCode: '533' })).rejects.toMatchObject(rejection(400, 21452));
  expect((await client.incomingPhoneNumbers(sid).update({ friendlyName: 'Desk' })).friendlyName).toBe('Desk');
  expect((await client.incomingPhoneNumbers.list({ friendlyName: 'Desk' })).map((n) => n.sid)).toEqual([sid]);
  expect(await client.incomingPhoneNumbers(sid).remove()).toBe(true);
  expect(await client.incomingPhoneNumbers.list()).toHaveLength(1);
});

test('an account has a token of its own, which opens nothing while it is suspended', async () => {
  const { client } = sandbox;
  const { sid, authToken } = await client.api.v2010.accounts.create({ friendlyName: 'Branch' });
  const branch = clientOf(sandbox, authToken, sid);
  expect(await branch.messages.list()).toEqual([]);
  await client.api.v2010.accounts(sid).update({ status: 'suspended' });
  await expect(branch.messages.list()).rejects.toMatchObject({ status: 401, code: 20003 });
  expect((await client.api.v2010.accounts.list()).map(({ status }) => status)).toEqual(['suspended', 'active']);
  expect((await clientOf(sandbox, sandbox.key).api.v2010.accounts(ACCOUNT).fetch()).authToken).toBe(AUTH_TOKEN);
  await expect(clientOf(sandbox, 'wrong').messages.list()).rejects.toMatchObject({ status: 401, code: 20003 });
});
