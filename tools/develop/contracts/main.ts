/**
 * `npm run test:contracts -- FOLDER`: imports every OpenAPI document of a folder (or the named ones), serves the packs, and prints how many
 * operations respond as their own document describes. `--pack NAME` instead compares the responses in a shipped pack's own examples and tests with
 * one document.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { createSandbox } from '../../../engine/index.js';
import { writeFiles } from '../../commands/init-pack.js';
import { ContractCheck, isGood, type OperationReport } from '../../openapi/check.js';
import { Contract, importDocument, readDocument } from '../../openapi/index.js';
import { wholeNumber } from '../../command/options.js';
import { documentsIn } from './documents.js';
import { judgeOwnResponses } from './own-responses.js';

interface Options {
  readonly seed: number;
  readonly least: number;
  readonly pack?: string;
}

const program = new Command('test:contracts')
  .description('Imports OpenAPI documents and counts the operations that respond as their own document says.')
  .argument('<paths...>', 'documents, or folders of them')
  .option(
    '--pack <name>',
    "judges the responses of a shipped pack's own examples and tests (npm run compile:tests first)",
  )
  .option('--seed <number>', 'what the walk is drawn from', wholeNumber, 1)
  .option('--least <percent>', 'the share below which it ends with 1', wholeNumber, 95)
  .parse();
const { seed, least, pack } = program.opts<Options>();
const files = documentsIn(program.args);

if (pack === undefined) await importAll();
else await judge(pack);

async function importAll(): Promise<void> {
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
    const share = shareOf(report.good, report.operations.length);
    const { all, stateful, stubs } = operations;
    console.log(`| ${basename(file)} | ${all} | ${stateful} | ${stubs} | ${report.good} | ${share} % |`);
    printProblems(
      basename(file),
      report.operations.filter((each) => !isGood(each)),
    );
    if (share < least) process.exitCode = 1;
  }
}

async function judge(name: string): Promise<void> {
  console.log(
    '| Document | Operations that the pack serves | Called | Nothing against them | Responses | Valid | Share |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const file of files) {
    const { judged, valid, operations, served } = await judgeOwnResponses(name, file);
    const wrong = operations.filter(({ problems }) => problems.size > 0);
    const share = shareOf(valid, judged);
    const [called, right] = [operations.length, operations.length - wrong.length];
    console.log(`| ${basename(file)} | ${served} | ${called} | ${right} | ${judged} | ${valid} | ${share} % |`);
    printProblems(name, wrong);
    if (share < least) process.exitCode = 1;
  }
}

/** A share in percent, rounded down to one decimal. */
function shareOf(part: number, all: number): number {
  return all === 0 ? 0 : Math.floor((part * 1000) / all) / 10;
}

function printProblems(of: string, wrong: readonly OperationReport[]): void {
  for (const { operation, problems, rejected } of wrong)
    console.error(`${of}: ${operation}: ${[...problems.keys()].join('; ') || (rejected ?? 'never answered')}`);
}
