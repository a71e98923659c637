import { join } from 'node:path';
import type { JsonObject } from '../../../engine/values/index.js';
import { createSandbox, type Sandbox } from '../../../engine/hosting/sandbox.js';
import { call as callWorld } from '../../support/http.js';
import { ROOT } from '../../support/root.js';

let sandbox: Sandbox;
const defects: unknown[] = [];

beforeAll(async () => {
  const pack = join(ROOT, 'packs', 'task-automation');
  sandbox = await createSandbox({ pack, t0: '2026-01-01T00:00:00Z', onDefect: (error) => void defects.push(error) });
});

afterAll(() => sandbox.close());
afterEach(() => expect(defects).toEqual([]));

interface Answer {
  readonly status: number;
  readonly body: Record<string, never> & { id: string; status: string; errors: Record<string, unknown> };
}

const call = (line: string, body?: JsonObject, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  callWorld<Answer['body']>(sandbox, line, body, headers);

const OUTPUT: JsonObject = {
  type: 'object',
  required: ['invoice', 'total'],
  properties: { invoice: { type: 'string' }, total: { type: 'number' } },
};
const INPUT: JsonObject = { type: 'object', required: ['invoice'], properties: { invoice: { type: 'string' } } };

async function task(fields: JsonObject = {}): Promise<string> {
  const agent = await call('POST /agents', { name: 'Clerk' });
  const given = { name: 'Fetch', agent_id: agent.body.id, input_schema: INPUT, output_schema: OUTPUT, ...fields };
  return (await call('POST /tasks', given)).body.id;
}

async function run(taskId: string, scenario?: string): Promise<Answer['body']> {
  const headers: Record<string, string> = scenario === undefined ? {} : { 'x-mock-scenario': scenario };
  return (await call(`POST /tasks/${taskId}/run`, { input: { invoice: 'INV-1' } }, headers)).body;
}

test('a run brings back what its schema asks for, what is pinned in it, and what its input says', async () => {
  const { id } = await run(await task());
  await call('POST /__admin__/exogenous/pins', { resource: id, path: 'output.total', value: 42 });
  await call('POST /__admin__/clock/advance', { duration: '1m' });
  const { body } = await call(`GET /task-runs/${id}`);
  expect(body).toMatchObject({ status: 'completed', result: 'success', output: { invoice: 'INV-1', total: 42 } });
});

test('the same task and input bring back the same', async () => {
  const taskId = await task();
  const outputs: unknown[] = [];
  for (const { id } of [await run(taskId), await run(taskId)]) {
    await call('POST /__admin__/clock/advance', { duration: '1m' });
    outputs.push((await call(`GET /task-runs/${id}`)).body['output']);
  }
  expect(outputs[0]).toEqual(outputs[1]);
});

test('a pinned output has to fit the schema of the task', async () => {
  const { id } = await run(await task());
  const pin = { resource: id, path: 'output', value: { invoice: 'INV-1', total: 'much' } };
  const { status, body } = await call('POST /__admin__/exogenous/pins', pin);
  expect([status, body]).toMatchObject([422, { error: { code: 'invalid_value', path: 'output.total' } }]);
});

test('schemas and inputs are checked, problems stand at their members', async () => {
  const bad = await call('POST /tasks', { name: 'Fetch', agent_id: 'none', output_schema: { type: 'bread' } });
  expect(Object.keys(bad.body.errors)).toEqual(['output_schema']);
  const missing = await call('POST /task-runs', { task_id: await task(), input: {} });
  expect(missing.body.errors).toEqual({ 'input.invoice': ['The value is required.'] });
});

test('a challenge that says only its type asks what such a challenge usually asks', async () => {
  const { id } = await run(await task(), 'mfa_required');
  await call('POST /__admin__/clock/advance', { duration: '1m' });
  const { body } = await call(`GET /task-runs/${id}`);
  expect(body).toMatchObject({
    status: 'interaction_required',
    interaction: { type: 'mfa', fields: [{ name: 'code' }] },
  });
  const wrong = await call(`POST /task-runs/${id}/interaction`, { input: {} });
  expect(wrong.body.errors).toEqual({ 'input.code': ['The value is required.'] });
  const right = await call(`POST /task-runs/${id}/interaction`, { input: { code: '123456' } });
  expect(right.body.status).toBe('running');
});

test('waits that a test takes away never end', async () => {
  await call('POST /__admin__/clock/durations', { durations: { run_time: 'none', run_timeout: 'none' } });
  const { id } = await run(await task());
  await call('POST /__admin__/clock/advance', { duration: '365d' });
  expect((await call(`GET /task-runs/${id}`)).body.status).toBe('running');
  await call('POST /__admin__/clock/durations', { durations: { run_time: null, run_timeout: null } });
});
