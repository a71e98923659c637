import { spawnSync } from 'node:child_process';

/** Figures of a page that nobody has measured again for too long. */
interface Stale {
  readonly problem: string;
}

const LINE = /^Measured at `([0-9a-f]{7,40})` with `[^`]+`; stale after (\d+) commits to ((?:`[^`]+`(?:, )?)+)\.$/m;

/** The line of a page of figures: its commit, its command, and how many commits to what it measures make it stale. */
export function measuredLine(commit: string, command: string, commits: number, paths: readonly string[]): string {
  const named = paths.map((path) => `\`${path}\``).join(', ');
  return `Measured at \`${commit}\` with \`${command}\`; stale after ${commits} commits to ${named}.`;
}

/** The checked out commit, short. @throws Error where git or the repository is missing */
export function headCommit(root: string): string {
  const commit = git(root, ['rev-parse', '--short', 'HEAD']);
  if (commit === null) throw new Error('git names no commit: the page of figures needs one');
  return commit;
}

/**
 * Whether the figures of a page are too old.
 * @returns null: they are not; `skipped`: the clone lacks the commit (a shallow one), so nothing can be compared
 */
export function staleFigures(page: string, root: string): Stale | 'skipped' | null {
  const [, commit, most, named] = LINE.exec(page) ?? [];
  if (commit === undefined)
    return { problem: "no line 'Measured at `COMMIT` with `COMMAND`; stale after N commits to `PATH`.'" };
  const paths = [...named.matchAll(/`([^`]+)`/g)].map(([, path]) => path);
  const count = git(root, ['rev-list', '--count', `${commit}..HEAD`, '--', ...paths]);
  if (count === null) return 'skipped';
  return Number(count) > Number(most)
    ? { problem: `measured ${count} commits ago, at ${commit}: measure again with the command that the page names` }
    : null;
}

function git(root: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
