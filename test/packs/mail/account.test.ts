import { Resend } from 'resend';
import { data, HELLO, serveMail } from './served.js';

/** Domains, keys, templates, contacts, broadcasts, suppressions and webhooks, by the vendor's own client. */

const sandbox = serveMail();
const { receiver } = sandbox;

test('a domain is verified once its records are found, and not before', async () => {
  const { client, control } = sandbox;
  const created = data(await client.domains.create({ name: 'shop.example' }));
  expect([created.status, created.records.map(({ record, type, status }) => `${record} ${type} ${status}`)]).toEqual([
    'not_started',
    ['DKIM TXT not_started', 'SPF MX not_started', 'SPF TXT not_started'],
  ]);
  const from = 'a@shop.example';
  expect((await client.emails.send({ ...HELLO, from })).error).toMatchObject({ statusCode: 403 });
  data(await client.domains.verify(created.id));
  expect(data(await client.domains.get(created.id)).status).toBe('pending');
  await control.advance('15m');
  const found = data(await client.domains.get(created.id));
  expect([found.status, found.records.every(({ status }) => status === 'verified')]).toEqual(['verified', true]);
  data(await client.emails.send({ ...HELLO, from }));
  await control.event('domain.broken', { domain_id: created.id });
  expect((await client.emails.send({ ...HELLO, from })).error).toMatchObject({ statusCode: 403 });
  expect((await client.domains.create({ name: 'Shop.example' })).error).toMatchObject({ statusCode: 403 });
  expect((await client.domains.create({ name: 'x.example', region: 'mars' as never })).error).toMatchObject({
    statusCode: 422,
    name: 'invalid_region',
  });
});

test('a domain whose records nobody makes fails after three days', async () => {
  const { client, control } = sandbox;
  const { id } = data(await client.domains.create({ name: 'nowhere.invalid' }));
  data(await client.domains.verify(id));
  await control.advance('71h');
  expect(data(await client.domains.get(id)).status).toBe('pending');
  await control.advance('2h');
  expect(data(await client.domains.get(id)).status).toBe('failed');
  expect(data(await client.domains.remove(id))).toMatchObject({ object: 'domain', id, deleted: true });
});

test('a key is shown once, sends and does nothing else if it may only send, and not from other domains', async () => {
  const { client, url } = sandbox;
  const made = data(await client.apiKeys.create({ name: 'Sender', permission: 'sending_access' }));
  const { data: listed } = data(await client.apiKeys.list());
  expect(listed).toEqual([{ id: made.id, name: 'Sender', created_at: expect.any(String), last_used_at: null }]);
  const sender = new Resend(made.token, { baseUrl: url });
  data(await sender.emails.send(HELLO));
  expect((await sender.domains.list()).error).toMatchObject({ statusCode: 401, name: 'restricted_api_key' });
  const other = data(await client.domains.create({ name: 'other.example' }));
  const bound = data(
    await client.apiKeys.create({ name: 'Bound', permission: 'sending_access', domain_id: other.id }),
  );
  expect((await new Resend(bound.token, { baseUrl: url }).emails.send(HELLO)).error).toMatchObject({ statusCode: 403 });
  data(await client.apiKeys.remove(made.id));
  expect((await sender.emails.send(HELLO)).error).toMatchObject({ statusCode: 401, message: expect.any(String) });
  expect((await sender.domains.list()).error).toMatchObject({ statusCode: 400, name: 'validation_error' });
  expect((await client.apiKeys.create({ name: 'x', permission: 'all' as never })).error).toMatchObject({
    name: 'invalid_access',
  });
  expect((await client.apiKeys.remove('00000000-0000-4000-8000-000000000000')).error).toMatchObject({
    statusCode: 404,
    name: 'not_found',
  });
});

