import type { JsonObject } from '../expression/index.js';
import { inside, type OutsideFile, type Place } from '../model/index.js';
import type { Compiler } from './context.js';
import { checkErrorUse } from './error-use.js';
import { linkRepeated } from './rows.js';

/** A part of the vendor's API that the pack leaves out: calls there are refused with an error that says so. */
export interface Outside {
  readonly path: string;
  readonly error: string;
  readonly args: JsonObject;
}

/** Reads `outside` of pack.yaml, one entry per path; the longest path stands first. */
export function linkOutside(files: readonly OutsideFile[], place: Place, compiler: Compiler): Outside[] {
  const known = new Set<string>();
  const found = files.flatMap((file, index) => {
    const at = inside(place, index);
    checkErrorUse(file.error, file.with, at, 'error', compiler);
    const repeated = linkRepeated({}, at, compiler);
    const template = repeated.template(file.with ?? {}, 'with');
    const [frame] = repeated.frames();
    const args = template(frame) as JsonObject;
    return file.paths.map((path, n) => {
      if (known.has(path))
        compiler.linking.problem(inside(at, 'paths', n), 'duplicate-path', `'${path}' is outside twice`);
      known.add(path);
      return { path, error: file.error, args };
    });
  });
  return found.sort((a, b) => b.path.split('/').length - a.path.split('/').length);
}

/** The part left out that a path is at or below. A `{name}` in it stands for any one segment. */
export function outsideAt(outside: readonly Outside[], path: string): Outside | undefined {
  const segments = path.split('/');
  return outside.find((each) => {
    const pattern = each.path.split('/');
    return (
      pattern.length <= segments.length &&
      pattern.every((segment, index) => segment.startsWith('{') || segment === segments[index])
    );
  });
}
