import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { scratchFolder } from '../support/file-store.js';
import { skipped } from '../support/skipped.js';
import { ROOT, runSandbox } from './command.js';

/** The quick starts of other languages (docs/start), run as they stand there, where this machine has language and client. */

const folder = scratchFolder();

interface Language {
  readonly name: string;
  /** Its quick start, in docs/start. */
  readonly page: string;
  readonly file: string;
  /** What runs the file, which stands behind it. */
  readonly command: readonly [program: string, ...args: string[]];
  /** What shows that the language, and the vendor's client if the recipe has it, are there. */
  readonly probe: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    page: 'python.md',
    file: 'payment.py',
    command: ['/usr/bin/python3'],
    probe: ['-c', 'import stripe'],
  },
  { name: 'Ruby', page: 'ruby.md', file: 'payment.rb', command: ['ruby'], probe: ['-e', 'require "stripe"'] },
  { name: 'plain Ruby', page: 'ruby.md', file: 'plain.rb', command: ['ruby'], probe: ['-e', 'require "net/http"'] },
  { name: 'plain PHP', page: 'php.md', file: 'plain.php', command: ['php'], probe: ['--version'] },
  { name: 'plain Go', page: 'go.md', file: 'plain.go', command: ['go', 'run'], probe: ['version'] },
  { name: 'plain Java', page: 'java.md', file: 'Plain.java', command: ['java'], probe: ['--version'] },
];

function isThere(program: string, probe: readonly string[]): boolean {
  try {
    execFileSync(program, probe, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

for (const { name, page, file, command, probe } of LANGUAGES) {
  const there = isThere(command[0], probe);
  if (!there) skipped(`the recipe for ${name}. There is no ${command[0]} with what it needs.`);
  (there ? test : test.skip)(
    `the recipe for ${name} takes a payment`,
    async () => {
      const text = readFileSync(join(ROOT, 'docs', 'start', page), 'utf8');
      const recipes = [...text.matchAll(/```\w+\n((?:#|\/\/|<\?php \/\/) (\S+)\n[^]*?)```/g)];
      const recipe = recipes.find(([, , of]) => of === file)?.[1] ?? '';
      expect(recipe).not.toBe('');
      writeFileSync(join(folder, file), recipe);
      const { code, stdout, stderr } = await runSandbox(['exec', 'payments', '--', ...command, join(folder, file)], {
        env: { GOCACHE: join(folder, 'go'), GO111MODULE: 'off' },
      });
      expect(stderr).toBe('');
      expect(stdout).toBe('succeeded\n');
      expect(code).toBe(0);
    },
    120_000,
  );
}

test('files for compose and for actions are YAML, and say what they have to', () => {
  const text = readFileSync(join(ROOT, 'docs', 'start', 'installing.md'), 'utf8');
  const documents = [...text.matchAll(/```yaml\n([^]*?)```/g)].map(([, body]) => parse(body) as object);
  const [compose, job, service, action] = documents;
  expect(compose).toHaveProperty('services.sandbox.healthcheck.test');
  expect(job).toHaveProperty('jobs.test.steps');
  expect(service).toHaveProperty('services.sandbox.ports');
  expect(action).toMatchObject({ runs: { using: 'composite' } });
  expect(documents).toHaveLength(4);
});
