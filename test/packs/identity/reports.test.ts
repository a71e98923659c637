import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { Visitor } from '../../support/visitor.js';
import { ANN, begun, CALLBACK, rejection, serveIdentity } from './served.js';

/** Public reports of people whose sign-in, or whose tests of it, broke: each is what they met, and what holds here. */

const { id, configOf, begin, finish, signedIn } = serveIdentity();
const options = { execute: [oidc.allowInsecureRequests] };

test('navikt/mock-oauth2-server#767: the whole address of the discovery document is no issuer', async () => {
  const config = await oidc.discovery(new URL(`${id.url}/.well-known/openid-configuration`), 'web', 'secret-of-web', undefined, options);
  expect(config.serverMetadata().issuer).toBe(`${id.url}/`);
  expect(config.serverMetadata().token_endpoint).toBe(`${id.url}/oauth/token`);
});

test('darthnorse/dockmon#203: with or without a slash, the issuer of tokens is that of the document', async () => {
  for (const address of [id.url, `${id.url}/`]) {
    const config = await oidc.discovery(new URL(address), 'web', 'secret-of-web', undefined, options);
    const flow = await begin('web', { sandbox_user: ANN.email });
    expect((await finish({ ...flow, config })).claims()?.iss).toBe(config.serverMetadata().issuer);
  }
});

describe('workos/authkit-nextjs#28: calls in parallel renew with the same refresh token', () => {
  const both = async () => {
    const { config, tokens } = await signedIn();
    const renew = () => oidc.refreshTokenGrant(config, String(tokens.refresh_token));
    return Promise.all([renew().catch(rejection), renew().catch(rejection)]);
  };

  test('the second one fails, and takes the first one with it', async () => {
    const outcomes = await both();
    const won = outcomes.find((each) => typeof each === 'object');
    expect(outcomes).toContain('invalid_grant');
    const config = await configOf('web');
    await expect(oidc.refreshTokenGrant(config, String(won?.refresh_token)).catch(rejection)).resolves.toBe('invalid_grant');
  });

  test('both succeed within the leeway of the application, and neither does after it', async () => {
    await id.body('PATCH /api/v2/clients/web', { refresh_token: { rotation_type: 'rotating', expiration_type: 'expiring', leeway: 10 } });
    expect(await both()).toEqual([expect.any(Object), expect.any(Object)]);
    const { config, tokens } = await signedIn();
    await oidc.refreshTokenGrant(config, String(tokens.refresh_token));
    await id.control.advance('11s');
    await expect(oidc.refreshTokenGrant(config, String(tokens.refresh_token)).catch(rejection)).resolves.toBe('invalid_grant');
  });
});

test('kilork/openid#59: a server that keeps the key set asks again for a key that it does not know', async () => {
  const keys = createRemoteJWKSet(new URL(`${id.url}/.well-known/jwks.json`), { cooldownDuration: 0 });
  await jwtVerify((await signedIn()).tokens.access_token, keys);
  await id.control.event('keys.rotated');
  const { tokens } = await signedIn();
  await expect(jwtVerify(tokens.access_token, keys)).resolves.toMatchObject({ payload: { azp: 'web' } });
  const cooling = createRemoteJWKSet(new URL(`${id.url}/.well-known/jwks.json`), { cooldownDuration: 60_000 });
  await jwtVerify(tokens.access_token, cooling);
  await id.control.event('keys.rotated');
  await expect(jwtVerify((await signedIn()).tokens.access_token, cooling)).rejects.toThrow('no applicable key');
});

test('auth0-samples/auth0-nodejs-webapp-sample#80: a callback of the same host with another path is another one, and the page says which', async () => {
  await id.body('PATCH /api/v2/clients/web', { callbacks: ['http://localhost:3000/callback'] });
  const { visitor } = await begin('web', { redirect_uri: 'http://localhost:3000' });
  expect(visitor.seen).toMatchObject({ status: 400 });
  expect(visitor.seen.html).toContain('Callback URL mismatch. http://localhost:3000 is not in the list');
  expect((await begin()).visitor.seen.html).toContain('Sign in to');
});

