import { createHmac } from 'node:crypto';
import type { OauthV2AccessResponse, WebClient } from '@slack/web-api';
import { BOT, clientOf, GENERAL, keyAs, OWNER, rejected, rejection, serveChat } from './served.js';

/** Installations of the app, its tokens and what they may do, by the vendor's own client; and events that are sent again. */

const sandbox = serveChat();
const APP = { client_id: '1000000000.2000000000', client_secret: 'sandbox-client-secret' };
const BACK = 'https://app.example.com/back';
let nobody: WebClient;
beforeAll(() => {
  nobody = new (sandbox.client.constructor as typeof WebClient)(undefined, {
    slackApiUrl: `${sandbox.url}/api/`,
    retryConfig: { retries: 0 },
  });
});

const access = (args: Record<string, string>): Promise<OauthV2AccessResponse> =>
  nobody.oauth.v2.access({ ...APP, ...args });

/** Asks to install the app. @returns the address of the page where the person decides */
async function asked(more: Record<string, string> = {}): Promise<string> {
  const about = { client_id: APP.client_id, scope: 'chat:write,channels:read', redirect_uri: BACK, state: 'a b', ...more };
  const query = new URLSearchParams(about).toString();
  const { headers } = await fetch(`${sandbox.url}/oauth/v2/authorize?${query}`, { redirect: 'manual' });
  return String(headers.get('location'));
}

/** The person decides with a button of the page. @returns what the browser brings back to the app */
async function decided(page: string, button: 'Allow' | 'Cancel'): Promise<Record<string, string>> {
  const text = await (await fetch(page)).text();
  const form = text.split('<form').find((each) => each.includes(`>${button}</button>`)) ?? '';
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]): [string, string] => [name, value.replaceAll('&quot;', '"')]);
  const { headers } = await fetch(page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const back = new URL(String(headers.get('location')));
  expect(back.origin + back.pathname).toBe(BACK);
  return Object.fromEntries(back.searchParams);
}

/** The code of an installation that a person allows. */
async function codeOf(more: Record<string, string> = {}): Promise<string> {
  const { code, state } = await decided(await asked(more), 'Allow');
  expect(state).toBe('a b');
  return code;
}

/** Tokens of an installation whose tokens rotate. */
async function rotating(): Promise<OauthV2AccessResponse> {
  const scopes = ['chat:write'];
  await sandbox.control.event('app.authorized', { user_id: OWNER, code: 'turns', scopes, rotates: true });
  return access({ code: 'turns' });
}

describe('an installation', () => {
  test('gives a token of the bot and one of the person, with the scopes that were asked for', async () => {
    const made = await access({ code: await codeOf({ user_scope: 'search:read' }), redirect_uri: BACK });
    expect(made).toMatchObject({
      token_type: 'bot',
      scope: 'chat:write,channels:read',
      bot_user_id: BOT,
      team: { name: 'Sandbox' },
      authed_user: { id: OWNER, scope: 'search:read', token_type: 'user' },
    });
    expect(made.expires_in).toBeUndefined();
    const bot = clientOf(sandbox, made.access_token);
    expect(await bot.auth.test()).toMatchObject({ user_id: BOT, response_metadata: { scopes: ['chat:write', 'channels:read'] } });
    const person = clientOf(sandbox, made.authed_user?.access_token);
    expect((await person.search.messages({ query: 'x' })).messages?.total).toBe(0);
    expect((await person.auth.test()).user_id).toBe(OWNER);
  });

  test('takes the id and the secret as Basic as well', async () => {
    const basic = Buffer.from(`${APP.client_id}:${APP.client_secret}`).toString('base64');
    const body = new URLSearchParams({ code: await codeOf() });
    const headers = { Authorization: `Basic ${basic}` };
    const response = await fetch(`${sandbox.url}/api/oauth.v2.access`, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ ok: true, token_type: 'bot' });
  });

  test('that the person declines comes back with an error and has no code', async () => {
    expect(await decided(await asked(), 'Cancel')).toEqual({ error: 'access_denied', state: 'a b' });
  });

  test.each([
    ['another id of the app', { client_id: '1.2' }, 'invalid_client_id'],
    ['a wrong secret', { client_secret: 'guess' }, 'bad_client_secret'],
    ['an unknown code', { code: 'guess' }, 'invalid_code'],
    ['another address', { redirect_uri: 'https://other.example.com/' }, 'bad_redirect_uri'],
    ['another kind of grant', { grant_type: 'password' }, 'invalid_grant_type'],
    ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'xoxe-1-guess' }, 'invalid_refresh_token'],
  ])('is not exchanged with %s', async (_, args, error) => {
    const code = await codeOf();
    expect(await rejection(access({ code, ...args }))).toBe(error);
    expect((await access({ code })).ok).toBe(true);
  });

  test('has a code that is exchanged once, within ten minutes, after the person allowed it', async () => {
    const code = await codeOf();
    await access({ code });
    expect(await rejection(access({ code }))).toBe('code_already_used');
    const late = await codeOf();
    await sandbox.control.advance('10m');
    expect(await rejection(access({ code: late }))).toBe('invalid_code');
    await asked();
    const { resources } = await sandbox.control.state('installations');
    const { installations } = resources as unknown as { installations: { code: string }[] };
    expect(await rejection(access({ code: String(installations.at(-1)?.code) }))).toBe('invalid_code');
  });
});

