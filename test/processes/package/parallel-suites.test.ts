import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../../support/scratch-folder.js';
import { blocksOf, nameOf } from '../../tools/blocks.js';
import { startProcess } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';

/** The recipe for parallel test suites in docs/guides/parallel-tests.md, run as it stands there: Jest with two workers and one server. */

const folder = scratchFolder();
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');

/** The files of the recipe: each begins with a comment that names it. */
function recipe(): Record<string, string> {
  const blocks = blocksOf('docs/guides/parallel-tests.md').filter(({ language }) => language === 'js');
  return Object.fromEntries(blocks.map((block) => [String(nameOf(block)), block.text]));
}

test('suites in two workers share a server and do not see each other', async () => {
  const files = recipe();
  expect(Object.keys(files)).toEqual(['global-setup.mjs', 'global-teardown.mjs', 'world.mjs', 'refunds.test.mjs']);
  for (const [name, body] of Object.entries(files)) writeFileSync(join(folder, name), body);
  for (let n = 0; n < 4; n++) cpSync(join(folder, 'refunds.test.mjs'), join(folder, `copy-${n}.test.mjs`));
  mkdirSync(join(folder, 'node_modules', '@vendor-sandbox'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules', '@vendor-sandbox', 'sandbox'));
  symlinkSync(join(ROOT, 'packs'), join(folder, 'packs'));
  const config = {
    rootDir: folder,
    globalSetup: '<rootDir>/global-setup.mjs',
    globalTeardown: '<rootDir>/global-teardown.mjs',
    testMatch: ['<rootDir>/*.test.mjs'],
    moduleFileExtensions: ['mjs', 'js', 'json'],
    transform: {},
    haste: { enableSymlinks: false },
    modulePathIgnorePatterns: ['<rootDir>/packs', '<rootDir>/node_modules'],
  };
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config));
  const args = ['--experimental-vm-modules', '--no-warnings', JEST, '--config', 'jest.config.json', '-w', '2'];
  const { code, stderr } = await startProcess(process.execPath, args, { cwd: folder }).ended;
  expect(stderr).toContain('Tests:       5 passed, 5 total');
  expect(code).toBe(0);
}, 120_000);
