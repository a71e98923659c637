import { createSandbox, type Sandbox } from '../../../engine/index.js';
import { PackCache } from '../../../engine/pack/index.js';

/** Wherever the control API takes a name, an unknown one is an error that names the nearest right one. */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ pack: 'payments', cache: PackCache.ofInstallation() });
});
afterAll(() => sandbox.close());

async function call(method: string, path: string, body?: object, headers: object = {}): Promise<[number, unknown]> {
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${sandbox.key}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return [response.status, error];
}

test.each<[string, string, string, object | undefined, number, string, string]>([
  ['resource', 'POST', '/faults', { resource: 'custmers', operation: 'create' }, 404, 'unknown_resource', 'customers'],
  ['operation', 'POST', '/faults', { resource: 'customers', operation: 'creat' }, 404, 'unknown_operation', 'create'],
  [
    'operation of traces',
    'GET',
    '/traces?operation=customers.creat',
    undefined,
    404,
    'unknown_operation',
    'customers.create',
  ],
  ['cause', 'POST', '/world/events', { cause: 'payment.declned' }, 404, 'unknown_cause', 'payment.declined'],
  [
    'cause that is asked for',
    'GET',
    '/world/next?cause=payment.declned',
    undefined,
    404,
    'unknown_cause',
    'payment.declined',
  ],
  [
    'event to wait for',
    'POST',
    '/clock/advance',
    { until: { event: 'invoice.payd' } },
    404,
    'unknown_event',
    'invoice.paid',
  ],
  [
    'event of deliveries',
    'GET',
    '/webhooks/deliveries?event=customer.creatd',
    undefined,
    404,
    'unknown_event',
    'customer.created',
  ],
  [
    'duration',
    'POST',
    '/clock/durations',
    { durations: { debit_setlement: '0s' } },
    404,
    'unknown_duration',
    'debit_settlement',
  ],
  ['key', 'POST', '/clock/advance', { durration: '8d' }, 400, 'unknown_key', 'duration'],
  ['path', 'GET', '/statee', undefined, 404, 'unknown_route', '/__admin__/state'],
  ['pack', 'POST', '/worlds', { pack: 'payment' }, 404, 'unknown_pack', 'payments'],
])('%s', async (_what, method, path, body, status, code, suggestion) => {
  expect(await call(method, `/__admin__${path}`, body)).toEqual([
    status,
    expect.objectContaining({ code, suggestion }),
  ]);
});

test.each<[string, string, object, string]>([
  [
    'event of an endpoint',
    '/webhooks/endpoints',
    { url: 'http://localhost/', events: ['customer.creatd'] },
    'customer.created',
  ],
  ['kind of a delivery fault', '/webhooks/faults', { kind: 'duplicat' }, 'duplicate'],
  ['kind of a fault', '/faults', { resource: 'customers', operation: 'create', kind: 'dely' }, 'delay'],
  ['what a reset keeps', '/reset', { keep: ['endpoint'] }, 'endpoints'],
  [
    'member of a pin',
    '/exogenous/pins',
    { resource: 'charges', path: 'charge.outcome.risk_levl', value: 'elevated' },
    'outcome.risk_level',
  ],
])('%s: a value that is not allowed', async (_what, path, body, suggestion) => {
  const [, error] = await call('POST', `/__admin__${path}`, body);
  expect(error).toMatchObject({
    code: 'invalid_value',
    message: expect.stringContaining(`'${suggestion}'`) as unknown,
  });
});

test('a scenario', async () => {
  const [status, error] = await call('GET', '/v1/customers', undefined, { 'X-Mock-Scenario': 'rate_limted' });
  expect([status, error]).toMatchObject([
    400,
    { code: 'unknown_scenario', message: expect.stringContaining("'rate_limited'") as unknown },
  ]);
});

test('a decline code', async () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const response = await fetch(`${sandbox.url}/v1/payment_intents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.key}`, ...headers },
    body: new URLSearchParams({ amount: '2000', currency: 'usd', payment_method: 'pm_card_visa' }),
  });
  const { id } = (await response.json()) as { id: string };
  const params = { payment_intent_id: id, decline_code: 'insuficient_funds' };
  const [status, error] = await call('POST', '/__admin__/world/events', { cause: 'payment.declined', params });
  expect([status, error]).toMatchObject([
    400,
    { code: 'invalid_value', message: expect.stringContaining("'insufficient_funds'") as unknown },
  ]);
});

test('deliveries can be asked for by the type of their event', async () => {
  const headers = { Authorization: `Bearer ${sandbox.key}` };
  const response = await fetch(`${sandbox.url}/__admin__/webhooks/deliveries?event=customer.created`, { headers });
  expect(await response.json()).toEqual({ data: [] });
});
