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

describe('an object that moves', () => {
  const marina = startSandbox(
    {
      'pack.yaml':
        'encoding: { requests: json }\nlists: { envelope: { data: =data } }\nevents: { resource: report, with: { type: =type, data: =object } }\n',
      'resources/report.yaml': 'resource: report\ncollection: reports\nfields: { type: string, data: any }\n',
      'resources/former.yaml':
        'resource: former\ncollection: formers\nid: { pattern: .+, ignore_case: true }\nfields: { number: integer }\n',
      'resources/pier.yaml': `resource: pier
collection: piers
id: { key: [port, pier], ignore_case: true, moved: "find(pier, {'number': get(former, id).number}).id" }
indexes: [number]
fields: { number: integer, light: string? }
operations:
  create: { route: POST /piers, params: { name: string, number: integer }, do: [{ create: pier, id: =params.name, with: { number: =params.number } }] }
  retrieve: { route: "GET /ports/{port}/{pier}" }
  update: { route: "PATCH /ports/{port}/{pier}", params: { light: string } }
  rename:
    route: POST /ports/{port}/{pier}/rename
    params: { to: { type: string, required: true } }
    do:
      - { create: former, id: =self.id, with: { number: =self.number }, when: "get(former, self.id) == null" }
      - { move: self, id: =params.to }
      - { return: "=get(pier, params.to)" }
`,
      'resources/berth.yaml': `resource: berth
collection: berths
id: { key: [port, pier, berth] }
parent: pier_id
fields: { pier_id: { ref: pier }, berth: { type: integer, sequence: { per: pier_id } }, status: { machine: true }, beside: { ref: berth, nullable: true } }
machine: { initial: let, states: { let: { after: { lease: free } }, free: {} } }
delays: { lease: minutes(60) }
operations:
  create: { route: "POST /ports/{port}/{pier}/berths", params: { beside: { ref: berth } } }
  retrieve: { route: "GET /ports/{port}/{pier}/berths/{berth}" }
  list: { route: "GET /ports/{port}/{pier}/berths" }
events: { berth.created: { on: created }, berth.deleted: { on: deleted } }
pins: { status: { at: free } }
`,
      'resources/boat.yaml': `resource: boat
collection: boats
path: /boats
fields: { name: string, berth: { ref: berth, nullable: true }, seen: { type: array, items: { ref: berth } }, log: { type: map, values: { ref: pier } } }
operations: { create: { params: { name: string, berth: { ref: berth }, seen: { type: array, items: string }, log: { type: map } } }, retrieve: {} }
`,
    },
    {
      errors:
        '  moved: { status: "=request.method == \'GET\' ? 301 : 307", args: [path], headers: { Location: "${base_url}${path}" }, body: { moved: =path } }\n',
      reset: {},
      t0: '2026-01-01T00:00:00Z',
    },
  );
  const moved = async (route: string, body?: object): Promise<[number, string | null]> => {
    const { status, headers } = await marina.call(route, body);
    return [status, headers.get('location')?.replace(/^.*?\/\/[^/]*/, '') ?? null];
  };
  let boat: string;
  beforeEach(async () => {
    await marina.call('POST /piers', { name: 'lisbon/west', number: 7 });
    await marina.call('POST /ports/lisbon/west/berths', {});
    await marina.call('POST /ports/lisbon/west/berths', { beside: 'lisbon/west/1' });
    const made = await marina.body('POST /boats', {
      name: 'Ada',
      berth: 'lisbon/west/2',
      seen: ['lisbon/west/1', 'faro/east/1'],
      log: { may: 'lisbon/west' },
    });
    boat = String(made['id']);
    await marina.call('POST /ports/lisbon/west/rename', { to: 'porto/north' });
  });

  test('takes along what refers to it and what belongs to it, and nobody is told', async () => {
    expect(await marina.body(`GET /boats/${boat}`)).toMatchObject({
      berth: 'porto/north/2',
      seen: ['porto/north/1', 'faro/east/1'],
      log: { may: 'porto/north' },
    });
    expect(await marina.body('GET /ports/porto/north/berths/2')).toMatchObject({
      id: 'porto/north/2',
      pier_id: 'porto/north',
      beside: 'porto/north/1',
      status: 'let',
    });
    const { resources } = (await marina.admin<{ resources: Record<string, { type: string }[]> }>('GET /state')).body;
    expect(resources['reports'].map(({ type }) => type)).toEqual(['berth.created', 'berth.created']);
  });

  test('its timers go on, and its numbers', async () => {
    await marina.control.advance('1h');
    expect(await marina.body('GET /ports/porto/north/berths/1')).toMatchObject({ status: 'free' });
    expect(await marina.body('POST /ports/porto/north/berths', {})).toMatchObject({ id: 'porto/north/3' });
  });

  test('leads calls of its old id on, until another one has it', async () => {
    expect(await moved('GET /ports/lisbon/west')).toEqual([301, '/ports/porto/north']);
    expect(await moved('GET /ports/Lisbon/West/berths/2')).toEqual([301, '/ports/porto/north/berths/2']);
    expect(await moved('POST /ports/lisbon/west/berths', {})).toEqual([307, '/ports/porto/north/berths']);
    await marina.call('POST /ports/porto/north/rename', { to: 'porto/South' });
    expect(await moved('GET /ports/lisbon/west')).toEqual([301, '/ports/porto/South']);
    await marina.call('POST /piers', { name: 'lisbon/west', number: 8 });
    expect(await moved('GET /ports/lisbon/west')).toEqual([200, null]);
    expect((await marina.call('GET /ports/lisbon/west/berths/1')).status).toBe(404);
    expect(await moved('GET /ports/faro/west')).toEqual([404, null]);
  });

  test('may change its case, and takes no id that another one has', async () => {
    await marina.call('POST /piers', { name: 'faro/east', number: 9 });
    expect(await marina.status('POST /ports/faro/east/rename', { to: 'porto/NORTH' })).toBe(400);
    expect(await marina.body('POST /ports/porto/north/rename', { to: 'Porto/North' })).toMatchObject({
      id: 'Porto/North',
    });
    expect(await marina.body('GET /ports/porto/north/berths/1')).toMatchObject({ id: 'Porto/North/1' });
  });

  test('can be taken back', async () => {
    const before = await marina.control.state();
    await marina.control.saveMoment('moved');
    await marina.call('POST /ports/porto/north/rename', { to: 'faro/east' });
    await marina.call('POST /piers', { name: 'lisbon/west', number: 8 });
    const after = await marina.control.state();
    await marina.control.rewind('moved');
    expect(await marina.control.state()).toEqual(before);
    expect(after).not.toEqual(before);
  });
});

