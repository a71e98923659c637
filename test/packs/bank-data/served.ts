import { Configuration, CountryCode, PlaidApi, Products } from 'plaid';
import { startSandbox, type TestSandbox } from '../../support/start-sandbox.js';

export const T0 = '2025-03-01T00:00:00Z';
export const US = [CountryCode.Us];

/** The vendor's own client: only where its calls go is changed. */
export function clientOf({ url }: { readonly url: string }, secret?: string): PlaidApi {
  const headers = { 'PLAID-CLIENT-ID': 'a client', ...(secret !== undefined && { 'PLAID-SECRET': secret }) };
  return new PlaidApi(new Configuration({ basePath: url, baseOptions: { headers } }));
}

/** The shipped pack with the vendor's names, and its client; empty for each test. */
export function serveBanks(): TestSandbox<PlaidApi> {
  const options = { t0: T0, vars: { vendor: 'plaid' }, reset: { t0: T0 } };
  return startSandbox('packs/bank-data', { ...options, client: (sandbox) => clientOf(sandbox, sandbox.key) });
}

/** Somebody's item at a bank, and the token that the application keeps. */
export async function linked(
  client: PlaidApi,
  initial_products = [Products.Transactions],
  options: { webhook?: string; override_username?: string; override_password?: string } = {},
  institution_id = 'ins_109508',
): Promise<{ access_token: string; item_id: string }> {
  const { data } = await client.sandboxPublicTokenCreate({ institution_id, initial_products, options });
  return (await client.itemPublicTokenExchange({ public_token: data.public_token })).data;
}

/** A token of Link: for a new item, or for update mode of one. */
export async function linkToken(client: PlaidApi, more: object = { products: [Products.Transactions] }): Promise<string> {
  const about = { client_name: 'Shop', language: 'en', country_codes: US, user: { client_user_id: 'u1' } };
  return (await client.linkTokenCreate({ ...about, ...more })).data.link_token;
}

/** What the vendor says of a call that it rejects. */
export const refusal = (status: number, error_code: string): object => ({ response: { status, data: { error_code } } });
