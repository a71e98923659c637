import { startParcels } from './parcels.js';

const client = startParcels({ reset: {} });

/** A refusal: what was sent, status, and what stands in the error. */
type Refused = [body: object, status: number, error: object];

test('a cause happens, its parameters in `params` or beside it', async () => {
  await client.done('POST /clock/durations', { durations: { pickup_time: '0s' } });
  for (const shape of [(params: object) => ({ params }), (params: object) => params]) {
    const id = await client.parcel();
    const told = await client.done('POST /world/events', {
      cause: 'parcel.lost',
      ...shape({ parcel_id: id, reason: 'a train' }),
    });
    expect(told).toMatchObject({
      cause: 'parcel.lost',
      events: [{ type: 'parcel.lost', parcel: { id, status: 'lost' } }],
      changed: [id],
    });
    expect((await client.api(`GET /parcels/${id}`)).body).toMatchObject({ status: 'lost', reason: 'a train' });
  }
});

test.each<Refused>([
  [{}, 400, { code: 'missing_key', path: 'cause' }],
  [{ cause: 7 }, 400, { path: 'cause' }],
  [{ cause: 'parcel.lots' }, 404, { code: 'unknown_cause', message: expect.stringContaining("'parcel.lost'") }],
  [{ cause: 'parcel.lost' }, 400, { code: 'missing_key' }],
  [{ cause: 'parcel.lost', parcel_id: 'par_none' }, 400, { code: 'missing_key', path: 'reason' }],
  [{ cause: 'parcel.lost', parcel_id: 'par_none', reason: 'x' }, 409, { code: 'precondition_failed' }],
  [
    { cause: 'courier.praised', courier_id: 'cou_1', stars: 9 },
    400,
    { code: 'invalid_value', path: 'stars', message: expect.stringContaining('at most') },
  ],
  [
    { cause: 'courier.praised', courier_id: 'cou_1', starz: 1 },
    400,
    { code: 'unknown_key', message: expect.stringContaining("'stars'") },
  ],
  [{ cause: 'courier.praised', courier_id: 'cou_1', params: { courier_id: 'cou_2' } }, 400, { path: 'courier_id' }],
  [{ cause: 'courier.praised', params: [] }, 400, { path: 'params' }],
])('%j -> %i', async (body, status, error) => {
  const answer = await client.admin('POST /world/events', body);
  expect([answer.status, answer.body]).toMatchObject([status, { error }]);
});

test('a condition that does not hold is 409 and changes nothing', async () => {
  const id = await client.parcel();
  const answer = await client.admin('POST /world/events', { cause: 'parcel.lost', parcel_id: id, reason: 'x' });
  expect([answer.status, answer.body]).toMatchObject([
    409,
    { error: { code: 'precondition_failed', cause: 'parcel.lost' } },
  ]);
  expect((await client.api(`GET /parcels/${id}`)).body).toMatchObject({ status: 'booked', reason: null });
});

test('GET /world/next lists what could happen, and that is possible', async () => {
  const id = await client.parcel({ courier: 'cou_test_van' });
  const { body: parcel } = await client.api(`GET /parcels/${id}`);
  const praised = {
    cause: 'courier.praised',
    params: { courier_id: parcel['courier'] },
    description: 'A customer is delighted.',
  };
  const flooded = { cause: 'depot.flooded', params: {}, description: 'It rains.' };
  expect(await client.done('GET /world/next')).toEqual({ causes: [praised, flooded] });
  await client.done('POST /world/events', { cause: 'depot.flooded' });
  await client.done('POST /clock/advance', { duration: '2h' });
  const lost = {
    cause: 'parcel.lost',
    params: { parcel_id: id },
    also_needs: ['reason'],
    description: expect.any(String),
  };
  expect(await client.done('GET /world/next')).toEqual({ causes: [lost, praised] });
  expect(await client.done(`GET /world/next?id=${id}`)).toEqual({ causes: [lost] });
  expect(await client.done('GET /world/next?cause=courier.praised')).toEqual({ causes: [praised] });
  expect(await client.done('GET /world/next?limit=1')).toEqual({ causes: [lost] });
  expect((await client.admin('GET /world/next?cause=x')).status).toBe(404);
  expect((await client.admin('GET /world/next?id=x')).status).toBe(404);
  expect((await client.admin('GET /world/next?limit=0')).status).toBe(400);
});
