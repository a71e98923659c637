import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore, type Sandbox, type SandboxOptions } from '../../../engine/index.js';
import { succeed } from '../kit/calls.js';
import { packSandbox } from '../kit/pack-sandbox.js';
import { heap, type Note, round, timed } from './figure.js';

/** Measures a store with many worlds that are mostly not in memory: disk space and a start. */
export async function measureKept(note: Note, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
  try {
    await measureIn(note, join(folder, 'worlds.db'), count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIn(note: Note, file: string, count: number): Promise<void> {
  const options: Omit<SandboxOptions, 'pack'> = { worlds: 'key', idleMs: 500 };
  const of = `${count.toLocaleString('en')} kept worlds`;
  let store = await FileStore.open(file);
  let sandbox = await packSandbox('payments', { ...options, store });
  await sandbox.control.call('GET', '/');
  const base = heap();
  const all = await timed(async () => {
    for (let n = 0; n < count; n++) {
      const { key } = await sandbox.worlds.create();
      await succeed({ url: sandbox.url, key }, 'POST /v1/customers');
    }
  });
  note(`${of}, each made and called once`, round(all.ms / count), 'ms each');
  await resting(sandbox);
  const rest = (heap() - base) / count / 1024;
  note(`memory per world, ${of} that rest`, round(rest), 'KiB');
  await sandbox.close();
  await store.close();
  note(`file per world, ${of}`, round(statSync(file).size / count / 1024), 'KiB');

  const start = await timed(async () => {
    store = await FileStore.open(file);
    sandbox = await packSandbox('payments', { ...options, store });
  });
  note(`start of a server with ${of}`, Math.round(start.ms), 'ms');
  await sandbox.close();
  await store.close();
}

/** Waits until only the first world is in memory. */
async function resting(sandbox: Sandbox): Promise<void> {
  while ((await sandbox.worlds.list()).filter(({ now }) => now !== null).length > 1)
    await new Promise((resolve) => setTimeout(resolve, 200));
}
