import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { createSandbox, loadPack, type Sandbox } from '../../engine/index.js';
import { formatProblems } from '../../engine/pack/index.js';
import { ROOT } from '../support/root.js';
import { call as callWorld, form } from '../support/http.js';

/** Vendors of other kinds, written from the documentation alone: that a pack can say them is what is tested. */

type Body = Readonly<Record<string, unknown>>;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const KEY = 'key_of_the_tests';
const T0 = '2025-01-01T00:00:00Z';

/** A sandbox of a small pack, and something that receives its webhooks. */
class Vendor {
  readonly received: Received[] = [];
  /** What the receiver answers. */
  status = 200;
  readonly #server: Server;

  private constructor(
    readonly sandbox: Sandbox,
    private readonly scheme: 'Bearer' | 'Basic',
    private readonly sends: 'form' | 'json',
  ) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.received.push({ headers: request.headers, text: Buffer.concat(chunks).toString('utf8') });
        response.writeHead(this.status).end();
      });
    });
  }

  static async of(name: string, scheme: 'Bearer' | 'Basic', sends: 'form' | 'json'): Promise<Vendor> {
    const sandbox = await createSandbox({ pack: join(ROOT, 'test', 'packs', name), key: KEY, t0: T0 });
    const vendor = new Vendor(sandbox, scheme, sends);
    await new Promise<void>((resolve) => vendor.#server.listen(0, '127.0.0.1', resolve));
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`;
  }

  async call(method: string, path: string, body?: Body, headers: Record<string, string> = {}): Promise<Body> {
    const basic = { Authorization: `Basic ${Buffer.from(`${KEY}:`).toString('base64')}` };
    const sent = body && this.sends === 'form' ? form(body as Record<string, string>) : body;
    const all = { ...(this.scheme === 'Basic' ? basic : {}), ...headers };
    const response = await callWorld(this.sandbox, `${method} ${path}`, sent, all);
    return { http: response.status, ...response.body };
  }

  async close(): Promise<void> {
    await this.sandbox.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

test.each(['texts', 'letters', 'keyring', 'forge'])('%s has no problem, not even a warning', (name) => {
  const { problems, source } = loadPack(join(ROOT, 'test', 'packs', name));
  expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
});

describe('texts', () => {
  let texts: Vendor;

  beforeAll(async () => {
    texts = await Vendor.of('texts', 'Basic', 'form');
  });
  afterAll(() => texts.close());
  beforeEach(async () => {
    await texts.sandbox.control.reset({ t0: T0 });
    texts.received.length = 0;
    await texts.call('POST', '/2010/numbers', { phone: '+15551230001' });
  });

  const message = { from: '+15551230001', to: '+15557654321', body: 'Hello' };

  test('a callback of one message gets signed news of it, and only of it', async () => {
    const { sid } = await texts.call('POST', '/2010/messages', { ...message, status_callback: texts.url });
    await texts.call('POST', '/2010/messages', message);
    await texts.sandbox.control.advance('10s');
    await texts.sandbox.control.flush();
    const told = texts.received.map(({ text }) => JSON.parse(text) as Body);
    expect(told.map((each) => [each['message_sid'], (each['message'] as Body)['status']])).toEqual([
      [sid, 'sent'],
      [sid, 'delivered'],
    ]);
    const { callbacks } = await texts.sandbox.control
      .call('GET', '/state?resource=callbacks')
      .then(({ resources }) => resources as { readonly callbacks: readonly { readonly secret: string }[] });
    const [{ headers, text }] = texts.received;
    const signature = createHmac('sha256', callbacks[0].secret)
      .update(texts.url + text)
      .digest('base64');
    expect(headers['x-text-signature']).toBe(signature);
  });

  test('a bearer is refused: the vendor takes basic authentication only', async () => {
    const answer = await fetch(`${texts.sandbox.url}/2010/messages`, { headers: { Authorization: `Bearer ${KEY}` } });
    expect([answer.status, await answer.json()]).toEqual([401, { code: 20003, status: 401, message: 'Authenticate' }]);
  });

  test.each([
    [message, 10, 'delivered', null],
    [{ ...message, to: '+15005550009' }, 2, 'failed', 30006],
    [{ ...message, to: '+15005550010' }, 10, 'undelivered', 30003],
    [{ ...message, body: 'x'.repeat(161) }, 2, 'sent', null],
  ])('%o after %d s is %s', async (form, seconds, status, code) => {
    const { sid } = await texts.call('POST', '/2010/messages', form);
    await texts.sandbox.control.advance(`${seconds}s`);
    expect(await texts.call('GET', `/2010/messages/${String(sid)}`)).toMatchObject({
      status,
      error_code: code,
      segments: form.body.length > 160 ? 2 : 1,
    });
  });

  test('who answers STOP gets no more texts until START', async () => {
    const answered = (body: string): Promise<Body> =>
      texts.sandbox.control.event('message.received', { from: message.to, to: message.from, body });
    await answered('stop');
    expect(await texts.call('POST', '/2010/messages', message)).toMatchObject({ http: 400, code: 21610 });
    await answered('Start');
    expect(await texts.call('POST', '/2010/messages', message)).toMatchObject({ http: 201, status: 'queued' });
  });

  test('a queued message can be canceled, a sent one cannot', async () => {
    const one = await texts.call('POST', '/2010/messages', message);
    const canceled = await texts.call('POST', `/2010/messages/${String(one['sid'])}/cancel`);
    expect(canceled).toMatchObject({ http: 200, status: 'canceled' });
    const two = await texts.call('POST', '/2010/messages', message);
    await texts.sandbox.control.advance('2s');
    const refused = await texts.call('POST', `/2010/messages/${String(two['sid'])}/cancel`);
    expect(refused).toEqual({
      http: 409,
      code: 20009,
      status: 409,
      message: 'A message that is sent cannot be canceled',
    });
  });
});

describe('letters', () => {
  let letters: Vendor;

  beforeAll(async () => {
    letters = await Vendor.of('letters', 'Bearer', 'json');
  });
  afterAll(() => letters.close());
  beforeEach(async () => {
    await letters.sandbox.control.reset({ t0: T0 });
    letters.received.length = 0;
    letters.status = 200;
    const { id } = await letters.call('POST', '/v3/domains', { name: 'shop.test' });
    await letters.call('POST', `/v3/domains/${String(id)}/verify`);
    await letters.sandbox.control.advance('10m');
  });

  const mail = (...to: string[]): Body => ({ from: 'a@shop.test', to, subject: 'Hi', text: 'Hello' });

  test('a batch: one mail for each recipient, webhooks that a standard library verifies', async () => {
    const hook = await letters.call('POST', '/v3/webhooks', {
      url: letters.url,
      events: ['mail.bounced', 'mail.delivered'],
    });
    const batch = await letters.call('POST', '/v3/batches', {
      mails: [mail('b@home.test', 'c@home.test'), mail('bounced@letters.test')],
    });
    expect(batch).toMatchObject({ http: 202, data: [{}, {}, {}] });
    await letters.sandbox.control.advance('1s');
    await letters.sandbox.control.flush();
    const verifier = new Webhook(String(hook['secret']));
    const types = letters.received.map(({ headers, text }) => {
      const sent = verifier.verify(text, headers as Record<string, string>) as { readonly type: string };
      return sent.type;
    });
    expect(types.sort()).toEqual(['mail.bounced', 'mail.delivered', 'mail.delivered']);
    expect(await letters.call('GET', `/v3/batches/${String(batch['id'])}`)).toMatchObject({ delivered: 2, bounced: 1 });
  });

  test('a batch in which one mail is refused sends none', async () => {
    const refused = await letters.call('POST', '/v3/batches', {
      mails: [mail('b@home.test'), { ...mail('c@home.test'), from: 'a@other.test' }],
    });
    expect(refused).toMatchObject({ http: 403, name: 'domain_not_verified', message: 'other.test is not verified' });
    expect(await letters.call('GET', '/v3/mails')).toMatchObject({ data: [] });
  });

  test('every problem of a call is told at once', async () => {
    const refused = await letters.call('POST', '/v3/mails', { to: [], subject: 7 });
    expect(refused).toMatchObject({ http: 422, name: 'validation_error' });
    const params = (refused['problems'] as readonly { readonly param: string }[]).map(({ param }) => param);
    expect(params.sort()).toEqual(['from', 'subject', 'to']);
  });

  test('an idempotent call that failed runs again, one that succeeded is repeated', async () => {
    const key = { 'Idempotency-Key': 'once' };
    expect(
      await letters.call('POST', '/v3/mails', { ...mail('b@home.test'), from: 'a@other.test' }, key),
    ).toMatchObject({
      http: 403,
    });
    const first = await letters.call('POST', '/v3/mails', mail('b@home.test'), key);
    expect(first).toMatchObject({ http: 202 });
    expect(await letters.call('POST', '/v3/mails', mail('b@home.test'), key)).toEqual(first);
  });

  test('a webhook that nobody answers is disabled, and can be enabled again', async () => {
    letters.status = 500;
    const { id } = await letters.call('POST', '/v3/webhooks', { url: letters.url, events: ['mail.sent'] });
    await letters.call('POST', '/v3/mails', mail('b@home.test'));
    for (let attempt = 0; attempt < 4; attempt++) {
      await letters.sandbox.control.flush();
      await letters.sandbox.control.advance('30m');
    }
    expect(letters.received).toHaveLength(4);
    expect(await letters.call('GET', `/v3/webhooks/${String(id)}`)).toMatchObject({ status: 'disabled' });
    expect(await letters.call('POST', `/v3/webhooks/${String(id)}/enable`)).toMatchObject({ status: 'enabled' });
  });

  test('who complains or bounces for good gets no more mails; a full mailbox may be tried again', async () => {
    const send = async (to: string): Promise<string> => {
      const { ids } = (await letters.call('POST', '/v3/mails', mail(to))) as { readonly ids?: readonly string[] };
      await letters.sandbox.control.advance('1s');
      return String(ids?.[0]);
    };
    await letters.sandbox.control.event('mail.complained', { mail_id: await send('b@home.test') });
    const statuses: unknown[] = [];
    for (const to of [
      'B@home.test',
      'full@letters.test',
      'full@letters.test',
      'bounced@letters.test',
      'bounced@letters.test',
    ])
      statuses.push((await letters.call('GET', `/v3/mails/${await send(to)}`))['status']);
    expect(statuses).toEqual(['dropped', 'bounced', 'bounced', 'bounced', 'dropped']);
  });
});

describe('keyring', () => {
  let keyring: Vendor;

  beforeAll(async () => {
    keyring = await Vendor.of('keyring', 'Basic', 'form');
  });
  afterAll(() => keyring.close());
  beforeEach(async () => {
    await keyring.sandbox.control.reset({ t0: T0 });
    keyring.received.length = 0;
  });

  const ANN = { username: 'ann@home.test', password: 'correct horse' };

  const token = (form: Body): Promise<Body> => keyring.call('POST', '/oauth/token', form);
  const signIn = (form: Body = {}): Promise<Body> => token({ grant_type: 'password', ...ANN, ...form });
  const isActive = async (access: unknown): Promise<unknown> =>
    (await keyring.call('POST', '/oauth/introspect', { token: access }))['active'];

  async function ann(more: Body = {}): Promise<Body> {
    return keyring.call('POST', '/users', { email: ANN.username, password: ANN.password, ...more });
  }

  test('an access token ends after its time, a session after its own', async () => {
    await ann();
    const { access_token, refresh_token } = await signIn();
    await keyring.sandbox.control.advance('899s');
    expect(await isActive(access_token)).toBe(true);
    await keyring.sandbox.control.advance('1s');
    expect(await isActive(access_token)).toBe(false);
    const next = await token({ grant_type: 'refresh_token', refresh_token });
    expect(next).toMatchObject({ http: 200, expires_in: 900 });
    await keyring.sandbox.control.advance('30d');
    expect(await keyring.call('GET', '/sessions')).toMatchObject({ items: [{ status: 'expired' }] });
    const late = await token({ grant_type: 'refresh_token', refresh_token: next['refresh_token'] });
    expect(late).toEqual({ http: 400, error: 'invalid_grant', error_description: 'The session is over' });
  });

  test('refreshing while the token still lasts starts its time anew', async () => {
    await ann();
    const { refresh_token } = await signIn();
    await keyring.sandbox.control.advance('10m');
    const { access_token } = await token({ grant_type: 'refresh_token', refresh_token });
    await keyring.sandbox.control.advance('10m');
    expect(await isActive(access_token)).toBe(true);
  });

  test('a revoked token is over, and revoking what does not exist is no error', async () => {
    await ann();
    const { access_token } = await signIn();
    expect(await keyring.call('POST', '/oauth/revoke', { token: access_token })).toEqual({ http: 200 });
    expect(await isActive(access_token)).toBe(false);
    expect(await keyring.call('POST', '/oauth/revoke', { token: 'nobody' })).toEqual({ http: 200 });
  });

  test('three wrong passwords lock a user, a right one in between forgives', async () => {
    const { id } = await ann();
    const status = async (): Promise<unknown> => (await keyring.call('GET', `/users/${String(id)}`))['status'];
    for (const password of ['a', 'b', ANN.password, 'c', 'd']) await signIn({ password });
    expect(await status()).toBe('active');
    await signIn({ password: 'e' });
    expect(await status()).toBe('locked');
    expect(await signIn()).toMatchObject({ http: 400, error_description: 'The user is locked' });
    await keyring.sandbox.control.event('user.unlocked', { user_id: id });
    expect(await signIn()).toMatchObject({ http: 200 });
  });

  test('the second factor: three attempts, five minutes', async () => {
    await ann({ mfa: 'true' });
    await keyring.sandbox.control.pin({ resource: 'challenges', path: 'code', value: '123456' });
    const pass = async (code: string, challenge: unknown): Promise<Body> =>
      token({ grant_type: 'mfa', challenge, code });
    const { challenge } = await signIn();
    expect(await pass('000000', challenge)).toMatchObject({ http: 400, error: 'invalid_code', attempts_left: 2 });
    expect(await pass('123456', challenge)).toMatchObject({ http: 200, token_type: 'Bearer' });
    const second = (await signIn())['challenge'];
    for (const code of ['1', '2', '3']) await pass(code, second);
    expect(await pass('123456', second)).toMatchObject({ error: 'invalid_grant' });
    const third = (await signIn())['challenge'];
    await keyring.sandbox.control.advance('5m');
    expect(await pass('123456', third)).toMatchObject({ error: 'invalid_grant' });
  });

  test('webhooks tell what happened to users and sessions', async () => {
    await keyring.call('POST', '/hooks', { url: keyring.url });
    const { id } = await ann();
    await signIn();
    await keyring.call('POST', `/users/${String(id)}/block`);
    await keyring.sandbox.control.flush();
    const told = keyring.received.map(({ text }) => (JSON.parse(text) as { readonly event: string }).event);
    expect(told).toEqual(['user.created', 'session.created', 'user.blocked', 'session.revoked']);
  });

  test('passwords and tokens are never shown', async () => {
    const user = await ann();
    await signIn();
    const shown = JSON.stringify([user, await keyring.call('GET', '/users'), await keyring.call('GET', '/sessions')]);
    expect(shown).not.toMatch(/correct horse|at_|rt_/);
  });
});
