import type { Json } from '../expression/host.js';
import type { PackCache } from './cache.js';
import { type Complaint, explain, type Located } from './explain.js';
import { type Problem, ProblemList } from './problem.js';
import { PackSchemas } from './schemas.js';
import type { DataPath, PackSource, SourceFile } from './source.js';
import { checkSteps } from './steps.js';

let schemas: PackSchemas | undefined;

/**
 * Checks every file against the JSON Schema of its kind: one problem per mistake, ordered by file and position. Files
 * whose YAML is broken are skipped. With a cache, a pack that passed these schemas before is not checked again.
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

function validateFile(file: SourceFile, schemas: PackSchemas, list: ProblemList): void {
  const located = schemas
    .errors(file.kind, file.data)
    .map((error) => ({ error, path: pathOf(error.instancePath, file.data) }));
  const { complaints, rest } = checkSteps(located);
  const explained = essential(rest).map(({ error, path }) => explain(error, path));
  for (const { path, code, message, at, suggestion } of withoutEchoes([...complaints, ...explained])) {
    list.add(file, path, code, message, { at, suggestion });
  }
}

/** Leaves out what only repeats another error: wrappers, untaken alternatives, and the rest about a value of a wrong type. */
function essential(located: readonly Located[]): Located[] {
  const mistyped = new Map<string, Located>();
  for (const each of located) {
    const { keyword, instancePath } = each.error;
    // Of several schemas for one value the first is the outermost, which names every type that would do.
    if (keyword === 'type' && !mistyped.has(instancePath)) mistyped.set(instancePath, each);
  }
  return located.filter((each) => {
    const { keyword, instancePath, schemaPath, propertyName } = each.error;
    if (keyword === 'if' || keyword === 'propertyNames' || /\/anyOf\/\d+\//.test(schemaPath)) return false;
    const first = propertyName === undefined ? mistyped.get(instancePath) : undefined;
    return first === undefined || first === each;
  });
}

/** A misspelt key is also a missing one; the first complaint is enough. */
function withoutEchoes(complaints: readonly Complaint[]): Complaint[] {
  const meant = new Set<string>();
  for (const { code, path, suggestion } of complaints) {
    if (code === 'unknown-key' && suggestion !== undefined)
      meant.add(JSON.stringify([...path.slice(0, -1), suggestion]));
  }
  return complaints.filter(({ path, wants }) => !wants?.some((key) => meant.has(JSON.stringify([...path, key]))));
}

/** The path that a JSON pointer leads to; indexes of lists become numbers. */
function pathOf(pointer: string, data: Json): DataPath {
  const path: (string | number)[] = [];
  let value: unknown = data;
  for (const part of pointer.split('/').slice(1)) {
    const step = Array.isArray(value) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(step);
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  }
  return path;
}
