import { isMap, parse, parseDocument } from 'yaml';
import { Exit, Failure } from '../../command/output.js';
import type { PlacedQuestion } from '../questions.js';
import { packYaml } from '../yaml.js';

/** Where the questions of an import are answered. */
export const QUESTIONS_FILE = 'import-questions.yaml';
/** Its first lines. */
const ABOUT = [
  'Open questions about the document. Write an answer as in the example, then import the document again with --ask:',
  'the answers come into the pack, and what you have changed there stays.',
];

/** An answer to a question of an import: keys with values that come into a file of the pack. */
interface Answer {
  readonly file: string;
  /** Keys that lead to the place in the file. */
  readonly into: readonly string[];
  readonly value: Readonly<Record<string, unknown>>;
}

/** A question as its file has it. */
interface WrittenQuestion {
  readonly question: string;
  readonly file: string;
  readonly into: readonly string[];
  readonly example: string;
  readonly answer: unknown;
  /** The answer that is in the pack already. */
  readonly applied?: unknown;
}

const keyOf = ({ file, into, question }: Omit<WrittenQuestion, 'example' | 'answer' | 'applied'>): string =>
  JSON.stringify([file, into, question]);

/**
 * The questions that were written before, with their answers.
 * @throws Failure when the text is no list of questions
 */
export function readQuestions(text: string): readonly WrittenQuestion[] {
  const list: unknown = parse(text);
  const isWritten = (each: unknown): each is WrittenQuestion =>
    typeof each === 'object' && each !== null && 'question' in each && 'file' in each && 'into' in each;
  if (list === null) return [];
  if (!Array.isArray(list) || !list.every(isWritten))
    throw wrong("isn't a valid list of questions; delete it to have it written again");
  return list;
}

/**
 * The answers among them.
 * @param which those that are given, or those that are in the pack already
 * @throws Failure when one isn't keys with values
 */
export function answersOf(
  written: readonly WrittenQuestion[],
  which: 'answer' | 'applied' = 'answer',
): readonly Answer[] {
  return written.flatMap(({ file, into, question, ...each }): Answer[] => {
    const answer = each[which];
    if (answer === undefined || answer === null || answer === '') return [];
    const value = typeof answer === 'string' ? keysIn(answer, question) : answer;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw wrong(`an answer is keys with values, as in the example: ${question}`);
    return [{ file, into, value: value as Readonly<Record<string, unknown>> }];
  });
}

/** Keys that were written as one line, with braces around them or without. */
function keysIn(answer: string, question: string): unknown {
  try {
    return parse(/^\s*\{/.test(answer) ? answer : `{ ${answer} }`) as unknown;
  } catch {
    throw wrong(`an answer is keys with values, as in the example: ${question}`);
  }
}

function wrong(what: string): Failure {
  return new Failure(Exit.wrongInput, 'questions_invalid', `${QUESTIONS_FILE}: ${what}`);
}

/** The open questions of an import as a file, with the answers that were given before. */
export function questionsText(
  questions: readonly PlacedQuestion[],
  before: readonly WrittenQuestion[],
  given: ReadonlyMap<string, string> = new Map(),
): string {
  const known = new Map(before.map((each) => [keyOf(each), each]));
  const open = questions.map(({ file, into, ask, write }): WrittenQuestion => {
    const key = keyOf({ file, into, question: ask });
    const answer = given.get(ask) ?? known.get(key)?.answer ?? null;
    known.delete(key);
    return { question: ask, file, into, example: write, answer, applied: answer ?? undefined };
  });
  // An answer makes its question disappear from the next import; it is still an answer.
  const answered = [...known.values()]
    .filter(({ answer }) => answer !== null && answer !== undefined && answer !== '')
    .map((each) => ({ ...each, applied: each.answer }));
  return `${ABOUT.map((each) => `# ${each}`).join('\n')}\n${packYaml([...open, ...answered])}`;
}

/** Files of an import with answers in them. @throws Failure when a file of an answer is not there */
export function withAnswers(
  files: Readonly<Record<string, string>>,
  answers: readonly Answer[],
): Readonly<Record<string, string>> {
  const made: Record<string, string> = { ...files };
  for (const { file, into, value } of answers) {
    if (!(file in made)) throw wrong(`the import has no ${file}, which an answer is for`);
    const document = parseDocument(made[file]);
    const put = (path: readonly string[], given: unknown): void => {
      const isKeys = typeof given === 'object' && given !== null && !Array.isArray(given);
      if (isKeys && isMap(path.length === 0 ? document.contents : document.getIn(path)))
        for (const [key, each] of Object.entries(given)) put([...path, key], each);
      else document.setIn(path, document.createNode(given));
    };
    put(into, value);
    made[file] = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  }
  return made;
}
