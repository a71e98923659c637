import { createHash } from 'node:crypto';
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import {
  PlaidEnvironments,
  Products,
  SandboxItemFireWebhookRequestWebhookCodeEnum,
  type PlaidApi,
  type Transaction,
} from 'plaid';
import { clientOf, linked as linkedBy, refusal, serveBanks, US } from './served.js';

/** Items, accounts, transactions and webhooks, by the vendor's own client. */

const sandbox = serveBanks();
const { receiver } = sandbox;
let client: PlaidApi;
beforeAll(() => {
  ({ client } = sandbox);
});
const linked = (products?: Products[], webhook?: string, institution?: string) =>
  linkedBy(client, products, webhook === undefined ? {} : { webhook }, institution);

/** All that the feed has after a cursor, page by page, as the vendor's guide walks it. */
async function walk(access_token: string, after?: string, count = 10) {
  const added: Transaction[] = [];
  const modified: Transaction[] = [];
  const removed: string[] = [];
  for (let cursor = after; ;) {
    const { data } = await client.transactionsSync({ access_token, count, ...(cursor && { cursor }) });
    added.push(...data.added);
    modified.push(...data.modified);
    removed.push(...data.removed.map(({ transaction_id }) => transaction_id));
    cursor = data.next_cursor;
    if (!data.has_more) return { added, modified, removed, cursor, status: data.transactions_update_status };
  }
}

test('the client finds the sandbox by where its calls go alone', () => {
  expect(PlaidEnvironments['sandbox']).toBe('https://sandbox.plaid.com');
});

test('a public token is good for one exchange, within half an hour', async () => {
  const { data } = await client.sandboxPublicTokenCreate({
    institution_id: 'ins_109508',
    initial_products: [Products.Auth],
  });
  expect(data.public_token).toMatch(/^public-sandbox-[0-9a-f-]{36}$/);
  const { public_token } = data;
  const { access_token, item_id, request_id } = (await client.itemPublicTokenExchange({ public_token })).data;
  expect([access_token, item_id, request_id]).toEqual([
    expect.stringMatching(/^access-sandbox-/),
    expect.stringMatching(/^[0-9A-Za-z]{37}$/),
    expect.stringMatching(/^[0-9A-Za-z]{15}$/),
  ]);
  await expect(client.itemPublicTokenExchange({ public_token })).rejects.toMatchObject(refusal(400, 'INVALID_PUBLIC_TOKEN'));
  const stray = client.sandboxPublicTokenCreate({ institution_id: 'ins_none', initial_products: [Products.Transactions] });
  await expect(stray).rejects.toMatchObject(refusal(400, 'INVALID_INSTITUTION'));
  const other = (await client.sandboxPublicTokenCreate({ institution_id: 'ins_109508', initial_products: [Products.Transactions] })).data;
  await sandbox.control.advance('30m');
  await expect(client.itemPublicTokenExchange({ public_token: other.public_token })).rejects.toMatchObject(refusal(400, 'INVALID_PUBLIC_TOKEN'));
});

test('Link gives a token to a page, and an item when somebody has logged in there', async () => {
  const { link_token, expiration } = (
    await client.linkTokenCreate({
      client_name: 'Shop',
      language: 'en',
      country_codes: US,
      user: { client_user_id: 'u1' },
      products: [Products.Transactions],
    })
  ).data;
  expect(expiration).toBe('2025-03-01T04:00:00Z');
  await sandbox.control.event('link.finished', { link_token, institution_id: 'ins_109509' });
  const { metadata, link_sessions } = (await client.linkTokenGet({ link_token })).data;
  expect([metadata.client_name, metadata.initial_products]).toEqual(['Shop', ['transactions']]);
  const [{ public_token }] = link_sessions?.[0].results?.item_add_results ?? [];
  const { access_token } = (await client.itemPublicTokenExchange({ public_token })).data;
  const { item } = (await client.itemGet({ access_token })).data;
  expect([item.institution_name, item.billed_products, item.error]).toEqual([
    'First Gingham Credit Union',
    ['transactions'],
    null,
  ]);
});

