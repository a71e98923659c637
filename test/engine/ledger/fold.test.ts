import fc from 'fast-check';
import type { Sandbox, SandboxOptions } from '../../../engine/index.js';
import { Caller, movesOf, type PackName, play, runs } from '../../support/calls.js';
import { useReceiver, useSandboxes } from '../../support/start-sandbox.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { Kept, portrait } from '../../support/world.js';

/** A ledger and the journal beside it give the world back: the same state, and the same answers from there on. */

const receiver = useReceiver(WebhookReceiver.byPath());
const sandboxes = useSandboxes({ seed: 'fold', key: 'sk_test_of_the_tests', ledgerLimit: Infinity });
const serve = (pack: PackName, options?: Partial<SandboxOptions>): Promise<Sandbox> =>
  sandboxes.serve({ ...options, pack: `packs/${pack}` });

test.each<PackName>(['payments', 'task-automation'])(
  '%s: random calls, folded: equal state, and the next 50 calls answer the same bytes',
  async (pack) => {
    const moves = movesOf(pack);
    await fc.assert(
      fc.asyncProperty(
        fc.array(moves, { minLength: 15, maxLength: 40 }),
        fc.array(moves, { minLength: 50, maxLength: 50 }),
        async (before, after) => {
          const kept = new Kept();
          const original = await serve(pack, { keeper: kept });
          const caller = new Caller(original, receiver.url);
          await play(caller, before);
          const again = await serve(pack, { kept: kept.world });
          expect(portrait(again.engine.world)).toEqual(portrait(original.engine.world));
          const other = caller.at(again);
          for (const move of after) {
            const [there] = await play(caller, [move]);
            const [here] = await play(other, [move]);
            expect(here).toEqual(there);
          }
          expect(portrait(again.engine.world)).toEqual(portrait(original.engine.world));
          await sandboxes.close();
        },
      ),
      runs(3),
    );
  },
  300_000,
);
