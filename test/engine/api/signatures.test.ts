import { createHash, createHmac } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bug, loadPack, replayBug } from '../../../engine/index.js';
import { formatProblems } from '../../../engine/pack/index.js';
import { folderOfTest } from '../../support/scratch-folder.js';
import { ROOT } from '../../support/root.js';
import { TestSandbox, forTests } from '../../support/start-sandbox.js';

/** Signatures that callers send: the key's name is inside a header or parameter, and the pack says what is signed. */

const PACK = join(ROOT, 'test', 'packs', 'notary');
const KEY = 'nt_tests';
const notary = forTests(new TestSandbox('test/packs/notary', { key: KEY }), { reset: {} });

const hmac = (text: string, key: string | Buffer): Buffer => createHmac('sha256', key).update(text).digest();
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
const query = (parameters: readonly (readonly [string, string])[]): string =>
  parameters
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');

interface Signed {
  readonly method?: string;
  readonly path?: string;
  readonly parameters?: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly key?: string;
  readonly secret?: string;
}

/** Headers of a signed call, as a client of the vendor writes them. */
function signed({
  method = 'POST',
  path = '/deeds',
  parameters = [],
  body = '',
  key = KEY,
  secret = key,
}: Signed = {}) {
  const [date, day] = ['20250102T030405Z', '20250102'];
  const host = new URL(notary.url).host;
  const text = [
    method,
    path.replaceAll('%', '%25'),
    query(parameters),
    `host:${host}`,
    `x-notary-date:${date}`,
    createHash('sha256').update(body).digest('hex'),
  ].join('\n');
  const derived = ['bern', 'notary1_request'].reduce((last, each) => hmac(each, last), hmac(day, `NOTARY1${secret}`));
  return {
    authorization: `NOTARY1 Id=${key}/${day}/bern, Headers=host;x-notary-date, Sign=${hmac(text, derived).toString('hex')}`,
    'x-notary-date': date,
  };
}

const BODY = '{"text":"a house"}';
const write = (headers: Record<string, string>, body = BODY, target = '/deeds') =>
  notary.result(`POST ${target}`, body, { 'content-type': 'application/json', ...headers });

test('the pack has no problem, not even a warning', () => {
  const { problems, source } = loadPack(PACK);
  expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
});

test('a signed call is accepted, with parameters and an encoded path too', async () => {
  expect(await write(signed({ body: BODY }))).toMatchObject([200, { text: 'a house' }]);
  const parameters = [
    ['limit', '3'],
    ['ending_before', ''],
  ] as const;
  const listed = await notary.result(
    'GET /deeds?limit=3',
    undefined,
    signed({ method: 'GET', parameters: [parameters[0]] }),
  );
  expect(listed).toMatchObject([200, { data: [{ text: 'a house' }] }]);
  const path = '/deeds/a%20%C3%BC%2Bb';
  expect(await notary.result(`GET ${path}`, undefined, signed({ method: 'GET', path }))).toEqual([
    404,
    { code: 'NotFound' },
  ]);
});

interface Sent {
  readonly as?: Signed;
  readonly headers?: Record<string, string>;
  readonly without?: string;
}

const MISMATCH = [403, { code: 'SignatureDoesNotMatch' }];

test.each<[string, Sent, unknown]>([
  ['another key', { as: { key: 'nt_other' } }, [403, { code: 'UnknownKey', key: 'nt_other' }]],
  ['another secret', { as: { secret: 'x' } }, MISMATCH],
  ['another body', { as: { body: '{}' } }, MISMATCH],
  ['another method', { as: { method: 'PUT' } }, MISMATCH],
  ['another path', { as: { path: '/deed' } }, MISMATCH],
  ['another time', { headers: { 'x-notary-date': '20250102T030406Z' } }, MISMATCH],
  ['another day', { headers: { 'x-notary-date': '20250103T030405Z' } }, MISMATCH],
  ['no time', { without: 'x-notary-date' }, [400, { code: 'IncompleteSignature' }]],
  [
    'no signature',
    { headers: { authorization: `NOTARY1 Id=${KEY}/20250102/bern` } },
    [400, { code: 'IncompleteSignature' }],
  ],
  ['nothing but the word', { headers: { authorization: 'NOTARY1 ' } }, [403, { code: 'UnknownKey', key: 'NOTARY1' }]],
  ['no key', { headers: { authorization: '' } }, [401, { code: 'NoKey' }]],
])("a call with %s gets the vendor's error and changes nothing", async (_, { as, headers, without }, expected) => {
  const given: Record<string, string> = { ...signed({ body: BODY, ...as }), ...headers };
  const sent = Object.fromEntries(Object.entries(given).filter(([name]) => name !== without));
  expect(await write(sent)).toMatchObject(expected as object);
  expect(await notary.control.call('GET', '/state?resource=deeds')).toMatchObject({ resources: { deeds: [] } });
});

