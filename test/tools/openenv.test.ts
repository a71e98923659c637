import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { WebSocket } from 'ws';
import { Output } from '../../tools/command/output.js';
import { serveOpenenv } from '../../tools/commands/serve-openenv.js';
import type { ServeOptions } from '../../tools/commands/serve-options.js';
import { runCommand } from '../support/command.js';
import { call, type Called, type CallHeaders } from '../support/http.js';

/** `sandbox serve --openenv`: tasks as environments, and the formats of OpenEnv that `sandbox eval` reads and writes. */

const TASK = `task: name-it
title: A customer gets a name
packs: [payments]
setup:
  - { call: customers.create, with: { email: ada@example.com }, as: customer }
prompt: Name customer \${customer.id} Ada.
tools: { toolsets: all, tools: [update_customer], depth: 1 }
limits: { calls: 3 }
checks:
  - changed: { customers: { id: "\${customer.id}" }, to: { name: Ada }, count: 1 }
    weight: 2
  - unchanged: true
agents:
  names-it: { passes: true, calls: [{ call: customers.update, with: { id: "\${customer.id}", name: Ada } }] }
`;

interface Observed {
  readonly observation: {
    readonly prompt?: string;
    readonly episode_id?: string;
    readonly metadata?: Readonly<Record<string, unknown>>;
    readonly error?: { readonly error_type: string } | null;
    readonly tools?: readonly { readonly name: string }[];
  };
  readonly reward: number | null;
  readonly done: boolean;
}

let folder: string;
let url: string;
let stop: () => void;
let ended: Promise<number>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'openenv-'));
  writeFileSync(join(folder, 'name-it.task.yaml'), TASK);
  const out = new PassThrough();
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const options = { port: 0, host: 'localhost', idle: 'never', maxWorlds: 20, json: true } as ServeOptions;
  ended = serveOpenenv([join(folder, 'name-it.task.yaml')], options, new Output(out, out), stopped);
  const [line] = (await once(out, 'data')) as [Buffer];
  ({ url } = JSON.parse(line.toString()) as { url: string });
});

afterAll(async () => {
  stop();
  expect(await ended).toBe(0);
  rmSync(folder, { recursive: true });
});

const post = (path: string, body: object, headers: CallHeaders = {}): Promise<Called<Observed>> =>
  call<Observed>({ url, key: null }, `POST ${path}`, body, headers);
const step = async (episode_id: string, action: object): Promise<Observed> =>
  (await post('/step', { episode_id, action })).body;
const tool = (tool_name: string, given: object = {}) => ({ type: 'call_tool', tool_name, arguments: given });
const customerOf = ({ observation: { prompt = '' } }: Observed): string => /cus_\w+/.exec(prompt)?.[0] ?? '';

test('an episode over HTTP: reset, a tool, the changes, the reward', async () => {
  const { body: began } = await post('/reset', { episode_id: 'a', task: 'name-it', seed: 5 });
  expect(began).toMatchObject({ reward: null, done: false, observation: { episode_id: 'a', metadata: { seed: '5' } } });
  const named = await step('a', tool('update_customer', { id: customerOf(began), name: 'Ada' }));
  expect(named).toMatchObject({ done: false, observation: { error: null, result: { data: { name: 'Ada' } } } });
  const state = await (await fetch(`${url}/state?episode_id=a`)).json();
  expect(state).toMatchObject({
    step_count: 1,
    done: false,
    changes: [{ origin: 'call', objects: [{ op: 'put', collection: 'customers' }, { collection: 'events' }] }],
  });
  expect(await step('a', { type: 'finish' })).toMatchObject({ reward: 1, done: true });
  expect(await step('a', tool('update_customer'))).toMatchObject({
    done: true,
    observation: { error: { error_type: 'execution_error' } },
  });
});

test('the seed decides the world, and each episode is a fork of it', async () => {
  const worlds = [5, 5, 6].map((seed, at) => post('/reset', { episode_id: `s${at}`, seed }));
  const [one, same, other] = (await Promise.all(worlds)).map(({ body }) => body);
  expect(customerOf(same)).toBe(customerOf(one));
  expect(customerOf(other)).not.toBe(customerOf(one));
  await step('s0', tool('update_customer', { id: customerOf(one), name: 'Ada' }));
  expect(await step('s1', tool('finish'))).toMatchObject({ reward: 0.333 });
  expect(await step('s0', tool('finish'))).toMatchObject({ reward: 1 });
});

test('a limit of the task ends the episode, and a tool that does not exist does not', async () => {
  const { body: began } = await post('/reset', { episode_id: 'limit' });
  expect((await step('limit', tool('no_such_tool'))).observation.error?.error_type).toBe('tool_not_found');
  const results: Observed[] = [];
  for (const name of ['a', 'b', 'c', 'd'])
    results.push(await step('limit', tool('update_customer', { id: customerOf(began), name })));
  expect(results.map(({ done }) => done)).toEqual([false, false, false, true]);
  expect(results[3].observation.metadata).toMatchObject({ stopped: 'limit of calls', pass: false });
});

