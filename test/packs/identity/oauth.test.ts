import { createHash, createHmac, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, decodeJwt, jwtVerify, createRemoteJWKSet } from 'jose';
import * as oidc from 'openid-client';
import type { TestSandbox } from '../../support/start-sandbox.js';
import { Visitor } from '../../support/visitor.js';
import { ANN, begun, CALLBACK, rejection, serveIdentity, T0 } from './served.js';

/** Extensions of OAuth: pushed requests, proofs of a key, exchange of tokens, logout of applications; and the error of each mistake. */

const { id, configOf, begin, finish, signedIn } = serveIdentity();

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS = 'urn:ietf:params:oauth:token-type:access_token';
const API = 'https://api.example.com';

const token = (form: Record<string, string>, headers = {}) =>
  id.call('POST /oauth/token', new URLSearchParams(form), { authorization: undefined, ...headers });

describe('a pushed request (RFC 9126)', () => {
  test('the browser carries a reference, which is good once and for a minute', async () => {
    const config = await configOf('web');
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const url = await oidc.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: CALLBACK,
      scope: 'openid email',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      sandbox_user: ANN.email,
    });
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const visitor = new Visitor(id.url);
    const tokens = await oidc.authorizationCodeGrant(config, new URL((await visitor.open(url.href)).url), { pkceCodeVerifier });
    expect(tokens.claims()?.['email']).toBe(ANN.email);
    expect(await visitor.open(url.href)).toMatchObject({ status: 400 });
    const late = await oidc.buildAuthorizationUrlWithPAR(config, { redirect_uri: CALLBACK });
    await id.control.advance('61s');
    expect(await visitor.open(late.href)).toMatchObject({ status: 400 });
  });

  test('an application that must push cannot do without; a wrong callback is refused when it is pushed', async () => {
    await id.body('PATCH /api/v2/clients/web', { require_pushed_authorization_requests: true });
    const { visitor } = await begin();
    expect(visitor.seen.html).toContain('must push its requests');
    const config = await configOf('web');
    const push = (more: Record<string, string>) => oidc.buildAuthorizationUrlWithPAR(config, more).then(() => null, rejection);
    expect(await push({ redirect_uri: 'https://evil.example/' })).toBe('invalid_request');
  });
});

describe('a proof of a key (DPoP, RFC 9449)', () => {
  test('tokens are bound to it: without it, or with another one, they are refused', async () => {
    const config = await configOf('spa');
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'));
    const flow = await begin('spa', { sandbox_user: ANN.email });
    const tokens = await oidc.authorizationCodeGrant(config, new URL(flow.visitor.seen.url), flow.checks, undefined, { DPoP });
    expect(tokens.token_type).toBe('dpop');
    expect(decodeJwt(tokens.access_token)).toMatchObject({ cnf: { jkt: expect.any(String) } });
    const sub = String(tokens.claims()?.sub);
    expect(await oidc.fetchUserInfo(config, tokens.access_token, sub, { DPoP })).toMatchObject({ sub });
    expect(await id.status('GET /userinfo', undefined, { authorization: `Bearer ${tokens.access_token}` })).toBe(401);
    const other = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'));
    expect(await id.status('GET /userinfo', undefined, { authorization: `DPoP ${tokens.access_token}` })).toBe(401);
    const renew = (handle?: oidc.DPoPHandle) =>
      oidc.refreshTokenGrant(config, String(tokens.refresh_token), undefined, handle && { DPoP: handle });
    await expect(renew(other).catch(rejection)).resolves.toBe('invalid_dpop_proof');
    await expect(renew().catch(rejection)).resolves.toBe('invalid_dpop_proof');
    expect((await renew(DPoP)).token_type).toBe('dpop');
  });

  test('a proof for another call, one without a signature, and an application that must prove a key', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'service', client_secret: 'secret-of-service', audience: API };
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    const { SignJWT } = await import('jose');
    const proof = (claims: { jti?: string; htm?: string; htu?: string }) =>
      new SignJWT({ htm: 'POST', htu: `${id.url}/oauth/token`, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk }).setIssuedAt().setJti(claims.jti ?? randomUUID()).sign(privateKey);
    expect((await token(form, { dpop: await proof({}) })).body).toMatchObject({ token_type: 'DPoP' });
    for (const wrong of [await proof({ htm: 'GET' }), await proof({ htu: 'https://evil.example' }), `${await proof({})}x`, 'x'])
      expect((await token(form, { dpop: wrong })).body).toMatchObject({ error: 'invalid_dpop_proof' });
    const once = await proof({ jti: 'once' });
    const used = [await token(form, { dpop: once }), await token(form, { dpop: once })];
    expect(used.map(({ body }) => body['error'])).toEqual([undefined, 'invalid_dpop_proof']);
    await id.body('PATCH /api/v2/clients/service', { require_proof_of_possession: true });
    expect((await token(form)).body).toMatchObject({ error: 'invalid_dpop_proof' });
  });
});

