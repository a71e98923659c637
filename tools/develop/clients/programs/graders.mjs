/** Shared by programs that Ruby specs test: servers at the fixed address of the specs, and spec examples as steps. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { equal, key, step, url } from './kit.mjs';

export const SERVER = 'http://localhost:4242';
const folder = process.cwd();
mkdirSync(join(folder, 'stubs'), { recursive: true });
writeFileSync(join(folder, 'stubs', 'byebug.rb'), '# The specs load a debugger and call nothing of it.\n');

/** Returns the environment of a server and its specs, with a version of the vendor's Ruby client. */
export function environment(version, more = {}) {
  return {
    ...process.env,
    NO_PROXY: 'localhost,127.0.0.1',
    SANDBOX_URL: url,
    STRIPE_SECRET_KEY: key,
    STRIPE_PUBLISHABLE_KEY: key.replace('sk_', 'pk_'),
    STRIPE_WEBHOOK_SECRET: '',
    RUBYLIB: [join(folder, 'stubs'), join(folder, `ruby-${version}`, 'lib')].join(':'),
    RUBYOPT: `-r${join(folder, 'prelude.rb')} -W0`,
    ...more,
  };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a vendor's server while `run` is in progress. */
export async function served(cwd, command, env, run) {
  const child = spawn(command[0], command.slice(1), { cwd, env, stdio: 'ignore' });
  const isThere = () =>
    fetch(`${SERVER}/config`).then(
      () => true,
      () => false,
    );
  try {
    for (let i = 0; i < 120 && child.exitCode === null && !(await isThere()); i++) await pause(500);
    await run();
  } finally {
    child.kill();
    if (child.exitCode === null) await new Promise((resolve) => child.on('close', resolve));
  }
}

/** Reports each example of some specs as a step. */
export async function graded(name, cwd, specs, env) {
  const out = join(folder, `${name}.json`);
  writeFileSync(out, '{}');
  let stderr = '';
  const child = spawn('rspec', [...specs, '--format', 'json', '--out', out], { cwd, env });
  child.stderr.on('data', (text) => (stderr += text));
  await new Promise((resolve) => child.on('close', resolve));
  const { examples = [] } = JSON.parse(readFileSync(out, 'utf8'));
  if (examples.length === 0) await step(name, () => Promise.reject(new Error(stderr || 'no example was run')));
  for (const { full_description: example, status, exception } of examples)
    if (status !== 'pending')
      await step(`${name}: ${example}`, async () => equal(status, 'passed', exception?.message ?? 'the example'));
}