test('a template fills emails with values once it is published', async () => {
  const { client } = sandbox;
  const created = data(
    await client.templates.create({
      name: 'Welcome',
      alias: 'welcome',
      from: HELLO.from,
      subject: 'Hello {{{NAME}}}',
      html: '<p>{{{NAME}}}, you have {{{COINS}}} coins</p>',
      variables: [
        { key: 'NAME', type: 'string' },
        { key: 'COINS', type: 'number', fallbackValue: 0 },
      ],
    }),
  );
  const mail = { to: HELLO.to, template: { id: 'welcome', variables: { NAME: 'Ann' } } };
  expect((await client.emails.send(mail)).error).toMatchObject({ statusCode: 404 });
  data(await client.templates.publish(created.id));
  const { id } = data(await client.emails.send(mail));
  expect(data(await client.emails.get(id))).toMatchObject({
    from: HELLO.from,
    subject: 'Hello Ann',
    html: '<p>Ann, you have 0 coins</p>',
  });
  data(await client.templates.update('welcome', { html: '<p>New</p>' }));
  expect(data(await client.templates.get('welcome')).has_unpublished_versions).toBe(true);
  expect((await client.emails.send({ ...mail, template: { id: 'welcome' } })).error).toMatchObject({ statusCode: 422 });
  expect((await client.emails.send({ ...mail, html: 'x' } as never)).error).toMatchObject({ statusCode: 422 });
});

test('a broadcast goes to those of a segment who want it', async () => {
  const { client, control, call } = sandbox;
  const segment = data(await client.segments.create({ name: 'Readers' }));
  const topic = data(await client.topics.create({ name: 'News', defaultSubscription: 'opt_in' }));
  const people = ['ann', 'bob', 'cem', 'dee'];
  const segments = [{ id: segment.id }];
  for (const name of people)
    data(await client.contacts.create({ email: `${name}@example.org`, firstName: name, segments } as never));
  data(await client.contacts.update({ email: 'bob@example.org', unsubscribed: true }));
  data(
    await client.contacts.topics.update({
      email: 'cem@example.org',
      topics: [{ id: topic.id, subscription: 'opt_out' }],
    }),
  );
  data(await client.contacts.segments.remove({ email: 'dee@example.org', segmentId: segment.id }));
  expect(data(await client.contacts.list({ segmentId: segment.id })).data).toHaveLength(3);
  data(await client.contacts.create({ email: 'eve@example.org', segments } as never));
  const { id } = data(
    await client.broadcasts.create({
      segmentId: segment.id,
      from: HELLO.from,
      subject: 'News',
      topicId: topic.id,
      html: 'Hello {{{FIRST_NAME|you}}} {{{RESEND_UNSUBSCRIBE_URL}}}',
    }),
  );
  expect(data(await client.emails.list()).data).toEqual([]);
  data(await client.broadcasts.send(id, { scheduledAt: 'in 1 hour' }));
  await control.advance('2h');
  expect(data(await client.broadcasts.get(id))).toMatchObject({ status: 'sent', sent_at: expect.any(String) });
  const { data: mails } = data(await client.emails.list());
  expect(mails.map(({ to }) => to)).toEqual([['eve@example.org'], ['ann@example.org']]);
  const ann = data(await client.emails.get(mails[1].id));
  const [, link] = /^Hello ann (http\S+)$/.exec(String(ann.html)) ?? [];
  expect(await (await fetch(String(link))).text()).toContain('Unsubscribe ann@example.org');
  expect(data(await client.emails.get(mails[0].id)).html).toMatch(/^Hello you http/);
  await control.event('email.opened', { email_id: ann.id });
  const opened = await call(`GET /broadcasts/${id}/recipients?type=opened`);
  expect(opened.body).toMatchObject({ data: [{ email: 'ann@example.org', count: 1 }], has_more: false });
  expect((await client.broadcasts.send(id)).error).toMatchObject({ statusCode: 422 });
  expect((await client.broadcasts.cancel(id)).error).toMatchObject({ statusCode: 422 });
});

