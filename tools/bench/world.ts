import { join } from 'node:path';
import { createSandbox, PackCache } from '../../engine/index.js';
import { installation } from '../installation.js';

/** One figure about a world of the payments pack. */
export interface WorldRow {
  readonly work: string;
  readonly value: number;
  readonly unit: string;
  readonly target: string;
}

const T0 = '2025-01-01T00:00:00Z';

/** Measures what grows with the world, in this process: seeding, memory, reset, many worlds. */
export async function measureWorlds(say: (text: string) => void): Promise<WorldRow[]> {
  const rows: WorldRow[] = [];
  const note = (row: WorldRow): void => {
    rows.push(row);
    say(`${row.work}: ${row.value} ${row.unit}`);
  };
  const pack = join(installation(), 'packs', 'payments');
  const cache = PackCache.ofInstallation();
  const sandbox = await createSandbox({ pack, cache, t0: T0 });
  const customers = Array.from({ length: 100_000 }, (_, n) => ({
    id: `cus_${String(n).padStart(14, '0')}`,
    email: `c${n}@example.com`,
  }));
  const before = heap();
  const seeded = await timed(() => Promise.resolve(sandbox.engine.seed({ customers })));
  note({ work: 'seed 100,000 customers', value: Math.round(seeded), unit: 'ms', target: '' });
  sandbox.engine.reset(undefined);
  sandbox.engine.seed({ customers });
  const json = customers.length * JSON.stringify(sandbox.engine.world.objects(indexOf(sandbox, 'customers'))[0]).length;
  note({
    work: 'memory per customer beyond its JSON',
    value: Math.round((heap() - before - json) / customers.length),
    unit: 'bytes',
    target: 'below 2,500',
  });
  const reset = await timed(() => Promise.resolve(sandbox.engine.reset(undefined)));
  note({ work: 'reset of 100,000 customers', value: Number(reset.toFixed(2)), unit: 'ms', target: 'below 1' });
  await sandbox.close();
  const start = performance.now();
  const base = process.memoryUsage.rss();
  const worlds = [];
  for (let i = 0; i < 1000; i++) worlds.push(await createSandbox({ pack, cache, t0: T0 }));
  note({
    work: 'time per world, 1,000 in one process',
    value: Number(((performance.now() - start) / 1000).toFixed(1)),
    unit: 'ms',
    target: '',
  });
  note({
    work: 'memory per world, 1,000 in one process',
    value: Math.round((process.memoryUsage.rss() - base) / 1000 / 1024),
    unit: 'KiB',
    target: '',
  });
  await Promise.all(worlds.map((world) => world.close()));
  return rows;
}

function indexOf(sandbox: Awaited<ReturnType<typeof createSandbox>>, collection: string): number {
  return sandbox.engine.model.byCollection.get(collection)?.index ?? 0;
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
