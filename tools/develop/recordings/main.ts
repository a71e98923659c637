/**
 * `npm run test:recordings -- FOLDER`: replays recorded calls of the real vendor (VCR and vcrpy cassettes, HAR) on a pack and prints the share of
 * equal responses by operation, and the differences by field.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { createSandbox, PackCache } from '../../../engine/index.js';
import { findPack, installation } from '../../command/installation.js';
import { wholeNumber } from '../../command/options.js';
import { type Recorded, readRecording, recordingsIn } from '../../recordings/read.js';
import { Player, type Result } from '../../recordings/replay.js';
import {
  fallen,
  type OpenDifference,
  type OperationSum,
  pageCounts,
  pageTable,
  type RecordingsReport,
  reportOf,
  writtenReport,
} from './report.js';
import { type RecordingSource, recordingRules } from '../../recordings/rules.js';
import { recordingsOf } from './sources.js';
import type { Recording } from './recording.js';
import { type PlayedCall, WorldPlayer } from './world-player.js';
import { worldsReport, worldsTable, writtenWorlds } from './world-report.js';
import { writeFigures } from '../prose/figures.js';

interface Options {
  readonly pack: string;
  readonly fetch?: string;
  readonly apart?: true;
  readonly most: number;
  readonly only?: string;
  readonly json?: true;
  readonly write?: true;
}

const program = new Command('test:recordings')
  .description('Plays recorded calls of the real vendor against a pack and lists what differs.')
  .argument('[folder]', 'a folder of VCR or vcrpy cassettes (YAML) and HAR files, or one file')
  .option('--pack <name>', 'the pack; tools/recordings/<name>.yaml says how it is compared', 'payments')
  .option('--most <n>', 'differences that are printed', wholeNumber, 40)
  .option('--only <text>', 'only differences of operations and fields that contain the text')
  .option('--fetch <folder>', 'play the public repositories that the rules name; they are fetched into the folder')
  .option('--apart', 'show also what differs in the repositories or classes of tests that are kept apart')
  .option('--json', 'print the report as JSON')
  .option('--write', 'write the figures of the page of the recordings (with --fetch, without --only)')
  .parse();
const options = program.opts<Options>();
/** Resources for which the page has a separate sum. */
const CONNECTED = ['connected_accounts', 'persons', 'capabilities'];

const rules = recordingRules(options.pack);
const sandbox = await createSandbox({
  pack: await findPack(rules.pack),
  cache: PackCache.ofInstallation(),
  vars: rules.vars,
  seed: 'recordings',
  traceLimit: 10,
  ledgerLimit: 10,
});
if (options.fetch === undefined) await playFolder(program.args[0] ?? program.help());
else if (rules.presumes) await playWorlds(rules.sources ?? [], options.fetch);
else await playRepositories(rules.sources ?? [], options.fetch);

/** Plays the self-contained recordings of a folder. */
async function playFolder(folder: string): Promise<void> {
  const player = new Player(sandbox, rules);
  const played = new Map<string, readonly Result[]>();
  for (const [index, file] of recordingsIn(folder).entries()) {
    const calls = readRecording(file);
    if (isOfVendor(calls)) played.set(file, await player.play(calls));
    if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} files `);
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  await sandbox.close();
  if (played.size > 0) return print(reportOf(played), []);
  console.log(`There are no recordings of ${rules.hosts.join(', ')} in ${folder}.`);
  process.exitCode = 1;
}

/** Plays self-contained recordings of public repositories. */
async function playRepositories(sources: readonly RecordingSource[], folder: string): Promise<void> {
  const player = new Player(sandbox, rules);
  const all = new Map<string, readonly Result[]>();
  const shown = new Map<string, readonly Result[]>();
  const sums: [string, OperationSum][] = [];
  for (const source of sources) {
    const played = new Map<string, readonly Result[]>();
    for (const { name, calls } of recordingsOf(source, folder))
      if (isOfVendor(calls)) played.set(`${source.repository}/${name}`, await player.play(calls, source.account));
    for (const [name, results] of played) {
      all.set(name, results);
      if (source.apart !== true || options.apart) shown.set(name, results);
    }
    sums.push([`${source.repository}${source.apart ? ', kept apart' : ''}`, reportOf(played).sum]);
  }
  await sandbox.close();
  const { differences } = reportOf(shown);
  print({ ...reportOf(all), differences }, sums);
}

function isOfVendor(calls: readonly Recorded[]): boolean {
  return calls.some(({ url }) => rules.hosts.includes(url.hostname));
}

function print(report: RecordingsReport, sums: readonly (readonly [string, OperationSum])[]): void {
  const wanted = ({ operation, path }: OpenDifference): boolean =>
    options.only === undefined || `${operation} ${path}`.includes(options.only);
  const page = join(installation(), 'docs', 'internals', 'recordings.md');
  const shown = {
    ...report,
    differences: report.differences.filter(wanted),
    sources: Object.fromEntries(sums),
    fell: sums.length === 0 || !existsSync(page) ? [] : fallen(report.operations, readFileSync(page, 'utf8')),
  };
  console.log(options.json ? JSON.stringify(shown, null, 2) : writtenReport(shown, options.most));
  if (options.write && sums.length > 0 && options.only === undefined)
    writeFigures(
      installation(),
      'recordings.md',
      [pageTable(shown, CONNECTED, 'connected accounts, their persons and capabilities')],
      (text) => text.replace(/^\d+ recordings with .*$/m, () => pageCounts(shown)),
    );
}

/** Plays recordings of tests that need existing objects. */
async function playWorlds(sources: readonly RecordingSource[], folder: string): Promise<void> {
  const player = new WorldPlayer(sandbox, rules);
  const played: [Recording, PlayedCall[]][] = [];
  for (const source of sources)
    for (const each of recordingsOf(source, folder))
      if (options.only === undefined || each.name.includes(options.only)) played.push([each, await player.play(each)]);
  await sandbox.close();
  const report = worldsReport(played, options.apart === true);
  if (options.write && options.only === undefined)
    writeFigures(installation(), 'recordings-code-hosting.md', [worldsTable(report)]);
  const rejected = [...player.rejected].map(([why, n]) => `${n} objects were not put into worlds: ${why}`);
  console.log(
    options.json ? JSON.stringify(report, null, 2) : [writtenWorlds(report, options.most), '', ...rejected].join('\n'),
  );
}
