import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** OpenAPI documents in folders, sorted by name, and files in the given order. */
export function documentsIn(paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => /\.(json|ya?ml)$/.test(name))
          .sort()
          .map((name) => join(path, name))
      : [path],
  );
}
