import { totalmem } from 'node:os';

/** What replaces modules needs Jest's own runtime, which loads the sandbox anew for each suite. */
const REPLACES_MODULES = '/test/engine/limits\\.test\\.js$';

/**
 * What takes minutes together and is tried by a whole run alone (`npm run test:whole`): more of what another suite tries a sample of, in a process,
 * a browser or a database of its own.
 */
const WHOLE_ONLY = [
  'processes/survivors',
  'processes/browser/(?:playwright-runner|inspector/history|inspector/repeat|payments/browser-loader|payments/single-methods)',
  'processes/command/(?:chaos|integrations|memory|one-call|pack-types|uploads|worlds)',
  'processes/package/parallel-suites',
  'processes/postgres/(?:changed-pack|every-store|replica-addresses|serve-replicas)',
  'engine/company/live',
  'engine/expression/last-made',
  'engine/ledger/fold',
  'engine/store/errors',
  'tools/(?:eval-adversity|mutants|simulate)',
].map((suites) => `/test/${suites}\\.test\\.js$`);
/** What takes more than five seconds and tries hostile or damaged input: left out by `npm run test:quick`. */
const NOT_QUICK = ['compile/described', 'hostile', 'idle-worlds', 'ledger/outside', 'limits', 'store/damage'].map(
  (suite) => `/test/engine/${suite}\\.test\\.js$`,
);
// eslint-disable-next-line @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access
const tests = process.env.SANDBOX_TESTS;
const left = tests === 'whole' ? [] : tests === 'quick' ? [...WHOLE_ONLY, ...NOT_QUICK] : WHOLE_ONLY;

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
    { ...project, testRegex: REPLACES_MODULES, testPathIgnorePatterns: left, testEnvironment: 'node' },
  ],
  // One more than CI has cores: much of the time goes to waiting for other processes.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // What a process keeps of the files it has run would fill a small machine, and sandboxes would refuse work for want of memory. A new
  // process loads and compiles everything again, which costs some ten seconds.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-call
  workerIdleMemoryLimit: totalmem() > 16 * 1024 ** 3 ? '2600MB' : '1200MB',
  reporters: ['default', '<rootDir>/test/support/skipped-reporter.mjs'],
  // A machine under load is slow; no test asserts how long something took.
  testTimeout: 120_000,
};
