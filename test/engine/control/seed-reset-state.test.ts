import { Parcels, startParcels } from './parcels.js';

const client = startParcels({ reset: {} });

const PARCEL = { id: 'par_0000000001', to: { street: 'Dam 1', town: 'Amsterdam' }, weight: 5 };

describe('POST /seed', () => {
  test('inserts objects silently; what is left out takes defaults', async () => {
    expect(await client.done('POST /seed', { resource: 'parcels', objects: [PARCEL] })).toEqual({
      seeded: { parcels: 1 },
    });
    expect((await client.api('GET /parcels/par_0000000001')).body).toMatchObject({
      status: 'booked',
      to: { street: 'Dam 1', country: 'NL' },
      tags: {},
      proof: null,
    });
    expect((await client.api('GET /events')).body).toMatchObject({ items: [] });
  });

  test('seeds of one call may refer to each other, and an id that exists is replaced', async () => {
    const courierId = 'cou_0000000001';
    const resources = {
      parcels: [{ ...PARCEL, courier: courierId }],
      couriers: [{ id: courierId, name: 'Ann', vehicle: 'van' }],
    };
    expect(await client.done('POST /seed', { resources })).toEqual({ seeded: { parcels: 1, couriers: 1 } });
    await client.done('POST /seed', { resource: 'parcels', objects: [{ ...PARCEL, weight: 6 }] });
    expect((await client.api('GET /parcels')).body).toMatchObject({ total: 1, items: [{ weight: 6, courier: null }] });
  });

  test('what was seeded goes on living from its own time', async () => {
    const objects = [{ ...PARCEL, booked_at: '2025-03-01T07:00:00.000Z' }];
    await client.done('POST /seed', { resource: 'parcels', objects });
    const { events } = await client.done('POST /clock/advance', { duration: '1h' });
    expect(events).toMatchObject([{ type: 'parcel.collected', at: '2025-03-01T09:00:00.000Z' }]);
  });

  test('t0 is where the world begins, also backwards', async () => {
    await client.done('POST /seed', { resource: 'parcels', objects: [PARCEL], t0: '2024-02-29T00:00:00Z' });
    expect(await client.done('GET /clock')).toMatchObject({
      now: '2024-02-29T00:00:00.000Z',
      t0: '2024-02-29T00:00:00.000Z',
    });
    expect((await client.api('GET /parcels')).body).toMatchObject({
      items: [{ booked_at: '2024-02-29T00:00:00.000Z' }],
    });
    await client.done('POST /reset', { t0: '2025-03-01T08:00:00Z' });
  });

  test.each<[string, Readonly<Record<string, unknown>>, number, object]>([
    ['neither form', {}, 400, { code: 'missing_key', path: 'resource' }],
    ['no objects', { resource: 'parcels' }, 400, { code: 'missing_key', path: 'objects' }],
    ['both forms', { resource: 'parcels', objects: [], resources: {} }, 400, { path: 'resources' }],
    ['objects that are no list', { resource: 'parcels', objects: {} }, 400, { path: 'objects' }],
    ['a collection that is no list', { resources: { parcels: 1 } }, 400, { path: 'resources.parcels' }],
    ['an object that is none', { resource: 'parcels', objects: [1] }, 400, { path: 'parcels[0]' }],
    ['a bad t0', { resource: 'parcels', objects: [], t0: 'soon' }, 400, { path: 't0' }],
    [
      'an unknown collection',
      { resource: 'parcel', objects: [] },
      404,
      { code: 'unknown_resource', suggestion: 'parcels' },
    ],
    ['no id', { resource: 'parcels', objects: [{ weight: 1 }] }, 422, { code: 'invalid_id', path: 'parcels[0].id' }],
    [
      'an id of another form',
      { resource: 'parcels', objects: [{ ...PARCEL, id: 'pkg_1' }] },
      422,
      { code: 'invalid_id' },
    ],
    [
      'an unknown field',
      { resource: 'parcels', objects: [{ ...PARCEL, wieght: 1 }] },
      422,
      { path: 'parcels[0].wieght' },
    ],
    [
      'a wrong value',
      { resource: 'parcels', objects: [{ ...PARCEL, to: { street: 1 } }] },
      422,
      { path: 'parcels[0].to.street' },
    ],
    [
      'an unknown status',
      { resource: 'parcels', objects: [{ ...PARCEL, status: 'flying' }] },
      422,
      { path: 'parcels[0].status' },
    ],
    [
      'a dangling reference',
      { resource: 'parcels', objects: [{ ...PARCEL, courier: 'cou_none000000' }] },
      422,
      { code: 'unknown_reference' },
    ],
  ])('%s is refused, and nothing is kept', async (_what, body, status, error) => {
    // A sound object before the wrong one, which must not stay.
    const objects = Array.isArray(body['objects']) && 'resource' in body ? (body['objects'] as unknown[]) : undefined;
    const given = objects ? { ...body, objects: [{ ...PARCEL, id: 'par_9999999999' }, ...objects] } : body;
    const moved: unknown = objects ? JSON.parse(JSON.stringify(error).replace('[0]', '[1]')) : error;
    const before = await client.done('GET /clock');
    const answer = await client.admin('POST /seed', given);
    expect([answer.status, answer.body]).toMatchObject([status, { error: moved }]);
    expect((await client.api('GET /parcels')).body).toMatchObject({ total: 0 });
    expect(await client.done('GET /clock')).toEqual(before);
  });

  test('a refused seed leaves the clock where it was', async () => {
    const before = await client.done('GET /clock');
    const body = { resource: 'parcels', objects: [{ id: 'x' }], t0: '2020-01-01T00:00:00Z' };
    expect((await client.admin('POST /seed', body)).status).toBe(422);
    expect(await client.done('GET /clock')).toEqual(before);
  });
});

