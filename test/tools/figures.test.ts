import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headCommit, measuredCommit, staleFigures } from '../../tools/develop/prose/figures.js';

const repository = mkdtempSync(join(tmpdir(), 'figures-'));
afterAll(() => rmSync(repository, { recursive: true }));

function commit(file: string): string {
  mkdirSync(join(repository, 'engine'), { recursive: true });
  writeFileSync(join(repository, file), `${file} ${Math.random()}`);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args]);
  git('add', '-A');
  git('commit', '-qm', 'a change');
  return headCommit(repository);
}

/** The line above figures of `engine`. */
function measuredLine(at: string, most: number): string {
  return `Measured at \`${at}\` with \`npm run bench\`; stale after ${most} commits to \`engine\`.`;
}

/** What is said of a page with these lines, which is committed. */
function reportOf(...lines: readonly string[]): ReturnType<typeof staleFigures> {
  mkdirSync(repository, { recursive: true });
  writeFileSync(join(repository, 'page.md'), `# Page\n\n${lines.join('\n\n')}\n`);
  return staleFigures('page.md', repository);
}

beforeAll(() => {
  execFileSync('git', ['init', '-q', repository]);
});

test('figures are stale after so many commits to what they measure', () => {
  const measured = commit('engine/a.ts');
  const line = (most: number): string => measuredLine(measured, most);
  commit('other.ts');
  expect(reportOf(line(0)).problems).toEqual([]);
  commit('engine/a.ts');
  expect(reportOf(line(1)).problems).toEqual([]);
  expect(reportOf(line(0)).problems).toEqual([
    `measured 1 commits ago, at ${measured}: measure again with the command that the page names`,
  ]);
  // Every line of a page counts, not the first alone.
  expect(reportOf(line(1), line(0)).problems).toHaveLength(1);
});

test('a page of figures names its commit and its command', () => {
  expect(reportOf('Measured at `1234567`.').problems).toEqual([
    expect.stringContaining("no line 'Measured at `COMMIT` with `COMMAND`"),
  ]);
});

test('the commit below a heading is that of its first line of figures; without one there is an error', () => {
  const [first, second] = [commit('a.ts'), commit('b.ts')];
  reportOf(
    '## One',
    measuredLine(first, 9),
    '## Two',
    measuredLine(second, 9),
    '## Three',
    'None.',
    '## Four',
    measuredLine(first, 9),
  );
  expect(measuredCommit('page.md', 'Two', repository)).toBe(second);
  expect(() => measuredCommit('page.md', 'Three', repository)).toThrow("page.md names no commit below 'Three'");
});

test('a commit that was rebased away counts from the commit that wrote its line; a shallow clone is not checked', () => {
  const line = measuredLine('0123456789abcdef', 0);
  expect(reportOf(line)).toEqual({ problems: [], unchecked: ['0123456789abcdef'] });
  commit('page.md.txt');
  expect(reportOf(line)).toEqual({ problems: [], unchecked: [] });
  commit('engine/a.ts');
  expect(reportOf(line).problems).toEqual([expect.stringMatching(/^measured 1 commits ago, at 0123456789abcdef/)]);
  const shallow = join(repository, 'shallow');
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${repository}`, shallow]);
  expect(staleFigures('page.md', shallow)).toEqual({ problems: [], unchecked: ['0123456789abcdef'] });
});
