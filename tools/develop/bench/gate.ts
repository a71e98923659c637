/**
 * `npm run bench:gate`: compares a few kinds of requests with the build that `docs/internals/performance.md` describes, and fails if this build serves
 * less than two thirds of that build's requests in the same processor time. Both builds run on this machine in alternating batches: their ratio doesn't
 * depend on the machine, while ratios to Express differ by half between two processors.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installation } from '../../command/installation.js';
import { measuredCommit } from '../prose/figures.js';
import { Batches } from './batches.js';
import { preparePayments } from './requests.js';
import { serverOf, startMeasuredServer } from './servers.js';

const ROWS = [
  'retrieve a customer',
  'create a customer',
  'create a payment intent',
  'create with confirm',
  'list 100 of 10,000',
];
/** Number of warm-up calls, enough for V8 to compile all code, and number of calls per batch. */
const [WARM, BATCH] = [4000, 600];
/** Number of batches sent to each server. */
const BATCHES = 6;
/** Lowest accepted speed as a share of the earlier build's. */
const SHARE = 2 / 3;
/** Maximum size of `git archive`'s output in bytes. */
const MAX_ARCHIVE_BYTES = 2 ** 30;

const measured = measuredCommit('docs/internals/performance.md', 'Requests', installation());
if (measured === null)
  console.log(
    "SKIPPED: this clone lacks the commit of performance.md's requests. Fetch the history (git fetch --unshallow).",
  );
else await compare(measured);

/** Compares this build with that of a commit, and sets the exit code if it is too slow. */
async function compare(commit: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-gate-'));
  try {
    buildOf(commit, folder);
    for (const [row, ratio] of Object.entries(await measure(serverOf(folder)))) {
      const isSlow = ratio < SHARE;
      console.log(
        `${isSlow ? 'SLOW' : 'fine'}  ${row}: ${ratio.toFixed(2)} x the build of ${commit} by processor time`,
      );
      if (isSlow) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Exports a commit into a folder and compiles it with this installation's dependencies. */
function buildOf(commit: string, folder: string): void {
  const archive = execFileSync(
    'git',
    ['-C', installation(), 'archive', commit, '--', 'engine', 'packs', 'schemas', 'tools', '*.json'],
    {
      maxBuffer: MAX_ARCHIVE_BYTES,
    },
  );
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(installation(), 'node_modules'), join(folder, 'node_modules'));
  for (const line of [
    ['tools/develop/generate/schemas.mjs'],
    ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck'],
  ])
    execFileSync(process.execPath, line, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * Measures, by kind of request, how many requests this build serves in the time in which the other build serves one. Compares the fastest batches.
 */
async function measure(otherServer: string): Promise<Record<string, number>> {
  const servers = await Promise.all(
    [otherServer, undefined].map((script) => startMeasuredServer('payments', script, false)),
  );
  try {
    const works = await Promise.all(servers.map((server) => preparePayments(server)));
    const ratios: Record<string, number> = {};
    for (const row of ROWS) {
      const sides = servers.map(
        (server, at) => new Batches(server, works[at].find(({ work }) => work.name === row)!.work),
      );
      const least = [Infinity, Infinity];
      for (const side of sides) await side.send(WARM);
      for (let batch = 0; batch < BATCHES; batch++)
        for (const [at, side] of sides.entries()) least[at] = Math.min(least[at], await side.cpuOf(BATCH));
      ratios[row] = least[0] / least[1];
    }
    return ratios;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
