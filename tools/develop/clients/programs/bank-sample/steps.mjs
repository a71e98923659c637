/** The server of the vendor's quick start: calls each route of an emulated product as its page does. */
import { application, control, equal, happens, key, step } from './kit.mjs';

const PORT = '8923';
const app = await step('it starts', () =>
  application('app/node', 'index.js', `listening on port ${PORT}`, {
    APP_PORT: PORT,
    PLAID_CLIENT_ID: 'client',
    PLAID_SECRET: key,
    PLAID_ENV: 'sandbox',
    PLAID_PRODUCTS: 'auth,transactions,identity',
  }),
);
async function api(method, path, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${PORT}/api/${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

let linkToken;
await step('a link token', async () => {
  linkToken = (await api('POST', 'create_link_token')).link_token;
  equal(linkToken.startsWith('link-sandbox-'), true, 'its form');
});
await step('what somebody linked is exchanged for an access token', async () => {
  await happens('link.finished', { link_token: linkToken });
  const sessions = (await control('GET', '/state?resource=public_tokens')).resources.public_tokens;
  const { access_token, error } = await api('POST', 'set_access_token', { public_token: sessions.at(-1).id });
  equal([access_token.startsWith('access-sandbox-'), error], [true, null], 'the token');
  equal((await api('POST', 'info')).access_token, access_token, 'what it keeps');
});
await step('the item and its institution', async () => {
  const { item, institution } = await api('GET', 'item');
  equal(item.institution_id, institution.institution_id, 'the institution');
});
await step('accounts', async () => equal((await api('GET', 'accounts')).accounts.length > 0, true, 'accounts'));
await step('balances', async () => {
  const { accounts } = await api('GET', 'balance');
  equal(
    accounts.every(({ balances }) => balances.current !== null),
    true,
    'balances',
  );
});
await step('numbers for transfers', async () =>
  equal((await api('GET', 'auth')).numbers.ach.length > 0, true, 'numbers'),
);
await step('owners', async () => equal((await api('GET', 'identity')).identity[0].owners.length > 0, true, 'owners'));
await step('transactions, when they have been pulled', async () => {
  await control('POST', '/clock/advance', { duration: '1m' });
  const { latest_transactions: latest } = await api('GET', 'transactions');
  equal(latest.length, 8, 'transactions');
  equal(
    latest.map(({ date }) => date),
    latest.map(({ date }) => date).sort(),
    'their order',
  );
});
app.stop();
