import fc from 'fast-check';
import { foldLedger } from '../../../engine/world/index.js';
import { Caller, movesOf, type PackName, play, runs } from '../../support/calls.js';
import { useReceiver, useSandboxes } from '../../support/start-sandbox.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { Kept, whole, written } from '../../support/world.js';

/** Going back takes back what came since; the fold of the entries says what has to be there then. */

const receiver = useReceiver(WebhookReceiver.byPath());
const sandboxes = useSandboxes({ seed: 'back', key: 'sk_test_of_the_tests' });

const steps = (pack: PackName) =>
  fc.array(
    fc.record({
      moves: fc.array(movesOf(pack), { minLength: 2, maxLength: 8 }),
      far: fc.nat({ max: 24 }),
    }),
    { minLength: 3, maxLength: 6 },
  );

test.each<PackName>(['payments', 'task-automation'])(
  '%s: what going back again and again leaves is the fold up to there, also in forks',
  async (pack) => {
    let [back, seen] = [0, 0];
    await fc.assert(
      fc.asyncProperty(steps(pack), fc.boolean(), async (script, forked) => {
        const kept = new Kept();
        const sandbox = await sandboxes.serve({ pack: `packs/${pack}`, keeper: kept });
        const origin = new Caller(sandbox, receiver.url);
        await play(origin, script[0].moves);
        const fork = forked ? await sandbox.worlds.create({ from: { same_ids: true } }) : null;
        const found = fork && (await sandbox.worlds.find(fork.id));
        const { world, past } = found?.engine ?? sandbox.engine;
        const caller = fork === null ? origin : origin.at({ url: String(fork.url), key: fork.key });
        for (const { moves, far } of script) {
          await play(caller, moves);
          await caller.control('POST', '/webhooks/flush', {});
          const n = Math.max(1, world.ledger.count - far);
          const leading = forked ? written(world.timeline.ledger.upTo(n)) : kept.entries.slice(0, n);
          const there = whole(foldLedger(leading, world.config));
          if (n < world.ledger.count) {
            const here = whole(world);
            const looked = jest.spyOn(world, 'standingAt');
            expect(whole(past.at(n))).toEqual(there);
            seen += looked.mock.results.filter(({ value }) => value !== undefined).length;
            expect(whole(world)).toEqual(here);
            past.forget();
            // Too far to go there: what a checkpoint stands for is shared, and entries come on top.
            looked.mockReturnValue(undefined);
            expect(whole(past.at(n))).toEqual(there);
            looked.mockRestore();
            past.forget();
          }
          const taken = jest.spyOn(world, 'stepBack');
          const { status } = await caller.control('POST', '/rewind', { to: n });
          expect(status).toBe(200);
          back += taken.mock.results.filter(({ value }) => value === true).length;
          taken.mockRestore();
          expect(whole(world)).toEqual(there);
          expect(whole(past.at(n))).toEqual(there);
        }
        await sandboxes.close();
      }),
      runs(4),
    );
    expect(Math.min(back, seen)).toBeGreaterThan(0);
  },
  300_000,
);

test('a moment that going back left behind is there again without a fold, as often as it is asked for; what is no moment folds nothing', async () => {
  const kept = new Kept();
  const sandbox = await sandboxes.serve({ pack: 'packs/payments', keeper: kept });
  const caller = new Caller(sandbox, receiver.url);
  const { world } = sandbox.engine;
  const pay = (more = {}) => caller.vendor('POST', '/v1/payment_intents', { amount: '2000', currency: 'usd', ...more });
  const card = { confirm: 'true', payment_method: 'pm_card_visa' };
  const rewind = async (to: number | string): Promise<void> => {
    const n = typeof to === 'number' ? to : (world.moments.get(to) ?? 0);
    expect(await caller.control('POST', '/rewind', { to })).toMatchObject({ status: 200 });
    expect(whole(world)).toEqual(whole(foldLedger(kept.entries.slice(0, n), world.config)));
  };
  await pay(card);
  const root = world.ledger.count;
  await caller.control('POST', '/exogenous/pins', { resource: 'payment_intents', branch: 'declined' });
  await pay(card);
  await caller.control('POST', '/clock/advance', { duration: '3d' });
  await caller.control('POST', '/moments', { name: 'left' });
  await rewind(root);
  await pay({ ...card, capture_method: 'manual' });
  const other = world.ledger.count;
  for (let turn = 0; turn < 2; turn++) {
    await rewind('left');
    await pay({ currency: 'eur' });
    await rewind(other);
    await rewind(world.moments.get('left') ?? 0);
    await rewind(root + 1);
  }
  expect(await caller.control('POST', '/rewind', { to: world.ledger.count + 1 })).toMatchObject({ status: 404 });
  expect(await caller.control('POST', '/rewind', { to: 'nowhere' })).toMatchObject({ status: 404 });
  expect(world.timeline.atHand.size).toBe(0);
});
