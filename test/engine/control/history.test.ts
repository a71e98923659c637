import { startParcels } from './parcels.js';

/** The ledger over HTTP: what has happened, the world at earlier moments, and the way back to them. */

const client = startParcels({ each: 'test' });

const last = (): number => client.engine.world.ledger.count;
const statusOf = async (id: string, at: string | number): Promise<unknown> => {
  const { body } = await client.admin(`GET /state?id=${id}&at=${encodeURIComponent(at)}`);
  const { parcels } = (body['resources'] ?? {}) as Record<string, { status: string }[]>;
  return parcels[0]?.status;
};

describe('GET /ledger', () => {
  test('tells the newest entries, those from one on, and those of an object', async () => {
    const one = await client.parcel();
    const two = await client.parcel();
    await client.done('POST /clock/advance', { duration: '3h' });
    const all = await client.done('GET /ledger');
    expect(all).toMatchObject({ oldest: 1, last: last(), next: null });
    expect(all['data']).toHaveLength(last());
    expect(await client.done('GET /ledger?limit=1')).toMatchObject({ data: [{ entry: last() }], next: null });
    expect(await client.done('GET /ledger?from=1&limit=2')).toMatchObject({
      data: [
        { entry: 1, command: 'begin' },
        { entry: 2, command: 'parcels.create', origin: 'call' },
      ],
      next: 3,
    });
    const { data } = await client.done(`GET /ledger?object=${two}`);
    expect(data).toMatchObject([{ command: 'parcels.create' }, { command: 'timer', args: { object: two } }]);
    const [made] = data as { entry: number; objects: unknown[] }[];
    expect(made.objects).toContainEqual({ op: 'put', collection: 'parcels', id: two });
    expect(one).not.toBe(two);
    expect((await client.admin('GET /ledger?from=99')).status).toBe(404);
    expect((await client.admin('GET /ledger?nonsense=1')).status).toBe(400);
  });

  test('one entry tells all that it changed', async () => {
    const id = await client.parcel();
    const entry = await client.done(`GET /ledger/${last()}`);
    expect(entry).toMatchObject({ entry: last(), command: 'parcels.create', args: { method: 'POST' } });
    expect(entry['changes']).toContainEqual(
      expect.objectContaining({
        op: 'put',
        collection: 'parcels',
        id,
        value: expect.objectContaining({ id }) as object,
      }),
    );
    expect((await client.admin('GET /ledger/1000')).status).toBe(404);
    expect((await client.admin('GET /ledger/nobody')).body).toMatchObject({ error: { code: 'unknown_moment' } });
  });
});

describe('GET /state?at=', () => {
  test('takes an entry, an instant, a trace, a request and the name of a moment', async () => {
    const { body, headers } = await client.api('POST /parcels', {
      to: { street: 'Dam 1', town: 'Amsterdam' },
      weight: 900,
    });
    const id = String(body['id']);
    const entry = last();
    const trace = String(headers.get('x-mock-resolution-trace'));
    await client.done('POST /moments', { name: 'booked' });
    expect(await client.done('GET /state?at=now')).toEqual(await client.done('GET /state'));
    expect((await client.admin('POST /moments', { name: 'now' })).status).toBe(400);
    await client.done('POST /clock/advance', { duration: '3h' });
    const { request, entry: told } = await client.done(`GET /trace/${trace}`);
    expect(told).toBe(entry);
    const requestId = String((request as { id: string }).id);
    for (const at of [entry, '2025-03-01T08:30:00Z', '1740817800', trace, requestId, 'booked'])
      expect([at, await statusOf(id, at)]).toEqual([at, 'booked']);
    expect(await statusOf(id, last())).toBe('collected');
    expect(await client.done(`GET /state?at=${entry}`)).toMatchObject({ now: '2025-03-01T08:00:00.000Z' });
    const { body: before } = await client.admin(`GET /state?at=${entry - 1}&resource=parcels`);
    expect(before['resources']).toEqual({ parcels: [] });
  });

  test('a call that changed nothing has its moment too', async () => {
    const id = await client.parcel();
    const { headers } = await client.api(`GET /parcels/${id}`);
    await client.done('POST /clock/advance', { duration: '3h' });
    expect(await statusOf(id, String(headers.get('x-mock-resolution-trace')))).toBe('booked');
  });

  test('what is no moment is 404, what lies before the world or ahead of it too', async () => {
    for (const at of ['nobody', '0', '77', '2030-01-01T00:00:00Z', '2020-01-01T00:00:00Z'])
      expect((await client.admin(`GET /state?at=${at}`)).body).toMatchObject({ error: { code: 'unknown_moment' } });
  });

  test('a moment older than the bounded ledger is refused with the limit, unless it was saved', async () => {
    await client.close();
    await client.open({ ledgerLimit: 5 });
    const id = await client.parcel();
    const saved = last();
    await client.done('POST /moments', { name: 'first' });
    for (let n = 0; n < 40; n++) await client.parcel();
    const { status, body } = await client.admin(`GET /state?at=${saved + 1}`);
    expect([status, body]).toMatchObject([422, { error: { code: 'beyond_ledger', limit: 5, last: last() } }]);
    const { oldest } = body['error'] as { oldest: number };
    expect((await client.admin(`GET /state?at=${oldest}`)).status).toBe(200);
    expect((await client.admin(`GET /state?at=${oldest - 1}`)).status).toBe(422);
    expect((await client.admin(`GET /ledger?from=2`)).status).toBe(422);
    expect(await statusOf(id, 'first')).toBe('booked');
    const { resources } = await client.done('GET /state?at=first');
    expect((resources as Record<string, unknown[]>)['parcels']).toHaveLength(1);
    await client.done('DELETE /moments/first');
    expect((await client.admin(`GET /state?at=${saved}`)).status).toBe(422);
  });
});

