import { setTimeout as sleep } from 'node:timers/promises';
import { PgStore } from '../../../engine/store/index.js';
import type { Checkpoint, LedgerHeader, StoredEntry } from '../../../engine/world/index.js';
import { postgres, postgresOr } from '../../support/postgres.js';

const HEADER: LedgerHeader = {
  format: 1,
  pack: { name: 'sample', version: '1.0.0', hash: 'abc', vars: {} },
  seed: 'seed',
  t0: 0,
};

const entry = (n: number, text = 'x'): StoredEntry => ({
  n,
  at: n,
  command: 'things.create',
  origin: 'call',
  request: null,
  trace: null,
  args: {},
  after: { random: n, seq: n, requests: n, outside: 0 },
  changes: [{ op: 'put', collection: 'things', id: `obj_${n}`, seq: n, value: { id: `obj_${n}`, text } }],
});

const wanted = { name: 'one', key: 'key', pack: 'sample', expires: null };

/** Ends the sessions that hold locks, as a cut cable or an administrator does. */
const cut = (url: string): Promise<unknown> =>
  postgres.query(url, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted");

function tests(): void {
  const replica = (id: string) => ({ me: { id, url: `http://${id}` } });

  async function pair() {
    const url = await postgres.newDatabase();
    const [a, b] = [await PgStore.open(url, replica('a')), await PgStore.open(url, replica('b'))];
    const { id } = await a.create(wanted);
    return { url, a, b, id, close: () => Promise.all([a.close(), b.close()]) };
  }

  test('has one owner at a time, and tells where it is', async () => {
    const { a, b, id, close } = await pair();
    const world = await a.open(id);
    expect(await b.claim(id)).toEqual({ kind: 'elsewhere', owner: { url: 'http://a', epoch: 1 } });
    await expect(b.delete(id)).rejects.toMatchObject({ code: 'locked' });
    expect(await b.expire(Date.now())).toEqual([]);
    await world.release();
    const next = await b.open(id);
    expect(next.epoch).toBe(2);
    expect(await a.claim(id)).toMatchObject({ owner: { url: 'http://b' } });
    await close();
  });

  test('goes to somebody else within a second when its owner is cut off, who then answers nothing', async () => {
    const { url, a, b, id, close } = await pair();
    const world = await a.open(id);
    world.keeper.begin(HEADER);
    world.keeper.entry(entry(1));
    await world.keeper.kept();
    expect(await b.orphans()).toEqual([]);
    await cut(url);
    const begun = performance.now();
    const taken = await b.open(id);
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(taken.kept?.entries).toEqual([entry(1)]);
    expect(await world.lost).toMatchObject({ code: 'failed' });
    await expect(world.keeper.kept()).rejects.toMatchObject({ code: 'failed' });
    world.keeper.entry(entry(2, 'late'));
    await expect(world.keeper.kept()).rejects.toMatchObject({ code: 'failed' });
    taken.keeper.entry(entry(2));
    await taken.release();
    expect((await a.open(id)).kept?.entries).toEqual([entry(1), entry(2)]);
    await close();
  });

  test('writes nothing for an owner whose epoch is over', async () => {
    const { url, a, b, id, close } = await pair();
    const world = await a.open(id);
    world.keeper.begin(HEADER);
    world.keeper.entry(entry(1));
    await world.keeper.kept();
    await postgres.query(url, 'UPDATE sandbox.world SET epoch = epoch + 1');
    world.keeper.entry(entry(2, 'stale'));
    await expect(world.keeper.kept()).rejects.toMatchObject({ message: expect.stringContaining('another owner') });
    await world.lost;
    await sleep(50);
    expect((await b.open(id)).kept?.entries).toEqual([entry(1)]);
    await close();
  });

  test('one world that is lost takes no other with it', async () => {
    const { url, a, id, close } = await pair();
    const other = await a.create({ ...wanted, name: 'other' });
    const [lost, safe] = [await a.open(id), await a.open(other.id)];
    await postgres.query(url, "UPDATE sandbox.world SET epoch = 9 WHERE name = 'one'");
    for (const { keeper } of [lost, safe]) keeper.entry(entry(1));
    await expect(lost.keeper.kept()).rejects.toMatchObject({ code: 'failed' });
    await safe.keeper.kept();
    await close();
  });

  test('asks the database before it answers after a pause', async () => {
    const { a, id, close } = await pair();
    const world = await a.open(id);
    expect(world.keeper.kept()).toBeUndefined();
    const until = performance.now() + 600;
    while (performance.now() < until);
    const asked = world.keeper.kept();
    expect(asked).toBeInstanceOf(Promise);
    await asked;
    expect(world.keeper.kept()).toBeUndefined();
    await close();
  });

  test('is told of what others do with worlds, and finds those that nobody goes on with', async () => {
    const { url, a, id, close } = await pair();
    const heard: string[] = [];
    const watching = await PgStore.open(url, {
      me: { id: 'c', url: 'http://c' },
      onNotice: ({ kind, world }) => void heard.push(`${kind} ${world}`),
    });
    await (await a.open(id)).release();
    expect(await watching.orphans()).toEqual([]);
    await (await a.open(id)).release(true);
    expect(await watching.orphans()).toEqual([id]);
    await a.delete(id);
    while (heard.length < 4) await sleep(5);
    expect(heard).toEqual([`owner ${id}`, `owner ${id}`, `free ${id}`, `gone ${id}`]);
    await watching.close();
    await close();
  });

  test('goes on after a restart of the database', async () => {
    const { a, b, id, close } = await pair();
    const world = await a.open(id);
    world.keeper.begin(HEADER);
    world.keeper.entry(entry(1));
    await world.keeper.kept();
    postgres.server.restart();
    await world.lost;
    await expect(world.keeper.kept()).rejects.toMatchObject({ code: 'failed' });
    const again = await b.open(id);
    expect(again.kept?.entries).toEqual([entry(1)]);
    again.keeper.entry(entry(2));
    await again.keeper.kept();
    await close();
  });

  test('begins with the last snapshot', async () => {
    const { a, b, id, close } = await pair();
    const world = await a.open(id);
    world.keeper.begin(HEADER);
    const text = 'y'.repeat(100_000);
    let n = 0;
    while (!world.keeper.wantsCheckpoint?.()) {
      world.keeper.entry(entry(++n, text));
      await world.keeper.room();
    }
    const base: StoredEntry = {
      ...entry(n),
      changes: Array.from({ length: 2500 }, (_, index) => entry(index + 1).changes[0]),
    };
    const checkpoint: Checkpoint = { base, moments: [], journal: [{ kind: 'learned', delivery: 'd' }] };
    world.keeper.checkpoint?.(checkpoint);
    world.keeper.entry(entry(n + 1));
    await world.release();
    const { kept } = await b.open(id);
    expect(kept).toMatchObject({ base, entries: [entry(n + 1)], journal: checkpoint.journal });
    expect(await a.check(id)).toEqual([]);
    await close();
  });

  test('makes its tables once, however many begin, and leaves those of a later version alone', async () => {
    const url = await postgres.newDatabase();
    const all = await Promise.all(Array.from({ length: 5 }, () => PgStore.migrate(url)));
    expect(all.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(['0 1', '1 1', '1 1', '1 1', '1 1']);
    await postgres.query(url, 'UPDATE sandbox.format SET number = 99');
    await expect(PgStore.open(url)).rejects.toMatchObject({ code: 'format', message: expect.stringContaining('99') });
    await expect(PgStore.open('postgres://nobody@127.0.0.1:1/nothing')).rejects.toMatchObject({ code: 'failed' });
  });
}

describe(
  'worlds in PostgreSQL',
  postgresOr(
    () => test.skip('PostgreSQL is not installed', () => undefined),
    () => tests,
  ),
);
