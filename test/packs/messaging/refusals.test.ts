import { call } from '../../support/http.js';
import { ACCOUNT, clientOf, NUMBER, rejection, serveMessaging } from './served.js';

/** What the vendor rejects, and how it counts segments, by its own client. */

const sandbox = serveMessaging();
const PERSON = '+14155550100';
const NOBODY = '0'.repeat(32);

test.each<[what: string, body: string, segments: number]>([
  ['160 characters', 'a'.repeat(160), 1],
  ['161 characters', 'a'.repeat(161), 2],
  ['two full messages', 'a'.repeat(306), 2],
  ['one more than two full messages', 'a'.repeat(307), 3],
  ['80 characters that count two', ']'.repeat(80), 1],
  ['81 characters that count two', '['.repeat(81), 2],
  ['a character of two at the end of a message', `${'a'.repeat(152)}{${'a'.repeat(153)}`, 3],
  ['153 characters of two, none of which is cut', '}'.repeat(153), 3],
  ['euros', '€'.repeat(81), 2],
  ['a line feed and a form feed', `\n\f${'a'.repeat(157)}`, 1],
  ['Greek capitals of the alphabet', 'ΔΦΓΛΩΠΨΣΘΞ'.repeat(16), 1],
  ['Greek capitals beside it', 'Α'.repeat(71), 2],
  ['accents of the alphabet', 'àäéèñöüßÇØÅ'.repeat(14), 1],
  ['accents beside it', `ç${'a'.repeat(70)}`, 2],
  ['a backtick', `\`${'a'.repeat(69)}`, 1],
  ['a backtick in 71 characters', `\`${'a'.repeat(70)}`, 2],
  ['35 emoji of two units', '😊'.repeat(35), 1],
  ['36 emoji of two units', '😊'.repeat(36), 2],
  ['67 emoji, none of which is cut', '😊'.repeat(67), 3],
  ['an emoji of seven units', `👩‍👩‍👧${'a'.repeat(62)}`, 1],
  ['an emoji of eight units in 71', `👩‍👩‍👧${'a'.repeat(63)}`, 2],
])('%s are so many segments', async (_, body, segments) => {
  const { numSegments } = await sandbox.client.messages.create({ from: NUMBER, to: PERSON, body });
  expect(numSegments).toBe(String(segments));
});

test('a messaging service counts segments once it has a sender, after smart encoding', async () => {
  const { client } = sandbox;
  const { sid } = await client.messaging.v1.services.create({ friendlyName: 'Bakery' });
  const [{ sid: phoneNumberSid }] = await client.incomingPhoneNumbers.list();
  await client.messaging.v1.services(sid).phoneNumbers.create({ phoneNumberSid });
  const body = `“Don’t” – ${'a'.repeat(90)}…`;
  const segmentsOf = async (smartEncoded?: boolean) => {
    const sent = await client.messages.create({ messagingServiceSid: sid, to: PERSON, body, smartEncoded });
    expect([sent.status, sent.numSegments]).toEqual(['accepted', '0']);
    await sandbox.control.advance('10s');
    return (await client.messages(sent.sid).fetch()).numSegments;
  };
  expect([await segmentsOf(), await segmentsOf(false)]).toEqual(['1', '2']);
  await client.messaging.v1.services(sid).update({ smartEncoding: false });
  expect([await segmentsOf(), await segmentsOf(true)]).toEqual(['2', '1']);
});

const ACCOUNT_PATH = `/2010-04-01/Accounts/${ACCOUNT}`;
const MESSAGE = { From: NUMBER, To: PERSON, Body: 'Hello' };
const CALL = { From: NUMBER, To: PERSON, Twiml: '<Response/>' };
const VERIFICATION = { To: PERSON, Channel: 'sms' };
const list = (n: number) => Array.from({ length: n }, (_, at) => `https://example.com/${at}.jpg`);

type Form = Record<string, string | readonly string[]>;
/** A call of the vendor API, as its clients write forms: lists as one name several times. */
function post(path: string, form: Form) {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) for (const each of [value].flat()) body.append(name, each);
  const authorization = `Basic ${Buffer.from(`${ACCOUNT}:${sandbox.sandbox.key}`).toString('base64')}`;
  return call<{ code: number; message: string; sid: string }>(sandbox.sandbox, `POST ${path}`, body, { authorization });
}

/** Without a value the parameter is left out. */
type Wrong = [param: string, value: string | readonly string[] | undefined, code: number, message: string];

