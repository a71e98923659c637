const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const GLOBALS = require.resolve('@jest/globals');
let suites = 0;

// Most of what suites run is run a few times only: what V8 optimizes later on Node 20 saves a tenth of their processor time.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');

/**
 * Runs compiled suites as Node's own modules. Jest's runtime loads the whole sandbox anew for each suite; here a worker loads it once,
 * keeps its packs and what it has compiled, and only the suite itself is new. A suite that replaces modules cannot run here.
 */
module.exports = class NativeRuntime extends Runtime {
  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    const jest = this._createJestObjectFor(this._testPath);
    globalThis.jest = jest;
    // What helpers of a test runner require inside a test.
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

  /** Jest's own modules, which are new for each suite, run in the realm of the process too. */
  createScriptFromCode(source, filename) {
    const script = new Script(this.wrapCodeInModuleWrapper(source), { filename });
    return { runInContext: () => script.runInThisContext() };
  }
};
