import { isMap, parse, parseDocument } from 'yaml';
import { Exit, Failure } from '../../command/output.js';
import type { PlacedQuestion } from '../questions.js';
import { packYaml } from '../yaml.js';

/** Name of the file in which a person answers the questions of an import. */
export const QUESTIONS_FILE = 'import-questions.yaml';
/** Comment at the top of that file. */
const ABOUT = [
  'Open questions about the document. Write an answer as in the example, then import the document again with --ask:',
  'the answers come into the pack, and what you have changed there stays.',
];

/** An answer to a question: keys and values to add to a file of the pack. */
interface Answer {
  readonly file: string;
  /** Path of keys in the file. */
  readonly into: readonly string[];
  readonly value: Readonly<Record<string, unknown>>;
}

/** An entry of the questions file. */
interface WrittenQuestion {
  readonly question: string;
  readonly file: string;
  readonly into: readonly string[];
  readonly example: string;
  readonly answer: unknown;
  /** The answer that an earlier import already applied. */
  readonly applied?: unknown;
}

const keyOf = ({ file, into, question }: Omit<WrittenQuestion, 'example' | 'answer' | 'applied'>): string =>
  JSON.stringify([file, into, question]);

/** Parses a questions file. @throws Failure if the text is no list of questions */
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
 * Selects the answered questions.
 * @param which new answers, or those that were applied before
 * @throws Failure if an answer is no map
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

/** Parses an answer on one line: `{ key: value }` or `key: value`. */
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

/** Formats the open questions as the text of the questions file, including earlier answers. */
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
  // Answered questions don't come up in the next import, but their answers still apply.
  const answered = [...known.values()]
    .filter(({ answer }) => answer !== null && answer !== undefined && answer !== '')
    .map((each) => ({ ...each, applied: each.answer }));
  return `${ABOUT.map((each) => `# ${each}`).join('\n')}\n${packYaml([...open, ...answered])}`;
}

/** Adds answers to the files of an import. @throws Failure if an answer names an unknown file */
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
