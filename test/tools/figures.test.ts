import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headCommit, measuredLine, staleFigures } from '../../tools/develop/prose/figures.js';

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

test('figures are stale after so many commits to what they measure', () => {
  execFileSync('git', ['init', '-q', repository]);
  const measured = commit('engine/a.ts');
  const page = (most: number) => `# Page\n\n${measuredLine(measured, 'npm run bench', most, ['engine'])}\n`;
  commit('other.ts');
  expect(staleFigures(page(0), repository)).toBeNull();
  commit('engine/a.ts');
  expect(staleFigures(page(1), repository)).toBeNull();
  expect(staleFigures(page(0), repository)).toEqual({
    problem: `measured 1 commits ago, at ${measured}: measure again with the command that the page names`,
  });
});

test('a page of figures names its commit and its command', () => {
  expect(staleFigures('# Page\n\nMeasured at `1234567`.\n', repository)).toEqual({
    problem: expect.stringContaining("no line 'Measured at `COMMIT` with `COMMAND`") as string,
  });
});

test('nothing is compared where the clone has no such commit', () => {
  const line = measuredLine('0123456789abcdef', 'npm run bench', 1, ['engine']);
  expect(staleFigures(line, repository)).toBe('skipped');
  expect(staleFigures(line, tmpdir())).toBe('skipped');
});
