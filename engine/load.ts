import { checkDelivery } from './delivery/index.js';
import { linkModel } from './model/index.js';
import { checkPack, checkUnused, type CompiledPack, compilePack } from './operation/index.js';
import { type PackCache, type PackSource, type Problem, readPack, validateSchemas } from './pack/index.js';

/** A pack that was read, and what is wrong with it. */
export interface LoadedPack {
  /** Null when there are errors. */
  readonly pack: CompiledPack | null;
  readonly problems: readonly Problem[];
  readonly source: PackSource;
}

/**
 * Reads, checks, links and compiles a pack.
 * @param options `vars` replaces variables of pack.yaml; `cache` remembers what a content hash decides; `check: false`
 *   leaves expressions that no request has needed yet unchecked (for packs that are known to be fine)
 */
export function loadPack(dir: string, options: { readonly vars?: Readonly<Record<string, string>>; readonly cache?: PackCache; readonly check?: boolean } = {}): LoadedPack {
  const { cache } = options;
  const { source, problems } = readPack(dir, { cache });
  const found = [...problems, ...(problems.some(isError) ? [] : validateSchemas(source, { cache }))];
  if (found.some(isError)) return { pack: null, problems: found, source };
  const model = linkModel(source, options.vars);
  const { problems: linked } = model.linking;
  const pack = linked.errors.length === 0 ? compilePack(model) : null;
  if (pack && options.check !== false) {
    checkPack(pack);
    checkDelivery(pack);
    checkUnused(pack);
  }
  return { pack: linked.errors.length === 0 ? pack : null, problems: [...found, ...linked.all], source };
}

function isError(problem: Problem): boolean {
  return problem.severity === 'error';
}
