import fc from 'fast-check';
import { type Bug, ControlClient, type Replayed, replayBug, type Sandbox } from '../../../engine/index.js';
import { PackCache } from '../../../engine/pack/index.js';
import { Caller, movesOf, type PackName, play, runs } from '../../support/calls.js';
import { useReceiver, useSandboxes } from '../../support/start-sandbox.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { portrait } from '../../support/world.js';

/** A world as one file: done again elsewhere it makes the same bytes. */

const cache = PackCache.ofInstallation();
const receiver = useReceiver(WebhookReceiver.byPath());
/** Secrets that calls bring are sealed with it. */
const KEY = 'sk_test_bug';
const sandboxes = useSandboxes({ cache, seed: 'bug', key: KEY });
const serve = (pack: string, more = {}): Promise<Sandbox> => sandboxes.serve({ ...more, pack });

const exported = async ({ url, key }: { url: string; key: string }): Promise<Bug> =>
  (await new ControlClient(url, key).export()) as unknown as Bug;

async function replayed(pack: string, bug: Bug, more = {}): Promise<Replayed> {
  const made = await replayBug(JSON.parse(JSON.stringify(bug)) as Bug, {
    pack,
    cache,
    key: KEY,
    onDefect: sandboxes.onDefect,
    ...more,
  });
  sandboxes.keep(made.sandbox);
  return made;
}

/** What is true, traces of calls that changed nothing apart. */
function present({ engine }: Sandbox): object {
  const { traces, positions, ...rest } = portrait(engine.world) as Record<string, unknown>;
  expect(traces).toBeDefined();
  expect(positions).toBeDefined();
  return rest;
}

test.each<PackName>(['payments', 'task-automation'])(
  '%s: random histories, written down and done again, come to the same bytes',
  async (pack) => {
    await fc.assert(
      fc.asyncProperty(fc.array(movesOf(pack), { minLength: 15, maxLength: 40 }), async (moves) => {
        const sandbox = await serve(`packs/${pack}`);
        const caller = new Caller(sandbox, receiver.url);
        for (const move of moves) {
          await play(caller, [move]);
          await sandbox.outbox.flush();
        }
        const bug = await exported(sandbox);
        const again = await replayed(`packs/${pack}`, bug);
        expect(again.unlike).toBeNull();
        expect(present(again.sandbox)).toEqual(present(sandbox));
        await sandboxes.close();
      }),
      runs(4),
    );
  },
  300_000,
);

test('a fork that changes what holds an address of the sandbox comes to the same bytes at another address', async () => {
  const sandbox = await serve('packs/payments');
  const caller = new Caller(sandbox, 'http://127.0.0.1:1');
  const pay = { amount: '500', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa' };
  const paid = await caller.vendor('POST', '/v1/payment_intents', pay);
  const { url, key } = await sandbox.worlds.create({ from: {} });
  const fork = { url: String(url), key };
  await caller
    .at(fork)
    .vendor('POST', '/v1/refunds', { payment_intent: String((JSON.parse(paid.text) as { id: string }).id) });
  const bug = await exported(fork);
  expect(JSON.stringify(bug.begins)).toContain('/receipts/ch_');
  expect((await replayed('packs/payments', bug)).unlike).toBeNull();
});

test('a way back, named moments, a fork and a world whose beginning is forgotten are written down too', async () => {
  const sandbox = await serve('packs/payments', { ledgerLimit: 6 });
  const caller = new Caller(sandbox, 'http://127.0.0.1:1');
  const name = (text: string): Promise<unknown> => caller.vendor('POST', '/v1/customers', { name: text });
  const pay = { amount: '500', currency: 'usd', confirm: 'true', payment_method: 'pm_card_visa' };
  await name('Ada');
  await sandbox.control.saveMoment('one');
  await caller.vendor('POST', '/v1/payment_intents', { ...pay, capture_method: 'manual' });
  await sandbox.control.advance({ until: { event: 'payment_intent.canceled' } });
  await sandbox.control.rewind('one');
  await name('Bea');
  const whole = await exported(sandbox);
  expect(whole.begins).toBeNull();
  const again = await replayed('packs/payments', whole);
  expect(again.unlike).toBeNull();
  expect(await again.sandbox.control.state()).toEqual(await sandbox.control.state());
  expect([...again.sandbox.engine.world.moments]).toEqual([...sandbox.engine.world.moments]);

  const { id, url, key } = await sandbox.worlds.create({ from: { at: 'one' } });
  const fork = { url: String(url), key };
  await caller.at(fork).vendor('POST', '/v1/payment_intents', { ...pay });
  const bug = await exported(fork);
  expect(bug.begins?.entry.n).toBe(sandbox.engine.world.moments.get('one'));
  const forked = await replayed('packs/payments', bug);
  expect(forked.unlike).toBeNull();
  const found = await sandbox.worlds.find(id);
  expect(await exported(forked.sandbox)).toMatchObject({ steps: bug.steps });
  expect(forked.sandbox.engine.world.objects(0)).toEqual(found?.engine.world.objects(0));

  for (let n = 0; n < 30; n++) await name(`C${n}`);
  const late = await exported(sandbox);
  expect(late.begins?.entry.n).toBe(sandbox.engine.world.ledger.oldest);
  expect((await replayed('packs/payments', late)).unlike).toBeNull();
});

test('a part of a history is done with the ids that it makes now', async () => {
  const sandbox = await serve('packs/payments');
  const caller = new Caller(sandbox, 'http://127.0.0.1:1');
  await caller.vendor('POST', '/v1/customers', { name: 'Ada' });
  const { text } = await caller.vendor('POST', '/v1/customers', { name: 'Bea' });
  const { id } = JSON.parse(text) as { id: string };
  await caller.control('POST', '/faults', { resource: 'customers', operation: 'update', status: 503, count: 1 });
  await caller.vendor('POST', `/v1/customers/${id}`, { 'metadata[a b]': "it's", description: 'x & y' });
  await caller.vendor('POST', `/v1/customers/${id}`, { 'metadata[a b]': "it's", description: 'x & y' });
  const bug = await exported(sandbox);
  const [, bea, , failed, update] = bug.steps;
  const part = await replayed('packs/payments', bug, { only: [bea, update] });
  const [customer, ...none] = part.sandbox.engine.world.objects(
    part.sandbox.engine.model.byCollection.get('customers')?.index ?? 0,
  );
  expect(none).toEqual([]);
  expect(customer).toMatchObject({ name: 'Bea', description: 'x & y', metadata: { 'a b': "it's" } });
  expect(customer['id']).not.toBe(id);
  expect(failed).toMatchObject({
    kind: 'call',
    operation: 'customers.update',
    args: { fault: expect.any(String) as string },
  });
});
