import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import Database from 'libsql';
import { FileStore, type OpenWorld, StoreError } from '../../../engine/store/index.js';
import type { LedgerHeader, StoredEntry } from '../../../engine/world/index.js';
import { Tables } from '../../../engine/store/tables.js';
import { flipStores } from '../../../tools/develop/fuzz/flips.js';
import { openFile, WORKER } from '../../support/file-store.js';
import { sampleCount, sampleOf } from '../../support/sample.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const folder = scratchFolder();

const HEADER: LedgerHeader = {
  format: 1,
  pack: { name: 'sample', version: '1.0.0', hash: 'abc', vars: {} },
  seed: 'seed',
  t0: 0,
};

const entry = (n: number): StoredEntry => ({
  n,
  at: n,
  command: 'things.create',
  origin: 'call',
  request: null,
  trace: null,
  args: {},
  after: { random: n, seq: n, requests: n, outside: 0 },
  changes: [{ op: 'put', collection: 'things', id: `obj_${n}`, seq: n, value: { id: `obj_${n}` } }],
});

async function begun(file: string) {
  const store = await openFile(file);
  const { id } = await store.create({ name: 'one', key: 'key', pack: 'sample', expires: null });
  const world: OpenWorld = await store.open(id);
  world.keeper.begin(HEADER);
  world.keeper.entry(entry(1));
  await world.keeper.kept();
  return { store, id, world };
}

test('a flipped bit or a missing end is reported or changes nothing', async () => {
  const counts = await flipStores(sampleCount(100, 10), 7, WORKER);
  expect(counts).toMatchObject({ served: [], silent: [] });
  expect(counts.atStart).toBeGreaterThan(2);
}, 180_000);

/** All that a file holds, read in this thread, which is fast. @throws when something is reported */
function contentsOf(file: string): unknown {
  const tables = new Tables({ file, maxBytes: null, isDamaged: false });
  try {
    const whole = tables.read(1);
    const found = [tables.worlds(), tables.find('one'), tables.ofKey('key'), whole, tables.blocks(1, 1)];
    if (tables.integrity().length > 0) throw new Error(tables.integrity().join());
    return [...found, tables.pieces(1, 1)];
  } finally {
    tables.close();
  }
}

test('a schema with a flipped bit is reported or changes nothing', async () => {
  const file = join(folder, 'schema.db');
  const { store, world } = await begun(file);
  world.keeper.checkpoint?.({ base: entry(1), moments: [], journal: [] });
  await world.release();
  await store.close();
  const bytes = readFileSync(file);
  const sound = contentsOf(file);
  const outcomeOf = (at: number, bit: number): string => {
    const copy = Buffer.from(bytes);
    copy[at] ^= 1 << bit;
    const other = join(folder, 'flipped.db');
    for (const each of ['', '-wal', '-shm']) rmSync(`${other}${each}`, { force: true });
    writeFileSync(other, copy);
    let contents: unknown;
    try {
      contents = contentsOf(other);
    } catch {
      return 'reported';
    }
    return isDeepStrictEqual(contents, sound) ? 'unchanged' : `bit ${bit} of byte ${at} is served`;
  };
  const page = bytes.subarray(0, 4096).toString('latin1');
  // SQLite takes a column of the type `INTEGER QRIMARY KEY`.
  const keys = [...page.matchAll(/PRIMARY/g)].map(({ index }) => outcomeOf(index, 0));
  expect(keys).toEqual(['reported', 'reported', 'reported', 'reported']);
  const served: string[] = [];
  // The texts fill the page from its end.
  for (let at = page.search(/table|index/); at < page.length; at += 9) {
    const outcome = outcomeOf(at, at % 8);
    if (outcome !== 'reported' && outcome !== 'unchanged') served.push(outcome);
  }
  expect(served).toEqual([]);
});

