import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = [join('tools', 'openapi'), join('tools', 'openapi', 'use')];
/** Matches names of files that take part neither in imports nor in measuring. */
const APART = /^(?:broken|check|curl|export|facts|negative|score)/;

/** Hashes the importer and the measuring code, to detect outdated figures. */
export function importerHash(): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS)
    for (const name of readdirSync(folder).sort())
      if (name.endsWith('.ts') && !APART.test(name)) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}
