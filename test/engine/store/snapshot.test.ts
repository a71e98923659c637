import fc from 'fast-check';
import type { Sandbox, SandboxOptions } from '../../../engine/index.js';
import { piecesOf, SnapshotReader } from '../../../engine/store/snapshot.js';
import { type Checkpoint, foldLedger, type StoredWorld } from '../../../engine/world/index.js';
import { Caller, movesOf, type PackName, play, runs } from '../../support/calls.js';
import { useReceiver, useSandboxes } from '../../support/start-sandbox.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { Kept, present } from '../../support/world.js';

/** A world that was written anew at some entry, and what came later, are that world: whichever entry it was. */

/** Takes a checkpoint after every entry, through the text that a store writes. */
class Snapshots extends Kept {
  readonly #taken: { readonly pieces: readonly string[]; readonly entries: number; readonly journal: number }[] = [];

  isCheckpointDue(): boolean {
    return true;
  }

  checkpoint(checkpoint: Checkpoint): void {
    this.#taken.push({ pieces: [...piecesOf(checkpoint)], entries: this.entryCount, journal: this.recordCount });
  }

  /** The world as snapshots and what was told after them, of each snapshot once. */
  get worlds(): StoredWorld[] {
    const { header, entries, journal } = this.world;
    return this.#taken.map((taken) => {
      const reader = new SnapshotReader();
      for (const piece of taken.pieces) reader.add(piece);
      const snapshot = reader.end();
      if (!snapshot) throw new Error('there is no beginning in it');
      const { base, moments } = snapshot;
      const later = journal.slice(taken.journal);
      return { header, base, moments, entries: entries.slice(taken.entries), journal: [...snapshot.journal, ...later] };
    });
  }
}

const receiver = useReceiver(WebhookReceiver.byPath());
const sandboxes = useSandboxes({ seed: 'snapshot', key: 'sk_test_of_the_tests' });
const serve = (pack: PackName, options?: Partial<SandboxOptions>): Promise<Sandbox> =>
  sandboxes.serve({ ...options, pack: `packs/${pack}` });

test.each<PackName>(['payments', 'task-automation'])(
  '%s: a snapshot after any entry and the rest are the fold of all, with the same next answers',
  async (pack) => {
    const moves = movesOf(pack);
    await fc.assert(
      fc.asyncProperty(
        fc.array(moves, { minLength: 10, maxLength: 30 }),
        fc.array(moves, { minLength: 20, maxLength: 20 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (before, after, where) => {
          const kept = new Snapshots();
          const sandbox = await serve(pack, { keeper: kept });
          const caller = new Caller(sandbox, receiver.url);
          await play(caller, before);
          await caller.control('POST', '/webhooks/flush', {});
          const { worlds } = kept;
          const { config } = sandbox.engine.world;
          const whole = present(foldLedger(kept.entries, config));
          expect(worlds.length).toBe(kept.entries.length);
          for (const { base, entries } of worlds) expect(present(foldLedger(entries, config, { base }))).toEqual(whole);
          const again = await serve(pack, { kept: worlds[Math.floor(where * worlds.length)] });
          const other = caller.at(again);
          // What becomes of them differs from time to time.
          const ids = ({ outbox }: Sandbox) => outbox.list({ limit: Infinity }).map(({ id }) => id);
          expect(ids(again)).toEqual(ids(sandbox));
          for (const move of after) {
            const [there] = await play(caller, [move]);
            const [here] = await play(other, [move]);
            expect(here).toEqual(there);
          }
          expect(present(again.engine.world)).toEqual(present(sandbox.engine.world));
          await sandboxes.close();
        },
      ),
      runs(3),
    );
  },
  300_000,
);

test.each<PackName>(['payments', 'task-automation'])(
  '%s: a rewind to any entry is the fold of all up to it',
  async (pack) => {
    await fc.assert(
      fc.asyncProperty(fc.array(movesOf(pack), { minLength: 10, maxLength: 30 }), async (moves) => {
        const kept = new Kept();
        const sandbox = await serve(pack, { keeper: kept });
        await play(new Caller(sandbox, receiver.url), moves);
        const { engine } = sandbox;
        const { entries } = kept;
        // After the newest entry, calls that change nothing have moved the stream of requests.
        for (let n = entries.length - 1; n >= Math.max(engine.firstMoment, 1); n--) {
          engine.rewind(n);
          expect(present(engine.world)).toEqual(present(foldLedger(entries.slice(0, n), engine.world.config)));
        }
        // And all of it, ways back included, is still the fold of the whole ledger.
        expect(present(foldLedger(kept.entries, engine.world.config))).toEqual(present(engine.world));
        await sandboxes.close();
      }),
      runs(2),
    );
  },
  300_000,
);

test('a start knows moments from its snapshot on, and older ones if they were saved', async () => {
  const kept = new Snapshots();
  const sandbox = await serve('payments', { keeper: kept });
  const caller = new Caller(sandbox, receiver.url);
  for (const name of ['one', 'two', 'three', 'four', 'five']) await caller.vendor('POST', '/v1/customers', { name });
  await caller.control('POST', '/moments', { name: 'between', at: 3 });
  await caller.vendor('POST', '/v1/customers', { name: 'six' });
  const { worlds } = kept;
  const last = worlds[worlds.length - 1];
  const again = await serve('payments', { kept: last });
  const other = caller.at(again);
  const count = again.engine.world.ledger.count;
  expect(again.engine.world.ledger.oldest).toBe(last.base?.n);
  const at = async (who: Caller, moment: string) => (await who.control('GET', `/state?at=${moment}`)).text;
  expect(await at(other, 'between')).toBe(await at(caller, 'between'));
  expect(await at(other, String(count))).toBe(await at(caller, String(count)));
  const older = await other.control('GET', '/state?at=2');
  expect([older.status, older.text]).toEqual([422, expect.stringContaining('beyond_ledger')]);
});

test('after a restart, deliveries of an earlier moment come back with the way there', async () => {
  const kept = new Snapshots();
  const sandbox = await serve('payments', { keeper: kept });
  const caller = new Caller(sandbox, receiver.url);
  await caller.control('POST', '/webhooks/endpoints', { url: `${receiver.url}/fail`, events: ['customer.created'] });
  await caller.vendor('POST', '/v1/customers', { name: 'one' });
  await caller.control('POST', '/webhooks/flush', {});
  const moment = sandbox.engine.world.ledger.count;
  await caller.vendor('POST', '/v1/customers', { name: 'two' });
  await caller.control('POST', '/webhooks/flush', {});
  const listed = ({ outbox }: Sandbox) => outbox.list().map(({ id, status }) => ({ id, status }));
  const { worlds } = kept;
  const snapshot = worlds.findLast(({ base }) => (base?.n ?? Infinity) <= moment);
  for (const world of [kept.world, snapshot]) {
    const again = await serve('payments', { kept: world });
    expect(listed(again)).toEqual(listed(sandbox));
    await caller.at(again).control('POST', '/rewind', { to: moment });
    expect(listed(again)).toEqual(listed(sandbox).slice(1));
    expect(listed(again)).toHaveLength(1);
  }
});
