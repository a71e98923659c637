/**
 * `npm run test:mutants -- [PACKS...] [--per-kind N] [--seed S]`: adds random errors to packs and prints how many the validator reports, and on the
 * right line. Exits with 1 if it reports fewer than 98 % over all packs.
 */
import { join, relative } from 'node:path';
import { Command } from 'commander';
import { installation, packsIn } from '../../command/installation.js';
import { wholeNumber } from '../../command/options.js';
import { measure, MutatedPack, type MutantVerdict } from './measure.js';
import { percent, shares, tableOf, unreportedTable } from './table.js';

const LEAST = 0.98;
const PACKS = ['packs', join('test', 'packs')].flatMap((folder) => packsIn(join(installation(), folder)));

const program = new Command('test:mutants')
  .description('Puts random errors into packs and prints how many the validator reports, and at their line.')
  .argument('[packs...]', 'folders of packs', PACKS)
  .option('--per-kind <count>', 'errors of each kind in each pack', wholeNumber, 6)
  .option('--seed <number>', 'random seed of the errors', wholeNumber, 1)
  .parse();
const { perKind, seed } = program.opts<{ readonly perKind: number; readonly seed: number }>();
const [folders] = program.processedArgs as [readonly string[]];

const all: MutantVerdict[] = [];
for (const folder of folders) {
  const started = performance.now();
  const verdicts = measure(new MutatedPack(folder), perKind, seed);
  all.push(...verdicts);
  const { made, reported, atLine } = shares(verdicts);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${relative(process.cwd(), folder)}: ${made} errors, ${percent(reported)} reported, ${percent(atLine)} at their line, ${seconds} s`,
  );
}
console.log(`\n${tableOf(all)}\n\n${unreportedTable(all)}`);
if (shares(all).atLine < LEAST) process.exitCode = 1;
