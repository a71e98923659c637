const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const GLOBALS = require.resolve('@jest/globals');
let suites = 0;

// Most code of suites runs only a few times, so optimizing it later saves a tenth of their processor time on Node 20.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');

/**
 * Runs compiled suites as Node's own modules. Jest's runtime would load the whole sandbox again for each suite; with this one, a worker loads
 * the sandbox and its compiled packs once, and only the suite itself again. Suites that mock modules can't use it.
 */
module.exports = class NativeRuntime extends Runtime {
  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    const jest = this._createJestObjectFor(this._testPath);
    globalThis.jest = jest;
    // The matchers and helpers in tools/in-tests require `@jest/globals` inside a test.
    require.cache[GLOBALS] = Object.assign(new module.constructor(GLOBALS), {
      loaded: true,
      exports: { ...globals, jest },
    });
  }

  unstable_shouldLoadAsEsm(path) {
    return path === this._testPath;
  }

  unstable_importModule(path) {
    suites += 1;
    return import(`${pathToFileURL(path).href}?suite=${suites}`);
  }

  /** Compiles Jest's own modules, which are loaded again for each suite, so that they run in the realm of the process. */
  createScriptFromCode(source, filename) {
    const script = new Script(this.wrapCodeInModuleWrapper(source), { filename });
    return { runInContext: () => script.runInThisContext() };
  }
};
