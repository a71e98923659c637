/**
 * The vendor's evaluations as tasks of `sandbox eval`, scored by the vendor's unmodified grader. Its solution must get every point, and the initial
 * files must not.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { equal, step } from './kit.mjs';
import { SETS } from './sets.mjs';
import { installSqlite3 } from './sqlite3.mjs';

installSqlite3();
rmSync('tasks', { recursive: true, force: true });
mkdirSync('tasks');
for (const { set, name, problem } of SETS) {
  const prompt = readFileSync(join('benchmarks', set, problem), 'utf8').replaceAll('${', '$ {');
  const task = {
    ...{
      task: name,
      title: `${name}, judged by the vendor's grader`,
      packs: ['payments'],
      t0: new Date().toISOString(),
    },
    ...{ prompt, limits: { real: '5m' }, checks: [{ command: `${process.execPath} judge.mjs` }] },
  };
  writeFileSync(join('tasks', `${name}.task.yaml`), JSON.stringify(task, null, 2));
}

// Redirects servers in JavaScript, because they call the vendor's address.
const env = { ...process.env, REDIRECT: process.execArgv.join(' ') };
for (const worker of ['solution', 'nothing']) {
  // Runs one evaluation at a time, since the graders use a fixed address.
  const line = [
    'eval',
    'tasks',
    '--jobs',
    '1',
    '--min',
    '0',
    '--out',
    `results-${worker}`,
    '--',
    process.execPath,
    'agent.mjs',
    worker,
  ];
  rmSync(`results-${worker}`, { recursive: true, force: true });
  spawnSync(process.execPath, [process.env.SANDBOX_COMMAND, ...line], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const runs = readFileSync(join(`results-${worker}`, 'trajectories.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(JSON.parse);
  for (const { name } of SETS)
    await step(
      `${name}: ${worker === 'solution' ? 'the solution passes' : 'the files to begin with do not'}`,
      async () => {
        const { pass, reward, stopped, checks } = runs.find(({ task }) => task === name);
        equal(pass, worker === 'solution', `reward ${reward}, stopped by ${stopped}, ${checks[0].found}: pass`);
      },
    );
}
