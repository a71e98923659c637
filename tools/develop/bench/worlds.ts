import type { Sandbox } from '../../../engine/index.js';
import { subscribe } from './clock.js';
import { succeed } from '../kit/calls.js';
import { packSandbox } from '../kit/pack-sandbox.js';
import { heap, median, type Note, round, timed } from './figure.js';

/** Number of repetitions of a measurement, of which the median is reported. */
const ROUNDS = 9;

/** Measures forks of a large world: the fork itself, and the first read of a collection in the fork. */
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
  note(`fork of ${many} customers`, round(median(made)), 'ms');
  note(`first look into ${many} customers of a fork`, round(median(looked)), 'ms');
}

/** Measures several worlds on one server: creating a world for one test, and the time of a call when many worlds are in use. */
export async function measureManyWorlds(note: Note, count: number): Promise<void> {
  for (const worlds of ['port', 'key'] as const) {
    const sandbox = await packSandbox('payments', { worlds });
    const by = worlds === 'port' ? 'a port each' : 'one address';
    for (let i = 0; i < 20; i++) await sandbox.worlds.delete((await sandbox.worlds.create()).id);
    const made: number[] = [];
    // Waits because Node releases closed servers with a delay.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const base = heap();
    const all = await timed(async () => {
      for (let i = 0; i < count; i++) {
        const { ms, value } = await timedValue(() => sandbox.worlds.create());
        made.push(ms);
        await called(String(value.url), value.key, 'POST /v1/customers');
      }
    });
    const of = `${count.toLocaleString('en')} in one server, ${by}`;
    const each = Math.round((heap() - base) / count / 1024);
    note(`a world for a test, ${by}`, round(median(made)), 'ms');
    note(`worlds made and called once, ${of}`, round(all.ms / count), 'ms each');
    note(`memory per world, ${of}`, each, 'KiB');
    await sandbox.close();
  }
}

/** Number of objects in the forked world, and number of forks. */
const [SUBSCRIBED, FORKS] = [100, 20];
const CALLS = [
  ['POST /v1/customers', 'email=jenny%40example.com'],
  ['POST /v1/payment_intents', 'amount=2000&currency=usd&confirm=true&payment_method=pm_card_visa'],
  ['GET /v1/customers?limit=3', undefined],
] as const;

/** Measures the memory in KiB of a fork of a small world with three calls. */
export async function kibOfFork(): Promise<number> {
  const sandbox = await packSandbox('payments', { worlds: 'key' });
  try {
    await subscribe(sandbox, SUBSCRIBED);
    const made: string[] = [];
    const make = async (): Promise<void> => {
      for (let n = 0; n < FORKS; n++) {
        const { id, key, url } = await sandbox.worlds.create({ from: {} });
        made.push(id);
        for (const [line, body] of CALLS) await called(String(url), key, line, body);
      }
    };
    for (let round = 0; round < 2; round++) {
      await make();
      for (const id of made.splice(0)) await sandbox.worlds.delete(id);
    }
    // Waits because Node releases closed connections with a delay.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const base = heap();
    await make();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return Math.round((heap() - base) / FORKS / 1024);
  } finally {
    await sandbox.close();
  }
}

/** Opens a new connection per call, since a kept one would be closed while worlds are deleted. */
async function called(url: string, key: string, line: string, body?: string): Promise<void> {
  await succeed({ url, key }, line, body, { connection: 'close' });
}

async function timedValue<T>(run: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const start = performance.now();
  const value = await run();
  return { ms: performance.now() - start, value };
}
