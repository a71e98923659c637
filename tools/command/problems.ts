import { loadPack } from '../../engine/compile/index.js';
import { formatProblems, PackCache, type PackSource, type Problem } from '../../engine/pack/index.js';
import { shownFolder } from './installation.js';
import { counted, Exit, Failure } from './output.js';

/** The problems of a pack, and the source that they refer to. */
export interface Findings {
  readonly problems: readonly Problem[];
  readonly source: PackSource;
}

/** Formats the problems of a pack, each with its line. */
export function problemText({ problems, source }: Findings, color: boolean): string {
  return formatProblems(problems, { format: 'text', color, source, prefix: shownFolder(source.dir) });
}

/** Formats the numbers of errors and warnings: `2 errors and 1 warning`. */
export function countProblems(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const counts = [counted(errors, 'error'), counted(problems.length - errors, 'warning')];
  return counts.filter((text) => !text.startsWith('0 ')).join(' and ') || 'no problems';
}

/**
 * Creates the failure for a pack that can't be served, with all problems in full.
 * @param set variables from the command line: if the pack is valid without them, they are the problem
 */
export function rejection(
  findings: Findings,
  color: boolean,
  set: Readonly<Record<string, string>> | undefined = undefined,
): Failure {
  const { problems, source } = findings;
  const name = shownFolder(source.dir).replace(/\/$/, '');
  const message = `${name} is not served: ${countProblems(problems)}`;
  const data = { problems: problems.map((problem) => ({ ...problem, file: shownFolder(source.dir) + problem.file })) };
  const text = problemText(findings, color);
  if (set === undefined || loadPack(source.dir, { cache: PackCache.ofInstallation() }).pack === null)
    return new Failure(Exit.wrongInput, 'pack_invalid', message, text, data);
  const given = Object.entries(set).map(([variable, value]) => `--set ${variable}=${value}`);
  return new Failure(Exit.cannotRun, 'pack_invalid', `${message} that ${given.join(' ')} makes`, text, data);
}
