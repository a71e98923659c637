/**
 * Tasks of a benchmark: `import-tasks` converts them, scripted agents solve them rightly and wrongly, and the benchmark's own checks score the same
 * runs. A step is one run: each criterion must have the same result.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { parse } from 'yaml';
import { equal, step } from './kit.mjs';
import { PLANS } from './plans.mjs';
import { STATES, tapeOf } from './states.mjs';

const VENDORS = { payments: 'stripe', 'code-hosting': 'github', 'team-chat': 'slack' };
const sandbox = (...line) =>
  spawnSync(process.execPath, [process.env.SANDBOX_COMMAND, ...line], { stdio: ['ignore', 'ignore', 'inherit'] });

/** Each vendor's declared checks, from the benchmark's sources. */
const checks = {};
const sdk = join(process.cwd(), 'packages/sdk/src/checks.ts');
for (const name of Object.values(VENDORS)) {
  const bundle = await rolldown({
    input: `packages/twin-${name}/src/checks.ts`,
    platform: 'node',
    resolve: { alias: { '@pome-sh/sdk/checks': sdk }, extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  await bundle.write({ file: `checks-${name}.mjs`, format: 'esm' });
  checks[name] = (await import(join(process.cwd(), `checks-${name}.mjs`)))[`${name.toUpperCase()}_CHECKS`];
}
const shared = await rolldown({ input: sdk, platform: 'node', resolve: { extensionAlias: { '.js': ['.ts', '.js'] } } });
await shared.write({ file: 'checks-sdk.mjs', format: 'esm' });
const { parseCheck } = await import(join(process.cwd(), 'checks-sdk.mjs'));

rmSync('tasks', { recursive: true, force: true });
for (const folder of ['cli', 'agent-examples/triage-agent', 'agent-examples/support-triage'].map((each) =>
  join(each, 'tasks'),
))
  for (const file of readdirSync(folder))
    if (file.endsWith('.md')) sandbox('import-tasks', join(folder, file), '--out', 'tasks');
await step('each imported task has a plan', async () =>
  equal(
    readdirSync('tasks')
      .map((file) => file.replace('.task.yaml', ''))
      .sort(),
    Object.keys(PLANS).sort(),
  ),
);

for (const [name, plans] of Object.entries(PLANS)) {
  const task = parse(readFileSync(join('tasks', `${name}.task.yaml`), 'utf8'));
  const kept = { ...task, checks: [...task.checks, { command: `${process.execPath} keep.mjs` }] };
  writeFileSync('kept.task.yaml', JSON.stringify(kept));
  for (const plan of [...Object.keys(plans), 'nothing']) {
    rmSync('results', { recursive: true, force: true });
    sandbox('eval', 'kept.task.yaml', '--min', '0', '--out', 'results', '--', process.execPath, 'agent.mjs', plan);
    await step(`${name}, ${plan}`, async () => {
      const run = JSON.parse(readFileSync('results/trajectories.jsonl', 'utf8'));
      const [seed, final] = ['seed', 'final'].map((at) => JSON.parse(readFileSync(`${at}.json`, 'utf8')));
      // Ids are generated: the charge that the benchmark names was created by the task's set-up.
      const ids = Object.entries(final.charges?.length === 1 ? { ch_test_200: final.charges[0].id } : {});
      const verdicts = task.checks.map(({ about }, index) => {
        const sentence = ids.reduce((text, [given, id]) => text.replaceAll(given, id), about);
        const pack = task.packs.find((each) =>
          checks[VENDORS[each]].some((known) => parseCheck(known, sentence) !== null),
        );
        const twin = VENDORS[pack];
        const declared = checks[twin]?.find((each) => parseCheck(each, sentence) !== null);
        const world = {
          seed: seed && STATES[twin](seed),
          final: STATES[twin](final),
          tape: tapeOf(run.calls, twin, pack),
        };
        const { passed, status } = declared
          ? declared.evaluate(parseCheck(declared, sentence), world)
          : { status: 'undeclared' };
        return { about, ours: run.checks[index].holds, theirs: status ?? passed };
      });
      const differ = verdicts.filter(({ ours, theirs }) => ours !== theirs);
      equal(differ, [], 'what differs');
      if (plan === 'solution') equal(run.pass, true, JSON.stringify(verdicts));
      else if (!(plan === 'nothing' && run.pass)) equal(run.pass, false, 'pass');
    });
  }
}
