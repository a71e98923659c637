import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** OpenAPI documents of folders, in the order of their names, and files as they are named. */
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
