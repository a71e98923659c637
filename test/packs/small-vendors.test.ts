import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { loadPack } from '../../engine/index.js';
import { formatProblems } from '../../engine/pack/index.js';
import { ROOT } from '../support/root.js';
import { type Body, type CallHeaders, form } from '../support/http.js';
import { forTests, TestSandbox } from '../support/start-sandbox.js';
import { type Received } from '../support/webhook-receiver.js';

/** Vendors of other kinds, written from the documentation alone: that a pack can say them is what is tested. */

const KEY = 'key_of_the_tests';
const T0 = '2025-01-01T00:00:00Z';

/** A sandbox of a small pack, called as its vendor is. */
class Vendor extends TestSandbox {
  constructor(
    name: string,
    private readonly scheme: 'Bearer' | 'Basic',
    private readonly sends: 'form' | 'json',
  ) {
    super(`test/packs/${name}`, { key: KEY, t0: T0 });
  }

  static of(name: string, scheme: 'Bearer' | 'Basic', sends: 'form' | 'json'): Vendor {
    return forTests(new Vendor(name, scheme, sends), { reset: { t0: T0 } });
  }

  get hooks(): string {
    return `${this.receiver.url}/hooks`;
  }

  get received(): readonly Received[] {
    return this.receiver.received;
  }

  async ask(line: string, body?: Body, headers: CallHeaders = {}): Promise<Body> {
    const basic = { authorization: `Basic ${Buffer.from(`${KEY}:`).toString('base64')}` };
    const sent = body && this.sends === 'form' ? form(body as Record<string, string>) : body;
    const called = await this.call(line, sent, { ...(this.scheme === 'Basic' ? basic : {}), ...headers });
    return { http: called.status, ...called.body };
  }
}

test.each(['texts', 'letters', 'keyring', 'forge'])('%s has no problem, not even a warning', (name) => {
  const { problems, source } = loadPack(join(ROOT, 'test', 'packs', name));
  expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
});

describe('texts', () => {
  const texts = Vendor.of('texts', 'Basic', 'form');
  beforeEach(async () => {
    await texts.ask('POST /2010/numbers', { phone: '+15551230001' });
  });

  const message = { from: '+15551230001', to: '+15557654321', body: 'Hello' };

  test('a callback of one message gets signed news of it, and only of it', async () => {
    const { sid } = await texts.ask('POST /2010/messages', { ...message, status_callback: texts.hooks });
    await texts.ask('POST /2010/messages', message);
    await texts.control.advance('10s');
    await texts.control.flush();
    const told = texts.received.map(({ body }) => JSON.parse(body) as Body);
    expect(told.map((each) => [each['message_sid'], (each['message'] as Body)['status']])).toEqual([
      [sid, 'sent'],
      [sid, 'delivered'],
    ]);
    const { callbacks } = await texts.control
      .call('GET', '/state?resource=callbacks')
      .then(({ resources }) => resources as { readonly callbacks: readonly { readonly secret: string }[] });
    const [{ headers, body }] = texts.received;
    const signature = createHmac('sha256', callbacks[0].secret)
      .update(texts.hooks + body)
      .digest('base64');
    expect(headers['x-text-signature']).toBe(signature);
  });

  test('a bearer is refused: the vendor takes basic authentication only', async () => {
    expect(await texts.result('GET /2010/messages')).toEqual([401, { code: 20003, status: 401, message: 'Authenticate' }]);
  });

  test.each([
    [message, 10, 'delivered', null],
    [{ ...message, to: '+15005550009' }, 2, 'failed', 30006],
    [{ ...message, to: '+15005550010' }, 10, 'undelivered', 30003],
    [{ ...message, body: 'x'.repeat(161) }, 2, 'sent', null],
  ])('%o after %d s is %s', async (form, seconds, status, code) => {
    const { sid } = await texts.ask('POST /2010/messages', form);
    await texts.control.advance(`${seconds}s`);
    expect(await texts.ask(`GET /2010/messages/${String(sid)}`)).toMatchObject({
      status,
      error_code: code,
      segments: form.body.length > 160 ? 2 : 1,
    });
  });

  test('who answers STOP gets no more texts until START', async () => {
    const answered = (body: string): Promise<Body> =>
      texts.control.event('message.received', { from: message.to, to: message.from, body });
    await answered('stop');
    expect(await texts.ask('POST /2010/messages', message)).toMatchObject({ http: 400, code: 21610 });
    await answered('Start');
    expect(await texts.ask('POST /2010/messages', message)).toMatchObject({ http: 201, status: 'queued' });
  });

  test('a queued message can be canceled, a sent one cannot', async () => {
    const one = await texts.ask('POST /2010/messages', message);
    const canceled = await texts.ask(`POST /2010/messages/${String(one['sid'])}/cancel`);
    expect(canceled).toMatchObject({ http: 200, status: 'canceled' });
    const two = await texts.ask('POST /2010/messages', message);
    await texts.control.advance('2s');
    const refused = await texts.ask(`POST /2010/messages/${String(two['sid'])}/cancel`);
    expect(refused).toEqual({
      http: 409,
      code: 20009,
      status: 409,
      message: 'A message that is sent cannot be canceled',
    });
  });
});

