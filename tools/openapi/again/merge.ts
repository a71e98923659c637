import { type Document, isMap, LineCounter, parse, parseDocument } from 'yaml';
import { equal, isObject } from '../../../engine/values/index.js';

/** A key that both a person and the new import changed, to different values. The person's value stays. */
interface Conflict {
  readonly path: readonly string[];
  /** Line number in the person's file. */
  readonly line: number;
}

/** The result of merging a new import into an edited file. */
interface MergedFile {
  readonly text: string;
  readonly conflicts: readonly Conflict[];
}

type Value = unknown;

/**
 * Merges the changes between two imports into a file that a person has edited, key by key. Comments and formatting stay.
 * @param before what the last import wrote
 * @param now what this import would write
 * @param own the file on disk
 */
export function mergedFile(before: string, now: string, own: string): MergedFile {
  const lines = new LineCounter();
  const document = parseDocument(own, { lineCounter: lines });
  const conflicts: Conflict[] = [];
  let changes = 0;
  const walk = (path: readonly string[], first: Value, next: Value, held: Value): void => {
    if (equal(first, next) || equal(held, next)) return;
    if (equal(first, held)) {
      changes++;
      if (next === undefined) document.deleteIn(path);
      else document.setIn(path, document.createNode(next));
      return;
    }
    if (isObject(next) && isObject(held) && (first === undefined || isObject(first))) {
      const known = isObject(first) ? first : {};
      for (const key of new Set([...Object.keys(known), ...Object.keys(next)]))
        walk([...path, key], known[key], next[key], held[key]);
      return;
    }
    conflicts.push({ path, line: lineOf(document, lines, path) });
  };
  walk([], parse(before) as Value, parse(now) as Value, document.toJS() as Value);
  return { text: changes === 0 ? own : document.toString({ lineWidth: 0, flowCollectionPadding: true }), conflicts };
}

/** The line of a path in a file, or of its longest prefix that exists. */
function lineOf(document: Document, lines: LineCounter, path: readonly string[]): number {
  let node: unknown = document.contents;
  let line = 1;
  for (const key of path) {
    const pair = isMap(node) ? node.items.find((each) => String(each.key) === key) : undefined;
    if (pair === undefined) break;
    const [start] = (pair.key as { readonly range?: readonly [number, number, number] | null }).range ?? [0];
    line = lines.linePos(start).line;
    node = pair.value;
  }
  return line;
}
