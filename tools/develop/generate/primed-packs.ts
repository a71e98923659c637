import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { installation, packsIn } from '../../command/installation.js';

/**
 * Loads the included packs at the end of a build, so that their first start finds them in the cache, here and in a release. Errors are left to
 * `validate-pack`.
 */
async function prime(): Promise<void> {
  const { loadPack, PackCache } = await import('../../../engine/index.js');
  const { keepForRelease } = await import('../../../engine/compile/index.js');
  rmSync(PackCache.ofRelease().folder, { recursive: true, force: true });
  const cache = PackCache.ofInstallation();
  for (const folder of packsIn(join(installation(), 'packs'))) {
    const { pack, source } = loadPack(folder, { cache });
    if (pack) keepForRelease(source);
  }
}

// Ignores errors: without the cache, a start parses the YAML.
prime().catch(() => undefined);
