import { startParcels } from './parcels.js';

/** What differs between two moments and why; and a clock that stops at an event. */

const client = startParcels({ each: 'test' });

const last = (): number => client.engine.world.ledger.count;

interface Told {
  readonly objects: readonly { readonly collection: string; readonly id: string; readonly by: number }[];
  readonly entries: readonly { readonly entry: number }[];
}

/** What differs, events apart. */
async function diff(query: string): Promise<Told> {
  const told = (await client.done(`GET /diff?${query}`)) as unknown as Told;
  return { ...told, objects: told.objects.filter(({ collection }) => collection !== 'events') };
}

describe('GET /diff', () => {
  test('of a moment with itself is empty', async () => {
    await client.parcel();
    for (const n of [1, last()])
      expect(await client.done(`GET /diff?from=${n}&to=${n}`)).toMatchObject({
        objects: [],
        objects_total: 0,
        entries: [],
      });
    expect(await client.done(`GET /diff?from=${last()}`)).toMatchObject({ objects: [] });
  });

  test('tells objects, fields, and the call, timer or cause that made each so', async () => {
    const old = await client.parcel();
    const start = last();
    const id = await client.parcel();
    const made = last();
    await client.done('POST /clock/advance', { duration: '3h' });
    await client.done('POST /world/events', { cause: 'parcel.lost', params: { parcel_id: old, reason: 'a train' } });
    const told = await diff(`from=${start}`);
    expect(told.objects).toMatchObject([
      {
        collection: 'parcels',
        id: old,
        change: 'changed',
        by: last(),
        fields: expect.arrayContaining([
          expect.objectContaining({ field: 'reason', from: null, to: 'a train', by: last() }),
          expect.objectContaining({ field: 'status', from: 'booked', by: last() }),
        ]) as object,
      },
      { collection: 'parcels', id, change: 'created', by: made },
    ]);
    const by = (n: number): unknown => told.entries.find(({ entry }) => entry === n);
    expect(by(made)).toMatchObject({ command: 'parcels.create', origin: 'call' });
    expect(by(last())).toMatchObject({ command: 'cause parcel.lost', origin: 'cause' });
    const half = await diff(`from=${made}&to=${last() - 1}`);
    expect(half.objects).toMatchObject([
      { id: old, fields: [{ field: 'status', from: 'booked', to: 'collected', transition: { to: 'collected' } }] },
      { id, fields: [{ field: 'status' }] },
    ]);
    expect(half.entries).toMatchObject([{ command: 'timer' }, { command: 'timer' }]);
  });

  test('a rewind makes equal what it goes back to', async () => {
    await client.parcel();
    const start = last();
    await client.parcel();
    await client.done('POST /rewind', { to: start });
    expect(await client.done(`GET /diff?from=${start}`)).toMatchObject({ objects: [], objects_total: 0 });
    const back = await diff(`from=${start + 1}`);
    expect(back.objects).toMatchObject([{ collection: 'parcels', change: 'deleted', by: last() }]);
  });

  test('from must not be later than to, and both must be moments', async () => {
    await client.parcel();
    expect((await client.admin(`GET /diff?from=${last()}&to=1`)).status).toBe(400);
    expect((await client.admin('GET /diff?from=nobody')).status).toBe(404);
    expect((await client.admin('GET /diff')).status).toBe(400);
  });
});

describe('GET /why', () => {
  test('leads from a value over the timer to who armed it and who moved the clock', async () => {
    const id = await client.parcel();
    const made = last();
    await client.done('POST /clock/advance', { duration: '3h' });
    expect(await client.done(`GET /why?object=${id}&field=status`)).toMatchObject({
      collection: 'parcels',
      value: 'collected',
      chain: [
        { did: 'wrote', command: 'timer', from: 'booked', to: 'collected', transition: { from: 'booked' } },
        { did: 'moved the clock', command: 'clock', args: { route: 'POST /clock/advance' } },
        { did: 'armed the timer', entry: made, command: 'parcels.create' },
      ],
      earlier: [{ entry: made, from: null, to: 'booked' }],
    });
    expect(await client.done(`GET /why?object=${id}&field=to.town`)).toMatchObject({
      value: 'Amsterdam',
      chain: [{ did: 'wrote', entry: made }],
      earlier: [],
    });
  });

  test('a value that was pinned names the pin', async () => {
    await client.done('POST /exogenous/pins', { resource: 'parcels', path: 'mood', value: 'cross' });
    const pinned = last();
    const id = await client.parcel();
    await client.done('POST /clock/advance', { duration: '9d' });
    expect(await client.done(`GET /why?object=${id}&field=mood`)).toMatchObject({
      value: 'cross',
      chain: expect.arrayContaining([
        expect.objectContaining({ did: 'wrote', source: 'pin' }),
        expect.objectContaining({ did: 'pinned', entry: pinned }),
      ]) as object,
    });
  });

  test('an object that is gone has a history too; what never was is 404', async () => {
    const id = await client.parcel();
    await client.done('POST /reset');
    expect(await client.done(`GET /why?object=${id}&field=status`)).toMatchObject({
      value: null,
      chain: [{ did: 'wrote', command: 'reset', from: 'booked', to: null }],
    });
    expect((await client.admin('GET /why?object=par_none&field=status')).status).toBe(404);
    expect((await client.admin(`GET /why?object=${id}&field=statsu`)).body).toMatchObject({
      error: { code: 'unknown_field', suggestion: 'status' },
    });
  });
});

describe('POST /clock/advance with until', () => {
  test('stops right after the command that emits the event', async () => {
    await client.parcel();
    const told = await client.done('POST /clock/advance', { until: { event: 'parcel.delivered' }, at_most: '60d' });
    expect(told).toMatchObject({ now: '2025-03-02T22:00:00.000Z', fired: 2, events_total: 2 });
    expect(told['events']).toMatchObject([{ type: 'parcel.collected' }, { type: 'parcel.delivered' }]);
    expect(await client.done('GET /clock')).toMatchObject({ now: '2025-03-02T22:00:00.000Z', advancing: null });
  });

  test('of one object, leaving what comes behind it', async () => {
    const [, two] = [await client.parcel(), await client.parcel()];
    await client.parcel();
    const told = await client.control.advance({ until: { event: 'parcel.collected', object: two } });
    expect(told).toMatchObject({ fired: 2, events_total: 2 });
    expect(await client.done('GET /clock')).toMatchObject({ timers: 3, next_due: told['now'] });
  });

  test('what does not happen in time is 422, and the clock has moved', async () => {
    await client.parcel();
    const { status, body } = await client.admin('POST /clock/advance', {
      until: { event: 'parcel.delivered' },
      at_most: '1d',
    });
    expect([status, body]).toMatchObject([
      422,
      { error: { code: 'event_did_not_come', now: '2025-03-02T08:00:00.000Z', fired: 1, events_total: 1 } },
    ]);
  });

  test.each<[number, object]>([
    [404, { until: { event: 'parcel.delivred' } }],
    [400, { until: { event: 'parcel.delivered' }, duration: '1d' }],
    [400, { until: {} }],
    [400, { until: { event: 'parcel.delivered', nonsense: 1 } }],
    [400, { at_most: '1d', duration: '1d' }],
    [400, { until: { event: 'parcel.delivered' }, at_most: '0s' }],
  ])('%d for %j', async (status, body) => {
    expect((await client.admin('POST /clock/advance', body)).status).toBe(status);
  });
});
