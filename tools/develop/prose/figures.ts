import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is wrong with the figures of a page: that nobody has measured them again for too long. */
interface FiguresReport {
  readonly problems: readonly string[];
  /** Commits that this clone cannot count from, a shallow one. */
  readonly unchecked: readonly string[];
}

const LINES = /^Measured at `([0-9a-f]{7,40})` with `[^`]+`; stale after (\d+) commits to ((?:`[^`]+`(?:, )?)+)\.$/gm;

/** The line of a page of figures: its commit, its command, and how many commits to what it measures make it stale. */
export function measuredLine(commit: string, command: string, commits: number, paths: readonly string[]): string {
  const named = paths.map((path) => `\`${path}\``).join(', ');
  return `Measured at \`${commit}\` with \`${command}\`; stale after ${commits} commits to ${named}.`;
}

/**
 * Puts figures of this commit into a page of `docs/internals`: where they were measured, and the first table after a heading.
 * @param more changes the text after the heading further
 */
export function writeFigures(
  root: string,
  page: string,
  heading: string,
  table: readonly string[],
  more = (text: string): string => text,
): void {
  const file = join(root, 'docs', 'internals', page);
  const [head, rest] = readFileSync(file, 'utf8').split(new RegExp(`^(?=## ${heading}$)`, 'm'));
  const now = rest
    .replace(/^Measured at `[0-9a-f]+`/m, `Measured at \`${headCommit(root)}\``)
    .replace(/^(?:\|.*\n)+/m, `${table.join('\n')}\n`);
  writeFileSync(file, head + more(now));
}

/** The checked out commit, short. @throws Error where git or the repository is missing */
export function headCommit(root: string): string {
  const commit = git(root, ['rev-parse', '--short', 'HEAD']);
  if (commit === null) throw new Error('git names no commit: the page of figures needs one');
  return commit;
}

/**
 * Which figures of a page are too old. A commit that was rebased since is not in the history: there the commit counts that wrote the line.
 * @param file the page, from the root of the repository
 */
export function staleFigures(file: string, root: string): FiguresReport {
  const problems: string[] = [];
  const unchecked: string[] = [];
  const lines = [...readFileSync(join(root, file), 'utf8').matchAll(LINES)];
  if (lines.length === 0)
    problems.push("no line 'Measured at `COMMIT` with `COMMAND`; stale after N commits to `PATH`.'");
  for (const [line, commit, most, named] of lines) {
    const paths = [...named.matchAll(/`([^`]+)`/g)].map(([, path]) => path);
    const count = commitsSince(commit, paths, root) ?? commitsSince(writerOf(line, file, root), paths, root);
    if (count === null) unchecked.push(commit);
    else if (count > Number(most))
      problems.push(`measured ${count} commits ago, at ${commit}: measure again with the command that the page names`);
  }
  return { problems, unchecked };
}

function commitsSince(commit: string | null, paths: readonly string[], root: string): number | null {
  if (commit === null || git(root, ['merge-base', '--is-ancestor', commit, 'HEAD']) === null) return null;
  const count = git(root, ['rev-list', '--count', `${commit}..HEAD`, '--', ...paths]);
  return count === null ? null : Number(count);
}

/** The commit that put a line into a page; null in a shallow clone, whose first commit seems to have written everything. */
function writerOf(line: string, file: string, root: string): string | null {
  if (git(root, ['rev-parse', '--is-shallow-repository']) !== 'false') return null;
  return git(root, ['log', '-1', '--format=%H', `-S${line}`, '--', file]) || null;
}

function git(root: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
