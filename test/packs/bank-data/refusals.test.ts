import { createHash } from 'node:crypto';
import { SandboxItemFireWebhookRequestWebhookCodeEnum } from 'plaid';
import { call, type CallHeaders } from '../../support/http.js';
import { linked, refusal, serveBanks, US } from './served.js';

/** What the vendor rejects, with its codes. */

const sandbox = serveBanks();
const LINK = { client_name: 'Shop', language: 'en', country_codes: US, user: { client_user_id: 'u1' }, products: ['transactions'] };
const NEW = { institution_id: 'ins_109508', initial_products: ['transactions'] };
const DAYS = { start_date: '2025-01-01', end_date: '2025-03-01' };
const TRANSACTION = { date_transacted: '2025-03-01', date_posted: '2025-03-01', amount: 5, description: 'Bread' };
const UNKNOWN_TOKEN = 'access-sandbox-00000000-0000-0000-0000-000000000000';

type Body = Record<string, unknown>;
/** A call with the key in its headers. */
function post(path: string, json: Body, headers: CallHeaders = {}) {
  const own = { authorization: undefined, 'plaid-client-id': 'any', 'plaid-secret': sandbox.sandbox.key, ...headers };
  return call(sandbox.sandbox, `POST ${path}`, json, own);
}

/** What differs from a call that succeeds; undefined leaves a parameter out. */
type Wrong = [change: Body, code: string];