describe('POST /reset', () => {
  test('empties everything and rewinds the clock', async () => {
    const id = await client.parcel();
    const trace = (await client.api(`GET /parcels/${id}`)).headers.get('x-mock-resolution-trace');
    await client.done('POST /faults', { resource: 'parcels', operation: 'list', status: 500 });
    await client.done('POST /exogenous/pins', { resource: 'parcels', branch: 'refused' });
    await client.done('POST /webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' });
    await client.done('POST /clock/durations', { durations: { pickup_time: '1s' } });
    await client.done('POST /clock/advance', { duration: '5d' });
    expect(await client.done('POST /reset')).toEqual({ now: '2025-03-01T08:00:00.000Z' });
    expect(await client.done('GET /state')).toEqual({
      now: '2025-03-01T08:00:00.000Z',
      resources: {
        couriers: [],
        depots: [expect.objectContaining({ id: 'depot' })],
        events: [],
        hooks: [],
        parcels: [],
      },
      timers: [],
    });
    for (const path of ['/faults', '/exogenous/pins', '/webhooks/endpoints', '/webhooks/deliveries', '/traces']) {
      expect(await client.done(`GET ${path}`)).toEqual({ data: [] });
    }
    expect((await client.admin(`GET /trace/${trace}`)).status).toBe(404);
    expect(await client.done('GET /clock/durations')).toMatchObject({
      durations: { pickup_time: { value: '2h', overridden: false } },
    });
  });

  test.each<[unknown, string]>([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2025-01-31T12:00:00+02:00', '2025-01-31T10:00:00.000Z'],
    [1_700_000_000, '2023-11-14T22:13:20.000Z'],
  ])('t0 %p is where the clock stands then', async (t0, now) => {
    expect(await client.done('POST /reset', { t0 })).toEqual({ now });
    await client.done('POST /clock/advance', { duration: '1d' });
    expect(await client.done('POST /reset', {})).toEqual({ now });
    await client.done('POST /reset', { t0: '2025-03-01T08:00:00Z' });
  });

  test('keeps endpoints and durations when asked', async () => {
    const endpoint = await client.done('POST /webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' });
    await client.done('POST /clock/durations', { durations: { pickup_time: '0s' } });
    await client.done('POST /reset', { keep: ['endpoints', 'durations'] });
    expect(await client.done('GET /webhooks/endpoints')).toEqual({ data: [endpoint] });
    const other = await client.done('POST /webhooks/endpoints', { url: 'http://127.0.0.1:9/other' });
    expect(other['id']).not.toBe(endpoint['id']);
    expect((await client.api(`GET /parcels/${await client.parcel()}`)).body).toMatchObject({ status: 'collected' });
    await client.done('POST /reset', { keep: ['durations'] });
    expect(await client.done('GET /webhooks/endpoints')).toEqual({ data: [] });
  });

  test.each<[object, string]>([
    [{ t0: 'yesterday' }, 't0'],
    [{ t0: true }, 't0'],
    [{ keep: ['everything'] }, 'keep[0]'],
    [{ keep: 'endpoints' }, 'keep'],
  ])('%p is 400', async (body, path) => {
    const answer = await client.admin('POST /reset', body);
    expect([answer.status, answer.body]).toMatchObject([400, { error: { path } }]);
  });

  test('the same calls after a reset give the same answers, ids included', async () => {
    const story = async (): Promise<unknown[]> => {
      const told: unknown[] = [await client.done('POST /reset')];
      told.push(
        await client.done('POST /webhooks/endpoints', { url: 'http://127.0.0.1:9/hook', events: ['parcel.lost'] }),
      );
      told.push(
        await client.done('POST /faults', { resource: 'couriers', operation: 'create', status: 500, count: 1 }),
      );
      told.push(await client.done('POST /exogenous/pins', { resource: 'parcels', branch: 'refused' }));
      for (const body of [{ name: 'Ann' }, { name: 'Bob' }]) told.push((await client.api('POST /couriers', body)).body);
      const id = await client.parcel({ courier: 'cou_test_van' });
      told.push(id, await client.done('POST /clock/advance', { duration: '10d' }), await client.done('GET /state'));
      const { data } = (await client.done('GET /traces')) as { data: { id: string }[] };
      return [...told, data.map((trace) => trace.id)];
    };
    expect(await story()).toEqual(await story());
  });

  test('two worlds of one seed are alike, of another one not', async () => {
    const others = await Promise.all([
      new Parcels({ seed: 'a' }).open(),
      new Parcels({ seed: 'a' }).open(),
      new Parcels({ seed: 'b' }).open(),
    ]);
    const ids = await Promise.all(others.map((other) => other.parcel()));
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
    await Promise.all(others.map((other) => other.close()));
  });
});

