import type { JsonObject } from '../values/index.js';
import { inside, type OutsideFile, type SourceLocation } from '../model/index.js';
import type { Unsupported } from '../program/index.js';
import type { Compiler } from './context.js';
import { checkErrorUse } from './error-use.js';
import { linkRepeated } from './rows.js';

/** Reads `outside` of pack.yaml, one entry per path; the longest path is first. */
export function linkUnsupported(
  files: readonly OutsideFile[],
  place: SourceLocation,
  compiler: Compiler,
): Unsupported[] {
  const known = new Set<string>();
  const found = files.flatMap((file, index) => {
    const at = inside(place, index);
    checkErrorUse(file.error, file.with, at, 'error', compiler);
    const repeated = linkRepeated({}, at, compiler);
    const template = repeated.template(file.with ?? {}, 'with');
    const [rows] = repeated.combinations();
    const args = template(rows) as JsonObject;
    return file.paths.map((path, n) => {
      if (known.has(path))
        compiler.diagnostics.problem(inside(at, 'paths', n), 'duplicate-path', `'${path}' is outside twice`);
      known.add(path);
      return { path, error: file.error, args };
    });
  });
  return found.sort((a, b) => b.path.split('/').length - a.path.split('/').length);
}