const LINKS: Wrong[] = [
  [{ client_name: undefined }, 'MISSING_FIELDS'],
  [{ language: undefined }, 'MISSING_FIELDS'],
  [{ language: 'xx' }, 'INVALID_FIELD'],
  [{ country_codes: undefined }, 'MISSING_FIELDS'],
  [{ country_codes: [] }, 'INVALID_FIELD'],
  [{ country_codes: ['XX'] }, 'INVALID_FIELD'],
  [{ user: undefined }, 'MISSING_FIELDS'],
  [{ user: {} }, 'MISSING_FIELDS'],
  [{ products: undefined }, 'MISSING_FIELDS'],
  [{ products: [] }, 'MISSING_FIELDS'],
  [{ products: ['nope'] }, 'INVALID_FIELD'],
  [{ products: 'transactions' }, 'INVALID_FIELD'],
  [{ products: ['transactions', 'balance'] }, 'INVALID_PRODUCT'],
  [{ optional_products: ['transactions'] }, 'INVALID_FIELD'],
  [{ required_if_supported_products: ['nope'] }, 'INVALID_FIELD'],
  [{ redirect_uri: 'http://shop.example/back' }, 'INVALID_FIELD'],
  [{ redirect_uri: 'shop' }, 'INVALID_FIELD'],
  [{ redirect_uri: 'https://shop.example/?a=b' }, 'INVALID_FIELD'],
  [{ user: { client_user_id: 'u1', phone_number: '12' } }, 'INVALID_FIELD'],
  [{ user: { client_user_id: 'u1', email_address: 'shop' } }, 'INVALID_FIELD'],
  [{ webhook: 'nowhere' }, 'INVALID_FIELD'],
  [{ access_token: UNKNOWN_TOKEN }, 'INVALID_ACCESS_TOKEN'],
  [{ institution_id: 'ins_none' }, 'INVALID_INSTITUTION'],
  [{ transactions: { days_requested: 0 } }, 'INVALID_FIELD'],
  [{ transactions: { days_requested: 731 } }, 'INVALID_FIELD'],
  [{ user: { client_user_id: 'u1', email: 'a@shop.example' } }, 'UNKNOWN_FIELDS'],
  [{ mode: 'fast' }, 'UNKNOWN_FIELDS'],
];
const NEW_ITEMS: Wrong[] = [
  [{ institution_id: undefined }, 'MISSING_FIELDS'],
  [{ institution_id: 'ins_none' }, 'INVALID_INSTITUTION'],
  [{ initial_products: undefined }, 'MISSING_FIELDS'],
  [{ initial_products: [] }, 'INVALID_FIELD'],
  [{ initial_products: ['nope'] }, 'INVALID_FIELD'],
  [{ initial_products: ['liabilities'] }, 'INVALID_PRODUCT'],
  [{ options: { webhook: 'nowhere' } }, 'INVALID_FIELD'],
];
const INSTITUTIONS: Wrong[] = [
  [{ count: 0 }, 'INVALID_FIELD'],
  [{ count: 501 }, 'INVALID_FIELD'],
  [{ offset: -1 }, 'INVALID_FIELD'],
  [{ country_codes: [] }, 'INVALID_FIELD'],
  [{ country_codes: ['ZZ'] }, 'INVALID_FIELD'],
  [{ options: { products: ['nope'] } }, 'INVALID_FIELD'],
];
const OF_ITEMS: [path: string, fine: Body, wrong: readonly Wrong[]][] = [
  [
    '/transactions/get',
    DAYS,
    [
      [{ start_date: undefined }, 'MISSING_FIELDS'],
      [{ start_date: '2025-1-1' }, 'INVALID_FIELD'],
      [{ start_date: '2025-02-30' }, 'INVALID_FIELD'],
      [{ end_date: '2025-13-01' }, 'INVALID_FIELD'],
      [{ end_date: '2024-12-31' }, 'INVALID_FIELD'],
      [{ options: { count: 0 } }, 'INVALID_FIELD'],
      [{ options: { count: 501 } }, 'INVALID_FIELD'],
      [{ options: { offset: -1 } }, 'INVALID_FIELD'],
      [{ options: { account_ids: ['none'] } }, 'INVALID_ACCOUNT_ID'],
      [{ access_token: 'none' }, 'INVALID_ACCESS_TOKEN'],
      [{ access_token: UNKNOWN_TOKEN }, 'INVALID_ACCESS_TOKEN'],
    ],
  ],
  [
    '/transactions/sync',
    {},
    [
      [{ cursor: 'none' }, 'INVALID_FIELD'],
      [{ count: 0 }, 'INVALID_FIELD'],
      [{ count: 501 }, 'INVALID_FIELD'],
      [{ options: { account_id: 'none' } }, 'INVALID_ACCOUNT_ID'],
    ],
  ],
  [
    '/sandbox/transactions/create',
    { transactions: [TRANSACTION] },
    [
      [{ transactions: [] }, 'INVALID_FIELD'],
      [{ transactions: Array.from({ length: 11 }, () => TRANSACTION) }, 'INVALID_FIELD'],
      [{ transactions: [{ ...TRANSACTION, amount: undefined }] }, 'MISSING_FIELDS'],
      [{ transactions: [{ ...TRANSACTION, amount: 'five' }] }, 'INVALID_FIELD'],
      [{ transactions: [{ ...TRANSACTION, date_posted: '2025-03-02' }] }, 'INVALID_FIELD'],
      [{ transactions: [{ ...TRANSACTION, date_transacted: '2025-02-14' }] }, 'INVALID_FIELD'],
      [{ transactions: [{ ...TRANSACTION, iso_currency_code: 'dollars' }] }, 'INVALID_FIELD'],
    ],
  ],
  ['/item/webhook/update', { webhook: 'https://shop.example/hook' }, [[{ webhook: 'nowhere' }, 'INVALID_FIELD']]],
  [
    '/sandbox/item/fire_webhook',
    { webhook_code: 'DEFAULT_UPDATE' },
    [
      [{ webhook_code: undefined }, 'MISSING_FIELDS'],
      [{ webhook_code: 'NOPE' }, 'INVALID_FIELD'],
      [{ webhook_type: 'NOPE' }, 'INVALID_FIELD'],
    ],
  ],
  [
    '/item/remove',
    { reason_code: 'OTHER' },
    [
      [{ reason_code: 'BORED' }, 'INVALID_FIELD'],
      [{ reason_note: 'x'.repeat(513) }, 'INVALID_FIELD'],
    ],
  ],
];

async function check(path: string, fine: Body, wrong: readonly Wrong[]): Promise<void> {
  for (const [change, code] of wrong) {
    const { status, body } = await post(path, { ...fine, ...change });
    expect([change, status, body['error_code']]).toEqual([change, 400, code]);
  }
  expect((await post(path, fine)).status).toBe(200);
}

