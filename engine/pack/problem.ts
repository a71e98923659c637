import type { ProblemCode } from '../codes.js';
import type { DataPath, SourceFile } from './source.js';

/** A problem in a pack, with its location. Lines and columns count from 1. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  /** The kind of problem; stable, so that tools can filter by it. */
  readonly code: ProblemCode;
  readonly message: string;
  /** Path of the file, relative to the pack's folder. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The name or value that was probably meant. */
  readonly suggestion?: string;
}

/** Details of a problem besides its location, code and message. */
export interface ProblemDetails {
  readonly suggestion?: string;
  /** Whether the problem points at the key at the end of the path, or at its value. */
  readonly at?: 'key' | 'value';
  /** Offset of the problem, in characters, within the text at the path. */
  readonly offset?: number;
  readonly severity?: 'error' | 'warning';
}

/** Collects problems; returns them without duplicates, ordered by file and position. */
export class ProblemList {
  readonly #problems = new Map<string, Problem>();

  add(file: SourceFile, path: DataPath, code: ProblemCode, message: string, details: ProblemDetails = {}): void {
    const { suggestion, at, offset, severity = 'error' } = details;
    const position = file.locate(path, at, offset);
    this.push({
      severity,
      code,
      message,
      file: file.path,
      ...position,
      ...(suggestion !== undefined && { suggestion }),
    });
  }

  /** Adds problems that have a position already. */
  push(...problems: readonly Problem[]): void {
    for (const problem of problems) {
      const { file, line, column, code, message } = problem;
      const key = JSON.stringify([file, line, column, code, message]);
      if (!this.#problems.has(key)) this.#problems.set(key, problem);
    }
  }

  get all(): Problem[] {
    return sortProblems([...this.#problems.values()]);
  }

  get errors(): Problem[] {
    return this.all.filter((problem) => problem.severity === 'error');
  }

  get warnings(): Problem[] {
    return this.all.filter((problem) => problem.severity === 'warning');
  }
}

/** Orders problems by file, then position. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  return [...problems].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.code, b.code),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
