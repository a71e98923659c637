/**
 * `npm run test:refusals -- FOLDER`: violates each constraint of the vendors' own documents once, in calls of the shipped packs, and writes which
 * calls the packs reject and accept. Fetches the documents, by commit or version, into a folder outside of the project.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { headCommit } from '../prose/figures.js';
import { repositoryFiles } from '../recordings/sources.js';
import { DOCUMENTS, type DocumentSource, measuredHash } from './documents.js';
import { breakDocumentedRules, type PaymentsRejections } from './payments.js';

/** Random seed of generated calls. */
const SEED = 1;
/** Percentage of accepted calls above which the program ends with 1. */
const MAX_ACCEPTED = 3;
const PAGE = join('docs', 'internals', 'refusals.md');
const SENTENCES = join('docs', 'internals', 'sentences.json');

interface Sentences {
  readonly source: string;
  readonly rules: number;
  readonly hold: number;
  readonly outside: number;
  readonly command: string;
}

const program = new Command('test:refusals')
  .description("Breaks each constraint of the vendors' documents once and counts what the shipped packs accept.")
  .argument('<folder>', 'where the documents are, or are fetched to; outside of the project')
  .argument('[packs...]', 'names of packs (default: all that have documents)')
  .option('--write', `write the table to ${PAGE}`)
  .parse();
const { write } = program.opts<{ write?: true }>();
const [folder, ...wanted] = program.args;

const rows: string[] = [];
const lenient: string[] = [];
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
  console.log(rows.at(-1), `${Math.round((Date.now() - started) / 1000)} s`);
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
  if (write) writeFileSync(SENTENCES, `${JSON.stringify(sentencesRow(sum), null, 2)}\n`);
}
if (write && wanted.length === 0) writeFileSync(PAGE, page(rows, lenient));

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
): string {
  const share = broken === 0 ? 0 : Math.ceil((accepted * 1000) / broken) / 10;
  const rejected = broken - accepted - more;
  return `| ${pack} | ${title} | ${measuredHash(pack)} | ${valid} of ${operations} | ${broken} | ${rejected} | ${more} | ${accepted} (${share} %) | ${failed} |`;
}

/** Differences between the vendor and its document, from the pack's facts. */
function differencesOf(pack: string, source: PackSource): readonly string[] {
  const { differs = [] } = (source.one('facts')?.data ?? {}) as Partial<FactsFile>;
  return differs
    .filter(({ rules }) => rules.some((rule) => rule !== 'unknown'))
    .map(({ params, rules, reason }) => `| ${pack} | \`${params.join('`, `')}\` | ${rules.join(', ')} | ${reason} |`);
}

function sentencesRow({ client, forbid, rejected, outside }: PaymentsRejections): Sentences {
  const command = `npm run ${program.name()} -- FOLDER payments --write`;
  return { source: client, rules: forbid, hold: rejected, outside, command };
}

/** The counted rules in the vendor's client types, for a pack without a document; empty if there are none. */
function sentences(): string {
  if (!existsSync(SENTENCES)) return '';
  const { source, rules, hold, outside, command } = JSON.parse(readFileSync(SENTENCES, 'utf8')) as Sentences;
  return `## Payments

The vendor's document isn't public in a form that can be fetched here. The types of its client (${source}) say ${rules} rules in words:
${hold} hold, ${outside} are about what the pack doesn't have (\`${command}\`).

`;
}

function page(table: readonly string[], differences: readonly string[]): string {
  const commit = headCommit(installation());
  return `# Rejected calls

How many of the calls that a vendor rejects do the packs reject too? For each operation of the vendor's own document that a pack serves, a valid
call is taken from the pack's examples, from the document, or is made up on the pack's seed data. Then each constraint that the document states
(required, type, values, bounds, lengths, patterns) is broken alone, always from the same moment. Uploads are left out.

At commit ${commit}, \`npm run test:refusals -- FOLDER --write\`:

| Pack | Document | Measured | Operations with a valid call | Broken calls | Rejected | The vendor accepts | Accepted | Defects |
|---|---|---|---|---|---|---|---|---|
${table.join('\n')}

\`Measured\` identifies the facts of the pack and the rules of the check. \`test/tools/refusals-page.test.ts\` fails when they have changed since.

## What the vendor accepts

Vendors don't enforce everything that their documents say. These rules aren't checked, and calls that break them are counted apart
(\`differs\` of \`facts.yaml\`):

| Pack | Parameters | Rules | Why |
|---|---|---|---|
${differences.join('\n')}

${sentences()}## How to measure

\`sandbox check-contract PACK DOCUMENT --negative\` does it for one document and names each accepted call. A sample runs with the tests:
\`test/packs/refusals.test.ts\`. The check can't see rules between parameters, and forms of text that documents only describe.

Where to go next: [recordings.md](recordings.md) compares the packs with recordings of the real vendors;
[pack-language.md](../reference/pack-language.md#factsyaml) describes \`facts.yaml\`.
`;
}