describe('a rotated token', () => {
  test('ends after twelve hours; its refresh token gives a pair, once, and the old token lives on', async () => {
    const first = await rotating();
    expect(first).toMatchObject({ expires_in: 43_200, refresh_token: expect.stringMatching(/^xoxe-1-/) });
    expect(first.access_token).toMatch(/^xoxe\.xoxb-/);
    await sandbox.control.advance('11h');
    const refresh = { grant_type: 'refresh_token', refresh_token: String(first.refresh_token) };
    const second = await access(refresh);
    expect([second.scope, second.access_token === first.access_token]).toEqual(['chat:write', false]);
    expect(await rejection(access(refresh))).toBe('invalid_refresh_token');
    const [old, fresh] = [first, second].map(({ access_token: token }) => clientOf(sandbox, token));
    expect([await old.auth.test(), await fresh.auth.test()]).toMatchObject([{ expires_in: 3600 }, { expires_in: 43_200 }]);
    await sandbox.control.advance('1h');
    expect(await rejection(old.auth.test())).toBe('token_expired');
    expect((await fresh.auth.test()).user_id).toBe(BOT);
  });
});

describe('tokens end', () => {
  const ends: [string, (token: string) => Promise<unknown>][] = [
    ['auth.revoke', (token) => clientOf(sandbox, token).auth.revoke()],
    ['an app that is removed', () => sandbox.control.event('app.uninstalled')],
    ['apps.uninstall', (token) => clientOf(sandbox, token).apps.uninstall({ ...APP })],
  ];
  test.each(ends)('by %s', async (_, end) => {
    for (const [kind, error] of [
      ['bot', 'account_inactive'],
      ['user', 'token_revoked'],
    ]) {
      const made = await access({ code: await codeOf({ user_scope: 'chat:write' }) });
      const token = String(kind === 'bot' ? made.access_token : made.authed_user?.access_token);
      const client = clientOf(sandbox, token);
      await client.auth.revoke({ test: true });
      expect((await client.auth.test()).ok).toBe(true);
      await end(token);
      expect(await rejection(client.auth.test())).toBe(error);
    }
  });

  test('and the app hears of it', async () => {
    await sandbox.control.endpoint({ url: sandbox.receiver.url });
    const made = await access({ code: await codeOf() });
    await clientOf(sandbox, made.access_token).auth.revoke();
    await sandbox.control.flush();
    const [{ body }] = sandbox.receiver.received;
    expect(JSON.parse(body)).toMatchObject({ event: { type: 'tokens_revoked', tokens: { oauth: [], bot: [BOT] } } });
  });
});

