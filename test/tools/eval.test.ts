import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Output } from '../../tools/command/output.js';
import { evaluate as evaluateTasks } from '../../tools/commands/eval.js';
import { taskFiles } from '../../tools/eval/read-tasks.js';
import { readAll } from '../../tools/eval/task-server.js';
import { runCommand } from '../support/command.js';
import { runSandbox } from '../support/processes.js';
import { ROOT } from '../support/root.js';
import { IS_WHOLE } from '../support/sample.js';

/** `sandbox eval`: tasks, runs of an agent, verdicts. */

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'eval-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const TASK = `task: name-it
title: A customer gets a name
packs: [payments]
setup:
  - { call: customers.create, with: { email: ada@example.com }, as: customer }
prompt: Name customer \${customer.id} Ada.
limits: { calls: 3 }
checks:
  - changed: { customers: { id: "\${customer.id}" }, to: { name: Ada }, count: 1 }
    weight: 2
  - unchanged: true
`;

/** Names the customer through a tool; in odd runs it makes a second one. */
const AGENT = `const { SANDBOX_MCP_URL, SANDBOX_URL, SANDBOX_KEY, TASK_VARS, TASK_RUN } = process.env;
const headers = { authorization: 'Bearer ' + SANDBOX_KEY, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const { customer } = JSON.parse(TASK_VARS);
const params = { name: 'update_customer', arguments: { id: customer.id, name: 'Ada' } };
const tools = SANDBOX_MCP_URL + '?toolsets=all&depth=1';
console.log(await (await fetch(tools, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) })).text());
if (TASK_RUN % 2) await fetch(SANDBOX_URL + '/v1/customers', { method: 'POST', headers: { authorization: headers.authorization } });
`;

interface Judged {
  readonly run: number;
  readonly reward: number;
  readonly checks: readonly object[];
  readonly calls: readonly { readonly outside?: readonly object[] }[];
}

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const judged = (out: string): Judged[] =>
  read(`${out}/trajectories.jsonl`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Judged);
const runsOf = (out: string): number[] => judged(out).map(({ run }) => run);
const evaluate = (...args: string[]) => runCommand(['eval', 'a.task.yaml', ...args], { cwd: folder });
const NODE = ['--', process.execPath, 'agent.mjs'];

const PACKS = 'payments,code-hosting,team-chat,messaging,mail,identity,models,bank-data,task-automation';

/** Every task, or without whole runs every fourth. */
const TASKS = taskFiles([join(ROOT, 'packs'), join(ROOT, 'tasks')]).filter((_, at) => IS_WHOLE || at % 16 === 0);

test('tasks of packs judge their scripted agents as they say', async () => {
  const { code, stdout } = await runCommand(['eval', TASKS.join(','), '--check', '--json', '-q'], { cwd: ROOT });
  const { runs, passed, unexpected } = JSON.parse(stdout) as Record<string, unknown>;
  expect(unexpected).toEqual([]);
  expect(code).toBe(0);
  expect(Number(passed)).toBeGreaterThan(0);
  expect(Number(passed)).toBeLessThan(Number(runs));
});

test('each task has a name of its own, a solution and a mistake', async () => {
  const tasks = await readAll(taskFiles([join(ROOT, 'packs'), join(ROOT, 'tasks')]), new Output());
  const names = tasks.map(({ task }) => task.task);
  expect(names.length).toBeGreaterThanOrEqual(114);
  expect(new Set(names).size).toBe(names.length);
  for (const { task } of tasks) {
    const passes = Object.values(task.agents ?? {}).map((agent) => agent.passes);
    expect([task.task, passes.includes(true), passes.includes(false)]).toEqual([task.task, true, true]);
  }
});

test('where people report what goes wrong is the address of an issue or a pull request', async () => {
  const tasks = await readAll(taskFiles([join(ROOT, 'packs'), join(ROOT, 'tasks')]), new Output());
  const sources = tasks.flatMap(({ task: { source } }) => (source === undefined ? [] : [source]));
  expect(sources.length).toBeGreaterThanOrEqual(34);
  expect(
    sources.filter((source) => !/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/.test(source)),
  ).toEqual([]);
});

test('what runs of each pack left holds no key, and is done again to the same bytes under another one', async () => {
  const some = [
    'payments/tasks/cancel-at-the-end',
    'team-chat/tasks/answer-in-the-thread',
    'task-automation/tasks/rename-in-place',
  ].map((name) => `packs/${name}.task.yaml`);
  const args = ['--check', '-q', '--replay', '--out', join(folder, 'one')];
  const { stdout, stderr } = await runCommand(['eval', IS_WHOLE ? PACKS : some.join(','), ...args], { cwd: ROOT });
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^(\d+) runs of \1 repeated to the same bytes/m), '']);
  const runs = join(folder, 'one', 'runs');
  for (const name of readdirSync(runs)) expect(readFileSync(join(runs, name), 'utf8')).not.toContain('Bearer ');
});

test('runs of an agent are judged, written, equal byte for byte, and go on after an interruption', async () => {
  write('a.task.yaml', TASK);
  write('agent.mjs', AGENT);
  const first = await evaluate('--runs', '4', '--jobs', '2', '--out', 'one', ...NODE);
  expect(first).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('name-it  2/4  reward 0.8335  pass@1 0.5') as string,
  });
  expect(first.stderr).toMatch(/name-it 1 failed, reward 0.667: check 2 \(unchanged\): added customers cus_/);
  const lines = read('one/trajectories.jsonl').trim().split('\n');
  expect(JSON.parse(lines[1])).toMatchObject({
    task: 'name-it',
    run: 2,
    pass: true,
    calls: [
      {
        n: 1,
        operation: 'customers.update',
        tool: 'update_customer',
        arguments: { name: 'Ada' },
        status: 200,
        response: { name: 'Ada' },
      },
    ],
  });
  expect(read('one/junit.xml')).toContain('tests="4" failures="2"');
  expect(read('one/runs/name-it.1.log')).toContain('sandbox/trace');
  expect(JSON.parse(read('one/runs/name-it.1.sandbox'))).toMatchObject({
    run: { run: 1, pass: false, checks: [{ holds: true }, { about: 'true', kind: 'unchanged', holds: false }] },
  });

  await evaluate('--runs', '2', '--out', 'two', '-q', ...NODE);
  expect(await evaluate('--runs', '4', '--out', 'two', ...NODE)).toMatchObject({ code: 2 });
  const resumed = await evaluate('--runs', '4', '--out', 'two', '--resume', '--min', '0.5', ...NODE);
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).not.toContain('name-it 1 ');
  expect(read('two/trajectories.jsonl')).toBe(read('one/trajectories.jsonl'));
});

test('another program asks for runs over lines of JSON, and is told what became of them', async () => {
  write('a.task.yaml', TASK.replace('limits:', 'tools: [customers, refunds]\nlimits:'));
  const said = new Map<unknown, Readonly<Record<string, unknown>>>();
  // A request is written when the one before has its response.
  const requests = [
    { tasks: true },
    { begin: 'name-it' },
    { begin: 'none' },
    { finish: 1 },
    { finish: 1 },
    'no json',
  ].map((request, id) => (typeof request === 'string' ? request : JSON.stringify({ id, ...request })));
  const written = new EventEmitter();
  async function* lines() {
    for (const [id, line] of requests.entries()) {
      yield `${line}\n`;
      while (said.size <= id) await once(written, 'line');
    }
  }
  const output = new Output(
    {
      write: (text: string) => {
        const response = JSON.parse(text) as Readonly<Record<string, unknown>>;
        said.set(response['id'], response);
        written.emit('line');
      },
      on: () => undefined,
    },
    { write: () => undefined, on: () => undefined },
  );
  const options = { runs: 1, jobs: 1, min: 1, tries: 0, port: 0, serve: true, quiet: true, out: join(folder, 'one') };
  const code = await evaluateTasks([join(folder, 'a.task.yaml')], [], options, output, Readable.from(lines()));
  expect(code).toBe(0);
  expect(said.get(0)).toMatchObject({
    tasks: [{ task: 'name-it', prompt: expect.stringContaining('cus_') as string }],
  });
  expect(said.get(1)).toMatchObject({
    run: 1,
    mcp_url: expect.stringContaining('/mcp?toolsets=customers%2Crefunds') as string,
  });
  expect(said.get(2)).toMatchObject({ error: "there is no task 'none': name-it" });
  expect(said.get(3)).toMatchObject({ reward: 0.333, pass: false, checks: [{ holds: false }, { holds: true }] });
  expect(said.get(4)).toMatchObject({ error: 'no run 1 is open' });
  expect(said.get(null)).toHaveProperty('error');
  expect(judged('one')).toHaveLength(1);
});

test('a limit of calls ends a run, which does not pass', async () => {
  write('a.task.yaml', TASK.replace('calls: 3', 'calls: 1'));
  write('agent.mjs', `${AGENT}\nfor (;;) await fetch(SANDBOX_URL + '/v1/charges', { headers });\n`);
  const { code, stderr } = await evaluate('--runs', '1', ...NODE);
  expect(code).toBe(1);
  expect(stderr).toContain('limit of calls');
});

test('a command judges by a score and a note; one that fails, or says nothing, gives nothing', async () => {
  const judges = [
    `process.stdout.write(JSON.stringify({ score: 0.5, note: 'half of ' + JSON.parse(require("fs").readFileSync(0)).calls.length }))`,
    `process.exit(process.env.SANDBOX_KEY && process.env.SANDBOX_MCP_URL ? 3 : 4)`,
    `process.stdout.write(JSON.stringify({ score: 7 }))`,
  ];
  const checks = judges.map((text, at) => {
    write(`judge${at}.cjs`, text);
    return `  - { command: node judge${at}.cjs, weight: 2 }\n`;
  });
  write('a.task.yaml', TASK.replace('checks:\n', `checks:\n${checks.join('')}`));
  write('agent.mjs', AGENT);
  const { stderr } = await evaluate('--runs', '2', '--out', 'one', '-q', ...NODE);
  expect(stderr).toBe('');
  const [, { checks: results, reward }] = judged('one');
  expect(results.slice(0, 3)).toMatchObject([
    { kind: 'command', holds: false, score: 0.5, found: 'half of 1' },
    { kind: 'command', holds: false, score: 0, found: 'exit code 3, score 0' },
    { kind: 'command', holds: true, score: 1 },
  ]);
  expect(reward).toBe(0.667);
});

test('what happens outside happens after a call of an operation, or when the clock has come to it', async () => {
  const script = `t0: "2026-01-01T00:00:00Z"
