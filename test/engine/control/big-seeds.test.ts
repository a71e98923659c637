import { inTurns, worldAt } from '../../../engine/control/ledger-position.js';
import type { JsonObject } from '../../../engine/values/index.js';
import type { StoredEntry } from '../../../engine/world/index.js';
import { Parcels, startParcels } from './parcels.js';

/** A large seed goes in as a whole, and does not stop what does not need its world. */
const COUNT = 30_000;

const couriers = (count = COUNT): (JsonObject & { readonly id: string })[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `cou_${String(index).padStart(10, '0')}`,
    name: `Ann ${index}`,
    vehicle: 'van',
  }));

const client = startParcels({ reset: {} });
const other = startParcels();

/** Calls again and again until something is over; gives what was answered. */
async function during<T>(work: Promise<unknown>, call: () => Promise<T>): Promise<T[]> {
  let over = false;
  void work.finally(() => (over = true)).catch(() => undefined);
  const answers: T[] = [];
  while (!over) answers.push(await call());
  return answers;
}

const totalOf = async (at: Parcels): Promise<unknown> => {
  const { world } = (await at.done('GET /')) as { world: { objects: Readonly<Record<string, number>> } };
  return world.objects['couriers'];
};

test('calls of other worlds of the process go on, those of its own see it before or after', async () => {
  const seed = client.done('POST /seed', { resource: 'couriers', objects: couriers() });
  const healthy = async (): Promise<boolean> => (await client.status('GET /healthz')) === 200;
  const [others, own, probes] = await Promise.all([
    during(seed, () => totalOf(other)),
    during(seed, () => totalOf(client)),
    during(seed, healthy),
  ]);
  expect(await seed).toEqual({ seeded: { couriers: COUNT } });
  expect(others.length).toBeGreaterThan(5);
  expect(probes.length).toBeGreaterThan(5);
  expect(new Set([0, COUNT, ...own])).toEqual(new Set([0, COUNT]));
  expect(await totalOf(client)).toBe(COUNT);
});

test('a seed that is refused at its very end leaves nothing, and nobody has seen it', async () => {
  const objects = [...couriers(), { id: 'cou_9999999999', name: 'Zoe', vehicle: 'van', nonsense: 1 }];
  const seed = client.admin('POST /seed', { resource: 'couriers', objects });
  const own = await during(seed, () => totalOf(client));
  expect(await seed).toMatchObject({ status: 422, body: { error: { path: `couriers[${COUNT}].nonsense` } } });
  expect(new Set([0, ...own])).toEqual(new Set([0]));
});

test('what cannot wait comes after it', async () => {
  const { engine } = client.sandbox;
  const objects = couriers() as { id: string }[];
  const seed = engine.seedInSlices({ couriers: objects }, null, {});
  expect(engine.seeding).not.toBeNull();
  let seen = 0;
  engine.command(
    'look',
    'control',
    ({ world }) => (seen = world.collections.find(({ config }) => config.name === 'couriers')?.size ?? 0),
  );
  expect(seen).toBe(COUNT);
  expect(await seed).toEqual({ couriers: COUNT });
  expect(engine.seeding).toBeNull();
});

test('a reset to a large seed file lets others have their turn, and nobody sees it half done', async () => {
  const planted = await new Parcels().open();
  await planted.applySeedData({ resource: 'couriers', objects: couriers() });
  const reset = planted.admin('POST /reset');
  const [others, own] = await Promise.all([during(reset, () => totalOf(other)), during(reset, () => totalOf(planted))]);
  expect((await reset).status).toBe(200);
  expect(others.length).toBeGreaterThan(5);
  expect(new Set([COUNT, ...own])).toEqual(new Set([COUNT]));
  expect(planted.defects).toEqual([]);
  await planted.close();
});

test('others have their turn while a far moment is put together; the world goes to a near one at once', async () => {
  const large = await new Parcels().open();
  await large.done('POST /seed', { resource: 'couriers', objects: couriers() });
  const { engine } = large.sandbox;
  const { count } = engine.world.ledger;
  const further = couriers().map((each) => ({ ...each, id: each.id.replace('cou_0', 'cou_1') }));
  await large.done('POST /seed', { resource: 'couriers', objects: further.slice(0, 1) });
  await large.done('POST /seed', { resource: 'couriers', objects: further.slice(1) });
  let turns = 0;
  const sizeAt = async (n: number): Promise<number | undefined> => {
    turns = 0;
    setImmediate(() => turns++);
    const world = await inTurns(engine, () => worldAt(engine, n));
    return world.collections.find(({ config }) => config.name === 'couriers')?.size;
  };
  expect([await sizeAt(count), turns]).toEqual([COUNT, 1]);
  await large.done('POST /rewind', { to: count + 1 });
  expect([await sizeAt(engine.world.ledger.count - 1), turns]).toEqual([2 * COUNT, 1]);
  await large.done('POST /seed', { resource: 'couriers', objects: further.slice(1, 2) });
  expect([await sizeAt(engine.world.ledger.count - 1), turns]).toEqual([COUNT + 1, 0]);
  await large.close();
});

test('a keeper that writes texts gets those of the changes, a reset among them', async () => {
  const told: { readonly entry: StoredEntry; readonly texts: readonly string[] | undefined }[] = [];
  const kept = await new Parcels({
    keeper: {
      takesTexts: true,
      begin: () => undefined,
      record: () => undefined,
      entry: (entry, texts) => told.push({ entry, texts }),
    },
  }).open();
  await kept.applySeedData({ resource: 'couriers', objects: couriers(3) });
  await kept.done('POST /seed', { resource: 'couriers', objects: couriers(4) });
  await kept.done('POST /reset');
  expect(told.map(({ entry }) => entry.command)).toEqual(expect.arrayContaining(['seed', 'reset']));
  const written = told.filter(({ texts }) => texts !== undefined);
  expect(written.length).toBeGreaterThanOrEqual(2);
  for (const { entry, texts } of written) expect(texts).toEqual(entry.changes.map((change) => JSON.stringify(change)));
  await kept.close();
});
