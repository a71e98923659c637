import { startSandbox } from '../../support/start-sandbox.js';

/** Every place of the control API that takes a name: one that nothing has is an error, with the nearest right one. */

const sandbox = startSandbox('payments', { packs: ['task-automation'] });
const { call } = sandbox;
const admin = async (line: string, body?: unknown) => (await sandbox.admin(line, body)).body;
let ids: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  const made = await call('POST /v1/customers', new URLSearchParams({ name: 'Jenny' }));
  const id = String(made.body['id']);
  const pay = { amount: '500', currency: 'usd', payment_method: 'pm_card_visa' };
  const paid = await call('POST /v1/payment_intents', new URLSearchParams(pay));
  const intent = String(paid.body['id']);
  const world = await admin('POST /worlds', { name: 'billing' });
  const endpoint = await admin('POST /webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' });
  const fault = await admin('POST /faults', { resource: 'customers', operation: 'list', status: 500 });
  const pin = await admin('POST /exogenous/pins', {
    resource: 'charges',
    path: 'outcome.risk_level',
    value: 'elevated',
  });
  await admin('POST /moments', { name: 'before the renewal' });
  ids = {
    id,
    intent,
    world: String(world['id']),
    endpoint: String(endpoint['id']),
    fault: String(fault['id']),
    pin: String(pin['id']),
  };
});

interface Row {
  readonly call: string;
  readonly body?: object;
  readonly code: string;
  readonly near: string;
  readonly given?: string;
}

