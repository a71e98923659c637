import { startParcels } from './parcels.js';

/** A reset of a world that was started with a seed file goes back to it. */

const client = startParcels({ each: 'test' });
const PARCEL = { id: 'par_0000000001', to: { street: 'Dam 1', town: 'Amsterdam' }, weight: 5 };
const SEEDS = { t0: '2025-02-01T00:00:00Z', resources: { parcels: [PARCEL] } };

beforeEach(async () => {
  await client.applySeedData(SEEDS);
});

const parcels = async (): Promise<unknown> =>
  ((await client.done('GET /state?resource=parcels'))['resources'] as { parcels: unknown[] }).parcels;

test('as it was at the start: objects, time, timers and the ids of what follows', async () => {
  const state = await client.done('GET /state');
  const clock = await client.done('GET /clock');
  const id = await client.parcel();
  await client.done('POST /clock/advance', { duration: '3h' });
  expect(await client.done('POST /reset')).toEqual({ now: '2025-02-01T00:00:00.000Z' });
  expect(await client.done('GET /state')).toEqual(state);
  expect(await client.done('GET /clock')).toEqual(clock);
  expect(await client.parcel()).toBe(id);
});

test('at another time its objects are of that time', async () => {
  await client.done('POST /reset', { t0: '2026-01-01T00:00:00Z' });
  expect(await parcels()).toMatchObject([{ id: PARCEL.id, booked_at: '2026-01-01T00:00:00.000Z' }]);
});

test('empty leaves nothing, and the next reset is whole again', async () => {
  await client.done('POST /reset', { empty: true });
  expect(await parcels()).toEqual([]);
  await client.done('POST /reset', { empty: false });
  expect(await parcels()).toMatchObject([{ id: PARCEL.id }]);
  expect((await client.admin('POST /reset', { empty: 'yes' })).status).toBe(400);
});

test('what is kept stands beside it', async () => {
  await client.done('POST /webhooks/endpoints', { url: 'http://127.0.0.1:1/hook' });
  await client.done('POST /clock/durations', { durations: { pickup_time: '1m' } });
  await client.done('POST /reset', { keep: ['endpoints', 'durations'] });
  expect(await client.done('GET /webhooks/endpoints')).toMatchObject({ data: [{ url: 'http://127.0.0.1:1/hook' }] });
  await client.done('POST /clock/advance', { duration: '1m' });
  expect(await parcels()).toMatchObject([{ status: 'collected' }]);
});

test('seeds of later calls are no part of it', async () => {
  await client.done('POST /seed', { resource: 'parcels', objects: [{ ...PARCEL, id: 'par_0000000002' }] });
  await client.done('POST /reset');
  expect(await parcels()).toMatchObject([{ id: PARCEL.id }]);
});

test('seeds that are refused are not gone back to', async () => {
  await expect(client.applySeedData({ resource: 'parcels', objects: [{ id: 'nonsense' }] })).rejects.toThrow('422');
  await client.done('POST /reset');
  expect(await parcels()).toMatchObject([{ id: PARCEL.id }]);
});
