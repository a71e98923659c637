import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder of this installation: the nearest one with `schemas/` above the sources or the build. */
export function installationFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'schemas', 'definitions.schema.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the folder schemas/ is missing from this installation');
    folder = parent;
  }
  return folder;
}

/** Reads a file in this installation as text, such as `schemas/pack.schema.json`. */
export function installedFile(path: string): string {
  return readFileSync(join(installationFolder(), path), 'utf8');
}

/** Reads the files below a folder of this installation, by relative path; empty if there is no such folder. */
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

/** Returns the version of a release, whose files never change; undefined in a clone. */
export function releasedVersion(): string | undefined {
  const root = installationFolder();
  if (existsSync(join(root, 'tsconfig.json'))) return undefined;
  return packageVersion();
}

/** Returns the version in this installation's package.json. */
export function packageVersion(): string {
  const file: unknown = JSON.parse(installedFile('package.json'));
  return typeof file === 'object' && file !== null && 'version' in file ? String(file.version) : 'unknown';
}

/** Returns the folder of a pack: the given one if it contains a pack, else the bundled pack with this name. */
export function packFolder(given: string): string {
  const root = installationFolder();
  const candidates = [given, join(root, given), join(root, 'packs', given)];
  return candidates.find((folder) => existsSync(join(folder, 'pack.yaml'))) ?? given;
}
