import { randomUUID } from 'node:crypto';
import { data, HELLO, serveMail, verified } from './served.js';

/** Emails by the vendor's own client: what is taken, what is rejected, what becomes of them. */

const sandbox = serveMail();
const { receiver } = sandbox;

async function sent(more: object = {}): Promise<string> {
  return data(await sandbox.client.emails.send({ ...HELLO, ...more })).id;
}

async function lastEvent(id: string): Promise<string> {
  return data(await sandbox.client.emails.get(id)).last_event;
}

test('an email arrives, and the vendor signs what its webhooks say', async () => {
  const { client, control } = sandbox;
  const { signing_secret: secret } = data(
    await client.webhooks.create({ endpoint: `${receiver.url}/hook`, events: ['email.sent', 'email.delivered'] }),
  );
  const id = await sent({ tags: [{ name: 'kind', value: 'welcome' }], cc: ['bob@example.org'] });
  expect(await lastEvent(id)).toBe('queued');
  await control.advance('1m');
  await control.flush();
  expect(data(await client.emails.get(id))).toMatchObject({
    object: 'email',
    id,
    from: HELLO.from,
    to: [HELLO.to],
    cc: ['bob@example.org'],
    bcc: [],
    subject: 'Hello',
    html: null,
    text: 'Hello Ann',
    last_event: 'delivered',
    scheduled_at: null,
    tags: [{ name: 'kind', value: 'welcome' }],
  });
  const told = receiver.received.map((each) => verified(secret, each));
  expect(told.map(({ type, data: { email_id: email, tags } }) => [type, email, tags])).toEqual(
    ['email.sent', 'email.delivered'].map((type) => [type, id, { kind: 'welcome' }]),
  );
  expect(() => verified(secret, { ...receiver.received[0], body: '{}' })).toThrow();
});

test.each([
  ['delivered@resend.dev', ['email.sent', 'email.delivered']],
  ['delivered+sign-up@resend.dev', ['email.sent', 'email.delivered']],
  ['bounced@resend.dev', ['email.sent', 'email.bounced']],
  ['full@resend.dev', ['email.sent', 'email.bounced']],
  ['complained@resend.dev', ['email.sent', 'email.delivered', 'email.complained']],
  ['suppressed@resend.dev', ['email.suppressed']],
  ['delayed@resend.dev', ['email.sent', 'email.delivery_delayed', 'email.delivered']],
  ['failed@resend.dev', ['email.failed']],
])('an email to %s: %j', async (to, types) => {
  await sandbox.control.endpoint({ url: receiver.url });
  const id = await sent({ to });
  await sandbox.control.advance('1h');
  await sandbox.control.flush();
  const told = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: { email_id: string } });
  expect(told.filter(({ data: { email_id: email } }) => email === id).map(({ type }) => type)).toEqual(types);
  expect(`email.${await lastEvent(id)}`).toBe(types.at(-1));
});

test.each([
  [{ from: undefined }, 422, 'missing_required_field'],
  [{ to: undefined }, 422, 'missing_required_field'],
  [{ to: [] }, 422, 'missing_required_field'],
  [{ subject: undefined }, 422, 'missing_required_field'],
  [{ subject: 'Two\nlines' }, 422, 'validation_error'],
  [{ text: undefined }, 422, 'validation_error'],
  [{ from: 'shop' }, 422, 'invalid_from_address'],
  [{ from: 'Shop shop@example.com' }, 422, 'invalid_from_address'],
  [{ to: 'ann' }, 422, 'validation_error'],
  [{ to: Array.from({ length: 51 }, (_, n) => `a${n}@example.org`) }, 422, 'validation_error'],
  [{ from: 'shop@elsewhere.example' }, 403, 'validation_error'],
  [{ from: 'onboarding@resend.dev' }, 403, 'validation_error'],
  [{ tags: [{ name: 'a b', value: 'c' }] }, 422, 'validation_error'],
  [{ attachments: [{ filename: 'a.txt' }] }, 422, 'invalid_attachment'],
  [{ attachments: [{ content: 'YQ==' }] }, 422, 'invalid_attachment'],
  [{ attachments: [{ filename: 'a.txt', content: '!!!' }] }, 422, 'invalid_attachment'],
  [{ topicId: 'nope' }, 422, 'validation_error'],
  [{ headers: { 'X-A\nB': 'c' } }, 422, 'validation_error'],
  [{ headers: { 'X-A': 'c\r\nBcc: x@example.org' } }, 422, 'validation_error'],
  [{ scheduledAt: 'some day' }, 422, 'validation_error'],
  [{ scheduledAt: '2025-03-01T00:00:00Z' }, 422, 'validation_error'],
  [{ text: undefined, template: { id: 'nothing' } }, 404, 'not_found'],
])('an email with %j is rejected with %d and %s', async (more, statusCode, name) => {
  const { error } = await sandbox.client.emails.send({ ...HELLO, ...more } as never);
  expect(error).toMatchObject({ statusCode, name, message: expect.any(String) });
  expect(data(await sandbox.client.emails.list()).data).toEqual([]);
});

