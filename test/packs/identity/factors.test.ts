import { createHmac } from 'node:crypto';
import * as oidc from 'openid-client';
import { Visitor } from '../../support/visitor.js';
import { ANN, CALLBACK, rejection, serveIdentity } from './served.js';

/** Second factors, codes and links by mail and message, passkeys, and people who come from other providers. */

const { id, configOf, begin, finish } = serveIdentity({ vars: { vendor: 'auth0' } });

interface Message {
  readonly to: string;
  readonly channel: string;
  readonly code: string | null;
  readonly link: string | null;
}

const annId = async () => (await id.body<{ user_id: string }[]>('GET /api/v2/users'))[0].user_id;
const lastMessage = async () => (await id.body<Message[]>('GET /sandbox/messages'))[0];
const addFactor = async (factor: object) =>
  id.body<{ id: string }>(`POST /api/v2/users/${encodeURIComponent(await annId())}/authentication-methods`, factor);
const token = (form: Record<string, string>) =>
  id.call('POST /oauth/token', new URLSearchParams({ client_id: 'web', client_secret: 'secret-of-web', ...form }), { authorization: undefined });
const password = () => token({ grant_type: 'password', username: ANN.email, password: ANN.password, scope: 'openid' });
const grant = (kind: string) => `http://auth0.com/oauth/grant-type/${kind}`;

/** An authenticator app of its own (RFC 6238), by the world's clock. */
async function appCode(base32: string): Promise<string> {
  const bits = [...base32].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((each) => Number.parseInt(each, 2)));
  const counter = Buffer.alloc(8);
  const { now } = (await id.admin<{ now: string }>('GET /clock')).body;
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.parse(now) / 30_000)));
  const mac = createHmac('sha1', secret).update(counter).digest();
  return String((mac.readUInt32BE(mac[19] & 15) & 0x7fffffff) % 1e6).padStart(6, '0');
}

async function withPassword(more: Record<string, string> = {}, visitor?: Visitor) {
  const flow = await begin('web', more, visitor);
  await flow.visitor.press('Continue', { username: ANN.email, password: ANN.password });
  return flow;
}

describe('an authenticator app', () => {
  const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

  test('is asked for after the password, once per code; a minute later the code is over', async () => {
    await addFactor({ type: 'totp', totp_secret: SECRET });
    const code = await appCode(SECRET);
    const flow = await withPassword();
    expect(flow.visitor.seen.html).toContain('<h1>Verify that it is you</h1>');
    await flow.visitor.press('Continue', { code: '000000' });
    expect(flow.visitor.seen.html).toContain('role="alert">The code you entered is invalid.');
    await flow.visitor.press('Continue', { code });
    expect((await finish(flow)).claims()).toMatchObject({ email: ANN.email, amr: ['pwd', 'mfa'] });
    const again = await withPassword();
    await again.visitor.press('Continue', { code });
    expect(again.visitor.seen.html).toContain('invalid');
    await id.control.advance('61s');
    const late = await withPassword();
    await late.visitor.press('Continue', { code });
    expect(late.visitor.seen.html).toContain('invalid');
    await late.visitor.press('Continue', { code: await appCode(SECRET) });
    expect((await finish(late)).claims()?.['email']).toBe(ANN.email);
  });

  test('is set up at the page where everybody needs one', async () => {
    await id.body('PUT /api/v2/guardian/policies', ['all-applications']);
    const flow = await withPassword();
    const [, key] = /<dd>([A-Z2-7]{32})<\/dd>/.exec(flow.visitor.seen.html) ?? [];
    await flow.visitor.press('Continue', { code: await appCode(key) });
    expect((await finish(flow)).claims()?.['amr']).toEqual(['pwd', 'mfa']);
    expect((await withPassword()).visitor.seen.url).toContain('/u/factor/');
  });

  test('by the API: the error, enrolment, challenge, a wrong code, the right one, a recovery code that is good once', async () => {
    await id.body('PUT /api/v2/guardian/policies', ['all-applications']);
    const [status, { error, mfa_token }] = [403, (await password()).body as { error: string; mfa_token: string }];
    expect([status, error]).toEqual([403, 'mfa_required']);
    const bearer = { authorization: `Bearer ${mfa_token}` };
    const made = await id.body<{ secret: string; barcode_uri: string; recovery_codes: string[] }>(
      'POST /mfa/associate', { authenticator_types: ['otp'] }, bearer);
    expect(made.barcode_uri).toContain(`secret=${made.secret}&issuer=Sandbox`);
    expect((await token({ grant_type: grant('mfa-otp'), mfa_token, otp: '000000' })).body).toMatchObject({ error: 'invalid_grant' });
    const first = await token({ grant_type: grant('mfa-otp'), mfa_token, otp: await appCode(made.secret) });
    expect(first.body).toMatchObject({ token_type: 'Bearer', id_token: expect.any(String) });
    const { mfa_token: next } = (await password()).body as { mfa_token: string };
    expect(await id.body('POST /mfa/challenge', { client_id: 'web', mfa_token: next, challenge_type: 'otp' })).toMatchObject({ challenge_type: 'otp' });
    expect(await id.body('GET /mfa/authenticators', undefined, { authorization: `Bearer ${next}` })).toMatchObject([
      { authenticator_type: 'otp', active: true }, { authenticator_type: 'recovery-code' },
    ]);
    const recover = { grant_type: grant('mfa-recovery-code'), mfa_token: next, recovery_code: made.recovery_codes[0] };
    expect((await token(recover)).body).toMatchObject({ recovery_code: expect.not.stringContaining(made.recovery_codes[0]) });
    expect((await token(recover)).body).toMatchObject({ error: 'invalid_grant' });
    await id.control.advance('11m');
    expect((await token({ ...recover, grant_type: grant('mfa-otp'), otp: '1' })).body).toMatchObject({ error: 'expired_token' });
  });

  test('a test reads its code in the state; a lost one is gone; a pin lets any code fail, or none be needed', async () => {
    const { id: factor } = await addFactor({ type: 'totp' });
    const [{ code }] = await id.body<{ code: string }[]>('GET /sandbox/factors');
    const flow = await withPassword();
    await flow.visitor.press('Continue', { code });
    expect((await finish(flow)).claims()?.['email']).toBe(ANN.email);
    await id.control.pin({ resource: 'interactions', path: 'factor', value: 'fails' });
    const failing = await withPassword();
    await failing.visitor.press('Continue', { code });
    expect(failing.visitor.seen.html).toContain('invalid');
    await id.control.event('factor.lost', { factor_id: factor });
    expect((await finish(await withPassword())).claims()?.['amr']).toEqual(['pwd']);
  });
});