describe('proofs of a key', () => {
  const prover = async (url: string) => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    const { SignJWT } = await import('jose');
    return (claims: Record<string, unknown>, htu = `${url}/oauth/token`) =>
      new SignJWT({ htm: 'POST', htu, jti: randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk }).sign(privateKey);
  };

  test('are good for five minutes, by the clock of the machine or that of the world', async () => {
    const proof = await prover(id.url);
    const form = { grant_type: 'client_credentials', client_id: 'service', client_secret: 'secret-of-service', audience: API };
    const errorAt = async (iat: number) => (await token(form, { dpop: await proof({ iat }) })).body['error'];
    const real = Math.floor(Date.now() / 1000);
    expect([await errorAt(real), await errorAt(real - 3600), await errorAt(real + 3600)]).toEqual([undefined, 'invalid_dpop_proof', 'invalid_dpop_proof']);
    await id.control.advance('1d');
    expect([await errorAt(real), await errorAt(real + 86_400)]).toEqual([undefined, undefined]);
  });

  test('have a time that is a number and a name that is a text, and name the address without its query', async () => {
    const proof = await prover(id.url);
    const form = { grant_type: 'client_credentials', client_id: 'service', client_secret: 'secret-of-service', audience: API };
    const iat = Math.floor(Date.now() / 1000);
    for (const wrong of [{ iat: 'now' }, { iat: String(iat) }, { iat, jti: 5 }, { jti: 'no-time' }])
      expect(await token(form, { dpop: await proof(wrong) })).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } });
    expect((await token(form, { dpop: await proof({ iat }, `${id.url}/oauth/token?page=1#top`) })).status).toBe(200);
  });

  test('go with each call of the management API, for its own token', async () => {
    const proof = await prover(id.url);
    const iat = Math.floor(Date.now() / 1000);
    const form = { grant_type: 'client_credentials', client_id: 'service', client_secret: 'secret-of-service', audience: `${id.url}/api/v2/` };
    const bound = String((await token(form, { dpop: await proof({ iat }) })).body['access_token']);
    const users = `${id.url}/api/v2/users`;
    const ath = createHash('sha256').update(bound).digest('base64url');
    const ask = async (dpop: Record<string, string>) =>
      id.status('GET /api/v2/users', undefined, { authorization: `DPoP ${bound}`, ...dpop });
    const other = await prover(id.url);
    expect([
      await ask({}),
      await ask({ dpop: await proof({ iat, htm: 'GET' }, users) }),
      await ask({ dpop: await other({ iat, htm: 'GET', ath }, users) }),
      await ask({ dpop: await proof({ iat, htm: 'GET', ath }, users) }),
    ]).toEqual([401, 401, 401, 200]);
  });

  test('have a nonce where the vendor asks for one, which the library does by itself', async () => {
    const other = await begun({ vars: { vendor: 'auth0' } });
    await other.body('POST /api/v2/users', { ...ANN, connection: 'Username-Password-Authentication' });
    const config = await oidc.discovery(new URL(other.url), 'spa', { token_endpoint_auth_method: 'none' }, oidc.None(), {
      execute: [oidc.allowInsecureRequests],
    });
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      sandbox_user: ANN.email,
    });
    const { headers } = await fetch(url, { redirect: 'manual' });
    const back = new URL(String(headers.get('location')));
    const proof = await prover(other.url);
    const iat = Math.floor(Date.now() / 1000);
    const form = { grant_type: 'authorization_code', client_id: 'spa', code: 'x', redirect_uri: CALLBACK };
    const plain = await fetch(`${other.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form), headers: { dpop: await proof({ iat }) } });
    expect([plain.status, await plain.json()]).toMatchObject([400, { error: 'use_dpop_nonce' }]);
    expect(plain.headers.get('dpop-nonce')).toMatch(/^[A-Za-z0-9]{22}$/);
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'));
    const tokens = await oidc.authorizationCodeGrant(config, back, { pkceCodeVerifier }, undefined, { DPoP });
    expect(tokens.token_type).toBe('dpop');
    await other.close();
  });
});

describe('an exchange of tokens (RFC 8693)', () => {
  test('a backend asks another API in the name of a user, as itself', async () => {
    const { tokens, sub } = await signedIn();
    const service = await configOf('service');
    const actor = await oidc.clientCredentialsGrant(service, { audience: API });
    const exchanged = await oidc.genericGrantRequest(service, EXCHANGE, {
      subject_token: tokens.access_token,
      subject_token_type: ACCESS,
      actor_token: actor.access_token,
      actor_token_type: ACCESS,
      audience: API,
      scope: 'read:orders',
    });
    expect(exchanged).toMatchObject({ issued_token_type: ACCESS, scope: 'read:orders' });
    expect(exchanged.refresh_token).toBeUndefined();
    expect(decodeJwt(exchanged.access_token)).toMatchObject({ sub, aud: API, act: { sub: 'service@clients' } });
    const ofId = { subject_token: String(tokens.id_token), subject_token_type: 'urn:ietf:params:oauth:token-type:id_token', audience: API };
    expect(decodeJwt((await oidc.genericGrantRequest(service, EXCHANGE, ofId)).access_token)).toMatchObject({ sub });
  });

  test.each([
    ['no subject', { subject_token: '' }, 'invalid_request'],
    ['an unknown kind', { subject_token_type: 'x' }, 'invalid_request'],
    ['an actor without a kind', { actor_token: 'x' }, 'invalid_request'],
    ['a forged subject', { subject_token: 'x.y.z' }, 'invalid_grant'],
    ['an unknown API', { audience: 'https://other.example' }, 'invalid_target'],
    ['more than it has', { scope: 'delete:orders' }, 'invalid_scope'],
  ])('%s: %j', async (_, more, error) => {
    const { tokens } = await signedIn();
    const form = { grant_type: EXCHANGE, client_id: 'service', client_secret: 'secret-of-service', subject_token: tokens.access_token, subject_token_type: ACCESS, audience: API };
    expect((await token({ ...form, ...more })).body).toMatchObject({ error });
  });
});

describe('form_post', () => {
  test('the browser posts the code, and the error', async () => {
    const { config, visitor, checks } = await begin('web', { response_mode: 'form_post', sandbox_user: ANN.email, state: `"><script>` });
    expect(visitor.seen.html).toContain(`<form method="post" action="${CALLBACK}">`);
    expect(visitor.seen.html).not.toContain('"><script>"');
    const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(visitor.seen.html)?.[1] ?? '';
    const posted = new Request(CALLBACK, { method: 'POST', body: new URLSearchParams({ code: value('code'), state: 's', iss: value('iss') }) });
    const tokens = await oidc.authorizationCodeGrant(config, posted, { ...checks, expectedState: 's' });
    expect(tokens.claims()?.['email']).toBe(ANN.email);
    const failed = await begin('web', { response_mode: 'form_post', prompt: 'none' });
    expect(failed.visitor.seen.html).toContain('name="error" value="login_required"');
  });
});