test('from the test domain one writes to oneself and to test addresses', async () => {
  const from = 'onboarding@resend.dev';
  await sent({ from, to: ['owner@example.com', 'delivered@resend.dev'] });
});

test('a scheduled email waits, gets another time, and can be cancelled while it waits', async () => {
  const { client, control } = sandbox;
  const [first, second] = [await sent({ scheduledAt: 'in 1 hour' }), await sent({ scheduledAt: '2025-01-02T00:00:00Z' })];
  await control.advance('59m');
  expect(await lastEvent(first)).toBe('scheduled');
  data(await client.emails.update({ id: first, scheduledAt: '2025-01-01T12:00:00Z' }));
  await control.advance('2h');
  expect(await lastEvent(first)).toBe('scheduled');
  data(await client.emails.cancel(second));
  await control.advance('2d');
  expect([await lastEvent(first), await lastEvent(second)]).toEqual(['delivered', 'canceled']);
  expect((await client.emails.cancel(first)).error).toMatchObject({ statusCode: 422, name: 'validation_error' });
});

test('a key makes sure that an email goes out once', async () => {
  const { client } = sandbox;
  const once = { idempotencyKey: 'welcome/1' };
  const first = data(await client.emails.send(HELLO, once));
  expect(data(await client.emails.send(HELLO, once))).toEqual(first);
  expect((await client.emails.send({ ...HELLO, subject: 'Other' }, once)).error).toMatchObject({
    statusCode: 409,
    name: 'invalid_idempotent_request',
  });
  expect((await client.emails.send(HELLO, { idempotencyKey: 'k'.repeat(257) })).error).toMatchObject({
    statusCode: 400,
    name: 'invalid_idempotency_key',
  });
  expect(data(await client.emails.list()).data).toHaveLength(1);
});

test('attachments keep their bytes, whether base64 or a buffer', async () => {
  const { client, call } = sandbox;
  const id = await sent({
    html: '<img src="cid:logo">',
    attachments: [
      { filename: 'bill.pdf', content: Buffer.from('%PDF-1.4') },
      { filename: 'logo.png', content: 'iVBORw0KGgo=', contentId: 'logo' },
    ],
  });
  const { data: files } = data(await client.emails.attachments.list({ emailId: id }));
  expect(files.map((file) => [file.filename, file.content_type, file.content_disposition, file.size])).toEqual(
    expect.arrayContaining([
      ['bill.pdf', 'application/pdf', 'attachment', 8],
      ['logo.png', 'image/png', 'inline', 8],
    ]),
  );
  const [bill] = files.flatMap((file) => (file.filename === 'bill.pdf' ? [file.id] : []));
  const one = data(await client.emails.attachments.get({ emailId: id, id: bill }));
  const response = await fetch(one.download_url);
  expect([response.headers.get('content-type'), await response.text()]).toEqual(['application/pdf', '%PDF-1.4']);
  const { headers } = response;
  expect([headers.get('content-disposition'), headers.get('x-content-type-options')]).toEqual([
    "attachment; filename*=UTF-8''bill.pdf",
    'nosniff',
  ]);
  expect(headers.get('content-security-policy')).toBe('sandbox');
  expect((await call(`GET /attachments/${bill}/wrong`)).status).toBe(404);
});

test('a batch is sent as a whole, or without what is wrong', async () => {
  const { client } = sandbox;
  const wrong = { ...HELLO, from: 'nobody' };
  expect((await client.batch.send([HELLO, wrong])).error).toMatchObject({ name: 'invalid_from_address' });
  expect(data(await client.emails.list()).data).toEqual([]);
  const some = data(await client.batch.send([HELLO, wrong, HELLO], { batchValidation: 'permissive' }));
  expect(some.data).toHaveLength(2);
  expect(some.errors).toEqual([{ index: 1, message: expect.stringContaining('from') }]);
  expect((await client.batch.send([])).error).toMatchObject({ name: 'validation_error' });
  expect((await sandbox.call('POST /emails/batch', {})).status).toBe(422);
});

