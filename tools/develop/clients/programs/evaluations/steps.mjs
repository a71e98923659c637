/** Starts each of the vendor's solutions and lets its grader judge it: a step is an example of the grader. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { equal, key, step, url } from './kit.mjs';

const SERVER = 'http://localhost:4242'; // the address that solutions and graders have in them
const folder = process.cwd();
const benchmarks = join(folder, 'benchmarks');
mkdirSync(join(folder, 'stubs'), { recursive: true });
writeFileSync(join(folder, 'stubs', 'byebug.rb'), '# The graders load a debugger and call nothing of it.\n');

function environment(version) {
  return {
    ...process.env,
    NO_PROXY: 'localhost,127.0.0.1',
    SANDBOX_URL: url,
    STRIPE_SECRET_KEY: key,
    STRIPE_PUBLISHABLE_KEY: key.replace('sk_', 'pk_'),
    STRIPE_API_VERSION: '2025-05-28.basil',
    STRIPE_WEBHOOK_SECRET: '',
    STATIC_DIR: '../client',
    RUBYLIB: [join(folder, 'stubs'), join(folder, `ruby-${version}`, 'lib')].join(':'),
    RUBYOPT: `-r${join(folder, 'prelude.rb')} -W0`,
  };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A server of the vendor while `run` lasts. */
async function served(server, env, run) {
  const child = spawn('ruby', ['server.rb'], { cwd: join(benchmarks, server), env, stdio: 'ignore' });
  const isThere = () =>
    fetch(`${SERVER}/config`).then(
      (response) => response.ok,
      () => false,
    );
  try {
    for (let i = 0; i < 120 && !(await isThere()); i++) await pause(500);
    await run();
  } finally {
    child.kill();
    await new Promise((resolve) => child.on('close', resolve));
  }
}

/** What the examples of some specs came to, each a step. */
async function graded(name, cwd, specs, env) {
  const out = join(folder, `${name}.json`);
  writeFileSync(out, '{}');
  const { stderr } = spawnSync('rspec', [...specs, '--format', 'json', '--out', out], { cwd, env, encoding: 'utf8' });
  const { examples = [] } = JSON.parse(readFileSync(out, 'utf8'));
  if (examples.length === 0) await step(name, () => Promise.reject(new Error(stderr || 'no example was run')));
  for (const { full_description: example, status, exception } of examples)
    await step(`${name}: ${example}`, async () => equal(status, 'passed', exception?.message ?? 'the example'));
}

const gym = join(benchmarks, 'subscription-gym', 'grader');
await served('subscription-gym/solution/server', environment('15.2.1'), () =>
  graded('subscription-gym', gym, ['--pattern', '*_spec.rb'], environment('15.2.1')),
);

for (const name of ['charges-on-payment-intent', 'invoice-partial-payments', 'subscription-billing-migration'])
  await served(`sdk-upgrades-ruby/solution/${name}/server`, environment('15.5.0'), () =>
    graded(name, join(benchmarks, 'sdk-upgrades-ruby', 'grader'), [`${name}/grade.rb`], environment('15.5.0')),
  );

// Its solution is made from the catalog that it puts into the account; its server opens a session for each challenge.
const server = 'checkout-gym/environment/server';
const solution = join(benchmarks, 'checkout-gym', 'grader', 'submission.json');
const env = environment('15.2.1');
spawnSync('ruby', ['evaluations.rb', '--export', solution], { cwd: join(benchmarks, server), env });
await served(server, env, async () => {
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
