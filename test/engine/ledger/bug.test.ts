import fc from 'fast-check';
import {
  type Bug,
  ControlClient,
  createSandbox,
  type Replayed,
  replayBug,
  type Sandbox,
} from '../../../engine/index.js';
import { PackCache } from '../../../engine/pack/index.js';
import { Caller, movesOf, type PackName, play, runs } from '../../support/calls.js';
import { MoodyReceiver } from '../../support/receiver.js';
import { portrait } from '../../support/world.js';

/** A world as one file: done again elsewhere it makes the same bytes. */

const cache = PackCache.ofInstallation();
let receiver: MoodyReceiver;
const open: Sandbox[] = [];
const defects: unknown[] = [];
const onDefect = (error: unknown, what: string): unknown => defects.push(what, error);

beforeAll(async () => {
  receiver = await MoodyReceiver.start();
});

afterAll(() => receiver.stop());

afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
  expect(defects.splice(0)).toEqual([]);
});

async function serve(pack: string, more = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ pack, cache, seed: 'bug', t0: 1_736_942_400, onDefect, ...more });
  open.push(sandbox);
  return sandbox;
}

const exported = async ({ url, key }: { url: string; key: string }): Promise<Bug> =>
  (await new ControlClient(url, key).export()) as unknown as Bug;

async function replayed(pack: string, bug: Bug, more = {}): Promise<Replayed> {
  const made = await replayBug(JSON.parse(JSON.stringify(bug)) as Bug, { pack, cache, onDefect, ...more });
  open.push(made.sandbox);
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
        for (const each of open.splice(0)) await each.close();
      }),
      runs(4),
    );
  },
  300_000,
);
