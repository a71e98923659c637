import { join, relative } from 'node:path';
import { installation, packsIn } from '../../command/installation.js';
import { measure, MutatedPack, type MutantVerdict } from './measure.js';
import { shares, unreportedTable, tableOf } from './table.js';

/** `node dist/tools/develop/mutants/main.js [per kind] [seed] [packs...]`: puts mistakes into packs and prints which are reported. */
const [perKind = '6', seed = '1', ...given] = process.argv.slice(2);
const folders =
  given.length > 0
    ? given
    : [...packsIn(join(installation(), 'packs')), ...packsIn(join(installation(), 'test', 'packs'))];
const all: MutantVerdict[] = [];
for (const folder of folders) {
  const started = performance.now();
  try {
    const verdicts = measure(new MutatedPack(folder), Number(perKind), Number(seed));
    all.push(...verdicts);
    const { made, reported, atLine } = shares(verdicts);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(
      `${relative(process.cwd(), folder)}: ${made} mistakes, ${(reported * 100).toFixed(1)}% told, ${(atLine * 100).toFixed(1)}% at their line, ${seconds} s`,
    );
  } catch (error) {
    console.log(
      `${relative(process.cwd(), folder)} is left out: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
console.log(`\n${tableOf(all)}\n\n${unreportedTable(all)}`);
const { reported, atLine } = shares(all);
process.exitCode = reported >= 0.98 && atLine >= 0.95 ? 0 : 1;
