import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSandbox, LedgerMismatch } from '../../../engine/index.js';
import { PackCache } from '../../../engine/pack/index.js';
import { FileStore, type OpenWorld, type StoreError } from '../../../engine/store/index.js';
import type { LedgerHeader, StoredEntry } from '../../../engine/world/index.js';
import { openFile } from '../../support/file-store.js';
import { sampleOf } from '../../support/sample.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { skipped } from '../../support/skipped.js';
import { call } from '../../support/http.js';

/** Disks that fail, and files that do not fit: what was safe stays, and whoever waits hears of it. */

const folder = scratchFolder();
let files = 0;
const fresh = (): string => join(folder, `${files++}.db`);

const HEADER: LedgerHeader = {
  format: 1,
  pack: { name: 'sample', version: '1.0.0', hash: 'abc', vars: {} },
  seed: 'seed',
  t0: 1000,
};

/** Text that does not get smaller. */
const noise = (length: number): string => randomBytes((length * 3) / 4).toString('base64');

const entry = (n: number, length: number): StoredEntry => ({
  n,
  at: 1000 + n,
  command: 'things.create',
  origin: 'call',
  request: null,
  trace: null,
  args: noise(length),
  after: { random: n, seq: n, requests: n, outside: 0 },
  changes: [{ op: 'put', collection: 'things', id: `obj_${n}`, seq: n, value: { id: `obj_${n}` } }],
});

/** A thread whose disk breaks after so many statements. */
function breaking(after: number): URL {
  const file = join(folder, `breaking-${after}.mjs`);
  const module = pathToFileURL(join(process.cwd(), 'dist', 'tools', 'develop', 'kills', 'failing-worker.js'));
  writeFileSync(file, `process.env.SANDBOX_FAIL_AFTER = '${after}'; await import('${module.href}');`);
  return pathToFileURL(file);
}

/** Tells entries until they cannot be kept; gives the reason and the number of the last one that was safe. */
async function fill({ keeper }: OpenWorld, from: number, length: number): Promise<{ error: unknown; safe: number }> {
  let safe = from - 1;
  try {
    for (let n = from; n < from + 500; n++) {
      const told = entry(n, length);
      keeper.entry(told);
      if (keeper.isCheckpointDue?.(true)) {
        const base = { ...told, changes: [{ op: 'reset', t0: 1000, keep: [] } as const, ...told.changes] };
        keeper.checkpoint?.({ base, moments: [], journal: [] });
      }
      await keeper.kept();
      safe = n;
    }
  } catch (error) {
    return { error, safe };
  }
  throw new Error('the disk never broke');
}

/** Number of the last entry that is there; throws unless all before it are. */
async function headOf(file: string): Promise<number> {
  const store = await openFile(file);
  const { kept, record } = await store.open('w1');
  await store.close();
  expect((kept?.base?.n ?? 0) + (kept?.entries.length ?? 0)).toBe(record.head);
  return record.head;
}

test.each(sampleOf([15, 16, 17, 18, 33, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54], 3))(
  'a write that fails (the %ith) is told, nothing is written after it, and what was safe is there',
  async (after) => {
    const file = fresh();
    const before = await openFile(file);
    await before.create({ name: 'one', key: 'key', pack: 'sample', expires: null });
    const world = await before.open('w1');
    world.keeper.begin(HEADER);
    await before.close();

    const store = await FileStore.open(file, { worker: breaking(after) });
    // Snapshots are written every few entries of this size, so that some of the failures hit one.
    const { error, safe } = await fill(await store.open('w1'), 1, 2 ** 20);
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(failed|full)$/),
      message: expect.stringContaining(file),
    });
    expect(store.failure).toBe(error);
    await expect(store.create({ name: 'two', key: 'key', pack: 'sample', expires: null })).rejects.toBe(error);
    await store.close();
    const head = await headOf(file);
    // The last one may have been done, though nobody could tell.
    expect([safe, safe + 1]).toContain(head);
  },
);

test('a disk that breaks at the start, and a thread that dies, are told', async () => {
  const file = fresh();
  for (const after of [0, 3, 5, 9])
    await expect(FileStore.open(file, { worker: breaking(after) })).rejects.toMatchObject({
      code: expect.stringMatching(/^(failed|full)$/),
    });
  const dying = join(folder, 'dying.mjs');
  const module = pathToFileURL(join(process.cwd(), 'dist', 'engine', 'store', 'worker.js'));
  writeFileSync(dying, `await import('${module.href}'); setTimeout(() => process.exit(3), 300);`);
  const store = await FileStore.open(file, { worker: pathToFileURL(dying) });
  await store.create({ name: 'one', key: 'key', pack: 'sample', expires: null });
  const open = await store.open('w1');
  open.keeper.begin(HEADER);
  await open.keeper.kept();
  await new Promise((resolve) => setTimeout(resolve, 600));
  open.keeper.entry(entry(1, 100));
  await expect(open.keeper.kept()).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('ended') });
  await store.close();
  expect(await headOf(file)).toBe(0);
});