script:
  - { after: { operation: customers.retrieve, n: 2 }, advance: 2d }
  - { at: "2026-01-02T00:00:00Z", seed: { customers: [{ id: cus_Late0000000000, name: Late }] } }
`;
  const agents = `agents:
  asks-twice:
    passes: true
    calls:
      - { call: customers.retrieve, with: { id: "\${customer.id}" } }
      - { call: customers.retrieve, with: { id: "\${customer.id}" } }
      - { call: customers.update, with: { id: cus_Late0000000000, name: Ada } }
  asks-once:
    passes: false
    calls:
      - { call: customers.retrieve, with: { id: "\${customer.id}" } }
      - { call: customers.update, with: { id: cus_Late0000000000, name: Ada } }
`;
  const checks = 'added: { customers: { id: cus_Late0000000000, name: Ada } }\n';
  const head = TASK.slice(0, TASK.indexOf('checks:'));
  write('a.task.yaml', `${head}${script}checks:\n  - ${checks}${agents}`);
  const { code, stderr } = await evaluate('--check', '--out', 'one');
  expect(stderr).toContain('asks-once');
  expect(code).toBe(0);
  expect(judged('one')[0].calls.map(({ outside }) => outside?.length)).toEqual([undefined, 2, undefined]);
});

const SEVERAL = `task: tell-them
title: A refund is made, and the channel hears of it
packs: [payments, team-chat]
setup:
  - call: payments/payment_intents.create
    with: { amount: 20000, currency: usd, payment_method: pm_card_visa, confirm: true, return_url: "https://shop.example" }
    as: payment
  - { call: team-chat/channels.create, with: { name: refunds }, as: room }
