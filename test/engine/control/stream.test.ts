import { EventStream, type StreamEvent } from '../../support/event-stream.js';
import { Parcels, startParcels } from './parcels.js';

/** What happens, as it happens. */

const client = startParcels({ reset: {} });
const { receiver } = client;
const open: EventStream[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function stream(query = '', headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
  const url = `${client.url}/__admin__/stream${query}`;
  const opened = await EventStream.open(url, { Authorization: `Bearer ${client.key}`, ...headers });
  open.push(opened);
  return opened;
}

const isCall = (path: string) => (event: StreamEvent) =>
  event.type === 'call' && (event.data['request'] as { path: string }).path === path;
const entriesOf = ({ events }: EventStream): unknown[] =>
  events.flatMap(({ type, data }) => (type === 'entry' ? [data['entry']] : []));

test('a call, its entry and its delivery are told, in order, and where the reader is', async () => {
  await client.done('POST /webhooks/endpoints', { url: `${receiver.url}/hook`, events: ['parcel.booked'] });
  const live = await stream();
  expect(live.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(live.response.headers.get('cache-control')).toBe('no-store, no-transform');
  const id = await client.parcel();
  const call = await live.find(isCall('/api/parcels'));
  const entry = await live.find(({ type }) => type === 'entry');
  const delivery = await live.find(({ type, data }) => type === 'delivery' && data['status'] === 'delivered');
  const { count } = client.engine.world.ledger;
  expect(entry.data).toMatchObject({
    entry: count,
    command: 'parcels.create',
    origin: 'call',
    trace: call.data['trace'],
    events: [{ type: 'parcel.booked' }],
  });
  expect(entry.data['changes']).toContainEqual({ op: 'put', collection: 'parcels', id });
  expect(call.data).toMatchObject({ operation: 'parcels.create', status: 201, outcome: 'normal', entry: count });
  expect(call.id).toBe(`${count}:${String(call.data['trace'])}`);
  expect(delivery.data).toMatchObject({ event: { type: 'parcel.booked' }, attempts: 1 });
  expect(live.events.findIndex(({ type }) => type === 'entry')).toBeLessThan(live.events.indexOf(call));
});

test('reads are told too, and moves of the clock with the transitions that they bring', async () => {
  const id = await client.parcel();
  const live = await stream();
  await client.api(`GET /parcels/${id}`);
  await live.find(isCall(`/api/parcels/${id}`));
  await client.done('POST /clock/advance', { duration: '3h' });
  const fired = await live.find(({ data }) => data['command'] === 'timer');
  expect(fired.data).toMatchObject({ transitions: [{ id, from: 'booked', to: 'collected' }], args: { object: id } });
  const clock = await live.find(({ type, data }) => type === 'clock' && data['now'] !== live.events[0].data['now']);
  expect(clock.data['now']).toBe('2025-03-01T11:00:00.000Z');
});

test('a reader who comes back hears what it missed, once', async () => {
  const before = await stream();
  const first = await client.parcel();
  const seen = await before.find(isCall('/api/parcels'));
  await before.close();
  await client.api(`GET /parcels/${first}`);
  await client.parcel();
  const { count } = client.engine.world.ledger;
  const again = await stream('', { 'Last-Event-ID': seen.id });
  await again.find(({ type }) => type === 'clock');
  expect(entriesOf(again)).toEqual([count]);
  expect(again.events.filter(({ type }) => type === 'call').map(({ data }) => data['operation'])).toEqual([
    'parcels.retrieve',
    'parcels.create',
  ]);
  const all = await stream('?from=0');
  await all.find(({ type }) => type === 'clock');
  expect(entriesOf(all).at(-1)).toBe(count);
});

test('what can no longer be told is told as a gap', async () => {
  const small = await new Parcels({ ledgerLimit: 5 }).open();
  try {
    for (let n = 0; n < 40; n++) await small.parcel();
    const { oldest, count } = small.engine.world.ledger;
    expect(oldest).toBeGreaterThan(2);
    const headers = { Authorization: `Bearer ${small.key}` };
    const live = await EventStream.open(`${small.url}/__admin__/stream?from=1`, headers);
    await live.find(({ type }) => type === 'clock');
    const gap = live.events.find(({ type }) => type === 'gap');
    expect(gap?.data['from']).toBe(2);
    expect(entriesOf(live)[0]).toBe(Number(gap?.data['to']) + 1);
    expect(entriesOf(live).at(-1)).toBe(count);
    const other = await EventStream.open(`${small.url}/__admin__/stream?from=9999`, headers);
    expect((await other.find(({ type }) => type === 'gap')).data).toEqual({ from: 1, to: count });
    await Promise.all([live.close(), other.close()]);
  } finally {
    await small.close();
  }
});

test('a slow reader gets a gap instead of holding what it does not read', async () => {
  const live = await stream();
  await live.find(({ type }) => type === 'clock');
  const { engine } = client.sandbox;
  // One turn of the loop: nobody can read meanwhile.
  for (let n = 0; n < 2_500; n++)
    engine.command('test', 'control', ({ transaction, world }) => {
      transaction.write(world.durations, 'pickup_time', n);
    });
  const gap = await live.find(({ type }) => type === 'gap');
  const last = engine.world.ledger.count;
  expect(gap.data).toEqual({ from: last - 2_500 + 1_000 + 1, to: last });
  await client.parcel();
  await live.find(({ type, data }) => type === 'entry' && data['entry'] === last + 1);
});

test('resets, rewinds and named moments are told', async () => {
  const live = await stream();
  await client.done('POST /moments', { name: 'here' });
  await live.find(({ type, data }) => type === 'moment' && data['name'] === 'here');
  await client.done('POST /rewind', { to: 'here' });
  await live.find(({ data }) => data['command'] === 'rewind');
  await live.find(({ type }) => type === 'reset');
});

test('without a reader nobody is told; the end of a world ends its streams', async () => {
  const own = await new Parcels().open();
  const { world } = own.engine;
  const headers = { Authorization: `Bearer ${own.key}` };
  const live = await EventStream.open(`${own.url}/__admin__/stream`, headers);
  await live.find(({ type }) => type === 'clock');
  // A stream that were waited for as a call is would outlast this test.
  await own.close(10 * 60_000);
  await live.ended;
  expect(world.isWatched).toBe(false);
});

test('refusals: no key, a strange place', async () => {
  const url = `${client.url}/__admin__/stream`;
  expect((await fetch(url)).status).toBe(401);
  const wrong = await client.admin('GET /stream', undefined, { 'Last-Event-ID': 'yesterday' });
  expect(wrong.status).toBe(400);
  expect((await client.admin('GET /stream?from=-1')).status).toBe(400);
});
