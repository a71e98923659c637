/**
 * `npm run bench:company` (`-- payments team-chat` selects packs, `-- 9` the number of runs): compares a company with its packs served alone, and
 * with the same packs in one process without a company. Medians of the processor time and memory that Linux reports for the process.
 */
import type { ChildProcess } from 'node:child_process';
import { installation } from '../../command/installation.js';
import type { AddressedWorld } from '../../command/world-env.js';
import { type CallAddress, callWorld, succeed } from '../kit/calls.js';
import { processorMs, residentBytes } from '../kit/process-usage.js';
import { serveBuild, type ServedBuild } from '../kit/served.js';
import { headCommit } from '../prose/figures.js';
import { median } from './figure.js';

/** Number of forks of each world; a server without a store allows at most a hundred worlds. */
const FORKS = 20;

interface Served {
  readonly server: ServedBuild;
  /** Worlds to fork: one per pack, or a single one for a company. */
  readonly worlds: readonly ServedWorld[];
}

interface Cost {
  /** Processor time until every vendor has responded, in ms. */
  readonly startMs: number;
  /** Resident memory of the server after every vendor has responded, in MiB. */
  readonly memoryMiB: number;
  /** Processor time of forking every world once and calling each vendor of the forks, in ms. */
  readonly forkMs: number;
  /** Resident memory that one fork of every world adds, in KiB. */
  readonly forkKiB: number;
}

const words = process.argv.slice(2);
const named = words.filter((word) => !/^\d+$/.test(word));
const packs = named.length > 0 ? named : ['payments', 'code-hosting', 'team-chat', 'messaging'];
const times = Number(words.find((word) => /^\d+$/.test(word)) ?? 5);

console.log(`commit ${headCommit(installation())}, Node ${process.versions.node}, ${times} times, ${FORKS} forks each`);
const alone: Cost[] = [];
for (const pack of packs) alone.push(await measured([pack]));
const sum = alone.reduce((all, each) => combined(all, each));
const beside = await measured(packs);
const together = await measured([...packs, '--together']);
console.table({
  ...Object.fromEntries(packs.map((pack, at) => [pack, alone[at]])),
  'sum of them': sum,
  'in one process': beside,
  'a company': together,
  'company : sum': ratios(together, sum),
  'company : in one process': ratios(together, beside),
});

function combined(one: Cost, other: Cost): Cost {
  return mapped((name) => Math.round((one[name] + other[name]) * 10) / 10);
}

function ratios(one: Cost, other: Cost): Cost {
  return mapped((name) => Number((one[name] / other[name]).toFixed(2)));
}

function mapped(of: (name: keyof Cost) => number): Cost {
  return { startMs: of('startMs'), memoryMiB: of('memoryMiB'), forkMs: of('forkMs'), forkKiB: of('forkKiB') };
}

/** Starts a server several times and returns the median costs. @param args arguments of `sandbox serve` */
async function measured(args: readonly string[]): Promise<Cost> {
  const found: Cost[] = [];
  // The first start fills the cache of packs.
  for (let time = 0; time <= times; time++) {
    const cost = await oneStart(args);
    if (time > 0) found.push(cost);
  }
  return mapped((name) => Math.round(median(found.map((each) => each[name])) * 10) / 10);
}

async function oneStart(args: readonly string[]): Promise<Cost> {
  const { server, worlds } = await served(args);
  const started = usageOf(server.child);
  for (let fork = 0; fork < FORKS; fork++)
    for (const { id } of worlds) {
      const from = id === undefined ? {} : { world: id };
      await touched(await worldOf(server, { from }));
    }
  const forked = usageOf(server.child);
  const cost = {
    startMs: started.cpuMs,
    memoryMiB: started.bytes / 2 ** 20,
    forkMs: (forked.cpuMs - started.cpuMs) / FORKS,
    forkKiB: (forked.bytes - started.bytes) / FORKS / 1024,
  };
  await server.stop();
  return cost;
}

/** A served world, with its id if it was created on request. */
type ServedWorld = AddressedWorld & { readonly id?: string };

/** Calls each vendor of a world once; the responses don't matter. */
async function touched({ url, key, vendors }: AddressedWorld): Promise<void> {
  for (const part of vendors ? Object.values(vendors) : [{ url, key }]) await callWorld(part, 'GET /v1/none');
}

async function served(args: readonly string[]): Promise<Served> {
  const server = await serveBuild([...args, '--port', '0', '--quiet']);
  const worlds: ServedWorld[] = [server];
  // Without `--together`, only the first pack has a world; the others are created on request.
  for (const pack of args.includes('--together') ? [] : args.slice(1)) worlds.push(await worldOf(server, { pack }));
  for (const world of worlds) await touched(world);
  return { server, worlds };
}

async function worldOf(server: CallAddress, body: object): Promise<ServedWorld> {
  return (await succeed(server, 'POST /__admin__/worlds', body)) as unknown as ServedWorld;
}

/** Reads the processor time and resident memory of a process. @throws Error on systems other than Linux, which don't report them */
function usageOf({ pid }: ChildProcess): { readonly cpuMs: number; readonly bytes: number } {
  const [cpuMs, bytes] = [processorMs(pid), residentBytes(pid)];
  if (cpuMs === undefined || bytes === undefined) throw new Error('this needs Linux, which counts for each process');
  return { cpuMs, bytes };
}