test('contacts are found by id and by address, and webhooks hear of them', async () => {
  const { client, control } = sandbox;
  await control.endpoint({ url: receiver.url, events: ['contact.created', 'contact.updated', 'contact.deleted'] });
  data(await client.contactProperties.create({ key: 'plan', type: 'string', fallbackValue: 'free' }));
  const { id } = data(await client.contacts.create({ email: 'Ann@Example.org', properties: { plan: 'pro' } }));
  expect(data(await client.contacts.get('ann@example.org'))).toMatchObject({ id, properties: { plan: 'pro' } });
  data(await client.contacts.update({ id, firstName: 'Ann' }));
  await control.event('contact.unsubscribed', { contact_id: id });
  expect(data(await client.contacts.get(id))).toMatchObject({ first_name: 'Ann', unsubscribed: true });
  expect(data(await client.contacts.remove({ email: 'ann@example.org' }))).toMatchObject({ contact: id, deleted: true });
  expect((await client.contacts.get(id)).error).toMatchObject({ statusCode: 404, message: 'Contact not found' });
  expect((await client.contacts.create({} as never)).error).toMatchObject({ name: 'missing_required_field' });
  expect((await client.contacts.create({ email: 'b@c.de', properties: { no: 1 } } as never)).error).toMatchObject({
    statusCode: 422,
  });
  await control.flush();
  const told = receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  expect(told).toEqual(['contact.created', 'contact.updated', 'contact.updated', 'contact.deleted']);
});

test('who is on the list gets nothing; addresses come and go one by one or together', async () => {
  const { client } = sandbox;
  data(await client.suppressions.add({ email: 'a@example.org' }));
  data(await client.suppressions.batch.add({ emails: ['b@example.org', 'c@example.org'] }));
  expect(data(await client.suppressions.get('b@example.org'))).toMatchObject({ origin: 'manual', source_id: null });
  data(await client.suppressions.batch.remove({ emails: ['a@example.org', 'b@example.org'] }));
  expect(data(await client.suppressions.list()).data.map(({ email }) => email)).toEqual(['c@example.org']);
  expect((await client.suppressions.get('a@example.org')).error).toMatchObject({ statusCode: 404 });
});

test('a webhook can be switched off and on', async () => {
  const { client, control } = sandbox;
  const { id } = data(await client.webhooks.create({ endpoint: receiver.url, events: ['email.sent'] }));
  data(await client.webhooks.update(id, { status: 'disabled' }));
  data(await client.emails.send(HELLO));
  await control.advance('1m');
  data(await client.webhooks.update(id, { status: 'enabled' }));
  data(await client.emails.send(HELLO));
  await control.advance('1m');
  await control.flush();
  expect(receiver.received).toHaveLength(1);
  expect((await client.webhooks.create({ endpoint: receiver.url, events: ['no.such' as never] })).error).toMatchObject({
    statusCode: 422,
  });
  expect(data(await client.webhooks.remove(id))).toMatchObject({ deleted: true });
});

describe('limits', () => {
  const strict = serveMail({ plan: 'free', limits: 'strict' });

  test('five calls a second, and a hundred emails a day on the free plan', async () => {
    const { client, control } = strict;
    const codes = [];
    for (let n = 0; n < 6; n++) codes.push((await client.domains.list()).error?.name);
    expect(codes).toEqual([...Array.from({ length: 5 }), 'rate_limit_exceeded']);
    await control.advance('2s');
    const batch = await client.batch.send(Array.from({ length: 99 }, () => HELLO));
    expect(batch.headers).toMatchObject({ 'x-resend-daily-quota': '99', 'ratelimit-limit': '5' });
    data(await client.emails.send(HELLO));
    expect((await client.emails.send(HELLO)).error).toMatchObject({ statusCode: 429, name: 'daily_quota_exceeded' });
    await control.advance('1d');
    data(await client.emails.send(HELLO));
  });
});

test('without a key, with a wrong one, and where nothing is', async () => {
  const { call, url } = sandbox;
  const none = await fetch(`${url}/domains`);
  expect([none.status, await none.json()]).toEqual([401, expect.objectContaining({ name: 'missing_api_key' })]);
  expect((await new Resend('re_wrong', { baseUrl: url }).domains.list()).error).toMatchObject({ statusCode: 400 });
  expect((await call('GET /nothing')).body).toMatchObject({ statusCode: 404, name: 'not_found' });
  expect((await call('PUT /emails')).body).toMatchObject({ statusCode: 405, name: 'method_not_allowed' });
});
