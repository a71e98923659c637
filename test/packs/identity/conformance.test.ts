import { readFileSync, writeFileSync } from 'node:fs';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { Visitor } from '../../support/visitor.js';
import { ANN, CALLBACK, serveIdentity } from './served.js';

/**
 * The modules of the OpenID Foundation's test plans for providers, Basic OP and Config OP (`oidcc-basic-certification-test-plan`,
 * `oidcc-config-certification-test-plan`), by their names: what each requires of a provider, checked by plain calls. The page with the table is
 * written by `WRITE_PAGES=1`.
 */

const PAGE = 'docs/internals/sign-in-conformance.md';
const { id } = serveIdentity();

interface Answer {
  readonly visitor: Visitor;
  readonly params: URLSearchParams;
}

async function authorize(more: Record<string, string> = {}, visitor = new Visitor(id.url), post = false): Promise<Answer> {
  const asked = { client_id: 'web', response_type: 'code', redirect_uri: CALLBACK, scope: 'openid', state: 'st', nonce: 'no', ...more };
  const sent = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ''));
  if (post) {
    const response = await fetch(`${id.url}/authorize`, { method: 'POST', body: sent, redirect: 'manual' });
    await visitor.open(String(response.headers.get('location')));
  } else await visitor.open(`/authorize?${sent.toString()}`);
  return { visitor, params: visitor.seen.url.startsWith(CALLBACK) ? new URL(visitor.seen.url).searchParams : new URLSearchParams() };
}

async function signIn(more: Record<string, string> = {}, visitor = new Visitor(id.url), post = false): Promise<Answer> {
  const { params } = await authorize(more, visitor, post);
  if (params.size > 0) return { visitor, params };
  await visitor.press('Continue', { username: ANN.email, password: ANN.password });
  return { visitor, params: new URL(visitor.seen.url).searchParams };
}

interface Tokens {
  readonly error?: string;
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token?: string;
}

const BASIC = { authorization: `Basic ${Buffer.from('web:secret-of-web').toString('base64')}` };

async function exchange(code: string | null, more: Record<string, string> = {}, headers: Record<string, string> = BASIC): Promise<Tokens> {
  const form = { grant_type: 'authorization_code', code: String(code), redirect_uri: CALLBACK, ...more };
  return (await id.call<Tokens>('POST /oauth/token', new URLSearchParams(form), { authorization: undefined, ...headers })).body;
}

/** A whole sign-in: the claims of the ID token, verified, and those of userinfo. */
async function whole(more: Record<string, string> = {}, visitor = new Visitor(id.url)) {
  const { params } = await signIn(more, visitor);
  const tokens = await exchange(params.get('code'));
  const keys = createLocalJWKSet(await id.body<JSONWebKeySet>('GET /.well-known/jwks.json'));
  const { payload: claims } = await jwtVerify(tokens.id_token, keys, { issuer: `${id.url}/`, audience: 'web' });
  const info = await id.body('GET /userinfo', undefined, { authorization: `Bearer ${tokens.access_token}` });
  return { visitor, params, tokens, claims, info };
}

const needs = (found: object, names: readonly string[]) => expect(Object.keys(found)).toEqual(expect.arrayContaining([...names]));

interface Module {
  readonly plan: 'Basic' | 'Config';
  readonly name: string;
  readonly what: string;
  readonly check?: () => Promise<void>;
  /** Why it isn't passed. */
  readonly why?: string;
}

const PROFILE = { name: 'Ann A.', given_name: 'Ann', family_name: 'A.', phone_number: '+14155550100' };
const fill = async () => {
  const [{ user_id: user }] = await id.body<{ user_id: string }[]>('GET /api/v2/users');
  await id.body(`PATCH /api/v2/users/${encodeURIComponent(user)}`, { ...PROFILE, user_metadata: { address: { country: 'NL' } } });
};
const scoped = (scope: string, claims: readonly string[]) => async () => {
  await fill();
  const { info } = await whole({ scope: `openid ${scope}` });
  needs(info, ['sub', ...claims]);
};
const passes = (more: Record<string, string>) => async () => {
  expect((await whole(more)).claims.sub).toBeTruthy();
};

