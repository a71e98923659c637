/**
 * `npm run fuzz -- --minutes N --seed S [--pack NAME | --company FILE] [--heap N] [--postgres]`: sends valid and invalid calls to the packs, or to a
 * company's, until the time is over or a defect is found; then prints the shortest calls that reproduce it. `--replay FILE` sends them again.
 * `--flips N` instead damages N copies of a store, and lists damage that neither a start nor `sandbox worlds check` reports. `--documents N` imports
 * N mutated documents.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { installation, packsIn } from '../../command/installation.js';
import { startPostgres } from '../clients/postgres.js';
import { callSource } from './company.js';
import { fuzzDocuments } from './documents.js';
import { flipStores } from './flips.js';
import { fuzz, type FuzzFinding, replayCalls } from './run.js';
import { LONG_MS } from './waits.js';

const PACKS = packsIn(join(installation(), 'packs')).map((folder) => basename(folder));

interface Options {
  readonly minutes: number;
  readonly seed: number;
  readonly pack?: string;
  readonly company?: string;
  readonly heapMb: number;
  readonly postgres?: true;
  readonly replay?: string;
  readonly flips?: number;
  readonly documents?: number;
}

function number(text: string): number {
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(text)) throw new InvalidArgumentError("It isn't a number.");
  return Number(text);
}

const values = new Command('fuzz')
  .description('Calls the packs with valid and invalid parameters, and prints the smallest calls that break a law.')
  .option('--minutes <n>', 'how long; packs run beside each other', number, 2)
  .option('--seed <n>', 'what decides the calls', number, 1)
  .option('--pack <name>', 'only this one, or a folder')
  .option('--company <file>', 'a company file instead: its packs, and the control API of all')
  .option('--postgres', 'keep the worlds in a PostgreSQL that is started for it')
  .option('--heap, --heap-mb <n>', 'megabytes that the process may keep', number, 768)
  .option('--replay <file>', 'send the calls of a finding again')
  .option('--flips <n>', 'flip bits of this many copies of a store instead, and cut every fifth', number)
  .option('--documents <n>', 'import this many changed documents instead', number)
  .parse()
  .opts<Options>();

if (values.flips !== undefined) {
  const counts = await flipStores(values.flips, values.seed);
  console.log(JSON.stringify(counts, null, 2));
  process.exitCode = counts.served.length + counts.silent.length > 0 ? 1 : 0;
} else if (values.documents !== undefined) {
  const counts = await fuzzDocuments(values.documents, values.seed);
  console.log(JSON.stringify(counts, null, 2));
  process.exitCode = counts.findings.length > 0 ? 1 : 0;
} else {
  const database = values.postgres ? await startPostgres() : undefined;
  if (values.postgres && database === undefined)
    throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  try {
    await (values.replay === undefined ? search(database?.url) : replay(values.replay, database?.url));
  } finally {
    database?.stop();
  }
}

async function replay(file: string, postgres: string | undefined): Promise<void> {
  const { calls, what, ...world } = JSON.parse(readFileSync(file, 'utf8')) as FuzzFinding;
  const seen = await replayCalls({ ...world, postgres }, calls);
  console.log(seen === null ? `not any more: ${what}` : `still: ${seen}`);
  process.exitCode = seen === null ? 0 : 1;
}

async function search(postgres: string | undefined): Promise<void> {
  const one = values.company ?? values.pack;
  const packs = one === undefined ? PACKS : [one];
  const { seed, heapMb, minutes } = values;
  const runs = [];
  for (const pack of packs)
    runs.push({ world: { pack, seed, heapMb, postgres }, source: await callSource(pack, seed) });
  // Runs packs concurrently, since half of the time is spent waiting for raw connections, frames and cut streams.
  const searching = runs.map(async ({ world, source }) => {
    const { pack } = world;
    const { calls, statuses, waits, finding } = await fuzz(world, source, minutes * 60_000, (line) =>
      console.error(line),
    );
    const waited = `of ${waits.calls} calls beside them ${waits.long} waited for more than ${LONG_MS} ms, the longest ${waits.longestMs} ms`;
    console.log(`${pack}: ${calls} calls, ${JSON.stringify(statuses)}; ${waited}`);
    if (finding === null) return;
    const file = `fuzz-${basename(pack, '.yaml')}-${finding.seed}.json`;
    // Omits the address of PostgreSQL, which differs in the next run.
    writeFileSync(file, JSON.stringify({ ...finding, postgres: undefined }, null, 2));
    const again = `npm run fuzz -- --replay ${file}${postgres === undefined ? '' : ' --postgres'}`;
    console.log(`${finding.what}\n${JSON.stringify(finding.calls, null, 2)}\nagain: ${again}`);
    process.exitCode = 1;
  });
  await Promise.all(searching);
}