describe('a code by message or mail', () => {
  test.each([
    ['sms', { type: 'phone', phone_number: '+14155550100' }, '+14155550100'],
    ['email', { type: 'email', email: 'second@example.com' }, 'second@example.com'],
  ])('%s at the page; another one replaces it, and it lasts five minutes', async (channel, factor, to) => {
    await addFactor(factor);
    const flow = await withPassword();
    const first = await lastMessage();
    expect(first).toMatchObject({ to, channel });
    await flow.visitor.press('Send another code');
    const second = await lastMessage();
    await flow.visitor.press('Continue', { code: String(first.code) });
    expect(flow.visitor.seen.html).toContain('invalid');
    await flow.visitor.press('Continue', { code: String(second.code) });
    expect((await finish(flow)).claims()?.['amr']).toEqual(['pwd', 'mfa']);
    const late = await withPassword();
    await id.control.advance('6m');
    await late.visitor.press('Continue', { code: String((await lastMessage()).code) });
    expect(late.visitor.seen.html).toContain('invalid');
  });

  test('by the API; after five wrong codes the right one is too late', async () => {
    await addFactor({ type: 'phone', phone_number: '+14155550100' });
    const { mfa_token } = (await password()).body as { mfa_token: string };
    const challenge = async () => id.body<{ oob_code: string }>('POST /mfa/challenge', { client_id: 'web', mfa_token, challenge_type: 'oob' });
    const give = async (oob_code: string, binding_code: string) =>
      (await token({ grant_type: grant('mfa-oob'), mfa_token, oob_code, binding_code })).body;
    const { oob_code: first } = await challenge();
    for (let n = 0; n < 5; n++) expect(await give(first, 'no')).toMatchObject({ error: 'invalid_grant' });
    expect(await give(first, String((await lastMessage()).code))).toMatchObject({ error: 'invalid_grant' });
    const { oob_code: second } = await challenge();
    expect(await give(second, String((await lastMessage()).code))).toMatchObject({ token_type: 'Bearer' });
  });
});

