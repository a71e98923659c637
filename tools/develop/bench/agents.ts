/**
 * `npm run bench:agents` (`-- forks`, `-- toolCalls`, `-- tasks`, `-- packs` alone; `-- forks 15000` sets the number of worlds): measures the cost of
 * agents: forked worlds with a few calls each, tool calls over Streamable HTTP, and a task of ten calls that is forked, run and scored. Measures
 * memory and processor time, which other load on the machine affects least.
 */
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemList } from '../../../engine/pack/index.js';
import { installation } from '../../command/installation.js';
import { prepare } from '../../eval/prepared.js';
import { readTask } from '../../eval/read-tasks.js';
import { runTask } from '../../eval/run.js';
import { worldOfPack } from '../../eval/task-world.js';
import { packSandbox } from '../kit/pack-sandbox.js';
import { headCommit } from '../prose/figures.js';
import { startMeasuredServer } from './servers.js';

const [FORKS, TOOL_CALLS, CONNECTIONS, RUNS] = [2_000, 4_000, 8, 40];
const [PACK_FORKS, PACK_CALLS] = [300, 500];
const GIB = 2 ** 30;
/** Packs measured besides payments: for each, a path to read in a fork, and a tool to call with its arguments. */
const FURTHER: readonly (readonly [pack: string, path: string, tool: string, args: object])[] = [
  ['identity', '/api/v2/users', 'list_user', {}],
  ['mail', '/domains', 'list_domain', {}],
  ['models', '/v1/models', 'list_model', {}],
];

const TASK = `task: ten-calls
title: Ten calls
packs: [payments]
t0: "2026-03-02T09:00:00Z"
setup:
  - call: payment_intents.create
    with: { amount: 20000, currency: usd, payment_method: pm_card_visa, confirm: true, return_url: "https://shop.example" }
    as: payment
prompt: Refund it in parts.
checks:
  - added: { refunds: { charge: "\${payment.latest_charge}" }, count: 5 }
  - final: get(charge, payment.latest_charge).amount_refunded == 5000
  - unchanged: true
agents:
  refunds:
    passes: true
    calls:
${Array.from(
  { length: 5 },
  () => `      - { call: refunds.create, with: { charge: "\${payment.latest_charge}", amount: 1000 } }
      - { call: charges.retrieve, with: { id: "\${payment.latest_charge}" } }
`,
).join('')}`;

console.log(`commit ${headCommit(installation())}, Node ${process.versions.node}`);
const words = process.argv.slice(2);
const only = words.filter((word) => !/^\d+$/.test(word));
const forkCount = Number(words.find((word) => /^\d+$/.test(word)) ?? FORKS);
for (const measure of [forks, toolCalls, tasks, packs])
  if (only.length === 0 || only.includes(measure.name)) await measure();

/** Measures the memory of many open forks of a small world, each after three calls. */
async function forks(): Promise<void> {
  const server = await startMeasuredServer('payments-by-key');
  const call = caller(server.url);
  const made = async (): Promise<void> => {
    const key = await forkOf(call, server.key);
    await call('POST /v1/customers', key, 'email=jenny%40example.com');
    await call('POST /v1/payment_intents', key, 'amount=2000&currency=usd&confirm=true&payment_method=pm_card_visa');
    await call('GET /v1/customers?limit=3', key);
  };
  for (let n = 0; n < 20; n++) await call('POST /v1/customers', server.key, `name=${n}`);
  for (let n = 0; n < 50; n++) await made();
  await server.heapBytes();
  const [memory, cpu] = [await server.memoryBytes(), await server.cpu()];
  for (let n = 0; n < forkCount; n++) await made();
  await server.heapBytes();
  const total = await server.memoryBytes();
  const each = (total - memory) / forkCount;
  const cpuMs = ((await server.cpu()) - cpu) / forkCount / 1000;
  const { data } = JSON.parse(await call('GET /__admin__/worlds', server.key)) as { data: { now: string | null }[] };
  console.log(
    `forks: ${forkCount} open, three calls each: ${Math.round(each / 1024)} KiB and ${cpuMs.toFixed(2)} ms of processor time each, ${(total / GIB).toFixed(2)} GiB resident; ${Math.floor((4 * GIB) / each)} in 4 GiB; ${data.filter(({ now }) => now !== null).length} worlds answer`,
  );
  await server.stop();
}

