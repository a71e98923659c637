/** `npm run bench`: measures the sandbox beside plain Express 5, and prints tables. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from '../../command/options.js';
import { tableLines } from '../kit/table.js';
import { measureBoot } from './boot.js';
import { measureClock } from './clock.js';
import { measureDeliveries } from './deliveries.js';
import { measureKept } from './kept.js';
import { measureRequests, type RequestRow, timesExpress } from './requests.js';
import { serverOf } from './servers.js';
import { measureStore } from './store.js';
import { measureWorlds } from './world.js';

const { seconds, repeat, only, subscriptions, before, quick } = new Command('bench')
  .description('Measures the sandbox beside plain Express 5 on this machine.')
  .option('--seconds <n>', 'seconds of load per measurement', wholeNumber, 3)
  .option('--repeat <n>', 'how often each measurement is repeated; medians count', wholeNumber, 3)
  .option(
    '--only <words...>',
    'measure only what has one of these words in its name, or is of that part: requests, boot, worlds, store, deliveries, clock',
  )
  .option('--subscriptions <n>', 'how many are renewed while the clock moves by 12 months', wholeNumber, 10_000)
  .option('--before <checkout>', 'measure requests and the start of the build of another checkout too, in turn')
  .option('--quick', 'short measurements, each once')
  .parse()
  .opts<{
    seconds: number;
    repeat: number;
    only?: string[];
    before?: string;
    quick?: true;
    subscriptions: number;
  }>();
const load = quick ? { seconds: 1, repeat: 1 } : { seconds, repeat };
const old = before === undefined ? undefined : resolve(before);
const sides = old === undefined ? '' : ', before';
const say = (text: string): void => console.error(`  ${text}`);
const rows: [string, string][] = [];
const note = (work: string, value: number, unit: string): void => {
  rows.push([work, `${value.toLocaleString('en')} ${unit}`]);
  say(rows[rows.length - 1].join(': '));
};

const PARTS: Readonly<Record<string, () => Promise<unknown>>> = { requests, boot, worlds, store, deliveries, clock };
const words = (only ?? []).filter((word) => !(word in PARTS));
for (const [part, measure] of Object.entries(PARTS)) {
  if (only !== undefined && !only.includes(part) && !(words.length > 0 && part === 'requests')) continue;
  console.error(part);
  await measure();
}
if (rows.length > 0) print(['World', 'value'], rows);

async function requests(): Promise<void> {
  const isWanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word));
  const of = { ...load, say, before: old && serverOf(old), isWanted };
  const all = [...(await measureRequests('payments', of)), ...(await measureRequests('task-automation', of))];
  print(
    [
      'Work',
      `Express 5, sandbox${sides} /s`,
      `x Express${sides}`,
      `CPU us: Express, sandbox${sides}`,
      `p99 ms: Express, sandbox${sides}`,
      'target',
    ],
    all.map((row) => {
      const rates = besideExpress(row.rates).map((rate) => Math.round(rate).toLocaleString('en'));
      const cpu = besideExpress(row.cpu).map(Math.round);
      const cells = [rates, timesExpress(row), cpu, besideExpress(row.p99)].map((each) => each.join(', '));
      return [row.work, ...cells, row.target ?? ''];
    }),
  );
}

async function boot(): Promise<void> {
  const programs = ['express', ...(old === undefined ? [] : ['before']), 'today'];
  const all = await measureBoot(quick ? 1 : Math.max(9, repeat), say, old);
  print(
    ['ms', ...programs],
    all.map((row) => [row.work, ...programs.map((each) => row[each] ?? '')]),
  );
}

function worlds(): Promise<void> {
  return measureWorlds(note, quick ? 10_000 : 100_000, quick ? 100 : 1000);
}

async function store(): Promise<void> {
  await measureStore(note, load, quick ? 10_000 : 100_000);
  await measureKept(note, quick ? 500 : 10_000);
}

function deliveries(): Promise<void> {
  return measureDeliveries(note, quick ? 500 : 5000);
}

function clock(): Promise<void> {
  return measureClock(note, subscriptions / (quick ? 20 : 1), quick ? 3 : 12);
}

function print(head: readonly string[], cells: readonly (readonly unknown[])[]): void {
  console.log(`\n${tableLines(head, cells).join('\n')}`);
}

function besideExpress({ express, sandbox, before: was }: RequestRow['rates']): number[] {
  return [express, sandbox, ...(was === undefined ? [] : [was])];
}
