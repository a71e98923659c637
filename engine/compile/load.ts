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
  /** Called when a phase of the start is over: `read`, `link`, `compile`, `check`. */
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
 * As `loadPack`, for files that were read already, with what was found wrong with them.
 * @throws CodeRejected where this process may not make functions of text
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

/** Orders problems; those of files that can't be read come first, since others may follow from them. */
function causesFirst(problems: readonly Problem[], { files }: PackSource): Problem[] {
  const broken = new Set(files.flatMap((file) => (file.broken ? [file.path] : [])));
  const sorted = sortProblems(problems);
  return [...sorted.filter(({ file }) => broken.has(file)), ...sorted.filter(({ file }) => !broken.has(file))];
}

/** Problems of a pack beside those that its schemas report: what the schemas reject is taken out, and references to it are not reported. */
function behind(source: PackSource, problems: readonly Problem[], { vars }: LoadOptions): readonly Problem[] {
  const { source: rest, words } = pruned(source);
  // Without the errors of a broken file, every use of one would look like a mistake.
  if (!rest.one('pack') || (source.one('errors') && !rest.one('errors'))) return [];
  return attempt(() => {
    const model = linkModel(rest, vars);
    const linked = meant(model.diagnostics.problems.errors, problems, words);
    return [...linked, ...further(model, [...problems, ...linked], words)];
  });
}

/** The errors that compiling and checking find in a model that has some already, but for those that follow from these. */
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

/** What is broken may break what is compiled from it: then no more is reported until it is mended. */
function attempt(run: () => readonly Problem[]): readonly Problem[] {
  try {
    return run();
  } catch {
    return [];
  }
}

const OF_MACHINES: ReadonlySet<string> = new Set(Object.values(MACHINE));
/** What follows from settings that are broken: of what type times and ids are is in pack.yaml. */
const WRONG_TYPE = /(?: wants | needs | is ).+, not | cannot /;
/** The message for objects whose machine is broken. */
const WITHOUT_MACHINE: ReadonlySet<string> = new Set(['no-machine', 'unknown-state', 'unknown-trigger']);

/** Problems that name nothing of what is missing, or misspelt in what was reported already. */
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
