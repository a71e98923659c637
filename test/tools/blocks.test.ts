import { type Block, blocksOf, DOCUMENTS, nameOf, placeOf, REASONS, reasonOf } from './blocks.js';
import { PAGES } from './pages.js';
import { blocksOfPage } from './tour.js';

/** The law of documents: a test runs each fenced block, or the block says why none can. */

const languages = ['go', 'java', 'php', 'python', 'ruby', 'vendor-cli'].map((name) => `docs/start/${name}.md`);
const inFile =
  (...files: readonly string[]) =>
  ({ file }: Block): boolean =>
    files.includes(file);
const named =
  (file: string, ...names: readonly string[]) =>
  (block: Block): boolean =>
    block.file === file && names.includes(nameOf(block) ?? /^file=(.*)$/.exec(block.attribute)?.[1] ?? '');
const shell = new Set(PAGES.flatMap((page) => [...blocksOfPage(page)]));

/** What runs or checks blocks: a test, and the blocks that it takes from the pages. */
const RUNS: readonly (readonly [test: string, takes: (block: Block) => boolean])[] = [
  ['test/processes/documents/pages.test.ts', (block) => shell.has(block)],
  ['test/processes/documents/recipes.test.ts', inFile(...languages)],
  [
    'test/processes/documents/pages.test.ts',
    named('docs/guides/agent-frameworks.md', 'sandbox_tasks.py', 'evaluate.py', 'sandbox_gym.py', 'play.py'),
  ],
  [
    'test/processes/documents/recipes.test.ts',
    ({ file, language }) => file === 'docs/start/installing.md' && language === 'html',
  ],
  [
    'test/processes/browser/payments/browser-loader.test.ts',
    ({ file, language }) => file === 'docs/start/installing.md' && language === 'js',
  ],
  ['test/engine/company/file.test.ts', named('docs/concepts/company.md', 'company.yaml')],
  ['test/engine/company/live.test.ts', named('docs/concepts/company.md', 'town.yaml')],
  ['test/processes/command/several-vendors.test.ts', inFile('docs/guides/several-vendors.md')],
  ['test/processes/command/merge-bot.test.ts', inFile('docs/guides/merge-when-green.md')],
  ['test/processes/documents/writing-a-pack.test.ts', inFile('docs/start/writing-a-pack.md')],
  ['test/processes/documents/testing-task-automation.test.ts', inFile('docs/start/testing-task-automation.md')],
  ['test/tools/init-pack.test.ts', named('README.md', 'packs/bikes/resources/parcel.yaml')],
  ['test/packs/cookbook.test.ts', inFile('docs/guides/cookbook.md')],
  ['test/tools/pack-language.test.ts', inFile('docs/reference/pack-language.md', 'docs/reference/rules.md')],
  ['test/tools/control-api-page.test.ts', inFile('docs/reference/control-api.md')],
  [
    'test/processes/package/parallel-suites.test.ts',
    named('docs/guides/parallel-tests.md', 'global-setup.mjs', 'global-teardown.mjs', 'world.mjs', 'refunds.test.mjs'),
  ],
  [
    'test/processes/package/package.test.ts',
    named(
      'docs/guides/in-tests.md',
      'vitest.config.js',
      'jest.config.js',
      'payment.test.js',
      'refund.test.js',
      'types.ts',
      'failure.txt',
    ),
  ],
  ['test/processes/package/package.test.ts', named('docs/start/javascript.md', 'first-payment.mjs', 'payment.test.js')],
  ['test/processes/package/package.test.ts', named('docs/start/typescript.md', 'first-payment.ts')],
  [
    'test/processes/package/package.test.ts',
    ({ text }) => text === '$ npm install --save-dev @vendor-sandbox/sandbox\n',
  ],
  [
    'test/processes/browser/playwright-runner.test.ts',
    named('docs/guides/in-tests.md', 'playwright.config.js', 'checkout.spec.js'),
  ],
  ['test/processes/command/integrations.test.ts', inFile('docs/guides/project-tools.md')],
  ['test/processes/browser/playwright-runner.test.ts', inFile('docs/guides/3d-secure-in-playwright.md')],
];

const blocks = DOCUMENTS.flatMap((file) => [...blocksOf(file)]);

test('each block is run, or says why not', () => {
  const lost = blocks.filter((block) => reasonOf(block) === undefined && !RUNS.some(([, takes]) => takes(block)));
  expect(lost.map(placeOf)).toEqual([]);
});

test('a reason is one of few', () => {
  const reasons = blocks.flatMap((block) => reasonOf(block) ?? []);
  expect(reasons.filter((reason) => !Object.hasOwn(REASONS, reason))).toEqual([]);
  expect(Object.keys(REASONS).filter((reason) => !reasons.includes(reason))).toEqual([]);
});

test('nearly every block is run', () => {
  const run = blocks.filter((block) => reasonOf(block) === undefined);
  expect(run.length / blocks.length).toBeGreaterThan(0.94);
});

test('no test is named in vain', () => {
  expect(RUNS.filter(([, takes]) => !blocks.some(takes)).map(([name]) => name)).toEqual([]);
});

test('every block has a language', () => {
  expect(blocks.filter(({ language }) => language === '').map(placeOf)).toEqual([]);
});
