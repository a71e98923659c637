import { startParcels } from './parcels.js';

const client = startParcels({ reset: {} });
const { receiver } = client;

const BOOKED = { to: { street: 'Dam 1', town: 'Amsterdam' }, weight: 900 };

test('tell how a call was resolved', async () => {
  await client.done('POST /webhooks/endpoints', { url: `${receiver.url}/hook`, events: ['parcel.booked'] });
  await client.done('POST /clock/durations', { durations: { pickup_time: '0s' } });
  const answer = await client.api('POST /parcels', { ...BOOKED, courier: 'cou_test_bicycle' });
  await client.done('POST /webhooks/flush');
  const id = String(answer.headers.get('x-mock-resolution-trace'));
  const trace = await client.done(`GET /trace/${id}`);
  expect(trace).toMatchObject({
    id,
    operation: 'parcels.create',
    outcome: 'magic_value',
    request: { method: 'POST', path: '/api/parcels' },
    status: 201,
    error: null,
    magic_values: ['cou_test_bicycle'],
    transitions: [{ id: answer.body['id'], from: 'booked', to: 'collected' }],
    events: [{ type: 'parcel.booked' }, { type: 'parcel.collected' }],
    deliveries: [{ event: { type: 'parcel.booked' }, status: 'delivered', attempts: 1 }],
  });
  expect(await client.done('GET /traces?limit=1')).toEqual({ data: [trace] });
});

test.each<[string, object, object]>([
  ['fault', {}, { error: 'fault', status: 418 }],
  ['scenario', { 'X-Mock-Scenario': 'closed' }, { scenario: 'closed', error: 'depot_closed', status: 503 }],
  ['normal', {}, { scenario: null, fault: null, status: 200 }],
])('outcome %s', async (outcome, headers, told) => {
  if (outcome === 'fault') await client.done('POST /faults', { resource: 'parcels', operation: 'list', status: 418 });
  const answer = await client.api('GET /parcels', undefined, headers as Record<string, string>);
  expect(await client.done(`GET /trace/${answer.headers.get('x-mock-resolution-trace')}`)).toMatchObject({
    outcome,
    ...told,
  });
});

test('the newest are listed, of one operation when asked', async () => {
  for (const path of ['/parcels', '/couriers', '/parcels', '/nowhere']) await client.api(`GET ${path}`);
  const listed = async (query: string): Promise<unknown[]> =>
    ((await client.done(`GET /traces${query}`)) as { data: { operation: string }[] }).data.map(
      (each) => each.operation,
    );
  expect(await listed('')).toEqual(['GET /api/nowhere', 'parcels.list', 'couriers.list', 'parcels.list']);
  expect(await listed('?operation=parcels.list&limit=1')).toEqual(['parcels.list']);
  expect((await client.admin('GET /traces?limit=1001')).status).toBe(400);
  expect((await client.admin('GET /trace/trc_none')).body).toMatchObject({ error: { code: 'unknown_trace' } });
});
