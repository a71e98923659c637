import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { hashOfKey } from '../../../engine/codecs/index.js';
import { createSandbox, type Sandbox } from '../../../engine/hosting/index.js';
import { PgStore, type Store } from '../../../engine/store/index.js';
import { MemoryStore } from '../../support/memory-store.js';
import type { JournalRecord, LedgerHeader, StoredEntry } from '../../../engine/world/index.js';
import { openFile } from '../../support/file-store.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { postgres, postgresOr } from '../../support/postgres.js';

const folder = scratchFolder();

const HEADER: LedgerHeader = {
  format: 1,
  pack: { name: 'sample', version: '1.0.0', hash: 'abc', vars: { word: "it's \u2028 \0 said" } },
  seed: 'seed',
  t0: 1000,
};

const entry = (n: number, id = `obj_${n}`): StoredEntry => ({
  n,
  at: 1000 + n,
  command: 'things.create',
  origin: 'call',
  request: `req_${n}`,
  trace: null,
  args: { text: 'line\nbreak "quoted" \u00e9 \ud83d\ude00' },
  after: { random: n, seq: n, requests: n, outside: 0 },
  changes: [{ op: 'put', collection: 'things', id, seq: n, value: { id, text: 'x'.repeat(50) } }],
});

const learned = (delivery: string): JournalRecord => ({ kind: 'learned', delivery });
const world = (name: string, expires: number | null = null) => ({ name, key: `key_${name}`, pack: 'sample', expires });

/** Ways to open the same store again and again. */
interface Kind {
  readonly open: () => Promise<Store>;
  readonly reopens: boolean;
  /** How it keeps a key. */
  readonly keyOf: (key: string) => string;
}

const plain = (key: string): string => key;

const STORES: readonly [string, () => Kind][] = [
  ['memory', () => ({ open: () => Promise.resolve(new MemoryStore()), reopens: false, keyOf: plain })],
  [
    'file',
    () => {
      const file = join(folder, `${Math.random().toString(36).slice(2)}.db`);
      return { open: () => openFile(file), reopens: true, keyOf: plain };
    },
  ],
  ...postgresOr<[string, () => Kind][]>([], () => [
    [
      'PostgreSQL',
      () => {
        const url = postgres.newDatabase();
        return { open: async () => PgStore.open(await url), reopens: true, keyOf: hashOfKey };
      },
    ],
  ]),
];