describe('back-channel logout', () => {
  test('each application of a session that ends gets a signed logout token', async () => {
    await id.body('PATCH /api/v2/clients/web', { backchannel_logout_uri: `${id.receiver.url}/logout` });
    const { tokens, visitor, sub } = await signedIn();
    await visitor.open('/oidc/logout');
    await id.control.flush();
    const [{ path, headers, body }] = id.receiver.received;
    expect([path, headers['content-type']]).toEqual(['/logout', 'application/x-www-form-urlencoded']);
    const keys = createRemoteJWKSet(new URL(`${id.url}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(String(new URLSearchParams(body).get('logout_token')), keys, {
      currentDate: new Date(T0),
      issuer: `${id.url}/`,
      audience: 'web',
    });
    expect(protectedHeader.typ).toBe('logout+jwt');
    expect(payload).toMatchObject({ sub, sid: tokens.claims()?.['sid'], events: { 'http://schemas.openid.net/event/backchannel-logout': {} } });
    expect(payload).not.toHaveProperty('nonce');
  });

  test.each(['user.blocked', 'session.expired'])('%s ends sessions elsewhere, too', async (event) => {
    await id.body('PATCH /api/v2/clients/web', { oidc_logout: { backchannel_logout_urls: [`${id.receiver.url}/logout`] } });
    const { tokens, sub } = await signedIn();
    await id.control.event(event, event === 'user.blocked' ? { user_id: sub } : { session_id: String(tokens.claims()?.['sid']) });
    await id.control.flush();
    expect(id.receiver.received).toHaveLength(1);
  });
});

describe('events of the API for users and organizations', () => {
  test('are listed, and signed for the endpoints that ask for them', async () => {
    const endpoint = await id.body<{ id: string; secret: string }>('POST /webhook_endpoints', {
      endpoint_url: `${id.receiver.url}/events`,
      events: ['user.created', 'authentication.password_failed'],
    });
    const user = await id.body<{ id: string }>('POST /user_management/users', { email: 'joe@example.com', password: 'correct horse' });
    const form = { grant_type: 'password', client_id: 'web', email: 'joe@example.com', password: 'wrong' };
    expect(await id.status('POST /user_management/authenticate', form)).toBe(400);
    await id.control.flush();
    const [created, failed, ...others] = id.receiver.received;
    expect(others).toEqual([]);
    expect(JSON.parse(created.body)).toMatchObject({ event: 'user.created', data: { id: user.id, object: 'user' } });
    expect(JSON.parse(failed.body)).toMatchObject({ event: 'authentication.password_failed', data: { user_id: user.id, status: 'failed' } });
    const [, time, hash] = /^t=(\d{13}), v1=([0-9a-f]{64})$/.exec(String(created.headers['vendor-signature'])) ?? [];
    expect(createHmac('sha256', endpoint.secret).update(`${time}.${created.body}`).digest('hex')).toBe(hash);
    type Listed = { data: { event: string }[] };
    const listed = async (query: string) => (await id.body<Listed>(`GET /events?${query}`)).data.map(({ event }) => event);
    expect(await listed('events[]=user.created&events[]=authentication.password_failed&limit=2&order=desc')).toEqual([
      'authentication.password_failed',
      'user.created',
    ]);
    expect(await id.status('GET /events?limit=101')).toBe(422);
    await id.body('PATCH /webhook_endpoints/' + endpoint.id, { status: 'disabled' });
    await id.body('POST /user_management/users', { email: 'jim@example.com' });
    await id.control.flush();
    expect(id.receiver.received).toHaveLength(2);
  });
});

describe('client authentication', () => {
  test.each(['x', Buffer.from('web').toString('base64'), ''])('a header without a secret is no 500: Basic %s', async (text) => {
    const { status, body } = await token({ grant_type: 'client_credentials' }, { authorization: `Basic ${text}` });
    expect([status, body['error']]).toEqual([401, 'invalid_client']);
  });

  test('a signed assertion (RFC 7523) instead of a secret', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] };
    await id.body('PATCH /api/v2/clients/service', { token_endpoint_auth_method: 'private_key_jwt', jwks });
    const options = { execute: [oidc.allowInsecureRequests] };
    const ask = async (key: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']) => {
      const config = await oidc.discovery(new URL(id.url), 'service', undefined, oidc.PrivateKeyJwt({ key, kid: 'k' }), options);
      return oidc.clientCredentialsGrant(config, { audience: API });
    };
    expect((await ask(privateKey)).token_type).toBe('bearer');
    await expect(ask((await generateKeyPair('RS256')).privateKey).catch(rejection)).resolves.toBe('invalid_client');
    expect((await token({ grant_type: 'client_credentials', client_id: 'service', client_secret: 'secret-of-service' })).status).toBe(401);
  });

  test('the header: Basic is asked for where Basic failed, and only there', async () => {
    const form = { grant_type: 'client_credentials', audience: API };
    const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    expect((await token(form, basic('service:secret-of-service'))).status).toBe(200);
    const wrong = await token(form, basic('service:wrong'));
    expect([wrong.status, wrong.headers.get('www-authenticate'), wrong.body.error]).toEqual([401, 'Basic realm="sandbox"', 'invalid_client']);
    const inBody = await token({ ...form, client_id: 'service', client_secret: 'wrong' });
    expect([inBody.status, inBody.headers.get('www-authenticate')]).toEqual([401, null]);
  });
});

const WEB = { client_id: 'web', client_secret: 'secret-of-web' };
test.each<[string, Record<string, string>, number, string]>([
  ['no grant type', { ...WEB }, 400, 'invalid_request'],
  ['an unknown grant type', { ...WEB, grant_type: 'telepathy' }, 400, 'unsupported_grant_type'],
  ['a grant type of others', { client_id: 'spa', grant_type: 'password', username: 'a', password: 'b' }, 400, 'unauthorized_client'],
  ['an unknown client', { client_id: 'nobody', grant_type: 'refresh_token', refresh_token: 'x' }, 401, 'invalid_client'],
  ['no client', { grant_type: 'refresh_token', refresh_token: 'x' }, 401, 'invalid_client'],
  ['a wrong secret', { client_id: 'web', client_secret: 'x', grant_type: 'refresh_token', refresh_token: 'x' }, 401, 'invalid_client'],
  ['no secret', { client_id: 'web', grant_type: 'refresh_token', refresh_token: 'x' }, 401, 'invalid_client'],
  ['no code', { ...WEB, grant_type: 'authorization_code' }, 400, 'invalid_request'],
  ['an unknown code', { ...WEB, grant_type: 'authorization_code', code: 'x' }, 400, 'invalid_grant'],
  ['no refresh token', { ...WEB, grant_type: 'refresh_token' }, 400, 'invalid_request'],
  ['an unknown refresh token', { ...WEB, grant_type: 'refresh_token', refresh_token: 'x' }, 400, 'invalid_grant'],
  ['no password', { ...WEB, grant_type: 'password', username: 'ann@example.com' }, 400, 'invalid_request'],
  ['a wrong password', { ...WEB, grant_type: 'password', username: 'ann@example.com', password: 'x' }, 400, 'invalid_grant'],
  ['no audience', { ...WEB, grant_type: 'client_credentials' }, 400, 'invalid_request'],
  ['an unknown audience', { ...WEB, grant_type: 'client_credentials', audience: 'x' }, 400, 'access_denied'],
  ['an unknown device', { ...WEB, grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' }, 400, 'invalid_grant'],
])('the token endpoint and %s', async (_, form, status, error) => {
  const { body, headers, ...rest } = await token(form);
  expect([rest.status, body.error, headers.get('cache-control')]).toEqual([status, error, 'no-store']);
});

test('a verifier without a challenge, and a challenge without a verifier (RFC 7636, RFC 9700 2.1.1)', async () => {
  const config = await configOf('web');
  const visitor = new Visitor(id.url);
  const plain = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', sandbox_user: ANN.email });
  await visitor.open(plain.href);
  const withVerifier = oidc.authorizationCodeGrant(config, new URL(visitor.seen.url), { pkceCodeVerifier: oidc.randomPKCECodeVerifier() });
  await expect(withVerifier.catch(rejection)).resolves.toBe('invalid_grant');
  const flow = await begin('web', { sandbox_user: ANN.email });
  const { pkceCodeVerifier: _, ...checks } = flow.checks;
  await expect(finish({ ...flow, checks: checks as typeof flow.checks }).catch(rejection)).resolves.toBe('invalid_grant');
});

test('the response names its issuer (RFC 9207), which the library compares', async () => {
  const flow = await begin('web', { sandbox_user: ANN.email });
  const url = new URL(flow.visitor.seen.url);
  expect(url.searchParams.get('iss')).toBe(`${id.url}/`);
  url.searchParams.set('iss', 'https://evil.example/');
  const mixed = oidc.authorizationCodeGrant(flow.config, url, flow.checks).then(() => 'accepted', (error: Error) => error.message);
  await expect(mixed).resolves.not.toBe('accepted');
});

describe('what a stranger tries', () => {
  const service = { grant_type: 'client_credentials', client_id: 'service', client_secret: 'secret-of-service' };
  const bearer = (text: unknown) => ({ authorization: `Bearer ${String(text)}` });
  const authorized = async (more: Record<string, string>, cookie = '') => {
    const query = new URLSearchParams({ client_id: 'web', response_type: 'code', redirect_uri: CALLBACK, scope: 'openid', ...more });
    const { headers } = await fetch(`${id.url}/authorize?${query.toString()}`, { redirect: 'manual', headers: { cookie } });
    return { to: new URL(String(headers.get('location')), id.url), cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  };
  const errorOf = async (...asked: Parameters<typeof authorized>) => (await authorized(...asked)).to.searchParams.get('error');

  test('an access token opens its own API alone, whatever scopes it has', async () => {
    const { tokens } = await signedIn();
    await id.body('POST /api/v2/resource-servers', { identifier: 'https://other.example', name: 'Other', scopes: [{ value: 'read:users' }] });
    const other = (await token({ ...service, audience: 'https://other.example' })).body['access_token'];
    const management = (await token({ ...service, audience: `${id.url}/api/v2/` })).body['access_token'];
    const paths = ['/v1/users', '/v1/jwks', '/user_management/users', '/organizations', '/events', '/sandbox/messages', '/sandbox/factors'];
    for (const given of [tokens.access_token, other, management])
      for (const path of paths) expect(await id.status(`GET ${path}`, undefined, bearer(given))).toBe(401);
    expect(await id.status('GET /api/v2/users', undefined, bearer(other))).toBe(401);
    expect(await id.status('GET /api/v2/users', undefined, bearer(tokens.access_token))).toBe(403);
    expect(await id.status('GET /api/v2/users', undefined, bearer(management))).toBe(200);
    expect(await id.status('GET /userinfo', undefined, bearer(tokens.access_token))).toBe(200);
  });

  test('a logout by an ID token that is forged or of another application ends nothing and leads nowhere', async () => {
    const { cookie } = await authorized({ sandbox_user: ANN.email });
    const { tokens } = await signedIn();
    const [header, claims, signature] = String(tokens.id_token).split('.');
    const forged = [header, Buffer.from(JSON.stringify({ ...decodeJwt(String(tokens.id_token)), sub: 'x' })).toString('base64url'), signature];
    const leave = async (more: Record<string, string>) => {
      const query = new URLSearchParams({ post_logout_redirect_uri: 'http://localhost:3000/bye', ...more });
      return (await fetch(`${id.url}/oidc/logout?${query.toString()}`, { redirect: 'manual' })).status;
    };
    const hint = [header, claims, signature].join('.');
    for (const wrong of [{ id_token_hint: forged.join('.') }, { id_token_hint: 'x' }, { id_token_hint: hint, client_id: 'partner' }, {}])
      expect(await leave(wrong as Record<string, string>)).toBe(400);
    expect((await authorized({ prompt: 'none' }, cookie)).to.searchParams.has('code')).toBe(true);
    expect(await leave({ id_token_hint: hint })).toBe(302);
  });

  test('a session is not young enough for max_age=0, and hints and claims that cannot be read are errors', async () => {
    const { cookie } = await authorized({ sandbox_user: ANN.email });
    expect(await errorOf({ prompt: 'none', max_age: '0' }, cookie)).toBe('login_required');
    expect(await errorOf({ prompt: 'none', max_age: '9' }, cookie)).toBeNull();
    expect(await errorOf({ prompt: 'none', id_token_hint: 'x' }, cookie)).toBe('invalid_request');
    expect(await errorOf({ prompt: 'none', claims: '{' }, cookie)).toBe('invalid_request');
  });

  test('an application without a secret learns nothing of tokens', async () => {
    const { tokens } = await signedIn();
    const asked = new URLSearchParams({ token: tokens.access_token, client_id: 'spa' });
    expect(await id.result('POST /oauth/introspect', asked, { authorization: undefined })).toMatchObject([401, { error: 'invalid_client' }]);
  });

  test('a refresh with less scope leaves the next refresh token its own', async () => {
    const { config, tokens } = await signedIn();
    const less = await oidc.refreshTokenGrant(config, String(tokens.refresh_token), { scope: 'openid' });
    expect(less.scope).toBe('openid');
    const whole = await oidc.refreshTokenGrant(config, String(less.refresh_token));
    expect(whole.scope).toBe('openid profile email offline_access');
  });
});

/** The API by which servers of another vendor manage users and sessions; its client runs among the programs of test:clients. */
describe('the backend API', () => {
  let other: TestSandbox;
  beforeAll(async () => {
    other = await begun({ vars: { vendor: 'clerk' } });
  });
  afterAll(() => other.close());

  interface Made {
    readonly id: string;
  }
  /** A user with a role of an organization, and a session in it. */
  async function signedInTo(email: string) {
    const user = await other.body<Made>('POST /v1/users', { email_address: [email], first_name: 'Cy' });
    const role = { name: 'Books', key: `org:${user.id.slice(5, 12)}`, permissions: ['org:invoices:read', 'org:reports:write'] };
    await other.body('POST /v1/organization_roles', role);
    const org = await other.body<Made>('POST /v1/organizations', { name: `Org of ${email}` });
    await other.body(`POST /v1/organizations/${org.id}/memberships`, { user_id: user.id, role: role.key });
    const session = await other.body<Made>('POST /v1/sessions', { user_id: user.id, active_organization_id: org.id });
    return { user, org, session, role };
  }

  test('a session token has the role and, as bits of features, its permissions; none is made of a session that has ended', async () => {
    const { user, org, session, role } = await signedInTo('cy@example.com');
    const { jwt } = await other.body<{ jwt: string }>(`POST /v1/sessions/${session.id}/tokens`);
    const keys = createRemoteJWKSet(new URL(`${other.url}/v1/jwks`), { headers: { authorization: 'Bearer mgmt_test' } });
    // For a minute, by the clock of the world, which began when a suite first asked for it.
    const { payload } = await jwtVerify(jwt, keys, { issuer: other.url, currentDate: new Date(T0) });
    const o = { id: org.id, slg: 'org-of-cy-example-com', rol: role.key.slice(4), per: 'read,write', fpm: '1,2' };
    expect(payload).toMatchObject({ sub: user.id, sid: session.id, v: 2, fea: 'o:invoices,o:reports', o });
    await other.body(`POST /v1/users/${user.id}/ban`);
    expect(await other.result(`POST /v1/sessions/${session.id}/tokens`)).toMatchObject([404, { errors: [{ code: 'resource_not_found' }] }]);
  });

  test('a link signs in once, and leads to addresses of applications only', async () => {
    const { user } = await signedInTo('di@example.com');
    const { url } = await other.body<{ url: string }>('POST /v1/sign_in_tokens', { user_id: user.id });
    const open = async (to: string) => fetch(`${url}&redirect_url=${encodeURIComponent(to)}`, { redirect: 'manual' });
    expect((await open('https://evil.example/')).status).toBe(422);
    const { status, headers } = await open('http://localhost:3000/home');
    expect([status, headers.get('location')]).toEqual([302, 'http://localhost:3000/home']);
    const token = headers.getSetCookie().find((cookie) => cookie.startsWith('__session='));
    expect(decodeJwt(String(token).slice(10).split(';')[0])).toMatchObject({ sub: user.id, azp: 'http://localhost:3000' });
    expect((await open('http://localhost:3000/home')).status).toBe(400);
  });

  test('webhooks have the signature of the vendor, the objects its form', async () => {
    const { secret } = await other.control.endpoint({ url: `${id.receiver.url}/backend`, events: ['user.created'] });
    const { id: made } = await other.body<Made>('POST /v1/users', { email_address: ['ed@example.com'] });
    await other.control.flush();
    const [{ headers, body }] = id.receiver.received.filter(({ path }) => path === '/backend');
    const content = `${String(headers['svix-id'])}.${String(headers['svix-timestamp'])}.${body}`;
    const mac = createHmac('sha256', Buffer.from(String(secret).slice('whsec_'.length), 'base64')).update(content).digest('base64');
    expect(headers['svix-signature']).toBe(`v1,${mac}`);
    expect(JSON.parse(body)).toMatchObject({ type: 'user.created', object: 'event', data: { id: made, object: 'user' } });
  });

  test.each([
    ['a taken address', 'POST /v1/users', { email_address: ['eve@example.com'] }, 422, 'form_identifier_exists'],
    ['a short password', 'POST /v1/users', { email_address: ['z@example.com'], password: 'short' }, 422, 'form_password_length_too_short'],
    ['nobody', 'POST /v1/users', {}, 422, 'form_data_missing'],
    ['an unknown parameter', 'POST /v1/users', { email_address: ['z@example.com'], colour: 'red' }, 422, 'form_param_unknown'],
    ['no user', 'POST /v1/sessions', { user_id: 'user_none' }, 404, 'resource_not_found'],
    ['no name', 'POST /v1/organizations', {}, 422, 'form_param_missing'],
    ['a page that is too large', 'GET /v1/users?limit=501', undefined, 422, 'form_param_format_invalid'],
  ])('%s is an error of the vendor', async (_, call, params, status, code) => {
    await other.result('POST /v1/users', { email_address: ['eve@example.com'] });
    expect(await other.result(call, params)).toMatchObject([status, { errors: [{ code }] }]);
  });
});
