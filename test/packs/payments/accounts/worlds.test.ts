import { join } from 'node:path';
import { type Bug, ControlClient, replayBug, type Sandbox } from '../../../../engine/index.js';
import { PackCache } from '../../../../engine/pack/index.js';
import { Caller, type World } from '../../../support/calls.js';
import { openFile } from '../../../support/file-store.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { useSandboxes } from '../../../support/start-sandbox.js';
import { WebhookReceiver } from '../../../support/webhook-receiver.js';

/** Accounts of a platform go wherever their world goes: what they have, their timers, their deliveries, the ids that come next. */

const folder = scratchFolder();
const { serve, stop, keep, onDefect } = useSandboxes({ seed: 'accounts', key: 'sk_test_accounts' });

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterAll(() => receiver.stop());

const CARD = { currency: 'usd', confirm: 'true', payment_method: 'pm_card_bypassPending' };

/** The id that an answer tells first. */
const idOf = ({ text }: { readonly text: string }): string => String((JSON.parse(text) as { id: string }).id);

const as = (account: string): Record<string, string> => ({ 'Stripe-Account': account });

/** Two accounts, one of which has customers, payments of each kind, a subscription, a payout, endpoints and a key that was used. */
async function story(caller: Caller): Promise<readonly [string, string]> {
  const open = async (): Promise<string> => {
    const account = idOf(
      await caller.vendor('POST', '/v1/accounts', {
        type: 'custom',
        'capabilities[card_payments][requested]': 'true',
        'capabilities[transfers][requested]': 'true',
      }),
    );
    await caller.control('POST', '/world/events', { cause: 'account.onboarded', params: { account_id: account } });
    return account;
  };
  const [one, two] = [await open(), await open()];
  await caller.control('POST', '/clock/advance', { duration: '10s' });
  const hook = { url: receiver.url, 'enabled_events[]': '*' };
  await caller.vendor('POST', '/v1/webhook_endpoints', hook, as(one));
  await caller.vendor('POST', '/v1/webhook_endpoints', { ...hook, connect: 'true' });
  const customer = idOf(
    await caller.vendor('POST', '/v1/customers', { name: 'Ann', payment_method: 'pm_card_visa' }, as(one)),
  );
  const price = idOf(
    await caller.vendor(
      'POST',
      '/v1/prices',
      { currency: 'usd', unit_amount: '900', 'recurring[interval]': 'month', 'product_data[name]': 'Gold' },
      as(one),
    ),
  );
  const [method] = (
    JSON.parse((await caller.vendor('GET', `/v1/customers/${customer}/payment_methods`, undefined, as(one))).text) as {
      data: { id: string }[];
    }
  ).data;
  await caller.vendor(
    'POST',
    '/v1/subscriptions',
    { customer, 'items[0][price]': price, default_payment_method: method.id },
    as(one),
  );
  await caller.vendor(
    'POST',
    '/v1/payment_intents',
    { ...CARD, amount: '5000', application_fee_amount: '500' },
    { ...as(one), 'Idempotency-Key': 'direct' },
  );
  await caller.vendor('POST', '/v1/payment_intents', { ...CARD, amount: '700', capture_method: 'manual' }, as(one));
  await caller.vendor('POST', '/v1/payment_intents', { ...CARD, amount: '9000', 'transfer_data[destination]': two });
  await caller.vendor('POST', '/v1/payouts', { amount: '1000', currency: 'usd' }, as(one));
  await caller.vendor(
    'DELETE',
    `/v1/customers/${idOf(await caller.vendor('POST', '/v1/customers', {}, as(two)))}`,
    undefined,
    as(two),
  );
  await caller.control('POST', '/webhooks/flush', {});
  return [one, two];
}

/** What a world tells of its accounts, as bytes. */
async function told(caller: Caller, [one, two]: readonly [string, string]): Promise<string[]> {
  const answers = [
    await caller.control('GET', '/state'),
    await caller.control('GET', '/clock/timers'),
    await caller.control('GET', '/world/next?limit=500'),
  ];
  for (const account of [one, two])
    for (const path of ['balance', 'balance_transactions', 'events?limit=100', 'customers', 'webhook_endpoints'])
      answers.push(await caller.vendor('GET', `/v1/${path}`, undefined, as(account)));
  return answers.map(({ call, status, text }) => `${call} ${status} ${text.replaceAll(/"request_log_url[^}]*/g, '')}`);
}

/** The same calls and five weeks: what comes of them in two worlds has to be the same bytes. */
async function goOn(caller: Caller, accounts: readonly [string, string]): Promise<unknown[]> {
  const [one, two] = accounts;
  const answers = [
    // The account's own key: the answer of before, and no second payment.
    await caller.vendor(
      'POST',
      '/v1/payment_intents',
      { ...CARD, amount: '5000', application_fee_amount: '500' },
      { ...as(one), 'Idempotency-Key': 'direct' },
    ),
    await caller.vendor('POST', '/v1/customers', { name: 'Bea' }, as(two)),
    await caller.vendor('POST', '/v1/payment_intents', { ...CARD, amount: '1200' }, as(two)),
    await caller.control('POST', '/clock/advance', { duration: '35d' }),
    await caller.vendor('POST', '/v1/accounts', { type: 'express' }),
  ];
  return [...answers, ...(await told(caller, accounts))];
}

