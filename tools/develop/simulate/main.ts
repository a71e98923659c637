/**
 * `npm run simulate -- --seeds A..B`: plays random stories (calls, receivers' responses, advances of the clock) and checks invariants after each
 * step. For a seed that violates one, prints the shortest list of steps found that reproduces it.
 */
import { Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '../../command/options.js';
import { CompanySimulation } from './company.js';
import type { Kit } from './kit.js';
import { PAYMENTS } from './payments/kit.js';
import { type BrokenRun, live, search } from './run.js';
import type { StoryWorld } from './story.js';
import { Simulation } from './simulation.js';
import { TASK_AUTOMATION } from './task-automation/kit.js';

const KITS: readonly Kit[] = [PAYMENTS, TASK_AUTOMATION];

interface Options {
  readonly seeds: readonly [number, number];
  readonly seed?: number;
  readonly steps: number;
  readonly only?: readonly number[];
  readonly pack?: string;
  readonly company?: string;
}

function range(text: string): readonly [number, number] {
  const found = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text);
  if (!found) throw new InvalidArgumentError('Write it as 1..100.');
  return [Number(found[1]), Number(found[2])];
}

const program = new Command('simulate')
  .description('Lives stories that a seed decides and checks after every step what always holds.')
  .option('--seeds <A..B>', 'the seeds', range, [1, 100])
  .option('--seed <n>', 'one seed, told step by step', wholeNumber)
  .option('--steps <n>', 'steps of a story', wholeNumber, 60)
  .option('--only <numbers>', 'with --seed: the steps that are taken, as in 3,8,12', (text: string) =>
    text.split(',').map(wholeNumber),
  )
  .option('--pack <name>', `one of ${KITS.map(({ pack }) => pack).join(', ')}; all unless given`)
  .option(
    '--company <file>',
    'stories of a company instead: its actors act, things happen outside, forks live on beside it',
  )
  .parse();
const options = program.opts<Options>();
const kits = KITS.filter(({ pack }) => options.pack === undefined || pack === options.pack);
const { company } = options;
const open: readonly (() => Promise<StoryWorld>)[] =
  company === undefined
    ? kits.map((kit) => () => Simulation.open(kit))
    : [() => Promise.resolve(new CompanySimulation(company))];
if (kits.length === 0) program.error(`There is no simulation of ${String(options.pack)}.`);
if (options.only !== undefined && options.seed === undefined) program.error('--only needs --seed.');
if (options.seed === undefined) await searchAll();
else await print(options.seed);

async function searchAll(): Promise<void> {
  const [first, last] = options.seeds;
  let findings = 0;
  let steps = 0;
  const counts: Record<string, StoryWorld['counts']> = {};
  const began = performance.now();
  for (const opened of open) {
    const stage = await opened();
    for (let seed = first; seed <= last; seed++) {
      const finding = await search(stage, seed, options.steps);
      steps += options.steps;
      if (process.stderr.isTTY) process.stderr.write(`\r${stage.name}: seed ${seed} of ${last}, ${findings} findings `);
      if (!finding) continue;
      findings++;
      console.log(`\n${described(finding)}`);
    }
    if (process.stderr.isTTY) process.stderr.write('\n');
    counts[stage.name] = stage.counts;
    await stage.close();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `${last - first + 1} seeds of ${Object.keys(counts).join(' and ')}, ${steps} steps in ${seconds} s, ${JSON.stringify(counts)}: ${findings} findings`,
  );
  process.exitCode = findings > 0 ? 1 : 0;
}

function described({ name, seed, step, broken, only, said }: BrokenRun): string {
  const which = company === undefined ? `--pack ${name}` : `--company ${company}`;
  return [
    `${name}, seed ${seed}, after step ${step}:`,
    ...broken.map(({ law, what }) => `  ${law}: ${what}`),
    ...said.map((line, index) => `  ${only[index] ?? 'end'}: ${line}`),
    `again: npm run simulate -- ${which} --seed ${seed} --steps ${step + 1}`,
    `short: npm run simulate -- ${which} --seed ${seed} --only ${only.join(',')}`,
  ].join('\n');
}

async function print(seed: number): Promise<void> {
  for (const opened of open) {
    const stage = await opened();
    const only = options.only ?? Array.from({ length: options.steps }, (_none, number) => number);
    const { steps, broken } = await live(stage, seed, only);
    await stage.close();
    console.log(`${stage.name}, seed ${seed}`);
    for (const [index, { said }] of steps.entries())
      console.log(`${String(only[index] ?? 'end').padStart(4)}: ${said}`);
    for (const { law, what } of broken) console.log(`${law}: ${what}`);
    if (broken.length > 0) process.exitCode = 1;
  }
}
