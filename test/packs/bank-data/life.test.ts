import { Products } from 'plaid';
import { linked, linkToken, refusal, serveBanks, US } from './served.js';

/** What happens to items after a time, and what people and institutions do, by the vendor's own client. */

const sandbox = serveBanks();
const { receiver } = sandbox;
/** Types and codes of the webhooks that came. */
const heard = async () => {
  await sandbox.control.flush();
  return receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
};
const codes = async () => (await heard()).map((each) => String(each['webhook_code']));
/** All changes after a cursor. */
const changes = async (access_token: string, cursor?: string) =>
  (await sandbox.client.transactionsSync({ access_token, count: 500, ...(cursor !== undefined && { cursor }) })).data;

test('a pending transaction is posted after two days, under another id, and the old one is removed', async () => {
  const { access_token } = await linked(sandbox.client);
  await sandbox.control.advance('1m');
  const first = await changes(access_token);
  const pending = first.added.filter((each) => each.pending);
  expect(pending).toHaveLength(1);
  await sandbox.control.advance('2d');
  const next = await changes(access_token, first.next_cursor);
  expect(next.added).toMatchObject([{ pending: false, pending_transaction_id: pending[0].transaction_id, amount: pending[0].amount }]);
  expect(next.removed).toMatchObject([{ transaction_id: pending[0].transaction_id }]);
});

test('a pin decides with which amount a transaction is posted, or that it is dropped', async () => {
  const { client, control } = sandbox;
  const { access_token } = await linked(client, undefined, { webhook: receiver.url });
  await control.advance('1m');
  const { next_cursor: cursor } = await changes(access_token);
  const { accounts } = (await client.accountsGet({ access_token })).data;
  await control.pin({ resource: 'transactions', path: 'posted_amount', value: 8 });
  await control.event('transaction.made', { account_id: accounts[0].account_id, amount: 6, name: 'Cafe' });
  await control.advance('2d');
  expect((await changes(access_token, cursor)).added.map(({ amount, pending }) => [amount, pending])).toEqual([[8, false], [8, false]]);
  await control.pin({ resource: 'transactions', path: 'outcome', value: 'dropped' });
  await control.event('transaction.made', { account_id: accounts[0].account_id, amount: 9, name: 'Hotel' });
  await control.advance('2d');
  const all = await changes(access_token);
  expect(all.added.filter(({ name }) => name === 'Hotel')).toEqual([]);
  expect(await codes()).toContain('TRANSACTIONS_REMOVED');
});

test('a consent that ends is told a week before, and then the item needs a new login', async () => {
  const { client, control } = sandbox;
  await control.durations({ consent_life: '90d' });
  const { access_token, item_id } = await linked(client, [Products.Auth], { webhook: receiver.url });
  const { item } = (await client.itemGet({ access_token })).data;
  expect(item.consent_expiration_time).toBe('2025-05-30T00:00:00Z');
  await control.advance('83d');
  expect(await heard()).toMatchObject([
    { webhook_type: 'ITEM', webhook_code: 'PENDING_EXPIRATION', item_id, consent_expiration_time: item.consent_expiration_time },
  ]);
  expect((await client.accountsGet({ access_token })).status).toBe(200);
  await control.advance('7d');
  await expect(client.accountsGet({ access_token })).rejects.toMatchObject(refusal(400, 'ITEM_LOGIN_REQUIRED'));
  await control.event('link.finished', { link_token: await linkToken(client, { access_token }) });
  expect((await client.itemGet({ access_token })).data.item).toMatchObject({
    error: null,
    consent_expiration_time: '2025-08-28T00:00:00Z',
  });
  expect(await codes()).toEqual(['PENDING_EXPIRATION', 'ERROR', 'LOGIN_REPAIRED']);
  await control.durations({ consent_life: null });
});

test('an institution that ends the connection, and a person who takes the permission back', async () => {
  const { client, control } = sandbox;
  const first = await linked(client, [Products.Auth], { webhook: receiver.url });
  await control.event('item.disconnects', { item_id: first.item_id });
  await control.advance('7d');
  await expect(client.authGet({ access_token: first.access_token })).rejects.toMatchObject(refusal(400, 'ITEM_LOGIN_REQUIRED'));
  await control.event('item.permission_revoked', { item_id: first.item_id });
  await expect(client.authGet({ access_token: first.access_token })).rejects.toMatchObject(refusal(400, 'USER_PERMISSION_REVOKED'));
  expect(await codes()).toEqual(['PENDING_DISCONNECT', 'ERROR', 'USER_PERMISSION_REVOKED']);
  const next = control.event('item.login_mended', { item_id: first.item_id });
  await expect(next).rejects.toMatchObject({ status: 409 });
});

test('an institution is down for a while: its items, its status and new logins say so', async () => {
  const { client, control } = sandbox;
  const { access_token } = await linked(client, [Products.Auth]);
  await control.event('institution.went_down', { institution_id: 'ins_109508' });
  await expect(client.authGet({ access_token })).rejects.toMatchObject(refusal(400, 'INSTITUTION_DOWN'));
  await expect(linked(client)).rejects.toMatchObject(refusal(400, 'INSTITUTION_DOWN'));
  const status = async () => {
    const asked = { institution_id: 'ins_109508', country_codes: US, options: { include_status: true } };
    return (await client.institutionsGetById(asked)).data.institution.status?.item_logins?.status;
  };
  expect(await status()).toBe('DOWN');
  await control.event('institution.recovered', { institution_id: 'ins_109508' });
  expect([await status(), (await client.authGet({ access_token })).status]).toEqual(['HEALTHY', 200]);
});

