import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { callTool, connect, disconnectAll } from '../support/mcp.js';
import { ROOT } from '../support/root.js';
import { useSandboxes } from '../support/start-sandbox.js';

/** The registers of signs by which an agent could notice that it isn't at the vendor, and what `realistic=on` closes. */

const sandboxes = useSandboxes({ t0: '2026-09-22T10:11:12Z', seed: 'tells' });
afterEach(disconnectAll);
const PACKS = readdirSync(join(ROOT, 'packs')).sort();
const realistic = (pack: string) => sandboxes.serve({ pack, vars: { realistic: 'on' } });

interface Register {
  readonly tells: readonly { readonly sign: string; readonly closed?: string; readonly declared?: string; readonly realistic?: boolean; readonly ids?: readonly string[] }[];
}

const registerOf = (pack: string) =>
  parse(readFileSync(join(ROOT, 'packs', pack, 'tells.yaml'), 'utf8')) as Register;

test.each(PACKS)('%s: each closed sign names a test that there is', (pack) => {
  for (const { sign, closed } of registerOf(pack).tells) {
    if (closed === undefined) continue;
    const [file, title] = closed.split(' > ');
    expect({ sign, file, is: existsSync(join(ROOT, file)) }).toEqual({ sign, file, is: true });
    const has = readFileSync(join(ROOT, file), 'utf8').replaceAll("\\'", "'").includes(title);
    expect({ sign, title, has }).toEqual({ sign, title, has: true });
  }
});

test('the page has the figures of each register', () => {
  const page = readFileSync(join(ROOT, 'docs/internals/agents.md'), 'utf8');
  for (const pack of PACKS) {
    const { tells } = registerOf(pack);
    const closed = tells.filter((each) => each.closed !== undefined);
    const left = tells.filter((each) => each.closed === undefined);
    const open = left.filter((each) => each.declared === undefined);
    const figures = [closed.length, closed.filter(({ realistic: only }) => only).length, left.length - open.length, open.length];
    expect(page).toContain(`| ${pack} | ${figures.join(' | ')} |`);
  }
});

test('payments: no sign of the public register is left out', () => {
  const known = new Set(registerOf('payments').tells.flatMap(({ ids = [] }) => ids));
  const range = (name: string, to: number) => Array.from({ length: to }, (_, at) => `${name}-${String(at + 1).padStart(2, '0')}`);
  // The register itself found that these are none.
  const none = ['AR-07', 'DT-24'];
  const all = [...range('TS', 26), ...range('DT', 25), ...range('EC', 10), ...range('AR', 9), ...range('AS', 31)];
  expect(all.filter((id) => !known.has(id) && !none.includes(id))).toEqual([]);
});

/** A call of each pack that works in an empty world. */
const CALLS: Readonly<Record<string, readonly [call: string, body?: unknown]>> = {
  'bank-data': ['POST /institutions/get', { count: 1, offset: 0, country_codes: ['US'] }],
  'code-hosting': ['GET /user'],
  identity: ['GET /.well-known/openid-configuration'],
  mail: ['GET /domains'],
  messaging: ['GET /2010-04-01/Accounts.json'],
  models: ['GET /v1/models'],
  payments: ['POST /v1/customers', new URLSearchParams({ name: 'Ada' })],
  'task-automation': ['GET /tasks'],
  'team-chat': ['POST /api/auth.test'],
};

test.each(PACKS)('%s: no header is the sandbox\'s own, no address is an example, time passes with every call', async (pack) => {
  const { call, control } = sandboxOf(await realistic(pack));
  const [first, body] = CALLS[pack];
  const before = (await control('GET /__admin__/clock')).body['now'];
  const { headers, text } = await call(first, body);
  expect([...headers.keys()].filter((name) => name.startsWith('x-mock'))).toEqual([]);
  expect(text).not.toMatch(/[./]example\.com\/|https:\/\/\w+\.example\.com/);
  await call(first, body);
  expect(String((await control('GET /__admin__/clock')).body['now']) > String(before)).toBe(true);
});