test('accounts have balances, numbers and owners', async () => {
  const { access_token } = await linked([Products.Auth]);
  const { accounts, item } = (await client.accountsGet({ access_token })).data;
  expect(accounts.map(({ mask, subtype, balances }) => [mask, subtype, balances.current])).toEqual([
    ['0000', 'checking', 110],
    ['1111', 'savings', 210],
    ['2222', 'cd', 1000],
    ['3333', 'credit card', 410],
    ['4444', 'money market', 43200],
    ['7777', 'student', 65262],
  ]);
  expect(item.available_products).toEqual(['assets', 'balance', 'identity', 'transactions']);
  const account_ids = [accounts[1].account_id];
  const some = (await client.accountsBalanceGet({ access_token, options: { account_ids } })).data.accounts;
  expect(some.map(({ name }) => name)).toEqual(['Plaid Saving']);
  const stray = client.accountsBalanceGet({ access_token, options: { account_ids: ['stray'] } });
  await expect(stray).rejects.toMatchObject(refusal(400, 'INVALID_ACCOUNT_ID'));
  const { numbers } = (await client.authGet({ access_token })).data;
  expect(numbers.ach).toMatchObject([
    { account: '1111222233330000', routing: '011401533', account_id: accounts[0].account_id },
    { account: '1111222233331111', account_id: accounts[1].account_id },
  ]);
  const known = (await client.identityGet({ access_token })).data;
  expect(known.accounts[0].owners[0]).toMatchObject({ names: ['Alberta Bobbeth Charleson'] });
  expect(known.item.billed_products).toEqual(['auth', 'identity']);
});

test('transactions come in two pulls, and the client pages through them by date', async () => {
  const { access_token } = await linked();
  const asked = { access_token, start_date: '2024-12-01', end_date: '2025-03-01' };
  await expect(client.transactionsGet(asked)).rejects.toMatchObject(refusal(400, 'PRODUCT_NOT_READY'));
  await sandbox.control.advance('5s');
  expect((await client.transactionsGet(asked)).data.total_transactions).toBe(11);
  await sandbox.control.advance('30s');
  const all: Transaction[] = [];
  for (let offset = 0, total = 1; offset < total; offset = all.length) {
    const { data } = await client.transactionsGet({ ...asked, options: { offset, count: 10 } });
    total = data.total_transactions;
    all.push(...data.transactions);
  }
  expect(all).toHaveLength(33);
  const dates = all.map(({ date }) => date);
  expect(dates).toEqual([...dates].sort().reverse());
  expect(new Set(all.map(({ transaction_id }) => transaction_id)).size).toBe(33);
  expect(all[0]).toMatchObject({ name: 'Uber 063015 SF**POOL**', pending: true, date: '2025-02-28', amount: 5.4 });
});

test('a cursor goes on where it left off: added, modified and removed', async () => {
  const { access_token } = await linked();
  expect((await client.transactionsSync({ access_token })).data).toMatchObject({
    added: [],
    has_more: false,
    next_cursor: '',
    transactions_update_status: 'NOT_READY',
  });
  await sandbox.control.advance('1m');
  const first = await walk(access_token);
  expect([first.added.length, first.modified, first.removed, first.status]).toEqual([
    33,
    [],
    [],
    'HISTORICAL_UPDATE_COMPLETE',
  ]);
  expect(await walk(access_token, first.cursor)).toMatchObject({ added: [], cursor: first.cursor });
  const pending = first.added.find((transaction) => transaction.pending);
  const coffee = first.added.find(({ name }) => name === 'Starbucks');
  await sandbox.control.event('transaction.posted', { transaction_id: pending?.transaction_id, amount: 6.4 });
  await sandbox.control.event('transaction.corrected', { transaction_id: coffee?.transaction_id, amount: 4.5 });
  const next = await walk(access_token, first.cursor);
  expect(next).toMatchObject({
    added: [{ amount: 6.4, pending: false, pending_transaction_id: pending?.transaction_id }],
    modified: [{ transaction_id: coffee?.transaction_id, amount: 4.5 }],
    removed: [pending?.transaction_id],
  });
  await expect(client.transactionsSync({ access_token, cursor: 'c3RyYXk=' })).rejects.toMatchObject(
    refusal(400, 'INVALID_FIELD'),
  );
});

