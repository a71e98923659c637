import fc from 'fast-check';
import { DeclaredCalls } from '../../../tools/develop/simulate/declared.js';
import { Dice } from '../../../tools/develop/simulate/dice.js';
import { formOf } from '../../../tools/develop/simulate/form.js';
import type { SimulatedCall } from '../../../tools/develop/simulate/kit.js';
import { PAYMENTS } from '../../../tools/develop/simulate/payments/kit.js';
import { ObservedWorld } from '../../../tools/develop/simulate/view.js';
import { call, form } from '../../support/http.js';
import { Caller, movesOf, type Move, play } from '../../support/calls.js';
import { type Divergence, WorldPair } from '../../support/world-pair.js';
import { arrangeAutomation } from './automation-world.js';
import { type TestSandbox, useSandboxes } from '../../support/start-sandbox.js';

/**
 * What `GET /state` shows of any world can be seeded back as it is, into an empty world, and lives on exactly as the original.
 * `SEED_RUNS` and `SEED_FROM` ask for more runs, and for others.
 */
const { SEED_RUNS = '2', SEED_FROM = '1' } = process.env;
const CALLS = 50;
const runs = { numRuns: Number(SEED_RUNS), seed: Number(SEED_FROM), endOnFailure: true };

const { serve: open } = useSandboxes({ t0: '2026-01-31T10:00:00Z', seed: 'seeds', onDefect: () => undefined });
const serve = (pack: string, key?: string): Promise<TestSandbox> => open({ pack: `packs/${pack}`, key });

/** Both worlds over the next 50 calls and 40 days. */
async function liveOn(pair: WorldPair): Promise<Divergence | null> {
  const copied = await pair.copy();
  if (copied) return copied;
  for (let n = 0; n < CALLS; n++) {
    const differs = (await pair.step()) ?? (n % 10 === 9 ? await pair.advance('8d') : null);
    if (differs) return differs;
  }
  return pair.same('GET', '/__admin__/state');
}

/** What a business does, between advances of the clock. */
async function arrangePayments(sandbox: TestSandbox, seed: number): Promise<void> {
  const dice = new Dice(seed);
  const send = ({ method, path, body }: SimulatedCall): Promise<unknown> =>
    call(sandbox, `${method} ${path}`, body && form(formOf(body)));
  for (const made of PAYMENTS.beginning) await send(made);
  for (let n = 0; n < 20; n++) {
    if (dice.chance(12)) await sandbox.control.advance(dice.one(PAYMENTS.moves));
    const view = new ObservedWorld(sandbox);
    const usual = dice.weighted(PAYMENTS.actions).make(dice, view);
    if (usual) await send(new DeclaredCalls(dice, view, PAYMENTS.declared).more(usual) ?? usual);
  }
}

test('payments', async () => {
  const moves = movesOf('payments').filter(({ name }) => !OUTSIDE.has(name));
  await fc.assert(
    fc.asyncProperty(fc.nat(1e6), fc.array(moves, { minLength: 10, maxLength: 30 }), async (seed, before) => {
      const original = await serve('payments');
      await arrangePayments(original, seed);
      await play(new Caller(original, 'http://127.0.0.1:9'), before);
      const pair = new WorldPair(original, await serve('payments', original.key), seed);
      expect(await liveOn(pair)).toBeNull();
    }),
    runs,
  );
}, 3_600_000);

/** Moves of the test, not of the application: pins, faults and durations are no part of a world's state. */
const OUTSIDE: ReadonlySet<Move['name']> = new Set([
  ...['hook', 'unhook', 'register', 'fault', 'no faults', 'branch', 'unpin', 'wait', 'flush', 'reset', 'undelivered'],
  ...['cause', 'hook there'],
]);

test('task automation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1e6), async (seed) => {
      const original = await serve('task-automation');
      await arrangeAutomation(original, seed);
      const pair = new WorldPair(original, await serve('task-automation', original.key), seed);
      expect(await liveOn(pair)).toBeNull();
    }),
    runs,
  );
}, 3_600_000);
