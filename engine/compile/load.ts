import { statSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MACHINE } from '../codes.js';
import { requireCode } from '../expression/index.js';
import { linkModel, type Model } from '../model/index.js';
import { withoutEchoes } from './check/echoes.js';
import { checkPack } from './check/index.js';
import { type CompiledPack, compilePack } from './pack.js';
import {
  PackCache,
  type PackSource,
  packageVersion,
  type Problem,
  packSignature,
  pruned,
  readPack,
  releasedVersion,
  sortProblems,
  validateSchemas,
} from '../pack/index.js';

/** A loaded pack with its problems. */
export interface LoadedPack {
  /** The compiled pack; null if the pack has errors. */
  readonly pack: CompiledPack | null;
  readonly problems: readonly Problem[];
  readonly source: PackSource;
}

export interface LoadOptions {
  readonly vars?: Readonly<Record<string, string>>;
  readonly cache?: PackCache;
  readonly recheck?: boolean;
  /** Whether compiled functions have source maps and are all compiled at once; by default if a debugger may be attached. */
  readonly debug?: boolean;
  /** Called when a phase of the start is over: `read`, `link`, `compile`, `check`. */
  readonly onPhase?: (phase: string) => void;
}

/** Identifies the build of the engine: a pack that passed the checks of another build is checked again. */
const BUILD = releasedVersion() ?? String(statSync(fileURLToPath(import.meta.url)).mtimeMs);

/** The key under which a passed check is cached. */
function checkOf(build: string, vars: LoadOptions['vars'] = {}): string {
  return `linked ${build} ${JSON.stringify(vars)}`;
}

/** Caches a pack as read and checked by the release that is built here. @param source of a pack without errors */
export function keepForRelease(source: PackSource): void {
  const cache = PackCache.ofRelease();
  cache.keepFiles(source.hash, Object.fromEntries(source.files.map((file) => [file.path, file.data])));
  cache.keepPassed(source.hash, checkOf(packageVersion()));
}

/** Recently compiled packs, the newest last. They are immutable, so worlds of one process share them. */
const compiled = new Map<string, LoadedPack>();
const MOST_COMPILED = 8;

/** The loaded pack of each folder, reused as long as the signature of the folder's files is the same. */
const unchanged = new Map<string, { readonly signature: string; readonly loaded: LoadedPack }>();
/** Milliseconds after which a file's time is trusted: file times are coarse, and may hide a second change. */
const SETTLED = 2000;

/**
 * Reads, checks, links and compiles a pack. The same files with the same variables are compiled once in a process.
 * @param options `vars` replaces variables of pack.yaml; `cache` stores parsed files and passed checks by content hash: a pack
 * that passed every check before is compiled piece by piece, when a request needs it; `recheck` repeats the checks
 */
export function loadPack(dir: string, options: LoadOptions = {}): LoadedPack {
  const place = [resolve(dir), options.vars ?? {}, isDebugged(options)];
  const seen = packSignature(dir);
  const before = unchanged.get(JSON.stringify(place));
  if (before?.signature === seen.text && !options.recheck) return before.loaded;
  const { source, problems } = readPack(dir, {
    cache: options.cache,
    signature: { all: seen.all, isSettled: seen.newest < Date.now() - SETTLED },
  });
  options.onPhase?.('read');
  if (options.recheck) return loadSource(source, problems, options);
  const key = JSON.stringify([...place, source.hash]);
  const loaded = compiled.get(key) ?? loadSource(source, problems, options);
  remember(compiled, key, loaded);
  if (seen.newest < Date.now() - SETTLED) remember(unchanged, JSON.stringify(place), { signature: seen.text, loaded });
  return loaded;
}

/**
 * Checks, links and compiles a source that was already read, with its problems.
 * @throws CodeRejected if this process can't compile functions from text
 */
