import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { brokenPack } from '../support/broken-pack.js';
import { runCommand } from '../support/command.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { ROOT } from '../support/root.js';
import { samplePack } from '../support/sample-pack.js';

/** `sandbox validate-pack`. */

const folder = scratchFolder();
const summary = /\d+ resources?, \d+ operations?, \d+ events?, \d+ causes?, \d+ pins?, \d+ magic values?/;

test('checks every pack by default and sums up what is in it', async () => {
  const cwd = join(folder, 'two');
  for (const name of ['parcels', 'letters'])
    cpSync(join(ROOT, 'test/packs', name), join(cwd, 'packs', name), { recursive: true });
  const { code, stdout, stderr } = await runCommand(['validate-pack'], { cwd });
  expect({ code, stderr, stdout }).toMatchObject({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^packs\/letters {2}ok {2}letters \d/m);
  expect(stdout).toMatch(/^packs\/parcels {2}ok {2}parcels \d/m);
  expect(stdout).toMatch(summary);
});

test('tells problems as text, JSON and workflow commands, with exit code 1', async () => {
  const { dir, line } = brokenPack(join(folder, 'wrong'), /^timestamps:/m, 'timestmaps:');
  const checked = (format: string): ReturnType<typeof runCommand> =>
    runCommand(['validate-pack', dir, '--format', format]);
  const text = await checked('text');
  const json = await checked('json');
  const github = await checked('github');
  expect([text.code, json.code, github.code]).toEqual([1, 1, 1]);
  expect(text.stdout).toContain(`pack.yaml:${line}:1`);
  expect(text.stdout).not.toContain('\u001b');
  expect(JSON.parse(json.stdout)).toMatchObject({
    valid: false,
    packs: [{ valid: false, problems: [{ file: join(dir, 'pack.yaml'), line, column: 1, suggestion: 'timestamps' }] }],
  });
  expect(github.stdout).toMatch(new RegExp(`^::error file=.*pack\\.yaml,line=${line},col=1`, 'm'));
});

test('what a newcomer is shown names collections, operations and parameters of the pack', async () => {
  const { dir, line } = brokenPack(
    join(folder, 'start'),
    /^ {2}collections: \[agents, .*$/m,
    `  collections: [agents, taks]
  tries:
    - { title: Start, text: A run., call: task_runs.creat }
    - { title: Read, text: A run., call: task_runs.retrieve }
    - { title: Make, text: An agent., call: agents.create, with: { nme: Invoices } }`,
  );
  const { code, stdout } = await runCommand(['validate-pack', dir, '--format', 'json']);
  const [{ problems }] = (JSON.parse(stdout) as { packs: [{ problems: Record<string, unknown>[] }] }).packs;
  expect(code).toBe(1);
  expect(problems).toMatchObject([
    { line, code: 'unknown-collection', suggestion: 'tasks' },
    { line: line + 2, code: 'unknown-operation', suggestion: 'task_runs.create' },
    { line: line + 3, code: 'invalid-value', message: "'task_runs.retrieve' needs id in its path" },
    { line: line + 4, code: 'unknown-parameter', suggestion: 'name' },
  ]);
});

test('--strict counts warnings, --quiet prints problems only', async () => {
  const dir = join(folder, 'noted');
  cpSync(join(ROOT, 'test/packs/parcels'), dir, { recursive: true });
  mkdirSync(join(dir, 'flow'));
  expect(await runCommand(['validate-pack', dir, '--quiet'])).toMatchObject({ code: 0 });
  const strict = await runCommand(['validate-pack', dir, '--strict', '--quiet']);
  expect(strict.code).toBe(1);
  expect(strict.stdout).toMatch(/warning.*did you mean 'flows'\?/);
  expect(await runCommand(['validate-pack', samplePack('full').folder, '--strict', '--quiet'])).toMatchObject({
    code: 0,
    stdout: '',
  });
});

test('a folder without a pack is refused', async () => {
  const dir = join(folder, 'empty');
  mkdirSync(dir);
  const { code, stdout } = await runCommand(['validate-pack', dir]);
  expect(code).toBe(1);
  expect(stdout).toContain('a pack needs a pack.yaml');
});
