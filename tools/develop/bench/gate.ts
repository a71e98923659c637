/**
 * `npm run bench:gate`: measures some requests beside plain Express for a few seconds, and fails when a ratio has fallen by a third against the one
 * that is kept for this version of Node. Only processor time of one run is compared, in batches that take turns: what else the machine does
 * disturbs both. `--write` keeps what was measured.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../../command/installation.js';
import { Batches } from './batches.js';
import { callOnce, preparePayments } from './requests.js';
import { startMeasuredServer } from './servers.js';

const ROWS = [
  'retrieve a customer',
  'create a customer',
  'create a payment intent',
  'create with confirm',
  'list 100 of 10,000',
];
/** Calls that warm up, until V8 compiles nothing any more, and of a batch. */
const [WARM, BATCH] = [4000, 150];
/** Batches of each server in a round. */
const BATCHES = 4;
const ROUNDS = 3;
/** A ratio may fall to this share of the stored one. */
const SHARE = 2 / 3;

type Ratios = Record<string, number>;

const file = join(installation(), 'tools', 'develop', 'bench', 'ratios.json');
const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Ratios>;
const [major] = process.versions.node.split('.');

const measured = await measure();
if (process.argv.includes('--write')) {
  writeFileSync(file, `${JSON.stringify({ ...kept, [major]: measured }, null, 2)}\n`);
} else {
  const expected = kept[major] as Ratios | undefined;
  if (expected === undefined) console.log(`SKIPPED: no ratios are kept for Node ${major}`);
  for (const [row, ratio] of Object.entries(expected ?? {})) {
    const fell = measured[row] < ratio * SHARE;
    console.log(`${fell ? 'FELL' : 'fine'}  ${row}: ${measured[row]} x Express by processor time, kept is ${ratio}`);
    if (fell) process.exitCode = 1;
  }
}

/** Of each kind of request, how many the sandbox serves in the time of one of plain Express: the best of the rounds. */
async function measure(): Promise<Ratios> {
  const [express, sandbox] = await Promise.all(
    (['express', 'payments'] as const).map((kind) => startMeasuredServer(kind, undefined, false)),
  );
  try {
    const found: Ratios = {};
    for (const { work } of await preparePayments(sandbox)) {
      if (!ROWS.includes(work.name)) continue;
      await express.prepare(work.method, work.path.split('?')[0], await callOnce(sandbox, work));
      const sides = [new Batches(express, work), new Batches(sandbox, work)] as const;
      for (const side of sides) await side.send(WARM);
      const ratios: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const least = [Infinity, Infinity];
        for (let batch = 0; batch < BATCHES; batch++)
          for (const [at, side] of sides.entries()) least[at] = Math.min(least[at], await side.cpuOf(BATCH));
        ratios.push(least[0] / least[1]);
      }
      found[work.name] = Number(Math.max(...ratios).toFixed(2));
    }
    return found;
  } finally {
    await Promise.all([express.stop(), sandbox.stop()]);
  }
}