test('a session of Link that fails says with what, is told, and may be tried again', async () => {
  const { client, control } = sandbox;
  const link_token = await linkToken(client, { products: [Products.Auth], webhook: receiver.url });
  await control.event('link.exited', { link_token, code: 'INVALID_CREDENTIALS' });
  const [session] = (await client.linkTokenGet({ link_token })).data.link_sessions ?? [];
  expect(session.exit).toMatchObject({ error: { error_type: 'ITEM_ERROR', error_code: 'INVALID_CREDENTIALS' } });
  await control.event('link.finished', { link_token, institution_id: 'ins_109509' });
  const told = await heard();
  expect(told.map(({ webhook_code, status }) => [webhook_code, status])).toEqual([
    ['SESSION_FINISHED', 'EXITED'],
    ['SESSION_FINISHED', 'SUCCESS'],
  ]);
  const [public_token] = told[1]['public_tokens'] as string[];
  expect((await client.itemPublicTokenExchange({ public_token })).data.item_id).toMatch(/^[0-9A-Za-z]{37}$/);
  const late = await linkToken(client);
  await control.advance('4h');
  await expect(control.event('link.finished', { link_token: late })).rejects.toMatchObject({ status: 409 });
});

test('who logs in has accounts of their own, and a password can be an error', async () => {
  const { client } = sandbox;
  const masks = async (override_username: string, override_password?: string) => {
    const { access_token } = await linked(client, [Products.Transactions], { override_username, override_password });
    return (await client.accountsGet({ access_token })).data.accounts.map(({ mask }) => mask);
  };
  expect(await masks('user_small_business')).toEqual(['0000', '3333']);
  const override_accounts = [
    {
      type: 'depository',
      subtype: 'savings',
      starting_balance: 42,
      meta: { mask: '4242', name: 'Piggy Bank' },
      transactions: [{ date_posted: '2025-02-01', amount: 3.5, description: 'Tea', currency: 'USD' }],
    },
  ];
  const { access_token } = await linked(client, [Products.Transactions], {
    override_username: 'user_custom',
    override_password: JSON.stringify({ override_accounts }),
  });
  const { added, accounts } = await changes(access_token);
  expect(accounts).toMatchObject([{ mask: '4242', name: 'Piggy Bank', balances: { current: 42 } }]);
  expect(added).toMatchObject([{ name: 'Tea', amount: 3.5 }]);
  await expect(masks('user_good', 'error_ITEM_LOCKED')).rejects.toMatchObject(refusal(400, 'ITEM_LOCKED'));
  await expect(masks('nobody')).rejects.toMatchObject(refusal(400, 'INVALID_CREDENTIALS'));
});

test('an account that is opened later comes in by update mode', async () => {
  const { client, control } = sandbox;
  const { access_token, item_id } = await linked(client, [Products.Auth], {
    webhook: receiver.url,
    override_username: 'user_small_business',
  });
  const masks = async () => (await client.accountsGet({ access_token })).data.accounts.map(({ mask }) => mask);
  await control.event('item.account_opened', { item_id, mask: '1111' });
  expect([await codes(), await masks()]).toEqual([['NEW_ACCOUNTS_AVAILABLE'], ['0000', '3333']]);
  const link_token = await linkToken(client, { access_token, update: { account_selection_enabled: true } });
  await control.event('link.finished', { link_token });
  expect(await masks()).toEqual(['0000', '3333', '1111']);
});

test('balances can be pinned, and a call can meet any error of the catalogue', async () => {
  const { client, control } = sandbox;
  const { access_token } = await linked(client, [Products.Auth]);
  await control.pin({ resource: 'accounts', path: 'balances.available', value: 1 });
  expect((await client.accountsBalanceGet({ access_token })).data.accounts[0].balances.available).toBe(1);
  for (const [code, status] of [['ITEM_LOCKED', 400], ['PLANNED_MAINTENANCE', 503], ['RATE_LIMIT', 429]] as const) {
    const headers = { 'X-Mock-Scenario': code.toLowerCase() };
    await expect(client.accountsGet({ access_token }, { headers })).rejects.toMatchObject(refusal(status, code));
  }
});

test.each([
  ['one-household', 'access-sandbox-household', 2],
  ['broken-logins', 'access-sandbox-good', 1],
  ['new-customer', 'access-sandbox-new', 1],
])('the seed %s is there', async (name, access_token, count) => {
  await sandbox.control.seed({ name });
  expect((await sandbox.client.accountsGet({ access_token })).data.accounts).toHaveLength(count);
  const { added, transactions_update_status } = await changes(access_token);
  expect(transactions_update_status).toBe(name === 'new-customer' ? 'NOT_READY' : 'HISTORICAL_UPDATE_COMPLETE');
  expect(added.length > 0).toBe(name === 'one-household');
  if (name !== 'broken-logins') return;
  const refused = sandbox.client.accountsGet({ access_token: 'access-sandbox-broken' });
  await expect(refused).rejects.toMatchObject(refusal(400, 'ITEM_LOGIN_REQUIRED'));
  await sandbox.control.advance('3d');
  await expect(sandbox.client.accountsGet({ access_token: 'access-sandbox-ending' })).rejects.toMatchObject(refusal(400, 'ITEM_LOGIN_REQUIRED'));
});