const MESSAGES: Wrong[] = [
  ['To', undefined, 21604, "A 'To' phone number is required."],
  ['From', undefined, 21603, "A 'From' phone number is required."],
  ['Body', undefined, 21602, 'Message body is required.'],
  ['To', '+1415555', 21211, "Invalid 'To' Phone Number"],
  ['To', '+141555501000', 21211, "Invalid 'To' Phone Number"],
  ['To', '+0123456789', 21211, "Invalid 'To' Phone Number"],
  ['To', '+33123', 21211, "Invalid 'To' Phone Number"],
  ['To', 'Anna', 21211, "Invalid 'To' Phone Number"],
  ['To', '12345', 21265, "'To' number cannot be a Short Code"],
  ['To', NUMBER, 21266, "'To' and 'From' number cannot be the same"],
  ['To', `whatsapp:${PERSON}`, 21910, "Invalid 'From' and 'To' pair. 'From' and 'To' should be of the same channel"],
  ['Body', 'x'.repeat(1601), 21617, 'The concatenated message body exceeds the 1600 character limit'],
  ['MediaUrl', 'nowhere', 21620, 'Invalid media URL(s)'],
  ['MediaUrl', ['https://example.com/a.jpg', 'nowhere'], 21620, 'Invalid media URL(s)'],
  ['MediaUrl', list(11), 21623, 'Number of media files exceeds allowed limit'],
  ['StatusCallback', 'nowhere', 21609, "Invalid 'StatusCallback'"],
  ['ValidityPeriod', '0', 21624, 'Invalid validity period value'],
  ['ValidityPeriod', '36001', 21624, 'Invalid validity period value'],
  ['ValidityPeriod', 'long', 21624, 'Invalid validity period value'],
  ['MessagingServiceSid', 'MGnone', 21705, 'The Messaging Service is invalid'],
  ['MessagingServiceSid', `MG${NOBODY}`, 21701, 'The Messaging Service does not exist'],
  ['ContentSid', 'HXnone', 21655, 'The ContentSid is Invalid'],
  ['ContentVariables', '{"1":"x"}', 21654, 'ContentSid Required'],
  ['SmartEncoded', 'perhaps', 20001, 'Invalid parameter: SmartEncoded'],
  ['SendAt', '2025-01-02T00:00:00Z', 35112, "A message with 'SendAt' needs 'ScheduleType'."],
  ['ScheduleType', 'soon', 20001, 'Invalid parameter: ScheduleType'],
];
const CALLS: Wrong[] = [
  ['To', undefined, 21201, 'No Called number specified'],
  ['From', undefined, 21213, 'Caller phone number is required'],
  ['To', '+1415', 21217, 'Phone number does not appear to be valid'],
  ['Twiml', undefined, 21205, 'Url is not a valid URL'],
  ['Url', 'nowhere', 21205, 'Url is not a valid URL'],
  ['Method', 'PUT', 21209, 'Invalid Method'],
  ['StatusCallback', 'nowhere', 21609, "Invalid 'StatusCallback'"],
  ['StatusCallbackMethod', 'PUT', 21209, 'Invalid Method'],
  ['StatusCallbackEvent', 'ended', 21626, "Invalid 'StatusCallbackEvent'"],
  ['StatusCallbackEvent', ['ringing', 'ended'], 21626, "Invalid 'StatusCallbackEvent'"],
  ['SendDigits', 'abc!', 21206, 'Invalid SendDigits'],
  ['SendDigits', '1'.repeat(33), 21206, 'Invalid SendDigits'],
  ['Timeout', '0', 21208, 'Invalid Timeout'],
  ['Timeout', '601', 21208, 'Invalid Timeout'],
  ['Timeout', 'long', 21208, 'Invalid Timeout'],
  ['Twiml', 'x'.repeat(4001), 20001, 'Invalid parameter: Twiml'],
];
const VERIFICATIONS: Wrong[] = [
  ['To', undefined, 20001, 'Missing required parameter To in the post body'],
  ['Channel', undefined, 20001, 'Missing required parameter Channel in the post body'],
  ['Channel', 'pigeon', 60200, 'Invalid parameter: Channel'],
  ['To', '12345', 60200, 'Invalid parameter `To`: 12345'],
  ['To', '4155550100', 60200, 'Invalid parameter `To`: 4155550100'],
  ['To', '+1415555010', 60200, 'Invalid parameter `To`: +1415555010'],
  ['CustomCode', '123', 60200, 'Invalid parameter: CustomCode'],
  ['CustomCode', '12345678901', 60200, 'Invalid parameter: CustomCode'],
];
const NUMBERS: Wrong[] = [
  ['PhoneNumber', undefined, 21421, 'PhoneNumber is invalid'],
  ['PhoneNumber', '+1415', 21421, 'PhoneNumber is invalid'],
  ['PhoneNumber', '+15005550000', 21422, 'PhoneNumber is not available'],
  ['SmsUrl', 'nowhere', 21402, 'Invalid Url'],
  ['VoiceFallbackUrl', 'nowhere', 21402, 'Invalid Url'],
  ['SmsMethod', 'PUT', 21403, 'Invalid Method'],
  ['VoiceFallbackMethod', 'PUT', 21403, 'Invalid Method'],
  ['FriendlyName', 'x'.repeat(65), 20001, 'Invalid parameter: FriendlyName'],
];
const SERVICES: Wrong[] = [
  ['FriendlyName', undefined, 20001, 'Missing required parameter FriendlyName in the post body'],
  ['FriendlyName', 'x'.repeat(65), 20001, 'Invalid parameter: FriendlyName'],
  ['InboundRequestUrl', 'nowhere', 20001, 'Invalid parameter: InboundRequestUrl'],
  ['InboundMethod', 'PUT', 20001, 'Invalid parameter: InboundMethod'],
  ['FallbackMethod', 'PUT', 20001, 'Invalid parameter: FallbackMethod'],
  ['ScanMessageContent', 'maybe', 20001, 'Invalid parameter: ScanMessageContent'],
  ['StickySender', 'maybe', 20001, 'Invalid parameter: StickySender'],
  ['ValidityPeriod', '36001', 21624, 'Invalid validity period value'],
  ['Usecase', 'spam', 21713, 'Messaging Service Use Case is Invalid'],
];
const VERIFY_SERVICES: Wrong[] = [
  ['FriendlyName', undefined, 20001, 'Missing required parameter FriendlyName in the post body'],
  ['FriendlyName', 'x'.repeat(33), 60200, 'Invalid parameter: FriendlyName'],
  ['CodeLength', '3', 60200, 'Invalid parameter: CodeLength'],
  ['CodeLength', '11', 60200, 'Invalid parameter: CodeLength'],
  ['CodeLength', 'long', 60200, 'Invalid parameter: CodeLength'],
  ['LookupEnabled', 'maybe', 60200, 'Invalid parameter: LookupEnabled'],
  ['DefaultTemplateSid', 'HJnone', 60200, 'Invalid parameter: DefaultTemplateSid'],
];

