/**
 * `npm run simulate -- --seeds A..B`: plays stories that a seed decides (calls, what receivers do, moves of the clock) and checks after
 * every step what always holds. A seed that breaks a law is printed with the fewest steps that were found to lead there.
 */
import { Command, InvalidArgumentError } from 'commander';
import type { Kit } from './kit.js';
import { PAYMENTS } from './payments/kit.js';
import { type BrokenRun, live, search } from './run.js';
import { Simulation } from './simulation.js';
import { TASK_AUTOMATION } from './task-automation/kit.js';

const KITS: readonly Kit[] = [PAYMENTS, TASK_AUTOMATION];

interface Options {
  readonly seeds: readonly [number, number];
  readonly seed?: number;
  readonly steps: number;
  readonly only?: readonly number[];
  readonly pack?: string;
  readonly json?: true;
}

function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is no whole number.');
  return Number(text);
}

function range(text: string): readonly [number, number] {
  const found = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text);
  if (!found) throw new InvalidArgumentError('Write it as 1..100.');
  return [Number(found[1]), Number(found[2])];
}

const program = new Command('simulate')
  .description('Lives stories that a seed decides and checks after every step what always holds.')
  .option('--seeds <A..B>', 'the seeds', range, [1, 100])
  .option('--seed <n>', 'one seed, told step by step', count)
  .option('--steps <n>', 'steps of a story', count, 60)
  .option('--only <numbers>', 'with --seed: the steps that are taken, as in 3,8,12', (text: string) =>
    text.split(',').map(count),
  )
  .option('--pack <name>', `one of ${KITS.map(({ pack }) => pack).join(', ')}; all unless given`)
  .option('--json', 'print the result as JSON')
  .parse();
const options = program.opts<Options>();
const kits = KITS.filter(({ pack }) => options.pack === undefined || pack === options.pack);
if (kits.length === 0) program.error(`There is no simulation of ${String(options.pack)}.`);
if (options.only !== undefined && options.seed === undefined) program.error('--only needs --seed.');
if (options.seed === undefined) await searchAll();
else await print(options.seed);

async function searchAll(): Promise<void> {
  const [first, last] = options.seeds;
  const findings: BrokenRun[] = [];
  let steps = 0;
  const statuses: Record<string, Record<string, number>> = {};
  const began = performance.now();
  for (const kit of kits) {
    const simulation = await Simulation.open(kit);
    for (let seed = first; seed <= last; seed++) {
      const finding = await search(simulation, seed, options.steps);
      steps += options.steps;
      if (process.stderr.isTTY)
        process.stderr.write(`\r${kit.pack}: seed ${seed} of ${last}, ${findings.length} findings `);
      if (!finding) continue;
      findings.push(finding);
      if (!options.json) console.log(`\n${described(finding)}`);
    }
    if (process.stderr.isTTY) process.stderr.write('\n');
    statuses[kit.pack] = Object.fromEntries(
      [...simulation.statuses].map(([hundred, times]) => [`${hundred}xx`, times]),
    );
    await simulation.close();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  if (options.json) console.log(JSON.stringify({ seeds: [first, last], steps, seconds, statuses, findings }, null, 2));
  else
    console.log(
      `${last - first + 1} seeds of ${kits.map(({ pack }) => pack).join(' and ')}, ${steps} steps in ${seconds} s, ${JSON.stringify(statuses)}: ${findings.length} findings`,
    );
  process.exitCode = findings.length > 0 ? 1 : 0;
}

function described({ pack, seed, step, broken, only, said }: BrokenRun): string {
  return [
    `${pack}, seed ${seed}, after step ${step}:`,
    ...broken.map(({ law, what }) => `  ${law}: ${what}`),
    ...said.map((line, index) => `  ${only[index] ?? 'end'}: ${line}`),
    `again: npm run simulate -- --pack ${pack} --seed ${seed} --steps ${step + 1}`,
    `short: npm run simulate -- --pack ${pack} --seed ${seed} --only ${only.join(',')}`,
  ].join('\n');
}

async function print(seed: number): Promise<void> {
  for (const kit of kits) {
    const simulation = await Simulation.open(kit);
    const only = options.only ?? Array.from({ length: options.steps }, (_none, number) => number);
    const { steps, broken, print } = await live(simulation, seed, only);
    await simulation.close();
    if (options.json) console.log(JSON.stringify({ pack: kit.pack, seed, print, steps, broken }, null, 2));
    else {
      console.log(`${kit.pack}, seed ${seed}`);
      for (const [index, { said }] of steps.entries())
        console.log(`${String(only[index] ?? 'end').padStart(4)}: ${said}`);
      for (const { law, what } of broken) console.log(`${law}: ${what}`);
    }
    if (broken.length > 0) process.exitCode = 1;
  }
}
