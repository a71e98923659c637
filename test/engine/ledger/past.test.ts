import fc from 'fast-check';
import type { Sandbox, SandboxOptions } from '../../../engine/index.js';
import type { ForkOptions } from '../../../engine/control/index.js';
import type { Engine } from '../../../engine/runtime/index.js';
import { foldLedger } from '../../../engine/world/index.js';
import { Caller, movesOf, type PackName, play, runs, type World } from '../../support/calls.js';
import { sampleOf } from '../../support/sample.js';
import { useReceiver, useSandboxes } from '../../support/start-sandbox.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { Kept, present } from '../../support/world.js';

/** Every earlier moment of a world is known, and can be made the present or the beginning of another world. */

const receiver = useReceiver(WebhookReceiver.byPath());
const sandboxes = useSandboxes({ seed: 'past', key: 'sk_test_of_the_tests' });
const serve = (pack: PackName, options?: Partial<SandboxOptions>): Promise<Sandbox> =>
  sandboxes.serve({ ...options, pack: `packs/${pack}` });

/** A fork, with its engine to look into. */
async function forkOf(sandbox: Sandbox, from: ForkOptions): Promise<World & { readonly id: string; engine: Engine }> {
  const { id, url, key } = await sandbox.worlds.create({ from });
  const found = await sandbox.worlds.find(id);
  if (!found) throw new Error('it is not there');
  return { id, url: String(url), key, engine: found.engine };
}

test.each(sampleOf<PackName>(['payments', 'task-automation'], 2))(
  '%s: the state at every entry is the fold up to it, with checkpoints and without',
  async (pack) => {
    await fc.assert(
      fc.asyncProperty(fc.array(movesOf(pack), { minLength: 10, maxLength: 30 }), async (moves) => {
        const kept = new Kept();
        const sandbox = await serve(pack, { keeper: kept, ledgerLimit: Infinity });
        const small = await serve(pack, { ledgerLimit: 4 });
        const caller = new Caller(sandbox, receiver.url);
        const other = caller.at(small);
        for (const move of moves) {
          await play(caller, [move]);
          await play(other, [move]);
        }
        const { world, past } = sandbox.engine;
        const entries = kept.entries;
        // After the newest entry, calls that change nothing have moved the stream of requests.
        for (let n = 1; n < world.ledger.count; n++) {
          const folded = present(foldLedger(entries.slice(0, n), world.config));
          expect(present(past.at(n))).toEqual(folded);
          if (n >= small.engine.world.ledger.oldest) expect(present(small.engine.past.at(n))).toEqual(folded);
        }
        expect(world.ledger.oldest).toBe(0);
        await sandboxes.close();
      }),
      runs(2),
    );
  },
  300_000,
);

