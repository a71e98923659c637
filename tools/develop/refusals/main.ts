/**
 * `npm run test:refusals -- FOLDER`: breaks each constraint of the vendors' own documents once, in calls of the shipped packs, and writes
 * what the packs reject and accept. The documents are fetched by commit, or by version, into a folder outside of the project.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadPack } from '../../../engine/index.js';
import { summaryOf, type NegativeSummary } from '../../commands/check-negative.js';
import { wholeNumber } from '../../command/options.js';
import { documentFacts } from '../../openapi/index.js';
import { breakConstraints } from '../../openapi/negative-run.js';
import { repositoryFiles } from '../recordings/sources.js';
import { DOCUMENTS, type DocumentSource } from './documents.js';

interface Options {
  readonly seed: number;
  readonly most: number;
  readonly write?: boolean;
}

const PAGE = join('docs', 'internals', 'refusals.md');

const program = new Command('test:refusals')
  .description("Breaks each constraint of the vendors' documents once and counts what the shipped packs accept.")
  .argument('<folder>', 'where the documents are, or are fetched to; outside of the project')
  .argument('[packs...]', 'names of packs (default: all that have documents)')
  .option('--seed <number>', 'what made-up calls are drawn from', wholeNumber, 1)
  .option('--most <percent>', 'the share of accepted calls above which it ends with 1', wholeNumber, 3)
  .option('--write', `write the table to ${PAGE}`)
  .parse();
const { seed, most, write } = program.opts<Options>();
const [folder, ...wanted] = program.args;

const rows: string[] = [];
for (const source of DOCUMENTS) {
  if (wanted.length > 0 && !wanted.includes(source.pack)) continue;
  const { pack, source: files } = loadPack(join('packs', source.pack));
  if (pack === null) throw new Error(`packs/${source.pack} has errors`);
  const documents = [];
  for (const path of pathsOf(source)) documents.push(await documentFacts(path, pack, new Set()));
  const reports = await breakConstraints(files, documents, seed);
  const sum = summaryOf(reports);
  rows.push(rowOf(source, sum));
  console.log(rows.at(-1));
  for (const { operation, accepted, failed } of reports)
    for (const { kind, param, status } of [...failed, ...accepted])
      console.log(`  ${operation}: ${param} (${kind}), ${status}`);
  if (sum.failed > 0 || sum.accepted * 100 > most * sum.broken) process.exitCode = 1;
}
if (write && wanted.length === 0) writeFileSync(PAGE, page(rows));

/** The documents of a pack as files. */
function pathsOf(source: DocumentSource): readonly string[] {
  const { paths } = source;
  if (source.npm !== undefined) {
    const installed = packageFolder(source.npm);
    return paths.map((path) => join(installed, path));
  }
  const { repository, commit } = source;
  const files = repositoryFiles({ repository, commit, path: '' }, folder);
  const made = mkdtempSync(join(tmpdir(), 'refusals-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return paths.map((path) => {
    const bytes = files.get(path);
    if (bytes === undefined) throw new Error(`${repository} has no ${path} at ${commit}`);
    const file = join(made, path.replaceAll('/', '-'));
    writeFileSync(file, bytes);
    return file;
  });
}

/** A package of npm, installed below the folder unless it is there. */
function packageFolder(npm: string): string {
  const [name] = /^@?[^@]+/.exec(npm) ?? [npm];
  const root = join(folder, 'npm');
  const installed = join(root, 'node_modules', name);
  if (!existsSync(installed)) {
    mkdirSync(root, { recursive: true });
    execFileSync('npm', ['install', '--prefix', root, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', npm]);
  }
  return installed;
}

function rowOf(
  { pack, title }: DocumentSource,
  { operations, valid, broken, accepted, failed }: NegativeSummary,
): string {
  const share = broken === 0 ? 0 : Math.ceil((accepted * 1000) / broken) / 10;
  return `| ${pack} | ${title} | ${valid} of ${operations} | ${broken} | ${broken - accepted} | ${accepted} (${share} %) | ${failed} |`;
}

function page(table: readonly string[]): string {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
  return `# What is refused

How many calls that a vendor refuses do the packs refuse too? For each operation of the vendor's own document that a pack serves, a valid
call is taken from the pack's examples, from the document, or is made up on the pack's seed data. Then each constraint that the document states
(required, type, values, bounds, lengths, patterns) is broken alone, always from the same moment. Parameters of pages that a pack
declares to ignore when they can't be read are left out, and so are uploads.

At commit ${commit}, \`npm run test:refusals -- FOLDER --write\`:

| Pack | Document | Operations with a valid call | Broken calls | Refused | Accepted | Defects |
|---|---|---|---|---|---|---|
${table.join('\n')}

\`sandbox check-contract PACK DOCUMENT --negative\` does it for one document and names each accepted call. A sample runs with the tests:
\`test/packs/refusals.test.ts\`. What the check can't see: rules between parameters, and forms of text that documents only describe.
`;
}
