import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { type Bug, replayBug } from '../../../engine/index.js';
import { made, TestSandbox } from '../../support/start-sandbox.js';
import { Visitor } from '../../support/visitor.js';
import { ANN, CALLBACK, rejection, serveIdentity } from './served.js';

/** The identity pack under `openid-client` and `jose`, as they come. */

const { id, configOf, begin, finish, signedIn } = serveIdentity();

test('somebody signs in at the page: code with PKCE, claims, userinfo, refresh, logout', async () => {
  const flow = await begin();
  const { visitor, config } = flow;
  expect(visitor.seen.html).toContain('<h1>Sign in to Web application</h1>');
  await visitor.press('Continue', { username: ANN.email, password: 'wrong' });
  expect(visitor.seen.html).toContain('role="alert">Wrong email or password.');
  await visitor.press('Continue', { username: 'ANN@example.com', password: ANN.password });
  const tokens = await finish(flow);
  const claims = tokens.claims();
  expect(claims).toMatchObject({ iss: `${id.url}/`, aud: 'web', email: ANN.email, email_verified: false, name: 'Ann' });
  const keys = createRemoteJWKSet(new URL(`${id.url}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(tokens.access_token, keys, { issuer: `${id.url}/`, audience: `${id.url}/userinfo` });
  expect(payload).toMatchObject({ sub: claims?.sub, azp: 'web' });
  const info = await oidc.fetchUserInfo(config, tokens.access_token, String(claims?.sub));
  expect(info).toMatchObject({ sub: claims?.sub, email: ANN.email, nickname: 'ann' });
  const renewed = await oidc.refreshTokenGrant(config, String(tokens.refresh_token));
  expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
  const again = await begin('web', {}, visitor);
  expect((await finish(again)).claims()?.sub).toBe(claims?.sub);
  const out = oidc.buildEndSessionUrl(config, {
    post_logout_redirect_uri: 'http://localhost:3000/',
    id_token_hint: String(tokens.id_token),
    state: 'bye',
  });
  expect((await visitor.open(out.href)).url).toBe('http://localhost:3000/?state=bye');
  expect((await begin('web', {}, visitor)).visitor.seen.url).toContain('/u/login/');
});

test.each(['RS256', 'ES256', 'HS256'])('ID tokens with %s', async (alg) => {
  await id.body('PATCH /api/v2/clients/web', { jwt_configuration: { alg } });
  const { tokens } = await signedIn().catch(async (error: unknown) => {
    if (alg === 'RS256') throw error;
    const flow = await begin('web', { sandbox_user: ANN.email });
    const config = await configOf('web');
    Object.assign(config.clientMetadata(), { id_token_signed_response_alg: alg });
    return { tokens: await finish({ ...flow, config: await configFor(alg) }) };
  });
  expect(tokens.claims()?.aud).toBe('web');
});

const configFor = (alg: string) =>
  oidc.discovery(
    new URL(id.url),
    'web',
    { client_secret: 'secret-of-web', id_token_signed_response_alg: alg },
    undefined,
    { execute: [oidc.allowInsecureRequests] },
  );

test('a public client; a button signs in at once; different users in parallel', async () => {
  await id.body('POST /api/v2/users', { connection: 'Username-Password-Authentication', email: 'ben@example.com', name: 'Ben' });
  const emails = await Promise.all(
    ['ann', 'ben'].map(async (name) => {
      const flow = await begin('spa', { sandbox_user: `${name}@example.com` });
      return (await finish(flow)).claims()?.['email'];
    }),
  );
  expect(emails).toEqual(['ann@example.com', 'ben@example.com']);
  const flow = await begin('spa');
  expect(flow.visitor.seen.html).toContain('data-testid="user-ben@example.com"');
  await flow.visitor.press('Ben');
  expect((await finish(flow)).claims()?.['email']).toBe('ben@example.com');
});

test('a pin signs in at once', async () => {
  const [{ user_id: user }] = await id.body<{ user_id: string }[]>('GET /api/v2/users');
  await id.control.pin({ resource: 'interactions', path: 'signs_in', value: user });
  expect((await finish(await begin())).claims()?.sub).toBe(user);
});

test('sign up, consent of an application of a partner, cancelling', async () => {
  const flow = await begin('partner', { screen_hint: 'signup' });
  await flow.visitor.press('Sign up', { email: ANN.email, password: 'Long-enough-1' });
  expect(flow.visitor.seen.html).toContain('Somebody has this email already.');
  await flow.visitor.press('Sign up', { email: 'cleo@example.com', name: 'Cleo', password: 'Long-enough-1' });
  expect(flow.visitor.seen.html).toContain('Allow Application of a partner?');
  await flow.visitor.press('Accept');
  expect((await finish(flow)).claims()?.['email']).toBe('cleo@example.com');
  // What was allowed once isn't asked again.
  expect((await finish(await begin('partner', {}, flow.visitor))).claims()?.['name']).toBe('Cleo');
  const denied = await begin('partner', { prompt: 'consent' }, flow.visitor);
  await denied.visitor.press('Decline');
  await expect(finish(denied).catch(rejection)).resolves.toBe('access_denied');
  const cancelled = await begin();
  await cancelled.visitor.press('Cancel');
  await expect(finish(cancelled).catch(rejection)).resolves.toBe('access_denied');
});

describe('prompt and max_age', () => {
  test.each([
    ['nobody is signed in', false, { prompt: 'none' }, 'login_required'],
    ['somebody is', true, { prompt: 'none' }, null],
    ['consent is missing', true, { prompt: 'none', client: 'partner' }, 'consent_required'],
    ['none with another', true, { prompt: 'none login' }, 'invalid_request'],
  ])('%s: %s', async (_, isSignedIn, { client = 'web', ...more }: Record<string, string>, expected) => {
    const visitor = isSignedIn ? (await signedIn()).visitor : new Visitor(id.url);
    const flow = await begin(client, more, visitor);
    await expect(finish(flow).then(() => null, rejection)).resolves.toBe(expected);
  });

  test('login asks again; select_account offers who is there; max_age counts simulated time', async () => {
    const { visitor } = await signedIn();
    expect((await begin('web', { prompt: 'login' }, visitor)).visitor.seen.html).toContain('Sign in to');
    const choosing = await begin('web', { prompt: 'select_account' }, visitor);
    await choosing.visitor.press('Continue as Ann');
    expect((await finish(choosing)).claims()?.['name']).toBe('Ann');
    expect((await finish(await begin('web', { max_age: '60' }, visitor))).claims()?.['name']).toBe('Ann');
    await id.control.advance('2m');
    expect((await begin('web', { max_age: '60' }, visitor)).visitor.seen.html).toContain('Sign in to');
  });
});

describe('what an authorization request may not do', () => {
  test.each([
    ['another redirect', { redirect_uri: 'https://evil.example/callback' }],
    ['a similar redirect', { redirect_uri: 'http://localhost.evil.example/callback' }],
    ['a redirect with a fragment', { redirect_uri: 'http://localhost:3000/callback#part' }],
    ['an unknown client', { client_id: 'nobody' }],
  ])('%s is refused without a redirect', async (_, more) => {
    const { visitor } = await begin('web', more);
    expect(visitor.seen).toMatchObject({ status: 400 });
    expect(visitor.seen.html).toContain('invalid_request');
  });

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'S512' }, 'invalid_request'],
    [{ response_mode: 'web_message' }, 'invalid_request'],
    [{ max_age: 'soon' }, 'invalid_request'],
    [{ request: 'x' }, 'request_not_supported'],
  ])('%j leads back with %s', async (more, error) => {
    const { visitor, checks } = await begin('web', more);
    const { searchParams } = new URL(visitor.seen.url);
    expect([searchParams.get('error'), searchParams.get('state')]).toEqual([error, checks.expectedState]);
  });
});

describe('tokens that are not good', () => {
  test('a code is good once, for a minute, with its verifier, for its client', async () => {
    const flow = await begin('web', { sandbox_user: ANN.email });
    const tokens = await finish(flow);
    await expect(finish(flow).catch(rejection)).resolves.toBe('invalid_grant');
    // What came of it is withdrawn.
    await expect(oidc.refreshTokenGrant(flow.config, String(tokens.refresh_token)).catch(rejection)).resolves.toBe('invalid_grant');
    expect(await id.status('GET /userinfo', undefined, { authorization: `Bearer ${tokens.access_token}` })).toBe(401);
    const wrong = await begin('web', { sandbox_user: ANN.email });
    const checks = { ...wrong.checks, pkceCodeVerifier: oidc.randomPKCECodeVerifier() };
    await expect(finish({ ...wrong, checks }).catch(rejection)).resolves.toBe('invalid_grant');
    const late = await begin('web', { sandbox_user: ANN.email });
    await id.control.advance('2m');
    await expect(finish(late).catch(rejection)).resolves.toBe('invalid_grant');
  });

  test('a refresh token that is used twice ends its family, and the log says so', async () => {
    const { config, tokens } = await signedIn();
    const second = await oidc.refreshTokenGrant(config, String(tokens.refresh_token));
    await expect(oidc.refreshTokenGrant(config, String(tokens.refresh_token)).catch(rejection)).resolves.toBe('invalid_grant');
    await expect(oidc.refreshTokenGrant(config, String(second.refresh_token)).catch(rejection)).resolves.toBe('invalid_grant');
    const logs = await id.body<{ type: string }[]>('GET /api/v2/logs');
    expect(logs.map(({ type }) => type)).toContain('ferrt');
  });

  test('a client must prove itself, and may only do what it is for', async () => {
    const config = await oidc.discovery(new URL(id.url), 'web', 'wrong', undefined, { execute: [oidc.allowInsecureRequests] });
    await expect(oidc.clientCredentialsGrant(config, { audience: 'https://api.example.com' }).catch(rejection)).resolves.toBe('invalid_client');
    const spa = await configOf('spa');
    await expect(oidc.clientCredentialsGrant(spa, { audience: 'x' }).catch(rejection)).resolves.toBe('unauthorized_client');
  });
});

test('client credentials have the scopes of the API; introspection and revocation', async () => {
  const config = await configOf('service');
  const tokens = await oidc.clientCredentialsGrant(config, { audience: 'https://api.example.com', scope: 'read:orders other' });
  expect(tokens.scope).toBe('read:orders');
  const { payload } = await jwtVerify(tokens.access_token, createRemoteJWKSet(new URL(`${id.url}/.well-known/jwks.json`)), {
    audience: 'https://api.example.com',
  });
  expect(payload).toMatchObject({ sub: 'service@clients', gty: 'client-credentials' });
  expect(await oidc.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true, scope: 'read:orders' });
  await oidc.tokenRevocation(config, tokens.access_token);
  expect(await oidc.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
});

test('a device waits until somebody connects it', async () => {
  const config = await configOf('spa');
  const device = await oidc.initiateDeviceAuthorization(config, { scope: 'openid profile' });
  const visitor = new Visitor(id.url);
  const poll = () => oidc.genericGrantRequest(config, 'urn:ietf:params:oauth:grant-type:device_code', { device_code: device.device_code });
  await expect(poll().catch(rejection)).resolves.toBe('authorization_pending');
  await visitor.open(String(device.verification_uri));
  await visitor.press('Continue', { user_code: device.user_code.toLowerCase() });
  const [{ user_id: user }] = await id.body<{ user_id: string }[]>('GET /api/v2/users');
  await visitor.press('Connect', { user });
  expect(visitor.seen.html).toContain('The device is connected');
  expect((await poll()).access_token).toBeTruthy();
  await expect(poll().catch(rejection)).resolves.toBe('invalid_grant');
});

describe('external events', () => {
  test('keys rotate: the set has both for a day, tokens have the new one', async () => {
    const { tokens } = await signedIn();
    const keys = () => createRemoteJWKSet(new URL(`${id.url}/.well-known/jwks.json`));
    await id.control.event('keys.rotated');
    await expect(jwtVerify(tokens.access_token, keys())).resolves.toBeTruthy();
    const { tokens: newer } = await signedIn();
    expect(newer.access_token.split('.')[0]).not.toBe(tokens.access_token.split('.')[0]);
    await id.control.event('keys.compromised');
    await expect(jwtVerify(tokens.access_token, keys())).rejects.toThrow('no applicable key found');
  });

  test('a user is blocked in mid-session', async () => {
    const { config, tokens, visitor, sub } = await signedIn();
    await id.control.event('user.blocked', { user_id: sub });
    await expect(oidc.refreshTokenGrant(config, String(tokens.refresh_token)).catch(rejection)).resolves.toBe('invalid_grant');
    const flow = await begin('web', {}, visitor);
    await flow.visitor.press('Continue', { username: ANN.email, password: ANN.password });
    await expect(finish(flow).catch(rejection)).resolves.toBe('unauthorized');
  });

  test('consent is withdrawn, a session ends, the provider is down', async () => {
    const { config, tokens, visitor } = await signedIn('partner');
    const flow = await begin('partner', {}, visitor);
    await flow.visitor.press('Accept');
    await finish(flow);
    const [{ id: grant }] = await id.body<{ id: string }[]>('GET /api/v2/grants');
    await id.control.event('consent.withdrawn', { grant_id: grant });
    await expect(oidc.refreshTokenGrant(config, String(tokens.refresh_token)).catch(rejection)).resolves.toBe('invalid_grant');
    expect((await begin('partner', {}, visitor)).visitor.seen.html).toContain('Allow');
    await id.control.advance('8d');
    expect((await begin('partner', {}, visitor)).visitor.seen.html).toContain('Sign in to');
    await id.control.fault({ resource: 'access_tokens', operation: 'token', status: 503, count: 1 });
    await expect(oidc.refreshTokenGrant(config, 'x').catch(rejection)).resolves.toBe(503);
  });

  test('a stolen refresh token: the owner comes second and everything ends', async () => {
    const { config, tokens, sub } = await signedIn();
    const [{ id: stolen }] = await id.body<{ id: string }[]>(`GET /api/v2/users/${encodeURIComponent(sub)}/refresh-tokens`);
    await id.control.event('refresh_token.stolen', { refresh_token_id: stolen });
    await expect(oidc.refreshTokenGrant(config, String(tokens.refresh_token)).catch(rejection)).resolves.toBe('invalid_grant');
  });

  test('ten wrong passwords lock a user for a day', async () => {
    const { visitor } = await begin();
    for (let n = 0; n < 10; n++) await visitor.press('Continue', { username: ANN.email, password: 'no' });
    await visitor.press('Continue', { username: ANN.email, password: ANN.password });
    expect(visitor.seen.html).toContain('blocked after multiple consecutive login attempts');
    await id.control.advance('1d');
    const flow = await begin('web', {}, visitor);
    await visitor.press('Continue', { username: ANN.email, password: ANN.password });
    expect((await finish(flow)).claims()?.['name']).toBe('Ann');
  });
});

test('passwords are never shown, and the same sign-ins give the same ledger apart from the address', async () => {
  const runs: string[] = [];
  for (const _ of [1, 2]) {
    const other = await new TestSandbox('packs/identity', { key: 'mgmt_same', t0: '2026-01-01T00:00:00Z' }).open();
    await other.body('POST /api/v2/users', { ...ANN, connection: 'Username-Password-Authentication' });
    const visitor = new Visitor(other.url);
    await visitor.open(`/authorize?client_id=web&redirect_uri=${CALLBACK}&response_type=code&scope=openid&state=1`);
    await visitor.press('Continue', { username: ANN.email, password: ANN.password });
    const code = new URL(visitor.seen.url).searchParams.get('code');
    const form = { grant_type: 'authorization_code', client_id: 'web', client_secret: 'secret-of-web', code: String(code), redirect_uri: CALLBACK };
    const { status, text } = await other.call('POST /oauth/token', new URLSearchParams(form), { authorization: undefined });
    expect(status).toBe(200);
    const shown = JSON.stringify([await other.body('GET /api/v2/users'), await other.admin('GET /state'), await other.admin('GET /traces')]);
    expect(shown).not.toContain(ANN.password);
    const claims = text.split('"').filter((each) => each.startsWith('eyJ')).map((each) => Buffer.from(each.split('.')[1], 'base64url').toString());
    runs.push(claims.join('\n').replaceAll(other.url, 'ORIGIN'));
    await other.close();
  }
  expect(runs[0]).toContain('"iss":"ORIGIN/"');
  expect(runs[0]).toBe(runs[1]);
});

test('a fork and a replay go on as their world would', async () => {
  const { visitor } = await begin();
  const fork = await made(id.control, { from: {} });
  const there = new Visitor(fork.url);
  await there.open(visitor.seen.url.replace(id.url, fork.url));
  const press = async (each: Visitor) =>
    new URL((await each.press('Continue', { username: ANN.email, password: ANN.password })).url).searchParams.get('code');
  // What a fork draws never collides with what its world draws.
  const codes = [await press(visitor), await press(there)];
  expect(new Set(codes.map((each) => each?.length))).toEqual(new Set([43]));
  expect(new Set(codes).size).toBe(2);
  const keysAt = async (url: string) => (await fetch(`${url}/.well-known/jwks.json`)).text();
  expect(await keysAt(fork.url)).toBe(await keysAt(id.url));
  const { body } = await id.admin<Bug>('GET /export');
  expect(JSON.stringify(body)).not.toContain(ANN.password);
  const again = await replayBug(body, { pack: 'packs/identity', key: id.key, onDefect: (error) => expect(error).toBeUndefined() });
  expect(again.unlike).toBeNull();
  await again.sandbox.close();
});

test('users by email need one, an email is one, and 401 has the form of the vendor whose path it is', async () => {
  const errors = await Promise.all(
    [
      id.call('GET /api/v2/users-by-email'),
      id.call('POST /api/v2/users', { connection: 'Username-Password-Authentication', email: 'nobody' }),
    ].map(async (response) => [(await response).status, (await response).body['statusCode']]),
  );
  expect(errors).toEqual([
    [400, 400],
    [400, 400],
  ]);
  const stranger = await fetch(`${id.url}/user_management/users`);
  expect([stranger.status, await stranger.json()]).toEqual([401, { message: 'Unauthorized' }]);
});

describe('the management API rejects what the vendor rejects', () => {
  const CONNECTION = 'Username-Password-Authentication';
  test.each<[string, object | undefined]>([
    ['GET /api/v2/users?per_page=101', undefined],
    ['GET /api/v2/users?per_page=-1', undefined],
    ['GET /api/v2/users?page=-1', undefined],
    ['GET /api/v2/users?include_totals=maybe', undefined],
    ['GET /api/v2/users?sort=zz', undefined],
    ['GET /api/v2/users?search_engine=v9', undefined],
    ['GET /api/v2/users?foo=1', undefined],
    ['POST /api/v2/users', { email: 'ben@example.com' }],
    ['POST /api/v2/users', { email: 'ben@example.com', connection: 'nope' }],
    ['POST /api/v2/users', { email: 'ben@example.com', connection: CONNECTION, foo: 1 }],
    ['PATCH /api/v2/clients/web', { refresh_token: { rotation_type: 'rotating' } }],
  ])('%s %j', async (route, body) => {
    const { status, body: error } = await id.call<Record<string, unknown>>(route, body);
    const code = route.startsWith('GET') ? 'invalid_query_string' : body && 'connection' in body && body.connection === 'nope' ? 'inexistent_connection' : 'invalid_body';
    expect([status, error['statusCode'], error['errorCode']]).toEqual([400, 400, code]);
  });

  test('`fields`, `include_fields` and `sort` have an effect, and what is documented alone is said to have none', async () => {
    await id.body('POST /api/v2/users', { email: 'ben@example.com', connection: CONNECTION });
    const sorted = await id.body<{ email: string }[]>('GET /api/v2/users?sort=email:-1&fields=email');
    expect(sorted).toEqual([{ email: 'ben@example.com' }, { email: ANN.email }]);
    const [without] = await id.body<Record<string, unknown>[]>('GET /api/v2/users?fields=email,name&include_fields=false');
    expect([without['email'], without['name'], without['nickname']]).toEqual([undefined, undefined, 'ben']);
    const { headers } = await id.call('GET /api/v2/users?search_engine=v3');
    expect(headers.get('x-mock-unsupported')).toBe('parameter search_engine');
    const { status, headers: lacking } = await id.call('GET /api/v2/actions/actions');
    expect([status, lacking.get('x-mock-unsupported')]).toEqual([404, 'path GET /api/v2/actions/actions']);
  });

  test.each([
    [{ audience: 'https://nope' }, 'access_denied'],
    [{ connection: 'nope' }, 'invalid_request'],
    [{ prompt: 'foo' }, 'invalid_request'],
    [{ code_challenge: 'abc' }, 'invalid_request'],
  ])('an authorization request with %j', async (more: Record<string, string>, error) => {
    const { visitor } = await begin('web', { sandbox_user: ANN.email, ...more });
    expect(new URL(visitor.seen.url).searchParams.get('error')).toBe(error);
  });

  test('the other vendor lets applications sign people in by a secret of their own, without the key', async () => {
    const authenticated = async (body: object) => {
      const response = await fetch(`${id.url}/user_management/authenticate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      const { code, error } = (await response.json()) as { code?: string; error?: string };
      return [response.status, code ?? error];
    };
    const request = { grant_type: 'password', client_id: 'web', email: ANN.email, password: 'wrong' };
    expect(await authenticated({})).toEqual([422, 'invalid_request_parameters']);
    expect(await authenticated({ ...request, client_id: 'nope' })).toEqual([400, 'invalid_client']);
    expect(await authenticated({ ...request, client_secret: 'wrong' })).toEqual([400, 'invalid_client']);
    expect(await authenticated({ ...request, client_secret: 'secret-of-web' })).toEqual([400, 'invalid_credentials']);
  });
});