test.each(sampleOf<PackName>(['payments', 'task-automation'], 2))(
  '%s: a rewind to an entry equals a fork there: the same state, the same next answers',
  async (pack) => {
    const moves = movesOf(pack);
    await fc.assert(
      fc.asyncProperty(
        fc.array(moves, { minLength: 12, maxLength: 30 }),
        fc.array(moves, { minLength: 20, maxLength: 20 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (before, after, where) => {
          const kept = new Kept();
          const sandbox = await serve(pack, { keeper: kept });
          const caller = new Caller(sandbox, receiver.url);
          await play(caller, before);
          await caller.control('POST', '/webhooks/flush', {});
          const { engine } = sandbox;
          const n = 1 + Math.floor(where * (engine.world.ledger.count - 1));
          const there = present(engine.past.at(n));
          const fork = await forkOf(sandbox, { at: n, same_ids: true, send_webhooks: true });
          const last = engine.world.ledger.count;
          expect((await caller.control('POST', '/rewind', { to: n })).status).toBe(200);
          expect(engine.world.ledger.count).toBe(last + 1);
          expect(present(engine.world)).toEqual(there);
          expect(present(fork.engine.world)).toEqual(there);
          for (const query of [`from=${n}`, `from=${n}&to=${n}`, `from=${last + 1}`])
            expect(await sandbox.control.call('GET', `/diff?${query}`)).toMatchObject({
              objects: [],
              objects_total: 0,
            });
          const other = caller.at(fork);
          for (const move of after) {
            // The lists of the control API tell what the outside did, at once.
            const [here] = await play(caller, [move]);
            const [forked] = await play(other, [move]);
            expect(forked).toEqual(here);
          }
          expect(present(fork.engine.world)).toEqual(present(engine.world));
          // What a keeper was told gives the rewound world back.
          const again = await serve(pack, { kept: kept.world });
          expect(present(again.engine.world)).toEqual(present(engine.world));
          // History went on in a line: what was before the way back is still there.
          expect(present(engine.past.at(n))).toEqual(there);
          await sandboxes.close();
        },
      ),
      runs(3),
    );
  },
  300_000,
);

test.each(sampleOf<PackName>(['payments', 'task-automation'], 2))(
  '%s: forked at every entry: the state of then, and the rest done again comes to the same bytes',
  async (pack) => {
    await fc.assert(
      fc.asyncProperty(fc.array(movesOf(pack), { minLength: 8, maxLength: 16 }), async (moves) => {
        const sandbox = await serve(pack, {});
        const { engine, control } = sandbox;
        let caller = new Caller(sandbox, receiver.url);
        /** Who knows the ids of then, and which move comes next, by the entry behind which it comes first. */
        const places = new Map<number, { readonly next: number; readonly caller: Caller }>();
        const answers = [];
        for (const [next, move] of moves.entries()) {
          const n = engine.world.ledger.count;
          if (!places.has(n)) places.set(n, { next, caller: caller.at(sandbox) });
          answers.push(...(await play(caller, [move])));
          await control.flush();
          caller = caller.at(sandbox);
        }
        for (let n = engine.firstMoment; n < engine.world.ledger.count; n++) {
          const fork = await forkOf(sandbox, { at: n, same_ids: true, send_webhooks: true });
          expect(present(fork.engine.world)).toEqual(present(engine.past.at(n)));
          expect(await control.diff(n, `${fork.id}@`)).toMatchObject({
            objects_total: 0,
            entries: [],
            from_entries: [],
          });
          const place = places.get(n);
          if (place) {
            const other = place.caller.at(fork);
            for (const [at, move] of moves.slice(place.next).entries()) {
              expect(await play(other, [move])).toEqual([answers[place.next + at]]);
              await other.control('POST', '/webhooks/flush', {});
            }
            expect(present(fork.engine.world)).toEqual(present(engine.world));
            expect(fork.engine.world.ledger.since(n)).toEqual(engine.world.ledger.since(n));
            expect(await control.diff('main@', `${fork.id}@`)).toMatchObject({ objects_total: 0 });
          }
          await sandbox.worlds.delete(fork.id);
        }
        await sandboxes.close();
      }),
      runs(2),
    );
  },
  300_000,
);

test('a fork makes other ids than its world and other forks, and keeps the secrets of endpoints', async () => {
  const sandbox = await serve('payments', {});
  const caller = new Caller(sandbox, receiver.url);
  await caller.vendor('POST', '/v1/customers', { name: 'Jenny' });
  const forks = [await forkOf(sandbox, {}), await forkOf(sandbox, {})];
  const forked = await forkOf(sandbox, { world: forks[0].id });
  const callers = [caller, ...[...forks, forked].map((each) => caller.at(each))];
  const answers = await Promise.all(callers.map((each) => each.vendor('POST', '/v1/customers', {})));
  const idOf = (text: string): unknown => (JSON.parse(text) as { id: unknown }).id;
  expect(new Set(answers.map(({ text }) => idOf(text))).size).toBe(4);
  expect(new Set(answers.flatMap(({ ids }) => ids.filter((id) => id !== null))).size).toBe(8);
  const hook = { url: 'http://127.0.0.1:1/hook' };
  const secrets = await Promise.all(
    callers.map(async (each) => JSON.parse((await each.control('POST', '/webhooks/endpoints', hook)).text) as object),
  );
  expect(new Set(secrets.map((each) => (each as { secret: string }).secret)).size).toBe(1);
});
