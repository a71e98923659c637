import type { ProblemCode } from '../codes.js';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Json } from '../values/index.js';
import { hashOf, type PackCache } from './cache.js';
import { readYaml } from './convert.js';
import { missingPack } from './known-packs.js';
import { type FileKind, FOLDERS, SINGLE_FILES, TEXT_FILES, WITH_AREAS } from './pack-files.js';
import { type Problem, sortProblems } from './problem.js';
import { PackSource, SourceFile } from './source.js';
import { lower } from './short.js';
import { suggest } from './suggest.js';

/** Size limit of a file, in characters. */
const MAX_CHARACTERS = 2_000_000;

interface FoundFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly text: string;
}

/**
 * Reads every file of a pack's folder. Never throws for its contents: YAML errors are problems, and a file with one has
 * `broken` set. With a cache, a pack that was read before isn't parsed again.
 */
export function readPack(
  dir: string,
  options: { cache?: PackCache; signature?: { readonly all: string; readonly isSettled: boolean } } = {},
): { source: PackSource; problems: Problem[] } {
  const problems: Problem[] = [];
  const { cache, signature } = options;
  const before = signature && cache?.unchanged(resolve(dir), signature.all);
  const data = before && cache?.files(before.hash);
  if (before && data) {
    const files = before.files.map(
      ([path, kind]) =>
        new SourceFile(
          path,
          kind as FileKind,
          () => readFileSync(join(dir, path), 'utf8'),
          () => data[path],
        ),
    );
    return { source: new PackSource(dir, files, before.hash), problems };
  }
  const found = findFiles(dir, problems);
  const hash = hashOf(found.flatMap(({ path, text }) => [path, text]));
  const files = options.cache
    ? cachedFiles(dir, hash, found, options.cache, problems)
    : found.map((file) => parsed(file, problems));
  if (cache && signature?.isSettled && problems.length === 0)
    cache.keepUnchanged(resolve(dir), signature.all, { hash, files: found.map(({ path, kind }) => [path, kind]) });
  return { source: new PackSource(dir, files, hash), problems: sortProblems(problems) };
}

/** Returns the cached data of a folder's unchanged files, so that only edited files are parsed. */
function cachedFiles(
  dir: string,
  hash: string,
  found: readonly FoundFile[],
  cache: PackCache,
  problems: Problem[],
): SourceFile[] {
  const known = cache.files(hash);
  if (known && found.every(({ path }) => Object.hasOwn(known, path)))
    return found.map((file) => cached(file, () => known[file.path]));
  const folder = resolve(dir);
  const recent = cache.recent(folder);
  const texts = Object.fromEntries(found.map(({ path, text }) => [path, hashOf([text])]));
  const isKnown = ({ path }: FoundFile): boolean =>
    recent !== undefined && Object.hasOwn(recent.files, path) && recent.texts[path] === texts[path];
  const files = found.map((file) =>
    recent && isKnown(file) ? cached(file, () => recent.files[file.path]) : parsed(file, problems),
  );
  if (problems.length === 0) {
    cache.keepFiles(hash, Object.fromEntries(files.map((file) => [file.path, file.data])));
    cache.keepRecent(folder, hash, texts);
  }
  return files;
}

/** Parses one file of a pack from its text, such as an editor's unsaved one. */
export function readText(path: string, kind: FileKind, text: string): { file: SourceFile; problems: Problem[] } {
  const problems: Problem[] = [];
  return { file: parsed({ path, kind, text }, problems), problems };
}

/** Reads a file outside of packs. An unreadable file is a problem too. */
export function readFile(path: string, kind: FileKind): { file: SourceFile; problems: Problem[] } {
  const name = basename(path);
  try {
    return readText(name, kind, readFileSync(path, 'utf8'));
  } catch (error) {
    const problems = [problemOf(name, 'file-unreadable', reason(error))];
    return { file: new SourceFile(name, kind, '', null, true), problems };
  }
}

function cached({ path, kind, text }: FoundFile, data: () => Json): SourceFile {
  return new SourceFile(path, kind, text, data);
}