test('only objects with keys move', () => {
  const crate =
    'resource: crate\ncollection: crates\npath: /crates\nfields: { name: string }\noperations: { turn: { do: [{ move: self, id: x }] } }\n';
  expect(problemsOf({ 'resources/crate.yaml': crate })).toEqual([
    'wrong-type resources/crate.yaml:5 crate has ids that mean nothing: only objects with `id: { key: [...] }` move',
  ]);
});

describe('names in routes that are ids', () => {
  const files = {
    'pack.yaml':
      'encoding: { requests: json }\nroutes: { ids: { skipper: skipper } }\nlists: { envelope: { data: =data } }\n',
    'resources/skipper.yaml':
      'resource: skipper\ncollection: skippers\nid: { pattern: .+, ignore_case: true }\nfields: {}\noperations: { create: { route: POST /skippers, params: { name: string }, do: [{ create: skipper, id: =params.name }] } }\n',
    'resources/boat.yaml': `resource: boat
collection: boats
fields: { skipper: string }
operations:
  create: { route: "POST /skippers/{skipper}/boats", params: { skipper: string } }
  list: { route: "GET /skippers/{skipper}/boats", where: item.skipper == params.skipper, params: { skipper: string } }
`,
  };
  const marina = startSandbox(files);

  test('are read in the case of the object; those of no object stay', async () => {
    await marina.call('POST /skippers', { name: 'Ann' });
    await marina.call('POST /skippers/ANN/boats', {});
    await marina.call('POST /skippers/BOB/boats', {});
    for (const [name, skippers] of [
      ['ann', ['Ann']],
      ['BOB', ['BOB']],
      ['bob', []],
    ] as const) {
      const { body } = await marina.call<{ data: { skipper: string }[] }>(`GET /skippers/${name}/boats`);
      expect(body.data.map(({ skipper }) => skipper)).toEqual(skippers);
    }
  });

  test.each([
    ['{ skiper: skipper }', "unknown parameter 'skiper'"],
    ['{ skipper: skiper }', "unknown resource 'skiper'"],
  ])('%s is a mistake', (ids, message) => {
    expect(problemsOf({ ...files, 'pack.yaml': `routes: { ids: ${ids} }\n` }).join('\n')).toContain(message);
  });
});
