/** `npm run bench`: measures the sandbox beside bare node:http and plain Express 5, prints a table, and saves it as JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from '../../command/options.js';
import { installation } from '../../command/installation.js';
import { type BootRow, measureBoot } from './boot.js';
import { measureClock } from './clock.js';
import { measureDeliveries } from './deliveries.js';
import type { Figure } from './figure.js';
import { measureKept } from './kept.js';
import { measureRequests, type RequestRow, timesExpress } from './requests.js';
import { serverOf } from './servers.js';
import { measureStore } from './store.js';
import { measureWorlds } from './world.js';

const program = new Command('bench')
  .description('Measures the sandbox beside bare node:http and plain Express 5 on this machine.')
  .option('--seconds <n>', 'seconds of load per measurement', wholeNumber, 3)
  .option('--repeat <n>', 'how often each measurement is repeated; medians count', wholeNumber, 3)
  .option(
    '--only <words...>',
    'measure only what has one of these words in its name, or is of that part: requests, boot, worlds, store, deliveries, clock',
  )
  .option('--subscriptions <n>', 'how many are renewed while the clock moves by 12 months', wholeNumber, 10_000)
  .option('--before <checkout>', 'measure requests and the start of the build of another checkout too, in turn')
  .option('--quick', 'short measurements, each once')
  .parse();
const options = program.opts<{
  seconds: number;
  repeat: number;
  only?: string[];
  before?: string;
  quick?: true;
  subscriptions: number;
}>();
const [seconds, repeat] = options.quick ? [1, 1] : [options.seconds, options.repeat];
const say = (text: string): void => console.error(`  ${text}`);
const PARTS = ['requests', 'boot', 'worlds', 'store', 'deliveries', 'clock'];
const words = (options.only ?? []).filter((word) => !PARTS.includes(word));
const isWanted = (part: string): boolean =>
  options.only === undefined || options.only.includes(part) || (words.length > 0 && part === 'requests');
const isWorkWanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word));

const before = options.before === undefined ? undefined : serverOf(resolve(options.before));
const requests: RequestRow[] = [];
if (isWanted('requests')) {
  for (const pack of ['payments', 'task-automation'] as const) {
    console.error(`requests of ${pack}`);
    requests.push(...(await measureRequests(pack, { seconds, repeat, say, before, isWanted: isWorkWanted })));
  }
}

let boot: BootRow[] = [];
if (isWanted('boot')) {
  console.error('cold start');
  boot = await measureBoot(options.quick ? 1 : Math.max(9, repeat), say, options.before && resolve(options.before));
}

const worlds: Figure[] = [];
const note = (figure: Figure): void => {
  worlds.push(figure);
  say(`${figure.work}: ${figure.value.toLocaleString('en')} ${figure.unit}`);
};
if (isWanted('worlds')) {
  console.error('worlds');
  await measureWorlds(note, options.quick ? 10_000 : 100_000, options.quick ? 100 : 1000);
}
if (isWanted('store')) {
  console.error('store');
  await measureStore(note, seconds, repeat, options.quick ? 10_000 : 100_000);
  await measureKept(note, options.quick ? 500 : 10_000);
}
if (isWanted('deliveries')) {
  console.error('deliveries');
  await measureDeliveries(note, options.quick ? 500 : 5000);
}
if (isWanted('clock')) {
  console.error('clock');
  await measureClock(note, options.subscriptions / (options.quick ? 20 : 1), options.quick ? 3 : 12);
}

const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
const folder = join(installation(), 'bench-results');
mkdirSync(folder, { recursive: true });
const file = join(folder, `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.json`);
writeFileSync(file, `${JSON.stringify({ machine, seconds, repeat, requests, boot, worlds }, null, 2)}\n`);

if (requests.length > 0) {
  const was = before === undefined ? '' : ', before';
  console.log(
    `\n| Work | node:http, Express 5, sandbox${was} /s | x Express${was} | CPU us: Express, sandbox${was} | p99 ms: Express, sandbox${was} | target |\n|---|---|---|---|---|---|`,
  );
  for (const row of requests) {
    const rates = [row.rates.node, ...besideExpress(row.rates)].map((rate) => Math.round(rate).toLocaleString('en'));
    const cpu = besideExpress(row.cpu).map(Math.round);
    const cells = [rates, timesExpress(row), cpu, besideExpress(row.p99)].map((each) => each.join(', '));
    console.log(`| ${row.work} | ${cells.join(' | ')} | ${row.target ?? ''} |`);
  }
}
if (boot.length > 0) {
  const programs = ['express', ...(before === undefined ? [] : ['before']), 'today'];
  console.log(`\n| ms | ${programs.join(' | ')} |\n|---${'|---'.repeat(programs.length)}|`);
  for (const row of boot) console.log(`| ${row.work} | ${programs.map((each) => row[each] ?? '').join(' | ')} |`);
}
if (worlds.length > 0) {
  console.log('\n| World | value | target |\n|---|---|---|');
  for (const row of worlds)
    console.log(`| ${row.work} | ${row.value.toLocaleString('en')} ${row.unit} | ${row.target} |`);
}
console.log(`\nkept in ${file}`);

function besideExpress({ express, sandbox, before: was }: RequestRow['rates']): number[] {
  return [express, sandbox, ...(was === undefined ? [] : [was])];
}
