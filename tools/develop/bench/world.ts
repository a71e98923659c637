import type { Sandbox } from '../../../engine/index.js';
import { succeed } from '../kit/calls.js';
import { packSandbox } from '../kit/pack-sandbox.js';
import { heap, type Note, round, timed } from './figure.js';
import { measureForks, measureManyWorlds } from './worlds.js';

/** Measures costs that grow with the size of a world, in this process: seeding, memory, reset, calls, many worlds. */
export async function measureWorlds(note: Note, objects: number, worlds: number): Promise<void> {
  const sandbox = await packSandbox('payments');
  const many = objects.toLocaleString('en');
  const customers = Array.from({ length: objects }, (_, n) => customer(n));
  const { engine } = sandbox;
  globalThis.gc?.();
  note('memory after boot', Math.round(process.memoryUsage().rss / 2 ** 20), 'MiB');
  engine.seed({ customers: customers.slice(0, 100) });
  const before = await costs(sandbox);
  engine.reset(undefined);
  const seeded = await timed(() => engine.seed({ customers }));
  note(`seed of ${many} customers`, Math.round(seeded.ms), 'ms');
  engine.reset(undefined);
  const empty = heap();
  engine.seed({ customers });
  const json = customers.length * JSON.stringify(engine.world.objects(indexOf(sandbox))[0]).length;
  const each = Math.round((heap() - empty - json) / customers.length);
  note('memory per customer beyond its JSON', each, 'bytes');
  await fillLogs(sandbox);
  const after = await costs(sandbox);
  for (const [work, cost] of Object.entries(after))
    note(`${work}: ${many} customers and full logs against 100 customers`, round(cost / before[work]), 'x');
  await measureForks(note, sandbox, indexOf(sandbox), many);
  const reset = await timed(() => engine.reset(undefined));
  note(`reset of ${many} customers`, round(reset.ms), 'ms');
  await sandbox.close();
  await measureManyWorlds(note, worlds);
}

/** Capacity of a world's traces and idempotency keys. */
const KEPT = 10_000;

/** Makes enough calls to fill the bounded logs: traces, idempotency keys, ledger. */
async function fillLogs(sandbox: Sandbox): Promise<void> {
  for (let i = 0; i < KEPT + 1000; i++) await call(sandbox, KEYED);
}

interface Kind {
  readonly line: string;
  readonly body?: string;
  /** Whether each call has a new idempotency key. */
  readonly keyed?: true;
}

const KEYED: Kind = { line: 'POST /v1/customers', body: 'email=flat%40example.com', keyed: true };

/** Measures processor seconds of a few hundred calls of each kind, which must not depend on the world's size. */
async function costs(sandbox: Sandbox): Promise<Record<string, number>> {
  const { id, email } = customer(50);
  const kinds: Record<string, Kind> = {
    retrieve: { line: `GET /v1/customers/${id}` },
    create: { line: 'POST /v1/customers', body: 'email=flat%40example.com' },
    'create with an idempotency key': KEYED,
    'list from a cursor': { line: `GET /v1/customers?limit=10&starting_after=${id}` },
    'list by a filter': { line: `GET /v1/customers?limit=10&email=${encodeURIComponent(email)}` },
    'list events': { line: 'GET /v1/events?limit=10' },
  };
  const found: Record<string, number> = {};
  for (const [name, kind] of Object.entries(kinds)) {
    for (let i = 0; i < 300; i++) await call(sandbox, kind);
    const { cpu } = await timed(async () => {
      for (let i = 0; i < 300; i++) await call(sandbox, kind);
    });
    found[name] = cpu;
  }
  return found;
}

let keys = 0;

/** Opens a new connection per call, since a kept one would be closed while a seed runs. */
async function call(sandbox: Sandbox, { line, body, keyed }: Kind): Promise<void> {
  const key: Record<string, string> = keyed ? { 'idempotency-key': `key ${keys++}` } : {};
  await succeed(sandbox, line, body, { connection: 'close', ...key });
}

function customer(n: number): { readonly id: string; readonly email: string } {
  return { id: `cus_${String(n).padStart(14, '0')}`, email: `c${n}@example.com` };
}

function indexOf(sandbox: Sandbox): number {
  return sandbox.engine.model.byCollection.get('customers')?.index ?? 0;
}