describe.each(STORES)('a store of worlds: %s', (_name, make) => {
  test('continues a world inside of a process, without a port', async () => {
    const { open, reopens } = make();
    let store = await open();
    const key = 'sk_test_inside';
    const headers = { authorization: `Bearer ${key}` };
    const start = (): Promise<Sandbox> => createSandbox({ pack: 'packs/payments', listen: false, key, store });
    const first = await start();
    const made = await first.fetch('/v1/customers', {
      method: 'POST',
      headers,
      body: new URLSearchParams({ name: 'Ada' }),
    });
    const { id } = (await made.json()) as { id: string };
    await first.control.advance('3d');
    await first.close();
    if (reopens) {
      await store.close();
      store = await open();
    }
    const next = await start();
    expect(await (await next.fetch(`/v1/customers/${id}`, { headers })).json()).toMatchObject({ id, name: 'Ada' });
    expect(next.continued).not.toBeNull();
    await next.close();
    await store.close();
  });

  test('finds a world by its id, its name and its key', async () => {
    const { open, keyOf } = make();
    const store = await open();
    const [one, two] = [await store.create(world('one')), await store.create(world("it's two"))];
    for (const each of [one, two]) {
      const { key } = world(each.name);
      expect(each.key).toBe(keyOf(key));
      expect([await store.find(each.id), await store.find(each.name), await store.ofKey(key)]).toEqual([
        each,
        each,
        each,
      ]);
    }
    expect([await store.find('three'), await store.ofKey('one')]).toEqual([undefined, undefined]);
    await store.close();
  });

  test('keeps nothing of a world that was let go', async () => {
    const store = await make().open();
    const { id } = await store.create(world('one'));
    const before = await store.open(id);
    before.keeper.begin(HEADER);
    before.keeper.entry(entry(1));
    await before.release();
    const now = await store.open(id);
    before.keeper.entry(entry(2, 'late'));
    before.keeper.record(learned('late'), 2);
    now.keeper.entry(entry(2));
    await now.release();
    expect((await store.open(id)).kept).toMatchObject({ entries: [entry(1), entry(2)], journal: [] });
    await store.close();
  });

  test('gives back what it was told, in order, at any later time', async () => {
    const { open, reopens, keyOf } = make();
    let store = await open();
    const { id } = await store.create(world('one'));
    const first = await store.open(id);
    expect(first.kept).toBeUndefined();
    first.keeper.begin(HEADER);
    first.keeper.entry(entry(1));
    first.keeper.record(learned('a'), 1);
    await first.keeper.kept();
    expect(first.keeper.kept()).toBeUndefined();
    first.keeper.entry(entry(2));
    first.keeper.record(learned('b'), 2);
    first.keeper.begin({ ...HEADER, seed: 'later' });
    await first.release();
    const again = await store.open(id);
    expect(again.kept).toEqual({
      header: { ...HEADER, seed: 'later' },
      entries: [entry(1), entry(2)],
      journal: [
        { ...learned('a'), after: 1 },
        { ...learned('b'), after: 2 },
      ],
    });
    again.keeper.entry(entry(3));
    await again.release();
    if (reopens) {
      await store.close();
      store = await open();
    }
    expect(await store.worlds()).toEqual([{ ...world('one'), key: keyOf('key_one'), id, head: 3 }]);
    expect((await store.open(id)).kept?.entries).toEqual([1, 2, 3].map((n) => entry(n)));
    await store.close();
  });

  test('keeps worlds apart, in the order in which they were made', async () => {
    const store = await make().open();
    const made = [await store.create(world('b')), await store.create(world('a'))];
    const open = await Promise.all(made.map(({ id }) => store.open(id)));
    for (let n = 1; n <= 20; n++) {
      open.forEach(({ keeper }, index) => {
        if (n === 1) keeper.begin(HEADER);
        keeper.entry(entry(n, `of_${index}_${n}`));
      });
      if (n % 7 === 0) await open[n % 2].keeper.kept();
    }
    await Promise.all(open.map((each) => each.release()));
    expect((await store.worlds()).map(({ name, head }) => [name, head])).toEqual([
      ['b', 20],
      ['a', 20],
    ]);
    const ids = (await Promise.all(made.map(({ id }) => store.open(id)))).map(({ kept }) =>
      kept?.entries.flatMap(({ changes }) => changes.map((change) => ('id' in change ? change.id : ''))),
    );
    expect(ids).toEqual([0, 1].map((index) => Array.from({ length: 20 }, (_, n) => `of_${index}_${n + 1}`)));
    await store.close();
  });

  test('refuses a name that is taken, an unknown world, a world that is open, and everything once it is closed', async () => {
    const store = await make().open();
    const { id } = await store.create(world("it's"));
    await expect(store.create(world("it's"))).rejects.toMatchObject({ code: 'taken' });
    await expect(store.open('w77')).rejects.toMatchObject({ code: 'missing' });
    await expect(store.open('nonsense')).rejects.toMatchObject({ code: 'missing' });
    const open = await store.open(id);
    await expect(store.open(id)).rejects.toMatchObject({ code: 'locked' });
    await expect(store.delete(id)).rejects.toMatchObject({ code: 'locked' });
    await open.release();
    expect(await store.delete(id)).toBe(true);
    expect(await store.delete(id)).toBe(false);
    expect((await store.create(world('next'))).id).not.toBe(id);
    await store.close();
    await expect(store.worlds()).rejects.toMatchObject({ code: 'closed' });
  });

  test('deletes worlds whose time is over, unless they are open', async () => {
    const store = await make().open();
    const over = await store.create(world('over', 500));
    const open = await store.create(world('open', 500));
    await store.create(world('later', 1501));
    await store.create(world('never'));
    await store.open(open.id);
    expect(await store.expire(499)).toEqual([]);
    expect(await store.expire(1500)).toEqual([over.id]);
    expect((await store.worlds()).map(({ name }) => name)).toEqual(['open', 'later', 'never']);
    await store.close();
  });
});

