import { startParcels } from './parcels.js';

const client = startParcels({ reset: {} });

/** A refusal: what was sent, status, and what stands in the error. */
type Refused = [body: object, status: number, error: object];

const BOOKED = { to: { street: 'Dam 1', town: 'Amsterdam' }, weight: 900 };

const FAULT = { resource: 'parcels', operation: 'create' };

test('one answers in the vendor’s envelope as often as it counts', async () => {
  const order = { ...FAULT, status: 429, error: { code: 'slow_down', message: 'Please.' }, count: 2 };
  const answer = await client.admin('POST /faults', order);
  expect([answer.status, answer.body]).toMatchObject([
    201,
    { id: expect.stringMatching(/^flt_\w{16}$/), kind: 'error', remaining: 2 },
  ]);
  const first = await client.api('POST /parcels', BOOKED);
  expect([first.status, first.body]).toEqual([429, { problem: { code: 'slow_down', text: 'Please.' } }]);
  expect(await client.done('GET /faults')).toMatchObject({ data: [{ id: answer.body['id'], remaining: 1 }] });
  expect((await client.api('POST /parcels', BOOKED)).status).toBe(429);
  expect((await client.api('POST /parcels', BOOKED)).status).toBe(201);
  expect(await client.done('GET /faults')).toEqual({ data: [] });
});

test('without a count it stays until cleared, and `match` chooses calls', async () => {
  const { id } = await client.done('POST /faults', {
    ...FAULT,
    status: 500,
    match: { 'to.town': 'Delft', weight: 1 },
  });
  const delft = { to: { street: 'Markt 1', town: 'Delft' }, weight: 1 };
  for (let i = 0; i < 3; i++) expect((await client.api('POST /parcels', delft)).status).toBe(500);
  expect((await client.api('POST /parcels', { ...delft, weight: 2 })).status).toBe(201);
  expect(await client.done(`DELETE /faults/${id}`)).toEqual({ id, deleted: true });
  expect((await client.api('POST /parcels', delft)).status).toBe(201);
});

test('a delay waits, a reset cuts the line, a lost response takes effect first', async () => {
  await client.done('POST /faults', { resource: 'parcels', operation: 'list', delay_ms: 60, count: 1 });
  const before: string[] = [];
  setTimeout(() => before.push('shorter timer'), 55);
  expect((await client.api('GET /parcels')).status).toBe(200);
  expect(before).toEqual(['shorter timer']);
  for (const [kind, total] of [
    ['reset', 0],
    ['lost_response', 1],
  ] as const) {
    await client.done('POST /faults', { ...FAULT, kind, count: 1 });
    await expect(client.api('POST /parcels', BOOKED)).rejects.toThrow();
    expect((await client.api('GET /parcels')).body).toMatchObject({ total });
  }
});

test('DELETE /faults clears all', async () => {
  for (const operation of ['create', 'list'])
    await client.done('POST /faults', { resource: 'parcels', operation, status: 400 });
  expect(await client.done('DELETE /faults')).toEqual({ cleared: 2 });
  expect(await client.done('DELETE /faults')).toEqual({ cleared: 0 });
});

test.each<Refused>([
  [{ operation: 'create', status: 500 }, 400, { code: 'missing_key', path: 'resource' }],
  [{ resource: '*', operation: 'crate', status: 500 }, 404, { suggestion: 'create' }],
  [{ ...FAULT, kind: 'delay', delay_ms: { min: 9, max: 8 } }, 400, { path: 'delay_ms' }],
  [{ ...FAULT, kind: 'delay', delay_ms: { min: 9 } }, 400, { path: 'max' }],
  [FAULT, 400, { code: 'missing_key', path: 'status' }],
  [{ ...FAULT, status: 399 }, 400, { path: 'status' }],
  [{ ...FAULT, status: 600 }, 400, { path: 'status' }],
  [{ ...FAULT, status: '500' }, 400, { path: 'status' }],
  [{ ...FAULT, status: 500, count: 0 }, 400, { path: 'count' }],
  [{ ...FAULT, status: 500, count: 1.5 }, 400, { path: 'count' }],
  [{ ...FAULT, status: 500, error: 'x' }, 400, { path: 'error' }],
  [{ ...FAULT, status: 500, match: [] }, 400, { path: 'match' }],
  [{ ...FAULT, status: 500, delay_ms: -1 }, 400, { path: 'delay_ms' }],
  [{ ...FAULT, kind: 'delay' }, 400, { path: 'delay_ms' }],
  [{ ...FAULT, kind: 'reset', status: 500 }, 400, { path: 'status' }],
  [{ ...FAULT, kind: 'explode' }, 400, { path: 'kind' }],
  [{ ...FAULT, resource: 'parcel', status: 500 }, 404, { code: 'unknown_resource', suggestion: 'parcels' }],
  [{ ...FAULT, operation: 'creat', status: 500 }, 404, { code: 'unknown_operation', suggestion: 'create' }],
])('%j -> %i', async (body, status, error) => {
  const answer = await client.admin('POST /faults', body);
  expect([answer.status, answer.body]).toMatchObject([status, { error }]);
  expect(await client.done('GET /faults')).toEqual({ data: [] });
});

test.each([
  ['all calls', {}, [503, 503, 503]],
  ['all calls, by name', { resource: '*', operation: '*' }, [503, 503, 503]],
  ['all operations of a resource', { resource: 'parcels' }, [503, 503, 201]],
  ['operations of a name', { resource: '*', operation: 'create' }, [503, 200, 503]],
])('a fault of %s', async (_, of, statuses) => {
  const order = { ...of, status: 503 };
  expect(await client.done('POST /faults', order)).toMatchObject({ resource: '*', operation: '*', ...of });
  const called = [
    await client.api('POST /parcels', BOOKED),
    await client.api('GET /parcels'),
    await client.api('POST /couriers', { name: 'Ann' }),
  ];
  expect(called.map(({ status }) => status)).toEqual(statuses);
});

test('a fault for so many calls counts those of all operations together', async () => {
  await client.done('POST /faults', { status: 503, count: 2 });
  const statuses = [];
  for (const line of ['POST /parcels', 'GET /parcels', 'POST /parcels'])
    statuses.push((await client.api(line, line === 'GET /parcels' ? undefined : BOOKED)).status);
  expect(statuses).toEqual([503, 503, 201]);
});

test('a spread of delays is shown as it was ordered', async () => {
  const order = { ...FAULT, kind: 'delay', delay_ms: { min: 1, max: 5 } };
  expect(await client.done('POST /faults', order)).toMatchObject({ delay_ms: 1, delay_max_ms: 5 });
  expect((await client.api('POST /parcels', BOOKED)).status).toBe(201);
});
