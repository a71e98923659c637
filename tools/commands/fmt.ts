import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { FOLDERS, type FileKind, SINGLE_FILES } from '../../engine/pack/index.js';
import { formatYaml } from '../format/format.js';
import { shorten } from '../format/short/index.js';
import { mustExist } from '../command/input-file.js';
import { allPacks, shownFolder } from '../command/installation.js';
import { counted, Exit, type Output } from '../command/output.js';

/** The parsed options of `sandbox fmt`. */
export interface FormatCommand {
  readonly check?: boolean;
  readonly json?: boolean;
  readonly short?: boolean;
}

/**
 * Formats YAML files of packs, or lists unformatted ones; returns the exit code.
 * @param given files and folders; every pack by default
 * @throws Failure if one of them doesn't exist
 */
export function fmt(given: readonly string[], { check, json, short }: FormatCommand, output: Output): number {
  const files = (given.length > 0 ? given : allPacks()).flatMap((path) => yamlFiles(resolve(path)));
  const changed: string[] = [];
  const broken: string[] = [];
  const kept: string[] = [];
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const kind = short ? kindOf(file) : undefined;
    const formatted = formatYaml(text);
    const shortened = formatted !== undefined && kind !== undefined ? shorten(kind, formatted) : formatted;
    const shown = shownFolder(file).replace(/\/$/, '');
    if (shortened === undefined && formatted !== undefined) kept.push(shown);
    const made = shortened ?? formatted;
    if (made === undefined) broken.push(shown);
    else if (made !== text) {
      changed.push(shown);
      if (!check) writeFileSync(file, made);
    }
  }
  if (json) output.print(JSON.stringify({ files: files.length, changed, broken }));
  else {
    for (const each of changed) output.print(check ? `${each} is not in shape` : each);
    for (const each of broken) output.error(`${each} is no YAML: sandbox validate-pack lists its problems`);
    for (const each of kept) output.error(`${each} keeps its long forms: short ones would mean something else`);
    output.print(`${counted(files.length, 'file')}, ${changed.length} ${check ? 'not in shape' : 'changed'}`);
  }
  return broken.length > 0 || (check && changed.length > 0) ? Exit.wrongInput : Exit.done;
}

/** Determines the kind of a pack's file; undefined if the file isn't in a pack. */
function kindOf(file: string): FileKind | undefined {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'pack.yaml'))) {
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  const [top, ...rest] = relative(folder, file).split(/[/\\]/);
  return rest.length === 0 ? SINGLE_FILES[top] : FOLDERS[top];
}

function yamlFiles(path: string): string[] {
  mustExist(path, 'not_found', shownFolder(path).replace(/\/$/, ''));
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name) && !name.includes('node_modules') && !/^openapi\./.test(name))
    .sort()
    .map((name) => join(path, name));
}
