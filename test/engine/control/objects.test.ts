import { startParcels } from './parcels.js';

/** What people look at: objects, what is due, the pack and its machines, calls as they went over the wire. */

const client = startParcels({ reset: {} });

test('one object: its value, its timers with time left, what can happen next, what it names and what names it', async () => {
  const courier = await client.api('POST /parcels', {
    to: { street: 'Dam 1', town: 'Amsterdam' },
    weight: 5,
    courier: 'cou_test_van',
  });
  const id = String(courier.body['id']);
  const object = await client.done(`GET /objects/${id}`);
  expect(object).toMatchObject({
    collection: 'parcels',
    resource: 'parcel',
    deleted: false,
    status: 'booked',
    status_field: 'status',
    value: { weight: 5 },
    timers: [{ collection: 'parcels', id, timer: 'pickup_time', in_ms: 7_200_000, due: '2025-03-01T10:00:00.000Z' }],
    next: [],
    names: [{ path: 'courier', collection: 'couriers' }],
  });
  expect(JSON.stringify(object)).not.toContain('door_code');
  const [{ id: van }] = object['names'] as { id: string }[];
  expect(await client.done(`GET /objects/${van}`)).toMatchObject({
    named_by: [{ collection: 'parcels', field: 'courier', ids: [id], total: 1 }],
  });
  await client.done('POST /clock/advance', { duration: '2h' });
  const later = await client.done(`GET /objects/${id}`);
  expect(later).toMatchObject({
    status: 'collected',
    next: [{ cause: 'parcel.lost', also_needs: ['reason'] }],
    history: [
      {
        change: 'changed',
        command: 'timer',
        origin: 'clock',
        fields: [{ field: 'status', from: 'booked', to: 'collected' }],
      },
      { change: 'created', command: 'parcels.create', fields: [] },
    ],
  });
});

test('pins of an object and where its values came from', async () => {
  await client.done('POST /exogenous/pins', { resource: 'parcels', path: 'mood', value: 'cross' });
  const id = await client.parcel();
  const object = await client.done(`GET /objects/${id}`);
  expect(object['exogenous']).toContainEqual({ field_path: 'mood', source: 'pin', value: 'cross' });
  expect(object['pins']).toMatchObject([{ path: 'mood', value: 'cross', object: null }]);
});

test('a list: newest first, with the fields that tell objects apart, searched and in pages', async () => {
  const ids: string[] = [];
  for (let weight = 1; weight <= 5; weight++) ids.unshift(await client.parcel({ weight }));
  const list = await client.done('GET /objects?resource=parcels&limit=2');
  expect(list).toMatchObject({ total: 5, order: 'booked_at', data: [{ id: ids[0], status: 'booked', timers: 1 }, {}] });
  expect(list['fields']).toContain('weight');
  const named = await client.done('GET /objects?resource=parcels&limit=1&fields=id,status');
  expect(named).toMatchObject({ fields: ['id', 'status'], data: [{ fields: { id: ids[0], status: 'booked' } }] });
  expect((await client.admin('GET /objects?resource=parcels&fields=statsu')).body).toMatchObject({
    error: { code: 'unknown_field', suggestion: 'status' },
  });
  expect(await client.done('GET /objects?resource=parcels&skip=4')).toMatchObject({ data: [{ id: ids[4] }], total: 5 });
  expect(await client.done(`GET /objects?resource=parcels&search=${ids[2].slice(-8)}`)).toMatchObject({
    data: [{ id: ids[2] }],
    total: 1,
  });
  expect(await client.done('GET /objects?resource=parcels&status=lost')).toMatchObject({ data: [], total: 0 });
});

test('nothing and misspelt names are refused', async () => {
  expect((await client.admin('GET /objects/par_none')).status).toBe(404);
  expect((await client.admin('GET /objects?resource=parcel')).body).toMatchObject({
    error: { code: 'unknown_resource', suggestion: 'parcels' },
  });
  expect((await client.admin('GET /objects')).status).toBe(400);
  expect((await client.admin('GET /pack/machines/couriers.svg')).body).toMatchObject({
    error: { code: 'unknown_machine', machines: expect.arrayContaining(['parcels']) },
  });
});

test('what is due, soonest first', async () => {
  const first = await client.parcel();
  await client.done('POST /clock/advance', { duration: '1h' });
  const second = await client.parcel();
  expect(await client.done('GET /clock/timers')).toEqual({
    now: '2025-03-01T09:00:00.000Z',
    data: [
      { collection: 'parcels', id: first, timer: 'pickup_time', due: '2025-03-01T10:00:00.000Z', in_ms: 3_600_000 },
      { collection: 'parcels', id: second, timer: 'pickup_time', due: '2025-03-01T11:00:00.000Z', in_ms: 7_200_000 },
    ],
    total: 2,
  });
  expect(await client.done('GET /clock/timers?limit=1')).toMatchObject({ data: [{ id: first }], total: 2 });
});

test('the pack: resources, machines, world events with their parameters', async () => {
  const pack = await client.done('GET /pack');
  const parcel = (pack['resources'] as { name: string }[]).find(({ name }) => name === 'parcel');
  expect(parcel).toMatchObject({
    collection: 'parcels',
    status: 'status',
    fields: { weight: { type: 'integer' }, courier: { type: 'reference', refs: ['courier'], nullable: true } },
    machine: {
      initial: 'booked',
      transitions: expect.arrayContaining([
        { from: 'booked', to: 'collected', triggers: ['collect'], timers: ['pickup_time'], always: false },
        { from: 'collected', to: 'returning', triggers: [], timers: ['transit_time'], always: false },
      ]),
    },
    branches: ['delivered', 'refused'],
  });
  expect(JSON.stringify(parcel)).not.toContain('door_code: {');
  expect(pack['causes']).toContainEqual({
    cause: 'parcel.lost',
    variants: [
      {
        description: 'Somebody left it on a train.',
        subject: { param: 'parcel_id', resource: 'parcel' },
        params: { reason: { type: 'string', required: true, max_length: 40 } },
      },
    ],
  });
});

test('a machine as a picture: every state and every arrow', async () => {
  const { text: svg, ...response } = await client.uncheckedAdmin('GET /pack/machines/parcels.svg');
  expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
  for (const state of ['booked', 'collected', 'returning', 'delivered', 'cancelled', 'lost', 'destroyed'])
    expect(svg).toContain(`data-state="${state}"`);
  expect(svg).toContain('data-from="booked" data-to="cancelled"');
  expect(svg).toContain('<title>States of ');
  expect(svg).not.toMatch(/NaN|undefined|style=/);
});

test('what went over the wire, without the key', async () => {
  const { headers } = await client.api('POST /parcels', { weight: 'heavy', tags: { key: client.key } });
  const exchange = await client.done(`GET /trace/${String(headers.get('x-mock-resolution-trace'))}/exchange`);
  expect(exchange).toMatchObject({
    url: '/api/parcels',
    request: { headers: { authorization: '[hidden]' }, body: '{"weight":"heavy","tags":{"key":"[hidden]"}}' },
    response: { headers: { 'x-mock-resolution-trace': headers.get('x-mock-resolution-trace') } },
  });
  expect(JSON.stringify(exchange)).not.toContain(client.key);
});
