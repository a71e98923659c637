import { createSandbox, type Sandbox } from '../../../engine/index.js';
import { subscribe } from './clock.js';
import { succeed } from '../kit/calls.js';
import { heap, median, type Note, round, timed } from './figure.js';

type Setting = Parameters<typeof createSandbox>[0];

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
  note({ work: `fork of ${many} customers`, value: round(median(made)), unit: 'ms', target: 'below 50' });
  note({ work: `first look into ${many} customers of a fork`, value: round(median(looked)), unit: 'ms', target: '' });
}

/** Measures several worlds on one server: creating a world for one test, and the time of a call when many worlds are in use. */
export async function measureManyWorlds(setting: Setting, note: Note, count: number): Promise<void> {
  for (const worlds of ['port', 'key'] as const) {
    const sandbox = await createSandbox({ ...setting, worlds });
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
    note({ work: `a world for a test, ${by}`, value: round(median(made)), unit: 'ms', target: 'below 3' });
    note({ work: `worlds made and called once, ${of}`, value: round(all.ms / count), unit: 'ms each', target: '' });
    note({ work: `memory per world, ${of}`, value: each, unit: 'KiB', target: '' });
    const close = await timed(() => sandbox.close());
    note({ work: `end of ${of}`, value: round(close.ms), unit: 'ms', target: '' });
  }
}

/** Number of objects in the forked world, and number of forks. */
const [SUBSCRIBED, FORKS] = [100, 20];
const CALLS = [
  ['POST /v1/customers', 'email=jenny%40example.com'],
  ['POST /v1/payment_intents', 'amount=2000&currency=usd&confirm=true&payment_method=pm_card_visa'],
  ['GET /v1/customers?limit=3', undefined],
] as const;

/** Measures forks of a small world with three calls each: memory per fork, and processor time to create, call and delete one. */
export async function costsOfFork(setting: Setting): Promise<{ readonly kib: number; readonly cpuMs: number }> {
  const sandbox = await createSandbox({ ...setting, worlds: 'key' });
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
    const drop = async (): Promise<void> => {
      for (const id of made.splice(0)) await sandbox.worlds.delete(id);
    };
    await make();
    await drop();
    const begun = process.cpuUsage();
    await make();
    await drop();
    const { user, system } = process.cpuUsage(begun);
    // Waits because Node releases closed connections with a delay.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const base = heap();
    await make();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const kib = Math.round((heap() - base) / FORKS / 1024);
    return { kib, cpuMs: round((user + system) / 1000 / FORKS) };
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