test('a link opens until its time is over, by real time', async () => {
  const link = (at: Date, change = '') => {
    const rest = [
      ['credential', `${KEY}/bern`],
      ['date', at.toISOString()],
      ['expires', '60'],
    ] as const;
    const text = `GET /deeds?${query(rest)}`;
    return `GET /deeds?${query([...rest, ['signature', createHmac('sha256', KEY).update(text).digest('base64url')]])}${change}`;
  };
  const open = { authorization: '' };
  expect(await notary.result(link(new Date()), undefined, open)).toEqual([200, { data: [] }]);
  await notary.control.advance('1h');
  expect(await notary.result(link(new Date()), undefined, open)).toEqual([200, { data: [] }]);
  expect(await notary.result(link(new Date(Date.now() - 61_000)), undefined, open)).toEqual([
    403,
    { code: 'LinkExpired' },
  ]);
  expect(await notary.result(link(new Date(), '&limit=1'), undefined, open)).toMatchObject([
    403,
    { code: 'SignatureDoesNotMatch' },
  ]);
  const never = `GET /deeds?credential=${KEY}/bern&date=soon&expires=1&signature=x`;
  expect(await notary.result(never, undefined, open)).toEqual([403, { code: 'UnknownKey', key: KEY }]);
});

test('bytes of the body are signed as they are, with the time', async () => {
  const call = (body: Buffer, at = Math.floor(Date.now() / 1000), sent = body) => {
    const digest = createHmac('sha512', KEY).update(`${at}.`).update(body).digest('base64');
    return notary.result('POST /deeds', sent.toString('latin1'), {
      authorization: '',
      'x-notary-key': KEY,
      'x-notary-signature': `t=${at},s=${digest}`,
    });
  };
  expect(await call(Buffer.from(BODY))).toMatchObject([200, { text: 'a house' }]);
  expect(await call(Buffer.from(BODY), 1_000_000)).toEqual([403, { code: 'RequestTimeTooSkewed' }]);
  expect(await call(Buffer.from(BODY), undefined, Buffer.from('{"text":"no"}'))).toEqual([
    403,
    { code: 'SignatureDoesNotMatch' },
  ]);
});

test('a call that asks for it is not verified, and so replays need no signature', async () => {
  expect(await write({ authorization: KEY, 'x-mock-unsigned': 'true' })).toMatchObject([200, {}]);
  expect(await write(signed({ body: BODY }))).toMatchObject([200, {}]);
  const { body } = await notary.admin<Bug>('GET /export');
  const again = await replayBug(body, { pack: PACK, onDefect: (error) => expect(error).toBeUndefined() });
  expect(again.unlike).toBeNull();
  await again.sandbox.close();
});

test.each([
  ['when: "call.headers[\'x-notary-key\'] != null"', 'when: call.headr != null', "call has no field 'headr'"],
  ['else: signature_old', 'else: signature_odl', "unknown error 'signature_odl'"],
  ['with: { signed: =text }', 'with: { sgned: =text }', "unknown argument 'sgned'"],
  ["pattern: 'Id=([^/,]+)/'", "pattern: 'Id=([^/,]+)/', prefix: x", 'must NOT be valid'],
])('the check finds the mistake when %s is %s', (from, to, message) => {
  const folder = folderOfTest();
  cpSync(PACK, folder, { recursive: true });
  const file = join(folder, 'pack.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(from, to));
  const line = text.slice(0, text.indexOf(from)).split('\n').length;
  const found = loadPack(folder).problems.map((problem) => `${problem.line} ${problem.message}`);
  expect(found.join('\n')).toMatch(new RegExp(`^${line} .*${message.replace(/[()]/g, '.')}`));
});
