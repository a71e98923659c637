import { problemsOf } from '../../support/pack-world.js';
import { startSandbox } from '../../support/start-sandbox.js';

const ERRORS = `
  left_out: { status: 404, args: { subject: string }, body: { error: left_out, message: "\${request.method} \${request.path}: \${subject}" } }
`;
const CAKE = `resource: cake
collection: cakes
path: /v1/cakes
id: { prefix: cake_, format: short }
fields: { object: { const: cake } }
operations: { create: {}, retrieve: {}, list: {} }
`;
const OUTSIDE = `ids: { short: { parts: [{ random: 8 }] } }
base_path: /v1
outside:
  - { paths: [/v1/pies, "/v1/cakes/{cake}/candles"], error: left_out, with: { subject: Pies } }
  - { paths: [/v1/cakes/old], error: left_out, with: { subject: Old cakes } }
  - { paths: [/v1/cakes], error: left_out, with: { subject: Cakes } }
  - { paths: [/v1/breads] }
  - { hosts: [ovens.bakery.example] }
  - { operations: [cakes.list], when: "params.slices == 'thin'", error: left_out, with: { subject: Thin slices } }
hosts: [api.bakery.example]
routes: { methods: any }
`;
const FACTS = `document: bakery.json
operations:
  "GET /v1/tarts/{tart}": {}
`;

describe('parts of the API that a pack leaves out', () => {
  const files = { 'pack.yaml': OUTSIDE, 'resources/cake.yaml': CAKE, 'facts.yaml': FACTS };
  const { call, status: statusOf } = startSandbox(files, { errors: ERRORS, key: 'key', seed: 'outside' });

  test.each([
    ['GET', '/v1/pies', 404, 'GET /v1/pies: Pies'],
    ['DELETE', '/v1/pies/1/crusts/2', 404, 'DELETE /v1/pies/1/crusts/2: Pies'],
    ['GET', '/v1/cakes/cake_1/candles/3', 404, 'GET /v1/cakes/cake_1/candles/3: Pies'],
    ['POST', '/v1/cakes/old/eat', 404, 'POST /v1/cakes/old/eat: Old cakes'],
    ['DELETE', '/v1/cakes', 404, 'DELETE /v1/cakes: Cakes'],
    ['GET', '/v1/piespoon', 404, undefined],
    ['GET', '/v1', 404, undefined],
    ['GET', '/v1/cakes', 200, undefined],
    ['POST', '/v1/cakes', 200, undefined],
  ])('%s %s is answered %i', async (method, path, status, message) => {
    const response = await call(`${method} ${path}`);
    expect(response.status).toBe(status);
    const { text } = response;
    expect(text === '' ? undefined : (JSON.parse(text) as { message?: string }).message).toBe(message);
    expect(response.headers.get('x-mock-resolution-trace')).toMatch(/^trc_/);
  });

  test.each([
    ['without an error of its own', 'POST /v1/breads/1', {}, [404, 'path /v1/breads']],
    [
      'of a machine that is outside',
      'GET /v1/cakes',
      { host: 'Ovens.bakery.example:443' },
      [404, 'path ovens.bakery.example'],
    ],
    ['of a machine that is served', 'GET /v1/cakes', { host: 'api.bakery.example' }, [200, null]],
    ['that is outside at times', 'GET /v1/cakes?slices=thin', {}, [404, 'path GET /v1/cakes']],
    ['that is not outside now', 'GET /v1/cakes', {}, [200, null]],
    ['documented with another method', 'POST /v1/tarts/1', {}, [404, 'path GET /v1/tarts/{tart}']],
    ['nobody documents', 'POST /v1/tarts/1/crumbs', {}, [404, null]],
  ])('a call %s', async (_, route, headers, expected) => {
    const { status, headers: got } = await call(route, undefined, headers);
    expect([status, got.get('x-mock-unsupported')]).toEqual(expected);
  });

  test('the redirect asks for all machines', async () => {
    const { body } = await call<{ pack: { hosts: string[] } }>('GET /__admin__/');
    expect(body.pack.hosts).toEqual(['api.bakery.example', 'ovens.bakery.example']);
  });

  test('who calls is asked first', async () => {
    expect(await statusOf('GET /v1/pies', undefined, { authorization: undefined })).toBe(401);
  });
});

test.each([
  ['an unknown error', '{ paths: [/v1/pies], error: gone }', "unknown error 'gone'"],
  [
    'an unknown argument',
    '{ paths: [/v1/pies], error: not_found, with: { subject: Pies } }',
    "unknown argument 'subject'",
  ],
  ['a path twice', '{ paths: [/v1/pies, /v1/pies], error: not_found }', "'/v1/pies' is outside twice"],
  ['a path without a slash', '{ paths: [pies], error: not_found }', 'path'],
  ['operations that are not there', '{ operations: [pies.*], when: "1 == 2" }', "unknown operation 'pies.*'"],
  ['a condition of a wrong name', '{ operations: ["*"], when: requests.path == "/" }', 'requests'],
  ['operations without a condition', '{ operations: ["*"] }', 'when'],
  ['no paths', '{ error: not_found }', 'paths'],
])('%s is a problem of the pack', (_, entry, message) => {
  const problems = problemsOf({ 'pack.yaml': `outside:\n  - ${entry}\n` });
  expect(problems.join('\n')).toContain(message);
  expect(problems.join('\n')).toContain('pack.yaml:4');
});