test('cypress-io/cypress#5919: a test signs in without leaving the origin of the application', async () => {
  const form = { grant_type: 'password', client_id: 'web', client_secret: 'secret-of-web', username: ANN.email, password: ANN.password, scope: 'openid email' };
  const { body } = await id.call<{ id_token: string }>('POST /oauth/token', new URLSearchParams(form), { authorization: undefined });
  expect(decodeJwt(body.id_token)).toMatchObject({ email: ANN.email, aud: 'web' });
  // Or by the address of the application alone: no page is opened in between.
  const { visitor } = await begin('web', { sandbox_user: ANN.email });
  expect(visitor.pages).toBe(0);
});

test('auth0-samples/auth0-nextjs-samples#26: the state comes back as it was sent, and an application that lost its own notices', async () => {
  const state = `a&b=c#${'ü'.repeat(3)} "%`;
  const { config, visitor, checks } = await begin('web', { sandbox_user: ANN.email, state });
  expect(new URL(visitor.seen.url).searchParams.get('state')).toBe(state);
  const { expectedState: _, ...lost } = checks;
  await expect(oidc.authorizationCodeGrant(config, new URL(visitor.seen.url), lost)).rejects.toThrow();
});

test('AzureAD/microsoft-authentication-library-for-js#321: a silent request without the cookie is login_required, and not a page', async () => {
  const { visitor } = await signedIn();
  expect((await finish(await begin('web', { prompt: 'none' }, visitor))).claims()?.['email']).toBe(ANN.email);
  visitor.cookies.clear();
  await expect(begin('web', { prompt: 'none' }, visitor).then(finish).catch(rejection)).resolves.toBe('login_required');
});

test('panva/openid-client#454: a token is good in the second in which it was made', async () => {
  const before = Math.floor(Date.now() / 1000);
  const { tokens } = await signedIn();
  for (const each of [tokens.access_token, String(tokens.id_token)]) {
    const { iat = Infinity, nbf = 0, exp = 0 } = decodeJwt(each);
    expect(iat).toBeLessThanOrEqual(before);
    expect(nbf).toBeLessThanOrEqual(before);
    expect(exp).toBeGreaterThan(before);
  }
});

test('googleapis/google-api-nodejs-client#3013: a code is exchanged with the callback that it was asked for with', async () => {
  const flow = await begin('web', { sandbox_user: ANN.email });
  const code = String(new URL(flow.visitor.seen.url).searchParams.get('code'));
  const exchange = (redirect_uri: string) =>
    id.call('POST /oauth/token', new URLSearchParams({ grant_type: 'authorization_code', client_id: 'web', client_secret: 'secret-of-web', code, redirect_uri, code_verifier: flow.checks.pkceCodeVerifier }), { authorization: undefined });
  expect((await exchange('http://localhost:3000/other')).body).toMatchObject({ error: 'invalid_grant', error_description: 'The redirect URI is wrong.' });
  expect((await exchange(CALLBACK)).status).toBe(200);
});

test('Soluto/oidc-server-mock#40: behind a proxy, the issuer is the address of the proxy', async () => {
  const proxied = await begun({ publicUrl: 'https://auth.app.test' });
  const { issuer, jwks_uri } = await proxied.body<{ issuer: string; jwks_uri: string }>('GET /.well-known/openid-configuration');
  expect([issuer, jwks_uri]).toEqual(['https://auth.app.test/', 'https://auth.app.test/.well-known/jwks.json']);
  await proxied.body('POST /api/v2/users', { ...ANN, connection: 'Username-Password-Authentication' });
  const visitor = new Visitor(proxied.url);
  await visitor.open(`/authorize?client_id=web&response_type=code&scope=openid&redirect_uri=${encodeURIComponent(CALLBACK)}&sandbox_user=${ANN.email}`);
  expect(new URL(visitor.seen.url).searchParams.get('iss')).toBe('https://auth.app.test/');
  await proxied.close();
});
