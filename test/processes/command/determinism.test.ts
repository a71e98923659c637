import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sampleOf } from '../../support/sample.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { Caller, movesOf, type PackName, play, runs } from '../../support/calls.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { runSandbox, type Running, startCommand } from '../../support/processes.js';

/** Two processes of the same seed that get the same calls answer the same bytes and hold the same world, whatever their receivers do. */

/** Half of the answers of a receiver come at once, the rest whenever they like. */
const whenever = (): number => (Math.random() < 0.5 ? 0 : Math.random() * 12);

const WORLD = ['--port', '0', '--json', '--seed', 'twins', '--t0', '2025-01-15', '--key', 'sk_test_of_the_tests'];

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

test.each(sampleOf<PackName>(['payments', 'task-automation'], 2))(
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

/** A call: of a vendor of a company (its name), or of the server itself. */
type Step = readonly [vendor: string | null, method: string, path: string, body?: string | object];

interface Address {
  readonly url: string;
  readonly key: string;
  readonly vendors?: Readonly<Record<string, Address>>;
}

const folder = scratchFolder();
const advance: Step = [null, 'POST', '/__admin__/clock/advance', { duration: '3d' }];
// Traces are not waited for: a kill may take the newest ones along.
const looks: readonly Step[] = ['/state', '/ledger'].map((path) => [null, 'GET', `/__admin__${path}`]);
const chat = { model: 'echo-1', messages: [{ role: 'user', content: 'four words come back' }] };
const bed = 'mutation { a: createPlant { id } b: createPlant { id state } }';
const card = 'amount=2000&currency=usd&confirm=true&payment_method=pm_card_visa&return_url=https://example.com';

/** What the language has beside plain calls: several packs in one world, streams, GraphQL. */
const STORIES: readonly (readonly [
  what: string,
  packs: readonly string[],
  first: readonly Step[],
  then: readonly Step[],
])[] = [
  [
    'a company',
    ['payments', 'task-automation', '--together'],
    [['payments', 'POST', '/v1/customers', 'name=Ada'], ['payments', 'POST', '/v1/payment_intents', card], advance],
    [['payments', 'POST', '/v1/customers', 'name=Bea'], ['task-automation', 'GET', '/tasks'], advance],
  ],
  [
    'streams',
    ['test/packs/llm'],
    [
      [null, 'POST', '/v1/chat/completions', { ...chat, stream: true }],
      [null, 'POST', '/v1/chat/completions', chat],
    ],
    [[null, 'POST', '/v1/chat/completions', { ...chat, stream: true }], advance],
  ],
  [
    'GraphQL',
    ['test/packs/greenhouse'],
    [
      [null, 'POST', '/graphql', { query: bed }],
      [null, 'POST', '/graphql', { query: '{ __schema { types { name } } }' }],
    ],
    [[null, 'POST', '/graphql', { query: bed }], advance],
  ],
];

async function saidTo(sandbox: Address, steps: readonly Step[]): Promise<string[]> {
  const said: string[] = [];
  for (const [vendor, method, path, body] of steps) {
    const { url, key } = vendor === null ? sandbox : (sandbox.vendors ?? {})[vendor];
    const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    });
    said.push(`${method} ${path} ${response.status} ${(await response.text()).replaceAll(url, 'URL')}`);
  }
  return said;
}

test.each(sampleOf(STORIES, 2))(
  '%s: two processes, one of them with a store and killed in the middle, and a replay: no byte differs',
  async (what, packs, first, then) => {
    const begin = async (...more: string[]): Promise<Address> => {
      const process = startCommand(['serve', ...packs, ...WORLD, ...more]);
      running.push(process);
      const [line] = await process.lines(1);
      return JSON.parse(line) as Address;
    };
    const plain = await begin();
    const store = ['--store', join(folder, `${what}.db`)];
    const before = await begin(...store);
    const halves = await Promise.all([saidTo(plain, first), saidTo(before, first)]);
    await running[1].stop('SIGKILL');
    const after = await begin(...store);
    const rest = await Promise.all([plain, after].map((each) => saidTo(each, [...then, ...looks])));
    expect([...halves[1], ...rest[1]]).toEqual([...halves[0], ...rest[0]]);
    expect(halves[0].filter((each) => /^\w+ \S+ [45]/.test(each))).toEqual([]);
    const [exported] = await saidTo(plain, [[null, 'GET', '/__admin__/export']]);
    const file = join(folder, `${what}.sandbox`);
    writeFileSync(file, exported.slice(exported.indexOf('{')));
    const pack = packs[0].includes('/') ? ['--pack', packs[0]] : [];
    const { code, stdout, stderr } = await runSandbox(['replay', file, '--no-serve', ...pack]);
    expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  },
  120_000,
);
