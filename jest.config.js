/** Tests import the TypeScript sources as ES modules; types are checked by `npm run typecheck`. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1', '^(\\.{1,2}/.*)\\.cjs$': ['$1.cts', '$1.cjs'] },
  transform: { '^.+\\.c?ts$': ['ts-jest', { useESM: true, diagnostics: false, tsconfig: 'tsconfig.json' }] },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  maxWorkers: 2,
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // What a process keeps of the files it has run would fill a small machine, and sandboxes would refuse work for want of memory.
  workerIdleMemoryLimit: '1500MB',
  reporters: ['default', '<rootDir>/test/support/skipped-reporter.mjs'],
  // A machine under load is slow; no test asserts how long something took.
  testTimeout: 60_000,
};
