/**
 * `npm run test:imports -- FOLDER`: imports every OpenAPI document of a folder (or the named ones), checks that the pack loads, makes the usual calls
 * of each resource, and prints a table of how many work. `--packs FOLDER` makes those calls on packs that were imported before.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { loadPack } from '../../../engine/index.js';
import { Failure } from '../../command/output.js';
import { writeFiles } from '../../commands/init-pack.js';
import { Contract, type Document, importDocument, readDocument } from '../../openapi/index.js';
import { tableLines } from '../kit/table.js';
import { missesOf, proportion, servedFor, USUAL_CALLS, useOf, type UseReport } from '../../openapi/use/index.js';

const program = new Command('test:imports')
  .description('Imports OpenAPI documents and makes the usual calls of clients on their packs.')
  .argument('<paths...>', 'documents, or folders of them')
  .option('--packs <folder>', 'packs that were imported before, each called like its document: measures those')
  .parse();
const { packs } = program.opts<{ readonly packs?: string }>();

/** Folder of a pack that has none of the document's operations. */
const EMPTY = 'test/samples/minimal';
/** Maximum number of misses that are listed for each document. */
const MOST_MISSES = 10;

const HEAD = ['Document', 'Usual calls that work', ...USUAL_CALLS, 'Questions', 'Seconds of processor'];
console.log(tableLines(HEAD, []).join('\n'));
let works = 0;
let measured = 0;
for (const file of program.args.flatMap(documentsAt)) {
  const name = basename(file).replace(/\.\w+$/, '');
  const row = await measure(file, name).catch((error: unknown) => {
    if (error instanceof Failure) return error.message;
    throw error;
  });
  if (typeof row === 'string') {
    console.error(`${name}: ${row}`);
    continue;
  }
  const { use, questions, seconds } = row;
  works += use.works;
  measured += use.measured;
  const columns = USUAL_CALLS.map((call) => {
    const asked = use.resources.flatMap(({ calls }) => (calls[call] === undefined ? [] : [calls[call]]));
    return asked.length === 0 ? '-' : `${asked.filter((each) => each === null).length}/${asked.length}`;
  });
  console.log(
    `| ${name} | ${proportion(use.works, use.measured)} | ${columns.join(' | ')} | ${questions} | ${seconds} |`,
  );
  for (const miss of missesOf(use).slice(0, MOST_MISSES)) console.error(`${name}: ${miss}`);
}
console.log(`\n${proportion(works, measured)}`);

/** Lists the documents of a folder, sorted by name, or a single one. */
function documentsAt(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => /\.(json|ya?ml)$/.test(name));
  return names.sort().map((name) => join(path, name));
}

/**
 * Measures an import: returns the results for a document, or the reason why its pack can't be measured. @throws Failure if the document can't be used
 */
async function measure(
  file: string,
  name: string,
): Promise<{ readonly use: UseReport; readonly questions: number; readonly seconds: number } | string> {
  const start = process.cpuUsage();
  const document: Document = await readDocument(file);
  const imported = packs === undefined ? importDocument(document, 'imported') : undefined;
  const seconds = Math.round(process.cpuUsage(start).user / 1e5) / 10;
  const folder = imported === undefined ? join(packs ?? '', name) : mkdtempSync(join(tmpdir(), 'imports-'));
  if (imported !== undefined) writeFiles(folder, imported.files);
  try {
    const error = existsSync(folder) && loadPack(folder).problems.find(({ severity }) => severity === 'error');
    if (error) return `the pack doesn't load: ${error.file}:${error.line} ${error.message}`;
    // Another importer may have rejected the document: then a pack without its operations is measured, where no call works.
    const use = await servedFor(existsSync(folder) ? folder : EMPTY, (sandbox) =>
      useOf(sandbox, new Contract(document)),
    );
    return { use, questions: imported?.questions.length ?? 0, seconds };
  } finally {
    if (imported !== undefined) rmSync(folder, { recursive: true });
  }
}
