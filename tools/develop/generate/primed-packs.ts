import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { installation, packsIn } from '../../command/installation.js';

/**
 * Reads the packs that come with the sandbox once, so that their first start finds them in the cache, here and in a release. The end of a build:
 * problems of a pack are for `validate-pack` to report.
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

// A start without the cache reads the YAML.
prime().catch(() => undefined);
