import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import type { LedgerHeader, StoredChange, StoredEntry } from '../../../engine/world/index.js';
import { openFile } from '../../support/file-store.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { runSandbox } from '../../support/processes.js';

/** `sandbox worlds`: what is in a store, without a server. */

const folder = scratchFolder();

const HEADER: LedgerHeader = {
  format: 1,
  pack: { name: 'sample', version: '1.0.0', hash: 'abc', vars: {} },
  seed: 'seed',
  t0: 1000,
};

/** Text that takes as much room as it is long, with characters that some take for the end of a line. */
const noise = (length: number): string =>
  `\u2028\u0085 ${Array.from({ length: length / 8 }, () => Math.random().toString(36).slice(2, 10)).join('')}`;

const entry = (n: number, length = 100): StoredEntry => ({
  n,
  at: 1000 + n,
  command: 'things.create',
  origin: 'call',
  request: `req_${n}`,
  trace: null,
  args: noise(length),
  after: { random: n, seq: n, requests: n, outside: 0 },
  changes: [{ op: 'put', collection: 'things', id: `obj_${n}`, seq: n, value: { id: `obj_${n}` } }],
});

/** A store of a world with a snapshot in the middle, and of a small one. */
async function filled(file: string): Promise<void> {
  const store = await openFile(file);
  await store.create({ name: 'large', key: 'key_1', pack: 'sample', expires: null });
  await store.create({ name: 'small', key: 'key_2', pack: 'sample', expires: Date.UTC(2100, 0) });
  const [large, small] = [await store.open('w1'), await store.open('w2')];
  large.keeper.begin(HEADER);
  small.keeper.begin(HEADER);
  const changes: StoredChange[] = [{ op: 'reset', t0: 1000, keep: [] }];
  let snapshots = 0;
  for (let n = 1; n <= 40; n++) {
    const told = entry(n, 250_000);
    changes.push(...told.changes);
    large.keeper.entry(told);
    large.keeper.record({ kind: 'learned', delivery: `d_${n}` }, n);
    if (large.keeper.isCheckpointDue?.(true)) {
      snapshots++;
      large.keeper.checkpoint?.({ base: { ...told, changes: [...changes] }, moments: [], journal: [] });
    }
    if (n % 3 === 0) await large.keeper.kept();
  }
  for (let n = 1; n <= 3; n++) small.keeper.entry(entry(n));
  await large.release();
  await small.release();
  await store.close();
  expect(snapshots).toBe(1);
}

const contents = async (file: string, name: string) => {
  const store = await openFile(file);
  const record = await store.find(name);
  const { kept } = await store.open(String(record?.id));
  await store.close();
  return { kept, record: { ...record, id: '', name: '' } };
};

const worlds = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await runSandbox(['worlds', ...args]);
  return { code, stdout, stderr };
};

