/**
 * `npm run test:nodes`: packs this package, installs it outside of the project, and runs it on each supported Node version: serves and makes the
 * quick start's first payment, as an ES module and as CommonJS, and through the redirect. The Node binaries come from npm packages.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installation } from '../../command/installation.js';
import { commonJsOf } from './common-js.js';

const MAJORS = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24', '26'];
const QUIET = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
const STEP_MS = 120_000;

const run = promisify(execFile);
const folder = join(tmpdir(), 'vendor-sandbox-nodes');
const project = join(folder, 'project');

/** Page of the quick start, whose first payment is run. */
const page = join('docs', 'start', 'javascript.md');
const [, minute] =
  /```js\n(\/\/ first-payment\.mjs\n[^]*?)```/.exec(readFileSync(join(installation(), page), 'utf8')) ?? [];
if (minute === undefined) throw new Error(`${page} has no first-payment.mjs`);
const [, demo] =
  /```js\n(\/\/ demo\.mjs\n[^]*?)```/.exec(readFileSync(join(installation(), 'README.md'), 'utf8')) ?? [];
if (demo === undefined) throw new Error('README.md has no demo.mjs');

rmSync(project, { recursive: true, force: true });
mkdirSync(project, { recursive: true });
const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
  cwd: installation(),
});
const [{ filename }] = JSON.parse(packed.stdout) as [{ readonly filename: string }];
writeFileSync(join(project, 'package.json'), '{"private": true}');
await run('npm', ['install', ...QUIET, join(project, filename), 'stripe'], { cwd: project });
writeFileSync(join(project, 'first.mjs'), minute);
writeFileSync(join(project, 'demo.mjs'), demo);
writeFileSync(join(project, 'first.cjs'), commonJsOf(minute));
writeFileSync(
  join(project, 'redirected.mjs'),
  "console.log((await fetch('https://api.stripe.com/v1/charges')).status);",
);
const cli = join(project, 'node_modules', '@vendor-sandbox', 'sandbox', 'dist', 'app', 'cli.cjs');

for (const major of MAJORS) {
  const node = await binaryOf(major);
  if (node === undefined) {
    console.log(
      `Node ${major}: SKIPPED: no package of npm ships it for ${process.platform}-${process.arch}, or there is no registry`,
    );
    continue;
  }
  const version = (await run(node, ['--version'])).stdout.trim();
  const failures = (
    await Promise.all([
      failureOf(node, [cli, 'exec', 'payments', '--', node, '-p', 'process.env.SANDBOX_URL'], /^http:/),
      failureOf(node, [cli, 'exec', 'payments', '--redirect', '--', node, 'redirected.mjs'], /^401\n$/),
      failureOf(node, [cli, 'doctor', '--url', 'http://localhost:9'], /^fine {2}Node: v/),
      failureOf(node, ['first.mjs'], /^succeeded\n$/),
      failureOf(node, ['first.cjs'], /^succeeded\n$/),
      failureOf(node, ['demo.mjs'], /past_due\n.*active\n.*: {3}12 invoices paid, in \d+ ms\n$/),
    ])
  ).filter((each) => each !== null);
  console.log(
    `Node ${version}: ${failures.length === 0 ? 'serves and redirects; ES module and CommonJS take the first payment; the program of README.md runs' : 'FAILED'}`,
  );
  for (const each of failures) console.log(`  ${each}`);
  if (failures.length > 0) process.exitCode = 1;
}

/** Installs the newest Node of a major version, and returns the path of its binary. */
async function binaryOf(major: string): Promise<string | undefined> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const place = join(folder, `node${major}`);
  const binary = join(place, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"private": true}');
  await run('npm', ['install', ...QUIET, '--no-save', `${name}@${major}`], { cwd: place }).catch(() => undefined);
  return existsSync(binary) ? binary : undefined;
}

/** Runs a program and returns its error; null if it succeeds. Warnings of Node are ignored, unexpected output isn't. */
async function failureOf(node: string, args: readonly string[], wanted: RegExp): Promise<string | null> {
  try {
    const { stdout, stderr } = await run(node, [...args], { cwd: project, timeout: STEP_MS });
    return wanted.test(stdout) && stderr === '' ? null : `${args.join(' ')}: ${stdout}${stderr}`;
  } catch (error) {
    return `${args.join(' ')}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