describe('without a password', () => {
  test('a code at the page, and a new user with it', async () => {
    const flow = await begin();
    await flow.visitor.press('Send a code', { contact: 'New@Example.com' });
    await flow.visitor.press('Continue', { code: '1' });
    expect(flow.visitor.seen.html).toContain('The code is wrong or over.');
    await flow.visitor.press('Continue', { code: String((await lastMessage()).code) });
    expect((await finish(flow)).claims()).toMatchObject({ email: 'new@example.com', email_verified: true, amr: ['otp'] });
  });

  test('a link is good once, in the browser that asked or in another one', async () => {
    const flow = await begin();
    await flow.visitor.press('Send a link', { contact: ANN.email });
    const link = String((await lastMessage()).link);
    await flow.visitor.open(link);
    expect((await finish(flow)).claims()?.['email']).toBe(ANN.email);
    expect((await new Visitor(id.url).open(link)).html).toContain('The link is used or over');
  });

  test('by the API: start, a wrong code, the code; a link leads to the application', async () => {
    const start = (send: string) =>
      id.body('POST /passwordless/start', { client_id: 'web', connection: 'email', email: ANN.email, send, authParams: { scope: 'openid email', redirect_uri: CALLBACK, state: 'st' } }, { authorization: undefined });
    expect(await start('code')).toMatchObject({ email: ANN.email });
    const form = { grant_type: grant('passwordless/otp'), username: ANN.email, realm: 'email', scope: 'openid email' };
    expect((await token({ ...form, otp: 'no' })).body).toMatchObject({ error: 'invalid_grant' });
    expect((await token({ ...form, otp: String((await lastMessage()).code) })).body).toMatchObject({ id_token: expect.any(String) });
    await start('link');
    const visitor = new Visitor(id.url);
    const { url } = await visitor.open(String((await lastMessage()).link));
    expect(new URL(url).searchParams.get('state')).toBe('st');
    const tokens = await oidc.authorizationCodeGrant(await configOf('web'), new URL(url), { expectedState: 'st' });
    expect(tokens.claims()?.['email']).toBe(ANN.email);
  });
});

test('a passkey signs in alone, with no second factor', async () => {
  await addFactor({ type: 'totp' });
  await id.control.event('passkey.registered', { user_id: await annId() });
  const flow = await begin();
  expect(flow.visitor.seen.html).toContain('data-testid="passkey-ann@example.com"');
  await flow.visitor.press('Passkey of Ann');
  expect((await finish(flow)).claims()).toMatchObject({ email: ANN.email, amr: ['hwk'] });
});

describe('another provider', () => {
  beforeEach(() => id.body('POST /api/v2/connections', { name: 'google-oauth2', strategy: 'google-oauth2', display_name: 'Google' }));

  test('who comes back is somebody else than the user with that email, and the same the next time', async () => {
    const flow = await begin();
    await flow.visitor.press('Continue with Google');
    await flow.visitor.press('Continue', { email: ANN.email, name: 'Ann G.', email_verified: 'true' });
    const claims = (await finish(flow)).claims();
    expect(claims).toMatchObject({ email: ANN.email, email_verified: true, name: 'Ann G.' });
    expect(claims?.sub).toMatch(/^google-oauth2\|/);
    const again = await begin('web', { connection: 'google-oauth2' });
    expect(again.visitor.seen.html).toContain('<h1>Sign in with google-oauth2</h1>');
    await again.visitor.press('Continue', { email: ANN.email });
    expect((await finish(again)).claims()?.sub).toBe(claims?.sub);
    expect(await id.body(`GET /api/v2/users/${encodeURIComponent(String(claims?.sub))}`)).toMatchObject({
      identities: [{ provider: 'google-oauth2', connection: 'google-oauth2', isSocial: true }],
    });
  });

  test('cancelled there; by a pin at once; an account whose email nobody has verified', async () => {
    const cancelled = await begin('web', { connection: 'google-oauth2' });
    await cancelled.visitor.press('Cancel');
    await expect(finish(cancelled).catch(rejection)).resolves.toBe('access_denied');
    const profile = { sub: '117', email: 'eve@example.com', email_verified: false };
    await id.control.pin({ resource: 'interactions', path: 'profile', value: profile });
    const flow = await begin('web', { connection: 'google-oauth2' });
    expect((await finish(flow)).claims()).toMatchObject({ sub: 'google-oauth2|117', email_verified: false });
    const [{ id: connection }] = await id.body<{ id: string }[]>('GET /api/v2/connections?name=google-oauth2');
    await id.body(`PATCH /api/v2/connections/${connection}`, { options: { require_verified: true } });
    await expect(begin('web', { connection: 'google-oauth2' }).then(finish).catch(rejection)).resolves.toBe('access_denied');
  });

  test('an external event ends a sign-in that waits at the other provider', async () => {
    const flow = await begin('web', { connection: 'google-oauth2' });
    const interaction = flow.visitor.seen.url.split('/').at(-1);
    await id.control.event('social.signed_in', { interaction_id: String(interaction), email: 'zoe@example.com', email_verified: true });
    await flow.visitor.open(flow.visitor.seen.url);
    expect((await finish(flow)).claims()).toMatchObject({ email: 'zoe@example.com', email_verified: true });
  });

  test('the domain of an email leads to the connection of a company', async () => {
    await id.body('POST /api/v2/connections', { name: 'acme-saml', strategy: 'samlp', options: { domain_aliases: ['acme.example'] } });
    const flow = await begin();
    await flow.visitor.press('Continue', { username: 'joe@acme.example', password: 'x' });
    expect(flow.visitor.seen.html).toContain('Sign in with acme-saml');
    await flow.visitor.press('Continue', { email: 'joe@acme.example' });
    expect((await finish(flow)).claims()?.sub).toMatch(/^samlp\|/);
  });
});
