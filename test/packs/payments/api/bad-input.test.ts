import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { said, servePayments } from '../served-payments.js';

const payments = servePayments();

const FORM = 'application/x-www-form-urlencoded';
const INVALID = { status: 400, type: 'invalid_request_error' };
const UNKNOWN = { status: 404, type: 'invalid_request_error', code: undefined };

let commits: number;

beforeEach(() => {
  commits = payments.commits;
});

afterEach(() => {
  expect(payments.defects).toEqual([]);
});

const deep = (depth: number) => `metadata${'[a]'.repeat(depth)}=1`;
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

describe('bodies', () => {
  const bodies: [string, string | Uint8Array, string, Record<string, unknown>][] = [
    ['JSON where a form is spoken', '{"name":"Jenny"}', 'application/json', INVALID],
    ['malformed JSON', '{"name":', 'application/json', INVALID],
    ['JSON that calls itself a form', '{"name":"Jenny"}', FORM, INVALID],
    ['XML', '<name>Jenny</name>', 'application/xml', INVALID],
    ['multipart', '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x', INVALID],
    ['a content type that is none', 'name=Jenny', 'nonsense', INVALID],
    ['a broken escape', 'name=%E0%A4%A', FORM, INVALID],
    ['a lonely percent sign', 'name=%', FORM, INVALID],
    ['escaped bytes that are no UTF-8', 'name=%ff%fe', FORM, INVALID],
    ['raw bytes that are no UTF-8', bytes('name=\xff\xfe'), FORM, INVALID],
    ['an overlong encoding', 'name=%c0%80', FORM, INVALID],
    ['a surrogate', 'name=%ed%a0%80', FORM, INVALID],
    ['__proto__', '__proto__[admin]=1', FORM, INVALID],
    ['__proto__ inside', 'metadata[__proto__][admin]=1', FORM, INVALID],
    ['constructor', 'constructor[prototype][admin]=1', FORM, INVALID],
    ['constructor inside', 'metadata[constructor]=1', FORM, INVALID],
    ['prototype', 'address[prototype]=1', FORM, INVALID],
    ['10,000 nested keys', deep(10_000), FORM, INVALID],
    ['10,000 nested lists', `metadata${'[]'.repeat(10_000)}=1`, FORM, INVALID],
    ['30 nested keys', deep(30), FORM, INVALID],
    ['a value with members', 'name=x&name[first]=y', FORM, INVALID],
    ['unmatched brackets', 'address[city=x', FORM, INVALID],
    ['a huge index', 'preferred_locales[99999999]=x', FORM, INVALID],
    ['an empty key', '=x', FORM, INVALID],
    ['a map where text belongs', 'name[first]=x', FORM, INVALID],
    ['text where a map belongs', 'address=x', FORM, INVALID],
    ['metadata in levels', 'metadata[a][b]=x', FORM, INVALID],
    ['10,000 parameters', Array.from({ length: 10_000 }, (_, i) => `p${i}=1`).join('&'), FORM, INVALID],
    ['more than 1 MiB', `name=${'x'.repeat(1024 * 1024)}`, FORM, { status: 413, type: 'invalid_request_error' }],
    [
      'more than 1 MiB of another type',
      'x'.repeat(1024 * 1024 + 1),
      'text/plain',
      { status: 413, type: 'invalid_request_error' },
    ],
    ['a NUL in a name of a parameter', 'na%00me=x', FORM, INVALID],
  ];

  it.each(bodies)('%s', async (_name, body, contentType, error) => {
    const answer = await payments.call('POST /v1/customers', body, { 'Content-Type': contentType });
    expect(said(answer)).toMatchObject(error);
    expect(answer.headers.get('x-mock-resolution-trace')).toBeTruthy();
    expect(payments.commits).toBe(commits);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it('a body that is compressed but says nothing sensible', async () => {
    const answer = await payments.call('POST /v1/customers', 'name=x', { 'Content-Encoding': 'gzip' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(payments.commits).toBe(commits);
  });

  it('a compressed body is read', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const answer = await payments.call('POST /v1/customers', gzipSync('name=Jenny'), headers);
    expect([answer.status, answer.body['name']]).toEqual([200, 'Jenny']);
  });

  const pieces: [string, string, readonly string[]][] = [
    ['in pieces', 'Content-Length: 10', ['name', '=Je', 'nny']],
    ['in chunks', 'Transfer-Encoding: chunked', ['4\r\nname\r\n', '6\r\n=Jenny\r\n', '0\r\n\r\n']],
  ];

  it.each(pieces)('a body %s is read', async (_name, length, parts) => {
    const { port, hostname } = new URL(payments.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    const head = `POST /v1/customers HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${payments.key}`;
    socket.write(`${head}\r\nContent-Type: ${FORM}\r\n${length}\r\n\r\n`);
    for (const part of parts) {
      await wait(5);
      socket.write(part);
    }
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 200 .*"name":"Jenny"/s);
  });

  it('1 MiB exactly is read', async () => {
    const head = 'metadata[a]=';
    const answer = await payments.call('POST /v1/customers', head + 'x'.repeat(1024 * 1024 - head.length));
    expect(said(answer)).toMatchObject({ status: 400 }); // too long for metadata, but not too large
  });
});

describe('routes and methods', () => {
  const routes: [string, string][] = [
    ['PUT', '/v1/customers'],
    ['PATCH', '/v1/payment_intents'],
    ['DELETE', '/v1/payment_intents'],
    ['DELETE', '/v1/balance'],
    ['POST', '/v1/balance'],
    ['PUT', '/v1/payment_intents/pi_1'],
    ['GET', '/v1/nonsense'],
    ['POST', '/v1'],
    ['GET', '/'],
    ['GET', '/v1/customers/%E0%A4%A'],
    ['GET', '/v1//customers'],
    ['GET', '/v1/customers/cus_1/nonsense'],
    ['GET', '/v2/customers'],
    ['OPTIONS', '/v1/nonsense'],
  ];

  it.each(routes)('%s %s', async (method, path) => {
    const answer = await payments.call(`${method} ${path}`);
    expect(said(answer)).toMatchObject(UNKNOWN);
    expect(answer.text).toContain('Unrecognized request URL');
    expect(payments.commits).toBe(commits);
  });

  const ids = [
    '__proto__',
    'constructor',
    'toString',
    '..%2f..%2fetc',
    '%00',
    'x'.repeat(5000),
    '%F0%9F%90%A2',
    'undefined',
    'null',
    '0',
  ];

  it.each(ids)('the id %.40s is only an unknown id', async (id) => {
    const answer = await payments.get(`/v1/customers/${id}`);
    expect(said(answer)).toMatchObject({ status: 404, code: 'resource_missing', param: 'id' });
  });
});

describe('ids of another type', () => {
  it.each([
    '/v1/customers/',
    '/v1/charges/',
    '/v1/refunds/',
    '/v1/setup_intents/',
    '/v1/disputes/',
    '/v1/payment_methods/',
    '/v1/events/',
    '/v1/balance_transactions/',
  ])('a payment intent is not found under %s', async (path) => {
    const intent = await payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd' });
    expect(said(await payments.get(`${path}${intent.id}`))).toMatchObject({
      status: 404,
      code: 'resource_missing',
      param: 'id',
    });
  });

  it.each([
    ['customer', 'pi'],
    ['payment_method', 'cus'],
  ] as const)('as the parameter %s (%s_)', async (param, prefix) => {
    const intent = await payments.stripe.paymentIntents.create({ amount: 2000, currency: 'usd' });
    const customer = await payments.stripe.customers.create();
    commits = payments.commits;
    const id = prefix === 'pi' ? intent.id : customer.id;
    const answer = await payments.post('/v1/payment_intents', { amount: '2000', currency: 'usd', [param]: id });
    expect(said(answer)).toMatchObject({ ...INVALID, code: 'resource_missing', param });
    expect(payments.commits).toBe(commits);
  });
});

describe('values', () => {
  const amounts = [
    '-1',
    '0',
    '9007199254740993',
    '1e3',
    '1e400',
    '0x10',
    '12.5',
    '+5',
    ' 5',
    'NaN',
    'Infinity',
    '',
    '٣',
    '9'.repeat(400),
    'true',
    '-0',
  ];

  it.each(amounts)('the amount "%.20s"', async (amount) => {
    const answer = await payments.post('/v1/payment_intents', { amount, currency: 'usd' });
    expect(said(answer)).toMatchObject({ ...INVALID, param: 'amount' });
    expect(payments.commits).toBe(commits);
  });

  it.each(['xxx', 'us', 'dollars', '', '840', '$', 'usd ', 'x'.repeat(1000)])(
    'the currency "%.20s"',
    async (currency) => {
      const answer = await payments.post('/v1/payment_intents', { amount: '2000', currency });
      expect(said(answer)).toMatchObject({ ...INVALID, param: 'currency' });
      expect(payments.commits).toBe(commits);
    },
  );

  it('currencies are understood in capitals and answered in small letters', async () => {
    const answer = await payments.post('/v1/payment_intents', { amount: '2000', currency: 'USD' });
    expect([answer.status, answer.body['currency']]).toEqual([200, 'usd']);
  });

  const customers: [string, Record<string, string>, string][] = [
    ['a metadata value of 501 characters', { 'metadata[a]': 'x'.repeat(501) }, 'metadata'],
    ['a metadata key of 41 characters', { [`metadata[${'x'.repeat(41)}]`]: '1' }, 'metadata'],
    [
      '51 metadata keys',
      Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`metadata[k${i}]`, '1'])),
      'metadata',
    ],
    ['a balance beyond exact numbers', { balance: '9007199254740993' }, 'balance'],
    ['a boolean that is none', { validate: 'yes' }, 'validate'],
    ['a list that is none', { preferred_locales: 'fr' }, 'preferred_locales'],
  ];

  it.each(customers)('%s', async (_name, params, param) => {
    const answer = await payments.post('/v1/customers', params);
    expect(said(answer)).toMatchObject(INVALID);
    expect(String(said(answer)['param'])).toMatch(new RegExp(`^${param}`));
    expect(payments.commits).toBe(commits);
  });

  it.each([
    'created[gte]=soon',
    'created=1e9',
    'created[gt][lt]=1',
    'created[near]=5',
    'expand=customer',
    'limit[]=3',
    'email[a]=x',
  ])('the query ?%s', async (query) => {
    expect(said(await payments.get(`/v1/customers?${query}`))).toMatchObject(INVALID);
  });
});

it('bytes that are no HTTP do not end the process', async () => {
  const { port, hostname } = new URL(payments.url);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write('\x16\x03\x01 nonsense\r\n\r\n'));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
  expect(answer).toMatch(/^(HTTP\/1\.1 400|$)/);
  expect((await payments.get('/v1/balance')).status).toBe(200);
});

it('a client that goes away in the middle of its body leaves nothing behind', async () => {
  const { port, hostname } = new URL(payments.url);
  await new Promise<void>((resolve) => {
    const head = `POST /v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${payments.key}\r\nContent-Type: ${FORM}\r\nContent-Length: 100\r\n\r\nname=J`;
    const socket = connect(Number(port), hostname, () => socket.write(head, () => socket.destroy()));
    socket.on('close', () => resolve());
  });
  expect((await payments.get('/v1/customers')).body['data']).toEqual([]);
});
