import { parameterDescription } from '../../../engine/program/index.js';
import { inspect } from '../../support/pack-world.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** What only the vendor's document has is checked as the vendor checks it, and said to have no effect. */

const PACK = {
  'pack.yaml': `
base_path: /v1
encoding: { requests: json }
validation: { unknown_parameters: ignore, refuse_below: [/v1/boats] }
request_params: { fields: fields }
request_headers: { tide: Harbour-Tide }
outside: [{ paths: [/v1/cranes], error: unknown_route }]
`,
  'facts.yaml': `
document: harbour.json
differs:
  - { params: [flag], rules: [enum], reason: "flags of the whole world are taken" }
operations:
  "POST /v1/boats":
    params:
      name: { type: string, max_length: 12, required: true }
      berth: { type: integer, min: 1, max: 40 }
      flag: { enum: [nl, pt] }
      colour: { enum: [red, blue] }
      rig: { enum: [sloop, yawl, junk] }
      crew: { items: { fields: { rank: { enum: [captain, mate], required: true } } }, max: 2 }
      papers: { fields: { number: { type: string, pattern: "^[0-9]+$" } }, open: true }
      notes: { fields: { author: string, pages: { type: integer, min: 1 } }, open: true }
      engine: { fields: { kind: string } }
      towed: boolean
      hurry: integer
      trailer: { fields: { axles: integer } }
      mast: { fields: { height: integer } }
    headers: [Harbour-Tide, Harbour-Pilot]
  "GET /v1/boats/{boat}": { params: { fields: string }, returns: [text/csv, application/vnd.boat.v1.chart+json, application/vnd.boat.log] }
  "PUT /v1/boats/{boat}": {}
  "GET /v1/boats/{boat}/insurance": {}
  "GET /v1/cranes": {}
searches: { boats_found: [name, crewed-by, "in:fleet", "rig:junk", "flag:*"] }
`,
  'resources/boat.yaml': `
resource: boat
collection: boats
id: { prefix: boat_ }
fields: { name: string, colour: string?, rig: { enum: [sloop, yawl], default: sloop }, papers: map?, notes: any }
searches:
  boats_found:
    words: { name: item.name }
    qualifiers:
      name: { of: item.name }
      in: { texts: true }
      rig: { values: { sloop: item.rig == 'sloop', yawl: item.rig == 'yawl' } }
      sort: { ignored: true }
operations:
  create:
    route: POST /v1/boats
    params: { name: { type: string, required: true }, colour: string, rig: { enum: [sloop, yawl] }, papers: { type: object, fields: { number: string } }, notes: any,
        towed: { type: boolean, default: false, effect: none, description: Whether it is towed. }, hurry: { type: integer, max: 3, effect: hint },
        trailer: { type: object, effect: none, fields: { axles: { type: integer, required: true } } },
        mast: { type: object, effect: hint, fields: { height: integer } } }
    rules: [{ given: { hurry: 3 }, needs: mast }]
  retrieve: { route: "GET /v1/boats/{id}", content: [{ accept: ["*.log", "text/plain"], type: text/plain, text: =self.name }] }
  launch: { kind: action, route: POST /v1/boats, dispatch: { header: Harbour-Other }, undocumented: true, params: { berth: integer }, return: { berth: =params.berth } }
  house: { kind: action, route: POST /v1/boatshouse, return: { fields: =request.params.fields } }
  list: { route: GET /v1/boats, params: { q: string }, over: "boats_found(default(params.q, ''))" }
`,
};

const harbour = startSandbox(PACK, { reset: {} });
const { call, admin } = harbour;

test('facts of a route do not hold for an operation that the document does not have', async () => {
  const other = { 'Harbour-Other': 'yes' };
  expect((await call('POST /v1/boats', { berth: 99 }, other)).body).toEqual({ berth: 99 });
  expect((await call('POST /v1/boats', { berth: 99 })).status).toBe(400);
});

const boat = { name: 'Ada' };

