import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = [join('tools', 'openapi'), join('tools', 'openapi', 'use')];
/** Parts of the folder that neither import nor measure. */
const APART = /^(?:broken|check|curl|export|facts|negative|score)/;

/** Identifies what is measured of imports, and how: the importer, and the usual calls that are made on its packs. */
export function importerHash(): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS)
    for (const name of readdirSync(folder).sort())
      if (name.endsWith('.ts') && !APART.test(name)) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}
