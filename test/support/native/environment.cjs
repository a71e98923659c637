const { TestEnvironment } = require('jest-environment-node');

/**
 * Runs tests in the realm of the process instead of a separate context, so that all suites of a worker share the modules that Node has
 * loaded.
 */
module.exports = class NativeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    globalThis.Error.stackTraceLimit = 100;
    // Jest stores `jest.setTimeout` and `jest.retryTimes` globally, but they must not apply to the next suite.
    delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')];
    delete globalThis[Symbol.for('RETRY_TIMES')];
  }

  async setup() {
    await super.setup();
    // Property tests use the same values in every run; whole runs (`npm run test:whole`) draw new ones.
    const { configureGlobal } = await import('fast-check');
    configureGlobal(process.env.SANDBOX_TESTS === 'whole' ? {} : { seed: 1 });
  }
};
