import { loadPack } from '../../../engine/index.js';
import { ClockControl } from '../../../engine/runtime/index.js';
import { Engine } from '../../../engine/runtime/index.js';
import { Parcels, startParcels } from './parcels.js';

const client = startParcels({ reset: {} });

const T0 = Date.parse('2025-03-01T08:00:00Z');
const at = (ms: number): string => new Date(T0 + ms).toISOString();
const HOUR = 3_600_000;

/** Puts many parcels into the world, booked when the clock begins. */
async function many(count: number): Promise<void> {
  const to = { street: 'Dam 1', town: 'Amsterdam' };
  const objects = Array.from({ length: count }, (_, n) => ({
    id: `par_${String(n).padStart(10, '0')}`,
    to,
    weight: 1,
  }));
  await client.done('POST /seed', { resource: 'parcels', objects });
}

/** What the clock tells of the advance that was just asked for. */
async function advancing(): Promise<unknown> {
  for (let tries = 0; tries < 100; tries++) {
    const { advancing: told } = await client.done('GET /clock');
    if (told !== null) return told;
  }
  return null;
}

describe('POST /clock/advance', () => {
  test.each<[object, number]>([
    [{ duration: '60s' }, 60_000],
    [{ duration: '1d12h' }, 36 * HOUR],
    [{ duration: '1500ms' }, 1500],
    [{ duration: '32d' }, 32 * 24 * HOUR],
    [{ to: '2025-03-01T09:00:00Z' }, HOUR],
    [{ to: T0 / 1000 + 7 }, 7000],
  ])('%j', async (body, ms) => {
    expect(await client.done('POST /clock/advance', body)).toEqual({
      now: at(ms),
      fired: 0,
      events: [],
      events_total: 0,
    });
    expect(await client.done('GET /clock')).toMatchObject({ now: at(ms), t0: at(0), mode: 'frozen', advancing: null });
  });

  test('what falls due happens in order, each at its own time', async () => {
    const [one, two] = [await client.parcel(), await client.parcel()];
    expect(await client.done('GET /clock')).toMatchObject({ timers: 2, next_due: at(2 * HOUR) });
    const answer = await client.done('POST /clock/advance', { duration: '2d' });
    expect(answer).toMatchObject({
      now: at(48 * HOUR),
      fired: 4,
      events_total: 4,
      events: [
        { type: 'parcel.collected', parcel: { id: one }, at: at(2 * HOUR) },
        { type: 'parcel.collected', parcel: { id: two }, at: at(2 * HOUR) },
        { type: 'parcel.delivered', parcel: { id: one }, at: at(38 * HOUR) },
        { type: 'parcel.delivered', parcel: { id: two }, at: at(38 * HOUR) },
      ],
    });
    const { body } = await client.api('GET /events');
    expect([...(body['items'] as unknown[])].reverse().slice(2)).toEqual(answer['events']);
  });

  test.each<[object, string]>([
    [{}, 'duration'],
    [{ duration: '0s' }, 'duration'],
    [{ duration: '-1d' }, 'duration'],
    [{ duration: 'soon' }, 'duration'],
    [{ duration: 60 }, 'duration'],
    [{ duration: '99999999d' }, 'duration'],
    [{ to: '2025-03-01T08:00:00Z' }, 'to'],
    [{ to: '2025-03-01T07:59:59Z' }, 'to'],
    [{ to: 'tomorrow' }, 'to'],
    [{ to: 999_999_999_999 }, 'to'],
    [{ duration: '1h', to: '2026-01-01' }, 'to'],
  ])('%j is 400', async (body, path) => {
    const answer = await client.admin('POST /clock/advance', body);
    expect([answer.status, answer.body]).toMatchObject([400, { error: { path } }]);
    expect(await client.done('GET /clock')).toMatchObject({ now: at(0) });
  });

  test('others are answered while it is under way, and a second advance waits its turn', async () => {
    await many(10_000);
    const ended: string[] = [];
    const advance = (name: string): Promise<unknown> =>
      client.done('POST /clock/advance', { duration: '1d' }).then((body) => {
        ended.push(name);
        return body['now'];
      });
    const both = [advance('first')];
    const seen = await advancing();
    expect(seen).toMatchObject({ from: at(0), to: at(24 * HOUR), fired: expect.any(Number) });
    both.push(advance('second'));
    expect((await client.api('GET /parcels?size=1')).status).toBe(200);
    expect(ended).toEqual([]);
    expect(await Promise.all(both)).toEqual([at(24 * HOUR), at(48 * HOUR)]);
    expect(ended).toEqual(['first', 'second']);
  });

  test('a reset ends an advance under way', async () => {
    await many(10_000);
    const advance = client.admin('POST /clock/advance', { duration: '2d' });
    expect(await advancing()).not.toBe(null);
    await client.done('POST /reset');
    expect(await advance).toMatchObject({ status: 409, body: { error: { code: 'world_reset' } } });
    expect(await client.done('GET /clock')).toMatchObject({ now: at(0), timers: 0, advancing: null });
  });
});

