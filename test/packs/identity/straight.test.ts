import * as oidc from 'openid-client';
import { type Company, createCompany } from '../../../engine/index.js';
import { Visitor } from '../../support/visitor.js';
import { useSandboxes } from '../../support/start-sandbox.js';
import { ANN, begun, CALLBACK, serveIdentity } from './served.js';

/** Signing in without detours: at once, side by side, under one issuer whatever the address, and as the people of a company. */

const { id, begin, finish } = serveIdentity({ vars: { skip_login: 'hint' } });
const { keep } = useSandboxes();
const PEOPLE = ['ben', 'cleo', 'dora', 'emil'];
const CHAT_APP = { client_id: '1000000000.2000000000', client_secret: 'sandbox-client-secret' };

describe('at once', () => {
  beforeEach(() => Promise.all(PEOPLE.map((name) => id.body('POST /api/v2/users', { connection: 'Username-Password-Authentication', email: `${name}@example.com`, name }))));

  test('login_hint signs each test in as its own user, side by side', async () => {
    const emails = await Promise.all(
      [...PEOPLE, ...PEOPLE].map(async (name) => (await finish(await begin('web', { login_hint: `${name}@example.com` }))).claims()?.['email']),
    );
    expect(emails).toEqual([...PEOPLE, ...PEOPLE].map((name) => `${name}@example.com`));
  });

  test('an unknown hint leads to the page, with the name filled in', async () => {
    const { visitor } = await begin('web', { login_hint: 'nobody@example.com' });
    expect(visitor.seen.html).toContain('value="nobody@example.com"');
  });

  test('a redirect has the session in its cookie alone', async () => {
    const query = new URLSearchParams({ client_id: 'web', redirect_uri: CALLBACK, response_type: 'code', scope: 'openid', login_hint: ANN.email });
    // As a form of a page posts: with an origin, beside whose headers none is lost.
    const headers = { origin: id.url };
    const response = await fetch(`${id.url}/authorize?${query.toString()}`, { redirect: 'manual', headers });
    const cookies = response.headers.getSetCookie().map((each) => each.split('=')[0]);
    expect([response.status, cookies, await response.text()]).toEqual([302, ['sandbox_session', 'sandbox_person'], 'Found']);
  });

  test('a reset forgets who was signed in: the old cookie is nobody', async () => {
    const { visitor } = await begin('web', { login_hint: ANN.email });
    await id.control.reset({});
    await id.body('POST /api/v2/users', { ...ANN, connection: 'Username-Password-Authentication' });
    expect((await begin('web', {}, visitor)).visitor.seen.html).toContain('Sign in to');
  });
});

describe('one issuer', () => {
  const names = (url: string) => [url, url.replace('localhost', '127.0.0.1'), url.replace('127.0.0.1', 'localhost')];

  test('from both names of this machine: the browser opens one, the backend the other', async () => {
    const [, numeric, named] = names(id.url);
    expect(numeric).not.toBe(named);
    const documents = await Promise.all([numeric, named].map(async (url) => (await fetch(`${url}/.well-known/openid-configuration`)).json()));
    expect(documents[0]).toEqual(documents[1]);
    expect(documents[0]).toMatchObject({ issuer: `${id.url}/` });
    const config = await oidc.discovery(new URL(id.url), 'web', 'secret-of-web', undefined, { execute: [oidc.allowInsecureRequests] });
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const asked = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      login_hint: ANN.email,
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    for (const origin of [numeric, named]) {
      const visitor = new Visitor(origin);
      await visitor.open(asked.href.replace(id.url, origin));
      const tokens = await oidc.authorizationCodeGrant(config, new URL(visitor.seen.url), { pkceCodeVerifier });
      expect(tokens.claims()?.iss).toBe(`${id.url}/`);
    }
  });

  test('for a container: the public address is in the document, in tokens and in links, at every name', async () => {
    const sandbox = await begun({ publicUrl: 'http://identity.internal:9000' });
    await sandbox.body('POST /api/v2/users', { ...ANN, connection: 'Username-Password-Authentication' });
    const issuers = await Promise.all(
      names(sandbox.url).map(async (url) => ((await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as { issuer: string }).issuer),
    );
    expect(new Set(issuers)).toEqual(new Set(['http://identity.internal:9000/']));
    const form = { grant_type: 'password', client_id: 'web', client_secret: 'secret-of-web', username: ANN.email, password: ANN.password };
    const { body } = await sandbox.call<{ access_token: string }>('POST /oauth/token', new URLSearchParams(form), { authorization: undefined });
    const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString()) as { iss: string };
    expect(claims.iss).toBe('http://identity.internal:9000/');
    await sandbox.close();
  });

  test('after a restart at the same port with the same seed: the same issuer and keys', async () => {
    const first = await begun({ seed: 'stable' });
    const port = Number(new URL(first.url).port);
    const keysOf = async (url: string) => (await fetch(`${url}/.well-known/jwks.json`)).text();
    const before = await keysOf(first.url);
    await first.close();
    const second = await begun({ seed: 'stable', port });
    expect(second.url).toBe(first.url);
    expect(await keysOf(second.url)).toBe(before);
    await second.close();
  });
});

