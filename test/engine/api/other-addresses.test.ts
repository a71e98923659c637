import { call } from '../../support/http.js';
import { packFolder } from '../../support/sample-pack.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** `routes.also`: what is below an object's own address is below its others too, unless that has a route of its own. */

const FILES = {
  'pack.yaml': `ids: { short: { parts: [{ random: 8 }] } }
routes:
  also:
    - { path: "/by-number/{number}", resource: shelf, as: "/shelves/{id}" }
    - { path: "/rooms/{room}/{number}", resource: shelf, as: "/by-number/{number}" }
`,
  'resources/shelf.yaml': `resource: shelf
collection: shelves
path: /shelves
id: { format: short }
fields: { room: string, number: integer, color: string? }
operations:
  create: { params: { room!, number! } }
  retrieve: {}
  update: { params: { color } }
  delete: {}
  paint: { route: 'POST /shelves/{id}/paint', params: { color! }, do: [{ set: self, to: { color: =params.color } }] }
  counted: { kind: action, route: 'GET /by-number/{count}/shelves', params: { count: { type: string } }, do: [{ return: { count: =params.count } }] }
`,
};
const sandbox = startSandbox(packFolder(FILES), { seed: 'shelves', reset: {} });

test('an object is found by the fields of an address, with what is below it and the query', async () => {
  const { body: shelf } = await call(sandbox, 'POST /shelves', { room: 'north hall', number: 7 });
  await call(sandbox, 'POST /shelves', { room: 'south', number: 8 });
  expect((await call(sandbox, 'GET /by-number/7?')).body).toEqual(shelf);
  expect((await call(sandbox, 'POST /by-number/7/paint', { color: 'blue' })).body).toMatchObject({
    id: shelf['id'],
    color: 'blue',
  });
  expect((await call(sandbox, 'GET /rooms/north%20hall/7')).body).toMatchObject({ id: shelf['id'], color: 'blue' });
  expect((await call(sandbox, 'GET /by-number/7/shelves')).body).toEqual({ count: '7' });
});

test('what leads to no object, and what is not below the other address either, is not there', async () => {
  await call(sandbox, 'POST /shelves', { room: 'north', number: 7 });
  for (const path of [
    '/by-number/9',
    '/by-number/seven',
    '/by-number/',
    '/by-number/7/nothing',
    '/rooms/south/7',
    '/rooms/%zz/7',
  ])
    expect([path, (await call(sandbox, `GET ${path}`)).status]).toEqual([path, 404]);
});

test('an object that is deleted has no address', async () => {
  await call(sandbox, 'POST /shelves', { room: 'north', number: 7 });
  expect((await call(sandbox, 'DELETE /by-number/7')).status).toBe(200);
  expect((await call(sandbox, 'GET /by-number/7')).status).toBe(404);
});
