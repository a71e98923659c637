import fc from 'fast-check';
import { Caller, movesOf, type PackName, play, runs } from '../../support/calls.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { type Running, startCommand } from '../../support/processes.js';

/** Two processes of the same seed that get the same calls answer the same bytes and hold the same world, whatever their receivers do. */

/** Half of the answers of a receiver come at once, the rest whenever they like. */
const whenever = (): number => (Math.random() < 0.5 ? 0 : Math.random() * 12);

const WORLD = [
  '--port',
  '0',
  '--json',
  '--seed',
  'twins',
  '--t0',
  '2025-01-15',
  '--key',
  'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
];

const running: Running[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop('SIGKILL');
});

async function serve(pack: PackName): Promise<{ readonly url: string; readonly key: string }> {
  const process = startCommand(['serve', pack, ...WORLD]);
  running.push(process);
  const [line] = await process.lines(1);
  return JSON.parse(line) as { url: string; key: string };
}

test.each<PackName>(['payments', 'task-automation'])(
  '%s: two processes, same seed, same calls, failing receivers: no byte differs',
  async (pack) => {
    const receiver = await WebhookReceiver.byPath(whenever).listen();
    const callers = (await Promise.all([serve(pack), serve(pack)])).map((each) => new Caller(each, receiver.url));
    await fc.assert(
      fc.asyncProperty(fc.array(movesOf(pack), { minLength: 30, maxLength: 60 }), async (sequence) => {
        const answers = await Promise.all(
          callers.map(async (caller) => {
            const reset = await caller.control('POST', '/reset', {});
            const said = await play(caller.at(caller.sandbox), sequence);
            const state = await caller.control('GET', '/state');
            const ledger = await caller.control('GET', '/ledger');
            return [reset, ...said, state, ledger];
          }),
        );
        expect(answers[1]).toEqual(answers[0]);
      }),
      runs(3),
    );
    await receiver.stop();
    expect(receiver.received.length).toBeGreaterThan(10);
  },
  300_000,
);