describe('a company', () => {
  let company: Company;
  beforeEach(async () => {
    company = keep(await createCompany({ file: 'test/companies/entrance.yaml' }));
  });

  test('its people are users of the provider and of the other vendors, and one click signs in as them', async () => {
    const { sso, chat } = company.vendors;
    const visitor = new Visitor(sso.url);
    await visitor.open(`/authorize?client_id=web&response_type=code&scope=openid%20email&redirect_uri=${encodeURIComponent(CALLBACK)}`);
    for (const name of ['Ada Byron', 'Bob Baker']) expect(visitor.seen.html).toContain(`>${name}</button>`);
    await visitor.press('Ada Byron');
    const code = String(new URL(visitor.seen.url).searchParams.get('code'));
    const form = { grant_type: 'authorization_code', client_id: 'web', client_secret: 'secret-of-web', code, redirect_uri: CALLBACK };
    const response = await fetch(`${sso.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { id_token } = (await response.json()) as { id_token: string };
    expect(JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString())).toMatchObject({ email: 'ada@entrance.test' });
    const users = await fetch(`${chat.url}/api/users.list`, { headers: { authorization: `Bearer ${chat.key}` } });
    expect(JSON.stringify(await users.json())).toContain('ada@entrance.test');
  });

  test('who is signed in at the provider is the person on pages of the other vendors, and a test may name somebody', async () => {
    const { sso, chat } = company.vendors;
    const visitor = new Visitor(sso.url);
    await visitor.open(`/authorize?client_id=web&response_type=code&scope=openid&redirect_uri=${encodeURIComponent(CALLBACK)}`);
    await visitor.press('Bob Baker');
    // Browsers share cookies between the ports of one host.
    const there = new Visitor(chat.url);
    for (const [name, value] of visitor.cookies) there.cookies.set(name, value);
    const install = `/oauth/v2/authorize?client_id=${CHAT_APP.client_id}&scope=chat:write&user_scope=chat:write&redirect_uri=${encodeURIComponent('https://app.example/back')}`;
    const installedBy = async (code: string | null) => {
      const form = new URLSearchParams({ ...CHAT_APP, code: String(code), redirect_uri: 'https://app.example/back' });
      const response = await fetch(`${chat.url}/api/oauth.v2.access`, { method: 'POST', body: form });
      return ((await response.json()) as { authed_user?: { id?: string } }).authed_user?.id;
    };
    const codeOf = (url: string) => new URL(url).searchParams.get('code');
    await there.open(install);
    expect(there.seen.html).toContain('<option value="U0BOB" selected');
    await there.press('Allow');
    expect(await installedBy(codeOf(there.seen.url))).toBe('U0BOB');
    await there.open(install);
    await there.press('Allow', { person: 'U0ADA' });
    expect(await installedBy(codeOf(there.seen.url))).toBe('U0ADA');
    const { headers } = await fetch(`${chat.url}${install}&sandbox_user=ada@entrance.test`, { redirect: 'manual' });
    expect(await installedBy(codeOf(String(headers.get('location'))))).toBe('U0ADA');
    await visitor.open(`/oidc/logout?client_id=web`);
    expect([...visitor.cookies.keys()]).not.toContain('sandbox_person');
  });

  test('somebody who is blocked is reported in the chat, and a year of the company lives', async () => {
    const { sso, chat } = company.vendors;
    const [user] = (await (await fetch(`${sso.url}/api/v2/users-by-email?email=bob@entrance.test`, { headers: { authorization: `Bearer ${sso.key}` } })).json()) as { user_id: string }[];
    await sso.control.event('user.blocked', { user_id: user.user_id });
    const channels = await fetch(`${chat.url}/api/conversations.list`, { headers: { authorization: `Bearer ${chat.key}` } });
    const { channels: all } = (await channels.json()) as { channels: { id: string; name: string }[] };
    const security = all.find(({ name }) => name === 'security');
    const history = await fetch(`${chat.url}/api/conversations.history?channel=${security?.id}`, { headers: { authorization: `Bearer ${chat.key}` } });
    expect(JSON.stringify(await history.json())).toContain('bob@entrance.test is blocked');
    const { actors } = await company.live('2026-06-01');
    expect(Object.keys(actors).length).toBeGreaterThan(0);
  });
});
