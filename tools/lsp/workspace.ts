import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { loadSource } from '../../engine/index.js';
import { type FileKind, PackSource, type Problem, readPack, readText } from '../../engine/pack/index.js';

/** Maximum number of folder levels between a file and its pack.yaml. */
const MOST_UP = 4;

/** Finds the folder of a file's pack. */
export function packOf(file: string): string | undefined {
  let folder = dirname(file);
  for (let up = 0; up < MOST_UP; up++) {
    if (existsSync(join(folder, 'pack.yaml'))) return folder;
    folder = dirname(folder);
  }
  return undefined;
}

/** A pack in an editor: open files have the editor's text instead of the text on disk. */
export interface EditedPack {
  readonly source: PackSource;
  readonly problems: readonly Problem[];
}

/** Reads and checks a pack, with the texts of open files. @param open texts by path of the file */
export function readEditedPack(folder: string, open: ReadonlyMap<string, string>): EditedPack {
  const read = readPack(folder);
  const shown: Problem[] = [];
  const overlaid = new Set<string>();
  const files = read.source.files.map((file) => {
    const text = open.get(join(folder, file.path));
    if (text === undefined || text === file.text) return file;
    overlaid.add(file.path);
    const { file: own, problems } = readText(file.path, file.kind, text);
    shown.push(...problems);
    return own;
  });
  const source = new PackSource(
    folder,
    files,
    `${read.source.hash} ${[...overlaid].map((path) => open.get(join(folder, path)) ?? '').join('\n')}`,
  );
  const problems = [...read.problems.filter(({ file }) => !overlaid.has(file)), ...shown];
  return { source, problems: loadSource(source, problems).problems };
}

/** Returns the kind of file at a path of a pack. */
export function fileKindOf(view: EditedPack, file: string): FileKind | undefined {
  const path = relative(view.source.dir, file).split(sep).join('/');
  return view.source.files.find((each) => each.path === path)?.kind;
}

/** Returns the text of a file in the editor, or else on disk. */
export function fileText(file: string, open: ReadonlyMap<string, string>): string {
  return open.get(file) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '');
}
