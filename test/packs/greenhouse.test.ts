import { type Bug, ControlClient, replayBug } from '../../engine/index.js';
import { type Body, call as callWorld, type Called, type Served } from '../support/http.js';
import { startSandbox, useSandboxes } from '../support/start-sandbox.js';

/** `times` of pack.yaml, with a pack of plants: each climate chamber has a time of its own. */

const T0 = '2026-01-01T00:00:00.000Z';
const PAST = '2020-01-01T00:00:00.000Z';
const PACK = 'test/packs/greenhouse';
const sandbox = startSandbox(PACK, { t0: T0, seed: 'plants', reset: { t0: T0 } });
const { serve, keep } = useSandboxes({ pack: PACK, t0: T0, seed: 'again' });

const call = (line: string, body?: Body, headers = {}, world: Served = sandbox): Promise<Called> =>
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

/** Two chambers with a plant each, a plant outside, and all of it a while later. */
async function season(world: Served = sandbox): Promise<Body> {
  const at = async (line: string, body?: Body) => (await call(line, body, {}, world)).body;
  const [a, b] = [await at('POST /chambers', { from: PAST }), await at('POST /chambers', { from: '2021-06-01T00:00:00.000Z' })];
  const plant = await at('POST /plants', { chamber: a['id'] });
  await at('POST /plants', { chamber: b['id'] });
  await at('POST /plants', {});
  await at('POST /flowers', { plant: plant['id'] });
  await at(`POST /chambers/${a['id']}/advance`, { to: '2020-01-10T00:00:00.000Z' });
  await at('POST /__admin__/clock/advance', { duration: '7d' });
  await at('POST /__admin__/clock/advance', { duration: '1d', of: b['id'] });
  await at('POST /plants', { chamber: b['id'] });
  return a;
}
const clocks = async (): Promise<unknown> => (await made('GET /__admin__/clock'))['clocks'];
const state = async (world: Served = sandbox): Promise<Body> => (await call('GET /__admin__/state', undefined, {}, world)).body;

test('the control API shows the clocks and advances one of them; the error of an unknown one names it', async () => {
  expect(await made('GET /__admin__/clock')).not.toHaveProperty('clocks');
  const [a, b] = [await chamber(), await chamber()];
  const { id: plant } = await made('POST /plants', { chamber: a['id'] });
  const [timer] = (await made('GET /__admin__/clock/timers'))['data'] as Body[];
  expect(timer).toMatchObject({ id: plant, clock: a['id'], due: '2020-01-06T00:00:00.000Z', in_ms: 5 * 24 * 3_600_000 });
  const moved = await made('POST /__admin__/clock/advance', { to: '2020-01-07T00:00:00.000Z', of: a['id'] });
  expect(moved).toMatchObject({ fired: 1, now: T0 });
  expect(await clocks()).toEqual([
    { id: a['id'], now: '2020-01-07T00:00:00.000Z' },
    { id: b['id'], now: PAST },
  ]);
  const wrong = await call('POST /__admin__/clock/advance', { duration: '1d', of: 'chamber_99' });
  expect([wrong.status, wrong.text]).toEqual([404, expect.stringContaining('chamber_99')]);
  expect((await call('POST /__admin__/clock/advance', { to: PAST, of: a['id'] })).status).toBe(400);
});

test('an advance that stops at an event leaves all clocks equally far', async () => {
  await chamber();
  await made('POST /plants', {});
  await made('POST /__admin__/clock/advance', { until: { event: 'plant.sprouted' } });
  expect(await clocks()).toEqual([{ id: expect.any(String), now: '2020-01-06T00:00:00.000Z' }]);
  expect((await made('GET /__admin__/clock'))['now']).toBe('2026-01-06T00:00:00.000Z');
});

test('the state is a seed: clocks and timers stand as they stood, and go on alike', async () => {
  await season();
  const before = await state();
  expect(before['clocks']).toEqual({ chamber_1: '2020-01-17T00:00:00.000Z', chamber_2: '2021-06-09T00:00:00.000Z' });
  await sandbox.control.reset({ t0: T0 });
  await made('POST /__admin__/seed', before);
  expect(await state()).toEqual(before);
  await made('POST /__admin__/clock/advance', { duration: '5d', of: 'chamber_2' });
  const sprouts = ((await made('GET /plants'))['data'] as Body[]).filter(({ state: each }) => each === 'sprout');
  expect(sprouts).toHaveLength(4);
  const wrong = await call('POST /__admin__/seed', { resources: {}, clocks: { chamber_9: PAST } });
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('clocks.chamber_9')]);
});

test('a way back and a fork have the clocks of their moment', async () => {
  await season();
  const before = await state();
  await sandbox.control.saveMoment('before');
  const fork = await sandbox.worlds.create({ from: { at: 'before' } });
  await made('POST /__admin__/clock/advance', { duration: '40d' });
  const after = await state();
  expect(after['clocks']).not.toEqual(before['clocks']);
  expect(await new ControlClient(String(fork.url), fork.key).state()).toEqual(before);
  await sandbox.control.rewind('before');
  expect(await state()).toEqual(before);
  await made('POST /__admin__/clock/advance', { duration: '40d' });
  expect(await state()).toEqual(after);
});

test('a world that is written down and done again comes to the same bytes, and so does one of the same seed', async () => {
  const [first, second] = [await serve(), await serve()];
  await season(first);
  await season(second);
  expect(await state(second)).toEqual(await state(first));
  const bug = (await first.control.export()) as unknown as Bug;
  const again = await replayBug(JSON.parse(JSON.stringify(bug)) as Bug, { pack: PACK });
  keep(again.sandbox);
  expect(again.unlike).toBeNull();
  expect(await state(again.sandbox)).toEqual(await state(first));
});