script:
  - { after: { operation: payments/refunds.create }, advance: 1d }
prompt: Refund payment \${payment.id}, and say so in \${room.channel.id}.
checks:
  - added: { team-chat/messages: { text: { contains: re_ } }, count: 1 }
  - final: get(charge, payment.latest_charge).amount_refunded == 20000
    vendor: payments
  - calls: { order: [payments/refunds.create, team-chat/messages.post] }
  - later: 2d
    changed: { payments/charges: { id: "\${payment.latest_charge}" }, to: { amount_refunded: 20000 } }
  - unchanged: { allow: [payments/refunds] }
agents:
  tells:
    passes: true
    calls:
      - { call: payments/refunds.create, with: { payment_intent: "\${payment.id}" }, as: refund }
      - { call: team-chat/messages.post, with: { channel: "\${room.channel.id}", text: "\${refund.id} is made" } }
  tells-before:
    passes: false
    calls:
      - { call: team-chat/messages.post, with: { channel: "\${room.channel.id}", text: re_ } }
      - { call: payments/refunds.create, with: { payment_intent: "\${payment.id}" } }
`;

test('a task whose setup is rejected is reported, and the process ends', async () => {
  write('a.task.yaml', SEVERAL.replace('with: { name: refunds }', 'with: { name: "" }'));
  const { code, stderr } = await runSandbox(['eval', join(folder, 'a.task.yaml'), '--check']);
  expect(stderr).toContain('team-chat/channels.create returned');
  expect(code).toBe(1);
});

test('tasks of several packs are judged over all of them; two evaluations leave the same bytes', async () => {
  write('a.task.yaml', SEVERAL);
  // Its company file says what it begins with, and simulated time is limited.
  const ofFile = SEVERAL.replace(
    'packs: [payments, team-chat]',
    'company: shop.yaml\nlimits: { simulated: 1h }',
  ).replace('tell-them', 'in-time');
  write('b.task.yaml', ofFile);
  write('shop.yaml', 'company: shop\nvendors: { payments: { pack: payments }, team-chat: { pack: team-chat } }\n');
  const run = (out: string, ...more: string[]) =>
    runCommand(['eval', '.', '--check', '--runs', '2', '--jobs', '4', '-q', '--json', '--out', out, ...more], {
      cwd: folder,
    });
  const { stdout } = await run('one');
  expect(JSON.parse(stdout)).toMatchObject({
    unexpected: [1, 2].map(
      (n) => expect.stringContaining(`in-time tells ${n} failed, reward 1: limit of simu`) as string,
    ),
  });
  expect(judged('one')[2]).toMatchObject({
    agent: 'tells-before',
    checks: [{ holds: true }, {}, { holds: false }, {}, {}],
  });
  // Where nothing says when, clocks do not start in real time.
  expect(judged('one')[4]).toMatchObject({ task: 'in-time', calls: [{ at: Date.UTC(2026, 0) / 1000 }, {}] });
  expect((await run('two', '--replay')).stderr).toBe('');
  expect(read('two/trajectories.jsonl')).toBe(read('one/trajectories.jsonl'));
});

test.each([
  ['payments/refunds.create', 'refunds.create', /:10:27 .*begin with payments\/ or team-chat\//],
  ['team-chat/messages: {', 'team-chat/message: {', /unknown-resource .*did you mean 'team-chat\/messages'/],
  ['    vendor: payments', '    vendor: payment', /there is no pack 'payment'.*did you mean 'payments'/],
  ['    vendor: payments\n', '', /missing-key/],
  ['prompt:', 'key: abc\nprompt:', /several packs have a key each/],
])('in a task of several packs %s written as %s is reported', async (right, wrong, message) => {
  write('a.task.yaml', SEVERAL.replace(right, wrong));
  expect(await evaluate('--check')).toMatchObject({ code: 1, stderr: expect.stringMatching(message) as string });
});

test('an interrupted evaluation goes on where it was', async () => {
  write('a.task.yaml', TASK);
  // The second run interrupts the evaluation, once.
  write(
    'agent.mjs',
    `${AGENT}
