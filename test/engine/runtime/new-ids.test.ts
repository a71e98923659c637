import { problemsOf } from '../../support/pack-world.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** Ids that flows draw with `new_id`: a depot gives each parcel a waybill. */

const PACK = {
  'pack.yaml': `ids:
  long: { parts: ["7-", { random: 14 }] }
  short: { parts: [{ random: 1, of: digits }] }
  counted: { parts: [{ sequence: 1 }] }
  owned: { parts: [{ tenant: 3, home: own }, "-", { random: 14 }] }
tenants: { resource: depot, headers: [X-Depot] }
`,
  'resources/depot.yaml': `resource: depot
collection: depots
path: /depots
id: { pattern: "^\\\\w+$" }
fields: { name: string }
operations: { create: { params: { name: { type: string, required: true } }, do: [{ create: depot, id: =params.name, from: params }] } }
`,
  'resources/parcel.yaml': `resource: parcel
collection: parcels
path: /parcels
id: { prefix: in_, format: long, pattern: "^(in|out)_.+$" }
fields: { waybill: string?, batch: string? }
operations:
  retrieve: {}
  delete: {}
  list: {}
  create:
    params: { way: { enum: [in, out], default: in } }
    do:
      - let: { id: "params.way == 'in' ? new_id('in_', long) : new_id('out_', long)" }
      - { create: parcel, id: =id, with: { waybill: "=base_url + '/waybills/' + id", batch: "=new_id('batch_', owned)" } }
  twin:
    route: POST /parcels/twin
    do: [{ let: { id: "new_id('in_', long)" } }, { create: parcel, id: =id, as: one }, { create: parcel, id: =id, as: other }]
  again:
    route: POST /parcels/again
    params: { id: { type: string, required: true } }
    do: [{ let: { other: "new_id('in_', long)" } }, { create: parcel, id: =params.id }]
  small: { route: POST /parcels/small, do: [{ create: parcel, id: "=new_id('in_', short)" }] }
  elsewhere: { route: POST /parcels/elsewhere, params: { to: string }, do: [{ return: "={'id': within(params.to, new_id('in_', owned))}" }] }
`,
};

const sandbox = startSandbox(PACK, { each: 'test', seed: 's', t0: '2026-01-01T00:00:00Z' });
const { result: call } = sandbox;

test('an object has the id that was drawn for it, known before it is made', async () => {
  const [status, { id, waybill }] = await call('POST /parcels', {});
  expect([status, id, waybill]).toEqual([200, expect.stringMatching(/^in_7-\w{14}$/), `${sandbox.url}/waybills/${id}`]);
  expect((await call(`GET /parcels/${id}`))[1]).toMatchObject({ id });
  expect((await call('POST /parcels', { way: 'out' }))[1]['id']).toMatch(/^out_7-\w{14}$/);
});

test('the end of the id of a tenant stands in it, wherever it is drawn', async () => {
  await call('POST /depots', { name: 'north' });
  const own = await call('POST /parcels', {});
  const tenants = await call('POST /parcels', {}, { 'x-depot': 'north' });
  expect(own[1]['batch']).toMatch(/^batch_own-\w{14}$/);
  expect(tenants[1]['batch']).toMatch(/^batch_rth-\w{14}$/);
  expect((await call('POST /parcels/elsewhere', { to: 'north' }))[1]['id']).toMatch(/^in_rth-\w{14}$/);
});

test('no two objects get one id: not by one draw, not by an id from before, not by a format with too few ids', async () => {
  expect((await call('POST /parcels/twin'))[0]).toBe(400);
  const [, { id }] = await call('POST /parcels', {});
  expect((await call('POST /parcels/again', { id }))[0]).toBe(400);
  const statuses = [];
  for (let times = 0; times < 20; times++) statuses.push((await call('POST /parcels/small'))[0]);
  const made = statuses.filter((status) => status === 200).length;
  expect([made > 1, made < 10]).toEqual([true, true]);
  const ids = ((await call('GET /parcels?limit=100'))[1]['data'] as { id: string }[]).map((parcel) => parcel.id);
  expect([ids.length, new Set(ids).size]).toEqual([1 + made, 1 + made]);
});

test('the same calls on the same seed draw the same ids', async () => {
  const draw = async (): Promise<unknown> => (await call('POST /parcels', {}))[1]['id'];
  const first = [await draw(), await draw()];
  await sandbox.admin('POST /reset', {});
  expect([await draw(), await draw()]).toEqual(first);
});

test.each([
  ["new_id('in_', lnog)", "'lnog' is no format of `ids` without a sequence"],
  ["new_id('in_', counted)", "'counted' is no format of `ids` without a sequence"],
  ['new_id(params.way, long)', 'the prefix of new_id() is constant text'],
  ["new_id('in_')", "usage: new_id('prefix_', format)"],
])('%s is reported', (expression, message) => {
  const parcel = PACK['resources/parcel.yaml'].replace("new_id('out_', long)", expression);
  expect(problemsOf({ ...PACK, 'resources/parcel.yaml': parcel })).toContain(
    `expression resources/parcel.yaml:13 ${message}`,
  );
});

test('formats that only new_id() names are used', () => {
  expect(problemsOf(PACK)).toEqual(["unused-id-format pack.yaml:6 nothing uses id format 'counted'"]);
});
