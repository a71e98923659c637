/**
 * `npm run test:recordings -- FOLDER`: plays recorded calls of the real vendor (VCR and vcrpy cassettes, HAR) against a pack and tells what
 * was equal, per operation, and what differs, by field.
 */
import { Command, InvalidArgumentError } from 'commander';
import { createSandbox, PackCache } from '../../../engine/index.js';
import { findPack } from '../../command/installation.js';
import { readRecording, recordingsIn } from '../../recordings/read.js';
import { Player, type Result } from '../../recordings/replay.js';
import { reportOf, written } from './report.js';
import { rulesOf } from '../../recordings/rules.js';

interface Options {
  readonly pack: string;
  readonly most: number;
  readonly only?: string;
  readonly json?: true;
}

const program = new Command('test:recordings')
  .description('Plays recorded calls of the real vendor against a pack and lists what differs.')
  .argument('<folder>', 'a folder of VCR or vcrpy cassettes (YAML) and HAR files, or one file')
  .option('--pack <name>', 'the pack; tools/recordings/<name>.yaml says how it is compared', 'payments')
  .option('--most <n>', 'differences that are printed', count, 40)
  .option('--only <text>', 'only differences of operations and fields that contain the text')
  .option('--json', 'print the report as JSON')
  .parse();
const options = program.opts<Options>();

function count(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It is no whole number.');
  return Number(text);
}

const rules = rulesOf(options.pack);
const sandbox = await createSandbox({
  pack: await findPack(rules.pack),
  cache: PackCache.ofInstallation(),
  vars: rules.vars,
  seed: 'recordings',
  traceLimit: 10,
  ledgerLimit: 10,
});
const player = new Player(sandbox, rules);
const played = new Map<string, readonly Result[]>();
const files = recordingsIn(program.args[0]);
for (const [index, file] of files.entries()) {
  const calls = readRecording(file);
  if (calls.some(({ url }) => rules.hosts.includes(url.hostname))) played.set(file, await player.play(calls));
  if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} of ${files.length} files `);
}
if (process.stderr.isTTY) process.stderr.write('\n');
await sandbox.close();
const report = reportOf(played);
const wanted = (text: string): boolean => options.only === undefined || text.includes(options.only);
const shown = {
  ...report,
  differences: report.differences.filter(({ operation, path }) => wanted(`${operation} ${path}`)),
};
if (options.json) console.log(JSON.stringify(shown, null, 2));
else
  console.log(
    played.size === 0
      ? `There are no recordings of ${rules.hosts.join(', ')} in ${program.args[0]}.`
      : written(shown, options.most),
  );
if (played.size === 0) process.exitCode = 1;
