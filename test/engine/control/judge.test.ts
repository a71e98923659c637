import type { Sandbox } from '../../../engine/index.js';
import type { StoredEntry } from '../../../engine/world/index.js';
import { call, form } from '../../support/http.js';
import { useSandboxes } from '../../support/start-sandbox.js';

/** Verdicts about what happened. */

const { serve } = useSandboxes();

interface Verdict {
  readonly pass: boolean;
  readonly score: number;
  readonly results: readonly { readonly kind: string; readonly holds: boolean; readonly found: string }[];
}

const judge = (world: Sandbox, checks: readonly object[], more: object = {}) =>
  call<Verdict>(world, 'POST /__admin__/judge', { checks, ...more });

async function withPayment(): Promise<{ readonly world: Sandbox; readonly since: number; readonly charge: string }> {
  const world = await serve();
  const paid = await call<{ readonly latest_charge: string }>(
    world,
    'POST /v1/payment_intents',
    form('amount=2000&currency=usd&payment_method=pm_card_visa&confirm=true&return_url=https://shop.example'),
  );
  return { world, since: world.engine.world.ledger.count, charge: paid.body.latest_charge };
}

test('a refund explains what it changed elsewhere, a customer beside it does not', async () => {
  const { world, since, charge } = await withPayment();
  const refund = { added: { refunds: { charge, amount: { gte: 500 } }, count: 1 } };
  const changed = { changed: { charges: { id: charge }, to: { amount_refunded: 500 } } };
  const same = (...fields: string[]) => ({ changed: { ...changed.changed, same: fields } });
  await call(world, 'POST /v1/refunds', form({ charge, amount: '500' }));
  expect((await judge(world, [{ unchanged: true }, refund, changed], { since })).body).toMatchObject({
    pass: true,
    score: 1,
  });
  expect((await judge(world, [{ unchanged: true }], { since })).body.results[0].found).toContain('charges');
  await call(world, 'POST /v1/customers', form({ name: 'Ada' }));
  const kept = await judge(world, [same('amount', 'status'), same('amount', 'amount_refunded')], { since });
  expect(kept.body.results).toMatchObject([{ holds: true }, { holds: false, found: '0 changed' }]);
  const { body } = await judge(world, [refund, { unchanged: true, weight: 3 }], { since });
  expect(body).toMatchObject({ pass: false, score: 0.25 });
  expect(body.results[1].found).toMatch(/^added customers cus_\w+, added events evt_\w+$/);
  expect((await judge(world, [refund, { unchanged: { allow: ['customers'] } }], { since })).body.pass).toBe(true);
});

test('what going back has left behind explains nothing, is to blame for nothing, and is not read', async () => {
  const { world, since, charge } = await withPayment();
  const refund = { added: { refunds: { charge, amount: 300 }, count: 1 } };
  await call(world, 'POST /v1/refunds', form({ charge, amount: '500' }));
  await call(world, 'POST /__admin__/rewind', { to: since });
  const { ledger } = world.engine.world;
  const gone = ledger.count;
  const everything = jest.spyOn(ledger.entry(gone) as StoredEntry, 'changes', 'get');
  expect((await judge(world, [{ unchanged: true }], { since })).body.pass).toBe(true);
  await call(world, 'POST /v1/refunds', form({ charge, amount: '300' }));
  expect((await judge(world, [{ unchanged: true }, refund], { since })).body).toMatchObject({ pass: true, score: 1 });
  const { body } = await call<{ readonly entries: readonly { readonly entry: number }[] }>(
    world,
    `GET /__admin__/diff?from=${since}`,
  );
  expect(body.entries.map(({ entry }) => entry)).toEqual([gone + 1]);
  expect(everything).not.toHaveBeenCalled();
});

test('calls count from the moment on, also those that changed nothing', async () => {
  const { world, since, charge } = await withPayment();
  await call(world, `GET /v1/charges/${charge}`);
  await call(world, 'POST /v1/refunds', form({ charge }));
  await call(world, 'GET /v1/none');
  const checks = [
    { calls: { never: ['payment_intents.create'] } },
    { calls: { order: ['charges.retrieve', 'refunds.create'] } },
    { calls: { operation: 'refunds.create', min: 1, max: 1 } },
    { calls: { unsupported: 1 } },
    { calls: { order: ['refunds.create', 'charges.retrieve'] } },
    { calls: { never: ['refunds.create'] } },
  ];
  const { body } = await judge(world, checks, { since });
  expect(body.results.map(({ holds }) => holds)).toEqual([true, true, true, true, false, false]);
});

test('an expression sees what is there now, and the values that it is given', async () => {
  const { world, charge } = await withPayment();
  const paid = { final: 'get(charge, wanted).amount == 2000' };
  expect((await judge(world, [paid], { names: { wanted: charge } })).body.pass).toBe(true);
  expect((await judge(world, [paid], { names: { wanted: 'ch_none' } })).body.pass).toBe(false);
});

test.each([
  [{ added: { refund: {} } }, 404, 'refunds'],
  [{ calls: { never: ['refunds.creat'] } }, 404, 'refunds.create'],
  [{ final: 'get(charg, "a")' }, 422, 'charg'],
  [{ added: { refunds: {}, charges: {} } }, 400, 'one collection'],
  [{ added: { refunds: {} }, unchanged: true }, 400, 'one of added'],
  [{ weight: 2 }, 400, 'one of added'],
  [{ adde: {} }, 400, 'added'],
])('%j is rejected', async (check, status, text) => {
  const { world } = await withPayment();
  const answer = await judge(world, [check]);
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(text);
});