test.each<[what: string, path: string, form: Form, wrong: readonly Wrong[]]>([
  ['messages', `${ACCOUNT_PATH}/Messages.json`, MESSAGE, MESSAGES],
  ['calls', `${ACCOUNT_PATH}/Calls.json`, CALL, CALLS],
  ['phone numbers', `${ACCOUNT_PATH}/IncomingPhoneNumbers.json`, { PhoneNumber: '+14155557777' }, NUMBERS],
  ['messaging services', '/v1/Services', { FriendlyName: 'Bakery' }, SERVICES],
  ['verification services', '/v2/Services', { FriendlyName: 'Bakery' }, VERIFY_SERVICES],
  ['accounts', '/2010-04-01/Accounts.json', {}, [['FriendlyName', 'x'.repeat(65), 20001, 'Invalid parameter: FriendlyName']]],
])('wrong parameters of %s get the vendor’s numbers and words', async (_, path, form, wrong) => {
  expect((await post(path, form)).status).toBe(201);
  for (const [param, value, code, message] of wrong) {
    const { [param]: _left, ...rest } = form;
    // A URL replaces instructions.
    const given = value === undefined ? rest : { ...(param === 'Url' ? { From: NUMBER, To: PERSON } : rest), [param]: value };
    const { status, body } = await post(path, given);
    expect([param, value, status, body.code, body.message]).toEqual([param, value, 400, code, message]);
  }
});