describe('moments', () => {
  test('are saved, listed, replaced and deleted, over resets too', async () => {
    await client.parcel();
    const first = last();
    expect((await client.admin('POST /moments', { name: 'a' })).status).toBe(201);
    await client.parcel();
    expect(await client.done('POST /moments', { name: 'b', at: first })).toMatchObject({ name: 'b', entry: first });
    await client.done('POST /moments', { name: 'a' });
    await client.done('POST /reset');
    expect(await client.done('GET /moments')).toEqual({
      data: [
        { name: 'b', entry: first },
        { name: 'a', entry: first + 1 },
      ],
    });
    expect(await client.done('DELETE /moments/a')).toEqual({ name: 'a', deleted: true });
    expect((await client.admin('DELETE /moments/a')).status).toBe(404);
    for (const name of ['', '12', '2025-01-01T00:00:00Z', 7])
      expect((await client.admin('POST /moments', { name })).status).toBe(400);
  });
});

describe('POST /rewind', () => {
  test('goes back, also over a reset, as an entry of its own; the same calls get the same ids', async () => {
    const id = await client.parcel();
    const booked = last();
    const next = await client.parcel();
    await client.done('POST /reset');
    const before = last();
    expect(await client.done('POST /rewind', { to: booked })).toEqual({
      to: booked,
      entry: before + 1,
      now: '2025-03-01T08:00:00.000Z',
    });
    expect((await client.api(`GET /parcels/${id}`)).body).toMatchObject({ status: 'booked' });
    expect(await client.parcel()).toBe(next);
    await client.done('POST /clock/advance', { duration: '3h' });
    expect((await client.api(`GET /parcels/${id}`)).body).toMatchObject({ status: 'collected' });
    expect(await client.done(`GET /ledger/${before + 1}`)).toMatchObject({
      command: 'rewind',
      args: { body: { to: booked } },
    });
    // And forward again: what was before the way back is history like the rest.
    await client.done('POST /rewind', { to: before });
    expect((await client.api('GET /parcels')).body).toMatchObject({ total: 0 });
  });

  test('what is no moment changes nothing', async () => {
    await client.parcel();
    const before = last();
    expect((await client.admin('POST /rewind', { to: 'nobody' })).status).toBe(404);
    expect((await client.admin('POST /rewind', { to: -1 })).status).toBe(400);
    expect((await client.admin('POST /rewind', {})).status).toBe(400);
    expect(last()).toBe(before);
  });

  test('the client has a method for each', async () => {
    const { control } = client.sandbox;
    await client.parcel();
    const n = last();
    await control.saveMoment('here');
    await control.saveMoment('there', n - 1);
    expect(await control.moments()).toMatchObject({ data: [{ name: 'here' }, { name: 'there' }] });
    expect(await control.ledger({ from: n, limit: 5 })).toMatchObject({ data: [{ entry: n }] });
    expect(await control.entry(n)).toMatchObject({ entry: n });
    expect(await control.state('parcels', 'there')).toMatchObject({ resources: { parcels: [] } });
    await control.rewind('there');
    expect(await control.state('parcels')).toMatchObject({ resources: { parcels: [] } });
    await control.deleteMoment('here');
  });
});
