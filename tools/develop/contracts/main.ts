/**
 * `npm run test:contracts -- FOLDER`: imports every OpenAPI document of a folder (or the named ones), serves what came of it, and prints
 * how many operations respond as their own document says.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { createSandbox } from '../../../engine/index.js';
import { writeFiles } from '../../commands/init-pack.js';
import { ContractCheck, isGood } from '../../openapi/check.js';
import { Contract, importDocument, readDocument } from '../../openapi/index.js';
import { wholeNumber } from '../../command/options.js';
import { documentsIn } from './documents.js';

interface Options {
  readonly seed: number;
  readonly least: number;
}

const program = new Command('test:contracts')
  .description('Imports OpenAPI documents and counts the operations that respond as their own document says.')
  .argument('<paths...>', 'documents, or folders of them')
  .option('--seed <number>', 'what the walk is drawn from', wholeNumber, 1)
  .option('--least <percent>', 'the share below which it ends with 1', wholeNumber, 95)
  .parse();
const { seed, least } = program.opts<Options>();
const files = documentsIn(program.args);

console.log('| Document | Operations | Keep state | Stubs | Respond as the document says | Share |');
console.log('|---|---|---|---|---|---|');
for (const file of files) {
  const document = await readDocument(file);
  const { files: made, operations } = importDocument(document, 'imported');
  const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
  writeFiles(folder, made);
  const sandbox = await createSandbox({ pack: folder, seed: 'contracts', t0: '2025-01-01T00:00:00Z' });
  const report = await new ContractCheck(sandbox, new Contract(document), seed).run();
  await sandbox.close();
  rmSync(folder, { recursive: true });
  const share = Math.floor((report.good * 1000) / report.operations.length) / 10;
  const { all, stateful, stubs } = operations;
  console.log(`| ${basename(file)} | ${all} | ${stateful} | ${stubs} | ${report.good} | ${share} % |`);
  for (const { operation, problems, rejected } of report.operations.filter((each) => !isGood(each)))
    console.error(`${basename(file)}: ${operation}: ${[...problems.keys()][0] ?? rejected ?? 'never answered'}`);
  if (share < least) process.exitCode = 1;
}