/** Measures tool calls over keep-alive connections. */
async function toolCalls(): Promise<void> {
  const server = await startMeasuredServer('payments');
  const call = caller(server.url);
  const message = toolCall('create_customer', { name: 'Ada', email: 'ada@example.com' });
  const some = async (count: number): Promise<void> => {
    let left = count;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (left-- > 0) {
          const text = await call('POST /mcp?toolsets=2025', server.key, message);
          if (!text.includes('cus_')) throw new Error(text);
        }
      }),
    );
  };
  await some(1_000);
  const [began, cpu] = [performance.now(), await server.cpu()];
  await some(TOOL_CALLS);
  const seconds = (performance.now() - began) / 1000;
  const cpuMs = ((await server.cpu()) - cpu) / TOOL_CALLS / 1000;
  console.log(
    `tools/call over Streamable HTTP: ${Math.round(TOOL_CALLS / seconds)} a second with ${CONNECTIONS} connections, ${cpuMs.toFixed(3)} ms of the server's processor time each: ${Math.round(1000 / cpuMs)} a second on a core of its own`,
  );
  await server.stop();
}

/** Forks, runs, scores and deletes a task of ten calls, in this process. */
async function tasks(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-agents-'));
  const file = join(folder, 'ten.task.yaml');
  writeFileSync(file, TASK);
  const read = await readTask(file, new ProblemList());
  if (!read) throw new Error('the task is wrong');
  const sandbox = await packSandbox(read.packs[0], { worlds: 'key' });
  const prepared = await prepare(read, ({ seed, t0 }) => worldOfPack(sandbox, { seed, t0 }));
  const [[name, agent]] = Object.entries(read.task.agents ?? {});
  const once = (run: number) =>
    runTask(prepared, run, {
      worker: { kind: 'script', name, agent },
      log: undefined,
      keep: false,
      signal: new AbortController().signal,
    });
  for (let run = 0; run < 10; run++) if (!(await once(run)).trajectory.pass) throw new Error('the task does not pass');
  const began = process.cpuUsage();
  for (let run = 0; run < RUNS; run++) await once(run);
  const { user, system } = process.cpuUsage(began);
  console.log(
    `a task of ten calls, forked, run, judged and dropped: ${((user + system) / RUNS / 1000).toFixed(1)} ms of processor time, server and caller together`,
  );
  await sandbox.close(0);
  rmSync(folder, { recursive: true });
}

/** Measures forks and tool calls of the packs in `FURTHER` with few calls, in this process, including the cost of the client. */
async function packs(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (const [pack, path, tool, args] of FURTHER) {
    const sandbox = await packSandbox(pack, { worlds: 'key' });
    const call = caller(sandbox.url);
    const made = async (): Promise<void> => {
      const key = await forkOf(call, sandbox.key);
      for (let n = 0; n < 3; n++) await call(`GET ${path}`, key);
    };
    for (let n = 0; n < 20; n++) await made();
    collect();
    const before = process.memoryUsage();
    for (let n = 0; n < PACK_FORKS; n++) await made();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    const each = (heapUsed + external - before.heapUsed - before.external) / PACK_FORKS;
    const message = toolCall(tool, args);
    const asked = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++) await call('POST /mcp?toolsets=all', sandbox.key, message);
    };
    await asked(100);
    const cpu = process.cpuUsage();
    await asked(PACK_CALLS);
    const { user, system } = process.cpuUsage(cpu);
    const ms = (user + system) / PACK_CALLS / 1000;
    console.log(
      `${pack}: ${Math.round(each / 1024)} KiB a fork with three calls (${Math.floor((4 * GIB) / each)} in 4 GiB); ${ms.toFixed(2)} ms of processor time a tool call, server and caller together (${Math.round(1000 / ms)} a second on a core)`,
    );
    await sandbox.close(0);
  }
}

type Caller = ReturnType<typeof caller>;

async function forkOf(call: Caller, key: string): Promise<string> {
  const fork = JSON.parse(await call('POST /__admin__/worlds', key, { from: { same_ids: true } })) as { key: string };
  return fork.key;
}

function toolCall(name: string, args: object): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
}

/** Creates a minimal HTTP client with persistent connections; some figures include the client's cost, so it must be cheap. */
function caller(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  return async (line: string, key: string, body?: string | object): Promise<string> => {
    const [method, path] = line.split(' ');
    const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
    const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) };
    const sent = request(url + path, { method, agent, headers });
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const part of response.setEncoding('utf8')) text += String(part);
    if ((response.statusCode ?? 500) >= 400) throw new Error(`${path}: ${text}`);
    return text;
  };
}
