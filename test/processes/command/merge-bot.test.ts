import { guideInVitest } from '../../support/guide.js';
import { scratchFolder } from '../../support/scratch-folder.js';

/** The guide to a bot that merges when CI is green: its bot and its tests, run by Vitest. */

const folder = scratchFolder();

test('the tests of the guide pass in Vitest', async () => {
  const packages = ['octokit', '@octokit/webhooks'];
  const out = await guideInVitest(folder, 'docs/guides/merge-when-green.md', ['bot.js', 'bot.test.js'], packages);
  expect(out).toContain('4 passed');
}, 120_000);
