import { createSandbox, type Sandbox } from '../../engine/index.js';
import { call as callWorld, type Body } from '../support/http.js';

/** `times` of pack.yaml, with a pack of plants: each climate chamber has a time of its own. */

const T0 = '2026-01-01T00:00:00.000Z';
const PAST = '2020-01-01T00:00:00.000Z';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ pack: 'test/packs/greenhouse', t0: T0, seed: 'plants' });
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset({ t0: T0 }));

const call = (line: string, body?: Body, headers: Record<string, string> = {}, world: Sandbox = sandbox) =>
  callWorld(world, line, body, headers);
const made = async (line: string, body?: Body, headers?: Record<string, string>): Promise<Body> => {
  const { status, body: response } = await call(line, body, headers);
  if (status >= 300) throw new Error(`${line}: ${status} ${JSON.stringify(response)}`);
  return response;
};
const chamber = (from: string = PAST) => made('POST /chambers', { from });
const stateOf = async (path: string): Promise<unknown> => (await made(`GET ${path}`))['state'];

test('advancing a chamber moves what grows in it, and nothing else', async () => {
  const [a, b] = [await chamber(), await chamber('2021-01-01T00:00:00.000Z')];
  const plants = [];
  for (const each of [a['id'], b['id'], undefined]) plants.push(await made('POST /plants', { chamber: each }));
  expect(plants.map(({ made: at }) => at)).toEqual([PAST, '2021-01-01T00:00:00.000Z', T0]);
  await made(`POST /chambers/${a['id']}/advance`, { to: '2020-02-01T00:00:00.000Z' });
  const states = [];
  for (const { id } of plants) states.push(await stateOf(`/plants/${id}`));
  expect(states).toEqual(['sprout', 'seed', 'seed']);
  expect((await made('GET /__admin__/clock'))['now']).toBe(T0);
  const notes = (await made('GET /notes'))['data'];
  expect(notes).toMatchObject([{ type: 'plant.sprouted', about: plants[0]['id'], at: '2020-01-06T00:00:00.000Z' }]);
});

test('the control API moves every chamber by the same span; what happens is merged by the time that has passed', async () => {
  const [a, b] = [await chamber(), await chamber('2021-01-01T00:00:00.000Z')];
  const second = await made('POST /plants', { chamber: b['id'] });
  await made(`POST /chambers/${b['id']}/advance`, { to: '2021-01-02T00:00:00.000Z' });
  const first = await made('POST /plants', { chamber: a['id'] });
  const last = await made('POST /plants', {});
  const { events } = await made('POST /__admin__/clock/advance', { duration: '5d' });
  expect((events as Body[]).map(({ about }) => about)).toEqual([second['id'], last['id'], first['id']]);
  expect((await made(`GET /chambers/${a['id']}`))['time']).toBe('2020-01-06T00:00:00.000Z');
  expect((await made(`GET /chambers/${b['id']}`))['time']).toBe('2021-01-07T00:00:00.000Z');
});

test('views are read in the time of their object, in lists too', async () => {
  const { id } = await chamber();
  await made('POST /plants', { chamber: id });
  await made('POST /plants', {});
  const seen = ((await made('GET /plants'))['data'] as Body[]).map((plant) => plant['seen']);
  expect(seen.sort()).toEqual([PAST, T0]);
});

test('a call that names objects of two chambers is rejected and changes nothing', async () => {
  const [a, b] = [await chamber(), await chamber()];
  const { id: plant } = await made('POST /plants', { chamber: a['id'] });
  const { status, body } = await call('POST /flowers', { plant, chamber: b['id'] });
  expect([status, body['error']]).toEqual([400, 'two_chambers']);
  expect((await made('GET /flowers'))['data']).toEqual([]);
  expect((await call('POST /flowers', { plant, chamber: a['id'] })).status).toBe(200);
});

test('a timer fires in the time that it was armed in, though its object has left the chamber', async () => {
  const { id } = await chamber();
  const { id: plant } = await made('POST /plants', { chamber: id });
  const flower = await made('POST /flowers', { plant });
  expect(flower['made']).toBe(PAST);
  await made(`POST /plants/${plant}/move`, {});
  await made(`POST /chambers/${id}/advance`, { to: '2020-03-01T00:00:00.000Z' });
  const notes = ((await made('GET /notes'))['data'] as Body[]).map(({ type, at }) => [type, at]);
  expect(notes).toContainEqual(['flower.wilted', '2020-01-31T00:00:00.000Z']);
});

test('a chamber that is deleted takes its timers along', async () => {
  const { id } = await chamber();
  const { id: plant } = await made('POST /plants', { chamber: id });
  expect((await made('GET /__admin__/clock'))['timers']).toBe(1);
  await made(`DELETE /chambers/${id}`);
  expect((await made('GET /__admin__/clock'))['timers']).toBe(0);
  await made('POST /__admin__/clock/advance', { duration: '60d' });
  expect(await stateOf(`/plants/${plant}`)).toBe('seed');
});

test('chambers of two tenants with one id have clocks of their own', async () => {
  const farms = [await made('POST /farms', {}), await made('POST /farms', {})].map(({ id }) => ({ 'X-Farm': String(id) }));
  const chambers = [];
  for (const [at, farm] of farms.entries()) chambers.push(await made('POST /chambers', { from: `202${at}-01-01T00:00:00.000Z` }, farm));
  expect(chambers[0]['id']).toBe(chambers[1]['id']);
  expect(chambers.map(({ time }) => time)).toEqual([PAST, '2021-01-01T00:00:00.000Z']);
  await made(`POST /chambers/${chambers[1]['id']}/advance`, { to: '2022-01-01T00:00:00.000Z' }, farms[1]);
  const times = [];
  for (const [at, { id }] of chambers.entries()) times.push((await made(`GET /chambers/${id}`, undefined, farms[at]))['time']);
  expect(times).toEqual([PAST, '2022-01-01T00:00:00.000Z']);
});
