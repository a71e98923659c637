import type { PackCache } from './cache.js';
import { type FileProblem, explainSchemaError } from './explain.js';
import { essential, located } from './located.js';
import { type Problem, ProblemList } from './problem.js';
import { prune, type Pruned } from './prune.js';
import { PackSchemas } from './schemas.js';
import type { PackSource, SourceFile } from './source.js';
import { checkSteps } from './steps.js';

let schemas: PackSchemas | undefined;

/**
 * Checks every file against the JSON Schema of its kind: one problem for each error, ordered by file and position. Files with
 * YAML errors are skipped. With a cache, a pack that passed these schemas before isn't checked again.
 */
export function validateSchemas(source: PackSource, options: { cache?: PackCache } = {}): Problem[] {
  schemas ??= new PackSchemas();
  if (options.cache?.passed(source.hash, schemas.hash)) return [];
  const list = new ProblemList();
  const readable = source.files.filter((file) => !file.broken);
  for (const file of readable) validateFile(file, schemas, list);
  const problems = list.all;
  if (problems.length === 0 && readable.length === source.files.length)
    options.cache?.keepPassed(source.hash, schemas.hash);
  return problems;
}

/** Checks one file outside of packs against the JSON Schema of its kind. */
export function validateFileSchema(file: SourceFile): Problem[] {
  schemas ??= new PackSchemas();
  const list = new ProblemList();
  if (!file.broken) validateFile(file, schemas, list);
  return list.all;
}

/** Returns a pack without the parts that its schemas reject. */
export function pruned(source: PackSource): Pruned {
  schemas ??= new PackSchemas();
  return prune(source, schemas);
}

function validateFile(file: SourceFile, schemas: PackSchemas, list: ProblemList): void {
  if (file.kind === 'sdl') return;
  const { problems, rest } = checkSteps(located(schemas.errors(file.kind, file.data), file.data));
  const explained = essential(rest).map(({ error, path }) => explainSchemaError(error, path));
  for (const { path, code, message, at, suggestion } of withoutEchoes([...problems, ...explained])) {
    list.add(file, path, code, message, { at, suggestion });
  }
}

/** Drops problems that follow from another one: a misspelt key is also reported as a missing key. */
function withoutEchoes(problems: readonly FileProblem[]): FileProblem[] {
  const meant = new Set<string>();
  for (const { code, path, suggestion } of problems) {
    if (code === 'unknown-key' && suggestion !== undefined)
      meant.add(JSON.stringify([...path.slice(0, -1), suggestion]));
  }
  return problems.filter(({ path, missing }) => !missing?.some((key) => meant.has(JSON.stringify([...path, key]))));
}
