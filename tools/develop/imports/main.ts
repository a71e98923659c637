/**
 * `npm run test:imports -- FOLDER`: imports every OpenAPI document of a folder (or the named ones), checks that the pack loads, plays
 * the document's own examples on it, and prints a table of how many are usable.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { createSandbox, loadPack } from '../../../engine/index.js';
import { Failure } from '../../command/output.js';
import { wholeNumber } from '../../command/options.js';
import { writeFiles } from '../../commands/init-pack.js';
import { Contract, Document, importDocument, readDocument } from '../../openapi/index.js';
import { ASPECTS, isUsable, scoreOf } from '../../openapi/score.js';
import { documentsIn } from '../contracts/documents.js';

const program = new Command('test:imports')
  .description("Imports OpenAPI documents and plays the documents' own examples on what came of them.")
  .argument('<paths...>', 'documents, or folders of them')
  .option('--least <percent>', 'the share of usable examples below which it ends with 1', wholeNumber, 0)
  .option('--blind', 'imports the documents without their examples, and plays the examples all the same')
  .option('--misses <count>', 'misses that are listed for each document', wholeNumber, 10)
  .parse();
const { least, misses, blind } = program.opts<{
  readonly least: number;
  readonly misses: number;
  readonly blind?: true;
}>();
const files = documentsIn(program.args);

console.log(
  `| Document | Operations | Loads | Examples | Usable | Share | Of stateful ones | ${ASPECTS.join(' | ')} | Questions | Seconds of processor |`,
);
console.log(`|---|---|---|---|---|---|---|${ASPECTS.map(() => '---').join('|')}|---|---|`);
for (const file of files) {
  const start = process.cpuUsage();
  let document: Document;
  try {
    document = await readDocument(file);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.log(`| ${basename(file)} | - | rejected: ${error.message} |`);
    continue;
  }
  const {
    files: made,
    operations,
    questions,
  } = importDocument(blind === true ? withoutExamples(document) : document, 'imported');
  const seconds = (process.cpuUsage(start).user / 1e6).toFixed(1);
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  writeFiles(folder, made);
  const errors = loadPack(folder).problems.filter(({ severity }) => severity === 'error');
  for (const { file: path, line, message } of errors.slice(0, 5))
    console.error(`${basename(file)}: ${path}:${line} ${message}`);
  if (errors.length > 0) {
    process.exitCode = 1;
    console.log(`| ${basename(file)} | ${operations.all} | no |`);
    rmSync(folder, { recursive: true });
    continue;
  }
  const sandbox = await createSandbox({
    pack: folder,
    seed: 'imports',
    t0: '2025-01-01T00:00:00Z',
    onDefect: () => undefined,
  });
  const { examples } = await scoreOf(sandbox, new Contract(document));
  await sandbox.close();
  rmSync(folder, { recursive: true });
  const usable = examples.filter(isUsable);
  const stateful = examples.filter((each) => each.stateful);
  const share = (good: number, all: number): string => (all === 0 ? '-' : `${Math.floor((good * 100) / all)} %`);
  const aspects = ASPECTS.map((aspect) => {
    const asked = examples.filter(({ aspects: own }) => own[aspect] !== undefined);
    return `${asked.filter(({ aspects: own }) => own[aspect] === null).length}/${asked.length}`;
  });
  const kept = stateful.filter(isUsable).length;
  console.log(
    `| ${basename(file)} | ${operations.all} | yes | ${examples.length} | ${usable.length} | ${share(usable.length, examples.length)} | ${kept}/${stateful.length} (${share(kept, stateful.length)}) | ${aspects.join(' | ')} | ${questions.length} | ${seconds} |`,
  );
  for (const { example, aspects: own } of examples.filter((each) => !isUsable(each)).slice(0, misses))
    console.error(`${basename(file)}: ${example}: ${Object.values(own).find((each) => each !== null)}`);
  if (examples.length > 0 && (usable.length * 100) / examples.length < least) process.exitCode = 1;
}

/** A document that shows nothing: what its examples say has to follow from its schemas. */
function withoutExamples(document: Document): Document {
  const less = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => less(each, ''));
    if (typeof value !== 'object' || value === null) return value;
    const isNames = key === 'properties' || key === 'schemas' || key === 'paths';
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => isNames || (name !== 'example' && name !== 'examples' && !name.startsWith('x-')))
        .map(([name, each]) => [name, less(each, isNames ? '' : name)]),
    );
  };
  return new Document(less(document.root, '') as Document['root'], document.original);
}
