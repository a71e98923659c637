/** Starts each of the vendor's solutions and scores it with the vendor's grader: a step is an example of the grader. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment as settings, graded, served, SERVER } from './graders.mjs';
import { equal, step } from './kit.mjs';
import { installSqlite3 } from './sqlite3.mjs';

const benchmarks = join(process.cwd(), 'benchmarks');
const environment = (version) => settings(version, { STRIPE_API_VERSION: '2025-05-28.basil', STATIC_DIR: '../client' });
const RUBY = ['ruby', 'server.rb'];

const gym = join(benchmarks, 'subscription-gym', 'grader');
await served(join(benchmarks, 'subscription-gym/solution/server'), RUBY, environment('15.2.1'), () =>
  graded('subscription-gym', gym, ['--pattern', '*_spec.rb'], environment('15.2.1')),
);

for (const name of ['charges-on-payment-intent', 'invoice-partial-payments', 'subscription-billing-migration'])
  await served(join(benchmarks, `sdk-upgrades-ruby/solution/${name}/server`), RUBY, environment('15.5.0'), () =>
    graded(name, join(benchmarks, 'sdk-upgrades-ruby', 'grader'), [`${name}/grade.rb`], environment('15.5.0')),
  );

// The solution is generated from the catalog that the program creates in the account; the server opens a session for each challenge.
const server = join(benchmarks, 'checkout-gym/environment/server');
const solution = join(benchmarks, 'checkout-gym', 'grader', 'submission.json');
const env = environment('15.2.1');
spawnSync('ruby', ['evaluations.rb', '--export', solution], { cwd: server, env });
await served(server, RUBY, env, async () => {
  for (const challenge of Object.keys(JSON.parse(readFileSync(solution, 'utf8'))))
    await step(`checkout-gym: ${challenge}`, async () => {
      const response = await fetch(`${SERVER}/create-checkout-session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ challenge }),
      });
      const text = await response.text();
      equal(response.status, 200, /\w+::\w+Error: .*/.exec(text)?.[0] ?? 'the status');
      equal(/_secret_/.test(text), true, 'the client secret');
    });
});
await step('checkout-gym: the grader gives its solution every point', async () => {
  const cwd = join(benchmarks, 'checkout-gym', 'grader');
  const { stdout, stderr } = spawnSync('ruby', ['grade.rb'], { cwd, env, encoding: 'utf8' });
  const scores = JSON.parse(stdout || `[{"score": ${JSON.stringify(stderr.slice(-200))}}]`).map(({ score }) => score);
  equal(
    scores.filter((score) => score !== 1),
    [],
    'what is below 1',
  );
});

// Runs two evaluations in JavaScript. As in the vendor's own script, the solution's files overwrite those of the environment.
installSqlite3();
const JAVASCRIPT = [
  { name: 'galtee-basic', spec: 'grade.rb', over: { 'server.js': 'server', 'galtee_data.db': 'db' } },
  { name: 'galtee-invoicing', spec: 'submit.rb', over: { 'server.js': 'server', 'migrate.js': 'server' } },
];
for (const { name, spec, over } of JAVASCRIPT) {
  const root = join(benchmarks, name);
  const server = join(root, 'environment', 'server');
  for (const [file, folder] of Object.entries(over))
    cpSync(join(root, 'solution', file), join(root, 'environment', folder, file));
  writeFileSync(join(server, '.env'), ''); // The server requires a `.env` file; the process environment already contains its variables.
  const node = [process.execPath, ...process.execArgv];
  if ('migrate.js' in over) {
    const { status, stderr } = spawnSync(node[0], [...node.slice(1), 'migrate.js'], {
      cwd: server,
      env,
      encoding: 'utf8',
    });
    await step(`${name}: its data are migrated`, async () => equal(status, 0, stderr.slice(-300)));
  }
  await served(server, [...node, 'server.js'], env, () =>
    graded(name, join(root, 'grader'), [join('spec', spec)], env),
  );
}
