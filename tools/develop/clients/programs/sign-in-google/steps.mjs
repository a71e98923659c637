import { Auth } from '@auth/core';
import Google from '@auth/core/providers/google';
import Okta from '@auth/core/providers/okta';
import * as oidc from 'openid-client';
import { callJson, equal, step, url, withCookies } from './kit.mjs';

/* The issuers of three vendors: endpoints, paths and claims, with the libraries' own providers for them. */

const EMAIL = 'ann@example.com';
const HOSTED = 'acme.example';
const vendor = process.env.SANDBOX_VENDOR ?? (await vendorOf());
const issuer = { google: url, microsoft: `${url}/sandbox/v2.0`, okta: `${url}/oauth2/default` }[vendor];
await callJson('POST', '/api/v2/users', {
  email: EMAIL,
  name: 'Ann',
  email_verified: true,
  connection: 'Username-Password-Authentication',
  app_metadata: { hd: HOSTED },
});

async function vendorOf() {
  const { issuer: own } = await (await fetch(`${url}/.well-known/openid-configuration`)).json();
  return own.endsWith('/v2.0') ? 'microsoft' : own.endsWith('/default') ? 'okta' : 'google';
}

async function through(asked) {
  const to = new URL(asked);
  to.searchParams.set('sandbox_user', EMAIL);
  return new URL((await fetch(to, { redirect: 'manual' })).headers.get('location'));
}

await step('openid-client: discovery, PKCE, claims, userinfo', async () => {
  const config = await oidc.discovery(new URL(issuer), 'web', 'secret-of-web', undefined, {
    execute: [oidc.allowInsecureRequests],
  });
  equal(config.serverMetadata().issuer, issuer);
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const asked = oidc.buildAuthorizationUrl(config, {
    redirect_uri: 'http://localhost:3000/callback',
    scope: 'openid email profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const tokens = await oidc.authorizationCodeGrant(config, await through(asked), { pkceCodeVerifier });
  const claims = tokens.claims();
  equal([claims.iss, claims.email], [issuer, EMAIL]);
  if (vendor === 'google') equal([claims.hd, typeof claims.sub, claims.azp], [HOSTED, 'string', 'web']);
  if (vendor === 'microsoft')
    equal(
      [claims.ver, claims.preferred_username, claims.tid, claims.oid === undefined],
      ['2.0', EMAIL, 'sandbox', false],
    );
  if (vendor === 'okta') equal([claims.ver, claims.preferred_username, claims.idp], [1, EMAIL, '00oSandbox']);
  equal((await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)).email, EMAIL);
});

await step('@auth/core: its provider for the vendor', async () => {
  const options = { clientId: 'web', clientSecret: 'secret-of-web', issuer };
  // The Microsoft provider requires https; a generic one accepts any address.
  const plain = () => ({ id: 'microsoft', name: 'Microsoft', type: 'oidc', ...options });
  const provider = { google: Google, microsoft: plain, okta: Okta }[vendor](options);
  const config = { secret: 'a'.repeat(32), trustHost: true, basePath: '/auth', providers: [provider] };
  const ask = withCookies('http://localhost:3000', (request) => Auth(request, config));
  const { csrfToken } = await (await ask('/auth/csrf')).json();
  const started = await ask(`/auth/signin/${provider.id}`, {
    method: 'POST',
    body: new URLSearchParams({ csrfToken, callbackUrl: 'http://localhost:3000/' }),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const back = await through(started.headers.get('location'));
  await ask(back.pathname + back.search);
  equal((await (await ask('/auth/session')).json()).user?.email, EMAIL, 'email of the session');
});

if (vendor === 'google')
  await step('google-auth-library: its own check of an ID token, by the key set', async () => {
    const { OAuth2Client } = await import('google-auth-library');
    const client = new OAuth2Client({
      clientId: 'web',
      clientSecret: 'secret-of-web',
      redirectUri: 'http://localhost:3000/callback',
      endpoints: {
        oauth2AuthBaseUrl: `${url}/o/oauth2/v2/auth`,
        oauth2TokenUrl: `${url}/token`,
        oauth2RevokeUrl: `${url}/revoke`,
        oauth2FederatedSignonJwkCertsUrl: `${url}/oauth2/v3/certs`,
      },
      issuers: [url],
    });
    const back = await through(client.generateAuthUrl({ access_type: 'offline', scope: ['openid', 'email'] }));
    const { tokens } = await client.getToken(back.searchParams.get('code'));
    equal(typeof tokens.refresh_token, 'string');
    const { keys } = await (await fetch(`${url}/oauth2/v3/certs`)).json();
    const certs = Object.fromEntries(keys.map((key) => [key.kid, key]));
    const { createPublicKey } = await import('node:crypto');
    for (const kid of Object.keys(certs))
      certs[kid] = createPublicKey({ key: certs[kid], format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const ticket = await client.verifySignedJwtWithCertsAsync(tokens.id_token, certs, 'web', [url]);
    equal(ticket.getPayload().email, EMAIL);
    client.setCredentials({ refresh_token: tokens.refresh_token });
    equal(typeof (await client.getAccessToken()).token, 'string');
  });
