import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PgStore } from '../../../engine/store/index.js';
import type { Checkpoint, JournalRecord, LedgerHeader, StoredEntry } from '../../../engine/world/index.js';
import { describePostgres, postgres } from '../../support/postgres.js';

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
  postgres.query(url, "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND granted");

interface Silent {
  readonly url: string;
  /** Resolves when a connection has become silent. */
  readonly begun: Promise<void>;
  end(): void;
}

/** The way to a database on which a connection is silent from a statement on, as when its cable is cut; the others go on. */
async function silentFrom(url: string, statement: string): Promise<Silent> {
  const to = new URL(url);
  const [port, host] = [Number(to.port), to.hostname];
  const sockets = new Set<Socket>();
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const server = createServer((caller) => {
    const database = connect(port, host);
    for (const socket of [caller, database]) sockets.add(socket.on('error', () => undefined));
    let isSilent = false;
    caller.on('data', (data) => {
      isSilent ||= data.includes(statement);
      if (isSilent) begin();
      else database.write(data);
    });
    database.on('data', (data) => isSilent || caller.write(data));
    caller.on('close', () => isSilent || database.destroy());
    database.on('close', () => isSilent || caller.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  to.port = String((server.address() as AddressInfo).port);
  const end = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: to.href, begun, end };
}

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

  test('goes to somebody else when its owner is cut off, who then answers nothing', async () => {
    const { url, a, b, id, close } = await pair();
    const world = await a.open(id);
    world.keeper.begin(HEADER);
    world.keeper.entry(entry(1));
    await world.keeper.kept();
    expect(await b.orphans()).toEqual([]);
    await cut(url);
    // A claim waits for one lease at most and never tries again: what it comes to is the law, whatever the time.
    const taken = await b.open(id);
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
    await postgres.query(url, 'UPDATE sandbox.world SET epoch = epoch + 1, slot = NULL');
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

  test('a replica that falls silent in the middle of a snapshot holds its world for seconds, and no statement outlives its caller', async () => {
    const url = await postgres.newDatabase();
    const silent = await silentFrom(url, 'INSERT INTO sandbox.piece');
    const [a, b] = [await PgStore.open(silent.url, replica('a')), await PgStore.open(url, replica('b'))];
    const { id } = await a.create(wanted);
    const world = await a.open(id);
    world.keeper.begin(HEADER);
    world.keeper.entry(entry(1));
    await world.keeper.kept();
    world.keeper.checkpoint?.({ base: entry(1), moments: [], journal: [] });
    world.keeper.entry(entry(2));
    const lost = Promise.resolve(world.keeper.kept()).catch((error: unknown) => error);
    await silent.begun;
    // Its process is cut off as a whole, so that the session of the locks ends too.
    await cut(url);
    let claim: Awaited<ReturnType<PgStore['claim']>> | null = null;
    while (claim?.kind !== 'mine') {
      claim = await b.claim(id).catch(() => null);
      if (claim?.kind !== 'mine') await sleep(50);
    }
    expect(claim.world.kept?.entries).toEqual([entry(1)]);
    const waiting = `SELECT state, wait_event FROM pg_stat_activity WHERE datname = current_database()
      AND (state = 'idle in transaction' OR wait_event_type = 'Lock')`;
    expect(await postgres.query(url, waiting)).toEqual([]);
    silent.end();
    expect(await lost).toMatchObject({ code: 'failed' });
    await Promise.all([a.close(), b.close()]);
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

  test('lets worlds go that only told what nobody waits for, while others are busy', async () => {
    const { a, id, close } = await pair();
    const trace = { kind: 'trace', trace: { id: 'trc_1' }, requests: 3 } as unknown as JournalRecord;
    const [busy, late] = [await a.open(id), await a.open((await a.create({ ...wanted, name: 'late' })).id)];
    late.keeper.begin(HEADER);
    await late.keeper.kept();
    for (let n = 1; n <= 20; n++) {
      busy.keeper.entry(entry(n, 'z'.repeat(10_000)));
      if (n === 10) late.keeper.record(trace, 0);
      await new Promise(setImmediate);
    }
    await late.release();
    await busy.release();
    await close();
  });

  test('begins with the last snapshot', async () => {
    const { a, b, id, close } = await pair();
    const world = await a.open(id);
    world.keeper.begin(HEADER);
    const text = 'y'.repeat(100_000);
    let n = 0;
    while (!world.keeper.isCheckpointDue?.()) {
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

  test('takes one lock of the database, however many worlds it has', async () => {
    const { url, a, close } = await pair();
    const locks = async (): Promise<unknown> =>
      (
        await postgres.query(
          url,
          `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory'
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        )
      )[0];
    for (let number = 2; number <= 30; number++) await a.open((await a.create({ ...wanted, name: `n${number}` })).id);
    expect(await locks()).toEqual({ n: 2 });
    await close();
  });

  test('shares no database with replicas of the format before, and goes on once they have left', async () => {
    const { url, id, close } = await pair();
    await close();
    await postgres.query(
      url,
      `DROP TABLE sandbox.replica, sandbox.file, sandbox.file_part; UPDATE sandbox.format SET number = 1;
       ALTER TABLE sandbox.world DROP COLUMN slot, ADD COLUMN owner text, ADD COLUMN url text`,
    );
    const older = new pg.Client({ connectionString: url });
    await older.connect();
    await older.query('SELECT pg_advisory_lock($1, 1)', [0x73626f78]);
    await expect(PgStore.open(url)).rejects.toMatchObject({ code: 'locked' });
    await older.end();
    const next = await PgStore.open(url, replica('c'));
    const { epoch } = await next.open(id);
    expect(epoch).toBe(1);
    await next.close();
  });

  test('keeps the files of worlds, once for all that have them', async () => {
    const url = await postgres.newDatabase();
    const store = await PgStore.open(url);
    const bytes = randomBytes(1_500_000);
    const parts = async (): Promise<number> => (await postgres.query(url, 'SELECT FROM sandbox.file_part')).length;
    const { id } = await store.create(wanted);
    const first = await store.open(id);
    first.keeper.begin(HEADER);
    const writer = first.files.writer();
    await writer.write(bytes);
    const large = await writer.finish();
    first.files.release(large);
    const small = first.files.put(bytes.subarray(0, 100_000));
    await first.keeper.kept();
    const fork = await store.create({ ...wanted, name: 'two', key: 'other' });
    const second = await store.open(fork.id);
    second.keeper.begin(HEADER);
    second.files.adopt(first.files);
    await second.keeper.kept();
    expect(await parts()).toBe(3);
    await first.release();
    expect(await store.delete(id)).toBe(true);
    expect(await parts()).toBe(3);
    await second.release();
    const again = await store.open(fork.id);
    expect(again.files.read(large).equals(bytes)).toBe(true);
    await postgres.query(url, 'UPDATE sandbox.file_part SET body = body || body WHERE octet_length(body) = 100000');
    await again.release();
    const damaged = await store.open(fork.id);
    expect(damaged.files.read(large).equals(bytes)).toBe(true);
    expect(() => damaged.files.read(small)).toThrow('gone');
    await damaged.release();
    await store.delete(fork.id);
    expect(await parts()).toBe(0);
    await store.close();
  });

  test('serves for a role that may not change tables', async () => {
    const { url, id, close } = await pair();
    await close();
    await postgres.query(
      url,
      `CREATE ROLE serving LOGIN; GRANT USAGE ON SCHEMA sandbox TO serving;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA sandbox TO serving`,
    );
    const as = new URL(url);
    as.username = 'serving';
    const store = await PgStore.open(as.href, replica('c'));
    const world = await store.open(id);
    world.keeper.begin(HEADER);
    await world.release();
    expect(await store.delete(id)).toBe(true);
    await store.close();
  });

  test('makes its tables once, however many begin, and leaves those of a later version alone', async () => {
    const url = await postgres.newDatabase();
    const all = await Promise.all(Array.from({ length: 5 }, () => PgStore.migrate(url)));
    expect(all.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(['0 3', '3 3', '3 3', '3 3', '3 3']);
    await postgres.query(url, 'UPDATE sandbox.format SET number = 99');
    await expect(PgStore.open(url)).rejects.toMatchObject({ code: 'format', message: expect.stringContaining('99') });
    await expect(PgStore.open('postgres://nobody@127.0.0.1:1/nothing')).rejects.toMatchObject({ code: 'failed' });
  });
}

describePostgres('worlds in PostgreSQL', tests);