test('a log with a flipped bit is reported or changes nothing', async () => {
  const file = join(folder, 'logged.db');
  const { store, world } = await begun(file);
  for (let n = 2; n <= 5; n++) {
    world.keeper.entry(entry(n));
    await world.keeper.kept();
  }
  // As a kill leaves it: the newest entries are in the log only.
  const [bytes, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
  await world.release();
  await store.close();
  let copies = 0;
  const contentsWith = (changed: Buffer): unknown => {
    const other = join(folder, `flipped-log-${copies++}.db`);
    writeFileSync(other, bytes);
    writeFileSync(`${other}-wal`, changed);
    const tables = new Tables({ file: other, maxBytes: null, isDamaged: false });
    try {
      return tables.leftOut().length > 0 ? 'reported' : [tables.worlds(), tables.read(1), tables.blocks(1, 1)];
    } finally {
      tables.close();
    }
  };
  const sound = contentsWith(log);
  const counts = { reported: 0, unchanged: 0 };
  const served: string[] = [];
  // Some bytes of the head, the marks of all frames, and some of what they hold.
  const frames = Array.from({ length: (log.length - 32) / (24 + 4096) }, (_, frame) => 32 + frame * (24 + 4096));
  const fields = [3, 7, 9, 14, 20, 2000];
  const places = [
    0,
    7,
    9,
    17,
    30,
    ...frames.flatMap((at, frame) => [at + fields[frame % 6], at + fields[(frame + 3) % 6]]),
  ];
  for (const [index, at] of sampleOf([...places.entries()], 3)) {
    const changed = Buffer.from(log);
    changed[at] ^= 1 << (index % 8);
    let found: unknown = 'reported';
    try {
      found = contentsWith(changed);
    } catch (error) {
      expect(String(error)).toContain('damaged');
    }
    if (found === 'reported') counts.reported++;
    else if (isDeepStrictEqual(found, sound)) counts.unchanged++;
    else served.push(`byte ${at}`);
  }
  expect(served).toEqual([]);
  expect(counts).toEqual({ reported: sampleOf(places, 3).length, unchanged: 0 });
});

test('a write that was interrupted is left out, and the start says so', async () => {
  const file = join(folder, 'torn.db');
  const { store, world } = await begun(file);
  world.keeper.entry(entry(2));
  await world.keeper.kept();
  const [bytes, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
  await world.release();
  await store.close();
  const other = join(folder, 'torn-copy.db');
  writeFileSync(other, bytes);
  writeFileSync(`${other}-wal`, Buffer.concat([log.subarray(0, -2000), Buffer.alloc(2000)]));
  const torn = await openFile(other);
  expect(await torn.leftOut()).toEqual([expect.stringContaining('the last write to its log')]);
  expect(await torn.integrity()).toEqual(await torn.leftOut());
  expect((await torn.worlds()).map(({ head }) => head)).toEqual([1]);
  await torn.close();
  const again = await openFile(other);
  expect(await again.leftOut()).toEqual([]);
  await again.close();
});

/** A world of six entries with a snapshot of the third, each entry in a block of its own, and what is exported of it. */
async function sixEntries(file: string): Promise<readonly string[]> {
  const { store, world } = await begun(file);
  for (let n = 2; n <= 6; n++) {
    world.keeper.entry(entry(n));
    await world.keeper.kept();
    const changes = [1, 2, 3].flatMap((each) => entry(each).changes);
    if (n === 3) world.keeper.checkpoint?.({ base: { ...entry(3), changes }, moments: [], journal: [] });
  }
  await world.release();
  const lines: string[] = [];
  for await (const line of store.export('w1')) lines.push(line);
  await store.close();
  return lines;
}

/** Changes the last byte of a body, which its checksum finds. */
const spoil = (table: string, which: string) => (database: InstanceType<typeof Database>) =>
  database.exec(`UPDATE ${table} SET body = CAST(substr(body, 1, length(body) - 1) || x'00' AS BLOB) WHERE ${which}`);
const BLOCK = 2 ** 32;

interface Repair {
  readonly damage: (database: InstanceType<typeof Database>) => unknown;
  readonly head: number;
  readonly lost: { readonly from: number; readonly to: number } | null;
  readonly isHistoryLost: boolean;
}

test.each<readonly [string, Repair]>([
  ['nothing', { damage: () => null, head: 6, lost: null, isHistoryLost: false }],
  ['the snapshot', { damage: spoil('piece', 'true'), head: 6, lost: null, isHistoryLost: false }],
  [
    'the row of the snapshot',
    { damage: (it) => it.exec('UPDATE snapshot SET place = 5'), head: 6, lost: null, isHistoryLost: false },
  ],
  [
    'how many entries there are',
    { damage: (it) => it.exec('UPDATE world SET head = 2, place = 1'), head: 6, lost: null, isHistoryLost: false },
  ],
  [
    'a block before the snapshot',
    { damage: spoil('block', `pos = ${BLOCK + 2}`), head: 6, lost: null, isHistoryLost: true },
  ],
  [
    'a block after the snapshot',
    { damage: spoil('block', `pos = ${BLOCK + 5}`), head: 4, lost: { from: 5, to: 6 }, isHistoryLost: false },
  ],
  [
    'the last block, which is gone',
    {
      damage: (it) => it.exec(`DELETE FROM block WHERE pos = ${BLOCK + 6}`),
      head: 5,
      lost: { from: 6, to: 6 },
      isHistoryLost: false,
    },
  ],
  [
    'the snapshot and a block',
    {
      damage: (it) => (spoil('piece', 'true')(it), spoil('block', `pos = ${BLOCK + 3}`)(it)),
      head: 2,
      lost: { from: 3, to: 6 },
      isHistoryLost: false,
    },
  ],
  [
    'the schema',
    {
      damage: (it) =>
        it.exec(`PRAGMA writable_schema = ON;
          UPDATE sqlite_master SET sql = replace(sql, 'PRIMARY', 'QRIMARY') WHERE name = 'snapshot'`),
      head: 6,
      lost: null,
      isHistoryLost: false,
    },
  ],
])('a repair brings back what is sound when this is damaged: %s', async (name, { damage, ...expected }) => {
  const file = join(folder, `repair ${name}.db`);
  const whole = await sixEntries(file);
  const database = new Database(file);
  damage(database);
  database.close();
  const broken = await FileStore.open(file, { worker: WORKER, isDamaged: true });
  const { lines, source, ...part } = await broken.soundPart('w1');
  expect(source.whole.record.head).toBe(expected.head);
  expect(part).toMatchObject({ lost: expected.lost, isHistoryLost: expected.isHistoryLost });
  expect(part.damage.length > 0).toBe(!['nothing', 'the schema'].includes(name));
  const repaired: string[] = [];
  for await (const line of lines) repaired.push(line);
  await broken.close();
  const kept = repaired.filter((line) => !line.includes('"sandbox":"world"'));
  expect(whole).toEqual(expect.arrayContaining(kept));
  // What is written starts, and has all that it says.
  const other = await openFile(`${file}.new`);
  await other.import(repaired);
  expect((await other.check('w1')).wrong).toEqual([]);
  const { kept: started } = await other.open('w1');
  expect((started?.base?.n ?? 0) + (started?.entries.length ?? 0)).toBe(expected.head);
  await other.close();
});

test('a repair refuses a world of which nothing is sound', async () => {
  const file = join(folder, 'nothing.db');
  await sixEntries(file);
  const database = new Database(file);
  spoil('piece', 'true')(database);
  spoil('block', `pos = ${BLOCK + 1}`)(database);
  database.close();
  const broken = await FileStore.open(file, { worker: WORKER, isDamaged: true });
  await expect(broken.soundPart('w1')).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringMatching(/nothing of world w1 can be restored: .*checksum of piece 1/),
  });
  await broken.close();
});

