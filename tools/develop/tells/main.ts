/**
 * `npm run test:tells -- --fetch FOLDER`: samples a hundred calls per pack from public recordings of its vendor, replays them and lists the
 * differences by which an agent could recognise the sandbox: members on one side only, other formats, another order, headers. Ignores differences
 * that occur between recordings. `tools/recordings/<pack>.yaml` names the recordings.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { createSandbox, PackCache } from '../../../engine/index.js';
import { allPacks, findPack, installation } from '../../command/installation.js';
import { type PlayedExchange, Player } from '../../recordings/replay.js';
import { recordingRules } from '../../recordings/rules.js';
import { writeFigures } from '../prose/figures.js';
import type { Recording } from '../recordings/recording.js';
import { recordingsOf } from '../recordings/sources.js';
import { WorldPlayer } from '../recordings/world-player.js';
import { type OwnResponses, kindOfCall, ownResponses } from './own-responses.js';
import { compare, type ComparedCall, type HowCompared } from './compared.js';
import { Corpus, type DrawnCall } from './corpus.js';
import { type PackReport, packReport, signsTable, written } from './report.js';

const options = new Command('test:tells')
  .description('Compares drawn calls of public recordings with responses of the packs.')
  .requiredOption('--fetch <folder>', 'the recordings, as `test:recordings` fetches them')
  .option('--pack <name...>', 'only these packs')
  .option('--write', 'write the table of docs/internals/agents.md')
  .parse()
  .opts<{ fetch: string; pack?: string[]; write?: true }>();

/** Seed of the draw, and number of calls that are drawn per pack. */
const [SEED, CALLS] = [1, 100];
const root = installation();
const packs = options.pack ?? allPacks(root).map((folder) => basename(folder));
const reports: PackReport[] = [];
for (const pack of packs)
  if (existsSync(join(root, 'tools', 'recordings', `${pack}.yaml`))) reports.push(await reportOf(pack));
console.log(written(reports));
if (options.write) writeFigures(root, 'agents.md', [signsTable(reports)]);

async function reportOf(pack: string): Promise<PackReport> {
  const rules = recordingRules(pack);
  const folder = await findPack(pack);
  const sandbox = await createSandbox({
    pack: folder,
    cache: PackCache.ofInstallation(),
    vars: { ...rules.vars, realistic: 'on' },
    seed: 'tells',
    traceLimit: 10,
    ledgerLimit: 10,
  });
  const sources = rules.sources ?? [];
  const unordered = new Set(
    sources
      .filter((each) => each.unordered === true || each.format === 'documented')
      .map(({ repository }) => repository),
  );
  const recordings = sources.flatMap((source) => recordingsOf(source, options.fetch).map(placed));
  const corpus = new Corpus(sandbox, rules.hosts, recordings);
  const own = await ownResponses(sandbox, join(folder, 'examples'), rules);
  const player = rules.presumes ? new WorldPlayer(sandbox, rules) : new Player(sandbox, rules);
  const played = new Map<Recording, readonly PlayedExchange[]>();
  const compared: ComparedCall[] = [];
  for (const drawn of corpus.draw(SEED)) {
    if (compared.length >= CALLS) break;
    const { recording } = drawn;
    if (!played.has(recording)) played.set(recording, recording.unplayable ? [] : await exchangesOf(player, recording));
    const exchange = played.get(recording)?.find((each) => each.recorded.place === drawn.place);
    const at = { base: sandbox.url, ordered: !unordered.has(recording.source) };
    const found = resultOf(drawn, exchange, own, corpus, at);
    if (found) compared.push(found);
  }
  await sandbox.close();
  const { counts, operations } = corpus;
  return packReport(
    pack,
    sources.map(({ repository }) => repository),
    { ...counts, operations },
    compared,
  );
}

/** Numbers the calls of a recording, to find them in the results. */
function placed(recording: Recording): Recording {
  return { ...recording, calls: recording.calls.map((call, place) => ({ ...call, place })) };
}

async function exchangesOf(player: Player | WorldPlayer, recording: Recording): Promise<PlayedExchange[]> {
  const results =
    player instanceof WorldPlayer
      ? await player.play(recording)
      : await player.play([...recording.before, ...recording.calls]);
  return results.flatMap((each) => ('exchange' in each && each.exchange !== undefined ? [each.exchange] : []));
}

/** Returns the result of a replayed call, or the most similar response in the pack's examples; undefined if there is none. */
function resultOf(
  drawn: DrawnCall,
  exchange: PlayedExchange | undefined,
  own: OwnResponses,
  { forms }: Corpus,
  at: Omit<HowCompared, 'how'>,
): ComparedCall | undefined {
  const key = kindOfCall(drawn.operation, drawn.call.status);
  const known = forms.get(key);
  if (known === undefined) return undefined;
  if (exchange) return compare(drawn, exchange, known, { how: 'played', ...at });
  const all = (own.get(key) ?? []).map((each) => compare(drawn, each, known, { how: 'nearest', ...at }));
  return all.sort((a, b) => a.differences.length - b.differences.length).at(0);
}
