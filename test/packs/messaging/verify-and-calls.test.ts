import { clientOf, NUMBER, rejection, serveMessaging, verified } from './served.js';

/** Verifications, calls, look-ups and seeds, by the vendor's own client. */

const sandbox = serveMessaging();
const { receiver } = sandbox;
const PERSON = '+14155550100';

/** A verification service. */
async function service() {
  const { sid } = await sandbox.client.verify.v2.services.create({ friendlyName: 'Bakery' });
  return sandbox.client.verify.v2.services(sid);
}

/** The code that was sent last. */
async function lastCode(): Promise<string> {
  const { verifications } = (await sandbox.control.state()).resources as { verifications: { code: string }[] };
  return verifications[verifications.length - 1].code;
}

test('the right code is approved once', async () => {
  const verify = await service();
  const sent = await verify.verifications.create({ to: PERSON, channel: 'sms' });
  expect([sent.status, sent.valid, sent.sendCodeAttempts]).toEqual(['pending', false, [expect.objectContaining({ channel: 'sms' })]]);
  const code = await lastCode();
  expect(code).toMatch(/^[0-9]{6}$/);
  const wrong = code === '111111' ? '222222' : '111111';
  expect(await verify.verificationChecks.create({ to: PERSON, code: wrong })).toMatchObject({ status: 'pending', valid: false });
  expect(await verify.verificationChecks.create({ to: PERSON, code })).toMatchObject({ status: 'approved', valid: true });
  await expect(verify.verificationChecks.create({ to: PERSON, code })).rejects.toMatchObject(rejection(404, 20404));
});

test('a code is good for ten minutes, five checks and five times that it is sent', async () => {
  const verify = await service();
  await verify.verifications.create({ to: PERSON, channel: 'sms' });
  await sandbox.control.advance('10m');
  await expect(verify.verificationChecks.create({ to: PERSON, code: '1111' })).rejects.toMatchObject(rejection(404, 20404));
  const { sid } = await verify.verifications.create({ to: PERSON, channel: 'call' });
  for (let n = 2; n <= 5; n++) expect((await verify.verifications.create({ to: PERSON, channel: 'sms' })).sid).toBe(sid);
  await expect(verify.verifications.create({ to: PERSON, channel: 'sms' })).rejects.toMatchObject(rejection(429, 60203));
  for (let n = 1; n <= 5; n++) await verify.verificationChecks.create({ verificationSid: sid, code: 'xxxx' });
  const sixth = verify.verificationChecks.create({ verificationSid: sid, code: 'xxxx' });
  await expect(sixth).rejects.toMatchObject(rejection(429, 60202));
  expect((await verify.verifications(sid).fetch()).status).toBe('max_attempts_reached');
});

test('codes can be chosen, verifications cancelled, and who cannot be asked is told so', async () => {
  const verify = await service();
  await verify.verifications.create({ to: PERSON, channel: 'sms', customCode: '246810' });
  expect((await verify.verificationChecks.create({ to: PERSON, code: '246810' })).valid).toBe(true);
  const { sid } = await verify.verifications.create({ to: 'anna@example.com', channel: 'email' });
  expect((await verify.verifications(sid).update({ status: 'canceled' })).status).toBe('canceled');
  await sandbox.control.pin({ resource: 'verifications', path: 'code', value: '123456' });
  await verify.verifications.create({ to: PERSON, channel: 'sms' });
  expect((await verify.verificationChecks.create({ to: PERSON, code: '123456' })).valid).toBe(true);
  await expect(verify.verifications.create({ to: 'nobody', channel: 'sms' })).rejects.toMatchObject(rejection(400, 60200));
  await expect(sandbox.client.verify.v2.services('VAnone').fetch()).rejects.toMatchObject(rejection(404, 20404));
  await verify.update({ skipSmsToLandlines: true });
  await expect(verify.verifications.create({ to: '+15005560001', channel: 'sms' })).rejects.toMatchObject(rejection(403, 60205));
});