describe('a parameter that only the document has', () => {
  test.each<[string, object, string]>([
    ['a word for an integer', { berth: 'x' }, 'berth'],
    ['below its bound', { berth: 0 }, 'berth'],
    ['above its bound', { berth: 41 }, 'berth'],
    ['not one of its values', { crew: [{ rank: 'xx' }] }, 'crew.0.rank'],
    ['too many items', { crew: [{ rank: 'mate' }, { rank: 'mate' }, { rank: 'mate' }] }, 'crew'],
    ['something else for a list', { crew: 'ada' }, 'crew'],
    ['a nested value that is not there', { crew: [{ rank: 'cook' }] }, 'crew.0.rank'],
  ])('%s is rejected as a declared one', async (_, more, param) => {
    const { status, body } = await call('POST /v1/boats', { ...boat, ...more });
    expect([status, body['param']]).toEqual([400, param]);
  });

  test('a missing nested value is missing', async () => {
    const { body } = await call('POST /v1/boats', { ...boat, crew: [{}] });
    expect(body).toEqual({ error: 'missing', param: 'crew.0.rank' });
  });

  test('a right one has no effect, which header, trace and counts say', async () => {
    const { status, body, headers } = await call('POST /v1/boats', { ...boat, berth: 7, flag: 'nl' });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('berth');
    expect(headers.get('x-mock-unsupported')).toBe('parameter berth, parameter flag');
    const trace = await admin(`GET /trace/${headers.get('x-mock-resolution-trace')}`);
    expect(trace.body['unsupported']).toEqual([
      { kind: 'parameter', name: 'berth' },
      { kind: 'parameter', name: 'flag' },
    ]);
  });

  test('null is as good as nothing', async () => {
    expect((await call('POST /v1/boats', { ...boat, berth: null })).status).toBe(200);
  });
});

test('only at and below the paths of `refuse_below` is an unknown parameter an error', async () => {
  const { body } = await call('POST /v1/boats', { ...boat, oars: 2 });
  expect(body['param']).toBe('oars');
  const { id } = await harbour.body<{ id: string }>('POST /v1/boats', boat);
  expect((await call(`GET /v1/boats/${id}?oars=2`)).status).toBe(400);
  expect((await call('POST /v1/boatshouse', { oars: 2 })).status).toBe(200);
});

test('a documented parameter that `request_params` reads has an effect', async () => {
  const { id } = await harbour.body<{ id: string }>('POST /v1/boats', boat);
  const { status, headers } = await call(`GET /v1/boats/${id}?fields=name`);
  expect([status, headers.get('x-mock-unsupported')]).toEqual([200, null]);
});

describe('a parameter that the pack declares without effect', () => {
  test.each<[object, string | null]>([
    [{ towed: true }, 'parameter towed'],
    [{ towed: false }, null],
    [{ trailer: { axles: 2 }, towed: true }, 'parameter trailer, parameter towed'],
    [{ hurry: 2 }, null],
    [{ mast: { height: 7 } }, null],
  ])('%j is checked, and reported as %s', async (more, expected) => {
    const { status, headers } = await call('POST /v1/boats', { ...boat, ...more });
    expect([status, headers.get('x-mock-unsupported')]).toEqual([200, expected]);
  });

  test.each<[object, string]>([
    [{ towed: 'x' }, 'towed'],
    [{ hurry: 4 }, 'hurry'],
    [{ trailer: {} }, 'trailer.axles'],
    [{ mast: { width: 1 } }, 'mast.width'],
  ])('%j is rejected', async (more, param) => {
    const { status, body } = await call('POST /v1/boats', { ...boat, ...more });
    expect([status, body['param']]).toEqual([400, param]);
  });

  test('rules between parameters see it', async () => {
    expect((await call('POST /v1/boats', { ...boat, hurry: 3 })).status).toBe(400);
    expect((await call('POST /v1/boats', { ...boat, hurry: 3, mast: { height: 7 } })).status).toBe(200);
  });

  test('it is counted', async () => {
    await call('POST /v1/boats', { ...boat, towed: true });
    const { body } = await admin<{ data: object[] }>('GET /unsupported');
    expect(body.data).toContainEqual(expect.objectContaining({ kind: 'parameter', name: 'towed' }));
  });
});