test('what is no text any more is reported, not read by the driver, which would end the process', async () => {
  const file = join(folder, 'texts.db');
  const { store, world } = await begun(file);
  await world.release();
  await store.close();
  const bytes = readFileSync(file);
  // A row of the world, its texts and its header.
  const from = bytes.indexOf('onekeysample') - 24;
  const outcomes = new Set<string>();
  for (let at = from; at < from + 48; at += sampleCount(1, 5)) {
    const copy = Buffer.from(bytes);
    copy[at] ^= 0x80;
    const other = join(folder, `texts-${at}.db`);
    writeFileSync(other, copy);
    const opened = await openFile(other).catch((error: unknown) => error as StoreError);
    outcomes.add(opened instanceof StoreError ? opened.code : 'opened');
    if (!(opened instanceof StoreError)) await opened.close();
  }
  expect([...outcomes]).toContain('damaged');
  expect(outcomes).not.toContain('failed');
});

const GONE: readonly [string, string, (file: string) => void][] = [
  ['deleted', 'was deleted', (file) => rmSync(file)],
  ['emptied', 'shrank from', (file) => truncateSync(file, 0)],
  ['shortened', 'shrank from', (file) => truncateSync(file, 4096)],
  ['robbed of its log', 'was deleted', (file) => rmSync(`${file}-wal`)],
  [
    'replaced by a copy',
    'was replaced',
    (file) => {
      copyFileSync(file, `${file}.copy`);
      rmSync(file);
      copyFileSync(`${file}.copy`, file);
    },
  ],
];

