import { createSandbox, PackCache, type Sandbox, type SandboxOptions } from '../../../engine/index.js';
import { findPack } from '../../command/installation.js';

/** Creates a sandbox of a bundled pack in this process. @param options by default, its clock starts on 1 January 2025 */
export async function packSandbox(pack: string, options: Omit<SandboxOptions, 'pack'> = {}): Promise<Sandbox> {
  const cache = PackCache.ofInstallation();
  return createSandbox({ pack: await findPack(pack), cache, t0: '2025-01-01T00:00:00Z', ...options });
}
