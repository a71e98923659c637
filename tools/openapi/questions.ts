import { isMap, LineCounter, parseDocument } from 'yaml';

/** Something that the document leaves open, which a person should add to the imported pack. */
export interface Question {
  /** Path of keys in the file. */
  readonly at: readonly string[];
  /** The question. */
  readonly ask: string;
  /** Example of what to write, as YAML. */
  readonly write: string;
  /** Path of keys under which to write it, if it differs from `at`. */
  readonly into?: readonly string[];
  /** Number of calls and examples of the document that it concerns. */
  readonly calls: number;
}

/** Notes and questions that an import collects. */
export interface Remarks {
  readonly notes: string[];
  readonly questions: Question[];
}

/** A question with its file and line. */
export interface PlacedQuestion extends Omit<Question, 'at'> {
  readonly file: string;
  readonly line: number;
  readonly into: readonly string[];
}

const MOST_QUESTIONS = 20;

/**
 * Selects the most important questions, at most twenty, and adds their lines.
 * @param asked by file
 * @param files of the pack, without the first line, which names a schema
 */
export function ranked(
  asked: readonly { readonly file: string; readonly question: Question }[],
  files: Readonly<Record<string, string>>,
): PlacedQuestion[] {
  return asked
    .filter(({ file }) => file in files)
    .sort((a, b) => b.question.calls - a.question.calls)
    .slice(0, MOST_QUESTIONS)
    .map(({ file, question: { at, into = at, ...question } }) => ({
      file,
      line: lineOf(files[file], at) + 1,
      into,
      ...question,
    }));
}

/** The line, from 1, of a path in a file or of its longest prefix that exists. */
function lineOf(text: string, path: readonly string[]): number {
  const lines = new LineCounter();
  let node: unknown = parseDocument(text, { lineCounter: lines }).contents;
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

/** A question as a line of import.md. */
export function questionText({ file, line, ask, write, calls }: PlacedQuestion): string {
  return `\`${file}:${line}\` (concerns ${calls}): ${ask} Write \`${write}\`.`;
}
