import { createSandbox, type Sandbox } from '../../../engine/index.js';
import { IdempotencyKeys } from '../../../engine/api/idempotency.js';
import { call } from '../../support/http.js';

/** The logs that are bounded keep what is newest, before and after a reset. */

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox({ pack: 'packs/payments', t0: '2025-01-01T00:00:00Z', seed: 's', traceLimit: 3 });
});

afterAll(() => sandbox.close());

async function ask(method: string, path: string): Promise<{ status: number; headers: Headers; body: string }> {
  const { text, ...response } = await call(sandbox, `${method} ${path}`);
  return { ...response, body: text };
}

/** Makes calls and gives the ids of their traces. */
async function calls(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++)
    ids.push((await ask('GET', '/v1/balance')).headers.get('x-mock-resolution-trace') ?? '');
  return ids;
}

async function listed(): Promise<string[]> {
  const { data } = JSON.parse((await ask('GET', '/__admin__/traces')).body) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

test('traces: the newest are kept, older ones are unknown', async () => {
  const ids = await calls(8);
  expect(await listed()).toEqual(ids.slice(5).reverse());
  expect((await ask('GET', `/__admin__/trace/${ids[5]}`)).status).toBe(200);
  expect((await ask('GET', `/__admin__/trace/${ids[4]}`)).status).toBe(404);
  await ask('POST', '/__admin__/reset');
  expect(await listed()).toEqual([]);
  const later = await calls(5);
  expect(await listed()).toEqual(later.slice(2).reverse());
});

test('idempotency keys: the oldest go, the newest are answered again', () => {
  const { engine } = sandbox;
  const keys = new IdempotencyKeys(engine);
  const at = engine.world.nowMs;
  const record = { request: 'req_1', fingerprint: 'f', route: 'POST /v1/customers', status: 200, body: '{}', at };
  const verdict = (n: number): string => keys.check(`key ${n}`, record.route, record.fingerprint).kind;
  for (let n = 0; n < 10_250; n++) keys.keep(`key ${n}`, record);
  expect(engine.world.idempotency.size).toBeLessThanOrEqual(10_000);
  expect([0, 249].map(verdict)).toEqual(['go', 'go']);
  expect([300, 5_000, 10_249].map(verdict)).toEqual(['replay', 'replay', 'replay']);
});