describe('what the vendor documents and the pack lacks is named, nonsense is not', () => {
  const asked = async (route: string, body?: object, headers?: Record<string, string>) => {
    const response = await call(route, body, headers);
    return [response.status, response.headers.get('x-mock-unsupported'), response.text] as const;
  };

  test('a value: it is rejected either way', async () => {
    expect(await asked('POST /v1/boats', { ...boat, rig: 'yawl' })).toEqual([200, null, expect.anything()]);
    expect(await asked('POST /v1/boats', { ...boat, rig: 'junk' })).toEqual([
      400,
      'value rig=junk',
      expect.stringContaining('"rig"'),
    ]);
    expect(await asked('POST /v1/boats', { ...boat, rig: 'raft' })).toEqual([
      400,
      null,
      expect.stringContaining('"rig"'),
    ]);
  });

  test.each([
    ['text/csv', 'media_type text/csv'],
    ['application/vnd.boat.chart+json', 'media_type application/vnd.boat.chart+json'],
    ['application/vnd.boat.v2.chart', 'media_type application/vnd.boat.v2.chart'],
    ['application/json, text/csv', null],
    ['text/csv, text/plain;q=0.9', 'media_type text/csv'],
    ['text/plain, text/csv;q=0.9', null],
    ['application/vnd.boat.log', null],
    ['*/*', null],
    ['text/html', null],
  ])('media type %s', async (accept, expected) => {
    const { body } = await call('POST /v1/boats', boat);
    expect((await asked(`GET /v1/boats/${String(body['id'])}`, undefined, { accept }))[1]).toBe(expected);
  });

  test.each([
    ['crewed-by:mona', 'qualifier crewed-by', 2],
    ['-crewed-by:"two words" Ada', 'qualifier crewed-by', 1],
    ['in:fleet Ada', 'qualifier in:fleet', 1],
    ['rig:junk', 'qualifier rig:junk', 2],
    ['-rig:junk', 'qualifier rig:junk', 2],
    ['NOT (rig:junk crewed-by:mona) Ada', 'qualifier rig:junk, qualifier crewed-by', 1],
    ['flag:pt', 'qualifier flag', 2],
    ['sort:name Ada', 'qualifier sort', 1],
    ['rig:raft', null, 0],
    ['wings:2', null, 0],
    ['name:Ada', null, 1],
  ])('search %s', async (q, expected, found) => {
    await call('POST /v1/boats', boat);
    await call('POST /v1/boats', { name: 'Bea' });
    const { body, headers } = await call(`GET /v1/boats?q=${encodeURIComponent(q)}`);
    expect([headers.get('x-mock-unsupported'), (body['data'] as unknown[]).length]).toEqual([expected, found]);
  });

  const strict = startSandbox(PACK, { strict: true });
  test('a strict world rejects it, and names it', async () => {
    const { body } = await strict.call('POST /v1/boats', boat);
    for (const [route, given, headers, name] of [
      ['POST /v1/boats', { ...boat, rig: 'junk' }, {}, 'value rig=junk'],
      ['GET /v1/boats?q=crewed-by%3Ax', undefined, {}, 'qualifier crewed-by'],
      [`GET /v1/boats/${String(body['id'])}`, undefined, { accept: 'text/csv' }, 'media_type text/csv'],
      ['POST /v1/boats', boat, { 'Harbour-Pilot': 'x' }, 'header harbour-pilot'],
    ] as const) {
      const response = await strict.call(route, given, headers);
      expect([response.status, response.headers.get('x-mock-unsupported')]).toEqual([400, name]);
    }
  });
});

describe('a declared parameter has the rules of the document where the pack has none', () => {
  test.each<[string, object, string]>([
    ['a text that is too long', { name: 'Adaadaadaadaada' }, 'name'],
    ['a text that is not one of the values', { colour: 'green' }, 'colour'],
    ['a nested text of another form', { papers: { number: 'x' } }, 'papers.number'],
    ['a member of what may be anything', { notes: { pages: 0 } }, 'notes.pages'],
  ])('%s', async (_, more, param) => {
    const { status, body } = await call('POST /v1/boats', { ...boat, ...more });
    expect([status, body['param']]).toEqual([400, param]);
  });

  test('what may be anything keeps what it is given, and is not reported', async () => {
    const notes = { author: 'Ada', pages: 2, more: true };
    const { body, headers } = await call('POST /v1/boats', { ...boat, notes });
    expect(body['notes']).toEqual(notes);
    expect(headers.get('x-mock-unsupported')).toBeNull();
  });
});

test.each([
  [{ wings: 2 }, 'wings'],
  [{ engine: { kind: 'diesel', wings: 2 } }, 'engine.wings'],
])('an undocumented parameter is unknown: %j', async (more, param) => {
  const { status, body } = await call('POST /v1/boats', { ...boat, ...more });
  expect([status, body]).toEqual([400, { error: 'unknown', param }]);
});

test('a rule of the document that the vendor does not enforce is not checked', async () => {
  expect((await call('POST /v1/boats', { ...boat, flag: 'ch' })).status).toBe(200);
});

