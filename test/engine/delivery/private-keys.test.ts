import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { packFolder } from '../../support/sample-pack.js';
import { useReceiver, useSandboxes } from '../../support/start-sandbox.js';

/** Deliveries that a private key has signed, as forms and as JSON, verified by what the platform offers. */

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = ({ privateKey }: typeof rsa): string => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

function pack(algorithm: string, secret: string): string {
  return packFolder({
    'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
events: { resource: event, with: { type: "\${type}", data: "\${snapshot}" } }
delivery:
  endpoint:
    resource: hook
    events: "['*']"
    secret: endpoint.secret
    register: { url: "\${url}", secret: ${JSON.stringify(secret)} }
  transports:
    http:
      url: endpoint.url
      encoding: form
      body: { Type: "\${event.type}", Size: "\${event.data.size}", Link: "\${base_url}/a b", Note: ["x", "y&z"], Nothing: null }
      headers:
        X-Signature: "\${signature}"
        X-Token: "\${jwt({'sum': digest(body, 'sha256', 'hex')}, secret, {'kid': 'one'})}"
        X-World: "\${jwt({'sub': event.id}, ec_key('hooks'))}"
        X-Params: "\${cel.bind(p, from_form(body), join(sort(keys(p)), ' '))}"
      signature: { content: "\${timestamp}.\${body}", algorithm: ${algorithm}, key: utf8, digest: base64 }
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
fields: { url: string, secret: { type: string, hidden: true } }
operations: [list]
`,
    'resources/cake.yaml': `resource: cake
collection: cakes
path: /cakes
id: { prefix: "", format: short }
fields: { size: integer }
operations:
  create: { params: { size: { type: integer, required: true } } }
  key: { route: GET /key, return: "\${without(ec_key('hooks'), ['d'])}" }
events: { cake.created: { on: created } }
`,
  });
}

const receiver = useReceiver();
const { serve } = useSandboxes();

/** Header and claims of a token, and whether its signature is right. */
function opened(token: string, key: Parameters<typeof createPublicKey>[0]): [object, object, boolean] {
  const [head, claims, signature] = token.split('.');
  const [header, body] = [head, claims].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object);
  const content = Buffer.from(`${head}.${claims}`);
  const publicKey = createPublicKey(key);
  const right = verify(
    'sha256',
    content,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return [header, body, right];
}

test.each([
  ['rsa-sha256', 'RS256', rsa],
  ['ecdsa-sha256', 'ES256', ec],
])('%s', async (algorithm, alg, pair) => {
  const sandbox = await serve({ pack: pack(algorithm, pem(pair)), t0: undefined });
  await sandbox.control.endpoint({ url: receiver.url, events: ['*'] });
  await sandbox.call('POST /cakes', '{"size":3}');
  await sandbox.control.flush();
  const [{ headers: sent, body }] = receiver.received;
  expect(sent['content-type']).toBe('application/x-www-form-urlencoded');
  expect([...new URLSearchParams(body)]).toEqual([
    ['Type', 'cake.created'],
    ['Size', '3'],
    ['Link', `${sandbox.url}/a b`],
    ['Note', 'x'],
    ['Note', 'y&z'],
  ]);
  expect(sent['x-params']).toBe('Link Note Size Type');
  const publicKey = pair.publicKey.export({ format: 'jwk' });
  const signature = Buffer.from(String(sent['x-signature']), 'base64');
  const now = Math.floor(Date.now() / 1000);
  const verified = [now, now - 1, now - 2].some((at) =>
    verify('sha256', Buffer.from(`${at}.${body}`), pair.publicKey, signature),
  );
  expect(verified).toBe(true);
  const [header, , right] = opened(String(sent['x-token']), { key: publicKey, format: 'jwk' });
  expect([header, right]).toEqual([{ alg, typ: 'JWT', kid: 'one' }, true]);
  const key = await sandbox.body<Record<string, string>>('GET /key');
  expect(Object.keys(key)).toEqual(['kty', 'crv', 'x', 'y']);
  const [, claims, own] = opened(String(sent['x-world']), { key, format: 'jwk' });
  expect([own, claims]).toEqual([true, { sub: expect.stringMatching(/^evt_/) as string }]);
});
