import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContractClient } from './contract-client.js';

let client: ContractClient;
let receiver: Server;
let received: { readonly body: string; readonly seal: string }[];
let receiverUrl: string;

beforeAll(async () => {
  client = await ContractClient.start();
  receiver = createServer((req, res) => {
    let body = '';
    req.on('data', (part) => (body += String(part)));
    req.on('end', () => {
      received.push({ body, seal: String(req.headers['x-courier-seal']) });
      res.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});

beforeEach(async () => {
  received = [];
  await client.done('POST /reset');
});

afterAll(async () => {
  expect(client.defects).toEqual([]);
  await client.sandbox.close();
  receiver.close();
});

/** A refusal: what was sent, status, and what stands in the error. */
type Refused = [body: object, status: number, error: object];

const BOOKED = { to: { street: 'Dam 1', town: 'Amsterdam' }, weight: 900 };

describe('faults', () => {
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
    const start = performance.now();
    expect((await client.api('GET /parcels')).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(55);
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
    [{ resource: 'parcels', status: 500 }, 400, { code: 'missing_key', path: 'operation' }],
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
});

describe('world events', () => {
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
    [{ cause: 'parcel.lost' }, 400, { code: 'parameter_missing' }],
    [{ cause: 'parcel.lost', parcel_id: 'par_none' }, 400, { code: 'parameter_missing' }],
    [{ cause: 'parcel.lost', parcel_id: 'par_none', reason: 'x' }, 409, { code: 'precondition_failed' }],
    [{ cause: 'courier.praised', courier_id: 'cou_1', stars: 9 }, 400, { code: 'parameter_above_maximum' }],
    [{ cause: 'courier.praised', courier_id: 'cou_1', starz: 1 }, 400, { code: 'parameter_unknown' }],
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
    expect(await client.done('GET /world/next?cause=client.praised')).toEqual({ causes: [praised] });
    expect(await client.done('GET /world/next?limit=1')).toEqual({ causes: [lost] });
    expect((await client.admin('GET /world/next?cause=x')).status).toBe(404);
    expect((await client.admin('GET /world/next?id=x')).status).toBe(404);
    expect((await client.admin('GET /world/next?limit=0')).status).toBe(400);
  });
});

describe('webhooks', () => {
  test('an endpoint gets signed events, and its secret outlives resets', async () => {
    const endpoint = await client.done('POST /webhooks/endpoints', { url: receiverUrl, events: ['parcel.*'] });
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^hook_/),
      url: receiverUrl,
      events: ['parcel.*'],
      status: 'on',
      secret: expect.stringMatching(/^hk_\w{24}$/),
    });
    expect(await client.done('GET /webhooks/endpoints')).toEqual({ data: [endpoint] });
    const id = await client.parcel();
    expect(await client.done('POST /webhooks/flush')).toEqual({ flushed: true });
    const { createHmac } = await import('node:crypto');
    expect(received).toHaveLength(1);
    expect(JSON.parse(received[0].body)).toMatchObject({ type: 'parcel.booked', parcel: { id } });
    expect(received[0].seal).toBe(
      createHmac('sha256', String(endpoint['secret'])).update(received[0].body).digest('hex'),
    );
    await client.done('POST /reset');
    expect(await client.done('POST /webhooks/endpoints', { url: receiverUrl })).toMatchObject({
      secret: endpoint['secret'],
      events: ['*'],
    });
  });

  test('deliveries can be listed and replayed; a removed endpoint gets no more', async () => {
    const { id: endpoint } = await client.done('POST /webhooks/endpoints', { url: receiverUrl, description: 'mine' });
    await client.parcel();
    await client.done('POST /webhooks/flush');
    const { data } = (await client.done(`GET /webhooks/deliveries?endpoint=${endpoint}`)) as {
      data: { id: string; event: { id: string } }[];
    };
    expect(data).toMatchObject([
      { event: { type: 'parcel.booked' }, status: 'delivered', attempts: [{ status: 200 }] },
    ]);
    const [{ id, event }] = data;
    expect(await client.done(`GET /webhooks/deliveries?event=${event.id}&limit=1`)).toEqual({ data });
    expect(await client.done('GET /webhooks/deliveries?endpoint=hook_none')).toEqual({ data: [] });
    expect(await client.done(`POST /webhooks/deliveries/${id}/replay`)).toMatchObject({ id, attempts: [{}, {}] });
    expect(received).toHaveLength(2);
    expect(await client.done(`DELETE /webhooks/endpoints/${endpoint}`)).toEqual({ id: endpoint, deleted: true });
    await client.parcel();
    await client.done('POST /webhooks/flush');
    expect(received).toHaveLength(2);
  });

  test('registering is no event of the vendor’s', async () => {
    await client.done('POST /webhooks/endpoints', { url: receiverUrl });
    expect((await client.api('GET /events')).body).toMatchObject({ total: 0 });
    expect((await client.api('GET /hooks')).body).toMatchObject({ items: [{ target: receiverUrl, status: 'on' }] });
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
    ['POST /webhooks/deliveries/dlv_none/replay', undefined, 404, { code: 'unknown_delivery' }],
    ['GET /webhooks/deliveries?limit=0', undefined, 400, { path: 'limit' }],
  ])('%s %j -> %i', async (line, body, status, error) => {
    const answer = await client.admin(line, body);
    expect([answer.status, answer.body]).toMatchObject([status, { error }]);
  });
});

describe('traces', () => {
  test('tell how a call was resolved', async () => {
    await client.done('POST /webhooks/endpoints', { url: receiverUrl, events: ['parcel.booked'] });
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
    if (outcome === 'fault')
      await client.done('POST /faults', { resource: 'parcels', operation: 'list', status: 418 });
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
    expect(await listed('')).toEqual([null, 'parcels.list', 'couriers.list', 'parcels.list']);
    expect(await listed('?operation=parcels.list&limit=1')).toEqual(['parcels.list']);
    expect((await client.admin('GET /traces?limit=1001')).status).toBe(400);
    expect((await client.admin('GET /trace/trc_none')).body).toMatchObject({ error: { code: 'unknown_trace' } });
  });
});