describe('letters', () => {
  const letters = Vendor.of('letters', 'Bearer', 'json');
  beforeEach(async () => {
    const { id } = await letters.ask('POST /v3/domains', { name: 'shop.test' });
    await letters.ask(`POST /v3/domains/${String(id)}/verify`);
    await letters.control.advance('10m');
  });

  const mail = (...to: string[]): Body => ({ from: 'a@shop.test', to, subject: 'Hi', text: 'Hello' });

  test('a batch: one mail for each recipient, webhooks that a standard library verifies', async () => {
    const hook = await letters.ask('POST /v3/webhooks', {
      url: letters.hooks,
      events: ['mail.bounced', 'mail.delivered'],
    });
    const batch = await letters.ask('POST /v3/batches', {
      mails: [mail('b@home.test', 'c@home.test'), mail('bounced@letters.test')],
    });
    expect(batch).toMatchObject({ http: 202, data: [{}, {}, {}] });
    await letters.control.advance('1s');
    await letters.control.flush();
    const verifier = new Webhook(String(hook['secret']));
    const types = letters.received.map(({ headers, body }) => {
      const sent = verifier.verify(body, headers as Record<string, string>) as { readonly type: string };
      return sent.type;
    });
    expect(types.sort()).toEqual(['mail.bounced', 'mail.delivered', 'mail.delivered']);
    expect(await letters.ask(`GET /v3/batches/${String(batch['id'])}`)).toMatchObject({ delivered: 2, bounced: 1 });
  });

  test('a batch in which one mail is refused sends none', async () => {
    const refused = await letters.ask('POST /v3/batches', {
      mails: [mail('b@home.test'), { ...mail('c@home.test'), from: 'a@other.test' }],
    });
    expect(refused).toMatchObject({ http: 403, name: 'domain_not_verified', message: 'other.test is not verified' });
    expect(await letters.ask('GET /v3/mails')).toMatchObject({ data: [] });
  });

  test('every problem of a call is told at once', async () => {
    const refused = await letters.ask('POST /v3/mails', { to: [], subject: 7 });
    expect(refused).toMatchObject({ http: 422, name: 'validation_error' });
    const params = (refused['problems'] as readonly { readonly param: string }[]).map(({ param }) => param);
    expect(params.sort()).toEqual(['from', 'subject', 'to']);
  });

  test('an idempotent call that failed runs again, one that succeeded is repeated', async () => {
    const key = { 'Idempotency-Key': 'once' };
    expect(
      await letters.ask('POST /v3/mails', { ...mail('b@home.test'), from: 'a@other.test' }, key),
    ).toMatchObject({
      http: 403,
    });
    const first = await letters.ask('POST /v3/mails', mail('b@home.test'), key);
    expect(first).toMatchObject({ http: 202 });
    expect(await letters.ask('POST /v3/mails', mail('b@home.test'), key)).toEqual(first);
  });

  test('a webhook that nobody answers is disabled, and can be enabled again', async () => {
    letters.receiver.answer(500);
    const { id } = await letters.ask('POST /v3/webhooks', { url: letters.hooks, events: ['mail.sent'] });
    await letters.ask('POST /v3/mails', mail('b@home.test'));
    for (let attempt = 0; attempt < 4; attempt++) {
      await letters.control.flush();
      await letters.control.advance('30m');
    }
    expect(letters.received).toHaveLength(4);
    expect(await letters.ask(`GET /v3/webhooks/${String(id)}`)).toMatchObject({ status: 'disabled' });
    expect(await letters.ask(`POST /v3/webhooks/${String(id)}/enable`)).toMatchObject({ status: 'enabled' });
  });

  test('who complains or bounces for good gets no more mails; a full mailbox may be tried again', async () => {
    const send = async (to: string): Promise<string> => {
      const { ids } = (await letters.ask('POST /v3/mails', mail(to))) as { readonly ids?: readonly string[] };
      await letters.control.advance('1s');
      return String(ids?.[0]);
    };
    await letters.control.event('mail.complained', { mail_id: await send('b@home.test') });
    const statuses: unknown[] = [];
    for (const to of [
      'B@home.test',
      'full@letters.test',
      'full@letters.test',
      'bounced@letters.test',
      'bounced@letters.test',
    ])
      statuses.push((await letters.ask(`GET /v3/mails/${await send(to)}`))['status']);
    expect(statuses).toEqual(['dropped', 'bounced', 'bounced', 'bounced', 'dropped']);
  });
});

