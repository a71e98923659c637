import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from '../../../engine/index.js';
import { packSandbox } from '../kit/pack-sandbox.js';
import { heap, median, type Note, round, timed } from './figure.js';
import { load } from './load.js';
import { CONFIRM, CREATE } from './requests.js';
import { startMeasuredServer } from './servers.js';

const CONNECTIONS = 32;

/** Duration and number of measurements. */
interface Times {
  readonly seconds: number;
  readonly repeat: number;
}

/** Measures the costs of a world in a file: calls, starts, memory. */
export async function measureStore(note: Note, times: Times, entries: number): Promise<void> {
  await measureCalls(note, times);
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
  try {
    await measureStarts(note, join(folder, 'worlds.db'), entries);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends the same calls in turn to a world in memory and one in a file; the first round warms up. */
async function measureCalls(note: Note, { seconds, repeat }: Times): Promise<void> {
  for (const work of [CREATE, CONFIRM]) {
    // Servers aren't pinned: on a shared core, the writer thread would wait for the world.
    const servers = {
      memory: await startMeasuredServer('payments', undefined, false),
      file: await startMeasuredServer('payments-in-file', undefined, false),
    };
    const rates = { memory: [] as number[], file: [] as number[] };
    const cpu = { memory: [] as number[], file: [] as number[] };
    for (let i = 0; i <= repeat; i++) {
      for (const name of ['memory', 'file'] as const) {
        const { url, key } = servers[name];
        const before = await servers[name].cpu();
        const { rate, count, errors } = await load(url, key, work, i === 0 ? 1 : seconds, CONNECTIONS);
        if (errors > 0) throw new Error(`${errors} calls of '${work.name}' failed`);
        if (i === 0) continue;
        rates[name].push(rate);
        cpu[name].push(((await servers[name].cpu()) - before) / count);
      }
    }
    await Promise.all([servers.memory.stop(), servers.file.stop()]);
    note(`${work.name}, file to memory`, round(median(rates.file) / median(rates.memory)), 'x');
    for (const name of ['memory', 'file'] as const)
      note(`${work.name}, ${name}: processor time of all threads`, Math.round(median(cpu[name])), 'us');
  }
}

/** Creates a world with many entries through the API, closes it, and starts it again. */
async function measureStarts(note: Note, file: string, entries: number): Promise<void> {
  const many = entries.toLocaleString('en');
  let store = await FileStore.open(file);
  let sandbox = await packSandbox('payments', { store });
  const { url, key, engine } = sandbox;
  while (engine.world.ledger.count < entries) await load(url, key, CREATE, 5, CONNECTIONS);
  await sandbox.close();
  await store.close();
  const opened: { readonly ms: number; readonly keptBytes: number }[] = [];
  for (let i = 0; i < 3; i++) {
    const before = heap();
    const { ms } = await timed(async () => {
      store = await FileStore.open(file);
      sandbox = await packSandbox('payments', { store });
    });
    opened.push({ ms, keptBytes: heap() - before });
    await sandbox.close();
    await store.close();
  }
  note(`start of a world of ${many} entries, best of 3`, Math.round(Math.min(...opened.map(({ ms }) => ms))), 'ms');
  const kept = Math.min(...opened.map(({ keptBytes }) => keptBytes)) / 2 ** 20;
  note(`memory of a world of ${many} entries after its start`, Number(kept.toFixed(1)), 'MiB');
}
