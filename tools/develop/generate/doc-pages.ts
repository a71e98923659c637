import { join } from 'node:path';
import { loadPack } from '../../../engine/index.js';
import { PackCache } from '../../../engine/pack/index.js';
import { installation } from '../../command/installation.js';
import { readVendorCalls } from '../../command/vendor-calls.js';
import { handWritten } from '../../commands/docs.js';
import { keyReference } from '../../reference/keys.js';
import { referencePages } from '../../reference/index.js';
import { billingPages } from './billing-pages.js';
import { chapters } from './billing-scenarios.js';

/** Packs with pages in docs/reference, each with the file that maps operations to methods of the vendor's client; undefined if there is none. */
const CALLS: Readonly<Record<string, string | undefined>> = {
  payments: 'docs/internals/payments-calls.yaml',
  'task-automation': undefined,
};

export const PACKS = Object.keys(CALLS);
export const BILLING = 'docs/reference/billing';

/** Returns the folder of a pack's pages, relative to the project. */
export function pagesFolder(name: string): string {
  return `docs/reference/${name}`;
}

/**
 * Generates all pages by path. Git contains those that hand-written pages link to; the others are written when the package and the site are built.
 * @throws Error if a pack has problems
 */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map([['docs/reference/pack-keys.md', keyReference()]]);
  for (const [file, text] of billingPages(chapters())) pages.set(`${BILLING}/${file}`, text);
  for (const name of PACKS) {
    const folder = pagesFolder(name);
    const root = installation();
    const { pack, problems } = loadPack(join(root, 'packs', name), { cache: PackCache.ofInstallation() });
    if (!pack)
      throw new Error(
        `the pack '${name}' has problems (after a change of schemas: npm run schemas): ${problems[0]?.message}`,
      );
    const calls = CALLS[name] === undefined ? [] : await readVendorCalls(join(root, CALLS[name]));
    const made = referencePages(pack, { calls, written: handWritten(join(root, folder)) });
    for (const [file, text] of made) pages.set(`${folder}/${file}`, text);
  }
  return pages;
}
