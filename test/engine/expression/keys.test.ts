import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { calculateJwkThumbprint, createLocalJWKSet, type JSONWebKeySet, type JWK, jwtVerify, SignJWT } from 'jose';
import { packFolder } from '../../support/sample-pack.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** Keys of an invented vendor, and tokens that come in, as `jose` makes and checks them. */

const pack = packFolder({
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
events: { resource: event, with: { type: "\${type}", data: "\${snapshot}" } }
delivery:
  endpoint:
    resource: hook
    events: "['*']"
    secret: "rsa_key('hooks')"
    register: { url: "\${url}" }
  transports:
    http:
      url: endpoint.url
      body: "=event.data"
      headers: { X-Signature: "\${signature}" }
      signature: { content: "\${body}", algorithm: rsa-sha256, key: utf8, digest: base64 }
`,
  'resources/event.yaml': `resource: event
collection: events
path: /events
id: { prefix: evt_, format: short }
fields: { type: string, data: map }
operations: [list]
`,
  'resources/hook.yaml': `resource: hook
collection: hooks
path: /hooks
id: { prefix: hook_, format: short }
fields: { url: string }
operations: [list]
`,
  'resources/pass.yaml': `resource: pass
collection: passes
path: /passes
id: { prefix: "", format: short }
fields: { at: timestamp }
operations:
  create: { do: [{ create: pass, with: { at: =now } }] }
  keys: { route: GET /keys, return: { keys: ["=public_key(rsa_key('one'), 'jwk')", "=public_key(ec_key('two'), 'jwk')"] } }
  forms:
    route: GET /forms
    return:
      pem: "=public_key(rsa_key('one'), 'pem')"
      hooks: "=public_key(rsa_key('hooks'), 'pem')"
      spki: "=public_key(rsa_key('one'), 'spki')"
      same: "=public_key(public_key(rsa_key('one'), 'pem'), 'thumbprint') == rsa_key('one').kid"
      private: "=private_pem(rsa_key('one')).startsWith('-----BEGIN PRIVATE KEY-----')"
  token:
    route: GET /token
    let: { claims: "{'iss': base_url, 'aud': 'app', 'sub': 'u1', 'exp': unix(now) + 3600}" }
    return: { rsa: "=jwt(claims, rsa_key('one'))", ec: "=jwt(claims, ec_key('two'), {'typ': 'at+jwt'})" }
  check:
    route: POST /check
    params: { token!: string, rules: map }
    return:
      problems: "=jwt_problems(params.token, [public_key(rsa_key('one'), 'jwk'), public_key(ec_key('two'), 'jwk'), 'a secret of the client'], default(params.rules, {}))"
      claims: "=jwt_claims(params.token)"
events: { pass.created: { on: created } }
`,
});

const sandbox = startSandbox(pack, { seed: 'keys', t0: '2026-01-01T00:00:00Z' });
const now = new Date('2026-01-01T00:00:00Z');

const keySet = (): Promise<JSONWebKeySet> => sandbox.body<JSONWebKeySet>('GET /keys');

async function problems(token: string, rules?: object): Promise<string[]> {
  const { body } = await sandbox.call<{ problems: { param: string }[] }>('POST /check', {
    token,
    ...(rules && { rules }),
  });
  return body.problems.map(({ param }) => param);
}

test('keys are the same for the same seed, and jose verifies what they sign', async () => {
  const keys = await keySet();
  expect(keys).toEqual(await keySet());
  const [rsa, ec] = keys.keys;
  expect(rsa).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', kid: await calculateJwkThumbprint(rsa) });
  expect(ec).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig', kid: await calculateJwkThumbprint(ec) });
  expect(rsa).not.toHaveProperty('d');
  expect(Buffer.from(String(rsa.n), 'base64url')).toHaveLength(256);
  const tokens = await sandbox.body<Record<'rsa' | 'ec', string>>('GET /token');
  const set = createLocalJWKSet(keys);
  const rules = { issuer: sandbox.url, audience: 'app', currentDate: now };
  expect((await jwtVerify(tokens.rsa, set, rules)).protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: rsa.kid });
  expect((await jwtVerify(tokens.ec, set, { ...rules, typ: 'at+jwt' })).protectedHeader.alg).toBe('ES256');
});

test('keys are written as PEM and as DER', async () => {
  const forms = await sandbox.body<Record<string, string>>('GET /forms');
  const [jwk] = (await keySet()).keys;
  const fromPem = createPublicKey(forms['pem']).export({ format: 'jwk' });
  const fromSpki = createPublicKey({ key: Buffer.from(forms['spki'], 'base64'), type: 'spki', format: 'der' });
  expect(fromPem).toEqual({ kty: 'RSA', n: jwk.n, e: jwk.e });
  expect(fromSpki.export({ format: 'jwk' })).toEqual(fromPem);
  expect(forms).toMatchObject({ same: true, private: true });
});

test('a JWK signs deliveries', async () => {
  await sandbox.control.endpoint({ url: sandbox.receiver.url, events: ['*'] });
  await sandbox.call('POST /passes', {});
  await sandbox.control.flush();
  const [{ headers, body }] = sandbox.receiver.received;
  const signature = Buffer.from(String(headers['x-signature']), 'base64');
  const { hooks } = await sandbox.body<{ hooks: string }>('GET /forms');
  expect(verify('sha256', Buffer.from(body), hooks, signature)).toBe(true);
});

const forged = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe('a token that comes in', () => {
  const signed = (claims: object, secret = 'a secret of the client'): Promise<string> =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
  const at = now.getTime() / 1000;

  test.each([
    ['is fine', { exp: at + 60, aud: ['x', 'app'], iss: 'i' }, { aud: 'app', iss: ['i', 'j'] }, []],
    ['has expired', { exp: at }, {}, ['exp']],
    ['has expired within the leeway', { exp: at - 5 }, { leeway: 10 }, []],
    ['is not valid yet', { nbf: at + 60 }, {}, ['nbf']],
    ['is for another one, by another one', { aud: 'x', iss: 'y' }, { aud: 'app', iss: 'i' }, ['iss', 'aud']],
    ['lacks claims', {}, { required: ['exp', 'sub'] }, ['exp', 'sub']],
    ['is signed in a way that is not allowed', {}, { algorithms: ['RS256'] }, ['alg']],
    ['has another type', {}, { typ: 'at+jwt' }, ['typ']],
    ['has a time that is none', { exp: 'never' }, {}, ['exp']],
  ])('%s', async (_, claims, rules, expected) => {
    expect(await problems(await signed(claims), rules)).toEqual(expected);
  });

  test('is not believed because it says so', async () => {
    const [rsa] = (await keySet()).keys;
    const none = `${encoded({ alg: 'none' })}.${encoded({ sub: 'admin' })}.`;
    expect(await problems(none)).toEqual(['alg']);
    // The public key as the secret of an HMAC.
    const pem = createPublicKey({ key: rsa as JWK & { kty: string }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    expect(await problems(await signed({ sub: 'admin' }, pem.toString()))).toEqual(['signature']);
    const other = await new SignJWT({ sub: 'admin' })
      .setProtectedHeader({ alg: 'RS256', kid: rsa.kid })
      .sign(forged.privateKey);
    expect(await problems(other)).toEqual(['signature']);
    const unknown = await new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid: 'x' }).sign(forged.privateKey);
    expect(await problems(unknown)).toEqual(['signature']);
    for (const text of ['', 'a', 'a.b', 'a.b.c', `${encoded([])}.e30.`, '..'])
      expect(await problems(text || 'x')).toEqual(['token']);
  });

  test('expires by the simulated time', async () => {
    const { rsa } = await sandbox.body<{ rsa: string }>('GET /token');
    expect(await problems(rsa, { iss: sandbox.url, aud: 'app' })).toEqual([]);
    await sandbox.control.advance('2h');
    expect(await problems(rsa)).toEqual(['exp']);
  });
});

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
