import { startParcels } from './parcels.js';

/** What happened to a world, as people look through it. */

const client = startParcels();
let ids: readonly string[];

beforeAll(async () => {
  ids = await story();
});

const BOOKED = { to: { street: 'Dam 1', town: 'Amsterdam' }, weight: 900 };

interface Step {
  readonly key: string;
  readonly call?: { readonly request: { readonly method: string }; readonly status: number };
  readonly entries: readonly { readonly command: string; readonly origin: string }[];
  readonly first: number;
  readonly last: number;
  readonly timers: number;
}

interface Page {
  readonly data: readonly Step[];
  readonly earlier: number;
  readonly total: number;
  readonly of: number;
}

const page = async (query = ''): Promise<Page> => (await client.done(`GET /timeline${query}`)) as unknown as Page;

/** Three parcels, of which the clock moves one; a call that changes nothing and one that fails. */
async function story(): Promise<readonly string[]> {
  const made: string[] = [];
  for (let n = 0; n < 3; n++) made.push(String((await client.api('POST /parcels', BOOKED)).body['id']));
  await client.api(`GET /parcels/${made[0]}`);
  await client.api('GET /parcels/par_none');
  await client.done('POST /clock/advance', { duration: '3d' });
  return made;
}

test('a call is one step with its entries, and so is an advance with all its timers', async () => {
  const { data, total, of, earlier } = await page();
  expect([total, of, earlier]).toEqual([data.length, data.length, 0]);
  const calls = data.filter(({ call }) => call !== undefined);
  expect(calls.map(({ call, entries }) => [call?.request.method, call?.status, entries.length])).toEqual([
    ['POST', 201, 1],
    ['POST', 201, 1],
    ['POST', 201, 1],
    ['GET', 200, 0],
    ['GET', 404, 0],
  ]);
  const [advance, ...others] = data.filter(({ entries }) => entries.at(0)?.origin === 'clock');
  expect(others).toEqual([]);
  expect(advance.timers).toBeGreaterThan(0);
  expect(advance.last - advance.first + 1).toBe(advance.entries.length);
});

test.each([
  ['status:404', 1],
  ['STATUS:404 get', 1],
  ['status:404 post', 0],
  ['parcel.booked', 3],
  ['nothing of the kind', 0],
])('search %s', async (search, count) => {
  const { data, total, of } = await page(`?search=${encodeURIComponent(search)}`);
  expect([data.length, total]).toEqual([count, count]);
  expect(of).toBe((await page()).of);
});

test('an id is found in what was called and in what changed', async () => {
  const [id] = ids;
  const { data } = await page(`?search=${id}`);
  expect(data.map(({ call }) => call?.request.method)).toEqual(['POST', 'GET', undefined]);
  expect((await page('?kind=failed')).data.map(({ call }) => call?.status)).toEqual([404]);
});

test('pages lead back to the beginning, by steps and by numbers of entries', async () => {
  const all = (await page()).data.map(({ key }) => key);
  const found: string[] = [];
  for (let before = ''; ;) {
    const { data, earlier, total } = await page(`?limit=2${before}`);
    expect([total, earlier]).toEqual([all.length, all.length - found.length - data.length]);
    found.unshift(...data.map(({ key }) => key));
    if (earlier === 0) break;
    before = `&before=${found[0]}`;
  }
  expect(found).toEqual(all);
  const advance = (await page('?kind=clock')).data[0];
  const cut = (await page(`?before=${advance.last}`)).data.at(-1);
  expect([cut?.first, cut?.last]).toEqual([advance.first, advance.last - 1]);
  expect(await client.admin('GET /timeline?before=trc_none')).toMatchObject({ status: 404 });
});