test('people, servers and time do the rest: opened, clicked, complained, bounced', async () => {
  const { client, control } = sandbox;
  const id = await sent({ html: '<a href="https://shop.example/1">Look</a>' });
  await control.advance('1m');
  await control.event('email.opened', { email_id: id });
  await control.event('email.clicked', { email_id: id });
  expect(await lastEvent(id)).toBe('clicked');
  await control.event('email.complained', { email_id: id });
  const { data: listed } = data(await client.suppressions.list());
  expect(listed).toMatchObject([{ email: 'ann@example.org', origin: 'complaint', source_id: id }]);
  const next = await sent();
  await control.advance('1m');
  expect(await lastEvent(next)).toBe('suppressed');
  data(await client.suppressions.remove('ann@example.org'));
  const third = await sent();
  await control.advance('2s');
  await control.event('email.bounced', { email_id: third, kind: 'soft' });
  expect([await lastEvent(third), data(await client.suppressions.list()).data]).toEqual(['bounced', []]);
});

test('somebody answers, and the application hears of it', async () => {
  const { client, control } = sandbox;
  const { signing_secret: secret } = data(
    await client.webhooks.create({ endpoint: receiver.url, events: ['email.received'] }),
  );
  const id = await sent();
  const files = [{ filename: 'note.txt', content: 'SGk=' }];
  await control.event('email.received', { from: 'ann@example.org', in_reply_to: id, text: 'Thanks', attachments: files });
  await control.flush();
  const { data: told } = verified(secret, receiver.received[0]);
  expect(told).toMatchObject({ from: 'ann@example.org', to: [HELLO.from], subject: 'Re: Hello' });
  const received = data(await client.emails.receiving.get(String(told.email_id)));
  expect(received).toMatchObject({ text: 'Thanks', attachments: [{ filename: 'note.txt', size: 2 }] });
  const got = await client.emails.receiving.attachments.list({ emailId: received.id });
  const text = await (await fetch(data(got).data[0].download_url)).text();
  expect(text).toBe('Hi');
});

test.each([
  [{ content: 'SGk=' }, 200],
  [{ filename: 'a.txt' }, 400],
  [{ filename: 'a.txt', content: null }, 400],
  [{ content: '!' }, 400],
])('somebody sends the file %j: %i', async (file, status) => {
  const event = { cause: 'email.received', params: { from: 'ann@example.org', attachments: [file] } };
  expect((await sandbox.call('POST /__admin__/world/events', event)).status).toBe(status);
});

test('lists are read page by page', async () => {
  const { client } = sandbox;
  const ids = [await sent(), await sent(), await sent()].reverse();
  const first = data(await client.emails.list({ limit: 2 }));
  expect([first.data.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 2), true]);
  const second = data(await client.emails.list({ limit: 2, after: ids[1] }));
  expect([second.data.map(({ id }) => id), second.has_more]).toEqual([ids.slice(2), false]);
  expect((await client.emails.list({ limit: 1000 })).error).toMatchObject({ name: 'validation_error' });
});

test.each([{ from: 5 }, { to: 5 }, { to: [5] }, { subject: 5 }, { text: {} }, { tags: 5 }, { headers: 'x' }])(
  'an email of a batch with %j is rejected as the email alone is, and nothing is sent',
  async (more) => {
    const { from, ...rest } = HELLO;
    const all = [{ from, ...rest }, { from, ...rest, ...more }];
    const { status, body } = await sandbox.call('POST /emails/batch', all);
    expect([status, body]).toEqual([422, (await sandbox.call('POST /emails', all[1])).body]);
    expect(data(await sandbox.client.emails.list()).data).toEqual([]);
  },
);
test.each(['2025-01-01T01:00:00Z', '2025-01-01T01:00:00.0Z', '2025-01-01T10:00:00+09:00'])(
  'an email that a seed schedules for %s goes out then, whatever the form of the time',
  async (scheduled_at) => {
    const id = randomUUID();
    await sandbox.control.seed({
      resource: 'emails',
      objects: [{ id, from: 'a@example.com', to: ['b@c.test'], subject: 'Later', text: 'x', last_event: 'scheduled', scheduled_at }],
    });
    const read = async (): Promise<unknown[]> => {
      const { body } = await sandbox.call(`GET /emails/${id}`);
      return [body['scheduled_at'], body['last_event']];
    };
    await sandbox.control.advance('59m');
    expect(await read()).toEqual(['2025-01-01T01:00:00.000Z', 'scheduled']);
    await sandbox.control.advance('2m');
    expect(await read()).toEqual(['2025-01-01T01:00:00.000Z', 'delivered']);
  },
);
