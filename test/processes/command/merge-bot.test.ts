import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { documented } from '../../tools/blocks.js';

/** The guide to a bot that merges when CI is green: its bot and its tests, run by Vitest. */

const PAGE = 'docs/guides/merge-when-green.md';
const folder = scratchFolder();

test('the tests of the guide pass in Vitest', async () => {
  const modules = join(folder, 'node_modules');
  for (const scope of ['@vendor-sandbox', '@octokit']) mkdirSync(join(modules, scope), { recursive: true });
  symlinkSync(ROOT, join(modules, '@vendor-sandbox', 'sandbox'));
  for (const name of ['vitest', 'octokit', '@octokit/webhooks'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  for (const name of ['bot.js', 'bot.test.js']) writeFileSync(join(folder, name), documented(PAGE, name));
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const { code, stdout, stderr } = await startProcess(
    process.execPath,
    [vitest, 'run', '--no-color', '--testTimeout=60000'],
    { cwd: folder },
  ).ended;
  expect(code === 0 ? '' : `${stdout}${stderr}`).toBe('');
  expect(stdout).toContain('4 passed');
}, 120_000);
