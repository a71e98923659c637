/** `agent.mjs solution` submits the vendor's own solution of a task; `agent.mjs nothing` the initial files. */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETS } from './sets.mjs';
import { settingsOf, workOf } from './work.mjs';

const { TASK_NAME, TASK_RUN } = process.env;
const isSolved = process.argv[2] === 'solution';
const each = SETS.find(({ name }) => name === TASK_NAME);
const root = workOf(TASK_NAME, TASK_RUN);
rmSync(root, { recursive: true, force: true });
cpSync(join('benchmarks', each.set), root, { recursive: true });
if (each.over) writeFileSync(join(root, 'environment/server/.env'), ''); // The server requires a `.env` file; the process environment already contains its variables.
if (each.submission) {
  const [folder, file] = each.program;
  const line = [file, isSolved ? '--export' : '--export-empty', join(root, each.submission)];
  run('ruby', line, join(root, folder));
}
if (isSolved)
  for (const [file, folder] of Object.entries(each.over ?? {})) {
    cpSync(join(root, 'solution', file), join(root, 'environment', folder, file));
    const cwd = join(root, 'environment', folder);
    if (file === 'migrate.js') run('node', [file], cwd);
  }
// Records which files the grader has to serve: the solution, or the initial files.
if (!each.submission) writeFileSync(join(root, 'served'), isSolved ? each.solution : each.start);

function run(command, line, cwd) {
  const { status } = spawnSync(command, line, { cwd, env: settingsOf(each), stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
