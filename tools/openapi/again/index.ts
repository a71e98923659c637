import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { loadPack } from '../../../engine/index.js';
import { writeFiles } from '../../commands/init-pack.js';
import { Exit, Failure, type Output } from '../../command/output.js';
import { readDocument } from '../document.js';
import { importDocument } from '../import.js';
import { CONTRACT_FILE, NOTES_FILE } from '../notes-file.js';
import type { PlacedQuestion } from '../questions.js';
import { mergedFile } from './merge.js';
import { answersOf, QUESTIONS_FILE, questionsText, readQuestions, withAnswers } from './questions-file.js';

export { QUESTIONS_FILE } from './questions-file.js';

/** Files that a person doesn't edit: each import overwrites them. */
const WRITTEN = new Set([CONTRACT_FILE, NOTES_FILE, QUESTIONS_FILE]);

/** Returns the answer to a question as YAML; an empty string skips the question. */
type Answers = (question: PlacedQuestion) => Promise<string>;

/** Asks the questions at the terminal. Undefined if standard input or output is no terminal. */
export function terminalAnswers(): Answers | undefined {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return undefined;
  return async ({ file, line, ask, write }) => {
    const lines = createInterface({ input: stdin, output: stdout });
    try {
      return await lines.question(`\n${file}:${line} ${ask}\n  for example: ${write}\n> `);
    } finally {
      lines.close();
    }
  };
}

/** The generated pack, before it is written into its folder. */
interface Made {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly questions: readonly PlacedQuestion[];
  readonly wanted: (path: string) => boolean;
}

/**
 * Writes an imported pack, with the answers to its questions, into a folder. If the folder contains an earlier import, changes that a person made
 * there stay, and changes of both sides to the same key are reported.
 * @throws Failure if an answer is invalid; nothing is written
 */
export async function writeAsked(
  folder: string,
  { name, files, questions, wanted }: Made,
  answer: Answers | undefined,
  output: Output,
): Promise<void> {
  const before = readQuestions(textIn(folder, QUESTIONS_FILE) ?? '');
  const answered = new Set(before.filter((each) => (each.answer ?? '') !== '').map(({ question }) => question));
  const given = new Map<string, string>();
  for (const each of answer === undefined ? [] : questions) {
    if (answered.has(each.ask)) continue;
    const said = (await answer?.(each)) ?? '';
    if (said.trim() !== '') given.set(each.ask, said);
  }
  const asked = questionsText(questions, before, given);
  const now = withAnswers(files, answersOf(readQuestions(asked)));
  const contract = join(folder, CONTRACT_FILE);
  const last = existsSync(contract)
    ? withAnswers(importDocument(await readDocument(contract), name, wanted).files, answersOf(before, 'applied'))
    : ({} as Readonly<Record<string, string>>);
  const made: Record<string, string> = { [QUESTIONS_FILE]: asked };
  for (const [path, text] of Object.entries(now)) {
    const own = textIn(folder, path);
    if (WRITTEN.has(path) || (own === undefined && !(path in last))) made[path] = text;
    if (WRITTEN.has(path) || own === undefined) continue;
    const { text: merged, conflicts } = mergedFile(last[path] ?? '{}', text, own);
    made[path] = withoutSchemaLine(merged);
    for (const conflict of conflicts)
      output.error(`${path}:${conflict.line} stays as you wrote it: ${conflict.path.join('.')} is another now`);
  }
  checked(made);
  writeFiles(folder, made);
}

function textIn(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Removes the first line, which names the file's schema; writing the file adds it. */
function withoutSchemaLine(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n/, '');
}

/** Validates the pack in a temporary folder, before it is written. */
function checked(made: Readonly<Record<string, string>>): void {
  const other = mkdtempSync(join(tmpdir(), 'import-'));
  try {
    writeFiles(other, made);
    const errors = loadPack(other).problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0)
      throw new Failure(
        Exit.wrongInput,
        'questions_invalid',
        `${QUESTIONS_FILE}: the pack would not load with these answers`,
        errors.map(({ file, line, message }) => `${file}:${line} ${message}`).join('\n'),
      );
  } finally {
    rmSync(other, { recursive: true });
  }
}