describe('durations', () => {
  test('the whole table is told, with what is overridden', async () => {
    const before = await client.done('GET /clock/durations');
    expect(before).toEqual({
      durations: {
        pickup_time: { default: '2h', value: '2h', overridden: false, description: 'from booked to collected' },
        transit_time: {
          default: '1d12h',
          value: '1d12h',
          overridden: false,
          description: 'from collected to the door',
        },
        storage_time: {
          default: '7d',
          value: '7d',
          overridden: false,
          description: 'how long the depot keeps what was refused',
        },
      },
    });
    const after = await client.done('POST /clock/durations', {
      durations: { pickup_time: '0s', transit_time: '90m' },
    });
    expect(after).toMatchObject({
      durations: {
        pickup_time: { value: '0s', overridden: true },
        transit_time: { default: '1d12h', value: '1h30m', overridden: true },
      },
    });
    expect(await client.done('GET /clock/durations')).toEqual(after);
    expect(
      await client.done('POST /clock/durations', { durations: { pickup_time: null, transit_time: null } }),
    ).toEqual(before);
  });

  test('a wait of nothing ends within the call that begins it', async () => {
    await client.done('POST /clock/durations', { durations: { pickup_time: '0s', transit_time: '0s' } });
    expect((await client.api(`GET /parcels/${await client.parcel()}`)).body).toMatchObject({ status: 'delivered' });
  });

  test('a wait of none never ends by itself', async () => {
    await client.done('POST /clock/durations', { durations: { pickup_time: 'none' } });
    const id = await client.parcel();
    await client.done('POST /clock/advance', { duration: '3650d' });
    expect((await client.api(`GET /parcels/${id}`)).body).toMatchObject({ status: 'booked' });
    expect(await client.done('GET /clock')).toMatchObject({ next_due: null });
  });

  test.each<[object, number, object]>([
    [{}, 400, { code: 'missing_key', path: 'durations' }],
    [{ durations: [] }, 400, { path: 'durations' }],
    [{ durations: { pickup_time: 5 } }, 400, { path: 'durations.pickup_time' }],
    [{ durations: { pickup_time: 'soon' } }, 400, { path: 'durations.pickup_time' }],
    [
      { durations: { transit_time: '1s', pickup_tme: '1s' } },
      404,
      { code: 'unknown_duration', suggestion: 'pickup_time' },
    ],
  ])('%j -> %i, and nothing is changed', async (body, status, error) => {
    const before = await client.done('GET /clock/durations');
    const answer = await client.admin('POST /clock/durations', body);
    expect([answer.status, answer.body]).toMatchObject([status, { error }]);
    expect(await client.done('GET /clock/durations')).toEqual(before);
  });
});

describe('ClockControl', () => {
  function engineWith(parcels: number): Engine {
    const { pack } = loadPack('test/packs/parcels');
    if (!pack) throw new Error('the pack has mistakes');
    const engine = new Engine(pack, {
      seed: 's',
      t0: T0,
      ledgerLimit: 10,
      traceLimit: 10,
      onDefect: (error) => expect(error).toBe(null),
    });
    const to = { street: 'Dam 1', town: 'Amsterdam' };
    engine.seed({ parcels: Array.from({ length: parcels }, (_, n) => ({ id: `par_000000000${n}`, to, weight: 1 })) });
    return engine;
  }

  test('an advance has a budget; what was due before it is committed', async () => {
    const engine = engineWith(3);
    const clock = new ClockControl(engine, null, { timerBudget: 4, reported: 3 });
    const first = await clock.advanceBy(10 * 24 * HOUR);
    expect([first.stopped, first.fired, first.total, first.events.length]).toEqual(['budget', 4, 4, 3]);
    expect(engine.world.now).toBe(at(38 * HOUR));
    expect(await clock.advance(T0 + 240 * HOUR)).toMatchObject({ stopped: null, fired: 2 });
    expect(engine.world.now).toBe(at(240 * HOUR));
    expect(clock.progress).toBe(null);
  });

  test('an advance that meets its budget exactly gets there', async () => {
    const clock = new ClockControl(engineWith(2), null, { timerBudget: 4 });
    expect(await clock.advanceBy(10 * 24 * HOUR)).toMatchObject({ stopped: null, fired: 4 });
  });

  test('a long advance reports once a second how far it has got', async () => {
    const engine = engineWith(1);
    engine.seed({
      parcels: Array.from({ length: 2000 }, (_, n) => ({
        id: `par_${String(n).padStart(10, '1')}`,
        to: { street: 'Dam 1', town: 'Amsterdam' },
        weight: 1,
      })),
    });
    let wall = 0;
    const reports: number[] = [];
    const clock = new ClockControl(engine, null, {
      // Every look at the clock finds a second gone.
      wallMs: () => (wall += 1_000),
      onProgress: ({ fired, nowMs, to }) => {
        expect(nowMs).toBeLessThanOrEqual(to);
        reports.push(fired);
      },
    });
    const { fired } = await clock.advanceBy(10 * 24 * HOUR);
    expect(reports.length).toBeGreaterThan(0);
    expect(reports).toEqual([...reports].sort((a, b) => a - b));
    expect(reports.at(-1)).toBeLessThanOrEqual(fired);
  });

  test('realtime follows wall time until it is closed', async () => {
    const engine = engineWith(1);
    let wall = 1_000_000;
    const clock = new ClockControl(engine, null, { wallMs: () => wall });
    clock.followWallTime();
    clock.followWallTime();
    expect(clock.mode).toBe('realtime');
    const until = async (nowMs: number): Promise<void> => {
      while (engine.world.nowMs !== nowMs) await new Promise((resolve) => engine.world.onMove(resolve));
    };
    wall += 2 * HOUR;
    await until(T0 + 2 * HOUR);
    expect(engine.world.objects(engine.model.byCollection.get('parcels')?.index ?? -1)).toMatchObject([
      { status: 'collected' },
    ]);
    wall -= HOUR;
    await new Promise((resolve) => setTimeout(resolve, 150));
    wall += HOUR + 5;
    await until(T0 + 3 * HOUR + 5);
    clock.close();
    expect(clock.mode).toBe('frozen');
  });

  test('a served world can follow wall time', async () => {
    const live = await new Parcels({ clock: 'realtime' }).open();
    const before = await live.done('GET /clock');
    expect(before).toMatchObject({ mode: 'realtime' });
    while ((await live.done('GET /clock'))['now'] === before['now']);
    await live.close();
  });
});
