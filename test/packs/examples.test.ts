import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadPack } from '../../engine/index.js';
import { formatProblems } from '../../engine/pack/index.js';
import { runExamples } from '../../tools/examples/index.js';
import { packsIn } from '../../tools/command/installation.js';
import { ROOT } from '../support/root.js';

const folders = [...packsIn(join(ROOT, 'packs')), ...packsIn(join(ROOT, 'test', 'packs'))];
const withExamples = folders.filter((folder) => ['examples', 'seeds'].some((part) => existsSync(join(folder, part))));


describe('executable examples and seed data, and no expression of more than 300 characters', () => {
  test.each(withExamples.map((folder) => [basename(folder), folder]))('%s', async (_name, folder) => {
    const { pack, problems, source } = loadPack(folder);
    const told = [
      ...(pack ? (await runExamples(source)).problems : problems.filter(({ severity }) => severity === 'error')),
      ...problems.filter(({ code }) => code === 'long-expression'),
    ];
    expect(formatProblems(told, { format: 'text', color: false, source })).toBe('');
  });
});
