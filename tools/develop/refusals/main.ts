/**
 * `npm run test:refusals -- FOLDER`: violates each constraint of the vendors' own documents once, in calls of the shipped packs, and writes which
 * calls the packs reject and accept. Fetches the documents, by commit or version, into a folder outside of the project.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadPack } from '../../../engine/index.js';
import type { FactsFile } from '../../../engine/model/index.js';
import type { PackSource } from '../../../engine/pack/index.js';
import { summaryOf, type NegativeSummary } from '../../commands/check-negative.js';
import { installation } from '../../command/installation.js';
import { documentFacts } from '../../openapi/index.js';
import { breakConstraints } from '../../openapi/negative-run.js';
import { packageFolder } from '../asked/sources.js';
import { tableLines } from '../kit/table.js';
import { writeFigures } from '../prose/figures.js';
import { repositoryFiles } from '../recordings/sources.js';
import { DOCUMENTS, type DocumentSource, measuredHash } from './documents.js';
import { breakDocumentedRules } from './payments.js';

/** Random seed of generated calls. */
const SEED = 1;
/** Percentage of accepted calls above which the program ends with 1. */
const MAX_ACCEPTED = 3;
const PAGE = 'refusals.md';
const HEAD = [
  'Pack',
  'Document',
  'Measured',
  'Operations with a valid call',
  'Broken calls',
  'Rejected',
  'The vendor accepts',
  'Accepted',
  'Defects',
];

const program = new Command('test:refusals')
  .description("Breaks each constraint of the vendors' documents once and counts what the shipped packs accept.")
  .argument('<folder>', 'where the documents are, or are fetched to; outside of the project')
  .argument('[packs...]', 'names of packs (default: all that have documents)')
  .option('--write', `write the tables of docs/internals/${PAGE}`)
  .parse();
const { write } = program.opts<{ write?: true }>();
const [folder, ...wanted] = program.args;

const rows: unknown[][] = [];
const lenient: string[][] = [];
/** Counts of the rules in the vendor's client types. */
let sentences: string | undefined;
for (const source of DOCUMENTS) {
  if (wanted.length > 0 && !wanted.includes(source.pack)) continue;
  const started = Date.now();
  const { pack, source: files } = loadPack(join('packs', source.pack));
  if (pack === null) throw new Error(`packs/${source.pack} has errors`);
  const documents = [];
  for (const path of pathsOf(source)) documents.push(await documentFacts(path, pack, new Set()));
  const reports = await breakConstraints(files, documents, SEED);
  const sum = summaryOf(reports);
  rows.push(rowOf(source, sum));
  lenient.push(...differencesOf(source.pack, files));
  console.log(`| ${rows.at(-1)?.join(' | ')} |`, `${Math.round((Date.now() - started) / 1000)} s`);
  for (const { operation, accepted, failed } of reports)
    for (const { kind, param, status } of [...failed, ...accepted])
      console.log(`  ${operation}: ${param} (${kind}), ${status}`);
  if (sum.failed > 0 || sum.accepted * 100 > MAX_ACCEPTED * sum.broken) process.exitCode = 1;
}
if (wanted.length === 0 || wanted.includes('payments')) {
  const sum = await breakDocumentedRules();
  console.log(
    `payments (${sum.client}): ${sum.forbid} sentences forbid, ${sum.outside} outside; of ${sum.rejected + sum.accepted} with ${sum.calls} calls ${sum.rejected} hold`,
  );
  for (const { rule, status, param, message } of sum.wrong)
    console.log(`  ${rule.call}: ${rule.rule}: ${status}, ${param}, ${message}`);
  for (const path of sum.missing) console.log(`  no rule: ${path}`);
  if (sum.wrong.length + sum.missing.length > 0) process.exitCode = 1;
  sentences = `say ${sum.forbid} rules in words:\n${sum.rejected} hold, ${sum.outside} are about`;
}
if (write) {
  const tables =
    wanted.length > 0 ? [] : [tableLines(HEAD, rows), tableLines(['Pack', 'Parameters', 'Rules', 'Why'], lenient)];
  writeFigures(installation(), PAGE, tables, (page) =>
    page.replace(/say \d+ rules in words:\n\d+ hold, \d+ are about/, (old) => sentences ?? old),
  );
}

/** Lists the paths of a pack's documents. */
function pathsOf(source: DocumentSource): readonly string[] {
  const { paths } = source;
  if (source.npm !== undefined) {
    const [name, version] = source.npm.split(/(?<=.)@/);
    const unpacked = packageFolder(name, version, join(folder, 'npm'));
    return paths.map((path) => join(unpacked, path));
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

function rowOf(
  { pack, title }: DocumentSource,
  { operations, valid, broken, accepted, lenient: more, failed }: NegativeSummary,
): unknown[] {
  const share = broken === 0 ? 0 : Math.ceil((accepted * 1000) / broken) / 10;
  const counts = [broken, broken - accepted - more, more, `${accepted} (${share} %)`, failed];
  return [pack, title, measuredHash(pack), `${valid} of ${operations}`, ...counts];
}

/** Differences between the vendor and its document, from the pack's facts. */
function differencesOf(pack: string, source: PackSource): readonly string[][] {
  const { differs = [] } = (source.one('facts')?.data ?? {}) as Partial<FactsFile>;
  return differs
    .filter(({ rules }) => rules.some((rule) => rule !== 'unknown'))
    .map(({ params, rules, reason }) => [pack, `\`${params.join('`, `')}\``, rules.join(', '), reason]);
}
