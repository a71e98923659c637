/**
 * `npm run bench:gate`: compares a few kinds of requests with plain Express for some seconds, and fails if a ratio is a third lower than the one
 * stored for this Node version. Compares processor time in alternating batches, so that other load affects both. `--write` stores the ratios.
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
/** Number of warm-up calls, after which V8 compiles nothing more, and of calls per batch. */
const [WARM, BATCH] = [4000, 150];
/** Batches of each server in a round. */
const BATCHES = 4;
const ROUNDS = 3;
/** The lowest accepted share of a stored ratio. */
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

/** Ratios by kind of request: requests that the sandbox serves in the time of one by plain Express. The best of all rounds. */
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