test('a world without a task has a fixture only, and the tool that ends it can be hidden', async () => {
  const { body } = await post('/reset', { episode_id: 'none', task: 'name-it', finish_tool: false });
  expect(body.done).toBe(false);
  const { observation } = await step('none', { type: 'list_tools' });
  expect(observation.tools?.map(({ name }) => name)).not.toContain('finish');
  expect((await post('/reset', { fixture: 'no-such-data' })).status).toBe(422);
});

test.each([
  ['/reset', { task: 'x' }, 422],
  ['/reset', { seed: -1 }, 422],
  ['/step', { episode_id: 'unknown', action: {} }, 404],
  ['/step', { episode_id: 'a', action: 1 }, 422],
  ['/nowhere', {}, 404],
])('%s with %j is rejected with %s', async (path, body, status) => {
  await post('/reset', { episode_id: 'a' });
  expect((await post(path, body)).status).toBe(status);
});

test('pages of browsers have no access', async () => {
  expect((await post('/reset', {}, { origin: 'https://page.example' })).status).toBe(403);
});

test('a WebSocket is an environment; wrong messages are reported and leave it as it was', async () => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
  await once(socket, 'open');
  const say = async (message: unknown): Promise<object> => {
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    const [data] = (await once(socket, 'message')) as [Buffer];
    return JSON.parse(data.toString()) as object;
  };
  expect(await say('{')).toMatchObject({ type: 'error', data: { code: 'INVALID_JSON' } });
  expect(await say({ type: 'dance' })).toMatchObject({ type: 'error', data: { code: 'UNKNOWN_TYPE' } });
  expect(await say({ type: 'reset', data: { task: 'x' } })).toMatchObject({ data: { code: 'EXECUTION_ERROR' } });
  expect(await say({ type: 'reset', data: {} })).toMatchObject({ type: 'observation', data: { done: false } });
  expect(await say({ type: 'step', data: { type: 'jump' } })).toMatchObject({ data: { code: 'VALIDATION_ERROR' } });
  const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect(await say({ type: 'mcp', data: listed })).toMatchObject({
    data: { id: 1, result: { tools: expect.anything() as [] } },
  });
  expect(await say({ type: 'state' })).toMatchObject({ type: 'state', data: { step_count: 0, changes: [] } });
  socket.send(JSON.stringify({ type: 'close' }));
  await once(socket, 'close');
});

test('sessions of MCP over HTTP, and the most environments', async () => {
  const rpc = async (method: string, params: object = {}) =>
    (await post('/mcp', { jsonrpc: '2.0', id: 1, method, params })).body as unknown as {
      readonly result?: { readonly session_id?: string };
      readonly error?: { readonly code: number };
    };
  const { result: { session_id = '' } = {} } = await rpc('openenv/session/create');
  expect(await rpc('tools/call', { name: 'finish', session_id })).toMatchObject({
    result: { reward: 0.333, done: true },
  });
  expect(await rpc('openenv/session/close', { session_id })).toMatchObject({ result: { closed: true } });
  expect(await rpc('tools/list', { session_id })).toMatchObject({ error: { code: -32602 } });
  const made = await Promise.all(Array.from({ length: 25 }, () => rpc('openenv/session/create')));
  expect(made.filter(({ error }) => error).map(({ error }) => error?.code)).toContain(-32000);
});

test('an evaluation writes rollouts, and those are played and judged again', async () => {
  const tasks = join(folder, 'name-it.task.yaml');
  const out = join(folder, 'rollouts');
  expect(await runCommand(['eval', tasks, '--check', '-q', '--openenv', out])).toMatchObject({ code: 0 });
  const record = JSON.parse(readFileSync(join(out, 'results.jsonl'), 'utf8')) as object;
  expect(record).toMatchObject({
    episode_id: 'name-it-names-it-1',
    reward: 1,
    task: 'name-it',
    tool_trace: [
      { tool_name: 'customers.update', arguments: { id: expect.stringMatching(/^cus_/) as string, name: 'Ada' } },
    ],
  });
  const again = await runCommand(['eval', tasks, '--rollouts', join(out, 'results.jsonl'), '-q']);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('1 run of 1 passed') as string });
  const config = { dataset: tasks, eval_parameters: { runs: 2, min: 0 } };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const configured = await runCommand(['eval', join(folder, 'config.json'), '-q', '--', 'true']);
  expect(configured).toMatchObject({ code: 0, stdout: expect.stringContaining('0 runs of 2 passed') as string });
  writeFileSync(join(folder, 'wrong.jsonl'), '{"episode_id": "a"}\n');
  expect(await runCommand(['eval', tasks, '--rollouts', join(folder, 'wrong.jsonl')])).toMatchObject({ code: 1 });
});

test('a command writes the card, the spec file and the container', async () => {
  const out = join(folder, 'space');
  expect(await runCommand(['export-openenv', join(folder, 'name-it.task.yaml'), '--out', out])).toMatchObject({
    code: 0,
  });
  expect(readFileSync(join(out, 'README.md'), 'utf8')).toMatch(
    /^---\n[^]*sdk: docker[^]*app_port: 8000[^]*\| `name-it` \|/,
  );
  expect(readFileSync(join(out, 'openenv.yaml'), 'utf8')).toMatch(/^spec_version: 1\nname: \w+_env\ntype: space\n/);
});