test('a call rings, is answered and ends; the application is told of what it asked for', async () => {
  const { client } = sandbox;
  const [url, statusCallback] = [`${receiver.url}/voice`, `${receiver.url}/call`];
  const statusCallbackEvent = ['initiated', 'ringing', 'answered', 'completed'];
  const { sid } = await client.calls.create({ to: PERSON, from: NUMBER, url, statusCallback, statusCallbackEvent });
  await sandbox.control.advance('1m');
  await sandbox.control.flush();
  expect(await client.calls(sid).fetch()).toMatchObject({ status: 'completed', duration: '30', direction: 'outbound-api' });
  const told = receiver.received.filter(({ path }) => path === '/call').map((each) => verified(statusCallback, each));
  expect(told.map(({ CallStatus }) => CallStatus)).toEqual(['queued', 'ringing', 'in-progress', 'completed']);
  expect(verified(url, receiver.received.filter(({ path }) => path === '/voice')[0])).toMatchObject({ CallSid: sid, CallStatus: 'in-progress' });
});

test.each([
  ['+15005540001', 'busy'],
  ['+15005540002', 'no-answer'],
  ['+15005540003', 'failed'],
])('a call to %s ends %s', async (to, status) => {
  const { sid } = await sandbox.client.calls.create({ to, from: NUMBER, twiml: '<Response/>' });
  await sandbox.control.advance('2m');
  expect((await sandbox.client.calls(sid).fetch()).status).toBe(status);
});

test('calls are ended by the application, and those that cannot be made are rejected', async () => {
  const { client } = sandbox;
  const say = { to: PERSON, from: NUMBER, twiml: '<Response/>' };
  const first = await client.calls.create(say);
  expect((await client.calls(first.sid).update({ status: 'canceled' })).status).toBe('canceled');
  await expect(client.calls(first.sid).update({ status: 'completed' })).rejects.toMatchObject(rejection(400, 21220));
  const second = await client.calls.create(say);
  await sandbox.control.advance('10s');
  expect((await client.calls(second.sid).update({ status: 'completed' })).status).toBe('completed');
  expect((await client.calls.list({ status: 'canceled' })).map(({ sid }) => sid)).toEqual([first.sid]);
  await expect(client.calls.create({ ...say, to: '+15005550002' })).rejects.toMatchObject(rejection(400, 21214));
  await expect(client.calls.create({ ...say, from: '+14155559999' })).rejects.toMatchObject(rejection(400, 21210));
});

test.each([
  ['<Response><Reject reason="busy"/></Response>', 'busy'],
  ['<Response><Reject/></Response>', 'no-answer'],
  ['<Response><Say>Hello</Say></Response>', 'in-progress'],
])('a call to a number that is answered with %s is %s', async (body, status) => {
  const { client } = sandbox;
  const voiceUrl = `${receiver.url}/voice`;
  const [{ sid }] = await client.incomingPhoneNumbers.list();
  await client.incomingPhoneNumbers(sid).update({ voiceUrl });
  receiver.reply = (response) => response.end(body);
  await sandbox.control.event('call.received', { From: PERSON });
  await sandbox.control.flush();
  expect(verified(voiceUrl, receiver.received[0])).toMatchObject({ From: PERSON, CallStatus: 'ringing', Direction: 'inbound' });
  expect((await client.calls.list())[0]).toMatchObject({ status, direction: 'inbound' });
});

test('a number is looked up', async () => {
  const of = (number: string, fields?: string) => sandbox.client.lookups.v2.phoneNumbers(number).fetch({ fields });
  expect(await of('(415) 555-0100')).toMatchObject({
    valid: true,
    phoneNumber: '+14155550100',
    nationalFormat: '(415) 555-0100',
    countryCode: 'US',
    lineTypeIntelligence: null,
  });
  expect((await of('+15005560001', 'line_type_intelligence,caller_name')).lineTypeIntelligence).toMatchObject({ type: 'landline' });
  expect(await of('+1415')).toMatchObject({ valid: false, validationErrors: ['TOO_SHORT'] });
  expect(await of('+2348012345678')).toMatchObject({ countryCode: 'NG', callingCountryCode: '234' });
});

test.each(['small-shop', 'support-line', 'sign-up'])('the seed %s is there', async (name) => {
  await sandbox.control.seed({ name });
  const messages = await sandbox.client.messages.list();
  const services = await sandbox.client.verify.v2.services.list();
  expect(messages.length + services.length).toBeGreaterThan(0);
  expect(await clientOf(sandbox).incomingPhoneNumbers.list()).not.toEqual([]);
});