/** `near` is the suggestion; `ID` stands for an object's id, `X` behind it for a slip of the pen. */
const ROWS: readonly Row[] = [
  { call: 'GET /objcts', code: 'unknown_route', near: 'objects' },
  { call: 'POST /seed', body: { resource: 'custmers', objects: [] }, code: 'unknown_resource', near: 'customers' },
  { call: 'POST /seed', body: { resources: { custmers: [] } }, code: 'unknown_resource', near: 'customers' },
  { call: 'POST /seed', body: { resurces: {} }, code: 'unknown_key', near: 'resources' },
  {
    call: 'POST /seed',
    body: { resource: 'customers', objects: [{ id: 'cus_Jenny000000001', emial: 'a@b.c' }] },
    code: 'unknown_field',
    near: 'email',
  },
  { call: 'POST /reset', body: { keep: ['endpionts'] }, code: 'invalid_value', near: 'endpoints' },
  { call: 'GET /objects?resource=custmers', code: 'unknown_resource', near: 'customers' },
  { call: 'GET /objects?resurce=customers', code: 'unknown_key', near: 'resource' },
  { call: 'GET /objects/cus_none', code: 'unknown_object', near: '' },
  { call: 'GET /state?resource=custmers', code: 'unknown_resource', near: 'customers' },
  { call: 'GET /state?at=before%20the%20renewl', code: 'unknown_moment', near: 'before the renewal' },
  { call: 'GET /ledger/99999', code: 'unknown_entry', near: '' },
  { call: 'GET /pack/machines/chrges.svg', code: 'unknown_machine', near: 'charges' },
  { call: 'DELETE /moments/before%20the%20renewl', code: 'unknown_moment', near: 'before the renewal' },
  { call: 'POST /rewind', body: { to: 'before the renewl' }, code: 'unknown_moment', near: 'before the renewal' },
  { call: 'GET /diff?from=before%20the%20renewl', code: 'unknown_moment', near: 'before the renewal' },
  { call: 'GET /why?object=cus_none&field=email', code: 'unknown_object', near: '' },
  { call: 'GET /why?object=CUSTOMER&field=emial', code: 'unknown_field', near: 'email' },
  {
    call: 'POST /faults',
    body: { resource: 'custmers', operation: 'create', status: 500 },
    code: 'unknown_resource',
    near: 'customers',
  },
  {
    call: 'POST /faults',
    body: { resource: 'customers', operation: 'creat', status: 500 },
    code: 'unknown_operation',
    near: 'create',
  },
  {
    call: 'POST /faults',
    body: { resource: 'customers', operation: 'create', kind: 'rest' },
    code: 'invalid_value',
    near: 'reset',
  },
  {
    call: 'POST /faults',
    body: { resource: 'customers', operation: 'create', status: 500, match: { emial: 'a' } },
    code: 'invalid_value',
    near: 'email',
  },
  { call: 'DELETE /faults/flt_x', code: 'unknown_fault', near: '' },
  { call: 'POST /world/events', body: { cause: 'payment.declned' }, code: 'unknown_cause', near: 'payment.declined' },
  {
    call: 'POST /world/events',
    body: { cause: 'payment.declined', payment_intent_id: 'INTENT', declin_code: 'x' },
    code: 'unknown_key',
    near: 'decline_code',
  },
  {
    call: 'POST /world/events',
    body: { cause: 'payment.declined', payment_intent_id: 'INTENT', decline_code: 'insuficient_funds' },
    code: 'invalid_value',
    near: 'insufficient_funds',
  },
  { call: 'GET /world/next?cause=payment.declned', code: 'unknown_cause', near: 'payment.declined' },
  { call: 'GET /world/next?id=cus_none', code: 'unknown_object', near: '' },
  {
    call: 'POST /exogenous/pins',
    body: { resource: 'chrges', path: 'outcome.risk_level', value: 'x' },
    code: 'unknown_resource',
    near: 'charges',
  },
  {
    call: 'POST /exogenous/pins',
    body: { resource: 'charges', path: 'outcome.risk_levl', value: 'x' },
    code: 'unknown_field',
    near: 'outcome.risk_level',
  },
  {
    call: 'POST /exogenous/pins',
    body: { resource: 'charges', path: 'outcome.risk_level', value: 'elevatd' },
    code: 'invalid_value',
    near: 'elevated',
  },
  {
    call: 'POST /exogenous/pins',
    body: { resource: 'charges', branch: 'declind' },
    code: 'invalid_value',
    near: 'declined',
  },
  { call: 'DELETE /exogenous/pins/pin_x', code: 'unknown_pin', near: '' },
  { call: 'POST /clock/advance', body: { duraton: '1d' }, code: 'unknown_key', near: 'duration' },
  {
    call: 'POST /clock/advance',
    body: { until: { event: 'invoice.payd' }, at_most: '1d' },
    code: 'unknown_event',
    near: 'invoice.paid',
  },
  { call: 'POST /clock/durations', body: { durations: { fisrt_retry: '1d' } }, code: 'unknown_duration', near: '' },
  {
    call: 'POST /webhooks/endpoints',
    body: { url: 'http://x.example/', events: ['customer.creatd'] },
    code: 'unknown_event',
    near: 'customer.created',
  },
  { call: 'DELETE /webhooks/endpoints/we_x', code: 'unknown_endpoint', near: '' },
  { call: 'POST /webhooks/faults', body: { kind: 'duplicat' }, code: 'invalid_value', near: 'duplicate' },
  {
    call: 'POST /webhooks/faults',
    body: { kind: 'drop', event: 'customer.creatd' },
    code: 'unknown_event',
    near: 'customer.created',
  },
  { call: 'POST /webhooks/faults', body: { kind: 'drop', endpoint: 'we_x' }, code: 'unknown_endpoint', near: '' },
  { call: 'DELETE /webhooks/faults/x', code: 'unknown_fault', near: '' },
  { call: 'GET /webhooks/deliveries?endpoint=we_x', code: 'unknown_endpoint', near: '' },
  { call: 'GET /webhooks/deliveries?event=customer.creatd', code: 'unknown_event', near: 'customer.created' },
  { call: 'POST /webhooks/deliveries/dlv_x/replay', code: 'unknown_delivery', near: '' },
  { call: 'GET /trace/trc_x', code: 'unknown_trace', near: '' },
  { call: 'GET /trace/trc_x/exchange', code: 'unknown_exchange', near: '' },
  { call: 'GET /traces?operation=customers.creat', code: 'unknown_operation', near: 'customers.create' },
  { call: 'GET /worlds/biling', code: 'unknown_world', near: 'billing' },
  { call: 'DELETE /worlds/biling', code: 'unknown_world', near: 'billing' },
  { call: 'POST /worlds', body: { pack: 'paymnts' }, code: 'unknown_pack', near: 'payments' },
  { call: 'POST /worlds', body: { from: { world: 'biling' } }, code: 'unknown_world', near: 'billing' },
  {
    call: 'POST /worlds',
    body: { from: { at: 'before the renewl' } },
    code: 'unknown_moment',
    near: 'before the renewal',
  },
];

const withIds = (text: string): string => text.replace('CUSTOMER', ids['id']).replace('INTENT', ids['intent']);

test.each(ROWS.map((row) => [`${row.call} ${JSON.stringify(row.body ?? {})}`, row] as const))('%s', async (_, row) => {
  const [method, path] = withIds(row.call).split(/ (.*)/);
  const body: unknown = row.body && JSON.parse(withIds(JSON.stringify(row.body)));
  const response = await call(`${method} /__admin__${path}`, body);
  const { error } = response.body as { error?: { code: string; message: string; suggestion?: string } };
  const hint = error?.suggestion ?? /did you mean '([^']+)'/.exec(error?.message ?? '')?.[1] ?? '';
  expect({
    status: response.status >= 400,
    code: error?.code,
    near: hint.includes(row.near) ? row.near : hint,
    message: error?.message,
  }).toEqual({
    status: true,
    code: row.code,
    near: row.near,
    message: error?.message,
  });
});