test('a walk that is overtaken by a change begins again', async () => {
  const { access_token } = await linked();
  await sandbox.control.advance('1m');
  const { next_cursor: cursor, has_more } = (await client.transactionsSync({ access_token, count: 10 })).data;
  expect(has_more).toBe(true);
  const { accounts } = (await client.accountsGet({ access_token })).data;
  await sandbox.control.event('transaction.made', { account_id: accounts[0].account_id, amount: 3, name: 'Tea' });
  await expect(client.transactionsSync({ access_token, cursor, count: 10 })).rejects.toMatchObject(
    refusal(400, 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION'),
  );
  expect((await walk(access_token)).added).toHaveLength(34);
  expect((await client.accountsGet({ access_token })).data.accounts[0].balances.current).toBe(107);
});

test('an item whose login broke says so until somebody logs in again', async () => {
  const { access_token, item_id } = await linked();
  await sandbox.control.event('item.login_changed', { item_id });
  await expect(client.accountsGet({ access_token })).rejects.toMatchObject(refusal(400, 'ITEM_LOGIN_REQUIRED'));
  await expect(client.transactionsSync({ access_token })).rejects.toMatchObject({
    response: {
      data: {
        error_type: 'ITEM_ERROR',
        display_message: 'Your login at this institution has to be renewed.',
        request_id: expect.any(String) as string,
      },
    },
  });
  expect((await client.itemGet({ access_token })).data.item.error).toMatchObject({ error_code: 'ITEM_LOGIN_REQUIRED' });
  const { link_token } = (
    await client.linkTokenCreate({
      client_name: 'Shop',
      language: 'en',
      country_codes: US,
      user: { client_user_id: 'u1' },
      access_token,
    })
  ).data;
  await sandbox.control.event('link.finished', { link_token });
  expect((await client.accountsGet({ access_token })).data.item.error).toBeNull();
  expect((await client.sandboxItemResetLogin({ access_token })).data.reset_login).toBe(true);
  await expect(client.accountsGet({ access_token })).rejects.toMatchObject(refusal(400, 'ITEM_LOGIN_REQUIRED'));
  await client.itemRemove({ access_token });
  await expect(client.itemGet({ access_token })).rejects.toMatchObject(refusal(400, 'ITEM_NOT_FOUND'));
});

/** Verifies a webhook as the vendor's documents tell: the key by the token's `kid`, its age, and the sum of the body. */
async function verified(body: string, token: string): Promise<{ webhook_code: string; [key: string]: unknown }> {
  const { alg, kid } = decodeProtectedHeader(token);
  expect(alg).toBe('ES256');
  const { key } = (await client.webhookVerificationKeyGet({ key_id: String(kid) })).data;
  expect(key.expired_at).toBeNull();
  const { payload } = await jwtVerify(token, await importJWK(key, 'ES256'), { maxTokenAge: '5 min' });
  if (payload['request_body_sha256'] !== createHash('sha256').update(body).digest('hex'))
    throw new Error('not its body');
  return JSON.parse(body) as { webhook_code: string };
}

test('webhooks of an item are signed by a key that the client fetches', async () => {
  const { access_token, item_id } = await linked([Products.Transactions], receiver.url);
  await linked();
  await sandbox.control.advance('1m');
  await client.sandboxItemFireWebhook({
    access_token,
    webhook_code: SandboxItemFireWebhookRequestWebhookCodeEnum.DefaultUpdate,
  });
  await client.sandboxItemResetLogin({ access_token });
  await sandbox.control.flush();
  const heard = [];
  for (const { body, headers } of receiver.received)
    heard.push(await verified(body, String(headers['plaid-verification'])));
  expect(heard.map(({ webhook_code }) => webhook_code)).toEqual([
    'SYNC_UPDATES_AVAILABLE',
    'INITIAL_UPDATE',
    'SYNC_UPDATES_AVAILABLE',
    'HISTORICAL_UPDATE',
    'DEFAULT_UPDATE',
    'ERROR',
  ]);
  expect(heard[2]).toMatchObject({
    webhook_type: 'TRANSACTIONS',
    item_id,
    historical_update_complete: true,
    environment: 'sandbox',
  });
  expect(heard[5]).toMatchObject({ webhook_type: 'ITEM', item_id, error: { error_code: 'ITEM_LOGIN_REQUIRED' } });
  const { body, headers } = receiver.received[0];
  await expect(verified(`${body} `, String(headers['plaid-verification']))).rejects.toThrow('not its body');
  await expect(client.webhookVerificationKeyGet({ key_id: 'stray' })).rejects.toMatchObject(
    refusal(400, 'INVALID_WEBHOOK_VERIFICATION_KEY_ID'),
  );
});

test('the balances of an item are asked for five times a minute, whatever others ask', async () => {
  const { access_token } = await linked();
  for (let n = 1; n <= 5; n++) await client.accountsBalanceGet({ access_token });
  await expect(client.accountsBalanceGet({ access_token })).rejects.toMatchObject(refusal(429, 'BALANCE_LIMIT'));
  const other = await linked();
  expect((await client.accountsBalanceGet({ access_token: other.access_token })).status).toBe(200);
  await sandbox.control.advance('1m');
  expect((await client.accountsBalanceGet({ access_token })).status).toBe(200);
});

test('institutions are listed, found and told apart by what they can do', async () => {
  const { institutions, total } = (await client.institutionsGet({ count: 2, offset: 1, country_codes: US })).data;
  expect([institutions.map(({ name }) => name), total]).toEqual([
    ['First Gingham Credit Union', 'Tattersall Federal Credit Union'],
    6,
  ]);
  const found = (await client.institutionsSearch({ query: 'platypus', country_codes: US, products: [Products.Auth] }))
    .data;
  expect(found.institutions.map(({ oauth }) => oauth)).toEqual([false, true]);
  const one = client.institutionsGetById({ institution_id: 'ins_109511', country_codes: US });
  expect((await one).data.institution.products).toEqual(['balance', 'transactions']);
  const { access_token } = await linked([Products.Transactions], undefined, 'ins_109511');
  await expect(client.identityGet({ access_token })).rejects.toMatchObject(refusal(400, 'PRODUCTS_NOT_SUPPORTED'));
});

test('who calls without its keys, or with a token of somebody else, is told in the words of the vendor', async () => {
  const access_token = 'access-sandbox-stray';
  await expect(clientOf(sandbox, 'wrong').accountsGet({ access_token })).rejects.toMatchObject(refusal(400, 'INVALID_API_KEYS'));
  await expect(clientOf(sandbox).accountsGet({ access_token })).rejects.toMatchObject(refusal(400, 'MISSING_FIELDS'));
  const inBody = clientOf(sandbox).institutionsGet({
    client_id: 'a',
    secret: sandbox.key,
    count: 1,
    offset: 0,
    country_codes: US,
  });
  expect((await inBody).status).toBe(200);
  await expect(client.accountsGet({ access_token })).rejects.toMatchObject(refusal(400, 'INVALID_ACCESS_TOKEN'));
  await expect(client.accountsGet({ access_token: 'nonsense' })).rejects.toMatchObject({
    response: { data: { error_message: expect.stringContaining('expected format') as string } },
  });
  const { access_token: old } = await linked();
  const { new_access_token } = (await client.itemAccessTokenInvalidate({ access_token: old })).data;
  await expect(client.accountsGet({ access_token: old })).rejects.toMatchObject(refusal(400, 'INVALID_ACCESS_TOKEN'));
  expect((await client.accountsGet({ access_token: new_access_token })).status).toBe(200);
});
