import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Problems of a page's figures, such as outdated ones. */
interface FiguresReport {
  readonly problems: readonly string[];
  /** Commits that a shallow clone doesn't contain. */
  readonly unchecked: readonly string[];
}

const LINES = /^Measured at `([0-9a-f]{7,40})` with `[^`]+`; stale after (\d+) commits to ((?:`[^`]+`(?:, )?)+)\.$/gm;

/**
 * Updates a page of `docs/internals` with figures of this commit: replaces tables that have the same head, and the commits named in their sections.
 * @param tables lines of each table, with its head
 * @param more changes the page further
 * @throws Error if the page lacks a table's head
 */
export function writeFigures(
  root: string,
  page: string,
  tables: readonly (readonly string[])[],
  more = (text: string): string => text,
): void {
  const file = join(root, 'docs', 'internals', page);
  const sections = readFileSync(file, 'utf8').split(/^(?=## )/m);
  const missing = tables.find(([head]) => !sections.some((section) => section.includes(`${head}\n`)));
  if (missing !== undefined) throw new Error(`${page} has no table with the head ${missing[0]}`);
  const written = sections.map((section) => {
    const own = tables.filter(([head]) => section.includes(`${head}\n`));
    if (own.length === 0) return section;
    const measured = section.replace(/(?<=^(?:Measured at|At commit) `)[0-9a-f]+/m, headCommit(root));
    return own.reduce((text, table) => {
      const at = text.indexOf(`${table[0]}\n`);
      const after = text.slice(at + table[0].length + 1).replace(/^(?:\|.*\n)+/, '');
      return `${text.slice(0, at)}${table.join('\n')}\n${after}`;
    }, measured);
  });
  writeFileSync(file, more(written.join('')));
}

/** Returns the abbreviated hash of the checked-out commit. @throws Error if git or the repository is missing */
export function headCommit(root: string): string {
  const commit = git(root, ['rev-parse', '--short', 'HEAD']);
  if (commit === null) throw new Error('git names no commit: the page of figures needs one');
  return commit;
}

/**
 * Finds outdated figures of a page. If a commit was rebased and is missing, the commit that wrote the line is used.
 * @param file the page, relative to the repository
 */
export function staleFigures(file: string, root: string): FiguresReport {
  const problems: string[] = [];
  const unchecked: string[] = [];
  const lines = [...readFileSync(join(root, file), 'utf8').matchAll(LINES)];
  if (lines.length === 0)
    problems.push("no line 'Measured at `COMMIT` with `COMMAND`; stale after N commits to `PATH`.'");
  for (const [line, commit, most, named] of lines) {
    const paths = [...named.matchAll(/`([^`]+)`/g)].map(([, path]) => path);
    const present = presentCommit(commit, line, file, root);
    const count = present === null ? null : git(root, ['rev-list', '--count', `${present}..HEAD`, '--', ...paths]);
    if (count === null) unchecked.push(commit);
    else if (Number(count) > Number(most))
      problems.push(`measured ${count} commits ago, at ${commit}: measure again with the command that the page names`);
  }
  return { problems, unchecked };
}

/**
 * Returns the commit at which the first figures below a heading of a page were measured; null if a shallow clone doesn't contain it.
 * @param file the page, relative to the repository
 * @throws Error if no line below the heading names a commit
 */
export function measuredCommit(file: string, heading: string, root: string): string | null {
  const sections = readFileSync(join(root, file), 'utf8').split(/^(?=## )/m);
  const [found] = sections.find((each) => each.startsWith(`## ${heading}\n`))?.matchAll(LINES) ?? [];
  if (found === undefined) throw new Error(`${file} names no commit below '${heading}'`);
  return presentCommit(found[1], found[0], file, root);
}

/** Returns the commit that a line of a page names, or else the commit that wrote the line; null if neither is part of the present history. */
function presentCommit(commit: string, line: string, file: string, root: string): string | null {
  const isPresent = (each: string): boolean => git(root, ['merge-base', '--is-ancestor', each, 'HEAD']) !== null;
  if (isPresent(commit)) return commit;
  const writer = writerOf(line, file, root);
  return writer !== null && isPresent(writer) ? writer : null;
}

/** Finds the commit that wrote a line of a page; null in a shallow clone, whose oldest commit seems to have written everything. */
function writerOf(line: string, file: string, root: string): string | null {
  if (git(root, ['rev-parse', '--is-shallow-repository']) !== 'false') return null;
  return git(root, ['log', '-1', '--format=%H', `-S${line}`, '--', file]) || null;
}

function git(root: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
