import fc from 'fast-check';
import { Caller, movesOf, type PackName, play, runs } from '../../support/calls.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { sampleOf } from '../../support/sample.js';
import { Kept, portrait } from '../../support/world.js';
import { useReceiver, useSandboxes } from '../../support/start-sandbox.js';

/**
 * The outside decides no bytes: worlds of the same seed that get the same calls answer the same, however long their receivers
 * take to answer, fail or hang up.
 */

const SLOWEST = 12;
/** Half of the answers come at once, the rest whenever they like. */
const whenever = (): number => (Math.random() < 0.5 ? 0 : Math.random() * SLOWEST);

const receiver = useReceiver(WebhookReceiver.byPath(whenever));
const sandboxes = useSandboxes({ key: 'sk_test_of_the_tests', seed: 'outside' });

test.each(sampleOf<PackName>(['payments', 'task-automation'], 2))(
  '%s: same seed, same calls, receivers that take their time: no byte differs',
  async (pack) => {
    await fc.assert(
      fc.asyncProperty(fc.array(movesOf(pack), { minLength: 30, maxLength: 60 }), async (sequence) => {
        const kept = [new Kept(), new Kept()];
        const worlds = await Promise.all(kept.map((keeper) => sandboxes.serve({ pack: `packs/${pack}`, keeper })));
        const [one, two] = await Promise.all(
          worlds.map((sandbox) => play(new Caller(sandbox, receiver.url), sequence)),
        );
        expect(two).toEqual(one);
        expect(kept[1].entries).toEqual(kept[0].entries);
        expect(portrait(worlds[1].engine.world)).toEqual(portrait(worlds[0].engine.world));
        await sandboxes.close();
      }),
      runs(4),
    );
    expect(receiver.received.length).toBeGreaterThan(20);
  },
  300_000,
);