test('wrong parameters of verifications get the vendor’s numbers and words', async () => {
  const { sid } = (await post('/v2/Services', { FriendlyName: 'Bakery' })).body;
  const path = `/v2/Services/${sid}/Verifications`;
  for (const [param, value, code, message] of VERIFICATIONS) {
    const { [param]: _left, ...rest } = VERIFICATION as Form;
    const { status, body } = await post(path, value === undefined ? rest : { ...rest, [param]: value });
    expect([param, value, status, body.code, body.message]).toEqual([param, value, 400, code, message]);
  }
  const check = async (form: Form) => {
    const { status, body } = await post(`/v2/Services/${sid}/VerificationCheck`, form);
    return [status, body.code, body.message];
  };
  expect(await check({ To: PERSON, Code: '123' })).toEqual([400, 60200, 'Invalid parameter: Code']);
  expect(await check({ To: PERSON })).toEqual([400, 60200, 'Invalid parameter: Code']);
  expect(await check({ Code: '1234' })).toEqual([400, 60200, 'Invalid parameter: To']);
  expect(await check({ Code: '1234', VerificationSid: 'VEnone' })).toEqual([400, 60200, 'Invalid parameter: VerificationSid']);
});

test('five wrong checks end a verification, by its number too, until it expires', async () => {
  const { sid } = await sandbox.client.verify.v2.services.create({ friendlyName: 'Bakery' });
  const verify = sandbox.client.verify.v2.services(sid);
  const send = () => verify.verifications.create({ to: PERSON, channel: 'sms' });
  const check = () => verify.verificationChecks.create({ to: PERSON, code: 'xxxx' });
  const first = await send();
  for (let n = 1; n <= 5; n++) await check();
  await expect(check()).rejects.toMatchObject(rejection(429, 60202));
  await expect(send()).rejects.toMatchObject(rejection(429, 60202));
  await sandbox.control.advance('10m');
  await expect(check()).rejects.toMatchObject(rejection(404, 20404));
  expect((await send()).sid).not.toBe(first.sid);
  for (let n = 1; n <= 5; n++) await check();
  await verify.verifications((await verify.verifications(PERSON).fetch()).sid).update({ status: 'canceled' });
  expect((await send()).status).toBe('pending');
});

test('what a verification service does not support is rejected', async () => {
  const services = sandbox.client.verify.v2.services;
  const { sid } = await services.create({ friendlyName: 'Bank', psd2Enabled: true, customCodeEnabled: false });
  const send = (other: object) => services(sid).verifications.create({ to: PERSON, channel: 'sms', ...other });
  await expect(send({ amount: '10' })).rejects.toMatchObject(rejection(400, 60206));
  await expect(send({ amount: '10', payee: 'Anna', customCode: '1234' })).rejects.toMatchObject(rejection(403, 60204));
  expect(await send({ amount: '10', payee: 'Anna' })).toMatchObject({ amount: '10', payee: 'Anna' });
});

test('the account itself keeps its status, and a closed one is over', async () => {
  const { client } = sandbox;
  await expect(client.api.v2010.accounts(ACCOUNT).update({ status: 'suspended' })).rejects.toMatchObject(rejection(400, 21477));
  const { sid } = await client.api.v2010.accounts.create({ friendlyName: 'Below' });
  await client.api.v2010.accounts(sid).update({ status: 'closed' });
  await expect(client.api.v2010.accounts(sid).update({ status: 'active' })).rejects.toMatchObject(rejection(400, 21479));
  const wrong = client.api.v2010.accounts(sid).update({ status: 'asleep' as 'active' });
  await expect(wrong).rejects.toMatchObject(rejection(400, 21475));
});

test('a page has one item at least, and no more than a thousand whatever is asked for', async () => {
  const sizeOf = async (path: string, size: number) => {
    const authorization = `Basic ${Buffer.from(`${ACCOUNT}:${sandbox.sandbox.key}`).toString('base64')}`;
    const { status, body } = await call(sandbox.sandbox, `GET ${path}?PageSize=${size}`, undefined, { authorization });
    return status === 200 ? (body['page_size'] ?? (body['meta'] as Record<string, unknown>)['page_size']) : body['code'];
  };
  expect(await sizeOf('/2010-04-01/Accounts.json', 5000)).toBe(1000);
  expect(await sizeOf('/2010-04-01/Accounts.json', 0)).toBe(20001);
  expect(await sizeOf('/v2/Services', 0)).toBe(60373);
});

test('the text of a message is cleared, not changed', async () => {
  const { sid } = await sandbox.client.messages.create({ from: NUMBER, to: PERSON, body: 'Hello' });
  await sandbox.control.advance('1m');
  await expect(sandbox.client.messages(sid).update({ body: 'Bye' })).rejects.toMatchObject(rejection(400, 20001));
  expect((await sandbox.client.messages(sid).update({ body: '' })).body).toBe('');
  expect(await clientOf(sandbox).messages(sid).fetch()).toMatchObject({ numSegments: '1' });
});
