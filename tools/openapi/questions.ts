import { isMap, LineCounter, parseDocument } from 'yaml';

/** What a person should say of a pack that was imported, and where. */
export interface Question {
  /** Keys that lead to the place in the file. */
  readonly at: readonly string[];
  /** What the document does not say. */
  readonly ask: string;
  /** What to write there, as an example. */
  readonly write: string;
  /** Keys that lead to the place where that belongs, if not to that of the question. */
  readonly into?: readonly string[];
  /** Calls and examples of the document that it concerns. */
  readonly calls: number;
}

/** Notes on a pack that was imported, and questions to its author. */
export interface Remarks {
  readonly notes: string[];
  readonly questions: Question[];
}

/** A question with its place in a file. */
export interface PlacedQuestion extends Omit<Question, 'at'> {
  readonly file: string;
  readonly line: number;
  readonly into: readonly string[];
}

const MOST_QUESTIONS = 20;

/**
 * The questions that concern most, at most twenty, each with its line.
 * @param asked by file
 * @param files of the pack, without the line at the top that names a schema
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

/** The line of the last key of a path that is there; 1 is the first. */
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

/** A question as import.md has it. */
export function questionText({ file, line, ask, write, calls }: PlacedQuestion): string {
  return `\`${file}:${line}\` (concerns ${calls}): ${ask} Write \`${write}\`.`;
}
