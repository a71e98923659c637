import type { JsonObject } from '../values/index.js';
import { inside, type OutsideFile, type SourceLocation } from '../model/index.js';
import type { Unsupported } from '../program/index.js';
import type { Compiler } from './context.js';
import { checkErrorUse } from './error-use.js';
import { linkRepeated } from './rows.js';

/** Parts of the vendor's API that are not emulated. */
interface Outside {
  /** The longest path is first. */
  readonly paths: readonly Unsupported[];
  /** By names of the vendor's machines. */
  readonly hosts: ReadonlyMap<string, Unsupported>;
}

/** Reads `outside` of pack.yaml. */
export function linkUnsupported(files: readonly OutsideFile[], place: SourceLocation, compiler: Compiler): Outside {
  const paths = new Map<string, Unsupported>();
  const hosts = new Map<string, Unsupported>();
  for (const [index, file] of files.entries()) {
    const at = inside(place, index);
    if (file.error !== undefined) checkErrorUse(file.error, file.with, at, 'error', compiler);
    const repeated = linkRepeated({}, at, compiler);
    const template = repeated.template(file.with ?? {}, 'with');
    const [rows] = repeated.combinations();
    const rest = { error: file.error ?? null, args: template(rows) as JsonObject };
    const add = (known: Map<string, Unsupported>, path: string, key: string, n: number): void => {
      if (known.has(path))
        compiler.diagnostics.problem(inside(at, key, n), 'duplicate-path', `'${path}' is outside twice`);
      known.set(path, { path, ...rest });
    };
    for (const [n, path] of (file.paths ?? []).entries()) add(paths, path, 'paths', n);
    for (const [n, host] of (file.hosts ?? []).entries()) add(hosts, host, 'hosts', n);
  }
  return { paths: [...paths.values()].sort((a, b) => b.path.split('/').length - a.path.split('/').length), hosts };
}
