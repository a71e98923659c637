/**
 * `npm run test:versions`: runs the tests of the payments pack with every body in every version of the API, and checks each against the declarations
 * of the npm client for that version. `--write` updates docs/internals/versions.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { installation } from '../../command/installation.js';
import { writeFigures } from '../prose/figures.js';
import { releases } from './releases.js';
import { isClean, problemsOf, sumByVersion, shareTable } from './report.js';

const program = new Command('test:versions')
  .description(
    'Checks what the payments pack says in every version of the API against the clients that send the versions.',
  )
  .option('--write', 'write docs/internals/versions.md')
  .parse();
const options = program.opts<{ write?: true }>();
const project = installation();
const judges = await releases(project);
const folder = mkdtempSync(join(tmpdir(), 'versions-'));
const file = join(folder, 'report.jsonl');
writeFileSync(file, '');
const jest = ['--experimental-vm-modules', '--no-warnings', join(project, 'node_modules', 'jest', 'bin', 'jest.js')];
// These tests compare whole ledgers, which differ if events are stored in more versions.
const left = ['--testPathIgnorePatterns', 'api/trouble', '--testTimeout', '600000'];
const { status } = spawnSync(process.execPath, [...jest, 'test/packs/payments', ...left], {
  cwd: project,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    SANDBOX_VERSIONS_JUDGES: JSON.stringify(judges.map(({ version, folder: where }) => ({ version, folder: where }))),
    SANDBOX_VERSIONS_REPORT: file,
  },
});
const sums = sumByVersion(
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== ''),
);
rmSync(folder, { recursive: true });
const table = shareTable(judges, sums);
const problems = problemsOf(judges, sums);
for (const line of [...table, ...problems]) console.log(line);
if (options.write) {
  const differences =
    problems.length === 0
      ? 'Nothing differs.'
      : ['Differences:', '', ...problems.map((each) => `- ${each}`)].join('\n');
  const old = /^(?:Nothing differs\.$|Differences:\n\n(?:- .*\n)+)/m;
  writeFigures(project, 'versions.md', [table], (page) => page.replace(old, () => differences));
}
process.exitCode = status === 0 && [...sums.values()].every(isClean) ? 0 : 1;
