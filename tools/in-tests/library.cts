import type * as Library from '../../engine/index.js' with { 'resolution-mode': 'import' };
import type * as EngineFile from './engine.cjs';

/** Global symbol under which the Jest environment stores a function that imports the library. */
const IMPORT = Symbol.for('@vendor-sandbox/sandbox import');

/**
 * The whole library, like `import('@vendor-sandbox/sandbox')`. Jest runs CommonJS in a context that can't import ES modules, so the sandbox's Jest
 * environment does the import, else a file that Node itself has required (Node 20.16 or newer; from Jest 30 on, Jest requires it).
 */
export function library(): Promise<typeof Library> {
  const given = (globalThis as { [IMPORT]?: () => Promise<typeof Library> })[IMPORT];
  if (given !== undefined) return given();
  const node = process.getBuiltinModule?.('module');
  const { importLibrary: load } = (node ? node.createRequire(__filename) : require)(
    './engine.cjs',
  ) as typeof EngineFile;
  return load();
}