const MODULES: readonly Module[] = [
  { plan: 'Config', name: 'oidcc-discovery-endpoint-verification', what: 'the metadata has what it must, under its issuer', check: async () => {
    const found = await id.body<{ issuer: string; jwks_uri: string }>('GET /.well-known/openid-configuration');
    needs(found, ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri', 'response_types_supported', 'subject_types_supported', 'id_token_signing_alg_values_supported', 'claims_supported', 'scopes_supported']);
    expect(found.issuer).toBe(`${id.url}/`);
    const { keys } = (await (await fetch(found.jwks_uri)).json()) as JSONWebKeySet;
    expect(keys.map(({ kid }) => kid).filter(Boolean)).toHaveLength(keys.length);
    for (const key of keys) for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(key).not.toHaveProperty(secret);
  } },
  { plan: 'Basic', name: 'oidcc-server', what: 'a sign-in with a code, its ID token and userinfo', check: async () => {
    const { claims, info, params } = await whole();
    expect(claims).toMatchObject({ nonce: 'no', sub: info['sub'] });
    expect(params.get('state')).toBe('st');
  } },
  { plan: 'Basic', name: 'oidcc-response-type-missing', what: 'an error, to the application or on a page', check: async () => {
    expect((await authorize({ response_type: '' })).params.get('error')).toBe('invalid_request');
  } },
  { plan: 'Basic', name: 'oidcc-userinfo-get', what: 'userinfo by GET', check: async () => void (await whole()) },
  { plan: 'Basic', name: 'oidcc-userinfo-post-header', what: 'userinfo by POST, the token in the header', check: async () => {
    const { tokens, claims } = await whole();
    expect(await id.body('POST /userinfo', undefined, { authorization: `Bearer ${tokens.access_token}` })).toMatchObject({ sub: claims.sub });
  } },
  { plan: 'Basic', name: 'oidcc-userinfo-post-body', what: 'userinfo by POST, the token in the body', check: async () => {
    const { tokens, claims } = await whole();
    expect(await id.body('POST /userinfo', new URLSearchParams({ access_token: tokens.access_token }), { authorization: undefined })).toMatchObject({ sub: claims.sub });
  } },
  { plan: 'Basic', name: 'oidcc-ensure-request-without-nonce-succeeds-for-code-flow', what: 'no nonce, none in the token', check: async () => {
    expect((await whole({ nonce: '' })).claims).not.toHaveProperty('nonce');
  } },
  { plan: 'Basic', name: 'oidcc-scope-profile', what: 'claims of the scope', check: scoped('profile', ['name', 'given_name', 'family_name', 'picture', 'updated_at']) },
  { plan: 'Basic', name: 'oidcc-scope-email', what: 'claims of the scope', check: scoped('email', ['email', 'email_verified']) },
  { plan: 'Basic', name: 'oidcc-scope-address', what: 'claims of the scope', check: scoped('address', ['address']) },
  { plan: 'Basic', name: 'oidcc-scope-phone', what: 'claims of the scope', check: scoped('phone', ['phone_number', 'phone_number_verified']) },
  { plan: 'Basic', name: 'oidcc-scope-all', what: 'claims of all scopes', check: scoped('profile email address phone', ['name', 'email', 'address', 'phone_number']) },
  { plan: 'Basic', name: 'oidcc-ensure-other-scope-order-succeeds', what: 'scopes in another order', check: passes({ scope: 'email openid' }) },
  { plan: 'Basic', name: 'oidcc-display-page', what: '`display=page` is no error', check: passes({ display: 'page' }) },
  { plan: 'Basic', name: 'oidcc-display-popup', what: '`display=popup` is no error', check: passes({ display: 'popup' }) },
  { plan: 'Basic', name: 'oidcc-prompt-login', what: 'the page again, and a later `auth_time`', check: async () => {
    const { visitor, claims } = await whole();
    await id.control.advance('5s');
    const again = await authorize({ prompt: 'login' }, visitor);
    expect(again.visitor.seen.html).toContain('Sign in to');
    await visitor.press('Continue', { username: ANN.email, password: ANN.password });
    const { id_token } = await exchange(new URL(visitor.seen.url).searchParams.get('code'));
    expect(Number(decodeJwt(id_token)['auth_time'])).toBeGreaterThan(Number(claims['auth_time']));
  } },
  { plan: 'Basic', name: 'oidcc-prompt-none-not-logged-in', what: 'login_required', check: async () => {
    expect((await authorize({ prompt: 'none' })).params.get('error')).toBe('login_required');
  } },
  { plan: 'Basic', name: 'oidcc-prompt-none-logged-in', what: 'the same user and `auth_time`, without a page', check: async () => {
    const { visitor, claims } = await whole();
    const { params } = await authorize({ prompt: 'none' }, visitor);
    const { id_token } = await exchange(params.get('code'));
    expect(decodeJwt(id_token)).toMatchObject({ sub: claims.sub, auth_time: claims['auth_time'] });
  } },
  { plan: 'Basic', name: 'oidcc-max-age-1', what: 'the page again after a second, and `auth_time`', check: async () => {
    const { visitor } = await whole();
    await id.control.advance('2s');
    expect((await authorize({ max_age: '1' }, visitor)).visitor.seen.html).toContain('Sign in to');
    await visitor.press('Continue', { username: ANN.email, password: ANN.password });
    needs(decodeJwt((await exchange(new URL(visitor.seen.url).searchParams.get('code'))).id_token), ['auth_time']);
  } },
  { plan: 'Basic', name: 'oidcc-max-age-10000', what: 'no page, the same `auth_time`', check: async () => {
    const { visitor, claims } = await whole();
    const { params } = await authorize({ max_age: '10000' }, visitor);
    expect(decodeJwt((await exchange(params.get('code'))).id_token)['auth_time']).toBe(claims['auth_time']);
  } },
  { plan: 'Basic', name: 'oidcc-ensure-request-with-unknown-parameter-succeeds', what: 'unknown parameters are ignored', check: passes({ extra: 'foobar' }) },
  { plan: 'Basic', name: 'oidcc-id-token-hint', what: 'the user of the hint, without a page', check: async () => {
    const { visitor, tokens, claims } = await whole();
    const { params } = await authorize({ prompt: 'none', id_token_hint: tokens.id_token }, visitor);
    expect(decodeJwt((await exchange(params.get('code'))).id_token).sub).toBe(claims.sub);
  } },
  { plan: 'Basic', name: 'oidcc-login-hint', what: 'the name is filled in', check: async () => {
    expect((await authorize({ login_hint: ANN.email })).visitor.seen.html).toContain(`value="${ANN.email}"`);
  } },
  { plan: 'Basic', name: 'oidcc-ui-locales', what: '`ui_locales` is no error', check: passes({ ui_locales: 'se' }) },
  { plan: 'Basic', name: 'oidcc-claims-locales', what: '`claims_locales` is no error', check: passes({ claims_locales: 'se' }) },
  { plan: 'Basic', name: 'oidcc-ensure-request-with-acr-values-succeeds', what: '`acr_values` are no error', check: passes({ acr_values: '1 2' }) },
  { plan: 'Basic', name: 'oidcc-codereuse', what: 'a code that is used twice is invalid_grant', check: async () => {
    const { params } = await signIn();
    await exchange(params.get('code'));
    expect((await exchange(params.get('code'))).error).toBe('invalid_grant');
  } },
  { plan: 'Basic', name: 'oidcc-codereuse-30seconds', what: 'and half a minute later, its access token is revoked, too', check: async () => {
    const { params } = await signIn();
    const { access_token } = await exchange(params.get('code'));
    await id.control.advance('30s');
    expect((await exchange(params.get('code'))).error).toBe('invalid_grant');
    expect(await id.status('GET /userinfo', undefined, { authorization: `Bearer ${access_token}` })).toBe(401);
  } },
  { plan: 'Basic', name: 'oidcc-ensure-registered-redirect-uri', what: 'a page with the error, no redirect', check: async () => {
    const { visitor } = await authorize({ redirect_uri: 'https://other.example/callback' });
    expect(visitor.seen.status).toBe(400);
    expect(visitor.seen.html).toContain('<h1>');
  } },
  { plan: 'Basic', name: 'oidcc-ensure-post-request-succeeds', what: 'the request by POST', check: async () => {
    expect((await signIn({}, new Visitor(id.url), true)).params.get('code')).toBeTruthy();
  } },
  { plan: 'Basic', name: 'oidcc-server-client-secret-post', what: 'the secret in the body', check: async () => {
    const { params } = await signIn();
    needs(await exchange(params.get('code'), { client_id: 'web', client_secret: 'secret-of-web' }, {}), ['id_token']);
  } },
  { plan: 'Basic', name: 'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', what: 'request_not_supported', check: async () => {
    expect((await authorize({ request: 'eyJhbGciOiJub25lIn0.e30.' })).params.get('error')).toBe('request_not_supported');
  } },
  { plan: 'Basic', name: 'oidcc-ensure-request-object-with-redirect-uri', what: 'the callback in a request object, or request_not_supported', check: async () => {
    expect((await authorize({ request: 'eyJhbGciOiJub25lIn0.e30.' })).params.get('error')).toBe('request_not_supported');
  } },
  { plan: 'Basic', name: 'oidcc-claims-essential', what: '`claims` with an essential name', check: async () => {
    const { info } = await whole({ claims: JSON.stringify({ userinfo: { name: { essential: true } } }) });
    expect(info['name']).toBe('Ann');
  } },
  { plan: 'Basic', name: 'oidcc-refresh-token', what: 'new tokens for a refresh token, of the same user, without the nonce of others', check: async () => {
    const { tokens, claims } = await whole({ scope: 'openid offline_access', prompt: 'consent' }, await consenting());
    const renewed = await exchange(null, { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token), code: '', redirect_uri: '' });
    expect(decodeJwt(renewed.id_token)).toMatchObject({ iss: claims.iss, sub: claims.sub, aud: claims.aud });
    expect((await exchange(null, { grant_type: 'refresh_token', refresh_token: `${tokens.refresh_token}x`, code: '', redirect_uri: '' })).error).toBe('invalid_grant');
  } },
  { plan: 'Basic', name: 'oidcc-ensure-request-with-valid-pkce-succeeds', what: 'S256', check: async () => {
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const { params } = await signIn({ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' });
    needs(await exchange(params.get('code'), { code_verifier: verifier }), ['id_token']);
  } },
];

/** A browser whose user has pressed the button of the consent page once. */
async function consenting(): Promise<Visitor> {
  const visitor = new Visitor(id.url);
  await signIn({}, visitor);
  await authorize({ prompt: 'consent', scope: 'openid offline_access' }, visitor);
  const press = visitor.open.bind(visitor);
  visitor.open = async (url, headers) => {
    const seen = await press(url, headers);
    return seen.html.includes('>Accept</button>') ? visitor.press('Accept') : seen;
  };
  return visitor;
}

test.each(MODULES.filter(({ check }) => check !== undefined).map((each) => [each.name, each] as const))('%s', (_, { check }) => check?.());

test('the page has the table', () => {
  const passed = MODULES.filter(({ why }) => why === undefined).length;
  const rows = MODULES.map(({ plan, name, what, why }) => `| ${plan} | \`${name}\` | ${what} | ${why ?? 'yes'} |`);
  const page = `# Sign-in: the OpenID Foundation's modules

Which rules of the OpenID Foundation's test plans for providers does the pack \`identity\` pass? ${passed} of ${MODULES.length}.

The plans are Basic OP (\`oidcc-basic-certification-test-plan\`) and Config OP (\`oidcc-config-certification-test-plan\`), with a registered client. The suite itself needs a network, a
browser and a certificate, so what each of its modules requires is checked by plain calls, under the module's name: \`npm test -- test/packs/identity/conformance\`. This is no
certification. \`WRITE_PAGES=1\` with that command writes this page.

| Plan | Module | What it requires | Passed, or why not |
|---|---|---|---|
${rows.join('\n')}

Next: [what is supported](../reference/identity.md), [programs of other people](clients.md).
`;
  if (process.env['WRITE_PAGES'] === '1') writeFileSync(PAGE, page);
  // Formatting aligns the table.
  const plain = (text: string) => text.replaceAll(/[ -]+/g, ' ');
  expect(plain(readFileSync(PAGE, 'utf8'))).toBe(plain(page));
});
