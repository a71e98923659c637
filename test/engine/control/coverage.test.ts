import { startParcels } from './parcels.js';

/** What of a pack the calls of a world have met. */

interface Covered {
  readonly total: number;
  readonly met: readonly string[];
  readonly missing: readonly string[];
}

const client = startParcels();

const covered = async (): Promise<Readonly<Record<string, Covered>>> =>
  (await client.done('GET /coverage')) as unknown as Readonly<Record<string, Covered>>;

test('nothing is met before the first call, and everything has a name', async () => {
  const kinds = await covered();
  expect(Object.values(kinds).flatMap(({ met }) => met)).toEqual([]);
  for (const { total, missing } of Object.values(kinds)) expect(new Set(missing).size).toBe(total);
  expect(kinds['states'].missing).toContain('parcels.booked');
  expect(kinds['scenarios'].missing).toEqual(['closed', 'cross_receiver']);
  expect(kinds['magic_values'].missing).toContain('cou_test_van');
});

test('calls, timers, causes, scenarios and magic values count, over resets too', async () => {
  const id = await client.parcel();
  await client.api('GET /parcels/par_none');
  await client.api('POST /parcels', { weight: 1 }, { 'X-Mock-Scenario': 'closed' });
  await client.parcel({ courier: 'cou_test_van' });
  await client.done('POST /clock/advance', { duration: '3h' });
  await client.done('POST /world/events', { cause: 'parcel.lost', params: { parcel_id: id, reason: 'a train' } });
  await client.done('POST /reset');
  const kinds = await covered();
  expect(kinds['states'].met).toEqual(expect.arrayContaining(['parcels.booked', 'parcels.collected', 'parcels.lost']));
  expect(kinds['transitions'].met).toEqual(
    expect.arrayContaining(['parcels.booked after pickup_time', 'parcels.collected lose']),
  );
  expect(kinds['events'].met).toEqual(expect.arrayContaining(['parcel.booked', 'parcel.collected']));
  expect(kinds['errors'].met).toEqual(expect.arrayContaining(['not_found', 'depot_closed']));
  expect(kinds['causes']).toMatchObject({ met: ['parcel.lost'] });
  expect(kinds['scenarios'].met).toEqual(['closed']);
  expect(kinds['magic_values'].met).toEqual(['cou_test_van']);
  for (const { total, met, missing } of Object.values(kinds)) expect(met.length + missing.length).toBe(total);
  expect(await client.control.coverage()).toEqual(kinds);
});

test('what a refused call would have done does not count', async () => {
  const before = await covered();
  await client.api('POST /parcels', { weight: 'heavy' });
  const after = await covered();
  expect(after['transitions']).toEqual(before['transitions']);
});
