import type { Express } from 'express';
import request from 'supertest';
import { controlPlane, LiveStreams } from '../../../engine/control/index.js';
import { loadPack } from '../../../engine/index.js';
import { createApp, Exchanges } from '../../../engine/http/index.js';
import { ClockControl, Engine } from '../../../engine/runtime/index.js';

/** The control plane by itself, with small limits and without deliveries. */
function plane(): { readonly app: Express; readonly engine: Engine; readonly defects: unknown[] } {
  const defects: unknown[] = [];
  const { pack } = loadPack('test/packs/parcels');
  if (!pack) throw new Error('the pack has mistakes');
  const onDefect = (error: unknown): number => defects.push(error);
  const engine = new Engine(pack, { seed: 's', t0: 0, ledgerLimit: 10, traceLimit: 10, onDefect });
  const clock = new ClockControl(engine, null, { timerBudget: 1 });
  const control = controlPlane({
    engine,
    header: { format: 1, pack: { name: 'parcels', version: '0.1.0', hash: '', vars: {} }, seed: 's', t0: 0 },
    outbox: null,
    clock,
    live: new LiveStreams(engine, clock, null),
    exchanges: new Exchanges([]),
    pack: { name: 'parcels', title: '', version: '0.1.0', faithfulTo: '' },
    guard: { check: () => ({ ok: true, given: null }) },
    maxBodyBytes: 100,
    maxSeedBytes: 1000,
  });
  return { app: createApp([control]), engine, defects };
}

const PARCEL = { id: 'par_0000000001', to: { street: 'Dam 1', town: 'Amsterdam' }, weight: 5 };

test('more work than one advance may do is 422, and what was due before is committed', async () => {
  const { app } = plane();
  await request(app)
    .post('/__admin__/seed')
    .send({ resource: 'parcels', objects: [PARCEL] })
    .expect(200);
  const { body } = await request(app).post('/__admin__/clock/advance').send({ duration: '30d' }).expect(422);
  expect(body).toMatchObject({
    error: { code: 'too_much_due', now: '1970-01-01T02:00:00.000Z', fired: 1, events_total: 1 },
  });
  await request(app).post('/__admin__/clock/advance').send({ duration: '30d' }).expect(200);
});

test('limits of bodies can be set', async () => {
  const { app } = plane();
  const long = { resource: 'parcels', objects: [{ ...PARCEL, mood: 'x'.repeat(500) }] };
  await request(app).post('/__admin__/seed').send(long).expect(200);
  await request(app)
    .post('/__admin__/seed')
    .send({ resource: 'parcels', objects: [long, long] })
    .expect(413);
  const { body } = await request(app).post('/__admin__/faults').send(long).expect(413);
  expect(body).toEqual({ error: { code: 'body_too_large', message: expect.any(String), limit: 100 } });
});

test('a world without deliveries says so', async () => {
  const { app } = plane();
  for (const [method, path] of [
    ['get', 'deliveries'],
    ['post', 'flush'],
    ['post', 'deliveries/x/replay'],
  ] as const) {
    const { body } = await request(app)[method](`/__admin__/webhooks/${path}`).expect(404);
    expect(body).toMatchObject({ error: { code: 'no_deliveries' } });
  }
});

test('a defect is 500, told to the log and not to the caller', async () => {
  const { app, engine, defects } = plane();
  const failure = new Error('a secret of the engine');
  jest.spyOn(engine, 'reset').mockImplementation(() => {
    throw failure;
  });
  const { text } = await request(app).post('/__admin__/reset').expect(500);
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'internal_error' } });
  expect(text).not.toContain('secret');
  expect(defects).toEqual([failure]);
});
