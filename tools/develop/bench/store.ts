import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, FileStore, PackCache, type SandboxOptions } from '../../../engine/index.js';
import { installation } from '../../command/installation.js';
import { heap, median, type Note, round, timed } from './figure.js';
import { load, type Work } from './load.js';
import { startMeasuredServer } from './servers.js';

const CONNECTIONS = 32;

const WORKS: readonly (Work & { readonly target: string })[] = [
  {
    name: 'create a customer',
    method: 'POST',
    path: '/v1/customers',
    body: 'email=jenny%40example.com&name=Jenny&metadata[order]=1',
    target: 'at least 0.8',
  },
  {
    name: 'create with confirm',
    method: 'POST',
    path: '/v1/payment_intents',
    body: 'amount=2000&currency=usd&confirm=true&payment_method=pm_card_visa',
    target: 'at least 0.6',
  },
];

/** Measures the costs of a world in a file: calls, starts, memory. */
export async function measureStore(note: Note, seconds: number, repeat: number, entries: number): Promise<void> {
  await measureCalls(note, seconds, repeat);
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
  try {
    await measureStarts(note, join(folder, 'worlds.db'), entries);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends the same calls in turn to a world in memory and one in a file; the first round warms up. */
async function measureCalls(note: Note, seconds: number, repeat: number): Promise<void> {
  for (const work of WORKS) {
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
    const [memory, file] = [median(rates.memory), median(rates.file)];
    note({ work: `${work.name}, in memory`, value: Math.round(memory), unit: '/s', target: '' });
    note({ work: `${work.name}, in a file`, value: Math.round(file), unit: '/s', target: '' });
    const ratio = round(file / memory);
    note({ work: `${work.name}, file to memory`, value: ratio, unit: 'x', target: work.target });
    for (const name of ['memory', 'file'] as const) {
      const each = Math.round(median(cpu[name]));
      note({ work: `${work.name}, ${name}: processor time of all threads`, value: each, unit: 'us', target: '' });
    }
  }
}

/** Creates a world with many entries through the API, closes it, and starts it again. */
async function measureStarts(note: Note, file: string, entries: number): Promise<void> {
  const pack = join(installation(), 'packs', 'payments');
  const options: SandboxOptions = { pack, cache: PackCache.ofInstallation(), t0: '2025-01-01T00:00:00Z', key: 'bench' };
  const many = entries.toLocaleString('en');
  let store = await FileStore.open(file);
  let sandbox = await createSandbox({ ...options, store });
  const { url, key, engine } = sandbox;
  while (engine.world.ledger.count < entries) await load(url, key, WORKS[0], 5, CONNECTIONS);
  await sandbox.close();
  await store.close();
  const mebibytes = (bytes: number): number => Number((bytes / 2 ** 20).toFixed(1));
  note({ work: `file of ${many} entries`, value: mebibytes(statSync(file).size), unit: 'MiB', target: '' });
  const opened: { readonly ms: number; readonly cpu: number; readonly kept: number }[] = [];
  for (let i = 0; i < 3; i++) {
    const before = heap();
    const { ms, cpu } = await timed(async () => {
      store = await FileStore.open(file);
      sandbox = await createSandbox({ ...options, store });
    });
    opened.push({ ms, cpu, kept: heap() - before });
    await sandbox.close();
    await store.close();
  }
  const work = `start of a world of ${many} entries`;
  const best = Math.round(Math.min(...opened.map(({ ms }) => ms)));
  note({ work: `${work}, best of 3`, value: best, unit: 'ms', target: 'below 1,500' });
  const cpu = Math.round(Math.min(...opened.map((each) => each.cpu)) * 1000);
  note({ work: `${work}: processor time of both threads`, value: cpu, unit: 'ms', target: '' });
  const kept = mebibytes(Math.min(...opened.map((each) => each.kept)));
  note({ work: `memory of a world of ${many} entries after its start`, value: kept, unit: 'MiB', target: '' });
}
