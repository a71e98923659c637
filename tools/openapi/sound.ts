import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMap, LineCounter, parseDocument } from 'yaml';
import { loadPack } from '../../engine/index.js';
import { writeFiles } from '../commands/init-pack.js';
import { FACTS_FILE } from './facts-file.js';

/** Files of a pack that loads, and the parts that were removed for it. */
interface Sound {
  readonly files: Readonly<Record<string, string>>;
  /** Removed parts with the reason. */
  readonly left: readonly string[];
}

/** Rounds in which only operations and keys are removed; later rounds remove whole files. */
const GENTLE_ROUNDS = 8;
const MOST_ROUNDS = 24;
const CAUSES = 'causes.yaml';
/** Whether a pack still loads without a file. */
const isOptional = (file: string): boolean => file.startsWith('resources/') || file === CAUSES || file === FACTS_FILE;
/** Required keys of pack.yaml. */
const NEEDED = new Set(['name', 'title', 'version', 'faithful_to', 'timestamps', 'auth']);

/**
 * Makes an imported pack loadable: removes whatever the engine rejects, an operation if that is enough, else the file.
 * @param files by path, without the first lines, which name schemas
 */
export function sound(files: Readonly<Record<string, string>>): Sound {
  const kept = new Map(Object.entries(files));
  const left: string[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const errors = errorsOf(Object.fromEntries(kept));
    if (errors.length === 0) break;
    const done = new Set<string>();
    for (const { file, line, message } of errors) {
      const text = kept.get(file);
      const path = text === undefined ? undefined : pathAt(text, line - 1);
      const place = text === undefined || path === undefined ? undefined : removable(file, path, round);
      const key = `${file} ${(place ?? []).join('.')}`;
      if (done.has(key) || text === undefined) continue;
      done.add(key);
      const less = place === undefined ? undefined : without(text, place);
      if (less !== undefined) kept.set(file, less);
      else if (isOptional(file)) kept.delete(file);
      else continue;
      left.push(`${[file, ...(place ?? [])].join(' ')}: ${message}`);
    }
    // The error is in a file that can't be removed: all resources are removed.
    if (done.size === 0) for (const path of [...kept.keys()]) if (path.startsWith('resources/')) kept.delete(path);
  }
  return { files: Object.fromEntries(kept), left };
}

/** Errors of a pack; lines count the first line of each file, which names its schema. */
function errorsOf(files: Readonly<Record<string, string>>): readonly { file: string; line: number; message: string }[] {
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  try {
    writeFiles(folder, files);
    return loadPack(folder).problems.filter(({ severity }) => severity === 'error');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The keys that lead to a line of YAML, the outermost first. */
function pathAt(text: string, line: number): readonly string[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const path: string[] = [];
  let node: unknown = document.contents;
  while (isMap(node)) {
    const pair = node.items.findLast(({ key }) => {
      const [start] = (key as { readonly range?: readonly [number, number, number] | null }).range ?? [0];
      return lines.linePos(start).line <= line;
    });
    if (pair === undefined) break;
    path.push(String(pair.key));
    node = pair.value;
  }
  return path;
}

/** The part of a path that can be removed so that the rest of the file stays valid. */
function removable(file: string, path: readonly string[], round: number): readonly string[] | undefined {
  const [section, name] = path;
  if (file.startsWith('resources/') && section === 'events') return [section];
  if (file.startsWith('resources/'))
    return round < GENTLE_ROUNDS && section === 'operations' && name !== undefined ? [section, name] : undefined;
  if (file === FACTS_FILE && section !== 'operations')
    return section === undefined || section === 'document' ? undefined : [section];
  if (file === 'errors.yaml' || file === CAUSES || file === FACTS_FILE)
    return name === undefined ? undefined : [section, name];
  return section === undefined || (NEEDED.has(section) && name === undefined)
    ? undefined
    : NEEDED.has(section)
      ? [section, name]
      : [section];
}

/** Removes the value at a path; undefined if its section would be empty. */
function without(text: string, path: readonly string[]): string | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0 || !document.deleteIn(path)) return undefined;
  const section = document.getIn([path[0]]);
  if (path.length > 1 && isMap(section) && section.items.length === 0) return undefined;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}
