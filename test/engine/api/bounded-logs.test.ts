import { IdempotencyKeys } from '../../../engine/api/idempotency.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** The logs that are bounded keep what is newest, before and after a reset. */

const sandbox = startSandbox('packs/payments', { t0: '2025-01-01T00:00:00Z', seed: 's', traceLimit: 3 });
const { call, admin, status } = sandbox;

/** Makes calls and gives the ids of their traces. */
async function calls(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++)
    ids.push((await call('GET /v1/balance')).headers.get('x-mock-resolution-trace') ?? '');
  return ids;
}

async function listed(): Promise<string[]> {
  const { body } = await admin<{ data: { id: string }[] }>('GET /traces');
  return body.data.map(({ id }) => id);
}

test('traces: the newest are kept, older ones are unknown', async () => {
  const ids = await calls(8);
  expect(await listed()).toEqual(ids.slice(5).reverse());
  expect(await status(`GET /__admin__/trace/${ids[5]}`)).toBe(200);
  expect(await status(`GET /__admin__/trace/${ids[4]}`)).toBe(404);
  await admin('POST /reset');
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
