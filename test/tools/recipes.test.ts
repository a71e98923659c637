import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../support/file-store.js';
import { ROOT, runSandbox } from './command.js';

/** The quick starts of other languages (docs/start), run as they stand there, where this machine has language and client. */

const folder = scratchFolder();

/** What runs a recipe, and what shows that it is there with the vendor's client. */
const LANGUAGES = [
  { name: 'Python', file: 'payment.py', program: '/usr/bin/python3', probe: ['-c', 'import stripe'] },
  { name: 'Ruby', file: 'payment.rb', program: 'ruby', probe: ['-e', 'require "stripe"'] },
] as const;

function isThere(program: string, probe: readonly string[]): boolean {
  try {
    execFileSync(program, probe, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

for (const { name, file, program, probe } of LANGUAGES) {
  const there = isThere(program, probe);
  if (!there)
    process.stderr.write(`\nSKIPPED: the recipe for ${name}. There is no ${program} with the vendor's client.\n\n`);
  (there ? test : test.skip)(`the recipe for ${name} takes a payment`, async () => {
    const text = readFileSync(join(ROOT, 'docs', 'start', `${name.toLowerCase()}.md`), 'utf8');
    const recipe = [...text.matchAll(/```\w+\n(# [^]*?)```/g)].find(([, body]) => body.startsWith(`# ${file}\n`));
    writeFileSync(join(folder, file), recipe?.[1] ?? '');
    const { code, stdout, stderr } = await runSandbox(['exec', 'payments', '--', program, join(folder, file)]);
    expect(stderr).toBe('');
    expect(stdout).toBe('succeeded\n');
    expect(code).toBe(0);
  });
}