const at = (world: World): Caller => new Caller(world, receiver.url);

/** The bodies of what a world sent, all that is due included, since one delivery; whichever endpoint came first. */
async function sentSince(first: number, world: World): Promise<string[]> {
  await at(world).control('POST', '/webhooks/flush', {});
  const { received } = receiver;
  return received
    .slice(first)
    .map(({ body }) => body.replaceAll(world.url, 'http://sandbox'))
    .sort();
}

test('a fork has what its accounts have, and both go on alike', async () => {
  const sandbox = await serve();
  const accounts = await story(at(sandbox));
  const from = { same_ids: true, send_webhooks: true };
  const fork = await sandbox.worlds.create({ from, name: 'branch' });
  const forked = { url: String(fork.url), key: fork.key };
  expect(await told(at(forked), accounts)).toEqual(await told(at(sandbox), accounts));
  const diff = await at(sandbox).control('GET', '/diff?from=branch@&to=main@');
  expect(JSON.parse(diff.text)).toMatchObject({ objects: [], objects_total: 0 });
  const began = receiver.received.length;
  const here = await goOn(at(sandbox), accounts);
  const sent = await sentSince(began, sandbox);
  expect(sent.length).toBeGreaterThan(10);
  const middle = receiver.received.length;
  expect(await goOn(at(forked), accounts)).toEqual(here);
  expect(await sentSince(middle, forked)).toEqual(sent);
  await at(forked).vendor('POST', '/v1/customers', { name: 'Only there' }, as(accounts[1]));
  const differs = JSON.parse((await at(sandbox).control('GET', '/diff?from=main@&to=branch@')).text) as {
    objects: { collection: string; tenant: string; change: string }[];
  };
  expect(differs.objects.map(({ collection, tenant, change }) => [collection, tenant, change])).toEqual([
    ['customers', accounts[1], 'created'],
    ['events', accounts[1], 'created'],
  ]);
});

test('an earlier moment is known and gone back to, and the same calls follow', async () => {
  const sandbox = await serve();
  const caller = at(sandbox);
  const accounts = await story(caller);
  const state = await caller.control('GET', '/state');
  await sandbox.control.saveMoment('then');
  const first = await goOn(caller, accounts);
  expect(await caller.control('GET', '/state?at=then')).toMatchObject({ status: 200, text: state.text });
  await sandbox.control.rewind('then');
  expect((await caller.control('GET', '/state')).text).toBe(state.text);
  expect(await goOn(caller, accounts)).toEqual(first);
});

test('the same calls after a reset come to the same bytes', async () => {
  const sandbox = await serve();
  const accounts = await story(at(sandbox));
  const first = [...(await told(at(sandbox), accounts)), ...(await goOn(at(sandbox), accounts))];
  await sandbox.control.reset();
  expect(JSON.parse((await at(sandbox).control('GET', '/state')).text)).not.toHaveProperty('tenants');
  expect((await at(sandbox).vendor('GET', '/v1/balance', undefined, as(accounts[0]))).status).toBe(403);
  // The refused call took a request's id.
  await sandbox.control.reset();
  expect(await story(at(sandbox))).toEqual(accounts);
  expect([...(await told(at(sandbox), accounts)), ...(await goOn(at(sandbox), accounts))]).toEqual(first);
});

test.each([
  ['whole', 10_000],
  ['of which only the newest is held', 8],
])('a restart on a file store goes on as if there had been none: a ledger %s', async (_, ledgerLimit) => {
  const file = join(folder, `${ledgerLimit}.db`);
  const more = { ledgerLimit };
  const twin = await serve(more);
  const onFile = async (): Promise<Sandbox> => serve({ ...more, store: keep(await openFile(file)) });
  const sandbox = await onFile();
  const accounts = await story(at(sandbox));
  expect(await story(at(twin))).toEqual(accounts);
  const before = await told(at(twin), accounts);
  // The sandbox, and then its store.
  await stop();
  await stop();
  const again = await onFile();
  expect(await told(at(again), accounts)).toEqual(before);
  expect(await goOn(at(again), accounts)).toEqual(await goOn(at(twin), accounts));
});

test('what was written down is done again to the same bytes, by accounts as well', async () => {
  for (const ledgerLimit of [10_000, 6]) {
    const sandbox = await serve({ ledgerLimit });
    const accounts = await story(at(sandbox));
    const bug = (await new ControlClient(sandbox.url, sandbox.key).export()) as unknown as Bug;
    expect(bug.begins === null).toBe(ledgerLimit > 6);
    const { sandbox: again, unlike } = await replayBug(JSON.parse(JSON.stringify(bug)) as Bug, {
      pack: 'packs/payments',
      cache: PackCache.ofInstallation(),
      key: sandbox.key,
      onDefect,
    });
    keep(again);
    expect(unlike).toBeNull();
    const there = at(again);
    const state = async (caller: Caller): Promise<string> => (await caller.control('GET', '/state')).text;
    expect(await state(there)).toBe(await state(at(sandbox)));
    const made = async (world: Sandbox): Promise<unknown> => {
      const { status, text } = await at(world).vendor('POST', '/v1/customers', { name: 'Cleo' }, as(accounts[0]));
      return [status, text];
    };
    expect(await made(again)).toEqual(await made(sandbox));
  }
});
