import { join } from 'node:path';
import { createSandbox, PackCache, type Sandbox } from '../../engine/index.js';
import { installation } from '../installation.js';
import { heap, type Note, timed } from './figure.js';

const T0 = '2025-01-01T00:00:00Z';

interface Setting {
  readonly pack: string;
  readonly cache: PackCache;
}

/** Measures what grows with the world, in this process: seeding, memory, reset, costs of calls, many worlds. */
export async function measureWorlds(note: Note, objects: number, worlds: number): Promise<void> {
  const setting = { pack: join(installation(), 'packs', 'payments'), cache: PackCache.ofInstallation() };
  const sandbox = await createSandbox({ ...setting, t0: T0 });
  const many = objects.toLocaleString('en');
  const customers = Array.from({ length: objects }, (_, n) => customer(n));
  const { engine } = sandbox;
  const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
  globalThis.gc?.();
  note({ work: 'memory after boot', value: mebibytes(process.memoryUsage().rss), unit: 'MiB', target: '' });
  engine.seed({ customers: customers.slice(0, 100) });
  const before = await costs(sandbox);
  engine.reset(undefined);
  const seeded = await timed(() => engine.seed({ customers }));
  note({ work: `seed of ${many} customers`, value: Math.round(seeded.ms), unit: 'ms', target: '' });
  engine.reset(undefined);
  const empty = heap();
  engine.seed({ customers });
  const json = customers.length * JSON.stringify(engine.world.objects(indexOf(sandbox))[0]).length;
  const each = Math.round((heap() - empty - json) / customers.length);
  note({ work: 'memory per customer beyond its JSON', value: each, unit: 'bytes', target: 'below 2,500' });
  const rss = mebibytes(process.memoryUsage().rss);
  note({ work: `memory with ${many} customers`, value: rss, unit: 'MiB', target: '' });
  const after = await costs(sandbox);
  for (const [work, cost] of Object.entries(after)) {
    const value = Number((cost / before[work]).toFixed(2));
    note({ work: `${work}: ${many} customers against 100`, value, unit: 'x', target: 'about 1' });
  }
  const reset = await timed(() => engine.reset(undefined));
  note({ work: `reset of ${many} customers`, value: Number(reset.ms.toFixed(2)), unit: 'ms', target: 'below 1' });
  await sandbox.close();
  await manyWorlds(setting, note, worlds);
}

async function manyWorlds(setting: Setting, note: Note, count: number): Promise<void> {
  const start = performance.now();
  const base = process.memoryUsage().rss;
  const worlds: Sandbox[] = [];
  for (let i = 0; i < count; i++) worlds.push(await createSandbox({ ...setting, t0: T0 }));
  const ms = Number(((performance.now() - start) / count).toFixed(1));
  const each = Math.round((process.memoryUsage().rss - base) / count / 1024);
  const of = `${count.toLocaleString('en')} in one process`;
  note({ work: `time per world, ${of}`, value: ms, unit: 'ms', target: '' });
  note({ work: `memory per world, ${of}`, value: each, unit: 'KiB', target: '' });
  await Promise.all(worlds.map((world) => world.close()));
}

/** Processor seconds of a hundred calls of each kind that must cost the same whatever the world holds. */
async function costs(sandbox: Sandbox): Promise<Record<string, number>> {
  const { id } = customer(50);
  const kinds: Record<string, readonly [string, string, string?]> = {
    retrieve: ['GET', `/v1/customers/${id}`],
    create: ['POST', '/v1/customers', 'email=flat%40example.com'],
    'list from a cursor': ['GET', `/v1/customers?limit=10&starting_after=${id}`],
    'list by a filter': ['GET', `/v1/customers?limit=10&email=${encodeURIComponent(customer(50).email)}`],
    'list events': ['GET', '/v1/events?limit=10'],
  };
  const found: Record<string, number> = {};
  for (const [name, [method, path, body]] of Object.entries(kinds)) {
    const call = async (): Promise<void> => {
      const answer = await fetch(sandbox.url + path, {
        method,
        headers: {
          authorization: `Bearer ${sandbox.key}`,
          // A kept connection would be cut while the seed runs.
          connection: 'close',
          ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body,
      });
      if (!answer.ok) throw new Error(await answer.text());
      await answer.text();
    };
    for (let i = 0; i < 300; i++) await call();
    const { cpu } = await timed(async () => {
      for (let i = 0; i < 300; i++) await call();
    });
    found[name] = cpu;
  }
  return found;
}

function customer(n: number): { readonly id: string; readonly email: string } {
  return { id: `cus_${String(n).padStart(14, '0')}`, email: `c${n}@example.com` };
}

function indexOf(sandbox: Sandbox): number {
  return sandbox.engine.model.byCollection.get('customers')?.index ?? 0;
}
