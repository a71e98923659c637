import type { JsonObject } from '../values/index.js';
import { ANY, mapType } from '../expression/index.js';
import { glob, inside, type OutsideFile, type SourceLocation } from '../model/index.js';
import type { Operation, OutsideAtTimes, Unsupported } from '../program/index.js';
import { type Compiler, functionScope } from './context.js';
import { checkErrorUse } from './error-use.js';
import { linkRepeated } from './rows.js';

/** Parts of the vendor's API that the pack doesn't emulate. */
interface Outside {
  /** Paths that aren't emulated, the longest first. */
  readonly paths: readonly Unsupported[];
  /** Hosts of the vendor that the pack doesn't emulate, by name. */
  readonly hosts: ReadonlyMap<string, Unsupported>;
  readonly atTimes: readonly OutsideAtTimes[];
}

/** Reads `outside` of pack.yaml: parts of the vendor's API that the pack doesn't emulate. */
export function linkUnsupported(
  files: readonly OutsideFile[],
  place: SourceLocation,
  operations: readonly Operation[],
  compiler: Compiler,
): Outside {
  const { diagnostics, env } = compiler;
  const paths = new Map<string, Unsupported>();
  const hosts = new Map<string, Unsupported>();
  const atTimes: OutsideAtTimes[] = [];
  for (const [index, file] of files.entries()) {
    const at = inside(place, index);
    if (file.error !== undefined) checkErrorUse(file.error, file.with, at, 'error', compiler);
    const repeated = linkRepeated({}, at, compiler);
    const template = repeated.template(file.with ?? {}, 'with');
    const [rows] = repeated.combinations();
    const rest = { error: file.error ?? null, args: template(rows) as JsonObject };
    const add = (known: Map<string, Unsupported>, path: string, key: string, n: number): void => {
      if (known.has(path)) diagnostics.problem(inside(at, key, n), 'duplicate-path', `'${path}' is outside twice`);
      known.set(path, { path, ...rest });
    };
    for (const [n, path] of (file.paths ?? []).entries()) add(paths, path, 'paths', n);
    for (const [n, host] of (file.hosts ?? []).entries()) add(hosts, host, 'hosts', n);
    if (file.operations !== undefined && file.when !== undefined) {
      const keys = operations.map(({ key }) => key);
      const named = file.operations.flatMap((pattern, n) => {
        const found = keys.filter((each) => glob(pattern).test(each));
        if (found.length === 0) diagnostics.unknown(inside(at, 'operations', n), 'operation', pattern, keys);
        return found;
      });
      const seen = { request: env.request, params: mapType(ANY) };
      const { scope, unit, parameters } = functionScope('when of outside', inside(at, 'when'), env, seen);
      const condition = diagnostics.condition(inside(at, 'when'), file.when, scope, env);
      atTimes.push({ operations: new Set(named), when: unit.expression(parameters, condition), ...rest });
    }
  }
  return {
    paths: [...paths.values()].sort((a, b) => b.path.split('/').length - a.path.split('/').length),
    hosts,
    atTimes,
  };
}
