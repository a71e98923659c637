import type * as Library from '../../engine/index.js' with { 'resolution-mode': 'import' };
import type * as EngineFile from './engine.cjs';

/**
 * The whole library, as `import('@vendor-sandbox/sandbox')` gives it. Jest runs CommonJS in a context that cannot import ES modules, so
 * the import is done by a file that Node itself has required, outside of it (Node 20.16 or newer).
 */
export function library(): Promise<typeof Library> {
  const node = process.getBuiltinModule?.('module');
  const { importLibrary: load } = (node ? node.createRequire(__filename) : require)(
    './engine.cjs',
  ) as typeof EngineFile;
  return load();
}