function parsed({ path, kind, text }: FoundFile, problems: Problem[]): SourceFile {
  if (text.length > MAX_CHARACTERS) {
    problems.push(problemOf(path, 'file-too-large', `longer than ${MAX_CHARACTERS} characters`));
    return new SourceFile(path, kind, '', null, true);
  }
  if (Object.hasOwn(TEXT_FILES, path)) return new SourceFile(path, kind, text, text);
  const { data, broken, problems: inYaml } = readYaml(text);
  const lowered = lower(kind, data);
  const file = new SourceFile(path, kind, text, lowered.data, broken || data === null);
  for (const { path: at, code, message, at: part, severity = 'error', suggestion } of broken ? [] : lowered.problems)
    problems.push({
      severity,
      code,
      message,
      file: path,
      ...file.locateWritten(at, part),
      ...(suggestion !== undefined && { suggestion }),
    });
  for (const { offset, code, message } of inYaml) {
    problems.push({ severity: 'error', code, message, file: path, ...file.position(offset) });
  }
  if (data === null && inYaml.length === 0)
    problems.push(problemOf(path, 'file-empty', 'there is nothing in this file'));
  return file;
}

function findFiles(dir: string, problems: Problem[]): FoundFile[] {
  const found: FoundFile[] = [];
  const take = (path: string, kind: FileKind): void => {
    try {
      found.push({ path, kind, text: readFileSync(join(dir, path), 'utf8') });
    } catch (error) {
      problems.push(problemOf(path, 'file-unreadable', reason(error)));
    }
  };
  const takeAll = (folder: string, kind: FileKind, mayHaveAreas: boolean): void => {
    for (const entry of list(join(dir, folder), folder, problems)) {
      const path = `${folder}/${entry.name}`;
      if (isNote(entry)) continue;
      if (entry.isDirectory() && mayHaveAreas) takeAll(path, kind, false);
      else if (!entry.isDirectory() && entry.name.endsWith('.yaml')) take(path, kind);
      else problems.push(unknownEntry(path, entry, undefined));
    }
  };
  const top = list(dir, '.', problems);
  for (const entry of top) {
    const { name } = entry;
    if (entry.isDirectory() && Object.hasOwn(FOLDERS, name)) takeAll(name, FOLDERS[name], WITH_AREAS.has(name));
    else if (!entry.isDirectory() && Object.hasOwn(SINGLE_FILES, name)) take(name, SINGLE_FILES[name]);
    else if (!entry.isDirectory() && Object.hasOwn(TEXT_FILES, name)) take(name, TEXT_FILES[name]);
    else if (!isNote(entry)) {
      problems.push(unknownEntry(name, entry, Object.keys(entry.isDirectory() ? FOLDERS : SINGLE_FILES)));
    }
  }
  const isReadable = problems.every(({ code }) => code !== 'pack-unreadable');
  if (isReadable && !found.some(({ kind }) => kind === 'pack'))
    problems.push(problemOf('pack.yaml', 'file-missing', 'a pack needs a pack.yaml'));
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function list(dir: string, shown: string, problems: Problem[]): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const missing = shown === '.' ? missingPack(dir, dir) : undefined;
    problems.push(problemOf(shown, 'pack-unreadable', missing ?? `the pack's folder cannot be read: ${reason(error)}`));
    return [];
  }
}

/** Whether an entry isn't YAML of the pack: notes, a license, hidden files, or the vendor's OpenAPI document. */
function isNote(entry: Dirent): boolean {
  return (
    entry.name.startsWith('.') ||
    (!entry.isDirectory() && /\.(md|txt)$|^LICENSE$|^openapi\.(json|ya?ml)$/.test(entry.name))
  );
}

function unknownEntry(path: string, entry: Dirent, known: readonly string[] | undefined): Problem {
  const name = path.split('/').at(-1) ?? path;
  const what = entry.isDirectory() ? 'folder' : 'file';
  const yamlName = name.replace(/\.(yml|json)$/i, '.yaml');
  const meant = known ? (known.find((each) => each === yamlName) ?? suggest(yamlName, known)) : undefined;
  const suggestion = meant ?? (known === undefined && yamlName !== name ? yamlName : undefined);
  const top = path.split('/')[0];
  const depth = WITH_AREAS.has(top) ? `one level of folders, ${top}/AREA/NAME.yaml` : 'no folders';
  const message =
    what === 'folder' && top !== path
      ? `${top}/ has ${depth}: this folder is not read`
      : `this ${what} is not part of a pack and is not read`;
  const problem = problemOf(path, `unknown-${what}`, message, 'warning');
  return suggestion === undefined ? problem : { ...problem, suggestion };
}

function problemOf(file: string, code: ProblemCode, message: string, severity: Problem['severity'] = 'error'): Problem {
  return { severity, code, message, file, line: 1, column: 1 };
}

/** Returns the system's code for an error, without its message, which contains local paths. */
function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