describe('keyring', () => {
  const keyring = Vendor.of('keyring', 'Basic', 'form');

  const ANN = { username: 'ann@home.test', password: 'correct horse' };

  const token = (form: Body): Promise<Body> => keyring.ask('POST /oauth/token', form);
  const signIn = (form: Body = {}): Promise<Body> => token({ grant_type: 'password', ...ANN, ...form });
  const isActive = async (access: unknown): Promise<unknown> =>
    (await keyring.ask('POST /oauth/introspect', { token: access }))['active'];

  async function ann(more: Body = {}): Promise<Body> {
    return keyring.ask('POST /users', { email: ANN.username, password: ANN.password, ...more });
  }

  test('an access token ends after its time, a session after its own', async () => {
    await ann();
    const { access_token, refresh_token } = await signIn();
    await keyring.control.advance('899s');
    expect(await isActive(access_token)).toBe(true);
    await keyring.control.advance('1s');
    expect(await isActive(access_token)).toBe(false);
    const next = await token({ grant_type: 'refresh_token', refresh_token });
    expect(next).toMatchObject({ http: 200, expires_in: 900 });
    await keyring.control.advance('30d');
    expect(await keyring.ask('GET /sessions')).toMatchObject({ items: [{ status: 'expired' }] });
    const late = await token({ grant_type: 'refresh_token', refresh_token: next['refresh_token'] });
    expect(late).toEqual({ http: 400, error: 'invalid_grant', error_description: 'The session is over' });
  });

  test('refreshing while the token still lasts starts its time anew', async () => {
    await ann();
    const { refresh_token } = await signIn();
    await keyring.control.advance('10m');
    const { access_token } = await token({ grant_type: 'refresh_token', refresh_token });
    await keyring.control.advance('10m');
    expect(await isActive(access_token)).toBe(true);
  });

  test('a revoked token is over, and revoking what does not exist is no error', async () => {
    await ann();
    const { access_token } = await signIn();
    expect(await keyring.ask('POST /oauth/revoke', { token: access_token })).toEqual({ http: 200 });
    expect(await isActive(access_token)).toBe(false);
    expect(await keyring.ask('POST /oauth/revoke', { token: 'nobody' })).toEqual({ http: 200 });
  });

  test('three wrong passwords lock a user, a right one in between forgives', async () => {
    const { id } = await ann();
    const status = async (): Promise<unknown> => (await keyring.ask(`GET /users/${String(id)}`))['status'];
    for (const password of ['a', 'b', ANN.password, 'c', 'd']) await signIn({ password });
    expect(await status()).toBe('active');
    await signIn({ password: 'e' });
    expect(await status()).toBe('locked');
    expect(await signIn()).toMatchObject({ http: 400, error_description: 'The user is locked' });
    await keyring.control.event('user.unlocked', { user_id: id });
    expect(await signIn()).toMatchObject({ http: 200 });
  });

  test('the second factor: three attempts, five minutes', async () => {
    await ann({ mfa: 'true' });
    await keyring.control.pin({ resource: 'challenges', path: 'code', value: '123456' });
    const pass = async (code: string, challenge: unknown): Promise<Body> =>
      token({ grant_type: 'mfa', challenge, code });
    const { challenge } = await signIn();
    expect(await pass('000000', challenge)).toMatchObject({ http: 400, error: 'invalid_code', attempts_left: 2 });
    expect(await pass('123456', challenge)).toMatchObject({ http: 200, token_type: 'Bearer' });
    const second = (await signIn())['challenge'];
    for (const code of ['1', '2', '3']) await pass(code, second);
    expect(await pass('123456', second)).toMatchObject({ error: 'invalid_grant' });
    const third = (await signIn())['challenge'];
    await keyring.control.advance('5m');
    expect(await pass('123456', third)).toMatchObject({ error: 'invalid_grant' });
  });

  test('webhooks tell what happened to users and sessions', async () => {
    await keyring.ask('POST /hooks', { url: keyring.hooks });
    const { id } = await ann();
    await signIn();
    await keyring.ask(`POST /users/${String(id)}/block`);
    await keyring.control.flush();
    const told = keyring.received.map(({ body }) => (JSON.parse(body) as { readonly event: string }).event);
    expect(told).toEqual(['user.created', 'session.created', 'user.blocked', 'session.revoked']);
  });

  test('passwords and tokens are never shown', async () => {
    const user = await ann();
    await signIn();
    const shown = JSON.stringify([user, await keyring.ask('GET /users'), await keyring.ask('GET /sessions')]);
    expect(shown).not.toMatch(/correct horse|at_|rt_/);
  });
});