test('lists, checks, exports, imports and compacts worlds', async () => {
  const [file, other] = [join(folder, 'a.db'), join(folder, 'b.db')];
  await filled(file);
  const listed = await worlds('list', file, '--json');
  const told = JSON.parse(listed.stdout) as { worlds: { name: string; head: number; snapshot: number | null }[] };
  expect(told.worlds).toEqual([
    expect.objectContaining({ id: 'w1', name: 'large', pack: 'sample', head: 40, expires: null }),
    expect.objectContaining({ id: 'w2', name: 'small', head: 3, snapshot: null, expires: '2100-01-01T00:00:00.000Z' }),
  ]);
  const snapshot = Number(told.worlds[0].snapshot);
  expect(snapshot).toBeGreaterThan(20);
  expect((await worlds('list', file)).stdout).toMatch(/^id +name +pack +entries.*\nw1 +large +sample +40 /);
  expect(await worlds('check', file)).toMatchObject({ code: 0, stdout: '2 worlds, no problems\n' });

  const exported = join(folder, 'large.world');
  expect((await worlds('export', file, 'large', '--out', exported)).code).toBe(0);
  const imported = await worlds('import', other, exported, '--name', 'copy', '--json');
  expect(JSON.parse(imported.stdout)).toEqual({ id: 'w1', name: 'copy', pack: 'sample', head: 40 });
  const before = await contents(file, 'large');
  expect(before.kept?.base?.n).toBe(snapshot);
  expect(await contents(other, 'copy')).toEqual(before);
  const again = await worlds('import', other, exported, '--name', 'copy', '--json');
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('store_taken')]);

  // Nothing is lost by putting blocks together, and nothing that a start needs by forgetting.
  expect((await worlds('compact', file)).code).toBe(0);
  expect(await contents(file, 'large')).toEqual(before);
  const whole = await worlds('export', file, 'w1', '--out', join(folder, 'again.world'));
  expect(whole.code).toBe(0);
  const forgotten = await worlds('compact', file, '--forget', '--json');
  const sizes = JSON.parse(forgotten.stdout) as { before: number; after: number };
  expect(sizes.after).toBeLessThan(sizes.before * 0.6);
  expect(await contents(file, 'large')).toEqual(before);
  expect((await contents(file, 'small')).kept?.entries).toHaveLength(3);
  expect((await worlds('check', file, '--json')).stdout).toBe('{"worlds":2,"wrong":[],"unused":[]}\n');
  expect((await worlds('export', file, 'large', '--out', exported)).code).toBe(0);
  expect((await worlds('import', other, exported, '--name', 'forgetful')).code).toBe(0);
  expect(await contents(other, 'forgetful')).toEqual(before);
});

test('tells damage, and refuses what is no store, no world and no export', async () => {
  const file = join(folder, 'damaged.db');
  await filled(file);
  const database = new Database(file);
  // History before the snapshot: a start would not notice.
  database.exec('DELETE FROM block WHERE pos = (SELECT min(pos) + 2 FROM block)');
  database.close();
  const checked = await worlds('check', file);
  expect([checked.code, checked.stdout]).toEqual([
    1,
    expect.stringMatching(/^w1: .*block 3 of world w1 is missing\n$/),
  ]);

  const large = join(folder, 'large.repaired.world');
  const repaired = await worlds('repair', file, 'large', '--out', large, '--json');
  expect(repaired.code).toBe(1);
  expect(JSON.parse(repaired.stdout)).toMatchObject({
    name: 'large',
    head: 40,
    file: large,
    lost: null,
    isHistoryLost: true,
    damage: ['block 3 of world w1 is missing'],
  });
  const [fresh, small] = [join(folder, 'fresh.db'), join(folder, 'small.world')];
  expect((await worlds('import', fresh, large)).code).toBe(0);
  expect(await contents(fresh, 'large')).toEqual(await contents(file, 'large'));
  const sound = await worlds('repair', file, 'w2', '--out', small);
  expect([sound.code, sound.stdout]).toEqual([
    0,
    expect.stringMatching(/^small \(w2\), up to entry 3: .*\nno entry is lost\n$/),
  ]);

  const held = await openFile(file);
  expect((await worlds('repair', file, 'large', '--json')).stderr).toContain('store_locked');
  expect((await worlds('list', file, '--json')).stderr).toContain('store_locked');
  await held.close();
  const text = join(folder, 'text.world');
  writeFileSync(text, 'nothing of the kind');
  const refusals: readonly [readonly string[], string][] = [
    [['list', join(folder, 'none.db')], 'store_missing'],
    [['export', file, 'nobody'], 'store_missing'],
    [['import', file, text], 'store_format'],
    [['import', file, join(folder, 'none.world')], 'file_missing'],
    [['list', text], 'store_format'],
    [['repair', file, 'large', '--out', text], 'file_exists'],
    [['repair', file, 'nobody'], 'store_missing'],
  ];
  for (const [args, code] of refusals) {
    const refused = await worlds(...args, '--json');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(code)]);
  }
  expect(existsSync('nobody.world')).toBe(false);
  expect(readFileSync(text, 'utf8')).toBe('nothing of the kind');
  expect((await runSandbox(['worlds', '--help'])).stdout).toContain('sandbox worlds compact');
});