export function loadSource(source: PackSource, problems: readonly Problem[], options: LoadOptions = {}): LoadedPack {
  requireCode();
  const { cache, onPhase } = options;
  const check = checkOf(BUILD, options.vars);
  const debug = isDebugged(options);
  const passed = !options.recheck && !debug && cache?.passed(source.hash, check) === true;
  const found = [...problems, ...(passed ? [] : validateSchemas(source, { cache }))];
  if (found.some(isError))
    return { pack: null, problems: causesFirst([...found, ...behind(source, found, options)], source), source };
  const model = linkModel(source, options.vars, undefined, debug, passed);
  const { problems: linked } = model.diagnostics;
  onPhase?.('link');
  if (linked.errors.length > 0) {
    const all = [...linked.all, ...further(model, linked.all)];
    return { pack: null, problems: [...found, ...withoutEchoes(sortProblems(all))], source };
  }
  const pack = compilePack(model, passed);
  onPhase?.('compile');
  if (!passed) {
    checkPack(pack);
    if (linked.errors.length === 0) cache?.keepPassed(source.hash, check);
    onPhase?.('check');
  }
  return { pack: linked.errors.length === 0 ? pack : null, problems: [...found, ...withoutEchoes(linked.all)], source };
}

/** Sorts problems, those of unreadable files first, since others may follow from them. */
function causesFirst(problems: readonly Problem[], { files }: PackSource): Problem[] {
  const broken = new Set(files.flatMap((file) => (file.broken ? [file.path] : [])));
  const sorted = sortProblems(problems);
  return [...sorted.filter(({ file }) => broken.has(file)), ...sorted.filter(({ file }) => !broken.has(file))];
}

/**
 * Finds further problems of a pack with schema errors: removes the invalid parts, and ignores problems of references to them.
 */
function behind(source: PackSource, problems: readonly Problem[], { vars }: LoadOptions): readonly Problem[] {
  const { source: rest, words } = pruned(source);
  // Stops if the errors file is broken, since every use of an error would be reported.
  if (!rest.one('pack') || (source.one('errors') && !rest.one('errors'))) return [];
  return attempt(() => {
    const model = linkModel(rest, vars);
    const linked = meant(model.diagnostics.problems.errors, problems, words);
    return [...linked, ...further(model, [...problems, ...linked], words)];
  });
}

/** Errors of compiling and checking a model that has errors already, without those that follow from these. */
function further(
  model: Model,
  reported: readonly Problem[],
  words: ReadonlySet<string> = new Set(),
): readonly Problem[] {
  const { problems } = model.diagnostics;
  const known = new Set(problems.all);
  attempt(() => (checkPack(compilePack(model)), []));
  const found = problems.errors.filter((each) => !known.has(each));
  return meant(found, reported, words);
}

/** Runs a part of compilation; if a broken pack makes it throw, nothing more is reported until the pack is mended. */
function attempt(run: () => readonly Problem[]): readonly Problem[] {
  try {
    return run();
  } catch {
    return [];
  }
}

const OF_MACHINES: ReadonlySet<string> = new Set(Object.values(MACHINE));
/** Messages about types, which follow from broken settings: pack.yaml decides the types of times and ids. */
const WRONG_TYPE = /(?: wants | needs | is ).+, not | cannot /;
/** Codes of problems that follow from a broken machine. */
const WITHOUT_MACHINE: ReadonlySet<string> = new Set(['no-machine', 'unknown-state', 'unknown-trigger']);

/** Removes problems that name a part of a reported one, or that follow from a broken machine or setting. */
function meant(problems: readonly Problem[], reported: readonly Problem[], words: ReadonlySet<string>): Problem[] {
  const names = new Set([...words, ...namesIn(reported)]);
  const machines = words.has('machine') || reported.some(({ code }) => OF_MACHINES.has(code));
  const settings = reported.some(({ file }) => file === 'pack.yaml');
  return problems.filter(
    (problem) =>
      !(machines && WITHOUT_MACHINE.has(problem.code)) &&
      !(settings && WRONG_TYPE.test(problem.message)) &&
      ![...namesIn([problem])].some((name) => names.has(name)),
  );
}

/** The names that problems quote. */
function namesIn(problems: readonly Problem[]): Set<string> {
  const quoted = problems.flatMap(({ message, suggestion }) => [
    ...[...message.matchAll(/'([^']+)'/g)].map(([, name]) => name),
    ...(suggestion === undefined ? [] : [suggestion]),
  ]);
  return new Set(quoted.flatMap((name) => name.match(/\w+/g) ?? []));
}

/** Sets an entry as the newest and drops the oldest beyond the limit. */
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
