import { statSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireCode } from './expression/index.js';
import { linkModel } from './model/index.js';
import { checkPack, type CompiledPack, compilePack, withoutEchoes } from './compile/index.js';
import {
  PackCache,
  type PackSource,
  packageVersion,
  type Problem,
  packSignature,
  readPack,
  releasedVersion,
  validateSchemas,
} from './pack/index.js';

/** A pack that was read, and what is wrong with it. */
export interface LoadedPack {
  /** Null when there are errors. */
  readonly pack: CompiledPack | null;
  readonly problems: readonly Problem[];
  readonly source: PackSource;
}

export interface LoadOptions {
  readonly vars?: Readonly<Record<string, string>>;
  readonly cache?: PackCache;
  readonly recheck?: boolean;
  /** What is made of the pack carries source maps, all of it at once; unless given: when a debugger may be attached. */
  readonly debug?: boolean;
  /** Told when a phase of the start is over: `read`, `link`, `compile`, `check`. */
  readonly onPhase?: (phase: string) => void;
}

/** Changes with every build: what an earlier engine found right may be wrong for this one. */
const BUILD = releasedVersion() ?? String(statSync(fileURLToPath(import.meta.url)).mtimeMs);

/** What a check is remembered as. */
function checkOf(build: string, vars: LoadOptions['vars'] = {}): string {
  return `linked ${build} ${JSON.stringify(vars)}`;
}

/** Lets the release that is built here find a pack read and checked. @param source of a pack without errors */
export function keepForRelease(source: PackSource): void {
  const cache = PackCache.ofRelease();
  cache.keepFiles(source.hash, Object.fromEntries(source.files.map((file) => [file.path, file.data])));
  cache.keepPassed(source.hash, checkOf(packageVersion()));
}

/** What was compiled lately, the newest last: worlds of one process share it, since it never changes. */
const compiled = new Map<string, LoadedPack>();
const MOST_COMPILED = 8;

/** What a folder held when it was last read. Nothing of it changed as long as its signature is the same. */
const unchanged = new Map<string, { readonly signature: string; readonly loaded: LoadedPack }>();
/** File systems keep times coarsely: of files that changed so lately (ms) a look says nothing. */
const SETTLED = 2000;

/**
 * Reads, checks, links and compiles a pack. The same files with the same variables are compiled once in a process.
 * @param options `vars` replaces variables of pack.yaml; `cache` remembers what a content hash decides: a pack that passed every
 *   check once is compiled piece by piece, when a request needs it; `recheck` checks it all the same
 */
export function loadPack(dir: string, options: LoadOptions = {}): LoadedPack {
  const place = [resolve(dir), options.vars ?? {}, isDebugged(options)];
  const seen = packSignature(dir);
  const before = unchanged.get(JSON.stringify(place));
  if (before?.signature === seen.text && !options.recheck) return before.loaded;
  const { source, problems } = readPack(dir, { cache: options.cache });
  options.onPhase?.('read');
  if (options.recheck) return loadSource(source, problems, options);
  const key = JSON.stringify([...place, source.hash]);
  const loaded = compiled.get(key) ?? loadSource(source, problems, options);
  remember(compiled, key, loaded);
  if (seen.newest < Date.now() - SETTLED) remember(unchanged, JSON.stringify(place), { signature: seen.text, loaded });
  return loaded;
}

/**
 * As `loadPack`, for files that were read already, with what was found wrong with them.
 * @throws CodeRefused where this process may not make functions of text
 */
export function loadSource(source: PackSource, problems: readonly Problem[], options: LoadOptions = {}): LoadedPack {
  requireCode();
  const { cache, onPhase } = options;
  const check = checkOf(BUILD, options.vars);
  const debug = isDebugged(options);
  const passed = !options.recheck && !debug && cache?.passed(source.hash, check) === true;
  const found = [...problems, ...(passed || problems.some(isError) ? [] : validateSchemas(source, { cache }))];
  if (found.some(isError)) return { pack: null, problems: found, source };
  const model = linkModel(source, options.vars, undefined, debug);
  const { problems: linked } = model.diagnostics;
  onPhase?.('link');
  const pack = linked.errors.length === 0 ? compilePack(model) : null;
  onPhase?.('compile');
  if (pack && !passed) {
    checkPack(pack);
    if (linked.errors.length === 0) cache?.keepPassed(source.hash, check);
    onPhase?.('check');
  }
  return { pack: linked.errors.length === 0 ? pack : null, problems: [...found, ...withoutEchoes(linked.all)], source };
}

/** Puts an entry last and drops the oldest beyond the limit. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) if (map.size > MOST_COMPILED) map.delete(oldest);
}

function isDebugged({ debug }: LoadOptions): boolean {
  return debug ?? (inspectorUrl() !== undefined || process.sourceMapsEnabled);
}

function isError(problem: Problem): boolean {
  return problem.severity === 'error';
}
