import type * as Library from '../../engine/index.js' with { 'resolution-mode': 'import' };
import type * as EngineFile from './engine.cjs';

/**
 * The whole library, like `import('@vendor-sandbox/sandbox')`. Jest runs CommonJS in a context that can't import ES modules, so
 * a file that Node itself has required does the import (Node 20.16 or newer).
 */
export function library(): Promise<typeof Library> {
  const node = process.getBuiltinModule?.('module');
  const { importLibrary: load } = (node ? node.createRequire(__filename) : require)(
    './engine.cjs',
  ) as typeof EngineFile;
  return load();
}