if (TASK_RUN === '2' && !process.env.GOES_ON) {
  process.kill(process.ppid, 'SIGINT');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}`,
  );
  const args = ['eval', 'a.task.yaml', '--runs', '3', '--jobs', '1', '--min', '0', '--out', 'one'];
  const ended = await runSandbox([...args, ...NODE], { cwd: folder });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--resume') as string });
  expect(runsOf('one')).toEqual([1]);
  const { code, stderr } = await runCommand([...args, '--resume', ...NODE], { cwd: folder, env: { GOES_ON: '1' } });
  expect(stderr).not.toContain('name-it 1 ');
  expect(code).toBe(0);
  expect(runsOf('one')).toEqual([1, 2, 3]);
});

test.each([
  ['customers: {', 'custmers: {', /a\.task\.yaml:\d+:\d+ +error +unknown-resource .*did you mean 'customers'/],
  ['customers.create', 'customers.creat', /unknown-operation .*did you mean 'customers.create'/],
  ['"${customer.id}" }, to', '"${custmer.id}" }, to', /unknown-name .*did you mean 'customer'/],
  ['prompt:', 'promt:', /unknown-key/],
  [
    '- unchanged: true',
    '- final: customer.balance = 0\nagents: { idle: { passes: false, calls: [] } }',
    /a\.task\.yaml:\d+:\d+ .*'customer.balance = 0'/,
  ],
  ['email: ada@', 'emial: ada@', /customers.create returned 400/],
])('%s written as %s is reported where it is', async (right, wrong, message) => {
  write('a.task.yaml', TASK.replace(right, wrong));
  const { code, stderr } = await evaluate('--check');
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
});

test('what cannot be evaluated is said', async () => {
  write('a.task.yaml', TASK);
  expect(await evaluate()).toMatchObject({ code: 2, stderr: expect.stringContaining('no command') as string });
  expect(await evaluate('--', './none')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('./none') as string,
  });
  expect(await runCommand(['eval', 'nowhere', '--check'])).toMatchObject({ code: 2 });
});
