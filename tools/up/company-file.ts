import { stringify } from 'yaml';
import { loadPack, type PackCache } from '../../engine/index.js';
import { mintKey } from '../../engine/hosting/index.js';
import type { FoundVendor } from './vendors.js';

/**
 * Formats a company file for an application: a constant port and key for each vendor.
 * @param port of the first vendor; null: any free port at each start
 * @param folderOf returns the folder of a pack
 * @param endpointsOf returns the application's webhook URLs for a vendor
 */
export function companyFile(
  company: string,
  vendors: readonly FoundVendor[],
  {
    port,
    cache,
    folderOf,
    endpointsOf,
  }: {
    readonly port: number | null;
    readonly cache: PackCache;
    readonly folderOf: (pack: string) => string;
    readonly endpointsOf: (vendor: FoundVendor) => readonly string[];
  },
): string {
  const entries = vendors.map((vendor, at) => {
    const { pack, vars } = vendor;
    const { pack: program } = loadPack(folderOf(pack), { vars, cache });
    const { keyPrefix, keyLength } = program?.model.settings.auth ?? { keyPrefix: 'key_', keyLength: 24 };
    const endpoints = endpointsOf(vendor);
    const entry = {
      pack,
      ...(port === null ? {} : { port: port + at }),
      key: mintKey(keyPrefix, keyLength),
      ...(Object.keys(vars).length > 0 ? { vars } : {}),
      ...(endpoints.length > 0 ? { endpoints } : {}),
    };
    return [pack, entry] as const;
  });
  const name =
    company
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'application';
  return `# The vendors of this application, for \`sandbox up\`. Commit it: the keys open only the sandbox.\n${stringify(
    {
      company: name,
      vendors: Object.fromEntries(entries),
    },
  )}`;
}
