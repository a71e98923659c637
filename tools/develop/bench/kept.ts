import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, FileStore, PackCache, type Sandbox, type SandboxOptions } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';
import { succeed } from '../kit/calls.js';
import { heap, median, type Note, round, timed } from './figure.js';

/** Number of worlds to load, and number of calls with an unknown key. */
const SOME = 20;

/** Measures a store whose many worlds are mostly not in memory: disk space, start-up, and a call that loads a world. */
export async function measureKept(note: Note, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
  try {
    await measureIn(note, join(folder, 'worlds.db'), count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIn(note: Note, file: string, count: number): Promise<void> {
  const pack = join(installation(), 'packs', 'payments');
  const options: SandboxOptions = { pack, cache: PackCache.ofInstallation(), worlds: 'key', idleMs: 500 };
  const of = `${count.toLocaleString('en')} kept worlds`;
  let store = await FileStore.open(file);
  let sandbox = await createSandbox({ ...options, store });
  await sandbox.control.call('GET', '/');
  const base = heap();
  const keys: string[] = [];
  const all = await timed(async () => {
    for (let n = 0; n < count; n++) {
      const { key } = await sandbox.worlds.create();
      await called(sandbox, key, 'POST');
      keys.push(key);
    }
  });
  note({ work: `${of}, each made and called once`, value: round(all.ms / count), unit: 'ms each', target: '' });
  await resting(sandbox);
  const rest = (heap() - base) / count / 1024;
  note({ work: `memory per world, ${of} that rest`, value: round(rest), unit: 'KiB', target: '' });
  await sandbox.close();
  await store.close();
  note({ work: `file per world, ${of}`, value: round(statSync(file).size / count / 1024), unit: 'KiB', target: '' });

  const start = await timed(async () => {
    store = await FileStore.open(file);
    sandbox = await createSandbox({ ...options, store });
  });
  note({ work: `start of a server with ${of}`, value: Math.round(start.ms), unit: 'ms', target: '' });
  const asked = Array.from({ length: SOME }, (_, n) => keys[Math.floor((n * count) / SOME)]);
  const woken = await times(asked, (key) => called(sandbox, key, 'GET'));
  note({ work: `first call of one of ${of}`, value: round(woken), unit: 'ms', target: '' });
  await resting(sandbox);
  const again = await times(asked, (key) => called(sandbox, key, 'GET'));
  note({ work: `call that wakes one of ${of} from its rest`, value: round(again), unit: 'ms', target: '' });
  await sandbox.close();
  await store.close();
}

/** Waits until only the first world is in memory. */
async function resting(sandbox: Sandbox): Promise<void> {
  while ((await sandbox.worlds.list()).filter(({ now }) => now !== null).length > 1)
    await new Promise((resolve) => setTimeout(resolve, 200));
}

async function times(keys: readonly string[], run: (key: string) => Promise<void>): Promise<number> {
  const all: number[] = [];
  for (const key of keys) all.push((await timed(() => run(key))).ms);
  return median(all);
}

async function called({ url }: Sandbox, key: string, method: 'GET' | 'POST'): Promise<void> {
  await succeed({ url, key }, `${method} /v1/customers`);
}
