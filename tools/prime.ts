import { join } from 'node:path';
import { installation, packsIn } from './installation.js';

/**
 * Reads the packs that come with the sandbox once, so that their first start finds them in the cache. The end of a build:
 * whatever is wrong with a pack is for `validate-pack` to tell.
 */
try {
  const { loadPack, PackCache } = await import('../engine/index.js');
  const cache = PackCache.ofInstallation();
  for (const folder of packsIn(join(installation(), 'packs'))) loadPack(folder, { cache });
} catch {
  // A start without the cache reads the YAML.
}