test.each(GONE)('nothing is acknowledged once the file is %s', async (name, message, damage) => {
  const file = join(folder, `${name}.db`);
  // The file is as large as it gets only once the log has been copied into it.
  await begun(file).then(({ store }) => store.close());
  const store = await openFile(file);
  const world = await store.open('w1');
  world.keeper.entry(entry(2));
  await world.keeper.kept();
  damage(file);
  world.keeper.entry(entry(3));
  const failed = { code: 'failed', message: expect.stringContaining(message) };
  await expect(world.keeper.kept()).rejects.toMatchObject(failed);
  expect(store.failure).toMatchObject(failed);
  await expect(store.worlds()).rejects.toMatchObject(failed);
  await store.close();
});

test('an empty file is no store', async () => {
  const file = join(folder, 'empty.db');
  writeFileSync(file, '');
  await expect(openFile(file)).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringContaining('delete the file to begin with a new world'),
  });
});

test('a store from before checksums opens, and what is written to it has them', async () => {
  const file = join(folder, 'older.db');
  const old = new Database(file);
  old.exec('PRAGMA application_id = 1935830904; PRAGMA user_version = 3');
  old.exec(`CREATE TABLE world(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, key TEXT NOT NULL,
    pack TEXT NOT NULL, expires INTEGER, head INTEGER NOT NULL, header TEXT)`);
  old.exec('CREATE TABLE opened(at TEXT NOT NULL)');
  old.exec(
    'CREATE TABLE block(pos INTEGER PRIMARY KEY, head INTEGER NOT NULL, codec INTEGER NOT NULL, body BLOB NOT NULL)',
  );
  old.exec(`CREATE TABLE snapshot(world INTEGER PRIMARY KEY, entry INTEGER NOT NULL, place INTEGER NOT NULL,
    lines INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, size INTEGER NOT NULL)`);
  old.exec('CREATE TABLE piece(pos INTEGER PRIMARY KEY, codec INTEGER NOT NULL, body BLOB NOT NULL)');
  old.exec(`INSERT INTO world VALUES (1, 'one', 'key', 'sample', NULL, 2, '${JSON.stringify(HEADER)}')`);
  for (const n of [1, 2]) {
    const body = brotliCompressSync(JSON.stringify(entry(n))).toString('hex');
    old.exec(`INSERT INTO block VALUES (${2 ** 32 + n}, ${n}, 1, x'${body}')`);
  }
  old.close();

  const first = await openFile(file);
  const world = await first.open('w1');
  expect(world.kept?.entries).toEqual([entry(1), entry(2)]);
  world.keeper.entry(entry(3));
  await world.release();
  await first.close();

  const second = await openFile(file);
  expect(await second.integrity()).toEqual([]);
  expect((await second.check('w1')).wrong).toEqual([]);
  await second.compact('w1');
  expect((await second.open('w1')).kept?.entries).toEqual([entry(1), entry(2), entry(3)]);
  await second.close();
});
