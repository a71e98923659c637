import { responseDifferences, settingsOf } from '../../tools/recordings/compare.js';
import { Player } from '../../tools/recordings/replay.js';
import type { Recorded } from '../../tools/recordings/read.js';
import { recordingRules } from '../../tools/recordings/rules.js';
import { startSandbox } from '../support/start-sandbox.js';

/** How recorded calls of a vendor are played against a pack. */

const sandbox = startSandbox('packs/payments', { vars: { vendor: 'stripe' } });
const play = (calls: readonly Recorded[]) => new Player(sandbox, recordingRules('payments')).play(calls);

const call = (method: string, path: string, body: string, response: object, at: string | null): Recorded => ({
  method,
  url: new URL(`https://api.stripe.com/v1/${path}`),
  headers: { 'stripe-version': '<STRIPE_VERSION>' },
  body,
  bodyBytes: Buffer.from(body),
  status: 200,
  responseHeaders: { 'content-type': 'application/json' },
  text: JSON.stringify(response),
  bytes: Buffer.from(JSON.stringify(response)),
  at: at === null ? null : Date.parse(at),
});
const product = (id: string, name: string, at: string): object => ({
  id,
  name,
  object: 'product',
  created: Date.parse(at) / 1000,
});
const differences = (results: Awaited<ReturnType<typeof play>>): string[][] =>
  results.map((result) =>
    result.kind === 'left out'
      ? [result.why]
      : result.differences.filter(({ kind }) => kind === 'value').map(({ path }) => path),
  );

test('what was recorded months later in the same file is played in a world of its own time', async () => {
  const [first, later] = ['2025-12-25T14:00:00Z', '2026-05-20T02:00:00Z'];
  const results = await play([
    call('POST', 'products', 'name=A', product('prod_Aaaaaaaaaaaaa1', 'A', first), first),
    call('POST', 'products', 'name=B', product('prod_Bbbbbbbbbbbbb1', 'B', later), later),
    call('GET', 'products/prod_Bbbbbbbbbbbbb1', '', product('prod_Bbbbbbbbbbbbb1', 'B', later), later),
    call('GET', 'products/prod_Aaaaaaaaaaaaa1', '', product('prod_Aaaaaaaaaaaaa1', 'A', first), later),
  ]);
  expect(differences(results)).toEqual([[], [], [], ['an object from before the recording']]);
});

test('what a recorder put in place of characters is filled in everywhere', async () => {
  const at = '2025-11-10T18:00:00Z';
  const made = product('prod_Aaaaaa<VENDOR_ID>aaaaa1', 'Bo<VENDOR_AUTH_CODE>', at);
  const results = await play([
    call('POST', 'products', 'name=Bo<VENDOR_AUTH_CODE>', made, at),
    call('GET', 'products/prod_Aaaaaa<VENDOR_ID>aaaaa1', '', made, at),
  ]);
  expect(differences(results)).toEqual([[], []]);
});

test('what the account had before is left out, in whatever form its id is, and the account is the one that was recorded', async () => {
  const at = '2024-12-13T18:00:00Z';
  const invoice = { id: 'in_Aaaaaaaaaaaaa1', object: 'invoice', account_country: 'CA', account_name: 'Maple' };
  const calls = [
    call('POST', 'customers', '', { id: 'cus_Aaaaaaaaaaaaa1', object: 'customer' }, at),
    call('POST', 'subscriptions', 'customer=cus_Aaaaaaaaaaaaa1&items[0][price]=small-monthly', { id: 'sub_1' }, at),
    call('POST', 'invoices', 'customer=cus_Aaaaaaaaaaaaa1', invoice, at),
  ];
  const account = { country: 'CA', business_profile: { name: 'Maple' } };
  const results = await new Player(sandbox, recordingRules('payments')).play(calls, account);
  expect(differences(results)).toEqual([[], ['an object from before the recording'], []]);
});

test('how far the vendor has come with an account is excused, another state is not', async () => {
  const at = '2024-12-13T18:00:00Z';
  const body = 'type=custom&country=US&requested_capabilities[0]=transfers';
  const states = async (recorded: object) => {
    const made = { id: 'acct_1AAAAAAAAAAAAAAA', object: 'account', country: 'US', ...recorded };
    const [result] = await play([call('POST', 'accounts', body, made, at)]);
    return result.kind === 'left out'
      ? []
      : result.differences.filter(({ expected, kind }) => expected === null && kind !== 'more');
  };
  const open = { capabilities: { transfers: 'inactive' } };
  expect(await states({ ...open, charges_enabled: true })).toEqual([]);
  expect((await states({ capabilities: { transfers: 'active' } })).map(({ path }) => path)).toEqual([
    'capabilities.transfers',
  ]);
});

test.each([
  [[], ['verification.proof_of_liveness'], 'settings'],
  [
    ['individual.full_name_aliases'],
    ['individual.full_name_aliases', 'individual.verification.proof_of_liveness'],
    'settings',
  ],
  [[], ['full_name_aliases'], null],
  [['full_name_aliases'], ['verification.proof_of_liveness'], null],
])('of what is asked for some day, %j and %j: %s', (recorded, ours, expected) => {
  const rules = {
    random: [],
    settings: settingsOf(recordingRules('payments').settings),
    isLater: false,
    isEarlier: false,
    ids: new Map(),
  };
  const asked = (eventually_due: readonly string[]) => ({ requirements: { eventually_due } });
  const causes = [...responseDifferences(asked(recorded), asked(ours), rules)].map((each) => each.expected);
  expect(causes[0]).toBe(expected);
});

test('a version that is none is sent where the vendor rejected it by name', async () => {
  const message = 'Invalid Stripe API version: not-a-version';
  const rejected = { error: { message, type: 'invalid_request_error' } };
  const version = { headers: { 'stripe-version': 'not-a-version' }, status: 400 };
  const played = await play([{ ...call('GET', 'products', '', rejected, '2026-09-19T22:00:00Z'), ...version }]);
  expect(differences(played)).toEqual([[]]);
});

test('calls that the vendor had no time for are not played', async () => {
  const made = call('POST', 'customers', '', { error: { code: 'lock_timeout' } }, '2024-12-13T18:00:00Z');
  expect(differences(await play([{ ...made, status: 429 }]))).toEqual([['a limit of the vendor']]);
});
