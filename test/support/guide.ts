import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { documented } from '../tools/blocks.js';
import { startProcess } from './processes.js';
import { ROOT } from './root.js';

/**
 * Writes the files of a guide into a folder and runs them with Vitest, as a user who has installed the sandbox does. Fails if a test fails.
 * @param page the guide
 * @param files named in the guide's code blocks
 * @param packages of npm that the files import
 * @returns what Vitest prints
 */
export async function guideInVitest(
  folder: string,
  page: string,
  files: readonly string[],
  packages: readonly string[],
): Promise<string> {
  const modules = join(folder, 'node_modules');
  const link = (name: string, to: string): void => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(to, join(modules, name));
  };
  link('@vendor-sandbox/sandbox', ROOT);
  for (const name of ['vitest', ...packages]) link(name, join(ROOT, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  for (const name of files) writeFileSync(join(folder, name), documented(page, name));
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const { code, stdout, stderr } = await startProcess(
    process.execPath,
    [vitest, 'run', '--no-color', '--testTimeout=60000'],
    { cwd: folder },
  ).ended;
  expect(code === 0 ? '' : `${stdout}${stderr}`).toBe('');
  return stdout;
}
