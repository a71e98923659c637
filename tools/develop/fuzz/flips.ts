import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore, StoreError } from '../../../engine/store/index.js';
import type { StoredChange, StoredEntry } from '../../../engine/world/index.js';
import { Dice } from '../simulate/dice.js';

/** The data read from a store. */
interface StoreContents {
  /** Initial data of the store's worlds. */
  readonly start: string;
  /** All stored data; empty if the store reports damage. */
  readonly whole: string;
  readonly findings: readonly string[];
}

const WORLDS = 3;
const ENTRIES = 60;

/**
 * Damages copies of a store and reads them: four of five have one flipped bit, the fifth is truncated.
 * @param seed of the damage
 * @param worker the script of the store's thread, if it isn't beside its module
 */
export async function flipStores(count: number, seed: number, worker?: URL) {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-flips-'));
  try {
    const file = join(folder, 'store.db');
    await fill(() => FileStore.open(file, { worker }));
    const bytes = readFileSync(file);
    const sound = await contentsOf(file, worker);
    if (typeof sound === 'string') throw new Error(sound);
    if (sound.findings.length > 0) throw new Error(sound.findings.join('\n'));
    const counts = {
      /** Number of damaged copies that the store reports when it or a world is opened. */
      atStart: 0,
      /** Number of damaged copies that only `sandbox worlds check` reports, because a start doesn't read the damaged data. */
      byCheck: 0,
      withoutEffect: 0,
      /** Unreported damage that changes served data: `bit N of byte M`, `the first N bytes`. */
      served: [] as string[],
      /** Damage that changes anything, and that neither a start nor the check reports. */
      silent: [] as string[],
    };
    const dice = new Dice(seed);
    for (let n = 0; n < count; n++) {
      const at = dice.below(bytes.length);
      const bit = dice.below(8);
      const copy = n % 5 === 4 ? Buffer.from(bytes.subarray(0, at)) : Buffer.from(bytes);
      if (copy.length === bytes.length) copy[at] ^= 1 << bit;
      const what = copy.length === bytes.length ? `bit ${bit} of byte ${at}` : `the first ${at} bytes`;
      const other = join(folder, `${n}.db`);
      writeFileSync(other, copy);
      const read = await contentsOf(other, worker).catch((error: unknown) => {
        throw new Error(`${what}: ${String(error)}`);
      });
      for (const each of ['', '-wal', '-shm']) rmSync(`${other}${each}`, { force: true });
      if (typeof read === 'string') {
        counts.atStart++;
        continue;
      }
      if (read.start !== sound.start) counts.served.push(what);
      if (read.findings.length > 0) counts.byCheck++;
      else if (read.whole === sound.whole) counts.withoutEffect++;
      else counts.silent.push(what);
    }
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates a store of several worlds, each with initial data, a snapshot and later entries, in many blocks. */
async function fill(open: () => Promise<FileStore>): Promise<void> {
  const store = await open();
  for (let number = 1; number <= WORLDS; number++) {
    const expires = number === 2 ? 1e13 : null;
    const record = await store.create({ name: `world ${number}`, key: `key_${number}`, pack: 'sample', expires });
    const { keeper, release } = await store.open(record.id);
    keeper.begin({ format: 1, pack: { name: 'sample', version: '1.0.0', hash: 'abc', vars: {} }, seed: 'seed', t0: 0 });
    const changes: StoredChange[] = [];
    for (let n = 1; n <= ENTRIES; n++) {
      const entry = entryOf(number, n);
      changes.push(...entry.changes);
      keeper.entry(entry);
      keeper.record({ kind: 'learned', delivery: `d_${n}` }, n);
      await keeper.kept();
      if (n === ENTRIES / 2)
        keeper.checkpoint?.({ base: { ...entry, changes: [...changes] }, moments: [], journal: [] });
    }
    await release();
  }
  await store.close();
}

function entryOf(world: number, n: number): StoredEntry {
  const value = { id: `obj_${n}`, amount: n * 7 };
  return {
    n,
    at: n,
    command: 'things.create',
    origin: 'call',
    request: `req_${world}_${n}`,
    trace: null,
    args: {},
    after: { random: n, seq: n, requests: n, outside: 0 },
    changes: [{ op: 'put', collection: 'things', id: value.id, seq: n, value }],
  };
}

/** Reads the contents of a store; returns an error message if it doesn't start. */
async function contentsOf(file: string, worker?: URL): Promise<StoreContents | string> {
  let store: FileStore | undefined;
  try {
    store = await FileStore.open(file, { worker });
    const started: unknown[] = [];
    const findings = [...(await store.integrity())];
    const whole: string[] = [];
    for (const { id } of await store.worlds()) {
      const { record, kept, release } = await store.open(id);
      started.push([record, kept]);
      await release();
      findings.push(...(await store.check(id)).wrong);
      if (findings.length === 0) for await (const line of store.export(id)) whole.push(line);
    }
    return { start: JSON.stringify(started), whole: whole.join('\n'), findings };
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  } finally {
    await store?.close();
  }
}