test('what is asked for as of a moment is as it was then, and asking changes nothing', async () => {
  const [id] = ids;
  const { entry: now } = (await client.done('GET /ledger/now')) as { entry: number };
  const was = (await client.done(`GET /objects/${id}?at=2`)) as { status: string; history: unknown[]; next: unknown[] };
  const is = (await client.done(`GET /objects/${id}`)) as { status: string; history: unknown[] };
  expect(was.status).toBe('booked');
  expect(is.status).not.toBe('booked');
  expect([was.history.length, was.next]).toEqual([1, []]);
  expect(await client.done('GET /objects?resource=parcels&at=3')).toMatchObject({ total: 2 });
  expect(await client.done('GET /?at=2')).toMatchObject({ world: { objects: { parcels: 1 } } });
  expect((await page('?at=3')).data).toHaveLength(3);
  expect(await client.done(`GET /glance?ids=${id},par_none&fields=weight,none&at=2`)).toMatchObject({
    data: [{ id, collection: 'parcels', status: 'booked', fields: { weight: 900 } }],
  });
  expect((await client.done('GET /ledger/now'))['entry']).toBe(now);
  expect(await client.admin('GET /objects?resource=parcels&at=none')).toMatchObject({ status: 404 });
});

test('the life of an object has the states of those around it, and what set them off', async () => {
  const [id] = ids;
  const { lanes, events } = (await client.done(`GET /objects/${id}/life`)) as unknown as {
    lanes: {
      collection: string;
      objects: { id: string; spans: { status: string; until: unknown; origin: string }[] }[];
    }[];
    events: { count: number }[];
  };
  const own = lanes.find(({ collection }) => collection === 'parcels')?.objects.find((each) => each.id === id);
  expect(own?.spans.map(({ status, origin }) => `${status} ${origin}`).slice(0, 2)).toEqual([
    'booked call',
    expect.stringMatching(/ clock$/),
  ]);
  expect(own?.spans.map(({ until }) => until === null)).toEqual([...own!.spans.slice(1).map(() => false), true]);
  expect(events.length).toBeGreaterThan(0);
  const then = (await client.done(`GET /objects/${id}/life?at=2`)) as unknown as { lanes: typeof lanes };
  expect(then.lanes.flatMap(({ objects }) => objects.flatMap(({ spans }) => spans))).toMatchObject([
    { status: 'booked', until: null },
  ]);
  expect(await client.admin('GET /objects/par_none/life')).toMatchObject({ status: 404 });
});

test.each([
  ['exact', (id: string) => id, 1],
  ['a beginning', (id: string) => id.slice(0, 6), 1],
  ['a value', () => 'DELIVER', 1],
])('search by %s', async (_what, textOf, least) => {
  const [id] = ids;
  const found = (await client.done(`GET /search?text=${textOf(id)}&limit=2`)) as unknown as {
    objects: { id: string }[];
    objects_total: number;
    calls: unknown[];
    searched: number;
  };
  expect(found.objects.length).toBeGreaterThanOrEqual(least);
  expect(found.objects.length).toBeLessThanOrEqual(2);
  expect(found.objects_total).toBeGreaterThanOrEqual(found.objects.length);
  expect(found.searched).toBeGreaterThan(5);
});

test('marks show the same history; neighbours become one where there are too many', async () => {
  for (let n = 0; n < 40; n++) await client.api('GET /parcels');
  const marks = async (limit: number) =>
    (await client.done(`GET /marks?limit=${limit}`)) as {
      last: number;
      data: { kind: string; count: number; failed: boolean; points: unknown[] }[];
    };
  const { data, last } = await marks(320);
  expect(data.map(({ kind }) => kind)).toEqual([
    'control',
    ...Array<string>(5).fill('call'),
    'clock',
    ...Array<string>(40).fill('call'),
  ]);
  expect(data[6].points.at(-1)).toMatchObject({ entry: last });
  const few = (await marks(10)).data;
  expect(few.length).toBeLessThan(12);
  expect(few.reduce((sum, { count }) => sum + count, 0)).toBe(47);
  expect(few.filter(({ failed }) => failed)).toMatchObject([{ count: 1 }]);
});
