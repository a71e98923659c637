import type { Problem } from './problem.js';
import type { PackSource } from './source.js';

/** Options for printing problems. */
export interface FormatOptions {
  readonly format: 'text' | 'json' | 'github';
  readonly color: boolean;
  /** The pack's files, from which the line of each problem is shown. */
  readonly source?: PackSource;
  /** Prefix of file names in the output, such as `packs/library/`. */
  readonly prefix?: string;
}

/** Problems as text for people, JSON for tools, or GitHub's workflow commands. */
export function formatProblems(problems: readonly Problem[], options: FormatOptions): string {
  const placed = problems.map((problem) => ({ ...problem, file: (options.prefix ?? '') + problem.file }));
  switch (options.format) {
    case 'json':
      return JSON.stringify(placed, null, 2);
    case 'github':
      return placed.map(githubLine).join('\n');
    case 'text':
      return placed.map((problem, index) => textBlock(problem, problems[index].file, options)).join('\n');
  }
}

function textBlock(problem: Problem, path: string, { color, source }: FormatOptions): string {
  const paint = color ? paintAnsi : (text: string) => text;
  const { file, line, column, severity, code, message } = problem;
  const place = paint(`${file}:${line}:${column}`, 'bold');
  const head = `${place}  ${paint(severity, severity === 'error' ? 'red' : 'yellow')}  ${code}  ${withHint(message, problem)}`;
  const text = source?.files.find((each) => each.path === path)?.text.split('\n')[line - 1];
  if (text === undefined) return head;
  const number = String(line);
  const { shown, caret } = excerpt(text.replace(/\r$/, ''), column);
  const bar = paint('|', 'dim');
  return [
    head,
    `  ${paint(number, 'dim')} ${bar} ${shown}`,
    `  ${' '.repeat(number.length)} ${bar} ${' '.repeat(caret)}${paint('^', 'red')}`,
  ].join('\n');
}

/** Width of a code frame; longer lines are cut around the caret. */
const FRAME = 110;

function excerpt(line: string, column: number): { shown: string; caret: number } {
  const text = line.replaceAll('\t', ' ');
  if (text.length <= FRAME) return { shown: text, caret: column - 1 };
  const start = Math.max(0, Math.min(column - 1 - FRAME / 2, text.length - FRAME));
  const cut = text.slice(start, start + FRAME);
  const before = start > 0 ? '...' : '';
  const after = start + FRAME < text.length ? '...' : '';
  return { shown: before + cut + after, caret: column - 1 - start + before.length };
}

/** Writes a GitHub workflow command: https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function githubLine(problem: Problem): string {
  const { severity, file, line, column, code, message } = problem;
  const data = withHint(message, problem).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string =>
    text
      .replaceAll('%', '%25')
      .replaceAll('\r', '%0D')
      .replaceAll('\n', '%0A')
      .replaceAll(':', '%3A')
      .replaceAll(',', '%2C');
  return `::${severity} file=${property(file)},line=${line},col=${column},title=${property(code)}::${data}`;
}

function withHint(message: string, { suggestion }: Problem): string {
  return suggestion === undefined ? message : `${message} (did you mean '${suggestion}'?)`;
}

const ANSI = { bold: 1, dim: 2, red: 31, yellow: 33 } as const;

function paintAnsi(text: string, style: keyof typeof ANSI): string {
  return `\u001b[${ANSI[style]}m${text}\u001b[0m`;
}
