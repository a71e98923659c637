const { TestEnvironment } = require('jest-environment-node');

/**
 * Tests run in the realm of the process instead of a context of their own, so that modules which Node has loaded serve every suite
 * of a worker.
 */
module.exports = class NativeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    globalThis.Error.stackTraceLimit = 100;
    // `jest.setTimeout` and `jest.retryTimes` hold for one suite.
    delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')];
    delete globalThis[Symbol.for('RETRY_TIMES')];
  }

  async setup() {
    await super.setup();
    // Properties are tried with the same values in every run; releases (`npm run test:whole`) draw new ones.
    const { configureGlobal } = await import('fast-check');
    configureGlobal(process.env.SANDBOX_TESTS === 'whole' ? {} : { seed: 1 });
  }
};
