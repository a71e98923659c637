/**
 * `npm run test:imports -- FOLDER`: imports every OpenAPI document of a folder (or the named ones), checks that the pack loads, makes the usual calls
 * of each resource, sends the document's own examples, and prints a table of how many work.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { loadPack } from '../../../engine/index.js';
import { Failure } from '../../command/output.js';
import { wholeNumber } from '../../command/options.js';
import { writeFiles } from '../../commands/init-pack.js';
import { Contract, Document, importDocument, readDocument } from '../../openapi/index.js';
import { isUsable, scoreOf } from '../../openapi/score.js';
import { missesOf, servedFor, proportion, USUAL_CALLS, useOf, type UseReport } from '../../openapi/use/index.js';
import { documentsIn } from '../contracts/documents.js';

const program = new Command('test:imports')
  .description('Imports OpenAPI documents and makes the usual calls of clients on their packs.')
  .argument('<paths...>', 'documents, or folders of them')
  .option('--least <percent>', 'the share of usual calls that work below which it ends with 1', wholeNumber, 0)
  .option('--blind', 'imports the documents without their examples')
  .option('--packs <folder>', 'packs that were imported before, each called like its document: measures those')
  .option('--no-examples', "doesn't play the documents' own examples")
  .option('--misses <count>', 'misses that are listed for each document', wholeNumber, 10)
  .option('--json', 'prints a line of JSON for each document')
  .parse();
const { least, misses, blind, packs, examples, json } = program.opts<{
  readonly least: number;
  readonly misses: number;
  readonly blind?: true;
  readonly packs?: string;
  readonly examples: boolean;
  readonly json?: true;
}>();

/** A pack without operations of the document. */
const EMPTY = 'test/samples/minimal';

/** The result for one document. */
interface Measured {
  readonly document: string;
  /** Reason for which the import was rejected. */
  readonly rejected?: string;
  readonly use: UseReport;
  readonly examples: { readonly usable: number; readonly all: number };
  readonly questions: number;
  readonly seconds: number;
}

if (json !== true)
  console.log(
    `| Document | Usual calls that work | ${USUAL_CALLS.join(' | ')} | Examples | Questions | Seconds of processor |\n|---|---|${USUAL_CALLS.map(() => '---|').join('')}---|---|---|`,
  );
let works = 0;
let measured = 0;
for (const file of documentsIn(program.args)) {
  const each = await measure(file);
  works += each.use.works;
  measured += each.use.measured;
  console.log(json === true ? JSON.stringify(each) : row(each));
  if (each.rejected !== undefined) console.error(`${each.document}: ${each.rejected}`);
  if (json !== true) for (const miss of missesOf(each.use).slice(0, misses)) console.error(`${each.document}: ${miss}`);
}
if (json !== true) console.log(`\n${proportion(works, measured)}`);
if (measured === 0 || (works * 100) / measured < least) process.exitCode = least > 0 ? 1 : 0;

async function measure(file: string): Promise<Measured> {
  const name = basename(file).replace(/\.\w+$/, '');
  const start = process.cpuUsage();
  const nothing = { works: 0, measured: 0, resources: [] };
  const failed = (rejected: string): Measured => ({
    document: name,
    rejected,
    use: nothing,
    examples: { usable: 0, all: 0 },
    questions: 0,
    seconds: 0,
  });
  let document: Document;
  try {
    document = await readDocument(file);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failed(error.message);
  }
  const imported =
    packs === undefined ? importDocument(blind === true ? withoutExamples(document) : document, 'imported') : undefined;
  const seconds = process.cpuUsage(start).user / 1e6;
  const folder = imported === undefined ? join(packs ?? '', name) : mkdtempSync(join(tmpdir(), 'imports-'));
  if (imported !== undefined) writeFiles(folder, imported.files);
  try {
    const errors = existsSync(folder) ? loadPack(folder).problems.filter(({ severity }) => severity === 'error') : [];
    if (errors.length > 0)
      return failed(`the pack doesn't load: ${errors[0].file}:${errors[0].line} ${errors[0].message}`);
    const contract = new Contract(document);
    // For a rejected document, a pack without operations is measured: none of its calls works.
    const pack = existsSync(folder) ? folder : EMPTY;
    const use = await servedFor(pack, (sandbox) => useOf(sandbox, contract));
    const played = examples ? (await servedFor(pack, (sandbox) => scoreOf(sandbox, contract))).examples : [];
    return {
      document: name,
      use,
      examples: { usable: played.filter(isUsable).length, all: played.length },
      questions: imported?.questions.length ?? 0,
      seconds: Math.round(seconds * 10) / 10,
    };
  } finally {
    if (imported !== undefined) rmSync(folder, { recursive: true });
  }
}

function row({ document, use, examples: played, questions, seconds }: Measured): string {
  const columns = USUAL_CALLS.map((call) => {
    const asked = use.resources.flatMap(({ calls }) => (calls[call] === undefined ? [] : [calls[call]]));
    return asked.length === 0 ? '-' : `${asked.filter((each) => each === null).length}/${asked.length}`;
  });
  return `| ${document} | ${proportion(use.works, use.measured)} | ${columns.join(' | ')} | ${proportion(played.usable, played.all)} | ${questions} | ${seconds} |`;
}

/** Removes all examples from a document, so that values are derived from its schemas. */
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