test('a disk that is really full is told as full; with room again everything that was safe is there', async () => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    skipped('a disk that is really full. This machine lets nobody make a small one.');
    return;
  }
  try {
    const file = join(disk, 'worlds.db');
    const store = await openFile(file);
    await store.create({ name: 'one', key: 'key', pack: 'sample', expires: null });
    const world = await store.open('w1');
    world.keeper.begin(HEADER);
    const { error, safe } = await fill(world, 1, 50_000);
    expect(error).toMatchObject({ code: 'full' });
    expect(safe).toBeGreaterThan(5);
    await store.close();
    // Without room it does not even start, and says why.
    const again = await openFile(file).catch((refused: StoreError) => refused);
    if (again instanceof FileStore) await again.close();
    else expect(again).toMatchObject({ code: expect.stringMatching(/^(full|failed)$/) });
    execFileSync('mount', ['-o', 'remount,size=64m', disk]);
    expect([safe, safe + 1]).toContain(await headOf(file));
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
});

test('a world whose store breaks answers 503 and nothing else; a restart has all that was answered', async () => {
  const file = fresh();
  await (await openFile(file)).close();
  const options = {
    pack: 'packs/payments',
    cache: PackCache.ofInstallation(),
    key: 'sk_test_of_the_tests',
  };
  const told: string[] = [];
  const onDefect = (_error: unknown, what: string): void => void told.push(what);
  const store = await FileStore.open(file, { worker: breaking(60) });
  const sandbox = await createSandbox({ ...options, store, onDefect });
  const made: string[] = [];
  let refused: unknown;
  for (let n = 0; n < 100 && refused === undefined; n++) {
    const response = await call<{ readonly id: string }>(sandbox, 'POST /v1/customers');
    const { body } = response;
    if (response.status === 200) made.push(body.id);
    else refused = [response.status, body];
  }
  expect(refused).toEqual([503, { error: { code: 'store_failed', message: expect.any(String) } }]);
  expect((await call(sandbox, 'GET /v1/customers')).status).toBe(503);
  expect(told).toEqual(['the store of this world, which serves nothing any more']);
  await sandbox.close();
  await store.close();

  const whole = await openFile(file);
  const again = await createSandbox({ ...options, store: whole });
  const found = again.engine.world.collections.flatMap((each) =>
    each.config.name === 'customers' ? each.ordered().all() : [],
  );
  expect(found.map(({ id }) => id).slice(0, made.length)).toEqual(made);
  expect(made.length).toBeGreaterThan(5);
  await again.close();
  await whole.close();
});

test('a world of another pack, version or format is refused and stays as it is', async () => {
  const file = fresh();
  const cache = PackCache.ofInstallation();
  const store = await openFile(file);
  await (await createSandbox({ pack: 'packs/payments', cache, store })).close();
  const [{ head }] = await store.worlds();
  const open = (pack: string, vars?: Record<string, string>) => createSandbox({ pack, cache, store, vars });
  await expect(open('packs/task-automation')).rejects.toThrow(LedgerMismatch);
  await expect(open('packs/payments', { vendor: 'other' })).rejects.toThrow(/variables/);
  const world = await store.open('w1');
  const header = world.kept?.header;
  if (!header) throw new Error('it has begun');
  for (const [wrong, reason] of [
    [{ ...header, format: 99 }, /format 99/],
    [{ ...header, pack: { ...header.pack, version: '0.0.1' } }, /0\.0\.1/],
    [{ ...header, pack: { ...header.pack, hash: 'other' } }, /files/],
  ] as const) {
    world.keeper.begin(wrong);
    await world.keeper.kept();
    await world.release();
    await expect(open('packs/payments')).rejects.toThrow(LedgerMismatch);
    await expect(open('packs/payments')).rejects.toThrow(reason);
    Object.assign(world, await store.open('w1'));
  }
  world.keeper.begin(header);
  await world.release();
  const again = await open('packs/payments');
  expect(again.continued).toBe(head);
  await again.close();
  await store.close();
});