describe('a pack with versions', () => {
  const dated = startSandbox(
    {
      ...PACK,
      'pack.yaml': `${PACK['pack.yaml']}
versions: { header: Harbour-Version, current: "2025", base: "2025", newer: ["2026"], pattern: "^20[0-9]{2}$" }
`,
      'versions/2026.yaml': 'version: "2026"\nchanges: [{ title: Tides are counted. }]\n',
      'facts.yaml': `${PACK['facts.yaml']}
versions:
  "2026":
    operations: { "POST /v1/boats": { params: { name: string, berth: { type: integer, max: 90 }, tide: integer } } }
    gone: ["GET /v1/boats/{boat}/insurance"]
`,
    },
    { reset: {} },
  );

  test.each<[string, object, number]>([
    ['2025', { berth: 50 }, 400],
    ['2026', { berth: 50 }, 200],
    ['2026', { berth: 91 }, 400],
    ['2025', { tide: 1 }, 400],
    ['2026', { tide: 1 }, 200],
  ])('checks a call by the document of its version %s: %j', async (version, more, status) => {
    expect((await dated.call('POST /v1/boats', { ...boat, ...more }, { 'Harbour-Version': version })).status).toBe(
      status,
    );
  });
});

describe('a pack that contradicts its document is warned of', () => {
  const warningsFor = (params: string): string[] =>
    inspect({
      ...PACK,
      'resources/boat.yaml': PACK['resources/boat.yaml'].replace('colour: string,', `${params},`),
    })
      .problems.filter(({ severity }) => severity === 'warning')
      .map(({ code, suggestion }) => `${code} ${suggestion ?? ''}`.trim());

  test.each<[string, string[]]>([
    ['colour: string', []],
    ['berth: string', ['contradicts-facts integer']],
    ['berth: { type: integer, min: 0, max: 40 }', ['contradicts-facts min: 1']],
    ['colour: { enum: [red, blu] }', ['contradicts-facts blue']],
    ['flag: { enum: [nl, xx] }', []],
    ['color: string', ['undocumented-parameter colour']],
    ['crew: { type: array, items: { type: object, fields: { rang: string } } }', ['undocumented-parameter rank']],
  ])('%s', (params, expected) => {
    expect(warningsFor(params).filter((each) => !each.startsWith('unused'))).toEqual(expected);
  });
});

describe('what the vendor has and the pack lacks is told from what nobody has', () => {
  test.each<[string, number, string | null]>([
    ['GET /v1/boats/boat_1/insurance', 404, 'path GET /v1/boats/{boat}/insurance'],
    ['PUT /v1/boats/boat_1', 404, 'method PUT /v1/boats/{boat}'],
    ['GET /v1/cranes/crane_1', 404, 'path /v1/cranes'],
    ['GET /v1/submarines', 404, null],
    ['DELETE /v1/boats/boat_1', 404, null],
  ])('%s', async (route, status, header) => {
    const received = await call(route);
    expect([received.status, received.headers.get('x-mock-unsupported')]).toEqual([status, header]);
  });

  test('a header that the pack does not read', async () => {
    const { headers } = await call('POST /v1/boats', boat, { 'Harbour-Pilot': 'Ada', 'Harbour-Tide': 'low' });
    expect(headers.get('x-mock-unsupported')).toBe('header harbour-pilot');
  });
});

describe('a strict world', () => {
  const strict = startSandbox(PACK, { strict: true });

  test.each<[string, object, Record<string, string>]>([
    ['parameter', { berth: 7 }, {}],
    ['header', {}, { 'Harbour-Pilot': 'Ada' }],
    ['declared parameter', { towed: true }, {}],
  ])('rejects a %s without effect and keeps nothing of the call', async (_, more, headers) => {
    const { status } = await strict.call('POST /v1/boats', { ...boat, ...more }, headers);
    expect(status).toBe(400);
    const { body } = await strict.admin<{ resources: Record<string, unknown[]> }>('GET /state');
    expect(body.resources['boats']).toEqual([]);
  });
});

test('descriptions say which parameters have no effect, except in realistic worlds', () => {
  const { operations, model } = harbour.engine.pack;
  const create = operations.find(({ key }) => key === 'boats.create');
  if (create === undefined) throw new Error('there is no boats.create');
  expect(parameterDescription(create, 'towed', model)).toBe('Whether it is towed. Without effect here.');
  const realistic = Object.create(model, { realistic: { value: true } }) as typeof model;
  expect(parameterDescription(create, 'towed', realistic)).toBe('Whether it is towed.');
});
