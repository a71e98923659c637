/** What replaces modules needs Jest's own runtime, which loads the sandbox anew for each suite. */
const REPLACES_MODULES = '/test/engine/limits\\.test\\.js$';

/** What takes minutes and is tried by a whole run alone (`npm run test:whole`). */
const WHOLE_ONLY = ['/test/processes/(?:survivors|browser/playwright-runner|package/parallel-suites)\\.test\\.js$'];
// eslint-disable-next-line @typescript-eslint/no-unsafe-member-access
const left = process.env.SANDBOX_TESTS === 'whole' ? [] : WHOLE_ONLY;

const project = { transform: {}, roots: ['<rootDir>/dist/suites/test'] };

/** Suites run compiled, from `dist/suites`; types are checked by `npm run typecheck`. */
export default {
  projects: [
    {
      ...project,
      testRegex: '\\.test\\.js$',
      testPathIgnorePatterns: [REPLACES_MODULES, ...left],
      testEnvironment: '<rootDir>/test/support/native/environment.cjs',
      runtime: '<rootDir>/test/support/native/runtime.cjs',
    },
    { ...project, testRegex: REPLACES_MODULES, testEnvironment: 'node' },
  ],
  // One more than CI has cores: much of the time goes to waiting for other processes.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // What a process keeps of the files it has run would fill a small machine, and sandboxes would refuse work for want of memory.
  workerIdleMemoryLimit: '1200MB',
  reporters: ['default', '<rootDir>/test/support/skipped-reporter.mjs'],
  // A machine under load is slow; no test asserts how long something took.
  testTimeout: 60_000,
};
