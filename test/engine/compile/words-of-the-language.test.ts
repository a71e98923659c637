import { loadPack } from '../../../engine/index.js';
import { overlaidPack } from '../../support/overlaid-pack.js';
import { useSandboxes } from '../../support/start-sandbox.js';

const { serve } = useSandboxes();
const WAY =
  '# resources/parcel.yaml\noperations:\n  way: { route: GET /v1/way, do: [{ run: way, as: found }], return: { found } }\n';

test('steps of flows see the request of the call that runs them', async () => {
  const flow =
    '# flows/way.yaml\nflow: way\nreturns: string\ndo:\n  - { return: "${request.method} ${request.path}" }\n';
  const sandbox = await serve({ pack: overlaidPack([WAY, flow], 'way') });
  expect(await sandbox.result('GET /v1/way')).toEqual([200, { found: 'GET /v1/way' }]);
});

test('every part of a call sees which operation it reaches, errors too', async () => {
  const errors = '# errors.yaml\nerrors:\n  lost: { status: 404, body: { docs: "=request.operation" } }\n';
  const way = `${WAY.replace('return: { found }', 'return: { at: =request.operation }').replace('run: way, as: found', 'fail: lost, when: "params.lost == true"').replace('{ route:', '{ params: { lost: boolean }, route:')}`;
  const sandbox = await serve({ pack: overlaidPack([way, errors], 'way') });
  expect(await sandbox.result('GET /v1/way')).toEqual([200, { at: 'parcels.way' }]);
  expect(await sandbox.result('GET /v1/way?lost=true')).toMatchObject([404, { error: { docs: 'parcels.way' } }]);
});

test.each([
  ['a flow', '# flows/way.yaml\nflow: way\nargs: { now: integer? }\ndo: [{ return: =now }]\n', 'now'],
  ['an error', '# errors.yaml\nerrors:\n  odd: { status: 400, args: [request], code: =request }\n', 'request'],
  [
    'an error with an envelope of its own',
    '# errors.yaml\nerrors:\n  odd: { status: 400, args: [error], envelope: { e: =error }, code: odd }\n',
    'error',
  ],
])('an argument of %s with the name of a word of the language is a warning', (_what, block, name) => {
  const { problems } = loadPack(overlaidPack([block], 'hidden'));
  expect(problems.filter(({ code }) => code === 'hidden-name')).toMatchObject([
    { severity: 'warning', message: expect.stringContaining(`'${name}' is a word of the language`) as string },
  ]);
});

test('an argument `error` is no mistake where the error is not seen', () => {
  const { problems } = loadPack(
    overlaidPack(['# errors.yaml\nerrors:\n  odd: { status: 400, args: [error], code: =error }\n'], 'seen'),
  );
  expect(problems.filter(({ code }) => code === 'hidden-name')).toEqual([]);
});
