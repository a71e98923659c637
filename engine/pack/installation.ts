import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this installation, which holds `schemas/`: found upwards from the sources or from what was built. */
export function installationFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'schemas', 'definitions.schema.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the folder schemas/ is missing from this installation');
    folder = parent;
  }
  return folder;
}

/** The text of a file of this installation, such as `schemas/pack.schema.json`. */
export function installedFile(path: string): string {
  return readFileSync(join(installationFolder(), path), 'utf8');
}

/** The files in a folder of this installation and below it, by their paths in it; none when there is no such folder. */
export function installedFiles(folder: string): ReadonlyMap<string, Buffer> {
  const root = join(installationFolder(), folder);
  if (!existsSync(root)) return new Map();
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(root, path).replaceAll('\\', '/'), readFileSync(path)];
    }),
  );
}
