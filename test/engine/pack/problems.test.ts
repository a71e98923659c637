import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  formatProblems,
  PackCache,
  type Problem,
  ProblemList,
  readPack,
  suggest,
  validateSchemas,
} from '../../../engine/pack/index.js';
import { removeWritten } from '../../support/sample-pack.js';
import { check, schemaValid } from './schema-valid-pack.js';

afterAll(removeWritten);

const PROBLEM: Problem = {
  severity: 'error',
  code: 'unknown-key',
  message: "unknown key 'flw' in flow",
  file: 'flows/lend.yaml',
  line: 2,
  column: 1,
  suggestion: 'flow',
};

describe('ProblemList', () => {
  test('orders by file and position, and keeps each problem once', () => {
    const { source } = check();
    const list = new ProblemList();
    const [loan] = source.all('resource');
    const [lend] = source.all('flow');
    list.add(loan, ['fields', 'due'], 'unknown-type', 'no such type', { offset: 2, suggestion: 'timestamp' });
    list.add(loan, ['resource'], 'odd', 'odd name', { at: 'key', severity: 'warning' });
    list.add(loan, ['resource'], 'odd', 'odd name', { at: 'key', severity: 'warning' });
    list.add(lend, ['do', 1, 'return'], 'expression', 'unknown variable', { offset: 2 });
    expect(list.all.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)).toEqual([
      'flows/lend.yaml:7:16 expression',
      'resources/loan.yaml:1:1 odd',
      'resources/loan.yaml:7:10 unknown-type',
    ]);
    expect(list.errors).toHaveLength(2);
    expect(list.warnings).toHaveLength(1);
  });
});

describe('suggest', () => {
  test.each([
    ['Retrieve', ['retrieve', 'retrieved'], 'retrieve'],
    ['basePath', ['base_path'], 'base_path'],
    ['amuont', ['amount', 'account'], 'amount'],
    ['tpye', ['type', 'title'], 'type'],
    ['rocket', ['create', 'set'], undefined],
    ['as', ['do', 'in', 'to'], undefined],
    ['x', [], undefined],
  ])('%s', (word, candidates, expected) => {
    expect(suggest(word, candidates)).toBe(expected);
  });
});

describe('formatProblems', () => {
  const { source } = check({ 'flows/lend.yaml': 'do: []\nflw: lend\n' });

  test('text, with the line and a caret when the source is at hand', () => {
    const head = "flows/lend.yaml:2:1  error  unknown-key  unknown key 'flw' in flow (did you mean 'flow'?)";
    expect(formatProblems([PROBLEM], { format: 'text', color: false })).toBe(head);
    expect(formatProblems([PROBLEM], { format: 'text', color: false, source })).toBe(
      `${head}\n  2 | flw: lend\n    | ^`,
    );
  });

  test('colours', () => {
    expect(formatProblems([PROBLEM], { format: 'text', color: true })).toContain('\u001b[31merror\u001b[0m');
  });

  test('GitHub workflow commands', () => {
    const text = formatProblems([{ ...PROBLEM, message: 'two\nlines', severity: 'warning' }], {
      format: 'github',
      color: false,
      prefix: 'packs/library/',
    });
    expect(text).toBe(
      "::warning file=packs/library/flows/lend.yaml,line=2,col=1,title=unknown-key::two%0Alines (did you mean 'flow'?)",
    );
  });

  test('JSON', () => {
    expect(JSON.parse(formatProblems([PROBLEM], { format: 'json', color: false }))).toEqual([PROBLEM]);
  });
});

describe('PackCache', () => {
  test('a pack read before gives the same data, positions and hash; a changed file is read again', () => {
    const dir = schemaValid.write();
    const cache = new PackCache(join(dir, '.cache'));
    const first = readPack(dir, { cache });
    expect(validateSchemas(first.source, { cache })).toEqual([]);
    expect(readdirSync(cache.folder)).toHaveLength(3);
    const second = readPack(dir, { cache });
    expect(second.source.hash).toBe(first.source.hash);
    expect(second.source.files.map((file) => file.data)).toEqual(first.source.files.map((file) => file.data));
    expect(second.source.all('flow')[0].locate(['do', 0, 'with', 'book'])).toEqual({ line: 6, column: 19 });
    expect(validateSchemas(second.source, { cache })).toEqual([]);

    writeFileSync(join(dir, 'flows/lend.yaml'), 'flow: lend\n');
    const third = readPack(dir, { cache });
    expect(third.source.hash).not.toBe(first.source.hash);
    expect(validateSchemas(third.source, { cache })).toMatchObject([{ code: 'missing-key' }]);
    expect(validateSchemas(third.source, { cache })).toMatchObject([{ code: 'missing-key' }]);
  });

  test('of an edited pack only the edited files are parsed', () => {
    const dir = schemaValid.write();
    const cache = new PackCache(join(dir, '.cache'));
    const { source } = readPack(dir, { cache });
    const known = { ...cache.files(source.hash), 'resources/loan.yaml': { from: 'the cache' } };
    cache.keepFiles(source.hash, known);
    writeFileSync(join(dir, 'flows/lend.yaml'), 'flow: lend\ndo: []\n');
    const data = (): unknown[] =>
      ['resources/loan.yaml', 'flows/lend.yaml'].map(
        (path) => readPack(dir, { cache }).source.files.find((file) => file.path === path)?.data,
      );
    expect(data()).toEqual([{ from: 'the cache' }, { flow: 'lend', do: [] }]);
    writeFileSync(join(dir, 'resources/loan.yaml'), 'resource: loan\n');
    expect(data()).toEqual([{ resource: 'loan' }, { flow: 'lend', do: [] }]);
  });

  test('a damaged or unwritable cache only costs time', () => {
    const dir = schemaValid.write();
    const cache = new PackCache(join(dir, '.cache'));
    const { source } = readPack(dir, { cache });
    for (const name of readdirSync(cache.folder)) writeFileSync(join(cache.folder, name), '{"half');
    expect(readPack(dir, { cache }).source.files.map((file) => file.data)).toEqual(
      source.files.map((file) => file.data),
    );
    rmSync(cache.folder, { recursive: true });
    writeFileSync(cache.folder, 'a file where the folder should be');
    expect(readPack(dir, { cache }).problems).toEqual([]);
    rmSync(cache.folder);
    mkdirSync(cache.folder);
  });
});
