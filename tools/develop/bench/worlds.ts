import { createSandbox, type Sandbox } from '../../../engine/index.js';
import { heap, type Note, timed } from './figure.js';
import { median } from './requests.js';

type Setting = Parameters<typeof createSandbox>[0];

/** Each is made this often; the medians count. */
const ROUNDS = 9;

/** Forks of a large world: the call, and what the first look into the collection costs. */
export async function measureForks(note: Note, sandbox: Sandbox, collection: number, many: string): Promise<void> {
  const made: number[] = [];
  const looked: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { ms, value: fork } = await timedValue(() => sandbox.worlds.create({ from: {} }));
    made.push(ms);
    const found = await sandbox.worlds.find(fork.id);
    looked.push((await timed(() => found?.engine.world.collections[collection].ordered())).ms);
    await sandbox.worlds.delete(fork.id);
  }
  note({ work: `fork of ${many} customers`, value: round(median(made)), unit: 'ms', target: 'below 50' });
  note({ work: `first look into ${many} customers of a fork`, value: round(median(looked)), unit: 'ms', target: '' });
}

/** Worlds of one server: one for a test, and many at once, each used, with the time of a call to one among them. */
export async function measureManyWorlds(setting: Setting, note: Note, count: number): Promise<void> {
  for (const worlds of ['port', 'key'] as const) {
    const sandbox = await createSandbox({ ...setting, worlds });
    const by = worlds === 'port' ? 'a port each' : 'one address';
    for (let i = 0; i < 20; i++) await sandbox.worlds.delete((await sandbox.worlds.create()).id);
    const made: number[] = [];
    // Servers that were closed before are let go a little later.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const base = heap();
    const all = await timed(async () => {
      for (let i = 0; i < count; i++) {
        const { ms, value } = await timedValue(() => sandbox.worlds.create());
        made.push(ms);
        await customer(String(value.url), value.key);
      }
    });
    const of = `${count.toLocaleString('en')} in one server, ${by}`;
    const each = Math.round((heap() - base) / count / 1024);
    note({ work: `a world for a test, ${by}`, value: round(median(made)), unit: 'ms', target: 'below 3' });
    note({ work: `worlds made and called once, ${of}`, value: round(all.ms / count), unit: 'ms each', target: '' });
    note({ work: `memory per world, ${of}`, value: each, unit: 'KiB', target: '' });
    const close = await timed(() => sandbox.close());
    note({ work: `end of ${of}`, value: round(close.ms), unit: 'ms', target: '' });
  }
}

async function customer(url: string, key: string): Promise<void> {
  const answer = await fetch(`${url}/v1/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, connection: 'close' },
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`a call was answered ${answer.status}`);
}

async function timedValue<T>(run: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const start = performance.now();
  const value = await run();
  return { ms: performance.now() - start, value };
}

function round(ms: number): number {
  return Number(ms.toFixed(2));
}
