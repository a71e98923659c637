import { createHmac } from 'node:crypto';
import { startParcels } from './parcels.js';

const client = startParcels({ reset: {} });
const { receiver } = client;

test('an endpoint gets signed events, and its secret outlives resets', async () => {
  const endpoint = await client.done('POST /webhooks/endpoints', { url: `${receiver.url}/hook`, events: ['parcel.*'] });
  expect(endpoint).toEqual({
    id: expect.stringMatching(/^hook_/),
    url: `${receiver.url}/hook`,
    events: ['parcel.*'],
    status: 'on',
    secret: expect.stringMatching(/^hk_\w{24}$/),
  });
  expect(await client.done('GET /webhooks/endpoints')).toEqual({ data: [endpoint] });
  const id = await client.parcel();
  expect(await client.done('POST /webhooks/flush')).toEqual({ flushed: true });
  expect(receiver.received).toHaveLength(1);
  expect(JSON.parse(receiver.received[0].body)).toMatchObject({ type: 'parcel.booked', parcel: { id } });
  expect(receiver.received[0].headers['x-courier-seal']).toBe(
    createHmac('sha256', String(endpoint['secret'])).update(receiver.received[0].body).digest('hex'),
  );
  await client.done('POST /reset');
  expect(await client.done('POST /webhooks/endpoints', { url: `${receiver.url}/hook` })).toMatchObject({
    secret: endpoint['secret'],
    events: ['*'],
  });
});

test('deliveries can be listed and replayed; a removed endpoint gets no more', async () => {
  const { id: endpoint } = await client.done('POST /webhooks/endpoints', {
    url: `${receiver.url}/hook`,
    description: 'mine',
  });
  await client.parcel();
  await client.done('POST /webhooks/flush');
  const { data } = (await client.done(`GET /webhooks/deliveries?endpoint=${endpoint}`)) as {
    data: { id: string; event: { id: string } }[];
  };
  expect(data).toMatchObject([{ event: { type: 'parcel.booked' }, status: 'delivered', attempts: [{ status: 200 }] }]);
  const [{ id, event }] = data;
  expect(await client.done(`GET /webhooks/deliveries?event=${event.id}&limit=1`)).toEqual({ data });
  expect(await client.done(`POST /webhooks/deliveries/${id}/replay`)).toMatchObject({ id, attempts: [{}, {}] });
  expect(receiver.received).toHaveLength(2);
  expect(await client.done(`DELETE /webhooks/endpoints/${endpoint}`)).toEqual({ id: endpoint, deleted: true });
  await client.parcel();
  await client.done('POST /webhooks/flush');
  expect(receiver.received).toHaveLength(2);
});

test('registering is no event of the vendor’s', async () => {
  await client.done('POST /webhooks/endpoints', { url: `${receiver.url}/hook` });
  expect((await client.api('GET /events')).body).toMatchObject({ total: 0 });
  expect((await client.api('GET /hooks')).body).toMatchObject({
    items: [{ target: `${receiver.url}/hook`, status: 'on' }],
  });
});

test.each<[string, object | undefined, number, object]>([
  ['POST /webhooks/endpoints', {}, 400, { code: 'missing_key', path: 'url' }],
  ['POST /webhooks/endpoints', { url: 'localhost:4242' }, 400, { path: 'url' }],
  ['POST /webhooks/endpoints', { url: 'ftp://example.com' }, 400, { path: 'url' }],
  ['POST /webhooks/endpoints', { url: 'http://[bad' }, 400, { path: 'url' }],
  ['POST /webhooks/endpoints', { url: 'http://example.com', events: [] }, 400, { path: 'events' }],
  ['POST /webhooks/endpoints', { url: 'http://example.com', events: [1] }, 400, { path: 'events[0]' }],
  ['POST /webhooks/endpoints', { url: 'http://example.com', description: 1 }, 400, { path: 'description' }],
  ['DELETE /webhooks/endpoints/hook_none', undefined, 404, { code: 'unknown_endpoint' }],
  ['GET /webhooks/deliveries?endpoint=hook_none', undefined, 404, { code: 'unknown_endpoint' }],
  ['POST /webhooks/deliveries/dlv_none/replay', undefined, 404, { code: 'unknown_delivery' }],
  ['GET /webhooks/deliveries?limit=0', undefined, 400, { path: 'limit' }],
])('%s %j -> %i', async (line, body, status, error) => {
  const answer = await client.admin(line, body);
  expect([answer.status, answer.body]).toMatchObject([status, { error }]);
});