test.each<[path: string, fine: Body, wrong: readonly Wrong[]]>([
  ['/link/token/create', LINK, LINKS],
  ['/sandbox/public_token/create', NEW, NEW_ITEMS],
  ['/institutions/get', { count: 5, offset: 0, country_codes: US }, INSTITUTIONS],
  ['/institutions/get_by_id', { institution_id: 'ins_109508', country_codes: US }, [[{ institution_id: 'ins_none' }, 'INVALID_INSTITUTION'], [{ institution_id: '' }, 'INVALID_FIELD']]],
  ['/institutions/search', { query: 'bank', country_codes: US }, [[{ query: '' }, 'INVALID_FIELD'], [{ products: [] }, 'INVALID_FIELD']]],
])('%s rejects what the vendor rejects', (path, fine, wrong) => check(path, fine, wrong));

test('calls about items reject what the vendor rejects', async () => {
  const { access_token } = await linked(sandbox.client);
  await sandbox.control.advance('1m');
  for (const [path, fine, wrong] of OF_ITEMS) await check(path, { access_token, ...fine }, wrong);
});

test('where Link leads back to may be insecure on this machine only', async () => {
  for (const redirect_uri of ['https://shop.example/back', 'http://localhost:3000/back', 'http://localhost'])
    expect((await post('/link/token/create', { ...LINK, redirect_uri })).status).toBe(200);
  expect((await post('/link/token/create', { ...LINK, user: undefined, user_id: 'usr_1' })).status).toBe(200);
});

test('products that are wanted if the institution has them belong to the item', async () => {
  const more = { required_if_supported_products: ['identity', 'liabilities'], optional_products: ['auth'] };
  const { body } = await post('/link/token/create', { ...LINK, ...more });
  await sandbox.control.event('link.finished', { link_token: body['link_token'] });
  const { items } = (await sandbox.control.state()).resources as { items: { products: string[] }[] };
  expect(items[0].products).toEqual(['transactions', 'identity', 'auth']);
});

test('an empty cursor, as the first answer gives, is the beginning', async () => {
  const { access_token } = await linked(sandbox.client);
  const first = (await sandbox.client.transactionsSync({ access_token, cursor: '' })).data;
  expect([first.next_cursor, first.transactions_update_status]).toEqual(['', 'NOT_READY']);
  await sandbox.control.advance('1m');
  expect((await sandbox.client.transactionsSync({ access_token, cursor: first.next_cursor })).data.added).not.toEqual([]);
});

test('a key in the body opens a call whatever else is in Authorization', async () => {
  const { key } = sandbox.sandbox;
  const send = (body: Body, authorization: string) =>
    post('/institutions/get', { count: 1, offset: 0, country_codes: US, ...body }, { 'plaid-secret': '', authorization });
  for (const authorization of ['Bearer of-another-service', 'Basic YTpi', 'nonsense'])
    expect((await send({ client_id: 'any', secret: key }, authorization)).status).toBe(200);
  expect((await send({ client_id: 'any', secret: 'wrong' }, 'Bearer x')).body).toMatchObject({ error_code: 'INVALID_API_KEYS' });
  expect((await send({}, `Bearer ${key}`)).body).toMatchObject({ error_code: 'MISSING_FIELDS' });
});

test('a webhook is indented, and only its own text has the signed hash', async () => {
  const { receiver } = sandbox;
  const { access_token } = await linked(sandbox.client, undefined, { webhook: receiver.url });
  const webhook_code = SandboxItemFireWebhookRequestWebhookCodeEnum.NewAccountsAvailable;
  await sandbox.client.sandboxItemFireWebhook({ access_token, webhook_code });
  await sandbox.control.flush();
  const { body, headers } = receiver.received[0];
  const [, claims] = String(headers['plaid-verification']).split('.');
  const { request_body_sha256 } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Body;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  expect(body).toBe(JSON.stringify(JSON.parse(body), null, 2));
  expect(hash(body)).toBe(request_body_sha256);
  expect(hash(JSON.stringify(JSON.parse(body)))).not.toBe(request_body_sha256);
});

test('a token of another kind or environment is named', async () => {
  const wrong = sandbox.client.itemPublicTokenExchange({ public_token: 'nonsense' });
  await expect(wrong).rejects.toMatchObject(refusal(400, 'INVALID_PUBLIC_TOKEN'));
  await expect(sandbox.client.accountsGet({ access_token: 'access-production-1' })).rejects.toMatchObject(refusal(400, 'INVALID_ACCESS_TOKEN'));
});