describe('scopes', () => {
  const READER = 'channels:read,channels:history';
  const ANNA = 'chat:write,groups:read,groups:history,search:read';
  test.each([
    ['xoxb-reader', 'chat.postMessage', { channel: GENERAL, text: 'x' }, 'chat:write', READER],
    ['xoxb-reader', 'users.info', { user: OWNER }, 'users:read', READER],
    ['xoxb-reader', 'reactions.add', { channel: GENERAL, timestamp: '1.1', name: 'tada' }, 'reactions:write', READER],
    ['xoxb-reader', 'conversations.list', { types: 'public_channel,private_channel' }, 'channels:read,groups:read', READER],
    ['xoxp-anna', 'conversations.info', { channel: GENERAL }, 'channels:read', ANNA],
    ['xoxp-anna', 'conversations.history', { channel: GENERAL }, 'channels:history', ANNA],
  ])('%s may not %s', async (token, method, args, needed, provided) => {
    await sandbox.control.seed({ name: 'closed-doors' });
    expect(await rejected(clientOf(sandbox, token).apiCall(method, args))).toMatchObject({ error: 'missing_scope', needed, provided });
  });

  test('what they allow is done, by the kind of the conversation', async () => {
    await sandbox.control.seed({ name: 'closed-doors' });
    const [reader, anna] = ['xoxb-reader', 'xoxp-anna'].map((token) => clientOf(sandbox, token));
    expect((await reader.conversations.info({ channel: GENERAL })).channel?.name).toBe('general');
    expect((await anna.conversations.history({ channel: 'C01SECRET' })).messages).toEqual([]);
    expect(await rejection(reader.conversations.info({ channel: 'C01SECRET' }))).toBe('channel_not_found');
  });
});

describe('an event that the app does not take', () => {
  let ts: string;
  let secret: string;
  beforeEach(async () => {
    secret = String((await sandbox.control.endpoint({ url: sandbox.receiver.url })).secret);
    await sandbox.client.conversations.join({ channel: GENERAL });
    ts = String((await sandbox.client.chat.postMessage({ channel: GENERAL, text: 'Well?' })).ts);
    await sandbox.control.flush();
    sandbox.receiver.clear();
  });

  /** Somebody reacts; then simulated time passes. @returns the number and the reason of each attempt */
  async function attempts(...waits: string[]): Promise<(string | undefined)[][]> {
    await clientOf(sandbox, keyAs(sandbox, 'xoxp-')).reactions.add({ channel: GENERAL, timestamp: ts, name: 'tada' });
    await sandbox.control.flush();
    for (const wait of waits) {
      await sandbox.control.advance(wait);
      await sandbox.control.flush();
    }
    return sandbox.receiver.received.map(({ headers }) => [
      headers['x-slack-retry-num'] as string | undefined,
      headers['x-slack-retry-reason'] as string | undefined,
    ]);
  }

  const FIRST = [undefined, undefined];
  test.each([
    ['by its status', [500], ['http_error', 'http_error', 'http_error']],
    ['by its status, once', [503, 200], ['http_error']],
  ])('%s comes again at once, after a minute and after five', async (_, statuses, reasons) => {
    sandbox.receiver.answer(...statuses);
    const again = reasons.map((reason, index) => [String(index + 1), reason]);
    expect(await attempts('1s', '1m', '5m', '1h')).toEqual([FIRST, ...again]);
  });

  test('for it closes the connection says so', async () => {
    let count = 0;
    sandbox.receiver.reply = (response) => void (count++ === 0 ? response.destroy() : response.end());
    expect(await attempts('1s')).toEqual([FIRST, ['1', 'connection_failed']]);
  });

  test('for it takes more than three seconds says so', async () => {
    let count = 0;
    sandbox.receiver.reply = (response) => void (count++ === 0 || response.end());
    expect(await attempts('1s')).toEqual([FIRST, ['1', 'http_timeout']]);
  });

  test('and wants no more, comes no more', async () => {
    sandbox.receiver.reply = (response) => void response.writeHead(500, { 'X-Slack-No-Retry': '1' }).end();
    expect(await attempts('1s', '1m', '5m')).toEqual([FIRST]);
  });

  test('is the same event each time, signed anew', async () => {
    sandbox.receiver.answer(500, 200);
    await attempts('1s');
    const ids = sandbox.receiver.received.map(({ body }) => (JSON.parse(body) as { event_id: string }).event_id);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    for (const { headers, body } of sandbox.receiver.received) {
      const signed = `v0:${String(headers['x-slack-request-timestamp'])}:${body}`;
      const signature = createHmac('sha256', secret).update(signed).digest('hex');
      expect(headers['x-slack-signature']).toBe(`v0=${signature}`);
    }
  });
});