function sandboxOf(sandbox: Awaited<ReturnType<typeof realistic>>) {
  const exchanged = async (line: string, body?: unknown) => {
    const [method, path] = line.split(' ');
    const form = body instanceof URLSearchParams;
    const given = body === undefined ? null : form ? body : JSON.stringify(body);
    const type: Record<string, string> = given === null || form ? {} : { 'content-type': 'application/json' };
    const response = await fetch(sandbox.url + path, {
      method,
      headers: { authorization: `Bearer ${sandbox.key}`, ...type },
      ...(given === null ? {} : { body: given }),
    });
    const text = await response.text();
    const read = /^\s*\{/.test(text) ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { status: response.status, headers: response.headers, text, body: read };
  };
  return { call: exchanged, control: exchanged };
}

test('payments: results of tools have no _meta', async () => {
  const client = await connect(await realistic('payments'));
  const account = { stripe_context: 'acct_1Pgaf0LkdIwHu7ix', livemode: false };
  const { meta } = await callTool(client, 'stripe_api_read', { stripe_api_operation_id: 'GetCustomers', parameters: {}, ...account });
  expect(meta).toEqual({});
});

test('payments: ids have lengths, and the account\'s fragment; payments: numbered ids count the seconds as the vendor\'s do', async () => {
  const { call } = sandboxOf(await realistic('payments'));
  const form = (values: Record<string, string>) => new URLSearchParams(values);
  const customer = (await call('POST /v1/customers', form({ name: 'Ada' }))).body;
  expect(customer['id']).toMatch(/^cus_[0-9A-Za-z]{14}$/);
  const payment = { amount: '900', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa', return_url: 'https://shop.test' };
  const intent = (await call('POST /v1/payment_intents', form(payment))).body;
  expect(intent['id']).toMatch(/^pi_3[0-9A-Za-z]{5}LkdIwHu7ix[0-9A-Za-z]{8}$/);
  expect(intent['latest_charge']).toMatch(/^ch_3[0-9A-Za-z]{5}LkdIwHu7ix[0-9A-Za-z]{8}$/);
  expect(createdOf(String(intent['id']))).toBe(intent['created']);
  // Of the vendor's own reference: an id with the time at which it was made.
  expect(createdOf('pm_1MqLiJLkdIwHu7ixUEgbFdYF')).toBe(1_679_945_299);
  expect(createdOf('pi_3MtwBwLkdIwHu7ix28a3tqPa')).toBe(1_680_800_504);
  expect((await call('GET /v1/none')).text).toMatch(/Unrecognized request URL \(GET: \/v1\/none\)\. .*Please see/); // payments: an unknown path
});

/** When an object was made, as its id says. */
function createdOf(id: string): number {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const [, time] = /^\w+?_\d(.{5})/.exec(id) ?? [];
  return [...time].reduce((value, digit) => value * 62 + digits.indexOf(digit), 1) + 426_256_548;
}

test('payments: the account has the members that the vendor\'s has; payments: objects have the members of the newest version', async () => {
  const { call } = sandboxOf(await realistic('payments'));
  const account = (await call('GET /v1/account')).body;
  expect(Object.keys(account)).toEqual(expect.arrayContaining(['controller', 'external_accounts', 'future_requirements', 'requirements', 'tos_acceptance']));
  const form = (values: Record<string, string>) => new URLSearchParams(values);
  const customer = (await call('POST /v1/customers', form({ name: 'Ada' }))).body;
  expect(customer['invoice_prefix']).toMatch(/^[A-Z0-9]{8}$/);
  expect(Object.keys(customer).slice(0, 6)).toEqual(['id', 'object', 'address', 'balance', 'created', 'currency']);
  expect(customer).toHaveProperty('test_clock');
  const payment = { amount: '900', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa', return_url: 'https://shop.test', 'expand[]': 'latest_charge' };
  const intent = (await call('POST /v1/payment_intents', form(payment))).body;
  const price = (await call('POST /v1/prices', form({ currency: 'usd', unit_amount: '900', 'recurring[interval]': 'month', 'product_data[name]': 'Loaf' }))).body;
  const bill = { customer: String(customer['id']), 'items[0][price]': String(price['id']), collection_method: 'send_invoice', days_until_due: '9' };
  const subscription = (await call('POST /v1/subscriptions', form(bill))).body;
  expect(Object.keys(subscription)).toEqual(expect.arrayContaining(['trial_settings', 'cancellation_details']));
  expect(intent['latest_charge']).toMatchObject({ outcome: { network_status: 'approved_by_network' }, radar_options: {} });
});

test.each([
  ['payments', 'server: nginx', 'strict-transport-security: max-age=63072000; includeSubDomains; preload'],
  ['bank-data', 'server: nginx', 'plaid-version: 2020-09-14'],
  ['code-hosting', 'server: github.com', 'x-frame-options: deny'],
  ['mail', 'server: cloudflare', 'cf-cache-status: DYNAMIC'],
  ['models', 'server: cloudflare', 'openai-version: 2020-10-01'],
  ['team-chat', 'server: Apache', 'pragma: no-cache'],
])('%s: the headers that the vendor\'s machines send, with realistic=on only', async (pack, ...expected) => {
  const [first, body] = CALLS[pack];
  const { headers } = await sandboxOf(await realistic(pack)).call(first, body);
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  expect(lines).toEqual(expect.arrayContaining(expected));
  const usual = await sandboxOf(await sandboxes.serve({ pack })).call(first, body);
  expect(usual.headers.get('server')).toBeNull();
});

test('models: each vendor\'s header of request ids is the only one', async () => {
  const { call } = sandboxOf(await realistic('models'));
  const { headers } = await call('GET /v1/models');
  expect(headers.get('x-request-id')).toMatch(/^req_/);
  expect(headers.get('request-id')).toBeNull();
  expect((await call('GET /v1/models?x-unknown=1')).headers.get('x-mock-unsupported')).toBeNull();
});

test('payments, bank-data, team-chat: members are in the vendor\'s order, at any depth', async () => {
  const { call } = sandboxOf(await realistic('payments'));
  const form = new URLSearchParams({ name: 'Ada', 'metadata[b]': '1', 'metadata[a]': '2' });
  const { body } = await call('POST /v1/customers', form);
  const [id, object, ...rest] = Object.keys(body);
  expect([id, object]).toEqual(['id', 'object']);
  expect(rest).toEqual([...rest].sort());
  expect(Object.keys(body['metadata'] as object)).toEqual(['a', 'b']);
  const bank = await sandboxOf(await realistic('bank-data')).call(...CALLS['bank-data']);
  expect(Object.keys(bank.body)).toEqual(Object.keys(bank.body).sort());
  const chat = await sandboxOf(await realistic('team-chat')).call(...CALLS['team-chat']);
  expect(Object.keys(chat.body)[0]).toBe('ok');
});