describe('a file of worlds', () => {
  const fresh = () => join(folder, `${Math.random().toString(36).slice(2)}.db`);

  async function filled(file: string, count = 30): Promise<string> {
    const store = await openFile(file);
    const { id } = await store.create(world('one'));
    const { keeper } = await store.open(id);
    keeper.begin(HEADER);
    for (let n = 1; n <= count; n++) {
      keeper.entry(entry(n));
      await keeper.kept();
    }
    await store.close();
    return id;
  }

  test('has one owner at a time', async () => {
    const file = fresh();
    const store = await openFile(file);
    await expect(openFile(file)).rejects.toMatchObject({ code: 'locked' });
    await store.create(world('still mine'));
    await store.close();
    await (await openFile(file)).close();
  });

  test('opens in any SQLite', async () => {
    const file = fresh();
    await filled(file, 3);
    const database = new Database(file, { readonly: true });
    expect(database.prepare('SELECT name, key, head FROM world').raw().all()).toEqual([['one', 'key_one', 3]]);
    expect(database.prepare('PRAGMA integrity_check').raw().all()).toEqual([['ok']]);
    database.close();
  });

  test('is told apart from other files and other formats, which stay as they are', async () => {
    const [text, other, newer] = [fresh(), fresh(), fresh()];
    writeFileSync(text, 'nothing of the kind, and long enough to be looked at. '.repeat(100));
    const before = readFileSync(text);
    await expect(openFile(text)).rejects.toMatchObject({ code: 'format' });
    expect(readFileSync(text)).toEqual(before);
    const database = new Database(other);
    database.exec('CREATE TABLE orders(id INTEGER)');
    database.close();
    const foreign = readFileSync(other);
    await expect(openFile(other)).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining('no store'),
    });
    expect(readFileSync(other)).toEqual(foreign);
    await filled(newer, 1);
    const changed = new Database(newer);
    changed.exec('PRAGMA user_version = 99');
    changed.close();
    await expect(openFile(newer)).rejects.toMatchObject({ code: 'format', message: expect.stringContaining('99') });
    await expect(openFile(join(folder, 'nowhere', 'x.db'))).rejects.toMatchObject({ code: 'failed' });
  });

  test('tells damage instead of serving less', async () => {
    const [gap, scrambled] = [fresh(), fresh()];
    const id = await filled(gap);
    const database = new Database(gap);
    database.exec('DELETE FROM block WHERE head = 12');
    database.close();
    const store = await openFile(gap);
    await expect(store.open(id)).rejects.toMatchObject({ code: 'damaged' });
    expect(await store.worlds()).toHaveLength(1);
    await store.close();
    await filled(scrambled);
    const bytes = openSync(scrambled, 'r+');
    for (let at = 5000; at < statSync(scrambled).size; at += 512) writeSync(bytes, Buffer.alloc(256, 0xee), 0, 256, at);
    closeSync(bytes);
    const reading = openFile(scrambled).then((each) => each.open('w1').finally(() => void each.close()));
    await expect(reading).rejects.toMatchObject({ code: expect.stringMatching(/damaged|failed|format/) });
  });

  test('a torn tail of the log is dropped, and what was whole before it stays', async () => {
    const file = fresh();
    const copy = fresh();
    const store = await openFile(file);
    const { id } = await store.create(world('one'));
    const { keeper } = await store.open(id);
    keeper.begin(HEADER);
    for (let n = 1; n <= 10; n++) {
      keeper.entry(entry(n));
      await keeper.kept();
    }
    // What a machine that stopped in the middle of a write leaves.
    writeFileSync(copy, readFileSync(file));
    writeFileSync(`${copy}-wal`, readFileSync(`${file}-wal`));
    truncateSync(`${copy}-wal`, statSync(`${copy}-wal`).size - 1000);
    await store.close();
    const torn = await openFile(copy);
    const { kept } = await torn.open(id);
    expect(kept?.entries).toEqual(Array.from({ length: 9 }, (_, index) => entry(index + 1)));
    await torn.close();
  });

  test('a full disk ends it with a clear error, and nothing that was safe is lost', async () => {
    const file = fresh();
    const store = await openFile(file, 128 * 1024);
    const { id } = await store.create(world('one'));
    const { keeper } = await store.open(id);
    keeper.begin(HEADER);
    let safe = 0;
    const noise = () => Array.from({ length: 3000 }, () => Math.random().toString(36).slice(2)).join('');
    await expect(
      (async () => {
        for (let n = 1; n < 1000; n++) {
          keeper.entry({ ...entry(n), args: noise() });
          await keeper.kept();
          safe = n;
        }
      })(),
    ).rejects.toMatchObject({ code: 'full' });
    expect(safe).toBeGreaterThan(0);
    expect(store.failure).toMatchObject({ code: 'full' });
    // Never again on the same handle.
    await expect(keeper.kept()).rejects.toMatchObject({ code: 'full' });
    await expect(store.create(world('two'))).rejects.toMatchObject({ code: 'full' });
    await store.close();
    const again = await openFile(file);
    expect((await again.open(id)).kept?.entries).toHaveLength(safe);
    await again.close();
  });

  test('traces are kept without anybody waiting for them', async () => {
    const file = fresh();
    const store = await openFile(file);
    const { id } = await store.create(world('one'));
    const { keeper } = await store.open(id);
    keeper.begin(HEADER);
    await keeper.kept();
    const trace = { kind: 'trace', trace: { id: 'trc_1', subjects: [] }, requests: 3 } as unknown as JournalRecord;
    keeper.record(trace, 0);
    expect(keeper.kept()).toBeUndefined();
    await store.close();
    const again = await openFile(file);
    expect((await again.open(id)).kept?.journal).toEqual([{ ...trace, after: 0 }]);
    await again.close();
  });
});