describe('GET /state', () => {
  test('shows stored objects, newest last, without hidden fields', async () => {
    const [one, two] = [await client.parcel({ door_code: '1234' }), await client.parcel()];
    const { resources } = await client.done('GET /state?resource=parcels');
    expect(resources).toMatchObject({ parcels: [{ id: one }, { id: two }] });
    expect(JSON.stringify(resources)).not.toContain('door_code');
    expect(await client.done('GET /state?resource=parcels&limit=1')).toMatchObject({
      resources: { parcels: [{ id: two }] },
    });
    expect(await client.done('GET /state?limit=0')).toMatchObject({ resources: { parcels: [], events: [] } });
    expect(await client.done(`GET /state?id=${one}`)).toMatchObject({ resources: { parcels: [{ id: one }] } });
  });

  test.each<[string, number, string]>([
    ['resource=parcel', 404, 'unknown_resource'],
    ['id=par_none', 404, 'unknown_object'],
    ['limit=-1', 400, 'invalid_value'],
    ['limit=many', 400, 'invalid_value'],
    ['resource=parcels&resource=events', 400, 'invalid_value'],
  ])('?%s is refused', async (query, status, code) => {
    const answer = await client.admin(`GET /state?${query}`);
    expect([answer.status, answer.body]).toMatchObject([status, { error: { code } }]);
  });

  test('a large world is written whole', async () => {
    const objects = Array.from({ length: 5000 }, (_, index) => ({
      ...PARCEL,
      id: `par_${String(index).padStart(10, '0')}`,
    }));
    await client.done('POST /seed', { resource: 'parcels', objects });
    const { resources } = (await client.done('GET /state?resource=parcels')) as { resources: { parcels: unknown[] } };
    expect(resources.parcels).toHaveLength(5000);
  });
});

describe('what it is', () => {
  test('GET / tells contract, pack and world', async () => {
    await client.parcel();
    expect(await client.done('GET /')).toMatchObject({
      pack: { name: 'parcels', version: '0.1.0', faithful_to: "a courier's API that nobody offers" },
      world: { now: '2025-03-01T08:00:00.000Z', clock: 'frozen', objects: { parcels: 1, events: 1 } },
      links: expect.arrayContaining(['POST /__admin__/seed', 'GET /__admin__/trace/{id}']),
    });
  });
});
